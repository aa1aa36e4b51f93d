/* SPDX-License-Identifier: Apache-2.0
 *
 * Host and managed memory. It differs from device memory only in what programs are told about it:
 * a list names the ranges that are not plain device memory.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "capture/cuda/byw_cu.h"

struct range {
    uintptr_t base;
    size_t size;
    enum byw_cu_memory kind;
    unsigned flags;
    bool registered; /* memory of the program */
    struct range *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges;

static bool add(const void *memory, const struct range *like)
{
    struct range *r = malloc(sizeof(*r));

    if (r == NULL)
        return false;
    *r = *like;
    r->base = (uintptr_t)memory;
    pthread_mutex_lock(&lock);
    r->next = ranges;
    ranges = r;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Removes the range that begins at an address; false if there is none. */
static bool drop(const void *memory, bool registered)
{
    struct range **p = &ranges, *r;

    pthread_mutex_lock(&lock);
    while (*p != NULL && ((*p)->base != (uintptr_t)memory || (*p)->registered != registered))
        p = &(*p)->next;
    r = *p;
    if (r != NULL)
        *p = r->next;
    pthread_mutex_unlock(&lock);
    free(r);
    return r != NULL;
}

/* Copies the range that contains an address; false if there is none. */
static bool find(const void *address, struct range *found)
{
    const struct range *r;
    uintptr_t at = (uintptr_t)address;

    pthread_mutex_lock(&lock);
    for (r = ranges; r != NULL && (at < r->base || at - r->base >= r->size);)
        r = r->next;
    if (r != NULL)
        *found = *r;
    pthread_mutex_unlock(&lock);
    return r != NULL;
}

bool byw_cu_mark(const void *memory, enum byw_cu_memory kind, size_t size, unsigned flags)
{
    const struct range range = {.size = size, .kind = kind, .flags = flags};

    return add(memory, &range);
}

void byw_cu_forget(const void *memory)
{
    drop(memory, false);
}

enum byw_cu_error byw_cu_register(void *memory, size_t size, unsigned flags)
{
    const struct range range = {
        .size = size, .kind = BYW_CU_HOST, .flags = flags, .registered = true};
    struct range known;

    if (memory == NULL || size == 0)
        return BYW_CU_INVALID_VALUE;
    if (find(memory, &known) && known.kind == BYW_CU_HOST)
        return BYW_CU_ALREADY_REGISTERED;
    return add(memory, &range) ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

enum byw_cu_error byw_cu_unregister(void *memory)
{
    if (memory == NULL)
        return BYW_CU_INVALID_VALUE;
    return drop(memory, true) ? BYW_CU_OK : BYW_CU_NOT_REGISTERED;
}

bool byw_cu_host_flags(const void *memory, unsigned *flags)
{
    struct range r;

    if (!find(memory, &r) || r.kind != BYW_CU_HOST)
        return false;
    *flags = r.flags;
    return true;
}

enum byw_cu_memory byw_cu_marked(const void *address, void **base, size_t *size)
{
    struct range r;

    if (!find(address, &r))
        return BYW_CU_UNKNOWN;
    *base = (void *)r.base;
    *size = r.size;
    return r.kind;
}
