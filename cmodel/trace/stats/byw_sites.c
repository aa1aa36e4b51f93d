/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_sites.h"

#include <stdlib.h>

#define SITES_MAX ((uint32_t)1 << 20)

void byw_sites_release(struct byw_sites *sites)
{
    free(sites->site);
    free(sites->hash);
    *sites = (struct byw_sites){.count = 0};
}

static bool is_same(const struct byw_site_counts *a, const struct byw_site_counts *b)
{
    return a->pc == b->pc && a->code == b->code && a->cls == b->cls && a->width == b->width;
}

static uint32_t *hash_place(const struct byw_sites *sites, uint32_t *hash, uint32_t mask,
                            const struct byw_site_counts *key)
{
    uint64_t mixed = ((uint64_t)key->code << 32 | key->pc) + ((uint64_t)key->cls << 8 | key->width);
    uint32_t i = (uint32_t)((mixed * 0x9e3779b97f4a7c15ull) >> 32) & mask;

    while (hash[i] != 0 && !is_same(&sites->site[hash[i] - 1], key))
        i = (i + 1) & mask;
    return &hash[i];
}

static bool grow(struct byw_sites *sites)
{
    uint32_t room = sites->room == 0 ? 64 : 2 * sites->room, mask = 2 * room - 1;
    struct byw_site_counts *site = realloc(sites->site, room * sizeof(*site));
    uint32_t *hash;

    if (site == NULL)
        return false;
    sites->site = site;
    hash = calloc((size_t)mask + 1, sizeof(*hash));
    if (hash == NULL)
        return false;
    for (uint32_t i = 0; i < sites->count; i++)
        *hash_place(sites, hash, mask, &site[i]) = i + 1;
    free(sites->hash);
    sites->hash = hash;
    sites->hash_mask = mask;
    sites->room = room;
    return true;
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
    uint32_t *place;

    if (sites->room == 0 && !grow(sites))
        return NULL;
    place = hash_place(sites, sites->hash, sites->hash_mask, key);
    if (*place != 0)
        return &sites->site[*place - 1];
    if (sites->count == SITES_MAX)
        return &sites->rest;
    if (sites->count == sites->room) {
        if (!grow(sites))
            return NULL;
        place = hash_place(sites, sites->hash, sites->hash_mask, key);
    }
    sites->site[sites->count] = *key;
    look_up_source(&sites->site[sites->count], kernel);
    *place = ++sites->count;
    return &sites->site[sites->count - 1];
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
    free(sites->hash);
    sites->hash = NULL;
}
