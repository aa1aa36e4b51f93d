/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_launch_counts.h"

#include <stddef.h>

#include "trace/stats/byw_access.h"

static void count(const struct byw_inst *inst, const struct byw_cta *cta,
                  struct byw_launch_counts *counts)
{
    struct byw_access access;

    counts->warp_instructions += inst->count;
    counts->thread_instructions +=
        (uint64_t)inst->count * (uint64_t)__builtin_popcountll(inst->mask);
    counts->instructions[inst->cls] += inst->count;
    if (!byw_access_is_cached(inst))
        return;
    byw_access_of(inst, cta, &access);
    counts->sectors[inst->cls] += access.sectors;
}

static enum byw_status count_ctas(struct byw_trace *trace, struct byw_launch_counts *counts,
                                  struct byw_diag *diag)
{
    struct byw_cta cta;
    enum byw_status st;

    byw_cta_init(&cta);
    while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK)
        for (uint32_t i = 0; i < cta.inst_count; i++)
            count(&cta.inst[i], &cta, counts);
    byw_cta_release(&cta);
    return st == BYW_END ? BYW_OK : st;
}

enum byw_status byw_launch_counts_read(const char *path, uint32_t launch,
                                       struct byw_launch_counts *counts, struct byw_diag *diag)
{
    const struct byw_kernel *kernel = NULL;
    struct byw_trace *trace = NULL;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    *counts = (struct byw_launch_counts){.warp_instructions = 0};
    if (st != BYW_OK)
        return st;
    for (uint32_t i = 0; st == BYW_OK && i <= launch; i++)
        st = byw_trace_next_kernel(trace, &kernel, diag);
    if (st == BYW_END)
        st = byw_diag_set(diag, BYW_EFORMAT, "%s: has no launch %u", path, launch + 1);
    if (st == BYW_OK)
        st = count_ctas(trace, counts, diag);
    byw_trace_close(trace);
    return st;
}
