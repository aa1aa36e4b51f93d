/* SPDX-License-Identifier: Apache-2.0
 *
 * The PC predictor's variants (mechanisms/pc_pred.md 5.1), worked out by hand on one set; and whole
 * runs without variants, which must equal the built-in predictor.
 */
#include "comparator/byw_guesses.h"
#include "comparator/mech_rig.h"
#include "policy/byw_pc_pred.h"
#include "sim/gpu_rig.h"

enum { P = 0, Q = 4, S = 8 }; /* PCs */

#define PLAIN "pc.threshold=2 pc.duel=off pc.sample=0 "

static void by(struct rig *r, uint32_t pc, const char *letters, const char *want)
{
    r->pc = pc;
    rig_loads(r, letters, want);
}

/* A store that updates the line that it finds. */
static void store(struct rig *r, uint32_t pc, char letter)
{
    struct byw_mech_access access;

    r->pc = pc;
    access = rig_access(r, rig_line(r, letter), BYW_OP_STORE);
    assert_true(access.present);
    rig_accept(r, &access, BYW_HIT, access.block, 0);
}

static void open(struct rig *r, uint32_t ways, const char *settings)
{
    char text[256];

    snprintf(text, sizeof(text), PLAIN "l1d.store_hit=update %s", settings);
    rig_open(r, "pc_variants", 1, ways, text);
    r->ops->tick(r->self, BYW_PC_CLEAR); /* before, nothing trains */
}

/* 1. Without variants: the example of mechanisms/pc_pred.md 5.1. B and C each evict a line of P,
 * whose counter is then 2, so P bypasses. Q hits P's line C: the counter is 1, and P's next miss is
 * cached. */
static void without_variants_the_worked_example_holds(void **state)
{
    struct rig r;

    (void)state;
    open(&r, 1, "");
    by(&r, P, "ABC D", "MMM B");
    by(&r, Q, "C", "H");
    by(&r, P, "D", "M");
    rig_close(&r);
}

/* 2. Dead first, the central rule. Two ways. C and D evict A and B, so P's counter is 2; E, loaded
 *   by Q, evicts C, so it is 3. P hits D: the counter is 2, and D is marked as dead. F evicts D,
 *   though E was used before it. */
static void dead_lines_are_evicted_first(void **state)
{
    struct rig r;

    (void)state;
    open(&r, 2, "pc_variants.dead_first=yes");
    by(&r, P, "ABCD", "MMMM");
    by(&r, Q, "E", "M");
    by(&r, P, "D", "H");
    by(&r, Q, "FE", "MH");
    assert_int_equal(rig_count(&r, BYW_GUESS_COUNTS), 1);
    rig_close(&r);
    open(&r, 2, "pc_variants.dead_first=no");
    by(&r, P, "ABCD", "MMMM");
    by(&r, Q, "E", "M");
    by(&r, P, "D", "H");
    by(&r, Q, "FE", "MM");
    assert_int_equal(rig_count(&r, BYW_GUESS_COUNTS), 0);
    rig_close(&r);
}

/* 3. The last hit decides: a hit by Q, whose counter is 0, clears D's mark. */
static void the_last_hit_sets_or_clears_the_mark(void **state)
{
    struct rig r;

    (void)state;
    open(&r, 2, "pc_variants.dead_first=yes");
    by(&r, P, "ABCD", "MMMM");
    by(&r, Q, "E", "M");
    by(&r, P, "D", "H");
    by(&r, Q, "DFE", "HMM");
    rig_close(&r);
}

/* 4. A new line has no mark, even if the previous line in its way had one. */
static void a_new_line_is_not_marked_dead(void **state)
{
    struct rig r;

    (void)state;
    open(&r, 2, "pc_variants.dead_first=yes");
    by(&r, P, "ABCD", "MMMM");
    by(&r, Q, "E", "M");
    by(&r, P, "D", "H");
    by(&r, Q, "F G F", "M M H"); /* F in D's place, G in E's */
    rig_close(&r);
}

/* 5. Stores train, the central rule. The store S touches A last, so when B evicts A, S's counter is
 *   incremented. P's counter is still 0 (threshold 1), so C is cached. */
static void a_store_hit_is_a_last_touch(void **state)
{
    struct rig r;

    (void)state;
    for (int trains = 0; trains < 2; trains++) {
        open(&r, 1,
             trains != 0 ? "pc.threshold=1 pc_variants.stores_train=yes"
                         : "pc.threshold=1 pc_variants.stores_train=no");
        by(&r, P, "A", "M");
        store(&r, S, 'A');
        by(&r, P, "B C", trains != 0 ? "M M" : "M B");
        rig_close(&r);
    }
}

/* 6. A store verifies the line's last touch, too: a store to P's line C lowers P from 2 to 1. */
static void a_store_hit_decrements_the_previous_pc(void **state)
{
    struct rig r;

    (void)state;
    open(&r, 1, "pc_variants.stores_train=yes");
    by(&r, P, "ABC D", "MMM B");
    store(&r, S, 'C');
    by(&r, P, "D", "M");
    rig_close(&r);
}

/* 7. Where stores evict, they do not count as a touch; pc.invalidation_trains says whether they
 *   train as an eviction does. */
static void evicting_stores_are_not_touches(void **state)
{
    struct rig r;

    (void)state;
    for (int trains = 0; trains < 2; trains++) {
        open(&r, 1,
             trains != 0 ? "l1d.store_hit=evict pc_variants.stores_train=yes "
                           "pc.invalidation_trains=yes"
                         : "l1d.store_hit=evict pc_variants.stores_train=yes");
        for (int i = 0; i < 2; i++) {
            by(&r, P, "A", "M");
            r.pc = S;
            rig_drop(&r, rig_line(&r, 'A'));
        }
        by(&r, P, "A", trains != 0 ? "B" : "M");
        rig_close(&r);
    }
}

