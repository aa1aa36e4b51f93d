/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one work-group, warp by warp.
 *
 * The lanes of a warp run one after another up to the next barrier or their end; their logs are
 * merged before the next warp runs, so only one warp's logs are in memory. A lane whose log may be
 * full pauses at a loop's head and continues when the merger has read it.
 *
 * Where a store may overwrite what other warps have yet to read (byw_cl_hazards.c), warps take
 * turns: each runs to its next meeting point, so that all have read before one stores.
 *
 * A lane that repeats a loop that only waits delays its warp, as in lock step: the lanes after it
 * run when it has left the loop. The other warps run, then other groups. If the loop reads only
 * scratchpad, its own group must end the wait: the lanes after it run at once, and other groups
 * only when this one has ended. The trace only has the loop's first and last iteration, because the
 * iterations in between depend on timing.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/run/byw_cl_runner.h"

#define LONG_LOG (BYW_CL_LOG_PAGE / 2)
#define LONG_STREAM (5u << 20)
#define WAIT_STEPS 16u /* iterations charged for one repetition of a loop that waits */
#define MAYBE_STEPS (1u << 18) /* iterations after which a loop that may wait is taken to wait */
#define GIVE_UP_MOST                                                                               \
    4096u /* times a group's waits may be given up before it is taken to wait forever */

static enum byw_status fail(struct byw_cl_runner *r, enum byw_status status)
{
    if (r->status == BYW_OK && status != BYW_OK)
        r->status = byw_diag_set(r->diag, status, "out of memory while tracing kernel %s",
                                 r->launch->kernel->code->name);
    return r->status;
}

static uint64_t local_base(const struct byw_cl_runner *r, uint32_t warp)
{
    const uint32_t *block = r->launch->block;
    uint32_t warps = (block[0] * block[1] * block[2] + r->warp_size - 1) / r->warp_size;

    return BYW_CL_LOCAL_BASE + (r->group_number * warps + warp) * (r->private_item * r->warp_size);
}

static uint64_t lanes_of(const struct byw_cl_runner *r, uint32_t warp)
{
    uint32_t count = r->items - warp * r->warp_size;

    return count >= r->warp_size && r->warp_size == 64 ? UINT64_MAX
           : count >= r->warp_size                     ? (1ull << r->warp_size) - 1
                                                       : (1ull << count) - 1;
}

/* The logs of a warp's lanes, one after another. */
static uint64_t *log_of(const struct byw_cl_runner *r, uint32_t warp)
{
    return r->log == NULL ? NULL : r->log + warp * r->log_warp;
}

/* Log of a lane that continues before the logs of others have been read completely. */
static uint64_t *own_log(const struct byw_cl_runner *r, uint32_t warp, uint32_t lane)
{
    return r->log == NULL ? NULL : log_of(r, warp) + r->log_own + lane * r->log_stride;
}

/* Where the next lane logs when all logs have been read: directly behind the one that begins at
 * `start`, so that short logs share cache lines and pages. Long logs start at a few lines more than
 * a multiple of a page, so that they do not share cache sets. */
static uint64_t *next_log(const uint64_t *item, uint64_t *start)
{
    uint64_t words;

    if (start == NULL)
        return NULL;
    words = (item[BYW_CL_CURSOR] - (uint64_t)(uintptr_t)start) / sizeof(*start) + 1;
    if (words >= LONG_LOG)
        words =
            (words + BYW_CL_LOG_PAGE - 1) / BYW_CL_LOG_PAGE * BYW_CL_LOG_PAGE + BYW_CL_LOG_COLOUR;
    return start + words;
}

/* Ends a warp and adds its stream to the CTA. A long stream is freed, so that it is not stored
 * twice. */
static enum byw_status finish_warp(struct byw_cl_runner *r, struct byw_cl_warp *warp, uint64_t mask)
{
    enum byw_status status = byw_cl_warp_exit(&r->merger, warp, mask);

