/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_heap.h - large pages for the simulator's heap.
 *
 * A simulation cycles through the state of all SMs and through the decoded trace.  Together they
 * span more small pages than the processor's TLB holds.  Before the program allocates, it requests
 * one heap in large pages, shared by all threads, that keeps freed memory.  This reserves
 * addresses; memory is committed on first use.  If the C library or the system does not support
 * this, the heap stays as it is.  Only speed is affected.
 */
#ifndef BYW_HEAP_H
#define BYW_HEAP_H

#include <stddef.h>

/* Call once from main(), before other threads start. */
void byw_heap_prepare(void);

/* A zeroed table of which only a small part is used.  A large table is placed outside the heap in
 * small pages, committed on first use.  Returns NULL if out of memory.  _free accepts NULL. */
void *byw_heap_sparse(size_t bytes);
void byw_heap_sparse_free(void *table, size_t bytes);

/* A zeroed table used in a few contiguous ranges.  A large table is in large pages. */
void *byw_heap_stretches(size_t bytes);
void byw_heap_stretches_free(void *table, size_t bytes);

/* An uninitialized block in large pages, inside the heap unless it is too large for it. */
void *byw_heap_block(size_t bytes);
void byw_heap_block_free(void *block, size_t bytes);

#endif
