/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_cta.c - CTAs of an SM: how many fit, barriers, and their end.
 */
#include "sim/sm/byw_sm_state.h"

static uint32_t warps_per_cta(const struct byw_kernel *kernel)
{
    uint64_t threads = (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];

    return (uint32_t)((threads + kernel->warp_size - 1) / kernel->warp_size);
}

uint32_t byw_sm_cta_shared(const struct byw_config *config, const struct byw_kernel *kernel)
{
    return kernel->shared_bytes + config->sm_cta_shared;
}

/* Whether the registers are those that an assembler assigned; otherwise they are an estimate. */
static bool is_compiled(const struct byw_config *config, const struct byw_kernel *kernel)
{
    return config->sm_compiled_registers && kernel->compiled_registers != 0;
}

/* Warps whose registers fit in an SM; UINT32_MAX: the kernel's registers are not known. */
static uint32_t warps_by_registers(const struct byw_config *config, const struct byw_kernel *kernel)
{
    uint32_t unit = config->sm_register_unit, files = config->sm_register_files;
    uint32_t wanted = is_compiled(config, kernel) ? kernel->compiled_registers : kernel->registers;
    uint32_t own = wanted < config->sm_thread_registers ? wanted : config->sm_thread_registers;
    uint32_t registers = (own + unit - 1) / unit * unit * kernel->warp_size;

    return registers == 0 ? UINT32_MAX : config->sm_registers / files / registers * files;
}

/* CTAs whose registers fit in an SM. A compiler for this SM would spill until one does, so an
 * estimate alone never refuses a kernel. */
static uint32_t ctas_by_registers(const struct byw_config *config, const struct byw_kernel *kernel,
                                  uint32_t warps)
{
    uint32_t ctas = warps_by_registers(config, kernel) / warps;

    return ctas == 0 && !is_compiled(config, kernel) ? 1 : ctas;
}

uint32_t byw_sm_occupancy(const struct byw_config *config, const struct byw_kernel *kernel)
{
    uint32_t warps = warps_per_cta(kernel);
    uint32_t threads = warps * kernel->warp_size;
    uint32_t shared = byw_sm_cta_shared(config, kernel);
    uint32_t limit = config->sm_ctas;

    if (warps == 0)
        return 0;
    if (limit > config->sm_warps / warps)
        limit = config->sm_warps / warps;
    if (limit > config->sm_threads / threads)
        limit = config->sm_threads / threads;
    if (limit > ctas_by_registers(config, kernel, warps))
        limit = ctas_by_registers(config, kernel, warps);
    if (shared != 0 && limit > config->sm_shared_bytes / shared)
        limit = config->sm_shared_bytes / shared;
    return limit;
}

enum byw_status byw_sm_check(const struct byw_config *config, const struct byw_kernel *kernel,
                             struct byw_diag *diag)
{
    if (kernel->warp_size != config->sm_lanes)
        return byw_diag_set(
            diag, BYW_EINVAL,
            "kernel %s (launch %u): warps of %u lanes, but the machine's have %u; capture with "
            "--warp %u, or --set sm.warp_lanes=%u",
            kernel->name, kernel->launch + 1, kernel->warp_size, config->sm_lanes, config->sm_lanes,
            kernel->warp_size);
    if (byw_sm_occupancy(config, kernel) != 0)
        return BYW_OK;
    return byw_diag_set(
        diag, BYW_EINVAL,
        "kernel %s (launch %u): a CTA of %ux%ux%u threads, %u registers per thread and %u bytes of "
        "scratchpad does not fit in an SM (sm.threads %u, .warps %u, .registers %u, .shared_bytes "
        "%u)",
        kernel->name, kernel->launch + 1, kernel->block[0], kernel->block[1], kernel->block[2],
        kernel->registers, kernel->shared_bytes, config->sm_threads, config->sm_warps,
        config->sm_registers, config->sm_shared_bytes);
}

void byw_sm_launch(struct byw_sm *sm, const struct byw_kernel *kernel, uint64_t code)
{
    sm->cta_limit = byw_sm_occupancy(sm->config, kernel);
    sm->fetch.code = code;
    sm->launch = true;
    byw_units_launch(&sm->units, kernel->warp_size);
    byw_stages_launch(&sm->stages, kernel->warp_size);
    byw_throttle_launch(&sm->throttle);
    sm->kernel_pc = kernel->code;
    sm->warps.schedule.taken = sm->config->machine_branch;
    if (byw_schedule_launch(&sm->warps.schedule, kernel, sm->config->machine_code != 0) != BYW_OK &&
        sm->warps.status == BYW_OK)
        sm->warps.status = byw_no_memory(&sm->warps.diag, "the schedule of machine code");
    if (sm->warps.stalls != NULL)
        byw_stalls_launch(sm->warps.stalls, sm->warps.schedule.machine);
}

void byw_sm_advise(struct byw_sm *sm, const struct byw_load_hints *advice)
{
    sm->ldst.advice = advice;
    sm->sent_pc = UINT32_MAX; /* no load has this PC */
}

bool byw_sm_has_room(const struct byw_sm *sm)
{
    return sm->ctas < sm->cta_limit;
}

uint32_t byw_sm_ctas(const struct byw_sm *sm)
{
    return sm->ctas;
}

uint32_t byw_sm_warps(const struct byw_sm *sm)
{
    return byw_popcount64(sm->warps.live);
}

void byw_sm_check_barrier(struct byw_sm *sm, struct byw_cta_slot *slot, uint64_t now)
{
    uint64_t running = slot->warps & ~sm->warps.ended;
    uint64_t arrived = slot->arrived;

    if (arrived == 0 || (running & ~arrived) != 0)
        return;
    slot->arrived = 0;
    byw_warps_release(&sm->warps, arrived, now, slot->last_arrival + sm->config->lat_barrier);
}

void byw_sm_retire(struct byw_sm *sm, uint64_t now)
{
    for (uint64_t m = sm->warps.drained; m != 0; m &= m - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(m);
        struct byw_cta_slot *slot = &sm->slot[sm->warps.warp[w].cta_slot];

        if (sm->warps.stalls != NULL)
            byw_stalls_until(sm->warps.stalls, w, BYW_STALL_DRAIN, now);
        byw_warps_remove(&sm->warps, w);
        slot->warps &= ~((uint64_t)1 << w);
        byw_sm_check_barrier(sm, slot, now);
        if (slot->warps == 0) {
            slot->used = false;
            sm->ctas--;
        }
    }
}
