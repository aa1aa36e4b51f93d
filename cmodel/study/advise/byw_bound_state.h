/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bound_state.h - private to the search for a bound: its loads, what was tried, and its file
 * (byw_bound_file.c).
 */
#ifndef BYW_BOUND_STATE_H
#define BYW_BOUND_STATE_H

#include "study/advise/byw_bound.h"

struct byw_bound_load {
    char kernel[128];
    uint32_t pc;
    uint64_t accesses;
};

/* An assignment is a text with a hexadecimal digit for each four loads, the first one's bit the
 * highest; a set bit bypasses. */
struct byw_bound_try {
    char *key;
    uint64_t cycles;
};

struct byw_bound {
    const struct byw_job *job;
    const struct byw_bound_options *options;
    struct byw_bound_load *load;
    uint32_t loads, digits;
    struct byw_bound_try *tried; /* in the order of the search */
    size_t count, room;
    char *best; /* the fastest so far; NULL: none */
    uint64_t cycles;
    bool complete;
};

static inline bool byw_bound_bit(const char *key, uint32_t load)
{
    char digit = key[load / 4];
    uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);

    return (value >> (3 - load % 4) & 1) != 0;
}

static inline void byw_bound_turn(char *key, uint32_t load)
{
    char digit = key[load / 4];
    uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);

    key[load / 4] = "0123456789abcdef"[value ^ (8U >> load % 4)];
}

static inline uint32_t byw_bound_bypassed(const struct byw_bound *bound, const char *key)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < bound->loads; i++)
        n += byw_bound_bit(key, i);
    return n;
}

/* The static loads of the job's trace.  BYW_EUNSUPPORTED: a kernel's name cannot stand in a file of
 * advice, or there is no global load. */
enum byw_status byw_bound_loads(struct byw_bound *bound, struct byw_diag *diag);

/* Adds what was tried; takes over the key.  Keeps the best: fewest cycles, then fewest bypasses,
 * then first.  False: no memory, and the key is freed. */
bool byw_bound_add(struct byw_bound *bound, char *key, uint64_t cycles);

/* What is in the file, if there is one; writes it. */
enum byw_status byw_bound_read(struct byw_bound *bound, struct byw_diag *diag);
enum byw_status byw_bound_write(const struct byw_bound *bound, struct byw_diag *diag);

#endif
