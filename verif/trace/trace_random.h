/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_random.h - random kernels and CTAs that obey the rules of byw_inst.h, for the trace tests.
 *
 * All classes, forms, widths and masks occur, warps of 32 and 64 lanes, regular and irregular
 * addresses, empty warps and CTAs; with machine code, walks that may fit. The same seed gives the
 * same trace.
 */
#ifndef TRACE_RANDOM_H
#define TRACE_RANDOM_H

#include <stdlib.h>
#include <string.h>

#include "trace/byw_machine.h"
#include "trace/file/byw_trace.h"

static inline uint64_t trace_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545f4914f6cdd1dull;
}

static inline uint32_t trace_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((trace_random(state) >> 32) % limit);
}

static inline uint64_t trace_random_mask(uint64_t *state, uint32_t warp_size)
{
    uint64_t all = (warp_size == 64) ? ~0ull : (1ull << warp_size) - 1;

    switch (trace_below(state, 6)) {
    case 0:
        return trace_random(state) & all;
    case 1:
        return 1ull << trace_below(state, warp_size);
    case 2:
        return 0;
    default:
        return all;
    }
}

static inline void trace_random_addresses(uint64_t *state, struct byw_cta *cta,
                                          struct byw_inst *inst)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(inst->mask);
    uint64_t base = trace_random(state) >> trace_below(state, 48);
    uint64_t align = trace_below(state, 4) != 0 ? inst->width : 1;

    if (inst->mask != 0 && trace_below(state, 2) != 0) {
        uint64_t *addr = byw_cta_add_addr(cta, lanes);
        uint32_t spread = trace_below(state, 64);

        inst->form = BYW_FORM_LIST;
        inst->list = cta->addr_count - lanes;
        for (uint32_t i = 0; i < lanes; i++)
            addr[i] = (base + (trace_random(state) >> spread)) / align * align;
    } else {
        inst->form = BYW_FORM_STRIDE;
        inst->base = base / align * align;
        inst->stride = (int32_t)trace_random(state);
        if (trace_below(state, 3) != 0)
            inst->stride = (int32_t)trace_below(state, 64) - 32;
    }
}

static inline void trace_random_inst(uint64_t *state, struct byw_cta *cta, uint32_t warp_size)
{
    struct byw_inst inst = {.count = 1};

    inst.cls = (uint8_t)trace_below(state, BYW_CLASS_COUNT);
    inst.pc = trace_below(state, 40) * 16;
    if (trace_below(state, 50) == 0)
        inst.pc = (uint32_t)trace_random(state);
    inst.mask = trace_random_mask(state, warp_size);
    inst.use = trace_below(state, 12);
    if (trace_below(state, 50) == 0)
        inst.use = (uint32_t)trace_random(state);
    inst.degree = (uint8_t)(1 + trace_below(state, 32));
    if (byw_class_is_memory((enum byw_class)inst.cls) || inst.cls == BYW_CLASS_CONST_LOAD) {
        inst.width = (uint8_t)(1u << trace_below(state, 5));
        if (trace_below(state, 8) != 0)
            trace_random_addresses(state, cta, &inst);
    } else if (inst.cls != BYW_CLASS_BARRIER && inst.cls != BYW_CLASS_EXIT) {
        inst.count = 1 + trace_below(state, 9);
        if (trace_below(state, 100) == 0)
            inst.count = UINT32_MAX - trace_below(state, 3);
    }
    *byw_cta_add_inst(cta) = inst;
}

enum { TRACE_RANDOM_CODE = 24 }; /* most machine instructions of a random kernel */

/* A table with many jumps, calls, waits and ends. */
static inline void trace_random_machine(uint64_t *state, struct byw_machine_inst *inst,
                                        struct byw_machine *machine)
{
    static const uint8_t ops[] = {BYW_MACHINE_BRANCH,  BYW_MACHINE_CALL,     BYW_MACHINE_RETURN,
                                  BYW_MACHINE_EXIT,    BYW_MACHINE_EXIT,     BYW_MACHINE_INT,
                                  BYW_MACHINE_LOAD,    BYW_MACHINE_STORE,    BYW_MACHINE_MEET,
                                  BYW_MACHINE_DIVERGE, BYW_MACHINE_CONVERGE, BYW_MACHINE_BARRIER};

    *machine = (struct byw_machine){
        .arch = 90, .count = 1 + trace_below(state, TRACE_RANDOM_CODE), .inst = inst};
    for (uint32_t i = 0; i < machine->count; i++) {
        uint8_t op = ops[trace_below(state, sizeof(ops))];
        bool jumps = op == BYW_MACHINE_BRANCH || op == BYW_MACHINE_CALL;
        bool barrier = byw_machine_op_has_barrier((enum byw_machine_op)op);

        inst[i] = (struct byw_machine_inst){
            .op = op,
            .write_barrier = BYW_MACHINE_NO_BARRIER,
            .read_barrier = BYW_MACHINE_NO_BARRIER,
            .width = (uint8_t)(barrier ? trace_below(state, 3) : 4),
            .flags = trace_below(state, 3) == 0 ? BYW_MACHINE_CONDITIONAL : 0,
            .line = trace_below(state, 5),
            .target = jumps ? trace_below(state, machine->count) : BYW_MACHINE_NO_TARGET};
        if (op == BYW_MACHINE_CALL)
            inst[i].flags = BYW_MACHINE_FOLLOWED;
    }
}

