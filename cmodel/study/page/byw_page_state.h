/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_page_state.h - private to the page of runs, shared by byw_page.c (choice and order of runs)
 * and byw_page_data.c (their numbers).
 */
#ifndef BYW_PAGE_STATE_H
#define BYW_PAGE_STATE_H

#include "study/page/byw_page.h"

struct byw_page_entry {
    const json_t *result;
    char *policy; /* prefix and title */
    size_t series, machine, load;
};

/* Runs with the same policy and swept values, differing only in the seed: one mark of the
 * charts. */
struct byw_page_series {
    char *key, *title;
    const struct byw_page_entry *first;
};

enum { BYW_PAGE_VARIED = 64 };

#define BYW_PAGE_SEED "noise.seed" /* the runs of one series may differ in this key */

struct byw_page {
    struct byw_page_entry *entry;
    size_t count, room;
    struct byw_page_series *series;
    size_t series_count, series_room;
    const char *varied[BYW_PAGE_VARIED]; /* keys in which runs of one policy differ */
    size_t varied_count;
    const char **machine, **load;
    size_t machines, machine_room, loads, load_room;
    const json_t *trace; /* data about the only workload's trace; NULL: not known */
    bool alone; /* a page about one workload */
    bool linked; /* each workload has a page */
};

static inline const json_t *byw_page_setting(const struct byw_page_entry *e, const char *key)
{
    return json_object_get(json_object_get(e->result, "config"), key);
}

/* [colour, look, number] of each policy (byw_palette.h); a new reference. */
json_t *byw_page_marks(const char *const *policy, size_t count);

/* The data that the page draws; a new reference. */
json_t *byw_page_data(const struct byw_page *page);

#endif