    if (status == BYW_OK)
        status = byw_cl_parts_append(&r->cta, warp);
    if (status == BYW_OK && r->paths != NULL && r->written == 0)
        status = byw_cl_paths_add(r->paths, warp, &r->cta, r->cta_number);
    if (byw_cl_warp_bytes(warp) > LONG_STREAM)
        byw_cl_warp_release(warp);
    warp->inst_count = warp->addr_count = 0;
    return fail(r, status);
}

static bool is_too_large(const struct byw_cl_runner *r)
{
    return r->written + byw_cl_parts_held(r) > r->byte_limit;
}

static void set_item(struct byw_cl_runner *r, uint64_t *item, uint32_t index, uint64_t *log)
{
    r->item = index;
    item[BYW_CL_LINEAR] = index;
    memcpy(&item[BYW_CL_LOCAL_ID], r->local_id[index], sizeof(r->local_id[index]));
    item[BYW_CL_CURSOR] = (uint64_t)(uintptr_t)log;
}

static void end_log(const uint64_t *item, uint64_t word)
{
    if (item[BYW_CL_CURSOR] != 0)
        *(uint64_t *)(uintptr_t)item[BYW_CL_CURSOR] = word;
}

/* Runs one work-item on this stack.  It has no barriers and, if traced, no loops. */
static void run_item(struct byw_cl_runner *r, uint64_t *item, uint32_t index, uint64_t *log)
{
    set_item(r, item, index, log);
    r->steps[index] = 0;
    r->launch->kernel->run(r->launch->args);
    end_log(item, BYW_CL_END);
}

void byw_cl_group_barrier(void *argument, uint64_t part)
{
    struct byw_cl_runner *r = argument;

    r->stop[r->item] = (uint32_t)part;
    byw_cl_fiber_stop(r->fibers);
}

void byw_cl_group_meet(void *argument, uint64_t part)
{
    struct byw_cl_runner *r = argument;

    r->ended_by = BYW_CL_MEETS | part;
    byw_cl_fiber_stop(r->fibers);
}

/* Stops a work-item that waits in a loop. abroad: it may wait for other groups. */
static void stop_waiting(struct byw_cl_runner *r, uint32_t part, bool abroad)
{
    r->waits = true;
    r->abroad = abroad;
    r->goes_abroad |= abroad;
    r->wait_part = part;
    byw_cl_fiber_stop(r->fibers);
}

void byw_cl_group_wait(void *argument, uint64_t part)
{
    struct byw_cl_runner *r = argument;
    const struct byw_cl_code *code = r->launch->kernel->code;
    const struct byw_cl_part *list = byw_cl_code_at(code, code->part_at);
    uint64_t *cursor = &r->launch->program->item[BYW_CL_CURSOR];

    if (part >> 32 != 0 && r->poll[r->item] != NULL)
        *cursor = (uint64_t)(uintptr_t)r->poll[r->item];
    else
        r->poll[r->item] = (uint64_t *)(uintptr_t)*cursor;
    r->moved |= part >> 32 == 0;
    r->steps[r->item] += WAIT_STEPS;
    if (r->steps[r->item] > r->step_limit) {
        r->status = byw_cl_describe_steps(r, (uint32_t)part);
        byw_cl_guard_leave();
    }
    stop_waiting(r, (uint32_t)part, list[(uint32_t)part].waits != BYW_CL_WAITS_GROUP);
}

/* A work-item that has polled long enough yields to others. */
static void give_way(struct byw_cl_runner *r, uint64_t part)
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    const struct byw_cl_part *list = byw_cl_code_at(code, code->part_at);

    if (!r->whole || list[part].waits != BYW_CL_WAITS_MAYBE ||
        r->steps[r->item] % MAYBE_STEPS >= r->budget)
        return;
    r->moved = true;
    stop_waiting(r, (uint32_t)part, true);
}

void byw_cl_group_pause(void *argument, uint64_t part)
{
    struct byw_cl_runner *r = argument;

    if (r->launch->kernel->code->looped)
        r->item = (uint32_t)r->launch->program->item[BYW_CL_LINEAR];
    r->steps[r->item] += r->budget;
    if (r->steps[r->item] > r->step_limit)
        r->status = byw_cl_describe_steps(r, part);
    else if (r->writer != NULL && is_too_large(r))
        r->status = byw_cl_describe_size(r, part);
    if (r->status != BYW_OK)
        byw_cl_guard_leave();
    give_way(r, part);
    if (!r->logs)
        return;
    r->ended_by = BYW_CL_MORE;
    byw_cl_fiber_stop(r->fibers);
}

