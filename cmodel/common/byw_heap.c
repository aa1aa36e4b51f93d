/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_heap.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)

enum {
    PAGE = 2 << 20, /* bytes of a large page; where they are larger, some are not */
    RESERVE = 128 << 20, /* more than most runs need; what is beyond is in small pages */
    SPARSE = 128 << 10, /* a table that is worth pages of its own */
    LARGEST = 32 << 20, /* that the C library can be asked to have in the heap */
};

void byw_heap_prepare(void)
{
    void *block;
    uintptr_t first, end;

    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, LARGEST);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, RESERVE);
    block = malloc(PAGE); /* more than is there: the heap grows */
    first = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE;
    end = (uintptr_t)sbrk(0) / PAGE * PAGE;
    /* Of another C library's or a tool's malloc() the block is elsewhere. */
    if (block != NULL && first < end && end - first <= RESERVE + PAGE)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    free(block);
    mallopt(M_TOP_PAD, PAGE);
}

void *byw_heap_sparse(size_t bytes)
{
    void *table;

    if (bytes < SPARSE)
        return calloc(1, bytes);
    table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return table == MAP_FAILED ? NULL : table;
}

void byw_heap_sparse_free(void *table, size_t bytes)
{
    if (bytes < SPARSE)
        free(table);
    else if (table != NULL)
        munmap(table, bytes);
}

#else

void byw_heap_prepare(void)
{
}

void *byw_heap_sparse(size_t bytes)
{
    return calloc(1, bytes);
}

void byw_heap_sparse_free(void *table, size_t bytes)
{
    (void)bytes;
    free(table);
}

#endif
