/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory side in two halves, each with a clock of its own, while SMs are ahead.  The inlet is
 * the request crossbar up to the slices' delay lines; all behind these lines, the slices for short,
 * sees of it only packets that have been on a line for l2.rop_latency cycles.  So slices can be
 * ahead of the inlet by that many, and the inlet needs of them only when they took packets, which
 * their gates tell.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/memory/byw_memsys_parts.h"

enum {
    LEAD_MAX = 200, /* so that all fits into BYW_AHEAD_MAX cycles */
    BLOCK = 16, /* cycles */
    BLOCKS = BYW_AHEAD_MAX / BLOCK,
};

/* Edges of a clock in a core cycle, at most. */
static uint32_t edges_per_cycle(const struct byw_memsys *memsys, enum byw_domain domain)
{
    return memsys->clock.f[domain] / memsys->clock.f[BYW_CLOCK_CORE] + 1;
}

/* With GL1s replies come from before the L2.  A slice's edge late in a core cycle sees the next
 * cycle's number, and so packets a cycle earlier. */
static uint32_t lead(const struct byw_memsys *memsys)
{
    uint32_t rop = memsys->config.l2_rop;

    if (memsys->gl1 != NULL || rop < 2 ||
        edges_per_cycle(memsys, BYW_CLOCK_L2) > BYW_GATE_TURNS / 2)
        return 0;
    return rop - 1 < LEAD_MAX ? rop - 1 : LEAD_MAX;
}

enum byw_status byw_memsys_inlet_create(struct byw_memsys *memsys)
{
    struct byw_inlet *inlet = aligned_alloc(alignof(struct byw_inlet), sizeof(*inlet));

    memsys->inlet = inlet;
    if (inlet == NULL)
        return BYW_ENOMEM;
    memset(inlet, 0, sizeof(*inlet));
    inlet->lead = lead(memsys);
    inlet->crossings = edges_per_cycle(memsys, BYW_CLOCK_ICNT);
    inlet->words = (memsys->config.sm_count + 63) / 64;
    inlet->booked = calloc((size_t)BYW_AHEAD_MAX * inlet->words, sizeof(*inlet->booked));
    inlet->gate = calloc(memsys->config.l2_slices, sizeof(*inlet->gate));
    return inlet->booked == NULL || inlet->gate == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_memsys_inlet_free(struct byw_memsys *memsys)
{
    if (memsys->inlet == NULL)
        return;
    free(memsys->inlet->booked);
    free(memsys->inlet->gate);
    free(memsys->inlet);
    memsys->inlet = NULL;
}

/* --- the calendar of requests ------------------------------------------------------------- */

static uint64_t *booked(const struct byw_inlet *inlet, uint64_t cycle)
{
    return inlet->booked + cycle % BYW_AHEAD_MAX * inlet->words;
}

void byw_memsys_book(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle)
{
    struct byw_inlet *inlet = memsys->inlet;

    booked(inlet, cycle)[sm / 64] |= UINT64_C(1) << sm % 64;
    inlet->any[cycle % BYW_AHEAD_MAX / 64] |= UINT64_C(1) << cycle % 64;
}

uint64_t byw_memsys_next_booked(const struct byw_memsys *memsys, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t word = memsys->inlet->any[from % BYW_AHEAD_MAX / 64] >> from % 64;

        if (word != 0) {
            from += (uint64_t)__builtin_ctzll(word);
            return from < to ? from : to;
        }
        from += 64 - from % 64;
    }
    return to;
}

bool byw_memsys_take_booked(struct byw_memsys *memsys, uint64_t cycle)
{
    struct byw_inlet *inlet = memsys->inlet;
    uint64_t *any = &inlet->any[cycle % BYW_AHEAD_MAX / 64], *sms = booked(inlet, cycle);

    if ((*any >> cycle % 64 & 1) == 0)
        return false;
    *any &= ~(UINT64_C(1) << cycle % 64);
    for (uint32_t w = 0; w < inlet->words; w++) {
        for (uint64_t left = sms[w]; left != 0; left &= left - 1)
            byw_memsys_take_push(memsys, w * 64 + (uint32_t)__builtin_ctzll(left));
        sms[w] = 0;
    }
    return true;
}

/* --- gates -------------------------------------------------------------------------------- */

/* What the slice told of the edges up to the inlet's. */
static bool gate_open(struct byw_memsys *memsys, uint32_t s)
{
    struct byw_gate *gate = &memsys->inlet->gate[s];

    while (gate->head != gate->tail &&
           gate->turn[gate->head % BYW_GATE_TURNS] <= memsys->inlet->l2_now) {
        gate->now = !gate->now;
        gate->head++;
    }
    return gate->now;
}

/* The slice has been through an edge. */
static void tell_gate(struct byw_memsys *memsys, uint32_t s, uint64_t edge)
{
    struct byw_gate *gate = &memsys->inlet->gate[s];

    if (byw_l2_ready(&memsys->slice[s]) == gate->last)
        return;
    gate->last = !gate->last;
    gate->turn[gate->tail++ % BYW_GATE_TURNS] = edge + 1;
    memsys->inlet->jammed |=
        gate->tail - gate->head + edges_per_cycle(memsys, BYW_CLOCK_L2) > BYW_GATE_TURNS;
}

static void clear_jam(struct byw_memsys *memsys)
{
    uint32_t room = BYW_GATE_TURNS - edges_per_cycle(memsys, BYW_CLOCK_L2);

    memsys->inlet->jammed = false;
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        gate_open(memsys, s);
        memsys->inlet->jammed |= memsys->inlet->gate[s].tail - memsys->inlet->gate[s].head > room;
    }
}

/* --- slices ------------------------------------------------------------------------------- */

