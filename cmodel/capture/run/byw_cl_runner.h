/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_runner.h - state of the launch being run; private to byw_cl_run.c, byw_cl_runner.c,
 * byw_cl_group.c, byw_cl_resident.c, byw_cl_parts.c and byw_cl_describe.c.
 */
#ifndef BYW_CL_RUNNER_H
#define BYW_CL_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/run/byw_cl_ahead.h"
#include "capture/run/byw_cl_fiber.h"
#include "capture/run/byw_cl_guard.h"
#include "capture/run/byw_cl_merge.h"
#include "capture/run/byw_cl_park.h"
#include "capture/run/byw_cl_paths.h"
#include "capture/run/byw_cl_run.h"
#include "capture/run/byw_cl_spool.h"

/* In words; logs are placed so that those of a warp are spread over the cache sets. */
#define BYW_CL_LOG_PAGE 512u
#define BYW_CL_LOG_COLOUR 88u

struct byw_cl_runner {
    struct byw_cl_settings settings;
    uint32_t warp_size;
    uint64_t step_limit; /* loop iterations of a work-item */
    uint64_t byte_limit; /* limit of a work-group's trace in memory */
    uint64_t *log; /* the logs of a warp's lanes, one after another */
    uint64_t log_own; /* words from `log` to the logs of single lanes, log_stride words each */
    uint64_t log_warp; /* words from a warp's logs to the next one's; 0: all use the same memory */
    uint64_t log_words, log_stride;
    unsigned char *private_space;
    uint64_t private_bytes;
    unsigned char *context; /* of a kernel that loops over work-items */
    uint64_t context_bytes;
    struct byw_cl_fibers *fibers;
    struct byw_cl_warp warp[BYW_CL_GROUP_LIMIT / 32];
    struct byw_cl_merger merger;
    struct byw_cta cta;
    struct byw_cl_paths *paths; /* of the launch's kernel; NULL: it has no machine code */
    uint64_t cta_number; /* for paths */
    struct byw_cl_spool *spool;
    struct byw_cl_bad_reads reads; /* of all launches */
    /* values that work-items exchange in collective functions; then CUDA's named barriers */
    uint64_t exchange[BYW_CL_GROUP_LIMIT + BYW_CL_NAMED_BARRIERS];
    bool done[BYW_CL_GROUP_LIMIT];
    bool early[BYW_CL_GROUP_LIMIT]; /* ended, and left directly from a branch */
    uint32_t stop[BYW_CL_GROUP_LIMIT]; /* part with the barrier at which a work-item waits */
    uint64_t steps[BYW_CL_GROUP_LIMIT];
    uint64_t local_id[BYW_CL_GROUP_LIMIT][3];
    uint64_t
        *open[BYW_CL_GROUP_LIMIT]; /* where the log of a waiting work-item continues; NULL: none */
    /* where it logs the iterations of the loop in which it waits */
    uint64_t *poll[BYW_CL_GROUP_LIMIT];
    uint64_t ended[BYW_CL_GROUP_LIMIT]; /* last entry of the log that it finished last */
    struct byw_cl_ahead ahead[BYW_CL_GROUP_LIMIT]; /* its logs that the merger has not asked for */
    /* the launch being run */
    const struct byw_cl_launch *launch;
    struct byw_trace_writer *writer;
    uint64_t next; /* the first group that has not run */
    struct byw_diag *diag;
    enum byw_status status;
    uint32_t items; /* in the group being run */
    uint32_t size[3]; /* work-items of this group in each dimension */
    bool logs; /* the launch is traced, or its lanes meet */
    bool whole; /* all work-items of a group are live at once, because they wait for each other */
    uint64_t budget; /* loop iterations between two pauses */
    uint64_t private_item; /* private bytes of a work-item */
    uint32_t group[3]; /* the group being run */
    uint64_t group_number;
    uint64_t written; /* bytes of its parts that have been written or parked */
    struct byw_cl_parked *parked; /* its parts on disk; NULL: none */
    uint32_t first_warp; /* number of the first warp in cta */
    /* the work-item being run */
    uint32_t item;
    uint64_t ended_by; /* last entry of its log */
    bool waits; /* it has repeated a loop that waits */
    bool abroad; /* `waits`, perhaps for other groups */
    uint32_t wait_part; /* that loop's head */
    /* the group's place among the resident groups */
    bool begun;
    bool moved; /* something other than a wait has happened since this was last cleared */
    bool goes_abroad; /* one of its work-items may wait for other groups; cleared like `moved` */
    bool gives_up; /* each wait is ended once, because no work-item of the group can continue */
    /* the word BYW_CL_GIVE_UP: set with gives_up, until the running work-item has seen it */
    uint64_t give_up;
    bool stalled; /* no group can proceed: lanes behind one that waits may run */
    bool clustered; /* waits for its own group may be for its cluster */
    uint32_t given_up; /* times that its waits were given up, in a cluster since its last barrier */
    bool first; /* lowest among unfinished groups: its parts are written, those of others parked */
    struct byw_cl_park *park; /* of the resident groups; NULL: this is the only one */
    uint64_t part_bytes; /* of its trace in memory; more is written or parked */
    struct byw_cl_runner *current; /* in the launch's runner: the runner of the current group */
    struct byw_cl_residents *residents; /* in the launch's runner; NULL until a group waits */
};

