/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_book.c - Counters of launches and of the run, from SMs, L1Ds and the memory side.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "common/byw_bits.h"
#include "l1d/byw_tag_store.h"
#include "sim/gpu/byw_gpu_state.h"
#include "sim/gpu/byw_stall_book.h"

void byw_gpu_sum_up(struct gpu *gpu, struct byw_gpu_kernel *sum)
{
    memset(sum, 0, sizeof(*sum));
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        struct byw_sm_counters c;

        byw_sm_catch_up(gpu->sm[i], gpu->now);
        byw_sm_counters(gpu->sm[i], &c);
        sum->warp_instructions += c.warp_instructions;
        sum->thread_instructions += c.thread_instructions;
        sum->bypass_joins += c.bypass_joins;
        sum->machine_instructions += c.machine_instructions;
        for (uint32_t s = 0; s < BYW_SLOT_COUNT; s++)
            sum->core_stall[s] += c.slot[s];
        byw_stats_add(&sum->l1, byw_cluster_stats(gpu->cluster, i), 1);
    }
    sum->mem = *byw_memsys_stats(gpu->memsys);
    sum->cycles = gpu->now;
}

/* a -= b, member by member. */
static void subtract(struct byw_mem_stats *a, const struct byw_mem_stats *b)
{
    enum { MEMBERS = sizeof(*a) / sizeof(uint64_t) };
    uint64_t x[MEMBERS], y[MEMBERS];

    _Static_assert(sizeof(x) == sizeof(*a), "only whole numbers of 64 bits");
    memcpy(x, a, sizeof(x));
    memcpy(y, b, sizeof(y));
    for (size_t i = 0; i < MEMBERS; i++)
        x[i] -= y[i];
    memcpy(a, x, sizeof(x));
}

static enum byw_status book_stalls(struct gpu *gpu, const struct byw_kernel *kernel,
                                   const struct byw_gpu_kernel *counters)
{
    struct byw_stall_book *book = gpu->options->stalls;

    if (book == NULL)
        return BYW_OK;
    if (byw_stall_book_launch(book, gpu->config, kernel, counters) != BYW_OK)
        return byw_no_memory(gpu->diag, "what the instructions wait for");
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        byw_stall_book_sm(book, byw_sm_stalls(gpu->sm[i]));
    return BYW_OK;
}

enum byw_status byw_gpu_book_kernel(struct gpu *gpu, const struct byw_kernel *kernel,
                                    const struct byw_gpu_kernel *before)
{
    struct byw_gpu_result *r = gpu->result;
    struct byw_gpu_kernel *k;

    if (!BYW_ARRAY_ROOM(r->kernel, gpu->kernel_room, r->kernel_count + 1u))
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for launch %u",
                            kernel->launch + 1);
    k = &r->kernel[r->kernel_count++];
    byw_gpu_sum_up(gpu, k);
    k->cycles -= before->cycles;
    k->warp_instructions -= before->warp_instructions;
    k->thread_instructions -= before->thread_instructions;
    k->bypass_joins -= before->bypass_joins;
    k->machine_instructions -= before->machine_instructions;
    byw_stats_add(&k->l1, &before->l1, (uint64_t)-1);
    subtract(&k->mem, &before->mem);
    for (uint32_t s = 0; s < BYW_SLOT_COUNT; s++)
        k->core_stall[s] -= before->core_stall[s];
    k->start = before->cycles;
    memcpy(k->name, kernel->name, sizeof(k->name));
    k->launch = kernel->launch;
    k->code = kernel->code;
    k->shared_kb = gpu->carveout.shared_kb;
    k->code_at = (uint32_t)gpu->code_at;
    return book_stalls(gpu, kernel, k);
}

