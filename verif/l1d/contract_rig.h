/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_rig.h - a small cache that gets one request at a time, with any byte mask, and records
 * what the request sends to memory.
 */
#ifndef CONTRACT_RIG_H
#define CONTRACT_RIG_H

#include "common/byw_l1d_host.h"

static inline struct byw_config small(uint32_t mode)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_sets = 2;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_mshrs = c.l1d_trackers = 4;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    return c;
}

static inline struct host *make(const char *name, uint32_t store_hit)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_store_hit = store_hit;
    return host_new(name, &c, host_seed(1));
}

/* Sends a request with these bytes, runs until it is answered, and counts memory requests by
 * kind. */
static inline void do_bytes(struct host *h, uint8_t op, uint8_t hint,
                            const struct byw_byte_mask *bytes, uint32_t sent[4])
{
    uint8_t data[HOST_WHOLE];
    struct byw_req req = {.op = op, .hint = hint, .line = 1, .bytes = *bytes, .data = data};
    bool taken = false;

    memset(data, 0x5a, sizeof(data));
    memset(sent, 0, 4 * sizeof(sent[0]));
    req.id = host_free_id(h);
    do {
        taken = host_cycle(h, taken ? NULL : &req) || taken;
        if (h->out.mem_req_valid && h->in.mem_req_ready) {
            sent[h->out.mem_req.kind]++;
            if (h->out.mem_req.kind != BYW_MEM_FILL && h->out.mem_req.kind != BYW_MEM_WRITEBACK)
                assert_memory_equal(&h->out.mem_req.bytes, bytes, sizeof(*bytes));
        }
    } while (!taken || h->outstanding != 0 || !h->out.idle);
}

#endif
