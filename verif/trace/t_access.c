/* SPDX-License-Identifier: Apache-2.0
 *
 * t_access.c - lines and sectors of random warp accesses, byte by byte, and their sums per site.
 *
 * Usage: t_access [SEED]; a failure prints the seed.
 */
#include <stdio.h>

#include "common/test.h"
#include "trace/stats/byw_sites.h"
#include "trace_random.h"

enum { UNITS = 64 * 16, SITES = 20000 };

static uint64_t test_seed = 1;

/* Number of distinct units of `bytes` bytes that contain a byte of any lane. */
static uint32_t units_of(const struct byw_inst *inst, const struct byw_cta *cta, uint64_t bytes,
                         uint64_t unit[UNITS])
{
    uint32_t n = 0, rank = 0;

    for (uint32_t lane = 0; lane < 64; lane++) {
        if ((inst->mask >> lane & 1) == 0)
            continue;
        for (uint32_t b = 0; b < inst->width; b++) {
            uint64_t at = (byw_inst_address(inst, cta, lane, rank) + b) / bytes;
            uint32_t i = 0;

            while (i < n && unit[i] != at)
                i++;
            unit[i] = at;
            n += i == n;
        }
        rank++;
    }
    return n;
}

static bool is_right(const struct byw_inst *inst, const struct byw_cta *cta,
                     const struct byw_access *access)
{
    static uint64_t unit[UNITS];
    uint32_t n = units_of(inst, cta, BYW_TRACE_LINE_BYTES, unit);

    if (access->lanes != (uint32_t)__builtin_popcountll(inst->mask) || access->lines != n ||
        memcmp(access->line, unit, n * sizeof(*unit)) != 0)
        return false;
    n = units_of(inst, cta, BYW_TRACE_SECTOR_BYTES, unit);
    return access->sectors == n && memcmp(access->sector, unit, n * sizeof(*unit)) == 0;
}

static bool same_site(const struct byw_site_counts *a, const struct byw_site_counts *b)
{
    return a->code == b->code && a->pc == b->pc && a->cls == b->cls && a->width == b->width;
}

/* Adds the same sums to a plain list, as the reference. */
static void add_plain(struct byw_site_counts *site, uint32_t *sites,
                      const struct byw_site_counts *one)
{
    uint32_t i = 0;

    while (i < *sites && !same_site(&site[i], one))
        i++;
    assert_true(i < SITES);
    if (i == *sites) {
        site[i] = *one;
        (*sites)++;
        return;
    }
    site[i].accesses++;
    site[i].lanes += one->lanes;
    site[i].lines += one->lines;
    site[i].sectors += one->sectors;
}

static void compare(const struct byw_sites *got, const struct byw_site_counts *want, uint32_t n,
                    uint64_t seed)
{
    bool same = got->count == n && got->rest.accesses == 0;

    for (uint32_t i = 0; same && i < n; i++) {
        const struct byw_site_counts *g = &got->site[i];
        uint32_t j = 0;

        while (j < n && !same_site(&want[j], g))
            j++;
        same = j < n && want[j].launch == g->launch && want[j].accesses == g->accesses &&
               want[j].lanes == g->lanes && want[j].lines == g->lines &&
               want[j].sectors == g->sectors &&
               (i == 0 || g->launch > g[-1].launch ||
                (g->launch == g[-1].launch && g->pc >= g[-1].pc));
    }
    if (!same)
        fail_msg("sites differ; run again: t_access %llu", (unsigned long long)seed);
}

static void lines_and_sectors_equal_a_brute_force_count(void **state)
{
    static struct byw_site_counts want[SITES];
    struct byw_access access;
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    for (uint64_t seed = test_seed; seed < test_seed + 5; seed++) {
        uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;
        struct byw_sites sites = {.count = 0};
        uint32_t n = 0;

        for (uint32_t launch = 0; launch < 4; launch++) {
            struct byw_kernel kernel;
            struct byw_site site[8];

            trace_random_kernel(&rng, site, &kernel);
            trace_random_cta(&rng, &kernel, 8, 600, &cta);
            for (uint32_t i = 0; i < cta.inst_count; i++) {
                const struct byw_inst *inst = &cta.inst[i];
                struct byw_site_counts one = {.code = kernel.code,
                                              .launch = launch,
                                              .pc = inst->pc,
                                              .cls = inst->cls,
                                              .width = inst->width,
                                              .accesses = 1};

                if (!byw_access_is_cached(inst))
                    continue;
                byw_access_of(inst, &cta, &access);
                if (!is_right(inst, &cta, &access))
                    fail_msg("access %u; run again: t_access %llu", i, (unsigned long long)seed);
                one.lanes = access.lanes;
                one.lines = access.lines;
                one.sectors = access.sectors;
                add_plain(want, &n, &one);
                assert_true(byw_sites_count(&sites, &kernel, launch, inst, &access));
            }
        }
        assert_true(n > 0);
        byw_sites_sort(&sites);
        compare(&sites, want, n, seed);
        byw_sites_release(&sites);
    }
    byw_cta_release(&cta);
}

/* Which classes count; an access needs a lane and an address. */
static void only_accesses_with_lanes_and_addresses_count(void **state)
{
    static const enum byw_class cached[] = {BYW_CLASS_LOAD, BYW_CLASS_STORE, BYW_CLASS_ATOMIC,
                                            BYW_CLASS_LOCAL_LOAD, BYW_CLASS_LOCAL_STORE};

    (void)state;
    for (unsigned c = 0; c < BYW_CLASS_COUNT; c++) {
        struct byw_inst inst = {.cls = (uint8_t)c, .mask = 1, .form = BYW_FORM_STRIDE, .width = 4};
        bool want = false;

        for (unsigned i = 0; i < sizeof(cached) / sizeof(cached[0]); i++)
            want = want || cached[i] == c;
        assert_int_equal(byw_access_is_cached(&inst), want);
        inst.mask = 0;
        assert_false(byw_access_is_cached(&inst));
        inst.mask = 1;
        inst.form = BYW_FORM_NONE;
        assert_false(byw_access_is_cached(&inst));
    }
}

/* Beyond 2^20 sites all counts go into one entry. */
static void sites_beyond_the_limit_share_an_entry(void **state)
{
    const struct byw_kernel kernel = {.name = "k"};
    struct byw_access access = {.lanes = 3, .lines = 2, .sectors = 2};
    struct byw_inst inst = {.cls = BYW_CLASS_LOAD, .width = 4};
    struct byw_sites sites = {.count = 0};

    (void)state;
    for (uint32_t i = 0; i < (1u << 20) + 5; i++) {
        inst.pc = 16 * i;
        assert_true(byw_sites_count(&sites, &kernel, 0, &inst, &access));
    }
    inst.pc = 0;
    assert_true(byw_sites_count(&sites, &kernel, 0, &inst, &access));
    assert_int_equal(sites.count, 1u << 20);
    assert_int_equal(sites.rest.accesses, 5);
    assert_int_equal(sites.rest.lanes, 15);
    assert_int_equal(sites.site[0].accesses, 2);
    byw_sites_release(&sites);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_sectors_equal_a_brute_force_count),
        cmocka_unit_test(only_accesses_with_lanes_and_addresses_count),
        cmocka_unit_test(sites_beyond_the_limit_share_an_entry),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