void byw_gpu_totals(struct gpu *gpu, struct byw_gpu_totals *t)
{
    *t = (struct byw_gpu_totals){.cycles = gpu->now,
                                 .flush_cycles = gpu->result->flush_cycles,
                                 .mem = *byw_memsys_stats(gpu->memsys)};
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        struct byw_sm_counters c;

        byw_sm_catch_up(gpu->sm[i], gpu->now);
        byw_sm_counters(gpu->sm[i], &c);
        byw_stats_add(&t->l1, byw_cluster_stats(gpu->cluster, i), 1);
        t->warp_instructions += c.warp_instructions;
        t->thread_instructions += c.thread_instructions;
        t->coalesced += c.coalesced;
        t->shared_conflict_cycles += c.shared_conflict_cycles;
        t->icache_misses += c.icache_misses;
        t->combined += c.combined;
        t->bypass_joins += c.bypass_joins;
        t->machine_instructions += c.machine_instructions;
        t->merged_stores += c.merged_stores;
        for (uint32_t s = 0; s < BYW_SLOT_COUNT; s++)
            t->slot[s] += c.slot[s];
    }
}

void byw_gpu_book_totals(struct byw_gpu_result *r, const struct byw_gpu_totals *t)
{
    r->cycles = t->cycles;
    r->warp_instructions = t->warp_instructions;
    r->thread_instructions = t->thread_instructions;
    r->coalesced = t->coalesced;
    r->shared_conflict_cycles = t->shared_conflict_cycles;
    r->icache_misses = t->icache_misses;
    r->combined = t->combined;
    r->bypass_joins = t->bypass_joins;
    r->machine_instructions = t->machine_instructions;
    r->merged_stores = t->merged_stores;
    r->flush_cycles = t->flush_cycles;
    memcpy(r->core_stall, t->slot, sizeof(r->core_stall));
    r->l1 = t->l1;
    r->mem = t->mem;
}

/* Writes the current counters to a result that has room for the SMs. */
static void count_all(struct gpu *gpu, struct byw_gpu_result *r)
{
    struct byw_gpu_totals totals;

    byw_gpu_totals(gpu, &totals);
    byw_gpu_book_totals(r, &totals);
    for (uint32_t i = 0; i < r->sm_count; i++) {
        struct byw_sm_counters c;

        byw_sm_counters(gpu->sm[i], &c);
        r->sm[i].l1 = *byw_cluster_stats(gpu->cluster, i);
        r->sm[i].cycles_active = c.cycles_active;
        r->sm[i].warp_instructions = c.warp_instructions;
    }
}

void byw_gpu_book_run(struct gpu *gpu)
{
    count_all(gpu, gpu->result);
}

static uint64_t lines_used(const struct byw_tag_store *tags)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < tags->geo.sets; i++)
        sum += byw_popcount64(byw_tag_store_set(tags, i)->used);
    return sum;
}

static void take_levels(const struct gpu *gpu, struct byw_gpu_levels *levels)
{
    *levels = (struct byw_gpu_levels){0};
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        const struct byw_l1d *l1d = byw_cluster_l1d(gpu->cluster, i);
        struct byw_l1d_levels its;

        levels->ctas += byw_sm_ctas(gpu->sm[i]);
        levels->warps += byw_sm_warps(gpu->sm[i]);
        if (gpu->options->l1d != NULL)
            continue;
        byw_l1d_levels(l1d, &its);
        levels->mshrs += its.mshrs;
        levels->trackers += its.trackers;
        levels->lines += lines_used(byw_l1d_tags(l1d));
    }
}

enum byw_status byw_gpu_look(struct gpu *gpu)
{
    const struct byw_gpu_watch *watch = gpu->options->watch;
    struct byw_gpu_result so_far = {.sm_count = gpu->config->sm_count};
    struct byw_gpu_levels levels;

    if (watch == NULL)
        return BYW_OK;
    so_far.sm = calloc(so_far.sm_count, sizeof(*so_far.sm));
    if (so_far.sm == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", so_far.sm_count);
    count_all(gpu, &so_far);
    take_levels(gpu, &levels);
    gpu->look = watch->look(watch->ctx, &so_far, &levels);
    free(so_far.sm);
    return BYW_OK;
}
