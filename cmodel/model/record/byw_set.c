/* SPDX-License-Identifier: Apache-2.0 */
#include "record/byw_set.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "common/byw_config.h"

struct byw_geometry byw_geometry_of(const struct byw_config *config, uint32_t tag_ways)
{
    bool hash_exists = config->l1d_sets == 32 || config->l1d_sets == 64;
    bool folds = config->l1d_index == BYW_INDEX_FERMI && !hash_exists;

    return (struct byw_geometry){.sets = config->l1d_sets,
                                 .set_bits = byw_clog2(config->l1d_sets),
                                 .tag_ways = tag_ways,
                                 .data_ways = config->l1d_ways,
                                 .line_bits = byw_clog2(config->l1d_line),
                                 .index = folds ? BYW_INDEX_FOLD : config->l1d_index};
}

/* The address bits that the Fermi hash folds onto the lowest five index bits. */
static uint64_t fermi_fold(uint64_t addr)
{
    return ((addr >> 13) & 1) | ((addr >> 14) & 1) << 1 | ((addr >> 15) & 1) << 2 |
           ((addr >> 17) & 1) << 3 | ((addr >> 19) & 1) << 4;
}

/* The exclusive or of all pieces of the key that are as wide as the index. */
static uint64_t fold_all(const struct byw_geometry *geo, uint64_t key)
{
    uint64_t fold = 0;

    for (; key != 0 && geo->set_bits != 0; key >>= geo->set_bits)
        fold ^= key;
    return fold & (geo->sets - 1);
}

/* The value that is XORed onto the lowest line bits.  It depends on bits above the index only. */
static uint64_t fold_of(const struct byw_geometry *geo, uint64_t line)
{
    if (geo->index == BYW_INDEX_FERMI)
        return fermi_fold(line << geo->line_bits);
    return geo->index == BYW_INDEX_FOLD ? fold_all(geo, line >> geo->set_bits) : 0;
}

uint32_t byw_set_index(const struct byw_geometry *geo, uint64_t line)
{
    return (uint32_t)((line & (geo->sets - 1)) ^ fold_of(geo, line));
}

uint64_t byw_set_line(const struct byw_geometry *geo, uint32_t index, uint64_t key)
{
    uint64_t line = key << geo->set_bits;

    return line | (index ^ fold_of(geo, line));
}

size_t byw_set_bytes(const struct byw_geometry *geo)
{
    return sizeof(struct byw_set) + geo->tag_ways * sizeof(struct byw_tag);
}

void byw_set_clear(const struct byw_geometry *geo, struct byw_set *set)
{
    uint32_t i;

    set->used = 0;
    set->pending = 0;
    for (i = 0; i < geo->data_ways; i++) {
        set->way[i] = (struct byw_way){0};
        set->rank[i] = (uint8_t)i;
    }
    memset(set->hint, 0, sizeof(set->hint));
    memset(set->print, 0, sizeof(set->print));
    for (i = 0; i < geo->tag_ways; i++)
        set->tag[i] = (struct byw_tag){.key = BYW_NO_KEY, .age = (uint8_t)i};
}

/* No branch per way: which way hits is not predictable. */
static inline int match_ways(const struct byw_set *set, uint64_t key, uint32_t ways)
{
    int hit = BYW_NONE;
    uint32_t i;

    for (i = 0; i < ways; i++)
        hit = set->tag[i].key == key ? (int)i : hit;
    return hit;
}

static uint32_t hint_of(uint64_t key)
{
    return (uint32_t)key % BYW_SET_HINTS;
}

static uint8_t print_of(uint64_t key)
{
    return (uint8_t)(key ^ key >> 8);
}

/* For many ways: tries the hinted way first, then the ways whose print matches the key's. */
static int find_way(const struct byw_set *set, uint64_t key, uint32_t ways)
{
    uint32_t i = set->hint[hint_of(key)];

    if (i < ways && set->tag[i].key == key)
        return (int)i;
    for (uint32_t first = 0; first < ways; first += 16) {
        uint32_t like = byw_bytes_like(set->print + first, print_of(key));

        for (; like != 0; like &= like - 1) {
            i = first + byw_ctz64(like);
            if (i < ways && set->tag[i].key == key)
                return (int)i;
        }
    }
    return BYW_NONE;
}

void byw_set_prefetch(const struct byw_geometry *geo, const struct byw_set *set, uint64_t key)
{
    uint32_t i = set->hint[hint_of(key)];

    if (i < geo->tag_ways)
        byw_prefetch(&set->tag[i]);
}

int byw_set_match(const struct byw_geometry *geo, const struct byw_set *set, uint64_t key)
{
    switch (geo->tag_ways) {
    case 4:
        return match_ways(set, key, 4);
    case 8:
        return match_ways(set, key, 8);
    default:
        if (geo->tag_ways < 8 || key == BYW_NO_KEY) /* an absent key means the last invalid way */
            return match_ways(set, key, geo->tag_ways);
        return find_way(set, key, geo->tag_ways);
    }
}

