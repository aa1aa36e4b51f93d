/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 13 to 17 of the allocate-on-fill L1D (rtl/doc/l1d_pipeline.md): rules of the whole cache,
 * and its bypass mechanisms. Rules 1 to 12: t_l1d_fill.c.
 */
#include "l1d/fill_rig.h"

/* 13: kernel start and INVALIDATE drop lines and fetches in flight; merged loads are answered. */
static void kernel_start_and_invalidate_drop_lines_and_fills_in_flight(void **state)
{
    struct byw_config c = config(4, 48, 4);
    uint32_t wait;

    (void)state;
    for (wait = 0; wait < 60; wait++) {
        struct host *h = make("kernel start", &c);
        uint32_t id;

        load(h, 1, 0);
        id = send(h, BYW_OP_LOAD, 2, 0);
        idle_cycles(h, 3 + wait / 2); /* it is decided by then */
        if (wait % 2 == 0)
            h->kernel_start = true;
        else
            host_send(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
        host_drain(h);
        host_check(h);
        assert_int_equal(h->rsp_served[id], BYW_SERVED_FILL);
        assert_false(hits(h, 1, 0));
        if (wait < 36)
            assert_false(hits(h, 2, 0));
        finish(h);
    }
}

/* 14: hints: .cs inserts as the next victim, .cg follows bypass_on_hit, volatile drops the line. */
static void hints_take_effect_at_the_install(void **state)
{
    struct byw_config c = config(1, 3, 4);
    struct host *h = make("hints", &c);
    uint32_t id;

    (void)state;
    load(h, 1, 0);
    load(h, 2, 0);
    h->sector = 0;
    host_do(h, BYW_OP_LOAD, 3, BYW_HINT_STREAM);
    h->sector = 1;
    host_do(h, BYW_OP_LOAD, 3, BYW_HINT_STREAM); /* joins the line and does not touch it */
    load(h, 4, 0);
    assert_true(hits(h, 1, 0) && hits(h, 2, 0) && hits(h, 4, 0));
    assert_false(hits(h, 3, 1));
    host_free(h);

    c.byp_on_hit = BYW_BYP_SERVE;
    h = make("hints, serve", &c);
    load(h, 1, 0);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), 3);
    h->sector = 1; /* a sector miss bypasses */
    assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), h->latency + 4);
    id = send(h, BYW_OP_LOAD, 1, 2);
    host_send(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    host_send(h, BYW_OP_LOAD, 1, BYW_HINT_VOLATILE);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 1); /* served by the pending sector */
    assert_int_equal(h->rsp_served[id], BYW_SERVED_FILL);
    assert_false(hits(h, 1, 2)); /* the volatile load detached the fetch */
    assert_true(hits(h, 1, 0)); /* and it kept the line, which did not have that sector */
    h->sector = 0;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_VOLATILE);
    assert_false(hits(h, 1, 0));
    finish(h);
}

/* 14: with bypass_on_hit = ignore a bypassing load leaves the copy, and in mode bypass_all every
 * load bypasses and installs nothing. */
static void a_bypass_leaves_the_copy_and_bypass_all_makes_none(void **state)
{
    struct byw_config c = config(1, 3, 4);
    struct host *h;

    (void)state;
    c.byp_on_hit = BYW_BYP_IGNORE;
    h = make("hints, ignore", &c);
    load(h, 1, 0);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), h->latency + 4);
    assert_true(hits(h, 1, 0));
    finish(h);

    c.policy_mode = BYW_MODE_BYPASS_ALL;
    h = make("bypass_all", &c);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(load(h, 1, 0), h->latency + 4);
    assert_int_equal(h->ev[BYW_EV_FILL], 0);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 3);
    finish(h);
}

/* 15: unsupported configurations are refused with a sentence. */
static void unsupported_configurations_are_rejected_by_name(void **state)
{
    struct byw_config c = config(4, 4, 4);
    struct byw_l1d *l1d = NULL;
    struct byw_diag diag;

    (void)state;
    c.policy_mode = BYW_MODE_DECOUPLED;
    assert_int_equal(byw_l1d_create(&c, false, &l1d, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "on_miss"));
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_alloc = BYW_ALLOC_ON_MISS;
    assert_int_equal(byw_l1d_create(&c, false, &l1d, &diag), BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "on_fill"));
    assert_null(l1d);
}

