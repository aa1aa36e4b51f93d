/* SPDX-License-Identifier: Apache-2.0 */
#include "study/byw_table.h"

#include <math.h>
#include <string.h>

#include "study/byw_compare_oracle.h"
#include "study/byw_paper.h"

enum { NAME_WIDTH = 16, LEAST_COLUMN = 9 };

/* Own traces may have long names. */
static int name_width(const struct byw_compare *c)
{
    int width = NAME_WIDTH;

    for (size_t w = 0; w < c->row_count; w++)
        if ((int)strlen(c->row[w].workload) > width)
            width = (int)strlen(c->row[w].workload);
    return width;
}

static int column(const struct byw_compare *c, size_t policy)
{
    int width = (int)strlen(c->policy[policy]);

    return width > LEAST_COLUMN ? width : LEAST_COLUMN;
}

static void rule(FILE *out, const struct byw_compare *c, int extra)
{
    int width = name_width(c) + extra;

    for (size_t p = 0; p < c->policy_count; p++)
        width += 2 + column(c, p);
    for (int i = 0; i < width; i++)
        fputc('-', out);
    fputc('\n', out);
}

static void head(FILE *out, const struct byw_compare *c)
{
    for (size_t p = 0; p < c->policy_count; p++)
        fprintf(out, "  %*s", column(c, p), c->policy[p]);
    fputc('\n', out);
}

/* A value, or "- [N]" with the number of its footnote. */
static void cell(FILE *out, const struct byw_compare *c, size_t row, size_t policy,
                 enum byw_metric metric)
{
    size_t note = byw_compare_note(c, row, policy, metric);
    char text[32];

    if (note == 0)
        snprintf(text, sizeof(text), "%.3f", byw_compare_value(c, row, policy, metric));
    else
        snprintf(text, sizeof(text), "- [%zu]", note);
    fprintf(out, "  %*s", column(c, policy), text);
}

static void mean_cell(FILE *out, const struct byw_compare *c, size_t policy, double mean)
{
    if (isnan(mean))
        fprintf(out, "  %*s", column(c, policy), "-");
    else
        fprintf(out, "  %*.3f", column(c, policy), mean);
}

static void mean_line(FILE *out, const struct byw_compare *c, enum byw_metric metric,
                      const char *label, enum byw_wclass cls, bool measured, int skip)
{
    size_t n;
    char text[64];

    byw_compare_mean(c, 0, metric, cls, measured, &n);
    if (n == 0)
        return;
    snprintf(text, sizeof(text), "%s (%zu)", label, n);
    fprintf(out, "%-*s%*s", name_width(c), text, skip, "");
    for (size_t p = 0; p < c->policy_count; p++)
        mean_cell(out, c, p, byw_compare_mean(c, p, metric, cls, measured, &n));
    fputc('\n', out);
}

static bool any_class(const struct byw_compare *c, bool measured)
{
    for (size_t w = 0; w < c->row_count; w++)
        if ((measured ? c->row[w].here : c->row[w].paper) != BYW_WCLASS_NONE)
            return true;
    return false;
}

static void class_means(FILE *out, const struct byw_compare *c, bool measured, int skip)
{
    if (!any_class(c, measured))
        return;
    fprintf(out, "geometric means by the %s\n", measured ? "class measured here" : "paper's class");
    for (int cls = BYW_WCLASS_CNF; cls < BYW_WCLASS_NONE; cls++)
        mean_line(out, c, BYW_METRIC_IPC, byw_wclass_name((enum byw_wclass)cls),
                  (enum byw_wclass)cls, measured, skip);
}

static void ipc_row(FILE *out, const struct byw_compare *c, size_t w, int name_width)
{
    const struct byw_compare_row *row = &c->row[w];
    char paper[32] = "-", ipc[32] = "-";

    if (row->paper != BYW_WCLASS_NONE)
        snprintf(paper, sizeof(paper), "%-3s (%.2f)", byw_wclass_name(row->paper),
                 row->paper_n_ipc);
    if (byw_result_refused(row->result[0]) == NULL)
        snprintf(ipc, sizeof(ipc), "%.2f", byw_result_number(row->result[0], "ipc"));
    fprintf(out, "%-*s  %-10s  %4s  %8s", name_width, row->workload, paper,
            byw_wclass_name(row->here), ipc);
    for (size_t p = 0; p < c->policy_count; p++)
        cell(out, c, w, p, BYW_METRIC_IPC);
    fputc('\n', out);
}

/* Relative IPC: with both classes, the baseline's IPC and the means by either class. */
static void ipc_table(FILE *out, const struct byw_compare *c)
{
    enum { EXTRA = 28 };
    char heading[128];

    byw_compare_heading(c, BYW_METRIC_IPC, heading, sizeof(heading));
    fprintf(out, "%s on %s\n", heading, c->machine);
    fprintf(out, "%-*s  %-10s  %4s  %8s", name_width(c), "workload", "paper", "here", "IPC");
    head(out, c);
    rule(out, c, EXTRA);
    for (size_t w = 0; w < c->row_count; w++)
        ipc_row(out, c, w, name_width(c));
    rule(out, c, EXTRA);
    class_means(out, c, false, EXTRA);
    class_means(out, c, true, EXTRA);
    mean_line(out, c, BYW_METRIC_IPC, "all", BYW_WCLASS_NONE, false, EXTRA);
}

