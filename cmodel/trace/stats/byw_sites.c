/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_sites.h"

#include <stdlib.h>

#include "common/byw_array.h"

#define SITES_MAX ((uint32_t)1 << 20)

void byw_sites_release(struct byw_sites *sites)
{
    free(sites->site);
    byw_index_release(&sites->index);
    *sites = (struct byw_sites){.count = 0};
}

static bool is_same(const struct byw_site_counts *a, const struct byw_site_counts *b)
{
    return a->pc == b->pc && a->code == b->code && a->cls == b->cls && a->width == b->width;
}

static uint32_t hash_of(const struct byw_site_counts *key)
{
    return byw_hash2((uint64_t)key->code << 32 | key->pc, (uint64_t)key->cls << 8 | key->width);
}

/* Copies source line and argument from the trace's site table; if a pc has several entries, the one
 * of the same kind is used. */
static void look_up_source(struct byw_site_counts *site, const struct byw_kernel *kernel)
{
    const struct byw_site *best = NULL;

    for (uint32_t i = 0; kernel->site != NULL && i < kernel->site_count; i++) {
        const struct byw_site *s = &kernel->site[i];

        if (s->pc != site->pc)
            continue;
        if (best == NULL || (s->cls == site->cls && s->width == site->width))
            best = s;
    }
    if (best != NULL) {
        site->line = best->line;
        site->argument = best->argument;
    }
}

/* The entry of the site, new if needed; NULL if out of memory. */
static struct byw_site_counts *find(struct byw_sites *sites, const struct byw_kernel *kernel,
                                    const struct byw_site_counts *key)
{
    uint32_t hash = hash_of(key), n;

    for (uint32_t at = 0; (n = byw_index_next(&sites->index, hash, &at)) != BYW_INDEX_END;)
        if (is_same(&sites->site[n], key))
            return &sites->site[n];
    if (sites->count == SITES_MAX)
        return &sites->rest;
    if (!BYW_ARRAY_ROOM(sites->site, sites->room, sites->count + 1u) ||
        !byw_index_add(&sites->index, hash, sites->count))
        return NULL;
    sites->site[sites->count] = *key;
    look_up_source(&sites->site[sites->count], kernel);
    return &sites->site[sites->count++];
}

bool byw_sites_count(struct byw_sites *sites, const struct byw_kernel *kernel, uint32_t launch,
                     const struct byw_inst *inst, const struct byw_access *access)
{
    struct byw_site_counts key = {.code = kernel->code,
                                  .launch = launch,
                                  .pc = inst->pc,
                                  .argument = -1,
                                  .cls = inst->cls,
                                  .width = inst->width};
    struct byw_site_counts *site = find(sites, kernel, &key);

    if (site == NULL)
        return false;
    site->accesses++;
    site->lanes += access->lanes;
    site->lines += access->lines;
    site->sectors += access->sectors;
    return true;
}

static int by_place(const void *left, const void *right)
{
    const struct byw_site_counts *a = left, *b = right;

    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    if (a->cls != b->cls)
        return a->cls < b->cls ? -1 : 1;
    return (int)a->width - (int)b->width;
}

void byw_sites_sort(struct byw_sites *sites)
{
    if (sites->count != 0)
        qsort(sites->site, sites->count, sizeof(*sites->site), by_place);
    byw_index_release(&sites->index);
}
