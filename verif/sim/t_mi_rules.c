/* SPDX-License-Identifier: Apache-2.0
 *
 * t_mi_rules - the rules of paper 004's policies, one by one, on accesses worked out by hand: a
 * slice of 4 sets x 4 ways x 64 bytes under the shipped policy files; the test plays the crossbar
 * and DRAM. Lines 0 to 3 and 8 to 11 are in one DRAM row; lines 4 n + s are in set s.
 */
#include "sim/mi_rig.h"

enum { SET = SETS * LINE }; /* distance to the next line of the same set */

static const uint64_t far = UINT64_C(1) << 20; /* another DRAM row */

/* The slice under a shipped policy; the table of the PC predictor learns fast. */
static void begin_with(struct rig *rig, const char *policy)
{
    struct byw_diag diag = {""};
    char path[200];

    base(rig);
    snprintf(path, sizeof(path), "cmodel/configs/policies/%s.cfg", policy);
    if (byw_config_read(&rig->config, path, NULL, BYW_PARAM_POLICY, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    if (rig->config.l2_dbi_entries == 512) { /* finite: 4 rows */
        rig->config.l2_dbi_entries = 4;
        rig->config.l2_dbi_ways = 4;
    }
    rig->config.pc_sample = 4;
    rig->config.l2_mshrs = 8;
    begin(rig);
}

static void store(struct rig *rig, uint64_t addr)
{
    ask(rig, addr, BYW_TXN_WRITE);
}

static struct asked read_one(struct rig *rig, uint64_t addr)
{
    ask(rig, addr, BYW_TXN_READ);
    return rest(rig);
}

static struct asked write_one(struct rig *rig, uint64_t addr)
{
    store(rig, addr);
    return rest(rig);
}

/* Fills set 0 with loads in flight; none of them is answered yet. */
static void fill_set_0(struct rig *rig)
{
    for (uint64_t way = 0; way < WAYS; way++)
        ask(rig, far + way * SET, BYW_TXN_READ);
    steps(rig, 20);
}

/* Uncached: 1. Every load is fetched. 2. Loads of a line in flight join it. 3. A store is sent to
 * memory at once. 4. A store behind a load of its line waits for it. 5. Nothing is dirty at the end
 * of a launch. 6. Instructions are cached as usual. */
static void uncached_keeps_no_line(void **state)
{
    struct rig rig;
    uint32_t p;

    (void)state;
    begin_with(&rig, "mi_uncached");
    for (int i = 0; i < 3; i++)
        assert_int_equal(read_one(&rig, 0).reads, 1);
    assert_false(there(&rig, 0));
    for (int i = 0; i < 4; i++)
        ask(&rig, LINE, BYW_TXN_READ);
    assert_int_equal(rest(&rig).reads, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(write_one(&rig, 2 * LINE).writes, 1);
    ask(&rig, 3 * LINE, BYW_TXN_READ);
    store(&rig, 3 * LINE);
    steps(&rig, 30);
    p = to_dram(&rig);
    assert_false(byw_packet_writes(&rig.pool.packet[p]));
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, p);
    assert_int_equal(rest(&rig).writes, 1);
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 0);
    ask(&rig, far, BYW_TXN_INST);
    assert_int_equal(rest(&rig).reads, 1);
    ask(&rig, far, BYW_TXN_INST);
    assert_int_equal(rest(&rig).reads, 0);
    rig_end(&rig);
}

/* CacheR: 1. A line that was loaded hits. 2. A store that misses allocates and fetches nothing. 3.
 * A store that hits is sent to memory, too, and updates the copy. 4. The copy stays clean. 5. A
 * full set of loads makes the next one wait. 6. The start of a launch drops the lines. */
static void cacher_keeps_loaded_lines_clean(void **state)
{
    struct rig rig;
    struct asked asked;

    (void)state;
    begin_with(&rig, "mi_cacher");
    assert_int_equal(read_one(&rig, 0).reads, 1);
    assert_int_equal(read_one(&rig, 0).reads, 0);
    asked = write_one(&rig, LINE);
    assert_int_equal(asked.writes, 1);
    assert_int_equal(asked.reads, 0);
    assert_false(there(&rig, LINE));
    assert_int_equal(write_one(&rig, 0).writes, 1);
    assert_int_equal(read_one(&rig, 0).reads, 0);
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 0);
    byw_l2_invalidate(&rig.l2);
    assert_int_equal(read_one(&rig, 0).reads, 1);
    fill_set_0(&rig);
    ask(&rig, far + WAYS * SET, BYW_TXN_READ);
    steps(&rig, 20);
    assert_true(rig.stats.l2.fail_line > 0);
    assert_int_equal(rest(&rig).reads, WAYS + 1);
    rig_end(&rig);
}