/* Walks of the lanes of the last warp, in two groups. */
static inline void trace_random_walks(uint64_t *state, const struct byw_kernel *kernel,
                                      struct byw_cta *cta)
{
    uint64_t all = kernel->warp_size == 64 ? ~0ull : (1ull << kernel->warp_size) - 1;
    uint64_t half = trace_random_mask(state, kernel->warp_size);

    for (int group = 0; group < 2; group++) {
        uint64_t bits = trace_random(state), mask = group == 0 ? half : all & ~half;

        if (mask == 0)
            continue;
        byw_cta_add_path(cta, (const uint8_t *)&bits, trace_below(state, 65));
        byw_cta_add_lanes(cta, mask, cta->path_count - 1);
    }
}

/* Fills `cta` with up to `warps` warps of up to `insts` records. */
static inline void trace_random_cta(uint64_t *state, const struct byw_kernel *kernel,
                                    uint32_t warps, uint32_t insts, struct byw_cta *cta)
{
    uint32_t warp_count = trace_below(state, warps + 1);

    byw_cta_clear(cta);
    for (unsigned d = 0; d < 3; d++)
        cta->id[d] = trace_below(state, kernel->grid[d]);
    for (uint32_t w = 0; w < warp_count; w++) {
        uint32_t count = trace_below(state, insts + 1);

        byw_cta_add_warp(cta);
        if (kernel->machine != NULL)
            trace_random_walks(state, kernel, cta);
        for (uint32_t i = 0; i < count; i++)
            trace_random_inst(state, cta, kernel->warp_size);
    }
}

/* `site` has room for 8. */
static inline void trace_random_kernel(uint64_t *state, struct byw_site *site,
                                       struct byw_kernel *kernel)
{
    *kernel = (struct byw_kernel){.code = trace_below(state, 3),
                                  .shared_bytes = trace_below(state, 49152),
                                  .registers = trace_below(state, 64),
                                  .warp_size = 32u << trace_below(state, 2)};
    for (unsigned d = 0; d < 3; d++) {
        kernel->grid[d] = 1 + trace_below(state, 100);
        kernel->block[d] = 1 + trace_below(state, 8);
    }
    memset(kernel->name, 'a' + (int)kernel->code, 1 + trace_below(state, 126));
    kernel->site_count = trace_below(state, 3) == 0 ? 0 : 1 + trace_below(state, 8);
    kernel->site = kernel->site_count != 0 ? site : NULL;
    for (uint32_t i = 0; i < kernel->site_count; i++)
        site[i] = (struct byw_site){.pc = 16 * i + kernel->code,
                                    .line = trace_below(state, 2) + 5,
                                    .block = i / 2,
                                    .argument = (int32_t)trace_below(state, 3) - 1,
                                    .cls = BYW_CLASS_LOAD,
                                    .width = 4,
                                    .flags = (uint8_t)trace_below(state, BYW_SITE_FLAGS + 1)};
}

/* Equality of everything that the format stores: unused address fields and pool order do not
 * count. */
static inline bool trace_same_inst(const struct byw_inst *a, const struct byw_cta *ca,
                                   const struct byw_inst *b, const struct byw_cta *cb)
{
    uint32_t rank = 0;

    if (a->mask != b->mask || a->pc != b->pc || a->count != b->count || a->use != b->use ||
        a->cls != b->cls || a->form != b->form || a->width != b->width || a->degree != b->degree)
        return false;
    if (a->form == BYW_FORM_STRIDE && (a->base != b->base || a->stride != b->stride))
        return false;
    for (uint32_t lane = 0; lane < 64 && a->form == BYW_FORM_LIST; lane++) {
        if (((a->mask >> lane) & 1) == 0)
            continue;
        if (byw_inst_address(a, ca, lane, rank) != byw_inst_address(b, cb, lane, rank))
            return false;
        rank++;
    }
    return true;
}

static inline bool trace_same_cta(const struct byw_cta *a, const struct byw_cta *b)
{
    if (memcmp(a->id, b->id, sizeof(a->id)) != 0 || a->warp_count != b->warp_count ||
        a->inst_count != b->inst_count)
        return false;
    for (uint32_t w = 0; w < a->warp_count; w++) {
        if (a->warp[w].first != b->warp[w].first || a->warp[w].count != b->warp[w].count)
            return false;
    }
    for (uint32_t i = 0; i < a->inst_count; i++) {
        if (!trace_same_inst(&a->inst[i], a, &b->inst[i], b))
            return false;
    }
    return true;
}

static inline bool trace_same_kernel(const struct byw_kernel *a, const struct byw_kernel *b)
{
    if (strcmp(a->name, b->name) != 0 || a->code != b->code ||
        memcmp(a->grid, b->grid, sizeof(a->grid)) != 0 ||
        memcmp(a->block, b->block, sizeof(a->block)) != 0 || a->shared_bytes != b->shared_bytes ||
        a->registers != b->registers || a->warp_size != b->warp_size ||
        a->site_count != b->site_count)
        return false;
    for (uint32_t i = 0; i < a->site_count; i++) {
        const struct byw_site *s = &a->site[i], *t = &b->site[i];

        if (s->pc != t->pc || s->line != t->line || s->block != t->block ||
            s->argument != t->argument || s->cls != t->cls || s->width != t->width ||
            s->flags != t->flags)
            return false;
    }
    return true;
}

#endif
