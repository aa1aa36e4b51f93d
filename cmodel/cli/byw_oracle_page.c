/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_oracle_page.h"

#include <math.h>

#include "study/page/byw_sheet.h"

static void page_line(FILE *out, const char *name, const json_t *counts)
{
    const double loads = byw_result_number(counts, "loads");
    const double best = byw_result_number(counts, "best");
    const double found =
        byw_result_number(counts, "hits") + byw_result_number(counts, "hit_pending");
    const double part[] = {
        found, byw_result_number(counts, "lru_hits") + byw_result_number(counts, "lru_hit_pending"),
        best, byw_result_number(counts, "infinite")};

    byw_sheet_row(out);
    byw_sheet_text(out, name, NULL);
    byw_sheet_number(out, loads, 0, BYW_SHEET_NO_BAR);
    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++)
        byw_sheet_number(out, loads > 0.0 ? part[i] / loads : NAN, 3,
                         loads > 0.0 ? part[i] / loads : 0.0);
    byw_sheet_number(out, best > 0.0 ? found / best : NAN, 3, BYW_SHEET_NO_BAR);
}

static void page_bounds(FILE *out, const json_t *list)
{
    static const char *const members[] = {"keep_all", "bypass_all", "cycles"};
    const json_t *entry;
    size_t i;

    byw_sheet_table(out, "Cycles, and the fewest found with advice per load",
                    "workload|run|keep all|bypass all|best|speedup|bypassed loads|loads|runs", 1);
    json_array_foreach(list, i, entry)
    {
        const json_t *bound = json_object_get(entry, "bound");
        const double own = byw_result_number(entry, "cycles");

        if (bound == NULL)
            continue;
        byw_sheet_row(out);
        byw_sheet_text(out, byw_result_text(entry, "workload"), NULL);
        byw_sheet_number(out, own, 0, BYW_SHEET_NO_BAR);
        for (size_t m = 0; m < sizeof(members) / sizeof(members[0]); m++)
            byw_sheet_number(out, byw_result_number(bound, members[m]), 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, own / byw_result_number(bound, "cycles"), 3, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, byw_result_number(bound, "bypassed"), 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, byw_result_number(bound, "loads"), 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, byw_result_number(bound, "runs"), 0, BYW_SHEET_NO_BAR);
    }
    byw_sheet_table_end(out);
}

void byw_oracle_page(FILE *out, const json_t *report)
{
    const json_t *list = json_object_get(report, "workloads"), *entry, *sm;
    char about[512], name[32];
    bool bounds = false;
    size_t i, s;

    snprintf(about, sizeof(about),
             "Machine %s, policy %s: part of the loads that find their line in the L1D, filled or "
             "in flight.",
             byw_result_text(report, "machine"), byw_result_text(report, "policy"));
    byw_sheet_begin(out, "How close to the best possible", about);
    byw_sheet_table(out, "Loads", "workload|loads|found|LRU|best|infinite cache|found / best", 1);
    json_array_foreach(list, i, entry)
    {
        page_line(out, byw_result_text(entry, "workload"), json_object_get(entry, "oracle"));
        bounds = bounds || json_object_get(entry, "bound") != NULL;
    }
    byw_sheet_table_end(out);
    byw_sheet_note(out,
                   "Found: in the run. LRU and best: with as many lines, replaced by LRU or by "
                   "the best use that hindsight allows (Belady's MIN with bypass). The policy "
                   "influences the order of the accesses.");
    if (bounds)
        page_bounds(out, list);
    json_array_foreach(list, i, entry)
    {
        byw_sheet_table(out, byw_result_text(entry, "workload"),
                        "SM|loads|found|LRU|best|infinite cache|found / best", 1);
        json_array_foreach(json_object_get(json_object_get(entry, "oracle"), "per_sm"), s, sm)
        {
            snprintf(name, sizeof(name), "%zu", s);
            page_line(out, name, sm);
        }
        byw_sheet_table_end(out);
    }
    byw_sheet_end(out);
}
