/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reuse.h - reuse in a stream of line references: how often lines are referenced, and how far
 * apart (paper 000, Figures 3, 4 and 5b).
 *
 * Re-reference distance: number of references between two references to the same line; in A B C A
 * it is 2.  Stack distance: number of distinct lines among those; in A B B A it is 1, and the
 * re-reference distance is 2.  A fully associative LRU cache of N lines hits exactly the references
 * with a stack distance below N.
 *
 * The result is exact.  A reference costs O(log n) for n distinct lines (a Fenwick tree over the
 * lines in the order of their last reference).  Memory: 40 to 100 bytes per distinct line.
 */
#ifndef BYW_REUSE_H
#define BYW_REUSE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BYW_REUSE_COUNTS = 4, /* lines referenced 1, 2, 3, >= 4 times */
    BYW_DISTANCE_BINS = 13, /* 0, 1, 2-3, 4-7 ... 1024-2047, >= 2048 */
    BYW_STACK_BINS = 18, /* 0, 1, 2-3, 4-7 ... 32768-65535, >= 65536 */
};

/* Lowest distance of a bin. */
static inline uint64_t byw_reuse_bin_start(uint32_t bin)
{
    return bin == 0 ? 0 : (uint64_t)1 << (bin - 1);
}

struct byw_reuse_counts {
    uint64_t requests; /* references */
    uint64_t lines; /* distinct lines; also the number of requests without an earlier one, and
                     * without a later one */
    uint64_t by_count[BYW_REUSE_COUNTS]; /* lines by number of references */
    uint64_t distance[BYW_DISTANCE_BINS]; /* re-references by re-reference distance */
    uint64_t stack[BYW_STACK_BINS]; /* re-references by stack distance */
};

struct byw_reuse;

struct byw_reuse *byw_reuse_create(void); /* NULL if out of memory */
void byw_reuse_free(struct byw_reuse *reuse); /* accepts NULL */

/* False if out of memory, or at 2^31 distinct lines. */
bool byw_reuse_reference(struct byw_reuse *reuse, uint64_t line);

/* Adds the counts so far to *sum. */
void byw_reuse_add(const struct byw_reuse *reuse, struct byw_reuse_counts *sum);

#endif
