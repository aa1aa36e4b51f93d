/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/job/byw_counters.h"
#include "study/job/byw_result_json.h"

static const char *const paths[] = {
#define BYW_SERIES(path) path,
#include "study/job/byw_timeline.def"
#undef BYW_SERIES
};

static const char *const level_names[] = {"ctas", "warps", "lines", "mshrs", "trackers"};

enum {
    PATHS = sizeof(paths) / sizeof(paths[0]),
    LEVELS = sizeof(level_names) / sizeof(level_names[0]),
    FIRST_INTERVAL = 64,
};

/* The counters at the end of an interval. */
struct moment {
    uint64_t count[PATHS];
    double level[LEVELS];
};

struct byw_timeline {
    const struct byw_config *config;
    struct byw_gpu_watch watch;
    size_t place[PATHS]; /* index of the counter in the table of counters */
    struct byw_counter_value *values; /* scratch space */
    struct moment *moment; /* [room], at the end of interval i */
    uint32_t room, count;
    uint64_t interval, cycles;
    struct moment last; /* the counters at `cycles` */
};

static void take(struct byw_timeline *t, const struct byw_gpu_result *so_far,
                 const struct byw_gpu_levels *levels)
{
    const struct byw_counter_source source = {
        .run = so_far, .l1 = &so_far->l1, .config = t->config};
    const uint64_t level[LEVELS] = {levels->ctas, levels->warps, levels->lines, levels->mshrs,
                                    levels->trackers};

    byw_counters_read(&source, t->values);
    for (size_t i = 0; i < PATHS; i++)
        t->last.count[i] = t->values[t->place[i]].count;
    for (size_t i = 0; i < LEVELS; i++)
        t->last.level[i] = (double)level[i];
    t->cycles = so_far->cycles;
}

/* Merges two intervals into one. */
static void halve(struct byw_timeline *t)
{
    for (uint32_t i = 0; i < t->count / 2; i++) {
        const struct moment *a = &t->moment[2 * i], *b = &t->moment[2 * i + 1];
        struct moment both = *b;

        for (size_t k = 0; k < LEVELS; k++)
            both.level[k] = (a->level[k] + b->level[k]) / 2.0;
        t->moment[i] = both;
    }
    t->count /= 2;
    t->interval *= 2;
}

static uint64_t look(void *ctx, const struct byw_gpu_result *so_far,
                     const struct byw_gpu_levels *levels)
{
    struct byw_timeline *t = ctx;

    take(t, so_far, levels);
    while (t->cycles >= (t->count + 1) * t->interval) {
        t->moment[t->count++] = t->last;
        if (t->count == t->room)
            halve(t);
    }
    return (t->count + 1) * t->interval;
}

static size_t place_of(const char *path)
{
    size_t i = 0;

    while (i + 1 < byw_counter_count() && strcmp(byw_counter(i).path, path) != 0)
        i++;
    return i;
}

enum byw_status byw_timeline_create(const struct byw_config *config, uint32_t intervals,
                                    struct byw_timeline **timeline)
{
    struct byw_timeline *t = calloc(1, sizeof(*t));

    *timeline = t;
    if (t == NULL)
        return BYW_ENOMEM;
    t->config = config;
    t->watch = (struct byw_gpu_watch){t, look};
    t->room = intervals - intervals % 2;
    t->interval = FIRST_INTERVAL;
    t->moment = calloc(t->room, sizeof(*t->moment));
    t->values = calloc(byw_counter_count(), sizeof(*t->values));
    for (size_t i = 0; i < PATHS; i++)
        t->place[i] = place_of(paths[i]);
    if (t->moment != NULL && t->values != NULL)
        return BYW_OK;
    byw_timeline_free(t);
    *timeline = NULL;
    return BYW_ENOMEM;
}

void byw_timeline_free(struct byw_timeline *timeline)
{
    if (timeline == NULL)
        return;
    free(timeline->moment);
    free(timeline->values);
    free(timeline);
}

const struct byw_gpu_watch *byw_timeline_watch(struct byw_timeline *timeline)
{
    return &timeline->watch;
}

/* The counters at the end of interval i; the last interval may be shorter. */
static const struct moment *end_of(const struct byw_timeline *t, uint32_t i)
{
    return i < t->count ? &t->moment[i] : &t->last;
}

static json_t *counter_list(const struct byw_timeline *t, uint32_t intervals, size_t path)
{
    json_t *list = json_array();
    uint64_t before = 0;

    for (uint32_t i = 0; i < intervals; i++) {
        uint64_t now = end_of(t, i)->count[path];

        json_array_append_new(list, json_integer((json_int_t)(now - before)));
        before = now;
    }
    return list;
}

static json_t *level_list(const struct byw_timeline *t, uint32_t intervals, size_t level)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < intervals; i++)
        json_array_append_new(list, json_real(rint(10.0 * end_of(t, i)->level[level]) / 10.0));
    return list;
}

json_t *byw_timeline_json(const struct byw_timeline *t)
{
    const struct byw_config *c = t->config;
    uint32_t intervals = t->count + (t->cycles > t->count * t->interval ? 1 : 0);
    json_t *counters = json_object(), *levels = json_object();

    for (size_t i = 0; i < PATHS; i++)
        json_object_set_new(counters, paths[i], counter_list(t, intervals, i));
    for (size_t i = 0; i < LEVELS; i++)
        json_object_set_new(levels, level_names[i], level_list(t, intervals, i));
    return json_pack("{s:I, s:I, s:o, s:o, s:{s:I, s:I, s:I}}", "interval", (json_int_t)t->interval,
                     "cycles", (json_int_t)t->cycles, "counters", counters, "levels", levels,
                     "capacity", "lines", (json_int_t)c->sm_count * c->l1d_sets * c->l1d_ways,
                     "mshrs", (json_int_t)c->sm_count * c->l1d_mshrs, "warps",
                     (json_int_t)c->sm_count * c->sm_warps);
}
