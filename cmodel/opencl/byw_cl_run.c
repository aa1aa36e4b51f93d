/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/byw_cl_run.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "opencl/byw_cl_fiber.h"
#include "opencl/byw_cl_guard.h"
#include "opencl/byw_cl_merge.h"

#define LOG_SPACE_MOST                                                                             \
    0x10000000000ull /* reserved for the lanes' logs: 1 TiB, or what is given                      \
                      */
#define LOG_SPACE_LEAST 0x1000000ull
#define LOG_GUARD 0x1000u
#define LOG_COLOUR 0x2c0u /* staggers the logs over the cache sets */

struct byw_cl_runner {
    uint32_t warp_size;
    unsigned char *log_space;
    uint64_t log_bytes, log_stride;
    uint32_t log_lanes; /* lanes the space is divided among now */
    unsigned char *private_space;
    uint64_t private_bytes;
    struct byw_cl_fibers *fibers;
    struct byw_cl_warp warp[BYW_CL_GROUP_LIMIT / 32];
    struct byw_cl_merger merger;
    struct byw_cta cta;
    bool done[BYW_CL_GROUP_LIMIT];
    uint64_t local_id[BYW_CL_GROUP_LIMIT][3];
    /* the launch being run */
    const struct byw_cl_launch *launch;
    struct byw_trace_writer *writer;
    struct byw_diag *diag;
    enum byw_status status;
    uint32_t items; /* in a group */
    uint64_t private_item; /* private bytes of a work-item */
    uint32_t group[3]; /* the group being run */
    uint64_t group_number;
};

static void *reserve(uint64_t bytes)
{
    void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return space == MAP_FAILED ? NULL : space;
}

enum byw_status byw_cl_runner_create(uint32_t warp_size, struct byw_cl_runner **runner,
                                     struct byw_diag *diag)
{
    struct byw_cl_runner *r = calloc(1, sizeof(*r));
    void *shared = mmap((void *)BYW_CL_SHARED_BASE, BYW_CL_SHARED_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (r == NULL || shared != (void *)BYW_CL_SHARED_BASE) {
        free(r);
        return byw_diag_set(diag, BYW_ENOMEM, "cannot map the scratchpad at 0x%llx",
                            (unsigned long long)BYW_CL_SHARED_BASE);
    }
    r->warp_size = warp_size;
    byw_cta_init(&r->cta);
    *runner = r;
    return BYW_OK;
}

void byw_cl_runner_free(struct byw_cl_runner *r)
{
    if (r == NULL)
        return;
    if (r->log_space != NULL)
        munmap(r->log_space, r->log_bytes);
    if (r->private_space != NULL)
        munmap(r->private_space, r->private_bytes);
    munmap((void *)BYW_CL_SHARED_BASE, BYW_CL_SHARED_SIZE);
    byw_cl_fibers_free(r->fibers);
    for (size_t i = 0; i < sizeof(r->warp) / sizeof(r->warp[0]); i++)
        byw_cl_warp_release(&r->warp[i]);
    byw_cta_release(&r->cta);
    free(r);
}

/* Divides the log space among `lanes` lanes; a page at the end of each faults. */
static enum byw_status share_log(struct byw_cl_runner *r, uint32_t lanes)
{
    uint64_t bytes = LOG_SPACE_MOST;

    if (r->log_space != NULL && r->log_lanes == lanes)
        return BYW_OK;
    if (r->log_space != NULL)
        munmap(r->log_space, r->log_bytes);
    while ((r->log_space = reserve(bytes)) == NULL && bytes > LOG_SPACE_LEAST)
        bytes /= 2;
    if (r->log_space == NULL)
        return byw_diag_set(r->diag, BYW_ENOMEM, "cannot reserve memory for the lanes' logs");
    r->log_bytes = bytes;
    r->log_lanes = lanes;
    /* Less a page, so that neighbours' logs do not start in the same cache sets. */
    r->log_stride = (bytes / lanes / LOG_GUARD - 1) * LOG_GUARD;
    for (uint32_t l = 0; l < lanes; l++)
        mprotect(r->log_space + (l + 1) * r->log_stride - LOG_GUARD, LOG_GUARD, PROT_NONE);
    return BYW_OK;
}

static uint64_t *log_of(const struct byw_cl_runner *r, uint32_t lane)
{
    return (uint64_t *)(void *)(r->log_space + lane * r->log_stride + lane % 5 * LOG_COLOUR);
}

static enum byw_status get_memory(struct byw_cl_runner *r)
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    uint32_t lanes = code->barriers ? BYW_CL_GROUP_LIMIT : r->warp_size;
    uint64_t bytes;

