/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/run/byw_cl_dwarf.h"
#include "capture/run/byw_cl_print.h"
#include "capture/run/byw_cl_runner.h"
#include "trace/bwt/byw_trace_windows.h"
#include "trace/byw_machine.h"

#define STEP_LIMIT (1ull << 30)
/* In traced kernels only loops that log nothing reach this limit: others run out of memory
 * first. */
#define STEP_LIMIT_TRACED (1ull << 26)

/* Sets the words of the record that are the same for all work-items of the launch. */
static void set_launch(struct byw_cl_runner *r, uint64_t *item)
{
    const struct byw_cl_launch *launch = r->launch;

    item[BYW_CL_WORK_DIM] = launch->work_dim;
    item[BYW_CL_WARP] = r->warp_size;
    for (int d = 0; d < 3; d++) {
        item[BYW_CL_GLOBAL_SIZE + d] =
            (uint64_t)(launch->grid[d] - 1) * launch->block[d] + launch->last[d];
        item[BYW_CL_LOCAL_SIZE + d] = launch->block[d];
        item[BYW_CL_NUM_GROUPS + d] = launch->grid[d];
        item[BYW_CL_OFFSET + d] = launch->offset[d];
    }
    item[BYW_CL_LOCAL_ID + 3] = item[BYW_CL_GROUP_ID + 3] = item[BYW_CL_OFFSET + 3] = 0;
    item[BYW_CL_LOCAL_SIZE + 3] = item[BYW_CL_NUM_GROUPS + 3] = 1;
    item[BYW_CL_OWN_SIZE + 3] = item[BYW_CL_GLOBAL_SIZE + 3] = 1;
}

/* Whether a traced launch must stop. */
static bool is_over(const struct byw_cl_runner *r)
{
    const struct byw_cl_launch *launch = r->launch;

    return r->writer != NULL && ((launch->bounds != NULL && byw_bounds_full(launch->bounds)) ||
                                 (launch->stop != NULL && *launch->stop != 0));
}

static void run_grid(void *argument)
{
    struct byw_cl_runner *r = argument;
    uint64_t groups = byw_cl_launch_groups(r->launch);
    uint64_t *item = r->launch->program->item;
    void (*stop)(void *, uint64_t) = byw_cl_group_barrier;
    void (*pause)(void *, uint64_t) = byw_cl_group_pause;
    void (*meet)(void *, uint64_t) = byw_cl_group_meet;
    void (*wait)(void *, uint64_t) = byw_cl_group_wait;
    int (*print)(const char *, const uint64_t *) = byw_cl_print;

    set_launch(r, item);
    memcpy(&item[BYW_CL_BARRIER], &stop, sizeof(stop));
    memcpy(&item[BYW_CL_PAUSE], &pause, sizeof(pause));
    memcpy(&item[BYW_CL_MEET], &meet, sizeof(meet));
    memcpy(&item[BYW_CL_WAIT], &wait, sizeof(wait));
    memcpy(&item[BYW_CL_PRINT], &print, sizeof(print));
    item[BYW_CL_BARRIER_ARG] = (uint64_t)(uintptr_t)r;
    item[BYW_CL_BUDGET] = r->budget;
    r->first = true;
    r->park = NULL;
    r->part_bytes = BYW_PART_BYTES;
    r->clustered = byw_cl_launch_cluster(r->launch) > 1;
    if (r->clustered && r->next == 0 && !is_over(r)) {
        r->next = groups;
        byw_cl_residents_clusters(r, item);
    }
    while (r->next < groups && r->status == BYW_OK && !is_over(r)) {
        byw_cl_group_place(r, r->next++);
        if (!byw_cl_group_run(r, item)) {
            r->next = groups;
            byw_cl_residents_run(r, item);
            return;
        }
        if (r->status == BYW_OK && r->writer != NULL)
            r->status = byw_cl_parts_end(r);
    }
}

