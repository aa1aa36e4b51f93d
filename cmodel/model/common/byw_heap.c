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
    PAGE = 2 << 20, /* bytes of a large page; if the host's are larger, some memory stays in small
                     * pages */
    SMALL = 4 << 10, /* bytes of a small page */
    RESERVE = 128 << 20, /* bytes of heap reserved, enough for most runs; the rest is in small
                          * pages */
    SPARSE = 128 << 10, /* size from which a sparse table gets separate pages */
    LARGEST = 32 << 20, /* largest block that the C library can be configured to keep in the heap */
};

void byw_heap_prepare(void)
{
    uintptr_t brk = (uintptr_t)sbrk(0), first = (brk + SMALL + PAGE - 1) / PAGE * PAGE, end;
    void *block;

    /* A page that is touched before madvise() stays small. So the heap is first extended to one
     * small page below the first large page: the C library's first write then goes to that small
     * page. */
    (void)sbrk((intptr_t)(first - SMALL - brk));
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, LARGEST);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, RESERVE);
    block = malloc(1); /* makes the heap grow */
    end = (uintptr_t)sbrk(0) / PAGE * PAGE;
    /* With another malloc() (another C library, a sanitizer) the block is elsewhere. */
    if (first - (uintptr_t)block <= SMALL && first < end && end - first <= RESERVE + PAGE)
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

static size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

void *byw_heap_stretches(size_t bytes)
{
    size_t room = whole_pages(bytes);
    char *all, *table;

    if (bytes < PAGE)
        return calloc(1, bytes);
    all = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    table = all + (PAGE - (uintptr_t)all % PAGE) % PAGE;
    if (table != all)
        munmap(all, (size_t)(table - all));
    munmap(table + room, (size_t)(all + PAGE - table));
    (void)madvise(table, room, MADV_HUGEPAGE);
    return table;
}

void byw_heap_stretches_free(void *table, size_t bytes)
{
    if (bytes < PAGE)
        free(table);
    else if (table != NULL)
        munmap(table, whole_pages(bytes));
}

void *byw_heap_block(size_t bytes)
{
    return bytes < LARGEST ? malloc(bytes) : byw_heap_stretches(bytes);
}

void byw_heap_block_free(void *block, size_t bytes)
{
    if (bytes < LARGEST)
        free(block);
    else
        byw_heap_stretches_free(block, bytes);
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

void *byw_heap_stretches(size_t bytes)
{
    return calloc(1, bytes);
}

void byw_heap_stretches_free(void *table, size_t bytes)
{
    (void)bytes;
    free(table);
}

void *byw_heap_block(size_t bytes)
{
    return malloc(bytes);
}

void byw_heap_block_free(void *block, size_t bytes)
{
    (void)bytes;
    free(block);
}

#endif
