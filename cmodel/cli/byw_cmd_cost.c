/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "cli/byw_cli.h"
#include "common/byw_text.h"
#include "study/job/byw_silicon.h"
#include "study/page/byw_sheet.h"

struct request {
    const char *machine, *policy, *json, *html;
    struct byw_texts words, settings;
    bool papers, help;
};

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (default: fermi)", .text = &r->machine,
         .file = BYW_FILE_READ},
        {"policy", 'p', "P", "name or .cfg file (default: bl)", .text = &r->policy,
         .file = BYW_FILE_READ},
        {"set", 's', "KEY=VALUE", "change one key; may be repeated", .list = &r->settings,
         .keyed = true},
        {"papers", 0, NULL,
         "show the figures that two papers give for their caches, and ours for the same",
         .flag = &r->papers},
        {"json", 'o', "F", "write it as JSON; - is stdout", .text = &r->json,
         .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write it as a page; - is stdout", .text = &r->html,
         .file = BYW_FILE_WRITTEN},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &r->words, 0, NULL, diag);

    if (st != BYW_OK || !r->help)
        return st;
    puts("usage: byway cost [-m MACHINE] [-p POLICY] [options]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(stdout,
                  "\nEstimates area, read energy, clock energy per cycle and leakage of each "
                  "memory of an SM's L1 at 45 nm, without logic.  The formula is fitted to CACTI's "
                  "figures (cmodel/doc/cost.md).",
                  0, "");
    return BYW_OK;
}

static void table(FILE *out, const struct byw_silicon *cost)
{
    fprintf(out, "%-18s %6s %6s %8s %10s %9s %9s %9s\n", "", "words", "bits", "all", "um2",
            "pJ/read", "pJ/cycle", "leak uW");
    for (size_t i = 0; i < cost->count; i++) {
        const struct byw_silicon_row *r = &cost->row[i];

        fprintf(out, "%-18s ", r->name);
        if (r->words != 0)
            fprintf(out, "%6llu %6llu %8llu %10.0f %9.3f %9s %9.1f\n", (unsigned long long)r->words,
                    (unsigned long long)r->bits, (unsigned long long)(r->words * r->bits),
                    r->area_um2, r->read_pj, "", r->leak_uw);
        else
            fprintf(out, "%6s %6s %8llu %10.0f %9s %9.3f %9.1f\n", "", "",
                    (unsigned long long)r->bits, r->area_um2, "", r->clock_pj, r->leak_uw);
    }
    fprintf(out, "%-18s %6s %6s %8llu %10.0f %9s %9.3f %9.1f\n", "sum", "", "",
            (unsigned long long)cost->bits, cost->area_um2, "", cost->clock_pj, cost->leak_uw);
}

static void page(FILE *out, const struct request *r, const struct byw_silicon *cost)
{
    double area = 0.0, leak = 0.0;
    char machine[128], policy[128], about[512];

    for (size_t i = 0; i < cost->count; i++) {
        area = fmax(area, cost->row[i].area_um2);
        leak = fmax(leak, cost->row[i].leak_uw);
    }
    byw_setup_name(r->machine, machine, sizeof(machine));
    byw_setup_name(r->policy, policy, sizeof(policy));
    snprintf(about, sizeof(about),
             "Machine %s, policy %s: the memories of the L1 of one SM at 45 nm, without logic.",
             machine, policy);
    byw_sheet_begin(out, "Area, energy and leakage of an L1", about);
    byw_sheet_table(
        out, "Memories",
        "memory|words|bits of a word|bits|area, µm²|read, pJ|clock, pJ per cycle|leakage, "
        "µW",
        1);
    for (size_t i = 0; i < cost->count; i++) {
        const struct byw_silicon_row *row = &cost->row[i];
        const bool memory = row->words != 0;

        byw_sheet_row(out);
        byw_sheet_text(out, row->name, NULL);
        byw_sheet_number(out, memory ? (double)row->words : NAN, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, memory ? (double)row->bits : NAN, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, (double)(row->bits * (memory ? row->words : 1)), 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, row->area_um2, 0, row->area_um2 / area);
        byw_sheet_number(out, memory ? row->read_pj : NAN, 3, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, memory ? NAN : row->clock_pj, 3, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, row->leak_uw, 1, row->leak_uw / leak);
    }
    byw_sheet_row(out);
    byw_sheet_text(out, "sum", NULL);
    byw_sheet_number(out, NAN, 0, BYW_SHEET_NO_BAR);
    byw_sheet_number(out, NAN, 0, BYW_SHEET_NO_BAR);
    byw_sheet_number(out, (double)cost->bits, 0, BYW_SHEET_NO_BAR);
    byw_sheet_number(out, cost->area_um2, 0, BYW_SHEET_NO_BAR);
    byw_sheet_number(out, NAN, 0, BYW_SHEET_NO_BAR);
    byw_sheet_number(out, cost->clock_pj, 3, BYW_SHEET_NO_BAR);
    byw_sheet_number(out, cost->leak_uw, 1, BYW_SHEET_NO_BAR);
    byw_sheet_table_end(out);
    byw_sheet_note(out, "The formula is fitted to figures of CACTI (cmodel/doc/cost.md).");
    byw_sheet_end(out);
}

