/* SPDX-License-Identifier: Apache-2.0
 *
 * t_dram_order.c - the order in which a DRAM channel serves requests, and its behaviour when a
 * queue is full.
 */
#include "dram_rig.h"

/* Runs until the channel is empty and records the order of the answers. */
static void drain(struct rig *rig, uint32_t *order, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        for (int i = 0; rig->dram.returned.count == 0; i++) {
            assert_true(i < 2000);
            step(rig);
        }
        order[n] = byw_fifo_pop(&rig->pool, &rig->dram.returned);
    }
    assert_true(byw_dram_empty(&rig->dram));
}

static void frfcfs_serves_row_hits_first(void **state)
{
    struct rig rig;
    uint32_t p[5], order[5];

    (void)state;
    rig_config(&rig.config);
    rig_start(&rig);
    p[0] = push(&rig, 3, 1, false, 2);
    step(&rig);
    p[1] = push(&rig, 3, 2, false, 2); /* older, other row */
    p[2] = push(&rig, 3, 1, false, 2);
    p[3] = push(&rig, 3, 3, false, 2);
    p[4] = push(&rig, 3, 1, true, 2);
    drain(&rig, order, 5);
    assert_int_equal(order[0], p[0]);
    assert_int_equal(order[1], p[2]);
    assert_int_equal(order[2], p[4]);
    assert_int_equal(order[3], p[1]);
    assert_int_equal(order[4], p[3]);
    assert_int_equal(rig.stats.dram_requests, 5);
    assert_int_equal(rig.stats.dram_row_hits, 2);
    rig_end(&rig);
}

/* A continuous stream of row hits starves another row, which is served when the stream stops. */
static void row_hits_may_starve_another_row(void **state)
{
    struct rig rig;
    uint32_t victim;

    (void)state;
    rig_config(&rig.config);
    rig_start(&rig);
    push(&rig, 0, 1, false, 2);
    step(&rig);
    victim = push(&rig, 0, 2, false, 2);
    for (int i = 0; i < 1000; i++) {
        while (rig.dram.queued < 4)
            push(&rig, 0, 1, false, 2);
        step(&rig);
        while (rig.dram.returned.count > 0) {
            uint32_t p = byw_fifo_pop(&rig.pool, &rig.dram.returned);

            assert_int_not_equal(p, victim);
            byw_pool_give(&rig.pool, p);
        }
    }
    for (int i = 0; i < 200; i++)
        step(&rig);
    assert_int_equal(rig.dram.returned.tail, victim);
    rig_end(&rig);
}

static void fcfs_keeps_the_order_of_arrival(void **state)
{
    struct rig rig;
    uint32_t p[4], order[4];

    (void)state;
    rig_config(&rig.config);
    rig.config.dram_sched = BYW_DRAM_FCFS;
    rig_start(&rig);
    p[0] = push(&rig, 3, 1, false, 2);
    p[1] = push(&rig, 3, 2, false, 2);
    p[2] = push(&rig, 3, 1, false, 2);
    p[3] = push(&rig, 7, 1, false, 2);
    for (int i = 0; i < 5; i++)
        step(&rig);
    assert_int_equal(rig.dram.serving, 1 << 3); /* bank 7 waits for the second request of bank 3 */
    drain(&rig, order, 4);
    assert_memory_equal(&order[0], &p[0], 2 * sizeof(p[0]));
    rig_end(&rig);
}

/* A full return queue stops data and column commands; nothing is lost. */
static void a_full_return_queue_stops_data(void **state)
{
    struct rig rig;
    uint32_t got = 0;

    (void)state;
    rig_config(&rig.config);
    rig.config.dram_return = 2;
    rig_start(&rig);
    for (uint32_t i = 0; i < 12; i++)
        push(&rig, i, 1, false, 2);
    for (int i = 0; i < 500; i++)
        step(&rig);
    assert_int_equal(rig.dram.returned.count, 2);
    assert_true(rig.stats.dram_reads < 24);
    for (int i = 0; i < 500; i++) {
        if (rig.dram.returned.count > 0) {
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
            got++;
        }
        step(&rig);
    }
    assert_int_equal(got, 12);
    assert_true(byw_dram_empty(&rig.dram));
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frfcfs_serves_row_hits_first),
        cmocka_unit_test(row_hits_may_starve_another_row),
        cmocka_unit_test(fcfs_keeps_the_order_of_arrival),
        cmocka_unit_test(a_full_return_queue_stops_data),
    };

    return cmocka_run_group_tests_name("dram_order", tests, NULL, NULL);
}
