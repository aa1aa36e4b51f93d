/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables at program scope: addresses that are the same in every capture, shared by the program's
 * code with and without the log.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/compile/byw_cl_compile.h"
#include "capture/compile/byw_cl_workshop.h"

#define PAGE 4096u

struct region {
    uint64_t base, size;
    unsigned users; /* number of loaded objects that use them */
    struct region *next;
};

/* Any thread may load objects, whose code refers to these addresses. */
static struct {
    pthread_mutex_t lock;
    struct region *first;
} regions = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct region *find(uint64_t base)
{
    struct region *region = regions.first;

    while (region != NULL && region->base != base)
        region = region->next;
    return region;
}

static struct region *map(uint64_t base, uint64_t size)
{
    struct region *region = calloc(1, sizeof(*region));
    void *got;

    if (region == NULL)
        return NULL;
    size = (size + PAGE - 1) / PAGE * PAGE;
    got = mmap((void *)(uintptr_t)base, size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (void *)(uintptr_t)base) {
        if (got != MAP_FAILED)
            munmap(got, size);
        free(region);
        return NULL;
    }
    *region = (struct region){.base = base, .size = size, .next = regions.first};
    return regions.first = region;
}

/* Address after the variables, which are placed consecutively from the region's base. */
static uint64_t end_of(const struct byw_cl_variable *variable)
{
    uint64_t end = 0;

    for (; variable->size != 0; variable++)
        end = variable->address + variable->size;
    return end;
}

enum byw_status byw_cl_variables_take(const struct byw_cl_variable *variable, struct byw_diag *diag)
{
    struct region *region;
    bool is_new;

    if (variable == NULL || variable->size == 0)
        return BYW_OK;
    pthread_mutex_lock(&regions.lock);
    region = find(variable->address);
    is_new = region == NULL;
    if (is_new)
        region = map(variable->address, end_of(variable) - variable->address);
    if (region != NULL)
        region->users++;
    for (; is_new && region != NULL && variable->size != 0; variable++)
        memcpy((void *)(uintptr_t)variable->address, variable->start, variable->size);
    pthread_mutex_unlock(&regions.lock);
    return region != NULL ? BYW_OK
                          : byw_diag_set(diag, BYW_ENOMEM,
                                         "cannot map memory for the program's variables at 0x%llx",
                                         (unsigned long long)variable->address);
}

void byw_cl_variables_give(const struct byw_cl_variable *variable)
{
    struct region *region, **at = &regions.first;

    if (variable == NULL || variable->size == 0)
        return;
    pthread_mutex_lock(&regions.lock);
    region = find(variable->address);
    if (region != NULL && --region->users == 0) {
        while (*at != region)
            at = &(*at)->next;
        *at = region->next;
        munmap((void *)(uintptr_t)region->base, region->size);
        free(region);
    }
    pthread_mutex_unlock(&regions.lock);
}