static void metric_table(FILE *out, const struct byw_compare *c, enum byw_metric metric)
{
    char heading[128];

    byw_compare_heading(c, metric, heading, sizeof(heading));
    fprintf(out, "\n%s\n%-*s", heading, name_width(c), "workload");
    head(out, c);
    rule(out, c, 0);
    for (size_t w = 0; w < c->row_count; w++) {
        fprintf(out, "%-*s", name_width(c), c->row[w].workload);
        for (size_t p = 0; p < c->policy_count; p++)
            cell(out, c, w, p, metric);
        fputc('\n', out);
    }
    rule(out, c, 0);
    mean_line(out, c, metric, metric == BYW_METRIC_ENERGY ? "geomean" : "mean", BYW_WCLASS_NONE,
              false, 0);
}

/* The policy that bypasses everything pays for none, since it defines the class. */
static bool may_pay(const struct byw_compare *c, size_t p)
{
    const json_t *config = json_object_get(c->row[0].result[p], "config");
    const char *mode = json_string_value(json_object_get(config, "policy.mode"));

    return (mode == NULL || strcmp(mode, "bypass_all") != 0) && byw_compare_ran(c, p);
}

/* Who pays: cache-friendly workloads that a policy slows down by more than 2 %. */
static void losses(FILE *out, const struct byw_compare *c)
{
    size_t first = 1;

    while (first < c->policy_count && !may_pay(c, first))
        first++;
    if (!any_class(c, true) || first == c->policy_count)
        return;
    fprintf(out, "\nCache-friendly (here) and below %.2f of %s:\n", BYW_CF_BELOW, c->policy[0]);
    for (size_t p = first; p < c->policy_count; p++) {
        size_t n = 0;

        if (!may_pay(c, p))
            continue;
        fprintf(out, "  %s:", c->policy[p]);
        for (size_t w = 0; w < c->row_count; w++) {
            double ipc = byw_compare_value(c, w, p, BYW_METRIC_IPC);

            if (c->row[w].here != BYW_WCLASS_CF || isnan(ipc) || ipc >= BYW_CF_BELOW)
                continue;
            n++;
            fprintf(out, " %s %.3f", c->row[w].workload, ipc);
        }
        fputs(n == 0 ? " none\n" : "\n", out);
    }
}

static void footnotes(FILE *out, const struct byw_compare *c)
{
    for (size_t i = 0; i < c->note_count; i++)
        fprintf(out, "%s[%zu] %s\n", i == 0 ? "\n" : "", i + 1, c->note[i]);
}

/* Workloads that an oracle knows. */
static void share_table(FILE *out, const struct byw_compare *c, enum byw_share share)
{
    if (!byw_compare_has_share(c, share))
        return;
    fprintf(out, "\n%s\n%-*s", byw_share_heading(share), name_width(c), "workload");
    head(out, c);
    rule(out, c, 0);
    for (size_t w = 0; w < c->row_count; w++) {
        if (c->row[w].oracle == NULL)
            continue;
        fprintf(out, "%-*s", name_width(c), c->row[w].workload);
        for (size_t p = 0; p < c->policy_count; p++)
            mean_cell(out, c, p, byw_compare_share(c, w, p, share));
        fputc('\n', out);
    }
}

void byw_table_compare(FILE *out, const struct byw_compare *compare, bool all)
{
    ipc_table(out, compare);
    losses(out, compare);
    for (int m = BYW_METRIC_HIT_ALL; m < BYW_METRIC_COUNT; m++)
        if (all || m == BYW_METRIC_HIT_ALL || m == BYW_METRIC_L2)
            metric_table(out, compare, (enum byw_metric)m);
    for (int s = 0; s < BYW_SHARE_COUNT; s++)
        share_table(out, compare, (enum byw_share)s);
    footnotes(out, compare);
}

void byw_table_machines(FILE *out, struct byw_compare *const *compare, size_t count)
{
    const struct byw_compare *c = compare[0];
    char heading[128];

    byw_compare_heading(c, BYW_METRIC_IPC, heading, sizeof(heading));
    fprintf(out, "%s, geometric mean over all workloads\n%-*s  %9s", heading, NAME_WIDTH, "machine",
            "workloads");
    head(out, c);
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;

        byw_compare_mean(compare[i], 0, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n);
        fprintf(out, "%-*s  %9zu", NAME_WIDTH, compare[i]->machine_name, n);
        for (size_t p = 0; p < c->policy_count; p++)
            mean_cell(out, c, p,
                      byw_compare_mean(compare[i], p, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n));
        fputc('\n', out);
    }
}

