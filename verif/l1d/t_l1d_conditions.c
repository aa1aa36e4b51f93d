/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions of the L1D's control that RTL and C model could both get wrong: each test varies one
 * condition, and the distance in cycles to the event that depends on it (rtl/doc/l1d_pipeline.md:
 * "Bypass mode", rules 2 and 4 of the decision point, rule 6 of the look stage, rules 9 and 11 of
 * allocate on fill).
 */
#include "common/byw_l1d_host.h"

enum { LATENCY = 40, DISTANCES = 70 };

struct shape {
    const char *name;
    uint32_t on_fill, look, beat; /* beat: its bytes; 0: whole lines */
};

static const struct shape on_miss = {"on miss", 0, 0, 0};
static const struct shape with_look = {"look", 0, 1, 0};
static const struct shape with_beats = {"beats", 0, 0, 32};
static const struct shape on_fill = {"on fill", 1, 0, 0};

static struct host *make(const struct shape *shape)
{
    struct byw_config c;
    struct host *h;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_alloc = shape->on_fill ? BYW_ALLOC_ON_FILL : BYW_ALLOC_ON_MISS;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_look = shape->look;
    c.port.beat_bytes = shape->beat;
    h = host_new(shape->name, &c, host_seed(1));
    h->latency = LATENCY;
    return h;
}

static uint64_t took(const struct host *h, uint32_t id)
{
    return h->rsp_cycle[id] - h->id[id].cycle;
}

/* Whether a load of line 7 that is accepted in bypass mode, `distance` cycles after `ahead` of line
 * 2, reads the tags. */
static bool reads_tags(const struct shape *shape, enum byw_op ahead, bool present,
                       uint32_t distance)
{
    struct host *h = make(shape);
    uint64_t before;
    uint32_t id;

    if (present)
        host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    before = h->ev[BYW_EV_TAG_READ];
    host_send(h, ahead, 2, BYW_HINT_NONE);
    idle_cycles(h, distance - 1);
    h->bypass = true;
    id = host_send(h, BYW_OP_LOAD, 7, BYW_HINT_NONE);
    before = h->ev[BYW_EV_TAG_READ] - before - 1; /* not counting that of `ahead` */
    h->bypass = false;
    host_drain(h);
    assert_int_equal(h->rsp_served[id], BYW_SERVED_BYPASS);
    assert_true(before <= 1);
    host_free(h);
    return before == 1;
}

/* A load in bypass mode reads the tags while a line is dirty, and while a local store in s1, look
 * or s2 could still make one dirty; in no other cycle and behind no other operation. */
static void bypass_mode_reads_tags_only_while_bytes_may_be_dirty(void **state)
{
    static const enum byw_op clean[] = {BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_ATOMIC,
                                        BYW_OP_LOCAL_LOAD};
    static const struct shape *const shapes[] = {&on_miss, &with_look, &with_beats};
    uint32_t i, k, distance;

    (void)state;
    for (i = 0; i < 3; i++) {
        uint32_t stages = shapes[i]->look ? 3 : 2; /* number of stages from s1 to s2 */

        for (distance = 1; distance < 8; distance++) {
            assert_true(reads_tags(shapes[i], BYW_OP_LOCAL_STORE, true, distance));
            assert_int_equal(reads_tags(shapes[i], BYW_OP_LOCAL_STORE, false, distance),
                             distance <= stages);
            for (k = 0; k < 4; k++) {
                assert_false(reads_tags(shapes[i], clean[k], true, distance));
                assert_false(reads_tags(shapes[i], clean[k], false, distance));
            }
        }
    }
}

/* A cache that allocates on fill has no dirty lines: no load in bypass mode reads the tags,
 * whatever precedes it. */
static void bypass_mode_never_reads_tags_when_lines_come_with_fills(void **state)
{
    static const enum byw_op ahead[] = {BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_ATOMIC, BYW_OP_LOCAL_LOAD,
                                        BYW_OP_LOCAL_STORE};
    uint32_t k, distance;

    (void)state;
    for (distance = 1; distance < 8; distance++)
        for (k = 0; k < 5; k++) {
            assert_false(reads_tags(&on_fill, ahead[k], true, distance));
            assert_false(reads_tags(&on_fill, ahead[k], false, distance));
        }
}

/* Ways to detach the MSHR of a line in flight before its fill arrives. */
enum detach { ATTACHED, BY_STORE, BY_ATOMIC, BY_KERNEL, BY_INVALIDATE, DETACHES };

