/* SPDX-License-Identifier: Apache-2.0
 *
 * Write-back of a line, beat by beat, from a cache with a narrow datapath: rule 6 of
 * rtl/doc/l1d_pipeline.md, "Beats".
 */
#include "l1d/beats_rig.h"

/* A cache that holds line 1 with the dirty beats of `mask`. */
static struct host *dirty(const struct byw_config *c, uint32_t mask)
{
    struct host *h = make("beats: dirty", c);

    took(h, BYW_OP_LOCAL_LOAD, 1, 0);
    for (uint32_t beat = 0; beat < BEATS; beat++)
        if ((mask >> beat & 1) != 0)
            took(h, BYW_OP_LOCAL_STORE, 1, beat);
    return h;
}

/* Rule 6: two cycles per beat, then the request is decided; only dirty beats are sent. */
static void each_dirty_beat_takes_two_cycles(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 16; i++) {
        uint32_t look = i % 2, mask = i / 2, n = byw_popcount64(mask);
        uint32_t passes = mask != 0 ? 2 * BEATS : 0;
        struct byw_config c = config(BYW_MODE_BASE, look);
        struct host *h;

        c.byp_on_hit = BYW_BYP_IGNORE;
        h = dirty(&c, mask);
        h->beat = 2;
        assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), LATENCY + 4 + look + passes);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n);
        host_free(h);

        h = dirty(&c, mask);
        assert_int_equal(took(h, BYW_OP_STORE, 1, 1), LATENCY + 4 + look + passes);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n + 1);
        host_free(h);

        c.l1d_ways = 1;
        h = dirty(&c, mask);
        assert_int_equal(took(h, BYW_OP_LOAD, 1 + SAME, 1),
                         LATENCY + 4 + look + BEATS - 1 + passes);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n);
        host_free(h);

        h = dirty(&c, mask);
        took(h, BYW_OP_FLUSH, 0, 0);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n);
        for (uint32_t beat = 0; beat < BEATS; beat++)
            assert_memory_equal(h->mem[1] + beat * BYTES, h->ref[1] + beat * BYTES, BYTES);
        assert_int_equal(took(h, BYW_OP_FLUSH, 0, 0), 3 + 2 * look); /* the stage, and rule 9 */
        host_free(h);
    }
}

/* Rule 6: a beat that becomes dirty again after it was sent is sent again; a kernel start in any
 * cycle of the passes drops the rest. */
static void a_beat_dirtied_again_is_sent_again(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2 * BEATS + 2; late++) {
        struct byw_config c = config(BYW_MODE_BASE, 0);
        struct host *h = dirty(&c, 15);
        uint32_t id;

        id = send(h, BYW_OP_STORE, 1, 1);
        idle_until(h, h->id[id].cycle + 2 + late);
        h->kernel_start = true;
        host_cycle(h, NULL);
        host_drain(h);
        host_check(h);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE],
                         (late + 1 < 2 * BEATS ? (late + 1) / 2 : BEATS) + 1);
        /* dirty bytes are dropped, as the contract allows */
        memcpy(h->ref[1], h->mem[1], HOST_WHOLE);
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        took(h, BYW_OP_LOCAL_STORE, 1, 0);
        took(h, BYW_OP_STORE, 1, 3);
        assert_memory_equal(h->mem[1], h->ref[1], HOST_WHOLE);
        host_free(h);
    }
}

/* Rule 6: switching the filter during a write-back changes the victim: with LFU line 33 is evicted,
 * with LRU line 1. The other line's beats start at its first. */
static void a_new_victim_starts_at_its_first_beat(void **state)
{
    uint32_t again = 0;

    (void)state;
    for (uint32_t late = 0; late < 2 * BEATS + 2; late++) {
        struct byw_config c = config(BYW_MODE_DECOUPLED, 0);
        struct host *h;
        uint32_t id;

        c.l1d_ways = c.dec_tag_ways = 2;
        c.dec_lfu_all = c.dec_rc_on_hit = 1;
        h = make("beats: another victim", &c);
        h->filter_on = false;
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        took(h, BYW_OP_LOCAL_LOAD, 1 + SAME, 0);
        h->filter_on = true;
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        h->filter_on = false;
        for (uint32_t beat = 0; beat < 2 * BEATS; beat++)
            took(h, BYW_OP_LOCAL_STORE, beat < BEATS ? 1 : 1 + SAME, beat % BEATS);
        h->filter_on = true;
        id = send(h, BYW_OP_LOAD, 1 + 2 * SAME, 0);
        idle_until(h, h->id[id].cycle + 2 + late);
        h->filter_on = false;
        host_drain(h);
        again += h->ev[BYW_EV_MEM_WRITE] > BEATS;
        took(h, BYW_OP_FLUSH, 0, 0);
        assert_memory_equal(h->mem[1], h->ref[1], HOST_WHOLE);
        assert_memory_equal(h->mem[1 + SAME], h->ref[1 + SAME], HOST_WHOLE);
        host_free(h);
    }
    assert_true(again >= BEATS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dirty_beat_takes_two_cycles),
        cmocka_unit_test(a_beat_dirtied_again_is_sent_again),
        cmocka_unit_test(a_new_victim_starts_at_its_first_beat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
