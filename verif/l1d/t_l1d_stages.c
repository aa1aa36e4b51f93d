/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l1d_stages - how a request in the pipeline affects the one behind it (rtl/doc/l1d_pipeline.md:
 * Bypass mode, rule 9, Beats).
 */
#include "common/byw_l1d_host.h"

static struct host *make(const char *name, uint32_t look, uint32_t beat_bytes)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_look = look;
    c.port.beat_bytes = beat_bytes;
    return host_new(name, &c, host_seed(1));
}

/* A load taken in bypass mode reads the tags only if a local store is ahead of it in s1, look or
 * s2, because its bytes may have to leave first. Other requests ahead do not matter, nor does a
 * local store that has left (without a line it leaves no dirty bytes). */
static void only_a_local_store_ahead_makes_a_bypassed_load_read_the_tags(void **state)
{
    static const uint8_t ahead[] = {BYW_OP_LOAD, BYW_OP_LOCAL_LOAD, BYW_OP_STORE,
                                    BYW_OP_LOCAL_STORE, BYW_OP_ATOMIC};

    (void)state;
    for (uint32_t look = 0; look < 2; look++)
        for (uint32_t i = 0; i < sizeof(ahead); i++)
            for (uint32_t gap = 0; gap < 5; gap++) {
                struct host *h = make("bypass behind a request", look, 0);
                bool inside = gap < 2 + look; /* s1, look, s2 */
                uint64_t reads;

                host_send(h, ahead[i], 5, BYW_HINT_NONE);
                idle_cycles(h, gap);
                h->bypass = true;
                reads = h->ev[BYW_EV_TAG_READ];
                host_send(h, BYW_OP_LOAD, 9, BYW_HINT_NONE);
                assert_int_equal(h->ev[BYW_EV_TAG_READ] - reads,
                                 ahead[i] == BYW_OP_LOCAL_STORE && inside);
                host_drain(h);
                host_free(h);
            }
}

/* Rule 9: with a look stage, a FLUSH ends one cycle after everything that it waits for is done; the
 * same holds for each of two in a row. */
static void each_flush_waits_its_own_cycle(void **state)
{
    (void)state;
    for (uint32_t look = 0; look < 2; look++) {
        struct host *h = make("flush behind flush", look, 0);
        uint32_t first, second;

        first = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
        second = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
        host_drain(h);
        assert_int_equal(h->rsp_cycle[second] - h->rsp_cycle[first], 1 + look);
        host_free(h);
    }
}

/* A FLUSH writes a line back from its first beat to its last, one every second cycle, before it
 * moves on to the next line. */
static void a_flush_finishes_a_line_before_the_next(void **state)
{
    enum { BYTES = 32, BEATS = 4, LINES = 3 };

    (void)state;
    for (uint32_t look = 0; look < 2; look++) {
        struct host *h = make("flush by lines", look, BYTES);
        uint64_t line = 0, cycle = 0;
        uint32_t n = 0, id;

        for (uint32_t i = 0; i < LINES * BEATS; i++) {
            h->beat = i % BEATS;
            if (h->beat == 0)
                host_do(h, BYW_OP_LOCAL_LOAD, i / BEATS, BYW_HINT_NONE);
            host_do(h, BYW_OP_LOCAL_STORE, i / BEATS, BYW_HINT_NONE);
        }
        h->beat = 0;
        id = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
        while (h->id[id].busy) {
            host_cycle(h, NULL);
            if (!h->out.mem_req_valid || !h->in.mem_req_ready)
                continue;
            if (n % BEATS == 0)
                line = h->out.mem_req.line;
            else
                assert_int_equal(h->cycle, cycle + 2);
            cycle = h->cycle;
            assert_int_equal(h->out.mem_req.line, line);
            assert_int_equal(h->out.mem_req.beat, n++ % BEATS);
        }
        assert_int_equal(n, LINES * BEATS);
        host_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_local_store_ahead_makes_a_bypassed_load_read_the_tags),
        cmocka_unit_test(each_flush_waits_its_own_cycle),
        cmocka_unit_test(a_flush_finishes_a_line_before_the_next),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