    r->private_item = (code->private_bytes + 127u) & ~127u; /* a double16's alignment */
    bytes = (r->private_item * lanes + 0x1fff) & ~0xfffull;
    if (r->private_bytes < bytes) {
        if (r->private_space != NULL)
            munmap(r->private_space, r->private_bytes);
        r->private_space = reserve(bytes);
        r->private_bytes = r->private_space == NULL ? 0 : bytes;
        if (r->private_space == NULL)
            return byw_diag_set(r->diag, BYW_ENOMEM, "out of memory for private arrays");
    }
    if (code->barriers && r->fibers == NULL &&
        byw_cl_fibers_create(BYW_CL_GROUP_LIMIT, &r->fibers) != BYW_OK)
        return byw_diag_set(r->diag, BYW_ENOMEM, "out of memory for work-items");
    return r->writer == NULL ? BYW_OK : share_log(r, lanes);
}

/* What is the same for all work-items of the launch, and of the group. */
static void set_launch(struct byw_cl_runner *r, uint64_t *item)
{
    const struct byw_cl_launch *launch = r->launch;

    item[BYW_CL_WORK_DIM] = launch->work_dim;
    for (uint32_t i = 0; i < r->items; i++) {
        r->local_id[i][0] = i % launch->block[0];
        r->local_id[i][1] = i / launch->block[0] % launch->block[1];
        r->local_id[i][2] = i / launch->block[0] / launch->block[1];
    }
    for (int d = 0; d < 3; d++) {
        item[BYW_CL_LOCAL_SIZE + d] = launch->block[d];
        item[BYW_CL_NUM_GROUPS + d] = launch->grid[d];
        item[BYW_CL_OFFSET + d] = launch->offset[d];
    }
    item[BYW_CL_LOCAL_ID + 3] = item[BYW_CL_GROUP_ID + 3] = item[BYW_CL_OFFSET + 3] = 0;
    item[BYW_CL_LOCAL_SIZE + 3] = item[BYW_CL_NUM_GROUPS + 3] = 1;
}

static void set_item(const struct byw_cl_runner *r, uint64_t *item, uint32_t index)
{
    memcpy(&item[BYW_CL_LOCAL_ID], r->local_id[index], sizeof(r->local_id[index]));
}

static enum byw_status fail(struct byw_cl_runner *r, enum byw_status status)
{
    if (r->status == BYW_OK && status != BYW_OK)
        r->status = byw_diag_set(r->diag, status, "out of memory while tracing kernel %s",
                                 r->launch->kernel->code->name);
    return r->status;
}

static uint64_t local_base(const struct byw_cl_runner *r, uint32_t warp)
{
    uint32_t warps = (r->items + r->warp_size - 1) / r->warp_size;

    return BYW_CL_LOCAL_BASE + (r->group_number * warps + warp) * (r->private_item * r->warp_size);
}

static uint64_t lanes_of(const struct byw_cl_runner *r, uint32_t warp)
{
    uint32_t count = r->items - warp * r->warp_size;

    return count >= r->warp_size && r->warp_size == 64 ? UINT64_MAX
           : count >= r->warp_size                     ? (1ull << r->warp_size) - 1
                                                       : (1ull << count) - 1;
}

/* Moves a warp's stream into the CTA. */
static enum byw_status append_warp(struct byw_cta *cta, const struct byw_cl_warp *warp)
{
    uint32_t first = cta->inst_count;
    uint64_t *addr;

    if (byw_cta_add_warp(cta) == NULL)
        return BYW_ENOMEM;
    if (cta->inst_room - first < warp->inst_count) {
        uint32_t room = 2 * cta->inst_room + warp->inst_count;
        struct byw_inst *inst = realloc(cta->inst, room * sizeof(*inst));

        if (inst == NULL)
            return BYW_ENOMEM;
        cta->inst = inst;
        cta->inst_room = room;
    }
    memcpy(cta->inst + first, warp->inst, warp->inst_count * sizeof(*warp->inst));
    for (uint32_t i = first; i < first + warp->inst_count; i++)
        if (cta->inst[i].form == BYW_FORM_LIST)
            cta->inst[i].list += cta->addr_count;
    cta->inst_count += warp->inst_count;
    cta->warp[cta->warp_count - 1].count = warp->inst_count;
    if (warp->addr_count == 0)
        return BYW_OK;
    addr = byw_cta_add_addr(cta, warp->addr_count);
    if (addr == NULL)
        return BYW_ENOMEM;
    memcpy(addr, warp->addr, warp->addr_count * sizeof(*addr));
    return BYW_OK;
}

