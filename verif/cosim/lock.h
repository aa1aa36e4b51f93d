/* SPDX-License-Identifier: Apache-2.0
 *
 * lock.h - shared by all lock-step tests: seed and length from the command line, comparison with a
 * report of the first mismatch, packed vectors.
 *
 * Usage of every test program: NAME [seed [cycles]]. A mismatch prints unit, seed, cycle, quantity,
 * expected and actual value, and the command to repeat the run, and ends the program with exit code
 * 1.
 */
#ifndef BYW_LOCK_H
#define BYW_LOCK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "common/byw_rng.h"
#include "cosim/dut.h"

struct lock {
    const char *program;
    uint64_t seed;
    uint64_t cycles;
    uint64_t cycle;
    struct byw_rng rng;
    struct dut *dut;
};

static inline struct lock lock_start(int argc, char **argv, uint64_t cycles)
{
    struct lock l = {.program = argv[0], .seed = 1, .cycles = cycles};

    if (argc > 1)
        l.seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        l.cycles = strtoull(argv[2], NULL, 0);
    byw_rng_init(&l.rng, l.seed);
    l.dut = dut_create(l.seed);
    return l;
}

static inline uint32_t lock_below(struct lock *l, uint32_t bound)
{
    return byw_rng_below(&l->rng, bound);
}

static inline bool lock_chance(struct lock *l, uint32_t percent)
{
    return lock_below(l, 100) < percent;
}

static inline void lock_fail(const struct lock *l, const char *what, uint64_t want, uint64_t got)
{
    const char *slash = strrchr(l->program, '/');

    printf("FAIL %s seed %" PRIu64 " cycle %" PRIu64 ": %s want 0x%" PRIx64 " got 0x%" PRIx64
           "\nrerun: %s %" PRIu64 " %" PRIu64 "\n",
           slash != NULL ? slash + 1 : l->program, l->seed, l->cycle, what, want, got, l->program,
           l->seed, l->cycle < l->cycles ? l->cycle + 1 : l->cycles);
    exit(1);
}

static inline void lock_same(const struct lock *l, const char *what, uint64_t want, uint64_t got)
{
    if (want != got)
        lock_fail(l, what, want, got);
}

/* The same as lock_same() for one entry of an array. */
static inline void lock_same_at(const struct lock *l, const char *what, uint32_t i, uint64_t want,
                                uint64_t got)
{
    char text[96];

    if (want == got)
        return;
    snprintf(text, sizeof(text), "%s[%" PRIu32 "]", what, i);
    lock_fail(l, text, want, got);
}

static inline void lock_same_bytes(const struct lock *l, const char *what, const uint8_t *want,
                                   const uint8_t *got, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        lock_same_at(l, what, i, want[i], got[i]);
}

/* A case that must have occurred, because a run without it proves nothing about it. Checked for
 * the seeds of `make cosim`, not in a soak (BYW_SOAK is set), where single seeds may miss a rare
 * case. */
static inline void lock_met(const struct lock *l, const char *what, uint64_t times)
{
    if (times == 0 && l->cycles >= 5000 && getenv("BYW_SOAK") == NULL)
        lock_fail(l, what, 1, 0);
}

/* Ends a passed test; its line lists the cases that occurred. */
static inline int lock_pass(struct lock *l, const char *format, ...)
{
    const char *slash = strrchr(l->program, '/');
    va_list args;

    printf("PASS %s seed %" PRIu64 ": %" PRIu64 " cycles", slash != NULL ? slash + 1 : l->program,
           l->seed, l->cycles);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    dut_free(l->dut);
    return 0;
}

/* Packed vectors: the field of `width` (up to 64) bits at bit `lsb` of little-endian 32-bit words.
 */
static inline uint64_t lock_field(const uint32_t *words, uint32_t lsb, uint32_t width)
{
    uint64_t value = 0;
    uint32_t i;

    for (i = 0; i < width; i++)
        value |= (uint64_t)(words[(lsb + i) / 32] >> ((lsb + i) % 32) & 1) << i;
    return value;
}

static inline void lock_set_field(uint32_t *words, uint32_t lsb, uint32_t width, uint64_t value)
{
    uint32_t i;

    for (i = 0; i < width; i++) {
        uint32_t bit = UINT32_C(1) << (lsb + i) % 32;

        if ((value >> i & 1) != 0)
            words[(lsb + i) / 32] |= bit;
        else
            words[(lsb + i) / 32] &= ~bit;
    }
}

#endif