static void fiber_body(void *argument)
{
    const struct byw_cl_launch *launch = argument;

    launch->kernel->run(launch->args);
}

/* Resumes a work-item up to a barrier, a meeting point, a pause or its end; false: it waits. fiber:
 * its number among the fibers. */
static bool resume(struct byw_cl_runner *r, uint64_t *item, uint32_t index, uint32_t fiber,
                   uint64_t *log)
{
    set_item(r, item, index, log);
    item[BYW_CL_PRIVATE] = (uint64_t)(uintptr_t)(r->private_space + fiber * r->private_item);
    r->ended_by = BYW_CL_END;
    r->waits = false;
    r->give_up = r->gives_up;
    r->done[index] = byw_cl_fiber_resume(r->fibers, fiber);
    r->open[index] = r->waits ? (uint64_t *)(uintptr_t)item[BYW_CL_CURSOR] : NULL;
    if (r->waits)
        return false;
    if (r->done[index])
        r->early[index] = item[BYW_CL_EARLY] != 0;
    if (r->done[index] && r->clustered)
        byw_cl_cluster_count(byw_cl_cluster_state(), 0, 1);
    end_log(item, r->ended_by);
    r->ended[index] = r->ended_by;
    r->poll[index] = NULL;
    return r->moved = true;
}

/* Resumes the lanes that are needed, in order; false: a lane waits. If it waits for other groups,
 * the lanes after it wait, too, unless nothing else can proceed. */
static bool run_round(struct byw_cl_runner *r, uint64_t *item, uint32_t warp,
                      struct byw_cl_warp *stream, uint32_t first_fiber)
{
    item[BYW_CL_ACTIVE] = stream->need;
    for (uint32_t l = 0; l < r->warp_size && stream->need >> l != 0; l++) {
        uint32_t index = warp * r->warp_size + l;
        uint64_t *log = r->open[index];

        if (((stream->need & ~stream->ready) >> l & 1) == 0)
            continue;
        if (r->ahead[index].first != NULL) {
            bool open;

            stream->start[l] = byw_cl_ahead_take(&r->ahead[index], &open);
            if (!open) {
                stream->ready |= 1ull << l;
                continue;
            }
        } else if (log == NULL) {
            log = stream->next != NULL ? stream->next : own_log(r, warp, l);
            stream->start[l] = log;
        }
        if (resume(r, item, index, first_fiber + l, log)) {
            stream->ready |= 1ull << l;
            if (stream->next != NULL)
                stream->next = next_log(item, log);
            continue;
        }
        stream->next = NULL;
        if (!r->stalled && r->abroad)
            return false;
    }
    return stream->ready == stream->need;
}

/* Some lanes wait for others of their group: resumes the other lanes, both those that have paused
 * and those that waited while ahead of the merger. */
static void run_ahead(struct byw_cl_runner *r, uint64_t *item, uint32_t warp,
                      const struct byw_cl_warp *stream, uint32_t first_fiber)
{
    uint64_t lanes = stream->mask & ~(stream->need & ~stream->ready);

    for (uint32_t l = 0; l < r->warp_size && lanes >> l != 0; l++) {
        uint32_t index = warp * r->warp_size + l;
        struct byw_cl_ahead *ahead = &r->ahead[index];
        uint64_t *log = r->open[index];

        if (!(lanes >> l & 1) || r->done[index] || (!ahead->open && r->ended[index] != BYW_CL_MORE))
            continue;
        if (!ahead->open)
            log = byw_cl_ahead_add(ahead, r->log_stride);
        if (log == NULL) {
            fail(r, BYW_ENOMEM);
            return;
        }
        if (resume(r, item, index, first_fiber + l, log))
            ahead->open = false;
    }
}