static enum byw_status write_kernel(struct byw_cl_runner *r)
{
    const struct byw_cl_launch *launch = r->launch;
    const struct byw_cl_code *code = launch->kernel->code;
    struct byw_machine machine;
    struct byw_kernel kernel = {.code = code->identity,
                                .shared_bytes = launch->shared_bytes,
                                .registers = code->registers,
                                .compiled_registers = code->compiled_registers,
                                .warp_size = r->warp_size,
                                .site_count = code->sites,
                                .site = byw_cl_code_at(code, code->site_at)};

    if (code->machine_at != 0) {
        const struct byw_cl_machine *m = byw_cl_code_at(code, code->machine_at);

        machine = (struct byw_machine){.arch = m->arch,
                                       .registers = m->registers,
                                       .unknown = m->unknown,
                                       .count = m->count,
                                       .inst = byw_cl_code_at(code, m->inst_at)};
        kernel.machine = &machine;
        kernel.site_number = byw_cl_code_at(code, m->number_at);
    } else if (code->why_at != 0) {
        kernel.machine_why = byw_cl_code_at(code, code->why_at);
    }
    memcpy(kernel.name, code->name, sizeof(kernel.name));
    memcpy(kernel.grid, launch->grid, sizeof(kernel.grid));
    memcpy(kernel.block, launch->block, sizeof(kernel.block));
    return byw_trace_kernel(r->writer, &kernel, r->diag);
}

/* Records where the first out-of-bounds read of all launches happened. */
static void note_reads(struct byw_cl_runner *r, const struct byw_cl_reads *reads)
{
    if (r->reads.count == 0 && reads->count != 0) {
        snprintf(r->reads.kernel, sizeof(r->reads.kernel), "%s", r->launch->kernel->code->name);
        r->reads.line = byw_cl_dwarf_line(reads->pc);
    }
    r->reads.count += reads->count;
}

const struct byw_cl_bad_reads *byw_cl_runner_reads(const struct byw_cl_runner *runner)
{
    return &runner->reads;
}

bool byw_cl_runner_is_between_parts(const struct byw_cl_runner *runner)
{
    return runner->residents == NULL && runner->written == 0;
}

/* Paths are remembered as long as launches run the same kernel. */
static void find_paths(struct byw_cl_runner *r)
{
    const struct byw_cl_code *code = r->launch->kernel->code;

    if (r->paths != NULL && byw_cl_paths_are_of(r->paths, code))
        return;
    byw_cl_paths_free(r->paths);
    r->paths = byw_cl_paths_create(code);
}

enum byw_status byw_cl_run(struct byw_cl_runner *r, const struct byw_cl_launch *launch,
                           struct byw_trace_writer *writer, uint64_t *next, struct byw_diag *diag)
{
    struct byw_cl_reads reads = {0, 0};
    struct byw_cl_fault fault;

    r->launch = launch;
    r->writer = writer;
    r->next = launch->first_group;
    r->step_limit = r->settings.steps != 0 ? r->settings.steps
                    : writer == NULL       ? STEP_LIMIT
                                           : STEP_LIMIT_TRACED;
    r->diag = diag;
    r->items = launch->block[0] * launch->block[1] * launch->block[2];
    memset(r->size, 0, sizeof(r->size));
    r->current = r;
    r->status = byw_cl_runner_equip(r, BYW_CL_GROUP_LIMIT, true);
    byw_cl_merger_init(&r->merger, launch->kernel->code, r->warp_size);
    r->merger.silent = writer == NULL;
    if (writer != NULL)
        find_paths(r);
    if (r->status == BYW_OK && writer != NULL)
        r->status = write_kernel(r);
    if (r->status != BYW_OK)
        return r->status;
    if (writer != NULL)
        byw_cl_spool_begin(r->spool, writer);
    byw_cl_guarded(run_grid, r, &fault, r->settings.warns ? &reads : NULL);
    note_reads(r, &reads);
    r->status = r->current->status;
    if (writer != NULL) {
        struct byw_diag why;
        enum byw_status status = byw_cl_spool_end(r->spool, &why);

        if (status != BYW_OK && fault.signal == 0) {
            *diag = why;
            r->status = status;
        }
    }
    if (fault.signal != 0)
        r->status = byw_cl_describe_fault(r->current, &fault);
    *next = r->next;
    byw_cl_residents_free(r);
    return r->status;
}
