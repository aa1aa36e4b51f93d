/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_reuse_stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "record/byw_request.h"

static double share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

json_t *byw_reuse_stats_json(const struct byw_reuse_counts *counts)
{
    const struct byw_reuse_counts *c = counts;
    json_t *lines = json_object(), *distance = json_object();
    char name[24];

    for (uint32_t i = 0; i < BYW_REUSE_COUNTS; i++) {
        snprintf(name, sizeof(name), "%" PRIu32, i + 1);
        json_object_set_new(lines, name, json_real(share(c->by_count[i], c->lines)));
    }
    for (uint32_t i = 0; i < BYW_DISTANCE_BINS; i++) {
        snprintf(name, sizeof(name), "%" PRIu64, byw_reuse_bin_start(i));
        json_object_set_new(distance, name,
                            json_real(share(c->distance[i], c->requests - c->lines)));
    }
    return json_pack("{s:I, s:f, s:f, s:o, s:o}", "requests", (json_int_t)c->requests, "no_reuse",
                     share(c->by_count[0], c->requests), "reused",
                     share(c->requests - c->lines, c->requests), "lines", lines, "distance",
                     distance);
}

/* Restarts counting, because a launch finds an empty L1; false: out of memory. */
static bool begin_launch(struct byw_reuse **reuse, struct byw_reuse_counts *sum)
{
    if (*reuse != NULL)
        byw_reuse_add(*reuse, sum);
    byw_reuse_free(*reuse);
    *reuse = byw_reuse_create();
    return *reuse != NULL;
}

static bool count_sm(const struct byw_recorder *recorder, struct byw_reuse_counts *sum,
                     struct byw_reuse_counts *launches)
{
    struct byw_reuse *reuse = byw_reuse_create(), *launch = NULL;
    bool good = reuse != NULL && !recorder->lost && begin_launch(&launch, launches);

    for (uint64_t i = 0; good && i < recorder->count; i++) {
        const struct byw_record *r = &recorder->record[i];

        if (r->op == BYW_RECORD_START)
            good = begin_launch(&launch, launches);
        else if (r->op == BYW_OP_LOAD && r->outcome != BYW_BYPASS)
            good = byw_reuse_reference(reuse, r->line) && byw_reuse_reference(launch, r->line);
    }
    if (good) {
        byw_reuse_add(reuse, sum);
        byw_reuse_add(launch, launches);
    }
    byw_reuse_free(reuse);
    byw_reuse_free(launch);
    return good;
}

enum byw_status byw_reuse_stats_run(const struct byw_recorder *recorders, uint32_t count,
                                    json_t **json)
{
    struct byw_reuse_counts sum = {.requests = 0}, launches = {.requests = 0};
    bool good = true;

    for (uint32_t i = 0; good && i < count; i++)
        good = count_sm(&recorders[i], &sum, &launches);
    *json = good ? byw_reuse_stats_json(&sum) : NULL;
    if (*json == NULL)
        return BYW_ENOMEM;
    json_object_set_new(*json, "launch_no_reuse",
                        json_real(share(launches.by_count[0], launches.requests)));
    return BYW_OK;
}
