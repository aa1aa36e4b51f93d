/* SPDX-License-Identifier: Apache-2.0
 *
 * hand.h - drives the ports of one L1D cycle by cycle: the test sets the inputs, and records when
 * requests leave for memory and when answers arrive.
 */
#ifndef BYW_HAND_H
#define BYW_HAND_H

#include "common/byw_l1d_host.h"

enum { HAND_FETCHES = 8 };

struct hand {
    struct byw_l1d *l1d;
    struct byw_l1d_in in;
    struct byw_l1d_out out;
    uint64_t cycle, answered; /* answered: cycle of the last answer */
    struct byw_rsp rsp; /* the last answer */
    uint64_t left[HAND_FETCHES]; /* cycles in which requests left */
    struct byw_mem_req fetch[HAND_FETCHES];
    uint32_t fetches;
    uint8_t data[HOST_WHOLE]; /* the bytes of memory's next answer */
};

static inline struct hand hand_new(const struct byw_config *c)
{
    struct hand h = {.in = {.rsp_ready = true, .mem_req_ready = true}};
    struct byw_diag diag;

    assert_int_equal(byw_l1d_create(c, true, &h.l1d, &diag), BYW_OK);
    return h;
}

static inline void hand_cycle(struct hand *h)
{
    byw_l1d_step(h->l1d, &h->in, &h->in.ctrl, &h->out);
    if (h->out.mem_req_valid) {
        assert_true(h->fetches < HAND_FETCHES);
        h->fetch[h->fetches] = h->out.mem_req;
        h->left[h->fetches++] = h->cycle;
    }
    if (h->out.rsp_valid) {
        h->rsp = h->out.rsp;
        h->answered = h->cycle;
    }
    h->cycle++;
}

static inline void hand_until(struct hand *h, uint64_t cycle)
{
    while (h->cycle < cycle)
        hand_cycle(h);
}

/* Sends a request for the first four bytes of a line; it must be accepted in this cycle. */
static inline void hand_ask(struct hand *h, enum byw_op op, uint64_t line, uint8_t hint,
                            uint32_t id)
{
    static const uint8_t data[HOST_WHOLE] = {1, 2, 3, 4};

    h->in.req_valid = true;
    h->in.req = (struct byw_req){.op = (uint8_t)op, .line = line, .hint = hint, .id = id};
    h->in.req.func = h->in.req.id;
    h->in.req.bytes = host_mask(0, 4);
    h->in.req.data = data;
    hand_cycle(h);
    assert_true(h->out.req_ready);
    h->in.req_valid = false;
}

/* Presents memory's answer; it must be accepted in this cycle. */
static inline void hand_answer(struct hand *h, uint8_t kind, uint32_t id)
{
    h->in.mem_rsp_valid = true;
    h->in.mem_rsp = (struct byw_mem_rsp){.data = h->data, .id = id, .kind = kind};
    hand_cycle(h);
    assert_true(h->out.mem_rsp_ready);
    h->in.mem_rsp_valid = false;
}

#endif