/* Group number n, x fastest. */
void byw_cl_group_place(struct byw_cl_runner *r, uint64_t n);

/* Runs the group. Returns false if its work-items wait for other groups; call again when those have
 * run. r->status has the result. */
bool byw_cl_group_run(struct byw_cl_runner *r, uint64_t *item);

/* Room to run groups of the launch: logs, private arrays, fibers for `items` work-items, guarded or
 * not (byw_cl_fiber.h). */
enum byw_status byw_cl_runner_equip(struct byw_cl_runner *r, uint32_t items, bool guarded);
void byw_cl_runner_strip(struct byw_cl_runner *r);

/* Runs the rest of the grid once the group of the launch's runner waits; earlier groups have ended.
 * Groups that wait for each other are resident together, each with its own runner, and take turns
 * (byw_cl_resident.c).  _clusters: runs a grid of clusters. */
void byw_cl_residents_run(struct byw_cl_runner *r, uint64_t *item);
void byw_cl_residents_clusters(struct byw_cl_runner *r, uint64_t *item);
void byw_cl_residents_free(struct byw_cl_runner *r);

/* Traces of long work-groups. _append: adds a stream as the next warp of the CTA. _held: bytes in
 * memory. _write: writes most of the trace if it is large; `warp` is the current one. A load counts
 * as unused when it is written if nothing has used it for hundreds of instructions (thousands if
 * the group is the only one). _unpark: writes what is on disk; the group has become the first.
 * _end: writes the rest, or parks it in a group that is not the first. _count: if instructions are
 * bounded, counts those of a CTA that is about to be written. */
enum byw_status byw_cl_parts_append(struct byw_cta *cta, const struct byw_cl_warp *warp);
uint64_t byw_cl_parts_held(const struct byw_cl_runner *r);
enum byw_status byw_cl_parts_write(struct byw_cl_runner *r, uint32_t warp);
enum byw_status byw_cl_parts_unpark(struct byw_cl_runner *r, struct byw_cl_parked **list);
enum byw_status byw_cl_parts_end(struct byw_cl_runner *r);
void byw_cl_parts_count(const struct byw_cl_runner *r, const struct byw_cta *cta);

/* Called by kernels; argument: the runner. */
void byw_cl_group_barrier(void *argument, uint64_t part);
void byw_cl_group_meet(void *argument, uint64_t part);
void byw_cl_group_wait(void *argument, uint64_t part);
void byw_cl_group_pause(void *argument, uint64_t part);

/* Messages about errors; each sets and returns the status. */
enum byw_status byw_cl_describe_fault(struct byw_cl_runner *r, const struct byw_cl_fault *fault);
enum byw_status byw_cl_describe_steps(struct byw_cl_runner *r, uint64_t part);
enum byw_status byw_cl_describe_wait(struct byw_cl_runner *r, uint64_t residents, uint64_t groups);
enum byw_status byw_cl_describe_group_wait(struct byw_cl_runner *r);
enum byw_status byw_cl_describe_size(struct byw_cl_runner *r, uint64_t part);
enum byw_status byw_cl_describe_barriers(struct byw_cl_runner *r, uint32_t one, uint32_t other);

#endif