/* CacheRW: 1. A store that misses allocates and fetches nothing. 2. Stores to the halves of a line
 * are combined in one write-back. 3. A load of written bytes hits. 4. A load of other bytes fetches
 * the line, and the two are merged. 5. A dirty line that is evicted is written back alone. 6. Clean
 * lines are not written at the end of a launch. 7. A store to a full set waits. */
static void cacherw_combines_stores(void **state)
{
    struct rig rig;
    struct asked asked;

    (void)state;
    begin_with(&rig, "mi_cacherw");
    send_at(&rig, 0, BYW_TXN_WRITE, 32, 0);
    send_at(&rig, 32, BYW_TXN_WRITE, 32, 0);
    asked = rest(&rig);
    assert_int_equal(asked.reads + asked.writes + asked.writebacks, 0);
    assert_int_equal(read_one(&rig, 0).reads, 0);
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 1);
    send_at(&rig, LINE, BYW_TXN_WRITE, 32, 0);
    assert_int_equal(rest(&rig).reads, 0);
    assert_int_equal(read_one(&rig, LINE).reads, 1);
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 1); /* still dirty after the merge */
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 0);
    store(&rig, 0);
    assert_int_equal(write_one(&rig, LINE).writebacks, 0);
    fill_set_0(&rig);
    asked = rest(&rig);
    assert_int_equal(asked.writebacks, 1);
    assert_int_equal(asked.last, 0);
    byw_l2_invalidate(&rig.l2);
    fill_set_0(&rig);
    store(&rig, 0);
    steps(&rig, 20);
    assert_true(rig.stats.l2.fail_line > 0);
    rest(&rig);
    assert_true(there(&rig, 0));
    rig_end(&rig);
}

/* CacheRW-AB: 1. A load whose set is all in flight bypasses and is not kept. 2. So does a store.
 * 3. A load of one of the lines in flight merges. 4. A store to one of them does not overtake
 * it. 5. A set with one free way allocates. 6. An atomic waits. 7. No other kind of refusal
 * causes a bypass. */
static void cacherw_ab_bypasses_sets_in_flight(void **state)
{
    struct rig rig;
    struct asked asked;

    (void)state;
    begin_with(&rig, "mi_cacherw_ab");
    fill_set_0(&rig);
    ask(&rig, 0, BYW_TXN_READ);
    store(&rig, SET);
    ask(&rig, far, BYW_TXN_READ); /* pending: merges */
    store(&rig, far + SET);
    steps(&rig, 20);
    asked = rest(&rig);
    assert_int_equal(asked.reads, WAYS + 1);
    assert_int_equal(asked.writes, 1);
    assert_int_equal(rig.stats.l2.full_set_passes, 2);
    assert_false(there(&rig, 0));
    assert_false(there(&rig, SET));
    assert_true(there(&rig, far + SET));
    assert_int_equal(read_one(&rig, LINE).reads, 1); /* set 1 has room */
    assert_true(there(&rig, LINE));
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 1); /* the store to a line in flight */
    byw_l2_invalidate(&rig.l2);
    fill_set_0(&rig);
    ask(&rig, 0, BYW_TXN_ATOMIC);
    rest(&rig);
    assert_true(there(&rig, 0));
    assert_int_equal(rig.stats.l2.full_set_passes, 2);
    for (uint64_t i = 0; i < 12; i++)
        ask(&rig, 2 * far + i * LINE, BYW_TXN_READ);
    steps(&rig, 40);
    assert_int_equal(rig.l2.mshr_in_use, 8);
    assert_int_equal(rest(&rig).reads, 12);
    assert_int_equal(rig.stats.l2.full_set_passes, 2);
    rig_end(&rig);
}

/* CacheRW-CR: 1. With a dirty line that is evicted, all dirty lines of its DRAM row are written. 2.
 * Those stay, as clean lines. 3. Lines of other rows stay dirty. 4. Evicting a clean line rinses
 * nothing. 5. A write to a fifth row displaces the row written least recently from the index, whose
 * lines are written back. 6. A flush writes the rest, row by row. */
