/* SPDX-License-Identifier: Apache-2.0
 *
 * The locality filter on one set record under a million random accesses: the assertions of
 * mechanisms/across.md 15.1 after each of them.
 */
#include "common/byw_record_bench.h"

/* Assertions 1 to 7 of mechanisms/across.md 15.1 on the record function, every option drawn at
 * random. */
static void check_access(struct bench *b, struct byw_set *before, uint64_t key, uint8_t op)
{
    const struct byw_geometry *geo = &b->policy.loc.geo;
    size_t bytes = byw_set_bytes(geo);
    uint64_t victims;
    uint32_t i;

    memcpy(before, b->set, bytes);
    bench_do(b, op, key);
    assert_null(byw_set_check(geo, b->set)); /* 1, 2, 3 */
    if (b->d.outcome == BYW_RSFAIL)
        assert_memory_equal(before, b->set, bytes); /* 4 */
    if (b->d.outcome == BYW_BYPASS)
        assert_int_equal(b->set->used & ~before->used, 0); /* 5 */
    for (i = 0; i < geo->tag_ways; i++) {
        const struct byw_tag *tag = &b->set->tag[i];

        assert_true(tag->rc <= b->policy.loc.rc_max); /* 6: saturates, and grows by one at most */
        if (tag->key == before->tag[i].key && tag->key != BYW_NO_KEY)
            assert_true(tag->rc <= before->tag[i].rc + 1);
    }
    if (b->d.leaves != BYW_NONE)
        assert_false(before->pending >> b->d.leaves & 1); /* 7 */
    victims = before->pending & ~b->set->pending;
    if (victims != 0 && b->fill_late)
        assert_true(b->d.orphan && victims == byw_bit64((uint32_t)b->d.way));
}

static void random_options(struct byw_config *c, struct byw_rng *rng)
{
    c->l1d_ways = 1 + byw_rng_below(rng, 5);
    c->dec_tag_ways = c->l1d_ways + byw_rng_below(rng, 6);
    c->l1d_repl = byw_rng_below(rng, 2);
    c->l1d_store_hit = byw_rng_below(rng, 2);
    c->dec_threshold = byw_rng_below(rng, 4);
    c->dec_rc_bits = 1 + byw_rng_below(rng, 3);
    c->dec_rc_init = byw_rng_below(rng, 2);
    c->dec_cmp = byw_rng_below(rng, 2);
    c->dec_lfu_all = byw_rng_below(rng, 2);
    c->dec_rc_on_hit = byw_rng_below(rng, 2);
    c->dec_age_alloc = byw_rng_below(rng, 2);
    c->dec_age_evict = byw_rng_below(rng, 2);
    c->dec_age_merge = byw_rng_below(rng, 2);
    c->dec_store_rc = byw_rng_below(rng, 2);
    c->dec_byp_rsfail = byw_rng_below(rng, 2);
}

static void a_million_random_accesses_keep_the_invariants(void **state)
{
    const char *text = getenv("SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 1;
    struct byw_rng rng;
    int run, i;

    (void)state;
    print_message("rerun with SEED=%llu\n", (unsigned long long)seed);
    byw_rng_init(&rng, seed);
    for (run = 0; run < 100; run++) {
        struct byw_config c = bench_config();
        struct byw_set *before;
        struct bench b;

        random_options(&c, &rng);
        b = bench_new(&c);
        b.fill_late = true;
        before = malloc(byw_set_bytes(&b.policy.loc.geo));
        assert_non_null(before);
        for (i = 0; i < 10000; i++) {
            uint64_t draw = byw_rng_next(&rng);
            uint8_t op = (uint8_t)((draw >> 8 & 7) < 5 ? BYW_OP_LOAD : (draw >> 11) % 5);

            b.set->pending &= draw >> 24;
            b.res.mshr = (draw >> 40 & 7) != 0;
            b.res.merge = (draw >> 43 & 7) != 0;
            b.res.miss_slot = (draw >> 46 & 7) != 0;
            b.res.bypass_slot = (draw >> 49 & 7) != 0;
            if ((draw >> 52 & 255) == 0)
                b.filter_on = !b.filter_on;
            check_access(&b, before, byw_rng_below(&rng, 14), op);
        }
        free(before);
        bench_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_random_accesses_keep_the_invariants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