/* 16: bypass mode leaves tags and MSHRs alone; stores keep lines current. */
static void bypass_mode_leaves_tags_and_mshrs_unchanged(void **state)
{
    struct byw_config c = config(4, 48, 4);
    struct host *h;

    (void)state;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    h = make("bypass mode", &c);
    load(h, 1, 0);
    h->bypass = true;
    assert_int_equal(load(h, 1, 0), h->latency + 4);
    h->sector = 0;
    host_do(h, BYW_OP_STORE, 1, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOCAL_STORE, 1, BYW_HINT_NONE);
    assert_int_equal(load(h, 2, 0), h->latency + 4);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 2);
    assert_int_equal(h->ev[BYW_EV_FILL], 1);
    h->bypass = false;
    assert_true(hits(h, 1, 0)); /* the line has the stored bytes */
    finish(h);
}

/* 17: the PC predictor. A line takes the PC hash from its MSHR's load. Eviction by an install
 * increments its counter; a hit, and a fill that answers merged loads, decrement it. A sector
 * miss reads the counter but does not change it. */
static void the_pc_predictor_trains_at_the_install(void **state)
{
    struct byw_config c = config(1, 1, 4);
    struct host *h;
    const uint8_t *counter;

    (void)state;
    c.pc_on = 1;
    c.pc_duel = 0;
    c.pc_sample = 0;
    c.pc_init = 0;
    c.pc_threshold = 2;
    h = make("pc predictor", &c);
    h->pc = 0x1234;
    counter = &h->l1d->pred.table.counter[byw_pc_table_hash(&h->l1d->pred.table, h->pc)];
    load(h, 0, 0);
    load(h, 1, 0);
    assert_int_equal(*counter, 1);
    assert_true(hits(h, 1, 0));
    assert_int_equal(*counter, 0);
    load(h, 1, 1);
    assert_int_equal(*counter, 0);
    load(h, 2, 0);
    load(h, 3, 0);
    assert_int_equal(*counter, 2);
    assert_int_equal(load(h, 4, 0), h->latency + 4); /* dead: bypasses */
    assert_int_equal(load(h, 3, 1), h->latency + 4); /* a sector miss too */
    assert_true(hits(h, 3, 0));
    assert_int_equal(*counter, 1);
    send(h, BYW_OP_LOAD, 5, 0);
    send(h, BYW_OP_LOAD, 5, 0);
    host_drain(h);
    assert_int_equal(*counter, 1); /* incremented for line 3, decremented for the merged load */
    assert_true(hits(h, 5, 0));
    finish(h);
}

/* 17: a line keeps the hash of the load that allocated it when another load adds a sector: the
 * first load's PC is blamed for the eviction. */
static void the_pc_that_made_the_line_is_blamed(void **state)
{
    struct byw_config c = config(1, 1, 4);
    const uint32_t maker = 0x1234, other = 0x1238;
    struct byw_pc_table *table;
    struct host *h;

    (void)state;
    c.pc_on = 1;
    c.pc_duel = 0;
    c.pc_init = 0;
    h = make("maker", &c);
    table = &h->l1d->pred.table;
    h->pc = maker;
    load(h, 0, 0);
    h->pc = other;
    load(h, 0, 1);
    load(h, 1, 0);
    assert_int_equal(table->counter[byw_pc_table_hash(table, maker)], 1);
    assert_int_equal(table->counter[byw_pc_table_hash(table, other)], 0);
    finish(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_start_and_invalidate_drop_lines_and_fills_in_flight),
        cmocka_unit_test(hints_take_effect_at_the_install),
        cmocka_unit_test(a_bypass_leaves_the_copy_and_bypass_all_makes_none),
        cmocka_unit_test(unsupported_configurations_are_rejected_by_name),
        cmocka_unit_test(bypass_mode_leaves_tags_and_mshrs_unchanged),
        cmocka_unit_test(the_pc_predictor_trains_at_the_install),
        cmocka_unit_test(the_pc_that_made_the_line_is_blamed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
