/* SPDX-License-Identifier: Apache-2.0 */
#include "study/compare/byw_oracle_report.h"

#include <string.h>

enum { NAME_WIDTH = 16 };

static json_t *entry_of(const json_t *result)
{
    json_t *entry =
        json_pack("{s:s, s:O, s:O}", "workload", byw_result_text(result, "workload"), "cycles",
                  json_object_get(result, "cycles"), "oracle", json_object_get(result, "oracle"));
    json_t *bound = json_object_get(result, "bound");

    json_t *provenance = json_object_get(result, "provenance");

    if (entry != NULL && bound != NULL)
        json_object_set(entry, "bound", bound);
    if (entry != NULL && provenance != NULL)
        json_object_set(entry, "provenance", provenance);
    return entry;
}

json_t *byw_oracle_report(json_t *const *results, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        if (byw_result_refused(results[i]) != NULL)
            continue;
        if (json_array_append_new(list, entry_of(results[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "schema", BYW_ORACLE_SCHEMA, "machine",
                     byw_result_text(results[0], "machine"), "policy",
                     byw_result_text(results[0], "policy"), "workloads", list);
}

/* --- text ----------------------------------------------------------------------------------- */

static double share(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

static void line(FILE *out, int width, const char *name, const json_t *counts)
{
    double loads = byw_result_number(counts, "loads");
    double found = byw_result_number(counts, "hits") + byw_result_number(counts, "hit_pending");
    double lru =
        byw_result_number(counts, "lru_hits") + byw_result_number(counts, "lru_hit_pending");
    double best = byw_result_number(counts, "best");

    fprintf(out, "%-*s %11.0f  %7.3f %7.3f %7.3f %8.3f  %10.3f\n", width, name, loads,
            share(found, loads), share(lru, loads), share(best, loads),
            share(byw_result_number(counts, "infinite"), loads), share(found, best));
}

static int width_of(const json_t *list)
{
    int width = NAME_WIDTH;
    const json_t *entry;
    size_t i;

    json_array_foreach(list, i, entry)
    {
        int length = (int)strlen(byw_result_text(entry, "workload"));

        width = length > width ? length : width;
    }
    return width;
}

static void table_of_sms(FILE *out, int width, const json_t *entry)
{
    const json_t *list = json_object_get(json_object_get(entry, "oracle"), "per_sm"), *sm;
    char name[32];
    size_t i;

    json_array_foreach(list, i, sm)
    {
        snprintf(name, sizeof(name), "  SM %zu", i);
        line(out, width, name, sm);
    }
}

static void bound_line(FILE *out, int width, const json_t *entry)
{
    const json_t *bound = json_object_get(entry, "bound");
    double own = byw_result_number(entry, "cycles"), best = byw_result_number(bound, "cycles");
    bool complete = json_is_true(json_object_get(bound, "complete"));

    if (bound == NULL)
        return;
    fprintf(out, "%-*s %11.0f %11.0f %11.0f %11.0f  %7.3f  %4.0f of %-4.0f %6.0f%s\n", width,
            byw_result_text(entry, "workload"), own, byw_result_number(bound, "keep_all"),
            byw_result_number(bound, "bypass_all"), best, share(own, best),
            byw_result_number(bound, "bypassed"), byw_result_number(bound, "loads"),
            byw_result_number(bound, "runs"), complete ? "" : "+");
}

static void table_of_bounds(FILE *out, int width, const json_t *list)
{
    const json_t *entry;
    bool open = false;
    size_t i;

    fprintf(out,
            "\nCycles, and the fewest found with advice per load\n%-*s %11s %11s %11s %11s  %7s  "
            "%12s %6s\n",
            width, "workload", "run", "keep all", "bypass all", "best", "speedup", "bypassed",
            "runs");
    json_array_foreach(list, i, entry)
    {
        bound_line(out, width, entry);
        open = open || json_is_false(json_object_get(json_object_get(entry, "bound"), "complete"));
    }
    if (open)
        fputs("+ not complete: more --runs may find fewer\n", out);
}

void byw_oracle_table(FILE *out, const json_t *report)
{
    const json_t *list = json_object_get(report, "workloads"), *entry;
    int width = width_of(list);
    size_t i;

    fprintf(out, "Loads that find their line in the L1D, filled or in flight: %s, %s\n",
            byw_result_text(report, "machine"), byw_result_text(report, "policy"));
    fprintf(out, "%-*s %11s  %7s %7s %7s %8s  %10s\n", width, "workload", "loads", "found", "LRU",
            "best", "infinite", "found/best");
    json_array_foreach(list, i, entry)
    {
        line(out, width, byw_result_text(entry, "workload"), json_object_get(entry, "oracle"));
        if (json_array_size(list) == 1)
            table_of_sms(out, width, entry);
    }
    json_array_foreach(list, i, entry)
    {
        if (json_object_get(entry, "bound") != NULL) {
            table_of_bounds(out, width, list);
            return;
        }
    }
}
