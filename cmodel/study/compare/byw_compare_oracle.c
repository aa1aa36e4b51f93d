/* SPDX-License-Identifier: Apache-2.0 */
#include "study/compare/byw_compare_oracle.h"

#include <math.h>
#include <string.h>

#include "study/compare/byw_oracle_report.h"

const char *byw_share_name(enum byw_share share)
{
    static const char *const names[] = {
#define X(code, name, heading) [code] = name,
        BYW_SHARE_LIST(X)
#undef X
    };

    return names[share];
}

const char *byw_share_heading(enum byw_share share)
{
    static const char *const headings[] = {
#define X(code, name, heading) [code] = heading,
        BYW_SHARE_LIST(X)
#undef X
    };

    return headings[share];
}

enum byw_status byw_oracle_load(const char *path, json_t **report, struct byw_diag *diag)
{
    json_t *json = byw_json_read(path, "the JSON of `byway oracle`", diag);
    enum byw_status st = BYW_OK;

    *report = NULL;
    if (json == NULL)
        return BYW_EFORMAT;
    if (strcmp(byw_result_text(json, "schema"), BYW_ORACLE_SCHEMA) != 0 ||
        !json_is_array(json_object_get(json, "workloads")))
        st = byw_diag_set(diag, BYW_EFORMAT, "%s: expected a JSON with the schema %s", path,
                          BYW_ORACLE_SCHEMA);
    if (st == BYW_OK)
        *report = json;
    else
        json_decref(json);
    return st;
}

void byw_compare_use_oracle(struct byw_compare *compare, const json_t *report)
{
    json_t *entry;
    size_t i;

    if (strcmp(byw_result_text(report, "machine"), compare->machine_name) != 0)
        return;
    json_array_foreach(json_object_get(report, "workloads"), i, entry)
    {
        for (size_t w = 0; w < compare->row_count; w++) {
            struct byw_compare_row *row = &compare->row[w];

            if (strcmp(row->workload, byw_result_text(entry, "workload")) != 0)
                continue;
            json_decref(row->oracle);
            row->oracle = json_incref(entry);
        }
    }
}

double byw_compare_share(const struct byw_compare *compare, size_t row, size_t policy,
                         enum byw_share share)
{
    const struct byw_compare_row *r = &compare->row[row];
    const json_t *run = r->result[policy];
    double whole, part;

    if (r->oracle == NULL || byw_result_refused(run) != NULL)
        return NAN;
    if (share == BYW_SHARE_CYCLES) {
        part = byw_result_number(r->oracle, "bound.cycles");
        whole = byw_result_number(run, "cycles");
        return part > 0.0 && whole > 0.0 ? part / whole : NAN;
    }
    part = byw_result_number(run, "l1d.hits") - byw_result_number(run, "l1d.store_hits") +
           byw_result_number(run, "l1d.hit_pending");
    whole = byw_result_number(r->oracle, "oracle.best");
    return whole > 0.0 ? part / whole : NAN;
}

bool byw_compare_has_share(const struct byw_compare *compare, enum byw_share share)
{
    for (size_t w = 0; w < compare->row_count; w++)
        for (size_t p = 0; p < compare->policy_count; p++)
            if (!isnan(byw_compare_share(compare, w, p, share)))
                return true;
    return false;
}