void byw_set_touch_tag(const struct byw_geometry *geo, struct byw_set *set, int tag)
{
    uint8_t age = set->tag[tag].age;
    uint32_t i;

    if (age == 0)
        return;
    for (i = 0; i < geo->tag_ways; i++)
        set->tag[i].age = (uint8_t)(set->tag[i].age + (set->tag[i].age < age));
    set->tag[tag].age = 0;
}

void byw_set_install(struct byw_set *set, int tag, uint64_t key, uint8_t rc)
{
    assert(set->tag[tag].status != BYW_TAG_COMMITTED);
    set->tag[tag].key = key;
    set->hint[hint_of(key)] = (uint8_t)tag;
    set->print[tag] = print_of(key);
    set->tag[tag].status = BYW_TAG_CANDIDATE;
    set->tag[tag].rc = rc;
    set->tag[tag].pos = 0;
    set->tag[tag].sectors = 0;
}

void byw_set_commit(struct byw_set *set, int tag, uint32_t way)
{
    assert((set->used & byw_bit64(way)) == 0 && set->tag[tag].status == BYW_TAG_CANDIDATE);
    set->used |= byw_bit64(way);
    set->pending |= byw_bit64(way);
    set->way[way].owner = (uint8_t)tag;
    set->way[way].reused = false;
    set->tag[tag].status = BYW_TAG_COMMITTED;
    set->tag[tag].pos = (uint8_t)way;
    set->tag[tag].sectors = 1;
}

void byw_set_uncommit(struct byw_set *set, int tag, bool keep_tag)
{
    uint64_t bit = byw_bit64(set->tag[tag].pos);

    assert(set->tag[tag].status == BYW_TAG_COMMITTED);
    set->used &= ~bit;
    set->pending &= ~bit;
    set->tag[tag].status = keep_tag ? BYW_TAG_CANDIDATE : BYW_TAG_INVALID;
    set->tag[tag].rc = 0;
    set->tag[tag].pos = 0;
    set->tag[tag].sectors = 0;
    if (!keep_tag)
        set->tag[tag].key = BYW_NO_KEY;
}

void byw_set_fail(struct byw_set *set, int tag, bool keep_tag)
{
    uint8_t rc = set->tag[tag].rc;

    byw_set_uncommit(set, tag, keep_tag);
    if (keep_tag)
        set->tag[tag].rc = rc;
}

void byw_set_drop_candidates(const struct byw_geometry *geo, struct byw_set *set)
{
    uint32_t i;

    for (i = 0; i < geo->tag_ways; i++) {
        if (set->tag[i].status != BYW_TAG_CANDIDATE)
            continue;
        set->tag[i].status = BYW_TAG_INVALID;
        set->tag[i].key = BYW_NO_KEY;
        set->tag[i].rc = 0;
    }
}

static const char *check_tags(const struct byw_geometry *geo, const struct byw_set *set)
{
    uint64_t owned = 0, ages[BYW_TAG_WAYS_MAX / 64] = {0};
    uint32_t i, j;

    for (i = 0; i < geo->tag_ways; i++) {
        const struct byw_tag *tag = &set->tag[i];

        ages[tag->age / 64] |= byw_bit64(tag->age % 64);
        if ((tag->status == BYW_TAG_INVALID) != (tag->key == BYW_NO_KEY))
            return "an invalid tag has a key, or a valid one has none";
        if (geo->tag_ways > 8 && tag->status != BYW_TAG_INVALID &&
            set->print[i] != print_of(tag->key))
            return "a tag has the print of another key";
        for (j = 0; j < i && tag->status != BYW_TAG_INVALID; j++)
            if (set->tag[j].key == tag->key)
                return "two tag ways hold the same line";
        if (tag->status != BYW_TAG_COMMITTED)
            continue;
        if ((owned & byw_bit64(tag->pos)) != 0)
            return "two tags own the same data line";
        if (tag->pos >= geo->data_ways || set->way[tag->pos].owner != i)
            return "Position and owner disagree";
        owned |= byw_bit64(tag->pos);
    }
    if (owned != set->used)
        return "the used bits differ from the data lines owned by tags";
    for (i = 0; i < geo->tag_ways; i++)
        if ((ages[i / 64] & byw_bit64(i % 64)) == 0)
            return "the tag LRU ages are not a permutation";
    return NULL;
}

const char *byw_set_check(const struct byw_geometry *geo, const struct byw_set *set)
{
    if ((set->pending & ~set->used) != 0)
        return "a pending data line has no owner";
    if ((set->used & ~byw_mask64(geo->data_ways)) != 0)
        return "a data way outside the geometry is used";
    return check_tags(geo, set);
}
