/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_heap.h - the heap of a program that simulates.
 *
 * A simulation goes round the state of all its SMs and through what is decoded of the trace, which
 * together are in more small pages than the processor remembers.  So a program asks, before it
 * allocates, for a heap in large pages that all threads share and that keeps what is freed.
 * Addresses are set aside for it; memory is taken when it is used.  Where the C library or the
 * system has no such thing the heap stays as it is: it is a matter of speed only.
 */
#ifndef BYW_HEAP_H
#define BYW_HEAP_H

#include <stddef.h>

/* For main(), once, before there are other threads. */
void byw_heap_prepare(void);

/* A table of `bytes` zeros of which seldom much is used: a large one is outside of the heap, where
 * memory is taken by small pages.  NULL: there is none.  _free takes NULL, too. */
void *byw_heap_sparse(size_t bytes);
void byw_heap_sparse_free(void *table, size_t bytes);

/* The same for one that is used in few stretches: it is in large pages. */
void *byw_heap_stretches(size_t bytes);
void byw_heap_stretches_free(void *table, size_t bytes);

/* A block of undefined content: in the heap unless it is too large for that, always in large pages.
 */
void *byw_heap_block(size_t bytes);
void byw_heap_block_free(void *block, size_t bytes);

#endif
