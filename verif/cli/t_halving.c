/* SPDX-License-Identifier: Apache-2.0
 *
 * Successive halving (study/tune/byw_halving.h): the rounds, which candidates are kept, and that a
 * planted optimum survives rounds whose scores are noisy at first.
 */
#include <math.h>

#include "common/test.h"
#include "study/tune/byw_halving.h"

static void check_rounds(size_t candidates, size_t workloads, unsigned eta, size_t count,
                         const struct byw_halving_round *want)
{
    struct byw_halving_round got[BYW_HALVING_ROUNDS];

    assert_int_equal(byw_halving_rounds(candidates, workloads, eta, got), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(got[i].candidates, want[i].candidates);
        assert_int_equal(got[i].workloads, want[i].workloads);
    }
}

static void rounds_halve_the_candidates(void **state)
{
    (void)state;
    check_rounds(27, 9, 3, 3, (struct byw_halving_round[]){{27, 1}, {9, 3}, {3, 9}});
    check_rounds(28, 10, 3, 4, (struct byw_halving_round[]){{28, 1}, {10, 2}, {4, 4}, {2, 10}});
    check_rounds(100, 4, 2, 3, (struct byw_halving_round[]){{100, 1}, {50, 2}, {25, 4}});
    check_rounds(100, 1, 3, 1, (struct byw_halving_round[]){{100, 1}});
    check_rounds(1, 50, 3, 1, (struct byw_halving_round[]){{1, 50}});
    check_rounds(3, 50, 3, 1, (struct byw_halving_round[]){{3, 50}});
}

/* For any request the number of candidates falls and that of workloads rises from round to round;
 * the last round has all workloads. */
static void the_last_round_has_all_workloads(void **state)
{
    struct byw_halving_round r[BYW_HALVING_ROUNDS];

    (void)state;
    for (size_t c = 1; c < 300; c += 7)
        for (size_t w = 1; w < 60; w += 3)
            for (unsigned eta = 2; eta < 6; eta++) {
                size_t n = byw_halving_rounds(c, w, eta, r);

                assert_in_range(n, 1, BYW_HALVING_ROUNDS);
                assert_int_equal(r[0].candidates, c);
                assert_int_equal(r[n - 1].workloads, w);
                for (size_t i = 1; i < n; i++) {
                    assert_true(r[i].candidates < r[i - 1].candidates);
                    assert_true(r[i].workloads > r[i - 1].workloads);
                }
            }
}

static void the_best_candidates_are_kept(void **state)
{
    const double score[] = {0.5, NAN, 2.0, 0.5, 3.0};
    size_t alive[] = {0, 1, 2, 3, 4};
    static const size_t want[] = {4, 2, 0, 3, 1};

    (void)state;
    byw_halving_keep(score, alive, 5, 5);
    assert_memory_equal(alive, want, sizeof(want));
}

/* 81 candidates, 27 workloads; candidate 40 has the best mean over all, and candidates near it are
 * better on single workloads. */
static void a_planted_optimum_survives(void **state)
{
    struct byw_halving_round round[BYW_HALVING_ROUNDS];
    double score[81];
    size_t alive[81], left = 81;
    size_t rounds = byw_halving_rounds(81, 27, 3, round);

    (void)state;
    for (size_t i = 0; i < 81; i++)
        alive[i] = i;
    for (size_t r = 0; r < rounds; r++) {
        assert_int_equal(left, round[r].candidates);
        for (size_t i = 0; i < left; i++) {
            double sum = 0.0, away = fabs((double)alive[i] - 40.0);

            for (size_t w = 0; w < round[r].workloads; w++)
                sum += 10.0 - away + 2.0 * sin((double)(alive[i] * 31 + w * 7));
            score[alive[i]] = sum / (double)round[r].workloads;
        }
        byw_halving_keep(score, alive, left, left);
        left = r + 1 < rounds ? round[r + 1].candidates : left;
    }
    assert_int_equal(alive[0], 40);
}

static void random_sequence_is_fixed_by_its_seed(void **state)
{
    unsigned long long a = 1, b = 1, c = 2, bits = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        unsigned long long x = byw_halving_random(&a);

        assert_true(x == byw_halving_random(&b));
        assert_true(x != byw_halving_random(&c));
        bits += (unsigned long long)__builtin_popcountll(x);
    }
    assert_in_range(bits, 31500, 32500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_halve_the_candidates),
        cmocka_unit_test(the_last_round_has_all_workloads),
        cmocka_unit_test(the_best_candidates_are_kept),
        cmocka_unit_test(a_planted_optimum_survives),
        cmocka_unit_test(random_sequence_is_fixed_by_its_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
