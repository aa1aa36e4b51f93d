/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l1d_events - for each state that an access finds, the events that it raises, each once, and no
 * others (record/byw_events.def).
 */
#include "common/byw_l1d_host.h"

#define E(name) (UINT32_C(1) << BYW_EV_##name)

enum {
    LOOKS = E(TAG_READ),
    WRITES_TAG = E(TAG_READ) | E(TAG_WRITE),
    FETCHES = E(MISS) | E(MEM_READ) | E(FILL) | E(DATA_WRITE) | WRITES_TAG,
};

/* A set has one line: lines 1 and 33 evict each other. */
static struct host *make(uint32_t look)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_ways = 1;
    c.l1d_look = look;
    return host_new("events", &c, host_seed(1));
}

/* Expects exactly the events `want` since the last call. */
static void expect(struct host *h, uint64_t before[], uint32_t want)
{
    for (uint32_t e = 0; e < BYW_EV_COUNT; e++) {
        if (h->ev[e] - before[e] != (want >> e & 1))
            fail_msg("event %u: %d times", e, (int)(h->ev[e] - before[e]));
        before[e] = h->ev[e];
    }
}

static void each_access_raises_its_events(void **state)
{
    static const struct {
        uint8_t op;
        uint8_t line;
        uint8_t hint;
        uint32_t want;
    } step[] = {
        {BYW_OP_LOAD, 1, 0, E(LOAD) | FETCHES},
        {BYW_OP_LOAD, 1, 0, E(LOAD) | E(HIT) | E(DATA_READ) | WRITES_TAG},
        {BYW_OP_LOCAL_STORE, 1, 0, E(STORE) | E(HIT) | E(STORE_HIT) | E(DATA_WRITE) | WRITES_TAG},
        {BYW_OP_FLUSH, 0, 0, E(DATA_READ) | E(MEM_WRITE)},
        {BYW_OP_STORE, 1, 0, /* evicts a line that was used */
         E(STORE) | E(HIT) | E(STORE_HIT) | E(EVICT) | E(MEM_WRITE) | WRITES_TAG},
        {BYW_OP_STORE, 1, 0, E(STORE) | E(MISS) | E(MEM_WRITE) | LOOKS},
        {BYW_OP_LOCAL_STORE, 1, 0, E(STORE) | E(MISS) | E(MEM_WRITE) | LOOKS},
        {BYW_OP_ATOMIC, 1, 0, E(ATOMIC) | E(MEM_READ) | LOOKS},
        {BYW_OP_LOAD, 1, 0, E(LOAD) | FETCHES},
        {BYW_OP_ATOMIC, 1, 0, E(ATOMIC) | E(EVICT) | E(EVICT_ZERO) | E(MEM_READ) | WRITES_TAG},
        {BYW_OP_LOAD, 1, 0, E(LOAD) | FETCHES},
        {BYW_OP_LOAD, 33, 0, E(LOAD) | FETCHES | E(EVICT) | E(EVICT_ZERO)},
        {BYW_OP_LOAD, 33, 0, E(LOAD) | E(HIT) | E(DATA_READ) | WRITES_TAG},
        {BYW_OP_LOAD, 1, 0, E(LOAD) | FETCHES | E(EVICT)},
        {BYW_OP_LOAD, 4, BYW_HINT_BYPASS, E(LOAD) | E(BYPASS) | E(MEM_READ) | LOOKS},
        {BYW_OP_FLUSH, 0, 0, 0},
        {BYW_OP_INVALIDATE, 0, 0, 0}, /* no eviction */
        {BYW_OP_LOCAL_LOAD, 1, 0, E(LOAD) | FETCHES},
    };

    (void)state;
    for (uint32_t look = 0; look < 2; look++) {
        uint64_t before[BYW_EV_COUNT] = {0};
        struct host *h = make(look);

        for (uint32_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
            host_do(h, step[i].op, step[i].line, step[i].hint);
            expect(h, before, step[i].want);
        }
        host_free(h);
    }
}

/* A load of a pending line merges; a store to one takes the line from its fill, which then writes
 * nothing. */
static void an_access_to_a_pending_line_is_no_miss(void **state)
{
    (void)state;
    for (uint32_t look = 0; look < 2; look++) {
        uint64_t before[BYW_EV_COUNT] = {0};
        struct host *h = make(look);

        h->latency = 100;
        host_send(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
        idle_cycles(h, 10);
        expect(h, before, E(LOAD) | E(MISS) | E(MEM_READ) | WRITES_TAG);
        host_send(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
        idle_cycles(h, 10);
        expect(h, before, E(LOAD) | E(HIT_PENDING) | WRITES_TAG);
        host_send(h, BYW_OP_STORE, 3, BYW_HINT_NONE);
        idle_cycles(h, 10);
        expect(h, before, E(STORE) | E(HIT_PENDING) | E(MEM_WRITE) | WRITES_TAG);
        host_drain(h);
        expect(h, before, 0);
        host_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_access_raises_its_events),
        cmocka_unit_test(an_access_to_a_pending_line_is_no_miss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
