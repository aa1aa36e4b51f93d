/* SPDX-License-Identifier: Apache-2.0
 *
 * memsys_traffic.h - whole memory systems under random requests: every request is answered once,
 * the conservation laws hold, and skipping quiet cycles changes nothing.
 */
#ifndef MEMSYS_TRAFFIC_H
#define MEMSYS_TRAFFIC_H

#include "memsys_rig.h"
#include "sim/memory/byw_memside.h"

static inline struct byw_memsys *create(const struct byw_config *config)
{
    struct byw_memsys *memsys;
    struct byw_diag diag = {""};

    if (byw_memsys_create(config, &memsys, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return memsys;
}

static inline void check(const struct byw_memsys *memsys)
{
    struct byw_diag diag = {""};

    if (byw_memsys_check(memsys, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static inline void push_txn(struct byw_memsys *memsys, const struct byw_txn *txn)
{
    assert_true(byw_memsys_ready(memsys, txn->sm));
    byw_memsys_push(memsys, txn);
}

static inline void push(struct byw_memsys *memsys, uint32_t sm, uint64_t addr,
                        enum byw_txn_kind kind, uint32_t bytes, uint32_t id)
{
    push_txn(memsys, &(struct byw_txn){.addr = addr,
                                       .id = id,
                                       .bytes = (uint16_t)bytes,
                                       .sm = (uint16_t)sm,
                                       .kind = (uint8_t)kind,
                                       .port = (uint8_t)(id * 7)});
}

/* Number of ticks from a push by SM 0 until its reply is visible. */
static inline uint32_t round_trip(struct byw_memsys *memsys, uint64_t addr, enum byw_txn_kind kind)
{
    uint32_t ticks = 0;

    push(memsys, 0, addr, kind, 128, 1);
    while (byw_memsys_reply(memsys, 0) == NULL) {
        assert_true(ticks < 10000);
        byw_memsys_tick(memsys);
        ticks++;
    }
    byw_memsys_pop(memsys, 0);
    return ticks;
}

struct traffic {
    uint64_t x;
    uint32_t lines; /* footprint */
    bool holes; /* some writes omit a word */
    uint32_t calm; /* average number of opportunities per push */
    uint64_t pushed, expected, replies, digest;
    uint8_t *open; /* per id: 1 while the request waits for its reply */
    struct byw_txn *sent;
    uint32_t ids;
};

static inline void traffic_init(struct traffic *t, uint64_t seed, uint32_t ids, uint32_t lines,
                                uint32_t calm)
{
    memset(t, 0, sizeof(*t));
    t->x = seed;
    t->ids = ids;
    t->lines = lines;
    t->calm = calm;
    t->open = calloc(ids, sizeof(*t->open));
    t->sent = calloc(ids, sizeof(*t->sent));
    assert_non_null(t->open);
    assert_non_null(t->sent);
}

static inline void traffic_end(struct traffic *t)
{
    free(t->open);
    free(t->sent);
}

static inline void take_replies(struct traffic *t, struct byw_memsys *memsys, uint32_t sms)
{
    for (uint32_t sm = 0; sm < sms; sm++) {
        const struct byw_txn *txn = byw_memsys_reply(memsys, sm);

        assert_int_equal((byw_memsys_replies(memsys)[sm / 64] >> sm % 64) & 1, txn != NULL);
        if (txn == NULL)
            continue;
        assert_true(txn->id < t->ids && t->open[txn->id] == 1);
        assert_int_equal(txn->sm, sm);
        assert_int_equal(txn->addr, t->sent[txn->id].addr);
        assert_int_equal(txn->kind, t->sent[txn->id].kind);
        assert_int_equal(txn->bytes, t->sent[txn->id].bytes);
        assert_int_equal(txn->port, t->sent[txn->id].port);
        t->open[txn->id] = 0;
        t->replies++;
        t->digest = (t->digest ^ txn->id ^ memsys->cycle << 20) * UINT64_C(0x100000001b3);
        byw_memsys_pop(memsys, sm);
    }
}

static inline void send_some(struct traffic *t, struct byw_memsys *memsys, uint32_t sms)
{
    static const enum byw_txn_kind kinds[] = {BYW_TXN_READ,  BYW_TXN_READ,     BYW_TXN_READ,
                                              BYW_TXN_WRITE, BYW_TXN_ATOMIC,   BYW_TXN_INST,
                                              BYW_TXN_READ,  BYW_TXN_WRITEBACK};

    for (uint32_t sm = 0; sm < sms; sm++) {
        uint32_t id = (uint32_t)t->pushed, bytes, line = memsys->config.l2_line;
        struct byw_txn txn = {.id = id, .sm = (uint16_t)sm, .port = (uint8_t)(id * 7)};

        if (t->pushed == t->ids || rig_below(&t->x, t->calm) != 0 || !byw_memsys_ready(memsys, sm))
            continue;
        txn.kind = (uint8_t)kinds[rig_below(&t->x, 8)];
        bytes = 32U << rig_below(&t->x, line >= 128 ? 3 : 2);
        txn.bytes = (uint16_t)bytes;
        txn.addr = (uint64_t)rig_below(&t->x, t->lines) * line +
                   (uint64_t)rig_below(&t->x, line / bytes) * bytes;
        if (t->holes && rig_below(&t->x, 2) == 0)
            txn.holes = 1U << rig_below(&t->x, bytes / 4);
        push_txn(memsys, &txn);
        t->sent[id] = txn;
        t->open[id] = txn.kind != BYW_TXN_WRITEBACK;
        t->expected += t->open[id];
        t->pushed++;
    }
}

/* Runs until all ids are sent and answered. */
static inline void run_all(struct traffic *t, struct byw_memsys *memsys, uint32_t sms,
                           uint64_t seed)
{
    uint64_t limit = memsys->cycle + 2000000;

    while (t->pushed < t->ids || !byw_memsys_empty(memsys)) {
        take_replies(t, memsys, sms);
        send_some(t, memsys, sms);
        byw_memsys_tick(memsys);
        if (memsys->cycle % 4096 == 0)
            check(memsys);
        RIG_CHECK(memsys->cycle < limit, seed);
    }
    RIG_CHECK(t->replies == t->expected, seed);
    check(memsys);
    assert_int_equal(memsys->stats.requests, t->ids);
}

/* Bursts of requests with pauses. With skip, quiet cycles are skipped in random steps. */
static inline void run_bursts(const struct byw_config *config, uint64_t seed, bool skip,
                              struct byw_mem_stats *stats, uint64_t *digest, uint64_t *skipped)
{
    struct byw_memsys *memsys = create(config);
    struct traffic t;
    uint64_t portion = ~seed, burst = seed;
    uint64_t next_burst = 0;

    *skipped = 0;
    traffic_init(&t, seed, 6000, 4000, 3);
    t.holes = true;
    while (memsys->cycle < 400000) {
        take_replies(&t, memsys, config->sm_count);
        if (memsys->cycle >= next_burst) {
            for (uint32_t i = 0; i < 1 + rig_below(&burst, 3); i++)
                send_some(&t, memsys, config->sm_count);
            next_burst = memsys->cycle + 1 + rig_below(&burst, 500);
        }
        if (skip) {
            uint64_t quiet = byw_memsys_quiet(memsys);
            uint64_t most = next_burst - memsys->cycle;

            quiet = quiet < most ? quiet : most;
            if (quiet > 1 && rig_below(&portion, 3) == 0)
                quiet = 1 + rig_below(&portion, (uint32_t)quiet);
            if (quiet > 0) {
                byw_memsys_skip(memsys, quiet);
                *skipped += quiet;
                continue;
            }
        }
        byw_memsys_tick(memsys);
    }
    RIG_CHECK(t.replies > 3000, seed);
    *stats = *byw_memsys_stats(memsys);
    *digest = t.digest;
    traffic_end(&t);
    byw_memsys_free(memsys);
}

#endif