static void need_lanes(const struct byw_cl_runner *r, uint32_t warp, struct byw_cl_warp *stream,
                       uint64_t need)
{
    stream->need = need;
    stream->ready = 0;
    stream->next =
        /* otherwise it holds unread logs of other lanes */
        need == stream->mask ? log_of(r, warp) : NULL;
}

/* Whether a warp's turn is over: its lanes have met, and continue when all warps have reached this
 * point. */
static bool is_over(const struct byw_cl_runner *r, uint32_t warp, uint64_t need)
{
    uint64_t ended;

    if (need == 0 || !r->whole || !r->launch->kernel->code->turns)
        return false;
    ended = r->ended[warp * r->warp_size + (uint32_t)__builtin_ctzll(need)];
    return ended < BYW_CL_MORE && (ended & BYW_CL_MEETS) != 0;
}

/* Continues a segment to the next barrier or the lanes' ends, and merges their logs; false: they
 * wait, their turn is over, or r->status is set. */
static bool run_lanes(struct byw_cl_runner *r, uint64_t *item, uint32_t warp,
                      struct byw_cl_warp *stream, uint32_t first_fiber)
{
    enum byw_status status = BYW_OK;

    while (stream->need != 0 && status == BYW_OK) {
        uint64_t need = 0;

        if (!run_round(r, item, warp, stream, first_fiber)) {
            if (r->logs && !r->goes_abroad)
                run_ahead(r, item, warp, stream, first_fiber);
            return false;
        }
        if (r->logs) {
            byw_cl_merge_supply(&r->merger, stream, stream->need, stream->start);
            status = byw_cl_merge_some(&r->merger, stream, stream->mask, &need);
        }
        if (status == BYW_OK && r->writer != NULL)
            status = byw_cl_parts_write(r, warp);
        need_lanes(r, warp, stream, need);
        if (status == BYW_OK && is_over(r, warp, need))
            return false;
    }
    return fail(r, status) == BYW_OK;
}

static void start_item(struct byw_cl_runner *r, uint32_t index, uint32_t fiber)
{
    r->done[index] = false;
    r->steps[index] = 0;
    r->open[index] = r->poll[index] = NULL;
    r->ended[index] = BYW_CL_END;
    byw_cl_ahead_clear(&r->ahead[index]);
    byw_cl_fiber_start(r->fibers, fiber, fiber_body, (void *)(uintptr_t)r->launch);
}

/* Runs one warp of a traced kernel without barriers. */
static enum byw_status run_warp(struct byw_cl_runner *r, uint64_t *item, uint32_t warp)
{
    const uint64_t *start[BYW_CL_LANES];
    struct byw_cl_warp *stream = &r->warp[0];
    uint64_t mask = lanes_of(r, warp), *next = r->log;
    enum byw_status status = byw_cl_warp_begin(&r->merger, stream, local_base(r, warp));

    if (fail(r, status) != BYW_OK)
        return status;
    for (uint32_t l = 0; l < r->warp_size && mask >> l != 0; l++) {
        start[l] = next;
        if (r->launch->kernel->code->loops) {
            start_item(r, warp * r->warp_size + l, l);
        } else {
            run_item(r, item, warp * r->warp_size + l, next);
            next = next_log(item, next);
        }
    }
    stream->mask = mask;
    need_lanes(r, 0, stream, mask);
    if (r->launch->kernel->code->loops)
        status = run_lanes(r, item, warp, stream, 0) ? BYW_OK : r->status;
    else
        status = fail(r, byw_cl_merge(&r->merger, stream, mask, start));
    if (status == BYW_OK && is_too_large(r))
        r->status = status = byw_cl_describe_size(r, 0);
    return status == BYW_OK ? finish_warp(r, stream, mask) : status;
}

static void run_plain(struct byw_cl_runner *r, uint64_t *item)
{
    item[BYW_CL_PRIVATE] = (uint64_t)(uintptr_t)r->private_space;
    if (r->writer == NULL) {
        for (uint32_t i = 0; i < r->items; i++)
            run_item(r, item, i, NULL);
        return;
    }
    for (uint32_t w = 0; w * r->warp_size < r->items; w++)
        if (run_warp(r, item, w) != BYW_OK)
            return;
}