/* 8. A report of the L2 decrements the PC whose load is answered, unless pc.l2_bit is off. */
static void an_l2_report_decrements_the_answered_pc(void **state)
{
    const struct byw_mech_answer wrong = {.bypass = true, .mispredict = true};
    struct rig r;

    (void)state;
    open(&r, 1, "");
    by(&r, P, "ABC D", "MMM B");
    r.ops->answered(r.self, &wrong);
    r.ops->tick(r.self, 2); /* first the eviction, then the report */
    by(&r, P, "D", "M");
    rig_close(&r);
    open(&r, 1, "pc.l2_bit=off");
    by(&r, P, "ABC D", "MMM B");
    r.ops->answered(r.self, &wrong);
    r.ops->tick(r.self, 2); /* first the eviction, then the report */
    by(&r, P, "D", "B");
    rig_close(&r);
}

/* 8b. With allocate on fill, a load that waited for the same fill counts as a reuse: C's eviction
 * of B raises the counter to 2, and the merged load lowers it to 1. */
static void a_merged_load_counts_as_reuse(void **state)
{
    struct rig r;

    (void)state;
    for (int merged = 0; merged < 2; merged++) {
        const struct byw_mech_install install = {.mshr = 9, .fresh = true, .merged = merged != 0};
        struct byw_mech_access access;

        open(&r, 1, "");
        by(&r, P, "AB", "MM");
        access = rig_access(&r, rig_line(&r, 'C'), BYW_OP_LOAD);
        rig_accept(&r, &access, BYW_MISS, 0, 9);
        r.ops->left(r.self, 0, BYW_LEFT_EVICTED);
        r.ops->tick(r.self, 1); /* trains with the eviction of B */
        r.ops->installed(r.self, &install);
        by(&r, P, "D", merged != 0 ? "M" : "B");
        rig_close(&r);
    }
}

/* 9. Coverage, false positives, storage: 288 bytes for 256 lines, and their marks. */
static void coverage_false_positives_and_storage_are_counted(void **state)
{
    struct rig r;

    (void)state;
    open(&r, 1, "");
    by(&r, P, "ABC DD", "MMM BB");
    assert_int_equal(rig_count(&r, BYW_GUESS_ASKED), 5);
    assert_int_equal(rig_count(&r, BYW_GUESS_BYPASSES), 2);
    assert_int_equal(rig_count(&r, BYW_GUESS_FALSE_POSITIVES), 1);
    rig_close(&r);
    rig_open(&r, "pc_variants", 32, 8, "");
    assert_int_equal(byw_mech_storage(&r.config, r.mech), 2304);
    rig_close(&r);
    rig_open(&r, "pc_variants", 32, 8, "pc_variants.dead_first=yes");
    assert_int_equal(byw_mech_storage(&r.config, r.mech), 2304 + 256);
    rig_close(&r);
}

/* 10. Without variants it equals the built-in predictor: cycles, events, memory traffic, coverage
 *   and false positives of whole runs, with allocate on miss and on fill. */
static void is_pc(struct bench *b)
{
    struct byw_gpu_result *result[2];
    const struct byw_mech *mech = byw_mech_named("pc_variants");
    const uint64_t *count;

    /* a small L1D in which only loads allocate: lines of stores have no MSHR to name them */
    b->config.sm_unified = 0;
    b->config.l1d_store_miss = 0;
    b->config.l1d_ways = 1;
    b->config.pc_threshold = 1;
    for (int hooked = 0; hooked < 2; hooked++) {
        assert_int_equal(
            byw_config_set(&b->config, "policy.use", hooked ? "pc_variants" : "pc", "", NULL),
            BYW_OK);
        result[hooked] = mixed(b);
    }
    count = result[1]->l1.mech + byw_mech_counter_base(mech);
    assert_int_equal(count[BYW_GUESS_ASKED], result[0]->l1.policy[BYW_PEV_PC_ASK]);
    assert_int_equal(count[BYW_GUESS_BYPASSES], result[0]->l1.policy[BYW_PEV_PC_BYPASS]);
    assert_int_equal(count[BYW_GUESS_FALSE_POSITIVES], result[0]->l1.pc_false_positives);
    assert_true(count[BYW_GUESS_BYPASSES] > 10);
    assert_int_equal(result[0]->cycles, result[1]->cycles);
    assert_memory_equal(result[0]->l1.ev, result[1]->l1.ev, sizeof(result[0]->l1.ev));
    assert_memory_equal(&result[0]->mem, &result[1]->mem, sizeof(result[0]->mem));
    byw_gpu_result_free(result[0]);
    byw_gpu_result_free(result[1]);
}

static void without_variants_it_equals_the_built_in_predictor(void **state)
{
    for_each_machine(*state, is_pc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_variants_the_worked_example_holds),
        cmocka_unit_test(dead_lines_are_evicted_first),
        cmocka_unit_test(the_last_hit_sets_or_clears_the_mark),
        cmocka_unit_test(a_new_line_is_not_marked_dead),
        cmocka_unit_test(a_store_hit_is_a_last_touch),
        cmocka_unit_test(a_store_hit_decrements_the_previous_pc),
        cmocka_unit_test(evicting_stores_are_not_touches),
        cmocka_unit_test(an_l2_report_decrements_the_answered_pc),
        cmocka_unit_test(a_merged_load_counts_as_reuse),
        cmocka_unit_test(coverage_false_positives_and_storage_are_counted),
        cmocka_unit_test_setup_teardown(without_variants_it_equals_the_built_in_predictor, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
