/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_table_run.c - one run as text.
 */
#include <string.h>

#include "common/byw_text.h"
#include "study/compare/byw_table.h"
#include "study/job/byw_words.h"

enum { NOTE = 38 /* column in which the explanation of a figure begins */ };

bool byw_table_bypasses_all(const json_t *result)
{
    const char *mode =
        json_string_value(json_object_get(json_object_get(result, "config"), "policy.mode"));

    return mode != NULL && strcmp(mode, "bypass_all") == 0;
}

static double number(const json_t *result, const char *path)
{
    return byw_result_number(result, path);
}

/* A sampled or partial run: the error bar of its cycles, the simulated and the omitted part. */
static void sampled_lines(FILE *out, const json_t *result)
{
    char text[160];
    double cycles = number(result, "cycles"),
           simulated = number(result, "sampled.cycles_simulated");

    if (number(result, "sampled.launches_left_out") + number(result, "sampled.ctas_left_out") ==
        0) {
        fprintf(out, "    left out          %14d  of %.0f CTAs, so nothing is estimated\n", 0,
                number(result, "sampled.ctas"));
        return;
    }
    fprintf(out, "    estimate, 95 %%    %14.0f  to %.0f (-+ %.1f %%)\n",
            number(result, "sampled.cycles_low"), number(result, "sampled.cycles_high"),
            100 * (number(result, "sampled.cycles_high") / cycles - 1));
    fprintf(out, "    simulated         %14.0f  of these cycles, %.1f %%\n", simulated,
            cycles > 0 ? 100 * simulated / cycles : 0);
    snprintf(text, sizeof(text),
             "of %.0f CTAs, with them %.0f of %.0f launches; the figures below are estimates, too",
             number(result, "sampled.ctas"), number(result, "sampled.launches_left_out"),
             number(result, "sampled.launches"));
    fprintf(out, "    left out          %14.0f  ", number(result, "sampled.ctas_left_out"));
    byw_text_wrap_at(out, text, NOTE);
}

/* The mean and spread of repeated runs; the figures below are those of the first. */
static void repeated_lines(FILE *out, const json_t *result)
{
    const size_t count = byw_repeat_count(result);

    fprintf(out, "  mean of %-3zu runs    %14.0f  cycles, 95 %%: %.0f to %.0f, sd %.2f %%\n", count,
            number(result, "repeat.cycles.mean"), number(result, "repeat.cycles.low"),
            number(result, "repeat.cycles.high"),
            100 * number(result, "repeat.cycles.sd") / number(result, "repeat.cycles.mean"));
    fprintf(out, "    with noise        %14.3f  IPC, 95 %%: %.3f to %.3f; below: the first run\n",
            number(result, "repeat.ipc.mean"), number(result, "repeat.ipc.low"),
            number(result, "repeat.ipc.high"));
}

/* Why accesses were refused, and for how many cycles. */
static void refusals(FILE *out, const json_t *result)
{
    static const char *const reasons[] = {"line", "mshr", "merge", "miss_queue", "icnt"};
    char text[256] = "";

    fprintf(out, "  L1D stall cycles    %14.0f  ", number(result, "l1d.stall_cycles"));
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        size_t used = strlen(text);
        char path[64];

        snprintf(path, sizeof(path), "l1d.reservation_fails.%s", reasons[i]);
        snprintf(text + used, sizeof(text) - used, "%s%s %.0f", i == 0 ? "" : ", ",
                 byw_counter_word(path), number(result, path));
    }
    byw_text_wrap_at(out, text, NOTE);
}

void byw_table_run(FILE *out, const json_t *result)
{
    char text[160];

    fprintf(out, "%s on %s with %s%s\n", byw_result_text(result, "workload"),
            byw_result_text(result, "machine"), byw_result_text(result, "policy"),
            json_is_true(json_object_get(result, "partial")) ? " (stopped early: partial)" : "");
    if (json_object_get(result, "search") != NULL)
        fprintf(out, "  best of %zu values   %14.0f  %s\n",
                json_array_size(json_object_get(json_object_get(result, "search"), "tried")),
                number(result, "search.value"), byw_result_text(result, "search.key"));
    if (byw_repeat_count(result) > 1)
        repeated_lines(out, result);
    fprintf(out, "  cycles              %14.0f\n", number(result, "cycles"));
    if (json_object_get(result, "sampled") != NULL)
        sampled_lines(out, result);
    fprintf(out, "  warp instructions   %14.0f\n", number(result, "warp_instructions"));
    fprintf(out, "  IPC                 %14.3f  thread instructions per cycle\n",
            number(result, "ipc"));
    fprintf(out, "  L1D accesses        %14.0f\n", number(result, "l1d.accesses"));
    fprintf(out, "    hits              %14.0f\n", number(result, "l1d.hits"));
    fprintf(out, "    hits on pending   %14.0f\n", number(result, "l1d.hit_pending"));
    fprintf(out, "    misses            %14.0f%s\n", number(result, "l1d.misses"),
            byw_table_bypasses_all(result) ? "  stores and atomics: every load bypasses" : "");
    fprintf(out, "    bypasses          %14.0f\n", number(result, "l1d.bypasses"));
    fprintf(out, "    hit rate          %14.4f  of all, %.4f of those not bypassed\n",
            number(result, "l1d.hit_rate_all"), number(result, "l1d.hit_rate_cached"));
    refusals(out, result);
    if (json_object_get(result, "gl1") != NULL)
        fprintf(out, "  GL1 reads, hits     %14.0f  %.0f; a level between L1 and L2\n",
                number(result, "gl1.reads"), number(result, "gl1.hits"));
    fprintf(out, "  L2 reads, writes    %14.0f  %.0f\n", number(result, "l2.reads"),
            number(result, "l2.writes"));
    fprintf(out, "  DRAM reads, writes  %14.0f  %.0f atoms, %.0f activates\n",
            number(result, "dram.reads"), number(result, "dram.writes"),
            number(result, "dram.activates"));
    fprintf(out, "  energy              %14.1f  ", number(result, "energy.total_nj") / 1e3);
    snprintf(text, sizeof(text), "uJ (L1 %.1f, crossbar %.1f, L2 %.1f, DRAM %.1f)",
             number(result, "energy.l1_nj") / 1e3, number(result, "energy.icnt_nj") / 1e3,
             number(result, "energy.l2_nj") / 1e3, number(result, "energy.dram_nj") / 1e3);
    byw_text_wrap_at(out, text, NOTE);
    fprintf(out, "  simulated in        %14.2f  ", number(result, "sim.seconds"));
    snprintf(text, sizeof(text), "s (%.0f thousand thread instructions/s, %.0f MiB)",
             number(result, "sim.kips"), number(result, "sim.peak_rss_mb"));
    byw_text_wrap_at(out, text, NOTE);
}