/* Runs all work-items with one call. */
static void run_looped(struct byw_cl_runner *r, uint64_t *item)
{
    item[BYW_CL_PRIVATE] = (uint64_t)(uintptr_t)r->private_space;
    item[BYW_CL_KEPT] = (uint64_t)(uintptr_t)r->context;
    if (r->launch->kernel->code->loops)
        memset(r->steps, 0, r->items * sizeof(*r->steps));
    r->launch->kernel->run(r->launch->args);
}

static uint64_t running(const struct byw_cl_runner *r, uint32_t warp)
{
    uint64_t mask = lanes_of(r, warp);

    for (uint32_t l = 0; l < r->warp_size && mask >> l != 0; l++)
        if ((mask >> l & 1) && r->done[warp * r->warp_size + l])
            mask &= ~(1ull << l);
    return mask;
}

static uint32_t line_of(const struct byw_cl_runner *r, uint32_t index)
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    const struct byw_cl_part *part = byw_cl_code_at(code, code->part_at);

    return part[r->stop[index]].line;
}

/* Checks that all waiting work-items wait at the same barrier (compilers may duplicate it: copies
 * have the same line), and that no work-item has ended without reaching it, except by an early
 * return, which GPUs allow. */
static enum byw_status check_barrier(struct byw_cl_runner *r)
{
    uint32_t one = UINT32_MAX;

    if (r->launch->kernel->code->lenient)
        return BYW_OK;
    for (uint32_t i = 0; i < r->items && one == UINT32_MAX; i++)
        if (!r->done[i])
            one = i;
    if (one == UINT32_MAX)
        return BYW_OK;
    for (uint32_t i = 0; i < r->items; i++)
        if (r->done[i] ? !r->early[i]
                       : r->stop[i] != r->stop[one] && line_of(r, i) != line_of(r, one))
            return r->status = byw_cl_describe_barriers(r, one, i);
    return BYW_OK;
}

/* Begins the next segment of every warp; false: all work-items are done. */
static bool open_segment(struct byw_cl_runner *r, uint32_t warps)
{
    bool any = false;

    r->given_up = 0;
    for (uint32_t w = 0; w < warps; w++) {
        r->warp[w].mask = running(r, w);
        need_lanes(r, w, &r->warp[w], r->warp[w].mask);
        any |= r->warp[w].mask != 0;
    }
    return any;
}

/* Runs every unfinished work-item to its next barrier.  False: some wait, or r->status is set. */
static bool run_segment(struct byw_cl_runner *r, uint64_t *item, uint32_t warps)
{
    bool over = true;

    for (uint32_t w = 0; w < warps; w++) {
        uint64_t after;

        if (r->warp[w].need == 0)
            continue;
        if (!run_lanes(r, item, w, &r->warp[w], w * r->warp_size)) {
            if (r->status != BYW_OK)
                return false;
            over = false;
            continue;
        }
        after = running(r, w);
        if (r->logs && after != 0 &&
            fail(r, byw_cl_warp_barrier(&r->merger, &r->warp[w], after)) != BYW_OK)
            return false;
    }
    return over && check_barrier(r) == BYW_OK;
}

/* Runs a segment while its work-items wait only for each other. If none can continue, each wait is
 * ended once as if its time limit had passed, because the program may have limited it.  In a
 * cluster the other groups run first, and again afterwards.  False: some wait for other groups, or
 * r->status is set. */
static bool settle_segment(struct byw_cl_runner *r, uint64_t *item, uint32_t warps)
{
    bool over = false, settled = false, gave_up = false;

    if (!r->clustered)
        r->given_up = 0;
    while (!settled) {
        bool moved = r->moved, stuck, others;

        r->moved = r->goes_abroad = false;
        over = run_segment(r, item, warps);
        stuck = !over && !r->moved && !r->goes_abroad;
        others = stuck && r->clustered && (!r->stalled || gave_up);
        gave_up |= r->gives_up = !r->moved;
        if (stuck && !others && r->given_up++ == GIVE_UP_MOST)
            r->status = byw_cl_describe_group_wait(r);
        settled = over || r->goes_abroad || others || r->status != BYW_OK;
        r->moved |= moved;
    }
    r->gives_up = false;
    return over;
}

