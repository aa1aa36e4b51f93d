/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_plan_state.h - internals of a plan (byw_plan.h), for its two files: grids as specified
 * (byw_plan_file.c), and their expansion (byw_plan.c).
 */
#ifndef BYW_PLAN_STATE_H
#define BYW_PLAN_STATE_H

#include "study/job/byw_named.h"
#include "study/job/byw_workload.h"
#include "study/sweep/byw_plan.h"

enum { BYW_PLAN_AXES = 16 };

struct byw_plan_axis {
    char *key;
    char *line; /* FILE:LINE that gives the values; NULL: none */
    size_t count, room;
    char **value;
};

struct byw_plan_grid {
    struct byw_plan_axis machine, policy, selection, given; /* the last two: workloads, traces */
    struct byw_plan_axis key[BYW_PLAN_AXES];
    size_t keys;
    struct byw_names workload, path; /* the names that selection and given resolve to */
};

struct byw_plan_config {
    size_t machine, policy; /* indexes in the lists of names */
    struct byw_config config;
    char *why; /* why the run is refused; NULL: it is not */
};

/* A point of a grid. */
struct byw_plan_member {
    size_t grid;
    const char *workload;
    char id[BYW_TRACE_SUM_ROOM];
};

struct byw_plan {
    const char *folder; /* NULL, or the folder that is searched first for traces of workloads */
    struct byw_plan_grid *grid;
    size_t grids, grid_room;
    struct byw_named machine, policy, trace;
    char **sum; /* checksum of each trace; NULL: not computed yet */
    size_t sums, sum_room;
    struct byw_plan_config **config;
    size_t configs, config_room;
    struct byw_point *point;
    size_t points, point_room;
    struct byw_plan_member *member; /* points of every grid, duplicates included */
    size_t members, member_room, now; /* the grid that is being expanded into points */
    void (*listed)(size_t points); /* NULL: no progress callback */
};

void byw_plan_grid_release(struct byw_plan_grid *grid);
/* Puts the line that gives the axis before the message of a failure. Returns st. */
enum byw_status byw_plan_at_line(const struct byw_plan_axis *axis, enum byw_status st,
                                 struct byw_diag *diag);
/* Gives axes without values their defaults, and finds workloads and traces. */
enum byw_status byw_plan_grid_complete(struct byw_plan_grid *grid, const struct byw_places *places,
                                       struct byw_diag *diag);

#endif
