/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "capture/compile/byw_cl_scan.h"

/* Hash table with open addressing. It is never iterated, so host addresses cannot influence any
 * order. */
struct byw_cl_map {
    size_t mask, used;
    struct entry {
        const void *key;
        uint32_t value;
    } * entry;
};

struct byw_cl_map *byw_cl_map_create(size_t room)
{
    struct byw_cl_map *map = malloc(sizeof(*map));
    size_t size = 16;

    if (map == NULL)
        return NULL;
    while (size < 2 * room)
        size *= 2;
    map->mask = size - 1;
    map->used = 0;
    map->entry = calloc(size, sizeof(*map->entry));
    if (map->entry == NULL) {
        free(map);
        return NULL;
    }
    return map;
}

void byw_cl_map_free(struct byw_cl_map *map)
{
    if (map == NULL)
        return;
    free(map->entry);
    free(map);
}

static size_t find(const struct byw_cl_map *map, const void *key)
{
    size_t at = (size_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u) >> 32) & map->mask;

    while (map->entry[at].key != NULL && map->entry[at].key != key)
        at = (at + 1) & map->mask;
    return at;
}

/* Doubles the size; if memory runs out, the map keeps its size and gets fuller. */
static void grow(struct byw_cl_map *map)
{
    struct byw_cl_map old = *map;
    struct entry *entry = calloc(2 * (old.mask + 1), sizeof(*entry));

    if (entry == NULL)
        return;
    map->entry = entry;
    map->mask = 2 * (old.mask + 1) - 1;
    for (size_t i = 0; i <= old.mask; i++)
        if (old.entry[i].key != NULL)
            entry[find(map, old.entry[i].key)] = old.entry[i];
    free(old.entry);
}

void byw_cl_map_set(struct byw_cl_map *map, const void *key, uint32_t value)
{
    size_t at = find(map, key);

    if (map->entry[at].key == NULL && 2 * ++map->used > map->mask) {
        grow(map);
        at = find(map, key);
    }
    map->entry[at].key = key;
    map->entry[at].value = value;
}

uint32_t byw_cl_map_get(const struct byw_cl_map *map, const void *key)
{
    size_t at = find(map, key);

    return map->entry[at].key == NULL ? UINT32_MAX : map->entry[at].value;
}