static json_t *as_json(const struct byw_silicon *cost)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < cost->count; i++) {
        const struct byw_silicon_row *r = &cost->row[i];

        json_array_append_new(rows, json_pack("{s:s, s:I, s:I, s:f, s:f, s:f, s:f}", "name",
                                              r->name, "words", (json_int_t)r->words, "bits",
                                              (json_int_t)r->bits, "area_um2", r->area_um2,
                                              "read_pj", r->read_pj, "clock_pj_per_cycle",
                                              r->clock_pj, "leakage_uw", r->leak_uw));
    }
    return json_pack("{s:s, s:o, s:I, s:f, s:f, s:f}", "schema", "byway.cost.1", "rows", rows,
                     "bits", (json_int_t)cost->bits, "area_um2", cost->area_um2,
                     "clock_pj_per_cycle", cost->clock_pj, "leakage_uw", cost->leak_uw);
}

static enum byw_status papers(const struct byw_places *places, FILE *out, struct byw_diag *diag)
{
    static const char *const cache[4][2] = {
        {"fermi", "bl"}, {"fermi", "decoupled"}, {"gcn_apu", "bl"}, {"gcn_apu", "pc"}};
    struct byw_silicon_printed printed[BYW_SILICON_PRINTED];
    struct byw_config config[4];
    enum byw_status st = BYW_OK;

    for (size_t i = 0; i < 4 && st == BYW_OK; i++)
        st = byw_setup_config(places, cache[i][0], cache[i][1], NULL, 0, &config[i], diag);
    if (st != BYW_OK)
        return st;
    byw_silicon_printed(config, printed);
    fprintf(out, "%-5s %-44s %11s %11s %s\n", "paper", "", "theirs", "ours", "unit");
    for (size_t i = 0; i < BYW_SILICON_PRINTED; i++)
        fprintf(out, "%-5s %-44s %11.6f %11.6f %s\n", printed[i].paper, printed[i].what,
                printed[i].theirs, printed[i].ours, printed[i].unit);
    return BYW_OK;
}

static enum byw_status show(const struct request *r, struct byw_diag *diag)
{
    struct byw_outputs out = {.table = NULL};
    struct byw_places places;
    struct byw_silicon cost = {.count = 0};
    struct byw_config config;
    enum byw_status st = byw_places_find(&places, diag);

    if (st == BYW_OK)
        st = byw_setup_config(&places, r->machine, r->policy, r->settings.text, r->settings.count,
                              &config, diag);
    if (st == BYW_OK)
        byw_silicon_of(&config, &cost);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st == BYW_OK && out.json != NULL) {
        json_t *all = as_json(&cost);

        st = byw_json_write(all, byw_cli_take(&out.json), diag);
        json_decref(all);
    }
    if (st == BYW_OK && out.html != NULL) {
        page(byw_file_stream(out.html), r, &cost);
        st = byw_file_commit(byw_cli_take(&out.html), diag);
    }
    if (st == BYW_OK && out.table != NULL) {
        if (r->papers)
            st = papers(&places, byw_file_stream(out.table), diag);
        else {
            fprintf(byw_file_stream(out.table), "The L1D of one SM of %s with %s\n", r->machine,
                    r->policy);
            table(byw_file_stream(out.table), &cost);
        }
        if (st == BYW_OK)
            st = byw_file_commit(byw_cli_take(&out.table), diag);
    }
    byw_cli_discard(&out);
    return st;
}

int byw_cmd_cost(int argc, char **argv)
{
    struct request r = {.machine = "fermi", .policy = "bl"};
    struct byw_diag diag = {""};
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (st == BYW_OK)
        st = show(&r, &diag);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
