/* SPDX-License-Identifier: Apache-2.0
 *
 * t_shadow - which bypasses count as false positives of the PC predictor, at the exact number of
 * ways and accesses. One set of four ways unless a test says otherwise.
 */
#include "common/test.h"
#include "l1d/byw_l1d.h"
#include "l1d/byw_shadow.h"
#include "policy/byw_policy_events.h"

static struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.pc_on = 1;
    c.l1d_sets = 1;
    c.l1d_ways = 4;
    return c;
}

static struct byw_shadow make(const struct byw_config *c)
{
    struct byw_shadow s;

    assert_int_equal(byw_shadow_init(&s, c, c->pc_on != 0), BYW_OK);
    return s;
}

/* An access enters the L1 and is decided in the next cycle; passes: the predictor lets it
 * bypass. */
static bool act(struct byw_shadow *s, enum byw_op op, uint64_t line, uint32_t byte, bool passes)
{
    static const uint32_t event[] = {BYW_EV_LOAD, BYW_EV_STORE, BYW_EV_ATOMIC, BYW_EV_LOAD,
                                     BYW_EV_STORE};
    struct byw_l1d_in in = {.req_valid = true};
    struct byw_l1d_out out = {.req_ready = true};

    in.req.op = (uint8_t)op;
    in.req.line = line;
    in.req.bytes.w[byte / 64] = UINT64_C(1) << byte % 64;
    assert_false(byw_shadow_step(s, &in, &out));
    in.req_valid = false;
    out.events = UINT32_C(1) << event[op];
    out.policy_events = passes ? byw_pev(BYW_PEV_PC_BYPASS) : 0;
    return byw_shadow_step(s, &in, &out);
}

static bool load(struct byw_shadow *s, uint64_t line)
{
    return act(s, BYW_OP_LOAD, line, 0, false);
}

static bool pass(struct byw_shadow *s, uint64_t line)
{
    return act(s, BYW_OP_LOAD, line, 0, true);
}

/* With three other lines in between the bypassed line would have hit; with four it would have been
 * evicted. */
static void a_bypass_is_wrong_if_the_line_would_have_hit(void **state)
{
    struct byw_config c = config();

    (void)state;
    for (uint64_t others = 0; others <= 4; others++) {
        struct byw_shadow s = make(&c);

        assert_false(pass(&s, 100));
        for (uint64_t i = 0; i < others; i++)
            assert_false(load(&s, i));
        assert_int_equal(load(&s, 100), others < 4);
        byw_shadow_release(&s);
    }
}

/* A cached line is never a false positive; a bypass counts at most once; a second bypass of the
 * line counts again. */
static void each_bypass_counts_once(void **state)
{
    struct byw_config c = config();
    struct byw_shadow s = make(&c);

    (void)state;
    assert_false(load(&s, 1));
    assert_false(load(&s, 1));
    assert_false(pass(&s, 2));
    assert_true(load(&s, 2));
    assert_false(load(&s, 2));
    assert_false(pass(&s, 2));
    assert_true(pass(&s, 2));
    assert_true(load(&s, 2));
    byw_shadow_release(&s);
}

static void stores_and_atomics_end_a_line(void **state)
{
    struct byw_config c = config();

    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        static const enum byw_op op[] = {BYW_OP_STORE, BYW_OP_STORE, BYW_OP_ATOMIC,
                                         BYW_OP_LOCAL_STORE, BYW_OP_STORE};
        struct byw_shadow s;

        c.l1d_store_hit = i == 1 ? BYW_STORE_UPDATE : BYW_STORE_EVICT;
        s = make(&c);
        pass(&s, 7);
        assert_false(
            act(&s, op[i], i == 4 ? 8 : 7, 0, false)); /* a store never reveals a false positive */
        assert_int_equal(load(&s, 7), i == 1 || i >= 3);
        byw_shadow_release(&s);
    }
}

static void sectors_are_judged_separately(void **state)
{
    struct byw_config c = config();
    struct byw_shadow s;

    (void)state;
    c.l1d_sectors = 4;
    s = make(&c);
    assert_false(act(&s, BYW_OP_LOAD, 7, 40, true));
    assert_false(act(&s, BYW_OP_LOAD, 7, 64, false)); /* the next sector is absent */
    assert_true(act(&s, BYW_OP_LOAD, 7, 32, false));
    byw_shadow_release(&s);
}

static void a_kernel_start_drops_all_marks(void **state)
{
    struct byw_l1d_in in = {.ctrl = {.kernel_start = true}};
    struct byw_l1d_out out = {.req_ready = true};
    struct byw_config c = config();
    struct byw_shadow s = make(&c);

    (void)state;
    pass(&s, 7);
    assert_false(byw_shadow_step(&s, &in, &out));
    assert_false(load(&s, 7));
    byw_shadow_release(&s);
}

/* Requests are decided in order, several cycles after they entered. */
static void requests_in_the_pipeline_are_decided_in_order(void **state)
{
    struct byw_config c = config();
    struct byw_shadow s = make(&c);
    struct byw_l1d_in in = {.req_valid = true};
    struct byw_l1d_out out = {.req_ready = true};

    (void)state;
    for (uint64_t line = 1; line <= 3; line++) {
        in.req.line = line;
        assert_false(byw_shadow_step(&s, &in, &out));
    }
    in.req_valid = false;
    for (uint64_t line = 1; line <= 3; line++) { /* the second one bypasses */
        out.events = UINT32_C(1) << BYW_EV_LOAD;
        out.policy_events = line == 2 ? byw_pev(BYW_PEV_PC_BYPASS) : 0;
        assert_false(byw_shadow_step(&s, &in, &out));
    }
    assert_false(load(&s, 1));
    assert_true(load(&s, 2));
    assert_false(load(&s, 3));
    byw_shadow_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bypass_is_wrong_if_the_line_would_have_hit),
        cmocka_unit_test(each_bypass_counts_once),
        cmocka_unit_test(stores_and_atomics_end_a_line),
        cmocka_unit_test(sectors_are_judged_separately),
        cmocka_unit_test(a_kernel_start_drops_all_marks),
        cmocka_unit_test(requests_in_the_pipeline_are_decided_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