/* Line 1 is fetched, its MSHR is detached or not, and its fill succeeds or fails. A load that
 * misses is accepted `distance` cycles after the MSHR was detached; returns its latency. No
 * other answer is due in its cycle, so the response port does not delay it. */
static uint64_t probe(const struct shape *shape, enum detach how, bool fails, uint32_t distance,
                      uint64_t *writes)
{
    static const enum byw_op detaching[] = {[BY_STORE] = BYW_OP_STORE,
                                            [BY_ATOMIC] = BYW_OP_ATOMIC,
                                            [BY_INVALIDATE] = BYW_OP_INVALIDATE};
    struct host *h = make(shape);
    uint64_t cycles;
    uint32_t id;

    if (fails)
        h->error_line = 1;
    host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    idle_cycles(h, 5); /* long enough for the load to have its MSHR */
    h->kernel_start = how == BY_KERNEL;
    if (how == ATTACHED || how == BY_KERNEL)
        host_cycle(h, NULL);
    else
        host_send(h, detaching[how], 1, BYW_HINT_NONE);
    idle_cycles(h, 10 + distance);
    id = host_send(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
    host_drain(h);
    cycles = took(h, id);
    *writes = h->ev[BYW_EV_TAG_WRITE];
    host_check(h);
    host_free(h);
    return cycles;
}

/* Total delay that the fill of line 1 causes over probes at all distances; *more: additional record
 * writes if it fails. */
static uint64_t lost(const struct shape *shape, enum detach how, bool fails, uint64_t *more)
{
    uint64_t least = UINT64_MAX, sum = 0, writes, sound;
    uint32_t distance;

    *more = 0;
    for (distance = 0; distance < DISTANCES; distance++) {
        uint64_t cycles = probe(shape, how, fails, distance, &writes);

        probe(shape, how, false, distance, &sound);
        *more = writes - sound;
        least = cycles < least ? cycles : least;
        sum += cycles;
    }
    return sum - least * DISTANCES;
}

/* Rule 2: a failed fill that frees its line writes the record, and s2 decides nothing in that
 * cycle. A failed fill whose MSHR was detached has no line to free: it writes nothing and delays
 * nothing, and neither does a fill that succeeds. */
static void only_a_failed_fill_that_owns_its_line_delays_a_decision(void **state)
{
    static const struct shape *const shapes[] = {&on_miss, &with_beats};
    uint32_t i, how;
    uint64_t more;

    (void)state;
    for (i = 0; i < 2; i++)
        for (how = ATTACHED; how < DETACHES; how++) {
            assert_int_equal(lost(shapes[i], how, true, &more), how == ATTACHED);
            assert_int_equal(more, how == ATTACHED);
            assert_int_equal(lost(shapes[i], how, false, &more), 0);
        }
}

/* Rule 6 of the look stage: with LOOK every failed fill delays a decision by a cycle, even if its
 * MSHR was detached; only a fill that owns its line writes the record. */
static void with_look_every_failed_fill_delays_a_decision(void **state)
{
    uint32_t how;
    uint64_t more;

    (void)state;
    for (how = ATTACHED; how < DETACHES; how++) {
        assert_int_equal(lost(&with_look, how, true, &more), 1);
        assert_int_equal(more, how == ATTACHED);
        assert_int_equal(lost(&with_look, how, false, &more), 0);
    }
}

/* Allocate on fill, rule 9: a fill that fails, or whose MSHR is detached, installs nothing and
 * blocks nothing; only a fill that installs its line costs a decision cycle. */
static void only_a_fill_that_installs_delays_a_decision(void **state)
{
    uint32_t how;
    uint64_t more;

    (void)state;
    for (how = ATTACHED; how < DETACHES; how++) {
        assert_int_equal(lost(&on_fill, how, true, &more), 0);
        assert_int_equal(lost(&on_fill, how, false, &more), how == ATTACHED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bypass_mode_reads_tags_only_while_bytes_may_be_dirty),
        cmocka_unit_test(bypass_mode_never_reads_tags_when_lines_come_with_fills),
        cmocka_unit_test(only_a_failed_fill_that_owns_its_line_delays_a_decision),
        cmocka_unit_test(with_look_every_failed_fill_delays_a_decision),
        cmocka_unit_test(only_a_fill_that_installs_delays_a_decision),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