/* Runs one work-item that has no barriers; its log, if any, is closed. */
static void run_item(struct byw_cl_runner *r, uint64_t *item, uint32_t index, uint64_t *log)
{
    set_item(r, item, index);
    item[BYW_CL_CURSOR] = (uint64_t)(uintptr_t)log;
    r->launch->kernel->run(r->launch->args);
    if (log != NULL)
        *(uint64_t *)(uintptr_t)item[BYW_CL_CURSOR] = BYW_CL_END;
}

static enum byw_status run_warp(struct byw_cl_runner *r, uint64_t *item, uint32_t warp)
{
    const uint64_t *start[BYW_CL_LANES];
    uint64_t mask = lanes_of(r, warp);
    enum byw_status status = byw_cl_warp_begin(&r->merger, &r->warp[0], local_base(r, warp));

    for (uint32_t l = 0; l < r->warp_size && mask >> l != 0; l++) {
        uint64_t *log = log_of(r, l);

        run_item(r, item, warp * r->warp_size + l, log);
        start[l] = log;
    }
    if (status == BYW_OK)
        status = byw_cl_merge(&r->merger, &r->warp[0], mask, start);
    if (status == BYW_OK)
        status = byw_cl_warp_exit(&r->merger, &r->warp[0], mask);
    if (status == BYW_OK)
        status = append_warp(&r->cta, &r->warp[0]);
    return fail(r, status);
}

static void run_group_plain(struct byw_cl_runner *r, uint64_t *item)
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

static void barrier(void *argument)
{
    byw_cl_fiber_stop(argument);
}

static void fiber_body(void *argument)
{
    const struct byw_cl_launch *launch = argument;

    launch->kernel->run(launch->args);
}

/* Runs every work-item that is not done to its next barrier; returns how many reached one. */
static uint32_t run_segment(struct byw_cl_runner *r, uint64_t *item)
{
    uint32_t stopped = 0;

    for (uint32_t i = 0; i < r->items; i++) {
        if (r->done[i])
            continue;
        set_item(r, item, i);
        item[BYW_CL_PRIVATE] = (uint64_t)(uintptr_t)(r->private_space + i * r->private_item);
        item[BYW_CL_CURSOR] = r->writer == NULL ? 0 : (uint64_t)(uintptr_t)log_of(r, i);
        r->done[i] = byw_cl_fiber_resume(r->fibers, i);
        stopped += !r->done[i];
        if (r->writer != NULL)
            *(uint64_t *)(uintptr_t)item[BYW_CL_CURSOR] = BYW_CL_END;
    }
    return stopped;
}

/* Merges what the lanes of a warp logged in a segment; `before` are those that ran in it. */
static enum byw_status merge_warp(struct byw_cl_runner *r, uint32_t warp, uint64_t before)
{
    const uint64_t *start[BYW_CL_LANES];
    uint64_t after = 0;
    enum byw_status status;

    for (uint32_t l = 0; l < r->warp_size && before >> l != 0; l++) {
        uint32_t i = warp * r->warp_size + l;

        start[l] = log_of(r, i);
        if ((before >> l & 1) && !r->done[i])
            after |= 1ull << l;
    }
    status = byw_cl_merge(&r->merger, &r->warp[warp], before, start);
    if (status == BYW_OK && after != 0)
        status = byw_cl_warp_barrier(&r->merger, &r->warp[warp], after);
    return fail(r, status);
}

static uint64_t running(const struct byw_cl_runner *r, uint32_t warp)
{
    uint64_t mask = lanes_of(r, warp);

    for (uint32_t l = 0; l < r->warp_size && mask >> l != 0; l++)
        if ((mask >> l & 1) && r->done[warp * r->warp_size + l])
            mask &= ~(1ull << l);
    return mask;
}

static void run_group_fibers(struct byw_cl_runner *r, uint64_t *item)
{
    uint32_t warps = (r->items + r->warp_size - 1) / r->warp_size, stopped;
    bool traced = r->writer != NULL;
    uint64_t before[BYW_CL_GROUP_LIMIT / 32];

    for (uint32_t i = 0; i < r->items; i++) {
        r->done[i] = false;
        byw_cl_fiber_start(r->fibers, i, fiber_body, (void *)(uintptr_t)r->launch);
    }
    for (uint32_t w = 0; w < warps && traced; w++)
        fail(r, byw_cl_warp_begin(&r->merger, &r->warp[w], local_base(r, w)));
    do {
        for (uint32_t w = 0; w < warps && traced; w++)
            before[w] = running(r, w);
        stopped = run_segment(r, item);
        for (uint32_t w = 0; w < warps && traced; w++)
            if (before[w] != 0 && merge_warp(r, w, before[w]) != BYW_OK)
                return;
    } while (stopped != 0);
    for (uint32_t w = 0; w < warps && traced; w++) {
        fail(r, byw_cl_warp_exit(&r->merger, &r->warp[w], lanes_of(r, w)));
        if (fail(r, append_warp(&r->cta, &r->warp[w])) != BYW_OK)
            return;
    }
}