static void cacherw_cr_rinses_rows(void **state)
{
    struct rig rig;
    struct asked asked;

    (void)state;
    begin_with(&rig, "mi_cacherw_cr");
    store(&rig, 0); /* set 0 */
    store(&rig, LINE);
    store(&rig, 2 * LINE);
    store(&rig, 2 * far + 3 * LINE); /* a line of another row */
    asked = rest(&rig);
    assert_int_equal(asked.reads + asked.writebacks, 0);
    fill_set_0(&rig);
    assert_int_equal(rest(&rig).writebacks, 3);
    assert_int_equal(rig.stats.l2.rinsed, 2);
    assert_true(there(&rig, LINE));
    assert_true(there(&rig, 2 * LINE));
    for (uint64_t i = 0; i < WAYS; i++) /* the clean ones of set 1 are evicted */
        ask(&rig, far + i * SET + LINE, BYW_TXN_READ);
    assert_int_equal(rest(&rig).writebacks, 0);
    byw_l2_flush(&rig.l2);
    asked = rest(&rig);
    assert_int_equal(asked.writebacks, 1);
    assert_int_equal(asked.last, 2 * far + 3 * LINE);
    for (uint64_t row = 4; row < 8; row++)
        assert_int_equal(write_one(&rig, row * far + LINE * (row % 4)).writebacks, 0);
    write_one(&rig, 4 * far + LINE); /* row 5 is now the oldest */
    asked = write_one(&rig, 8 * far);
    assert_int_equal(asked.writebacks, 1);
    assert_int_equal(asked.last, 5 * far + LINE);
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, 5);
    rig_end(&rig);
}

/* CacheRW-CR ideal: 1 to 4 and 6 as CacheRW-CR. 5. No row displaces another: 16 rows of one line
 * each are all dirty until they are evicted. */
static void cacherw_cr_ideal_displaces_no_row(void **state)
{
    struct rig rig;

    (void)state;
    begin_with(&rig, "mi_cacherw_cr_ideal");
    for (uint64_t row = 0; row < SETS * WAYS; row++)
        assert_int_equal(write_one(&rig, row * far + row % SETS * LINE).writebacks, 0);
    assert_int_equal(rig.stats.l2.rinsed, 0);
    byw_l2_flush(&rig.l2);
    assert_int_equal(rest(&rig).writebacks, SETS * WAYS);
    rig_end(&rig);
}

/* A load with this PC. */
static struct asked read_pc(struct rig *rig, uint64_t addr, uint32_t pc)
{
    ask_with_pc(rig, addr, BYW_TXN_READ, pc);
    return rest(rig);
}

/* CacheRW-PCby, counters start at 4, loads are dead at 8, stores at 4. 1. A store of an unknown PC
 * bypasses. 2. A load of an unknown PC allocates, until four lines of its PC have died. 3. One dead
 * load in four allocates, to keep learning. 4. A line that is present is used by any PC. 5. Each
 * use makes the PC of its line live again. 6. Then a store of that PC allocates, too, since both
 * share the counter. */
static void cacherw_pcby_bypasses_dead_pcs(void **state)
{
    struct rig rig;
    uint32_t kept = 0;

    (void)state;
    begin_with(&rig, "mi_cacherw_pcby");
    ask_with_pc(&rig, 8 * LINE, BYW_TXN_WRITE, 0x80);
    assert_int_equal(rest(&rig).writes, 1);
    assert_false(there(&rig, 8 * LINE));
    for (uint64_t i = 0; i < WAYS + 4; i++) /* the last four of them evict four lines */
        read_pc(&rig, far + i * SET, 0x40);
    assert_int_equal(rig.stats.l2.passed_loads, 0);
    for (uint64_t i = 0; i < 8; i++) {
        read_pc(&rig, 2 * far + i * SET, 0x40);
        kept += there(&rig, 2 * far + i * SET);
    }
    assert_int_equal(kept, 2);
    assert_int_equal(rig.stats.l2.passed_loads, 6);
    for (uint64_t i = 0; i < 16; i++) /* loads of present lines do not bypass */
        assert_int_equal(read_pc(&rig, far + (WAYS + 3) * SET, 0x40).reads, 0);
    read_pc(&rig, 3 * far, 0x40);
    assert_true(there(&rig, 3 * far));
    ask_with_pc(&rig, 9 * LINE, BYW_TXN_WRITE, 0x40);
    assert_int_equal(rest(&rig).writes, 0);
    assert_true(there(&rig, 9 * LINE));
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncached_keeps_no_line),
        cmocka_unit_test(cacher_keeps_loaded_lines_clean),
        cmocka_unit_test(cacherw_combines_stores),
        cmocka_unit_test(cacherw_ab_bypasses_sets_in_flight),
        cmocka_unit_test(cacherw_cr_rinses_rows),
        cmocka_unit_test(cacherw_cr_ideal_displaces_no_row),
        cmocka_unit_test(cacherw_pcby_bypasses_dead_pcs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
