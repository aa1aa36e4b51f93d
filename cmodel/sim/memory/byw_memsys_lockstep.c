/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys_lockstep.c - SMs and memory side step each cycle together.  An SM's request enters in
 * the cycle in which the SM pushes it, and a reply waits in its SM's buffer until the SM pops it.
 */
#include "sim/memory/byw_memside.h"

static bool lockstep_ready(const struct byw_memsys *memsys, uint32_t sm)
{
    return byw_icnt_ready(memsys->sm_request, sm) && memsys->pool.in_use < memsys->sm_packets;
}

static const struct byw_txn *lockstep_reply(const struct byw_memsys *memsys, uint32_t sm)
{
    if (!byw_bits_test(&memsys->visible, sm))
        return NULL;
    return &memsys->pool.packet[byw_icnt_front(memsys->sm_reply, sm)].txn;
}

static void lockstep_pop(struct byw_memsys *memsys, uint32_t sm)
{
    uint32_t next;

    byw_memside_leave(memsys, sm);
    next = byw_icnt_front(memsys->sm_reply, sm);
    if (next != BYW_NO_PACKET && memsys->pool.packet[next].ready <= memsys->cycle)
        return;
    byw_bits_clear(&memsys->visible, sm);
    if (next != BYW_NO_PACKET && memsys->pool.packet[next].ready < memsys->next_visible)
        memsys->next_visible = memsys->pool.packet[next].ready;
}

static bool lockstep_tight(const struct byw_memsys *memsys)
{
    return memsys->pool.in_use + memsys->margin >= memsys->sm_packets;
}

static const struct byw_memsys_mode lockstep = {
    .ready = lockstep_ready,
    .push = byw_memside_enter,
    .reply = lockstep_reply,
    .pop = lockstep_pop,
    .tight = lockstep_tight,
};

/* Makes replies visible that have arrived at their SMs. */
static void look(struct byw_memsys *memsys)
{
    uint64_t next = UINT64_MAX;

    if (memsys->cycle < memsys->next_visible)
        return;
    for (uint32_t w = 0; w < memsys->visible.words; w++) {
        uint64_t left = memsys->sm_reply->arrived.w[w] & ~memsys->visible.w[w];

        for (; left != 0; left &= left - 1) {
            uint32_t sm = w * 64 + (uint32_t)__builtin_ctzll(left);
            uint64_t at = memsys->pool.packet[byw_icnt_front(memsys->sm_reply, sm)].ready;

            if (at <= memsys->cycle)
                byw_bits_set(&memsys->visible, sm);
            else if (at < next)
                next = at;
        }
    }
    memsys->next_visible = next;
}

void byw_memsys_lockstep(struct byw_memsys *memsys)
{
    memsys->mode = &lockstep;
    byw_bits_init(&memsys->visible, memsys->config.sm_count);
    memsys->next_visible = 0;
    look(memsys);
}

const uint64_t *byw_memsys_replies(const struct byw_memsys *memsys)
{
    return memsys->visible.w;
}

static void crossbar_step(struct byw_memsys *memsys, uint64_t seen)
{
    uint32_t before = memsys->sm_reply->at_outputs;

    byw_memside_cross_requests(memsys);
    byw_memside_cross_replies(memsys, seen);
    if (memsys->sm_reply->at_outputs > before && seen < memsys->next_visible)
        memsys->next_visible = seen;
}

void byw_memsys_tick(struct byw_memsys *memsys)
{
    byw_memside_steps(memsys, byw_memside_l2_step, crossbar_step);
    look(memsys);
}

/* Replies that are already visible wait for their SMs. */
uint64_t byw_memsys_quiet(const struct byw_memsys *memsys)
{
    uint64_t quiet = byw_memside_quiet(memsys);

    for (uint32_t sm = byw_bits_next(&memsys->sm_reply->arrived, 0);
         sm != BYW_BITS_MAX && quiet > 0; sm = byw_bits_next(&memsys->sm_reply->arrived, sm + 1)) {
        uint64_t at = memsys->pool.packet[byw_icnt_front(memsys->sm_reply, sm)].ready;

        if (at > memsys->cycle && at - memsys->cycle < quiet)
            quiet = at - memsys->cycle;
    }
    return quiet;
}

void byw_memsys_skip(struct byw_memsys *memsys, uint64_t cycles)
{
    byw_memside_skip(memsys, cycles);
    look(memsys);
}
