/* SPDX-License-Identifier: Apache-2.0
 *
 * lock.h for CBMC - precedes verif/cosim/lock.h in the include path.  A lock-step test of a
 * combinational module becomes a proof: every random number is any number, every comparison an
 * assertion, and there is one cycle.  The module is the C code that aag2c.awk generates from it.
 */
#ifndef BYW_LOCK_H
#define BYW_LOCK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "cosim/dut.h"
#include "record/byw_set.h"

enum { DUT_WORDS = 8 }; /* of 32 bits per port */

struct byw_rng {
    int unused;
};

struct lock {
    uint64_t cycles;
    uint64_t cycle;
    struct byw_rng rng;
    struct dut *dut;
};

uint64_t nondet_uint64(void);
uint32_t nondet_uint32(void);
bool nondet_bool(void);
uint32_t *dut_words(uint32_t port);

static inline void dut_put(struct dut *dut, uint32_t port, uint64_t value)
{
    (void)dut;
    dut_words(port)[0] = (uint32_t)value;
    dut_words(port)[1] = (uint32_t)(value >> 32);
}

static inline uint64_t dut_get(const struct dut *dut, uint32_t port)
{
    (void)dut;
    return dut_words(port)[0] | (uint64_t)dut_words(port)[1] << 32;
}

static inline void dut_put_bytes(struct dut *dut, uint32_t port, const uint32_t *words, size_t n)
{
    (void)dut;
    for (size_t i = 0; i < DUT_WORDS && 4 * i < n; i++)
        dut_words(port)[i] = words[i];
}

static inline void dut_get_bytes(const struct dut *dut, uint32_t port, uint32_t *words, size_t n)
{
    (void)dut;
    for (size_t i = 0; i < DUT_WORDS && 4 * i < n; i++)
        words[i] = dut_words(port)[i];
}

static inline uint64_t byw_rng_next(struct byw_rng *rng)
{
    (void)rng;
    return nondet_uint64();
}

static inline struct lock lock_start(int argc, char **argv, uint64_t cycles)
{
    (void)argc, (void)argv, (void)cycles;
    return (struct lock){.cycles = 1};
}

static inline uint32_t lock_below(struct lock *l, uint32_t bound)
{
    uint32_t value = nondet_uint32();

    (void)l;
    __CPROVER_assume(value < bound);
    return value;
}

/* Any chance but 0 and 100 percent may or may not occur. */
static inline bool lock_chance(struct lock *l, uint32_t percent)
{
    bool value = nondet_bool();

    (void)l;
    __CPROVER_assume(value ? percent > 0 : percent < 100);
    return value;
}

static inline void lock_same(const struct lock *l, const char *what, uint64_t want, uint64_t got)
{
    (void)l, (void)what;
    __CPROVER_assert(want == got, "C and RTL agree");
}

static inline void lock_same_at(const struct lock *l, const char *what, uint32_t i, uint64_t want,
                                uint64_t got)
{
    (void)i;
    lock_same(l, what, want, got);
}

static inline void lock_met(const struct lock *l, const char *what, uint64_t times)
{
    (void)l, (void)what, (void)times;
}

static inline int lock_pass(struct lock *l, const char *format, ...)
{
    (void)l, (void)format;
    return 0;
}

static inline uint64_t lock_field(const uint32_t *words, uint32_t lsb, uint32_t width)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < width; i++)
        value |= (uint64_t)(words[(lsb + i) / 32] >> ((lsb + i) % 32) & 1) << i;
    return value;
}

static inline void lock_set_field(uint32_t *words, uint32_t lsb, uint32_t width, uint64_t value)
{
    for (uint32_t i = 0; i < width; i++)
        words[(lsb + i) / 32] |= (uint32_t)(value >> i & 1) << (lsb + i) % 32;
}

/* What CBMC does not model: one record replaces the heap, and lock_join replaces snprintf. */
static struct byw_set lock_room;
#define malloc(size) ((void *)((void)(size), &lock_room))
#define free(at) ((void)(at))

static inline int lock_join(char *to, const char *a, const char *b, const char *c)
{
    strcpy(to, a);
    strcat(to, "_");
    strcat(to, b);
    strcat(to, "_");
    strcat(to, c);
    return 0;
}
#define snprintf(to, size, format, a, b, c) lock_join(to, a, b, c)

#endif
