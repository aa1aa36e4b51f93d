/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of launches and of the run, from the SMs, their L1Ds and the memory side.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/byw_gpu_state.h"

void byw_gpu_sum_up(struct gpu *gpu, struct byw_gpu_kernel *sum)
{
    memset(sum, 0, sizeof(*sum));
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        struct byw_sm_counters c;

        byw_sm_catch_up(gpu->sm[i], gpu->now);
        byw_sm_counters(gpu->sm[i], &c);
        sum->warp_instructions += c.warp_instructions;
        sum->thread_instructions += c.thread_instructions;
        byw_stats_add(&sum->l1, byw_cluster_stats(gpu->cluster, i), 1);
    }
    sum->cycles = gpu->now;
}

enum byw_status byw_gpu_book_kernel(struct gpu *gpu, const struct byw_kernel *kernel,
                                    const struct byw_gpu_kernel *before)
{
    struct byw_gpu_result *r = gpu->result;
    struct byw_gpu_kernel *k;

    if (r->kernel_count == gpu->kernel_room) {
        uint32_t room = gpu->kernel_room == 0 ? 64 : 2 * gpu->kernel_room;
        void *p = realloc(r->kernel, room * sizeof(*r->kernel));

        if (p == NULL)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for launch %u",
                                kernel->launch);
        r->kernel = p;
        gpu->kernel_room = room;
    }
    k = &r->kernel[r->kernel_count++];
    byw_gpu_sum_up(gpu, k);
    k->cycles -= before->cycles;
    k->warp_instructions -= before->warp_instructions;
    k->thread_instructions -= before->thread_instructions;
    byw_stats_add(&k->l1, &before->l1, (uint64_t)-1);
    memcpy(k->name, kernel->name, sizeof(k->name));
    k->launch = kernel->launch;
    k->code = kernel->code;
    k->code_at = (uint32_t)byw_gpu_code_address(gpu, kernel);
    return BYW_OK;
}

void byw_gpu_book_run(struct gpu *gpu)
{
    struct byw_gpu_result *r = gpu->result;

    r->cycles = gpu->now;
    r->mem = *byw_memsys_stats(gpu->memsys);
    for (uint32_t i = 0; i < r->sm_count; i++) {
        struct byw_sm_counters c;

        byw_sm_catch_up(gpu->sm[i], gpu->now);
        byw_sm_counters(gpu->sm[i], &c);
        r->sm[i].l1 = *byw_cluster_stats(gpu->cluster, i);
        r->sm[i].cycles_active = c.cycles_active;
        r->sm[i].warp_instructions = c.warp_instructions;
        byw_stats_add(&r->l1, &r->sm[i].l1, 1);
        r->warp_instructions += c.warp_instructions;
        r->thread_instructions += c.thread_instructions;
        r->coalesced += c.coalesced;
        r->shared_conflict_cycles += c.shared_conflict_cycles;
        r->icache_misses += c.icache_misses;
        for (uint32_t s = 0; s < BYW_SLOT_COUNT; s++)
            r->core_stall[s] += c.slot[s];
    }
}
