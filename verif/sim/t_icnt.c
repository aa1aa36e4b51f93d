/* SPDX-License-Identifier: Apache-2.0
 *
 * The crossbar: one packet per output and per input in a cycle, fairness, back-pressure, order.
 */
#include "memsys_rig.h"
#include "sim/memory/byw_icnt.h"
#include "sim/timing_keys.h"

struct rig {
    struct byw_config config;
    struct byw_packet_pool pool;
    struct byw_icnt icnt;
};

static void rig_start(struct rig *rig, uint32_t inputs, uint32_t outputs, uint32_t in_limit,
                      uint32_t out_limit)
{
    rig_config(&rig->config);
    rig->config.icnt_in_packets = in_limit;
    rig->config.icnt_out_packets = out_limit;
    rig_pool_init(&rig->pool, 65536);
    assert_int_equal(byw_icnt_init(&rig->icnt, inputs, outputs, &rig->config, true), BYW_OK);
}

static void rig_end(struct rig *rig)
{
    byw_icnt_free(&rig->icnt);
    free(rig->pool.packet);
}

static void push(struct rig *rig, uint32_t input, uint32_t output, uint32_t id)
{
    uint32_t p = rig_packet(&rig->pool, 0, id, BYW_TXN_READ, 128);

    rig->pool.packet[p].dest = (uint16_t)output;
    rig->pool.packet[p].txn.sm = (uint16_t)input;
    byw_icnt_push(&rig->icnt, &rig->pool, input, p);
}

/* Takes the front packet of an output, frees and returns it. */
static struct byw_txn pop(struct rig *rig, uint32_t output)
{
    uint32_t p = byw_icnt_pop(&rig->icnt, &rig->pool, output);
    struct byw_txn txn = rig->pool.packet[p].txn;

    byw_pool_give(&rig->pool, p);
    return txn;
}

static void transfer(struct rig *rig)
{
    byw_icnt_transfer(&rig->icnt, &rig->pool, 0);
}

static void a_packet_crosses_in_one_cycle(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, 15, 6, 512, 512);
    push(&rig, 3, 5, 42);
    assert_int_equal(byw_icnt_front(&rig.icnt, 5), BYW_NO_PACKET);
    transfer(&rig);
    assert_int_not_equal(byw_icnt_front(&rig.icnt, 5), BYW_NO_PACKET);
    assert_int_equal(pop(&rig, 5).id, 42);
    assert_int_equal(byw_icnt_front(&rig.icnt, 5), BYW_NO_PACKET);
    rig_end(&rig);
}

static void an_output_takes_one_packet_per_cycle(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, 15, 6, 512, 512);
    for (uint32_t i = 0; i < 15; i++)
        push(&rig, i, 2, i);
    for (uint32_t n = 1; n <= 15; n++) {
        transfer(&rig);
        assert_int_equal(rig.icnt.out[2].count, n);
    }
    transfer(&rig);
    assert_int_equal(rig.icnt.out[2].count, 15);
    for (uint32_t i = 0; i < 15; i++)
        assert_int_equal(pop(&rig, 2).id, i);
    rig_end(&rig);
}

static void an_input_sends_one_packet_per_cycle(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, 2, 4, 512, 512);
    for (uint32_t o = 0; o < 4; o++) {
        push(&rig, 0, o, o);
        rig.icnt.closed = rig.icnt.full; /* as if in different cycles, with the crossbar stalled */
    }
    for (uint32_t o = 0; o < 4; o++) {
        transfer(&rig);
        assert_int_equal(rig.icnt.at_outputs, o + 1);
        assert_int_equal(rig.icnt.out[o].count, 1);
    }
    rig_end(&rig);
}

static void different_outputs_work_in_one_cycle(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, 6, 6, 512, 512);
    for (uint32_t i = 0; i < 6; i++)
        push(&rig, i, 5 - i, i);
    transfer(&rig);
    for (uint32_t o = 0; o < 6; o++)
        assert_int_equal(pop(&rig, o).id, 5 - o);
    rig_end(&rig);
}

/* Inputs that always compete for one output get equal shares, to within one packet, and each keeps
 * its order. */