static void begin_whole(struct byw_cl_runner *r, uint32_t warps)
{
    for (uint32_t i = 0; i < r->items; i++)
        start_item(r, i, i);
    for (uint32_t w = 0; w < warps && r->logs; w++)
        fail(r, byw_cl_warp_begin(&r->merger, &r->warp[w], local_base(r, w)));
    open_segment(r, warps);
}

/* Runs work-items that wait for each other at barriers, at meeting points or in loops; false: some
 * wait for other groups. */
static bool run_whole(struct byw_cl_runner *r, uint64_t *item)
{
    uint32_t warps = (r->items + r->warp_size - 1) / r->warp_size;

    if (!r->begun)
        begin_whole(r, warps);
    r->begun = true;
    while (r->status == BYW_OK) {
        if (!settle_segment(r, item, warps))
            return r->status != BYW_OK;
        if (!open_segment(r, warps))
            break;
        if (r->writer != NULL && is_too_large(r))
            r->status = byw_cl_describe_size(r, r->stop[r->item]);
    }
    for (uint32_t w = 0; w < warps && r->writer != NULL && r->status == BYW_OK; w++)
        finish_warp(r, &r->warp[w], lanes_of(r, w));
    return true;
}

/* Sets the number of work-items in the group, and their ids. */
static void size_group(struct byw_cl_runner *r)
{
    const struct byw_cl_launch *launch = r->launch;
    uint32_t size[3];

    for (int d = 0; d < 3; d++)
        size[d] = r->group[d] + 1 == launch->grid[d] ? launch->last[d] : launch->block[d];
    if (memcmp(size, r->size, sizeof(size)) == 0)
        return;
    memcpy(r->size, size, sizeof(size));
    r->items = size[0] * size[1] * size[2];
    for (uint32_t i = 0; i < r->items; i++) {
        r->local_id[i][0] = i % size[0];
        r->local_id[i][1] = i / size[0] % size[1];
        r->local_id[i][2] = i / size[0] / size[1];
    }
}

void byw_cl_group_place(struct byw_cl_runner *r, uint64_t n)
{
    const uint32_t *grid = r->launch->grid;

    r->group_number = n;
    r->group[0] = (uint32_t)(n % grid[0]);
    r->group[1] = (uint32_t)(n / grid[0] % grid[1]);
    r->group[2] = (uint32_t)(n / grid[0] / grid[1]);
    size_group(r);
    byw_cta_clear(&r->cta);
    if (r->paths != NULL)
        r->cta_number = byw_cl_paths_begin(r->paths);
    r->written = 0;
    r->first_warp = 0;
    r->begun = r->stalled = r->gives_up = false;
    memset(&r->exchange[BYW_CL_GROUP_LIMIT], 0, BYW_CL_NAMED_BARRIERS * sizeof(r->exchange[0]));
    r->merger.own = (struct byw_cl_private){(uint64_t)(uintptr_t)r->private_space, r->private_bytes,
                                            r->private_item};
    for (int d = 0; d < 3; d++)
        r->cta.id[d] = r->group[d];
}

bool byw_cl_group_run(struct byw_cl_runner *r, uint64_t *item)
{
    for (int d = 0; d < 3; d++) {
        item[BYW_CL_GROUP_ID + d] = r->group[d];
        item[BYW_CL_OWN_SIZE + d] = r->size[d];
    }
    item[BYW_CL_EXCHANGE] = (uint64_t)(uintptr_t)r->exchange;
    item[BYW_CL_GIVE_UP] = (uint64_t)(uintptr_t)&r->give_up;
    if (r->whole)
        return run_whole(r, item);
    if (r->launch->kernel->code->looped)
        run_looped(r, item);
    else
        run_plain(r, item);
    return true;
}
