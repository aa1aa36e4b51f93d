/* SPDX-License-Identifier: Apache-2.0
 *
 * APCM-like as its rule is written (mechanisms/comparators.md 4.1), worked out by hand: one set of
 * two lines; a PC is classified after four lines, and a warp counts as ended after 16 loads of
 * others.
 */
#include "comparator/mech_rig.h"

enum { BRINGS = 0x10, USES = 0x34, ELSE = 0x48, QUIET = 16 };
enum { BYPASSES, FULL, PROTECTED, CLASSES };

static void open(struct rig *r)
{
    rig_open(r, "apcm_like", 1, 2, "apcm_like.blocks=4 apcm_like.quiet=16");
}

static void loads(struct rig *r, uint32_t warp, uint32_t pc, const char *letters, const char *want)
{
    r->warp = warp;
    r->pc = pc;
    rig_loads(r, letters, want);
}

/* Loads by another warp until the watched warp counts as ended; leaves Y and Z in the cache. */
static void quiet(struct rig *r)
{
    r->warp = 9;
    r->pc = ELSE;
    for (uint32_t i = 0; i < QUIET; i++)
        rig_load(r, rig_line(r, i % 2 != 0 ? 'Y' : 'Z'));
}

/* Warp 0's loads at BRINGS allocate A to D, each used once more at USES: intra-warp reuse. */
static void learn_intra(struct rig *r)
{
    open(r);
    for (char line = 'A'; line <= 'D'; line++) {
        const char name[2] = {line, '\0'};

        loads(r, 0, BRINGS, name, "M");
        loads(r, 0, USES, name, "H");
    }
    quiet(r);
    assert_int_equal(rig_count(r, CLASSES), 1);
}

/* 1. The central rule: A to D were not reused, so loads at that PC bypass, in every warp; those at
 *   other PCs do not. */
static void loads_of_a_streaming_pc_bypass(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    loads(&r, 0, BRINGS, "ABCD", "MMMM");
    loads(&r, 3, BRINGS, "E", "M"); /* the PC is not classified yet */
    quiet(&r);
    loads(&r, 0, BRINGS, "FG", "BB");
    loads(&r, 3, BRINGS, "H", "B");
    loads(&r, 3, ELSE, "I", "M");
    assert_int_equal(rig_count(&r, BYPASSES), 3);
    rig_close(&r);
}

/* 2. Three lines are too few for a class. */
static void three_lines_do_not_classify_a_pc(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    loads(&r, 0, BRINGS, "ABC", "MMM");
    quiet(&r);
    loads(&r, 0, BRINGS, "F", "M");
    assert_int_equal(rig_count(&r, CLASSES), 0);
    rig_close(&r);
}

/* 3. Lines that their own warp reuses are protected: F stays while other lines replace each
 * other. */
static void lines_reused_by_their_own_warp_are_protected(void **state)
{
    struct rig r;

    (void)state;
    learn_intra(&r);
    loads(&r, 2, BRINGS, "F", "M");
    loads(&r, 5, ELSE, "GHI", "MMM");
    loads(&r, 2, ELSE, "F", "H");
    assert_int_equal(rig_count(&r, PROTECTED), 1);
    rig_close(&r);
}

/* 4. A use by the last PC ends the protection: F is evicted as least recently used. */
static void the_last_consumer_ends_the_protection(void **state)
{
    struct rig r;

    (void)state;
    learn_intra(&r);
    loads(&r, 2, BRINGS, "F", "M");
    loads(&r, 2, USES, "F", "H");
    loads(&r, 5, ELSE, "GH F", "MM M");
    rig_close(&r);
}

/* 5. If all lines of a set are protected, other loads bypass. */
static void loads_bypass_a_fully_protected_set(void **state)
{
    struct rig r;

    (void)state;
    learn_intra(&r);
    loads(&r, 2, BRINGS, "FG", "MM");
    loads(&r, 5, ELSE, "HI", "BB");
    assert_int_equal(rig_count(&r, FULL), 2);
    loads(&r, 2, USES, "F", "H");
    loads(&r, 5, ELSE, "H", "M");
    assert_false(rig_has(&r, rig_line(&r, 'F')));
    rig_close(&r);
}

/* 6. Protection ends after 4 x 2 loads of the set without a use: the ninth load after F's own ends
 *   it, and the next one evicts F. */
static void protection_expires_after_its_life(void **state)
{
    struct rig r;

    (void)state;
    learn_intra(&r);
    loads(&r, 2, BRINGS, "F", "M");
    loads(&r, 2, BRINGS, "G", "M");
    loads(&r, 5, ELSE, "HHHHHHH", "BBBBBBB"); /* 8 loads after F's */
    loads(&r, 5, ELSE, "H", "B"); /* the ninth load, after which F is unprotected */
    loads(&r, 5, ELSE, "H", "M");
    assert_false(rig_has(&r, rig_line(&r, 'F')));
    rig_close(&r);
}

/* 7. Lines that other warps reuse are cached as in a plain cache. */
static void lines_reused_by_other_warps_are_cached_as_usual(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    for (char line = 'A'; line <= 'D'; line++) {
        const char name[2] = {line, '\0'};

        loads(&r, 0, BRINGS, name, "M");
        loads(&r, 1, USES, name, "H");
    }
    quiet(&r);
    assert_int_equal(rig_count(&r, CLASSES), 1);
    loads(&r, 2, BRINGS, "FGH F", "MMM M");
    assert_int_equal(rig_count(&r, PROTECTED), 0);
    rig_close(&r);
}

/* 8. A set in flight without protected lines waits as in a plain cache; a kernel start clears the
 *   classes. */
static void pending_sets_wait_and_kernel_starts_clear_the_classes(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    r.late = true;
    loads(&r, 0, BRINGS, "ABC", "MMR");
    rig_close(&r);
    open(&r);
    loads(&r, 0, BRINGS, "ABCD", "MMMM");
    quiet(&r);
    loads(&r, 0, BRINGS, "F", "B");
    rig_kernel(&r, 0);
    loads(&r, 0, BRINGS, "F", "M");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_a_streaming_pc_bypass),
        cmocka_unit_test(three_lines_do_not_classify_a_pc),
        cmocka_unit_test(lines_reused_by_their_own_warp_are_protected),
        cmocka_unit_test(the_last_consumer_ends_the_protection),
        cmocka_unit_test(loads_bypass_a_fully_protected_set),
        cmocka_unit_test(protection_expires_after_its_life),
        cmocka_unit_test(lines_reused_by_other_warps_are_cached_as_usual),
        cmocka_unit_test(pending_sets_wait_and_kernel_starts_clear_the_classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