static void competing_inputs_get_equal_shares(void **state)
{
    enum { INPUTS = 130, ROUNDS = 50 };
    struct rig rig;
    uint32_t served[INPUTS] = {0};

    (void)state;
    rig_start(&rig, INPUTS, 3, 4, 4);
    for (uint32_t cycle = 0; cycle < INPUTS * ROUNDS; cycle++) {
        struct byw_txn txn;

        for (uint32_t i = 0; i < INPUTS; i++)
            while (byw_icnt_ready(&rig.icnt, i))
                push(&rig, i, 1, cycle);
        transfer(&rig);
        txn = pop(&rig, 1);
        served[txn.sm]++;
    }
    for (uint32_t i = 0; i < INPUTS; i++)
        assert_int_equal(served[i], ROUNDS);
    rig_end(&rig);
}

static void a_full_output_stalls_its_inputs(void **state)
{
    struct rig rig;
    uint32_t entered = 0;

    (void)state;
    rig_start(&rig, 1, 2, 3, 2);
    for (int cycle = 0; cycle < 20; cycle++) {
        if (byw_icnt_ready(&rig.icnt, 0))
            push(&rig, 0, 0, entered++);
        transfer(&rig);
    }
    assert_int_equal(entered, 3 + 2);
    assert_false(byw_icnt_ready(&rig.icnt, 0));
    /* A packet that leaves makes room for one; no packet is lost or overtaken. */
    for (uint32_t n = 0; n < 5; n++) {
        assert_int_equal(pop(&rig, 0).id, n);
        transfer(&rig);
        assert_true(byw_icnt_ready(&rig.icnt, 0));
    }
    assert_int_equal(rig.icnt.at_inputs + rig.icnt.at_outputs, 0);
    assert_int_equal(rig.pool.in_use, 0);
    rig_end(&rig);
}

/* With its output closed, an input accepts as many packets as it has room for, one per cycle, and
 * one more in the cycle after a packet crosses. */
static void input_buffer_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;
        uint32_t id = 0;

        rig_start(&rig, 2, 2, 100, 1);
        *timing_key(state, &rig.config) = n;
        byw_icnt_free(&rig.icnt);
        assert_int_equal(byw_icnt_init(&rig.icnt, 2, 2, &rig.config, true), BYW_OK);
        push(&rig, 1, 0, 100); /* fills the output */
        transfer(&rig);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(byw_icnt_ready(&rig.icnt, 0));
            push(&rig, 0, 0, id++);
            transfer(&rig);
        }
        for (uint32_t i = 0; i < 3; i++) {
            assert_false(byw_icnt_ready(&rig.icnt, 0));
            pop(&rig, 0);
            assert_false(byw_icnt_ready(&rig.icnt, 0));
            transfer(&rig);
            assert_true(byw_icnt_ready(&rig.icnt, 0));
            push(&rig, 0, 0, id++);
            transfer(&rig);
        }
        assert_true(byw_icnt_ready(&rig.icnt, 1)); /* the other input has separate room */
        rig_end(&rig);
    }
}

/* An output holds as many packets as it has room for; the next one crosses in the cycle after a
 * packet is taken. */
static void output_buffer_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;

        rig_start(&rig, 2, 2, 100, 1);
        *timing_key(state, &rig.config) = n;
        byw_icnt_free(&rig.icnt);
        assert_int_equal(byw_icnt_init(&rig.icnt, 2, 2, &rig.config, true), BYW_OK);
        for (uint32_t i = 0; i < n + 3; i++) {
            push(&rig, 0, 0, i);
            transfer(&rig);
            assert_int_equal(rig.icnt.out[0].count, i < n ? i + 1 : n);
        }
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(pop(&rig, 0).id, i);
            transfer(&rig);
            assert_int_equal(rig.icnt.out[0].count, n);
            assert_int_equal(rig.icnt.in[0].count, 2 - i);
        }
        rig_end(&rig);
    }
}