static void slices_edge(struct byw_memsys *memsys)
{
    uint64_t now = memsys->l2_now++;

    for (uint32_t w = 0; w < memsys->slice_runs.words; w++) {
        for (uint64_t left = memsys->slice_runs.w[w]; left != 0; left &= left - 1) {
            uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(left);

            if (memsys->slice_wake[s] > memsys->cycle)
                continue;
            byw_memsys_slice_step(memsys, s, now);
            tell_gate(memsys, s, now);
        }
    }
    if (memsys->l3 != NULL)
        byw_memsys_l3_step(memsys, now);
}

static void slices_tick(struct byw_memsys *memsys)
{
    memsys->pool.now = memsys->cycle;
    byw_memsys_steps(memsys, slices_edge, byw_memsys_cross_replies);
}

static void note_returned(struct byw_memsys *memsys)
{
    struct byw_inlet *inlet = memsys->inlet;

    while (inlet->block < memsys->cycle / BLOCK)
        inlet->returned[++inlet->block % BLOCKS] = memsys->pool.returned;
}

uint64_t byw_memsys_inlet_early(const struct byw_memsys *memsys)
{
    const struct byw_inlet *inlet = memsys->inlet;

    return memsys->pool.returned - inlet->returned[inlet->cycle / BLOCK % BLOCKS];
}

/* Beyond the SMs' cycle it is not known whether the launch goes on; but SMs that wait for a reply
 * do not end before it. */
static void run_slices(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    struct byw_inlet *inlet = memsys->inlet;

    if (until > inlet->cycle + inlet->lead)
        until = inlet->cycle + inlet->lead;
    while (memsys->cycle < until && !inlet->jammed) {
        bool owed = memsys->owed > inlet->strays;
        uint64_t quiet, most = (owed || until < known ? until : known) - memsys->cycle;

        if ((memsys->cycle >= known && !owed) || !byw_memsys_replies_fit(memsys, known))
            return;
        quiet = byw_memsys_slices_quiet(memsys);
        if (quiet > 0)
            byw_memsys_skip(memsys, quiet < most ? quiet : most);
        else
            slices_tick(memsys);
        note_returned(memsys);
    }
}

/* --- the inlet ---------------------------------------------------------------------------- */

static void inlet_edge(struct byw_memsys *memsys)
{
    for (uint32_t w = 0; w < memsys->request.arrived.words; w++) {
        for (uint64_t left = memsys->request.arrived.w[w]; left != 0; left &= left - 1) {
            uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(left);
            struct byw_l2 *l2 = &memsys->slice[s];
            uint64_t first;

            if (!gate_open(memsys, s))
                continue;
            byw_l2_push(l2, byw_icnt_pop(&memsys->request, &memsys->pool, s), memsys->inlet->cycle);
            first = memsys->pool.packet[l2->rop.head].ready;
            byw_bits_set(&memsys->slice_runs, s);
            if (memsys->slice_wake[s] > first)
                memsys->slice_wake[s] = first;
        }
    }
    memsys->inlet->l2_now++;
}

static void inlet_tick(struct byw_memsys *memsys)
{
    struct byw_inlet *inlet = memsys->inlet;
    uint32_t count;
    const uint8_t *step = byw_clock_steps(&memsys->clock, inlet->phase, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (step[i] & (1U << BYW_CLOCK_L2))
            inlet_edge(memsys);
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            byw_icnt_transfer(&memsys->request, &memsys->pool, 0);
        if (step[i] & (1U << BYW_CLOCK_CORE))
            memsys->pool.now = ++inlet->cycle;
    }
    inlet->phase = (inlet->phase + 1 < memsys->clock.period) ? inlet->phase + 1 : 0;
}

static void skip_inlet(struct byw_memsys *memsys, uint64_t to)
{
    struct byw_inlet *inlet = memsys->inlet;

    inlet->phase = (uint32_t)((inlet->phase + to - inlet->cycle) % memsys->clock.period);
    inlet->cycle = to;
    inlet->l2_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_L2, to);
}

static void run_inlet(struct byw_memsys *memsys, uint64_t until)
{
    struct byw_inlet *inlet = memsys->inlet;

    while (inlet->cycle < until) {
        memsys->pool.now = inlet->cycle;
        if (!byw_memsys_take_booked(memsys, inlet->cycle) &&
            memsys->request.at_inputs + memsys->request.at_outputs == 0)
            skip_inlet(memsys, byw_memsys_next_booked(memsys, inlet->cycle, until));
        else
            inlet_tick(memsys);
    }
    if (inlet->jammed)
        clear_jam(memsys);
}

/* --- both --------------------------------------------------------------------------------- */

void byw_memsys_inlet_part(struct byw_memsys *memsys)
{
    struct byw_inlet *inlet = memsys->inlet;

    inlet->cycle = memsys->cycle;
    inlet->l2_now = memsys->l2_now;
    inlet->phase = memsys->phase;
    inlet->jammed = false;
    inlet->strays = memsys->owed;
    inlet->block = memsys->cycle / BLOCK;
    for (uint32_t i = 0; i < BLOCKS; i++)
        inlet->returned[i] = memsys->pool.returned;
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        struct byw_gate *gate = &inlet->gate[s];

        gate->now = gate->last = byw_l2_ready(&memsys->slice[s]);
        gate->head = gate->tail = 0;
    }
}

void byw_memsys_inlet_run(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    struct byw_inlet *inlet = memsys->inlet;
    uint64_t slices, requests;

    do {
        slices = memsys->cycle;
        requests = inlet->cycle;
        run_slices(memsys, known, until);
        run_inlet(memsys, memsys->cycle < known ? memsys->cycle : known);
    } while (memsys->cycle != slices || inlet->cycle != requests);
}