void byw_table_legend(FILE *out)
{
    const struct byw_paper *paper = byw_paper_of_classes();

    fprintf(out,
            "Classes: CNF cache-unfriendly, CF cache-friendly, CI cache-insensitive.  `paper`: "
            "class and\n"
            "IPC(BALL) / IPC(BL) in \"%s\"\n"
            "(%s: byway list papers), table 1.  `here`: class by the same ratio measured here,\n"
            "above %.2f CNF, below %.2f CF.  IPC counts thread instructions per SM cycle.\n",
            paper->title, paper->name, BYW_CNF_ABOVE, BYW_CF_BELOW);
}

static double number(const json_t *result, const char *path)
{
    return byw_result_number(result, path);
}

/* A run in part: the bar around its cycles, what was simulated and what it left out. */
static void sampled_lines(FILE *out, const json_t *result)
{
    double cycles = number(result, "cycles"),
           simulated = number(result, "sampled.cycles_simulated");

    fprintf(out, "    estimate, 95 %%    %14.0f  to %.0f (-+ %.1f %%)\n",
            number(result, "sampled.cycles_low"), number(result, "sampled.cycles_high"),
            100 * (number(result, "sampled.cycles_high") / cycles - 1));
    fprintf(out, "    simulated         %14.0f  of these cycles, %.1f %%\n", simulated,
            cycles > 0 ? 100 * simulated / cycles : 0);
    fprintf(out,
            "    left out          %14.0f  of %.0f CTAs, with them %.0f of %.0f launches; the "
            "figures below are estimates, too\n",
            number(result, "sampled.ctas_left_out"), number(result, "sampled.ctas"),
            number(result, "sampled.launches_left_out"), number(result, "sampled.launches"));
}

void byw_table_run(FILE *out, const json_t *result)
{
    static const char *const reasons[] = {"line", "mshr", "merge", "miss_queue", "icnt"};

    fprintf(out, "%s on %s with %s%s\n", byw_result_text(result, "workload"),
            byw_result_text(result, "machine"), byw_result_text(result, "policy"),
            json_is_true(json_object_get(result, "partial")) ? " (stopped early: partial)" : "");
    if (json_object_get(result, "search") != NULL)
        fprintf(out, "  best of %zu values   %14.0f  %s\n",
                json_array_size(json_object_get(json_object_get(result, "search"), "tried")),
                number(result, "search.value"), byw_result_text(result, "search.key"));
    fprintf(out, "  cycles              %14.0f\n", number(result, "cycles"));
    if (json_object_get(result, "sampled") != NULL)
        sampled_lines(out, result);
    fprintf(out, "  warp instructions   %14.0f\n", number(result, "warp_instructions"));
    fprintf(out, "  IPC                 %14.3f  thread instructions per cycle\n",
            number(result, "ipc"));
    fprintf(out, "  L1D accesses        %14.0f\n", number(result, "l1d.accesses"));
    fprintf(out, "    hits              %14.0f\n", number(result, "l1d.hits"));
    fprintf(out, "    hits on pending   %14.0f\n", number(result, "l1d.hit_pending"));
    fprintf(out, "    misses            %14.0f\n", number(result, "l1d.misses"));
    fprintf(out, "    bypasses          %14.0f\n", number(result, "l1d.bypasses"));
    fprintf(out, "    hit rate          %14.4f  of all, %.4f of those not bypassed\n",
            number(result, "l1d.hit_rate_all"), number(result, "l1d.hit_rate_cached"));
    fprintf(out, "  L1D stall cycles    %14.0f ", number(result, "l1d.stall_cycles"));
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        char path[64];

        snprintf(path, sizeof(path), "l1d.reservation_fails.%s", reasons[i]);
        fprintf(out, " %s %.0f", reasons[i], number(result, path));
    }
    fprintf(out, "\n  L2 reads, writes    %14.0f  %.0f\n", number(result, "l2.reads"),
            number(result, "l2.writes"));
    fprintf(out, "  DRAM reads, writes  %14.0f  %.0f atoms, %.0f activates\n",
            number(result, "dram.reads"), number(result, "dram.writes"),
            number(result, "dram.activates"));
    fprintf(out, "  energy              %14.1f  uJ (L1 %.1f, crossbar %.1f, L2 %.1f, DRAM %.1f)\n",
            number(result, "energy.total_nj") / 1e3, number(result, "energy.l1_nj") / 1e3,
            number(result, "energy.icnt_nj") / 1e3, number(result, "energy.l2_nj") / 1e3,
            number(result, "energy.dram_nj") / 1e3);
    fprintf(out,
            "  simulated in        %14.2f  s (%.0f thousand thread instructions/s, %.0f MiB)\n",
            number(result, "sim.seconds"), number(result, "sim.kips"),
            number(result, "sim.peak_rss_mb"));
}