/* A blocked head delays a younger packet to a free output (head-of-line blocking). */
static void a_blocked_head_delays_younger_packets(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, 1, 2, 8, 1);
    for (uint32_t n = 0; n < 3; n++) {
        push(&rig, 0, n < 2 ? 0 : 1, n);
        transfer(&rig);
    }
    transfer(&rig);
    assert_int_equal(byw_icnt_front(&rig.icnt, 1), BYW_NO_PACKET);
    assert_int_equal(pop(&rig, 0).id, 0);
    transfer(&rig);
    assert_int_equal(byw_icnt_front(&rig.icnt, 1), BYW_NO_PACKET);
    transfer(&rig);
    assert_int_equal(pop(&rig, 1).id, 2);
    rig_end(&rig);
}

static void an_input_accepts_one_packet_per_cycle(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, 2, 2, 8, 8);
    push(&rig, 0, 0, 1);
    assert_false(byw_icnt_ready(&rig.icnt, 0));
    assert_true(byw_icnt_ready(&rig.icnt, 1));
    transfer(&rig);
    assert_true(byw_icnt_ready(&rig.icnt, 0));
    rig_end(&rig);
}

static void large_packets_take_several_flits(void **state)
{
    struct byw_config config;

    (void)state;
    rig_config(&config); /* flits of 40 bytes, header 8 */
    assert_int_equal(byw_icnt_flits(&config, 0), 1);
    assert_int_equal(byw_icnt_flits(&config, 32), 1);
    assert_int_equal(byw_icnt_flits(&config, 64), 2);
    assert_int_equal(byw_icnt_flits(&config, 128), 4);
}

/* Random traffic: every packet leaves once, at its output, in order per input and output. */
static void every_packet_leaves_once_in_order(void **state)
{
    enum { INPUTS = 70, OUTPUTS = 9 };
    struct rig rig;
    uint64_t seed = rig_seed(), x = seed;
    static uint32_t sent[INPUTS][OUTPUTS], got[INPUTS][OUTPUTS];
    uint64_t inside = 0;

    (void)state;
    memset(sent, 0, sizeof(sent));
    memset(got, 0, sizeof(got));
    rig_start(&rig, INPUTS, OUTPUTS, 6, 3);
    for (uint32_t cycle = 0; cycle < 40000; cycle++) {
        uint32_t before[OUTPUTS];
        bool feed = cycle < 39000;

        for (uint32_t i = 0; i < INPUTS; i++) {
            if (feed && rig_below(&x, 4) == 0 && byw_icnt_ready(&rig.icnt, i)) {
                uint32_t o = rig_below(&x, OUTPUTS);

                push(&rig, i, o, sent[i][o]++);
                inside++;
            }
        }
        for (uint32_t o = 0; o < OUTPUTS; o++)
            before[o] = rig.icnt.out[o].count;
        transfer(&rig);
        for (uint32_t o = 0; o < OUTPUTS; o++) {
            RIG_CHECK(rig.icnt.out[o].count - before[o] <= 1, seed);
            if (rig.icnt.out[o].count > 0 && (!feed || rig_below(&x, 3) != 0)) {
                struct byw_txn txn = pop(&rig, o);

                RIG_CHECK(txn.id == got[txn.sm][o], seed);
                got[txn.sm][o]++;
                inside--;
            }
        }
    }
    RIG_CHECK(inside == 0 && rig.pool.in_use == 0, seed);
    RIG_CHECK(memcmp(sent, got, sizeof(sent)) == 0, seed);
    rig_end(&rig);
}

int main(void)
{
#define ICNT TIMING_KEY
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
        cmocka_unit_test(a_packet_crosses_in_one_cycle),
        cmocka_unit_test(an_output_takes_one_packet_per_cycle),
        cmocka_unit_test(an_input_sends_one_packet_per_cycle),
        cmocka_unit_test(different_outputs_work_in_one_cycle),
        cmocka_unit_test(competing_inputs_get_equal_shares),
        cmocka_unit_test(a_full_output_stalls_its_inputs),
        cmocka_unit_test(a_blocked_head_delays_younger_packets),
        cmocka_unit_test(an_input_accepts_one_packet_per_cycle),
        cmocka_unit_test(large_packets_take_several_flits),
        cmocka_unit_test(every_packet_leaves_once_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