static void run_group(struct byw_cl_runner *r, uint64_t *item)
{
    for (int d = 0; d < 3; d++) {
        item[BYW_CL_GROUP_ID + d] = r->group[d];
        r->cta.id[d] = r->group[d];
    }
    byw_cta_clear(&r->cta);
    memcpy(r->cta.id, r->group, sizeof(r->cta.id));
    if (r->launch->kernel->code->barriers)
        run_group_fibers(r, item);
    else
        run_group_plain(r, item);
    if (r->status == BYW_OK && r->writer != NULL)
        r->status = byw_trace_cta(r->writer, &r->cta, r->diag);
}

static void run_grid(void *argument)
{
    struct byw_cl_runner *r = argument;
    const uint32_t *grid = r->launch->grid;
    uint64_t *item = r->launch->program->item;
    void (*stop)(void *) = barrier;

    set_launch(r, item);
    memcpy(&item[BYW_CL_BARRIER], &stop, sizeof(stop));
    item[BYW_CL_BARRIER_ARG] = (uint64_t)(uintptr_t)r->fibers;
    r->group_number = 0;
    for (r->group[2] = 0; r->group[2] < grid[2]; r->group[2]++)
        for (r->group[1] = 0; r->group[1] < grid[1]; r->group[1]++)
            for (r->group[0] = 0; r->group[0] < grid[0]; r->group[0]++) {
                run_group(r, item);
                r->group_number++;
                if (r->status != BYW_OK)
                    return;
            }
}

static enum byw_status describe(struct byw_cl_runner *r, const struct byw_cl_fault *fault)
{
    const char *name = r->launch->kernel->code->name;
    uint64_t log = (uint64_t)(uintptr_t)r->log_space;
    const uint64_t *id = r->launch->program->item + BYW_CL_LOCAL_ID;
    char where[160];

    snprintf(where, sizeof(where), "work-group (%u,%u,%u), work-item (%llu,%llu,%llu)", r->group[0],
             r->group[1], r->group[2], (unsigned long long)id[0], (unsigned long long)id[1],
             (unsigned long long)id[2]);
    if (fault->signal == SIGFPE)
        return byw_diag_set(r->diag, BYW_ECHECK, "kernel %s, %s: integer division by zero", name,
                            where);
    if (r->writer != NULL && fault->address >= log && fault->address < log + r->log_bytes)
        return byw_diag_set(r->diag, BYW_ECHECK,
                            "kernel %s, %s: the log is full, the work-item runs longer than can be "
                            "traced",
                            name, where);
    return byw_diag_set(r->diag, BYW_ECHECK, "kernel %s, %s: access to 0x%llx, outside all buffers",
                        name, where, (unsigned long long)fault->address);
}

static enum byw_status write_kernel(struct byw_cl_runner *r)
{
    const struct byw_cl_launch *launch = r->launch;
    const struct byw_cl_code *code = launch->kernel->code;
    struct byw_kernel kernel = {.launch = launch->number,
                                .code = code->identity,
                                .shared_bytes = launch->shared_bytes,
                                .registers = code->registers,
                                .warp_size = r->warp_size,
                                .site_count = code->sites,
                                .site = byw_cl_code_at(code, code->site_at)};

    memcpy(kernel.name, code->name, sizeof(kernel.name));
    memcpy(kernel.grid, launch->grid, sizeof(kernel.grid));
    memcpy(kernel.block, launch->block, sizeof(kernel.block));
    byw_cl_merger_init(&r->merger, code, r->warp_size);
    return byw_trace_kernel(r->writer, &kernel, r->diag);
}

enum byw_status byw_cl_run(struct byw_cl_runner *r, const struct byw_cl_launch *launch,
                           struct byw_trace_writer *writer, struct byw_diag *diag)
{
    struct byw_cl_fault fault;

    r->launch = launch;
    r->writer = writer;
    r->diag = diag;
    r->items = launch->block[0] * launch->block[1] * launch->block[2];
    r->status = get_memory(r);
    if (r->status == BYW_OK && writer != NULL)
        r->status = write_kernel(r);
    if (r->status != BYW_OK)
        return r->status;
    byw_cl_guarded(run_grid, r, &fault);
    return fault.signal != 0 ? describe(r, &fault) : r->status;
}
