/* SPDX-License-Identifier: Apache-2.0
 *
 * t_mi_rules - the rules of paper 004's policies, one after the other, each on accesses that are
 * worked out by hand: a slice of 4 sets x 4 ways x 64 bytes under the shipped policy files, the
 * test in the place of the crossbar and of DRAM.  Lines 0 to 3 and 8 to 11 are of one DRAM row;
 * lines 4 n + s are of set s.
 */
#include "sim/mi_rig.h"

enum { SET = SETS * LINE }; /* to the next line of the same set */

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

/* Fills set 0 with loads that are under way; none of them is answered yet. */
static void fill_set_0(struct rig *rig)
{
    for (uint64_t way = 0; way < WAYS; way++)
        ask(rig, far + way * SET, BYW_TXN_READ);
    steps(rig, 20);
}

/* Uncached 1. A load is fetched each time.  2. Loads of a line under way join it.  3. A store goes
 * to memory at once.  4. One behind a load of its line waits for it.  5. Nothing is dirty at the
 * end of a launch.  6. Instructions are cached as usual. */
static void uncached(void **state)
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

/* CacheR 1. A line that was loaded hits.  2. A store that misses takes no line and fetches none.
 * 3. One that hits goes to memory, too, and updates the copy.  4. The copy stays clean.  5. A full
 * set of loads makes the next one wait.  6. The start of a launch drops the lines. */
static void cacher(void **state)
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

/* CacheRW 1. A store that misses takes a line and fetches nothing.  2. Stores to the halves of a
 * line are combined in one write-back.  3. A load of what was written hits.  4. A load of what was
 * not fetches the line, and the two are merged.  5. A dirty line that gives way is written back
 * alone.  6. Clean lines are not written at the end of a launch.  7. A store to a full set waits.
 */
static void cacherw(void **state)
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

/* CacheRW-AB 1. A load whose set is all pending passes and is kept nowhere.  2. So does a store.
 * 3. A load of one of the pending lines merges.  4. A store to one of them does not pass it.  5. A
 * set with one way left takes it.  6. An atomic waits.  7. Nothing passes on another refusal. */
static void cacherw_ab(void **state)
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
    assert_int_equal(rest(&rig).writebacks, 1); /* the store to a pending line */
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

/* CacheRW-CR 1. A dirty line that gives way takes the dirty lines of its row along.  2. They stay,
 * as clean lines.  3. Those of other rows stay dirty.  4. A clean line that gives way rinses
 * nothing.  5. A row written to while four others are in the index displaces the one written least
 * recently, whose lines are written back.  6. A flush writes the rest, row by row. */
static void cacherw_cr(void **state)
{
    struct rig rig;
    struct asked asked;

    (void)state;
    begin_with(&rig, "mi_cacherw_cr");
    store(&rig, 0); /* set 0 */
    store(&rig, LINE);
    store(&rig, 2 * LINE);
    store(&rig, 2 * far + 3 * LINE); /* another row */
    asked = rest(&rig);
    assert_int_equal(asked.reads + asked.writebacks, 0);
    fill_set_0(&rig);
    assert_int_equal(rest(&rig).writebacks, 3);
    assert_int_equal(rig.stats.l2.rinsed, 2);
    assert_true(there(&rig, LINE));
    assert_true(there(&rig, 2 * LINE));
    for (uint64_t i = 0; i < WAYS; i++) /* the clean ones of set 1 give way */
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

/* CacheRW-CR ideal 1 to 4, 6. as CacheRW-CR.  5. No row displaces another: 16 rows of one line each
 * are all dirty until they give way. */
static void cacherw_cr_ideal(void **state)
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

/* A load by PC 0x40 of a line that is never used again. */
static struct asked read_pc(struct rig *rig, uint64_t addr, uint32_t pc)
{
    ask_with_pc(rig, addr, BYW_TXN_READ, pc);
    return rest(rig);
}

/* CacheRW-PCby, counters from 4, loads dead at 8, stores at 4.  1. A store without experience
 * passes.  2. A load without experience is kept, until four lines of its PC have died.  3. One dead
 * load in four is kept to learn.  4. A line that is there is used whoever asks.  5. Each use makes
 * its PC live again.  6. Then a store of that PC is kept, too, since both share the counter. */
static void cacherw_pcby(void **state)
{
    struct rig rig;
    uint32_t kept = 0;

    (void)state;
    begin_with(&rig, "mi_cacherw_pcby");
    ask_with_pc(&rig, 8 * LINE, BYW_TXN_WRITE, 0x80);
    assert_int_equal(rest(&rig).writes, 1);
    assert_false(there(&rig, 8 * LINE));
    for (uint64_t i = 0; i < WAYS + 4; i++) /* the last four of them push four out */
        read_pc(&rig, far + i * SET, 0x40);
    assert_int_equal(rig.stats.l2.passed_loads, 0);
    for (uint64_t i = 0; i < 8; i++) {
        read_pc(&rig, 2 * far + i * SET, 0x40);
        kept += there(&rig, 2 * far + i * SET);
    }
    assert_int_equal(kept, 2);
    assert_int_equal(rig.stats.l2.passed_loads, 6);
    for (uint64_t i = 0; i < 16; i++) /* of the lines that are there: no pass */
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
        cmocka_unit_test(uncached),     cmocka_unit_test(cacher),
        cmocka_unit_test(cacherw),      cmocka_unit_test(cacherw_ab),
        cmocka_unit_test(cacherw_cr),   cmocka_unit_test(cacherw_cr_ideal),
        cmocka_unit_test(cacherw_pcby),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
