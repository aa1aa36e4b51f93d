/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_addrmap.h"

#include <string.h>

static bool power_of_two(uint64_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* Splits a mask into runs; false if there are too many. */
static bool field_init(struct byw_addr_field *field, uint64_t mask)
{
    uint32_t bit = 0, to = 0;

    memset(field, 0, sizeof(*field));
    while (bit < 64) {
        uint32_t from = bit, width;

        if (!((mask >> bit) & 1)) {
            bit++;
            continue;
        }
        while (bit < 64 && ((mask >> bit) & 1))
            bit++;
        if (field->runs == BYW_ADDRMAP_RUNS)
            return false;
        width = bit - from;
        field->run[field->runs].from = (uint8_t)from;
        field->run[field->runs].to = (uint8_t)to;
        field->run[field->runs].mask = (width == 64) ? UINT64_MAX : (UINT64_C(1) << width) - 1;
        field->runs++;
        to += width;
    }
    return true;
}

static uint64_t field_get(const struct byw_addr_field *field, uint64_t addr)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < field->runs; i++)
        value |= ((addr >> field->run[i].from) & field->run[i].mask) << field->run[i].to;
    return value;
}

static uint64_t field_put(const struct byw_addr_field *field, uint64_t value)
{
    uint64_t addr = 0;

    for (uint32_t i = 0; i < field->runs; i++)
        addr |= ((value >> field->run[i].to) & field->run[i].mask) << field->run[i].from;
    return addr;
}

struct map_masks {
    uint64_t row, bank, column, inside;
};

/* Reads the letters of dram.map; zeros are allowed only above the highest named bit. */
static enum byw_status read_map(const char *text, struct map_masks *masks, struct byw_diag *diag)
{
    bool named = false;
    uint32_t bit = 0;

    memset(masks, 0, sizeof(*masks));
    for (const char *c = text; *c != '\0'; c++)
        bit += (*c != '.');
    if (bit == 0 || bit > 64)
        return byw_diag_set(diag, BYW_EINVAL, "dram.map: \"%s\" names %u bits, expected 1 to 64",
                            text, bit);
    for (const char *c = text; *c != '\0'; c++) {
        uint64_t one;

        if (*c == '.')
            continue;
        one = UINT64_C(1) << --bit;
        if (*c == 'R')
            masks->row |= one;
        else if (*c == 'B')
            masks->bank |= one;
        else if (*c == 'C')
            masks->column |= one;
        else if (*c == 'S')
            masks->inside |= one;
        else if (*c != '0' || named)
            return byw_diag_set(diag, BYW_EINVAL,
                                "dram.map: \"%s\" has '%c' at bit %u, expected R, B, C or S "
                                "(0 only above the highest of these)",
                                text, *c, bit);
        named = named || *c != '0';
    }
    return BYW_OK;
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

static void map_sizes(struct byw_addrmap *map, const struct byw_config *config)
{
    memset(map, 0, sizeof(*map));
    map->channels = config->dram_channels;
    map->channel_log2 = power_of_two(map->channels) ? log2_of(map->channels) : UINT32_MAX;
    map->slices_per_channel = config->l2_slices / config->dram_channels;
    map->shift = config->dram_map_shift;
    map->line_log2 = log2_of(config->l2_line);
    map->set_mask = config->l2_sets - 1;
}

static enum byw_status hashes_init(struct byw_addrmap *map, const struct byw_config *config,
                                   uint64_t slice_bits, struct byw_diag *diag)
{
    uint64_t low = (UINT64_C(1) << map->shift) - 1;

    map->hash_slice = config->l2_slice_index == BYW_HASH_IPOLY;
    map->hash_set = config->l2_index == BYW_HASH_IPOLY;
    if (map->hash_slice && !power_of_two(config->l2_slices))
        return byw_diag_set(diag, BYW_EINVAL,
                            "l2.slice_index: ipoly with %u slices, expected a power of two",
                            config->l2_slices);
    /* All lines of one channel interleave are in the same slice. */
    if (map->hash_slice && (1U << map->shift) < config->l2_line)
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.channel_bit: %u, expected at least %u, because "
                            "l2.slice_index = ipoly must not split lines",
                            map->shift, map->line_log2);
    if (map->hash_slice)
        map->slice_log2 = log2_of(config->l2_slices);
    map->rest_shift = map->shift - (uint32_t)__builtin_popcountll(slice_bits & low);
    byw_ipoly_init(&map->slice_hash, map->slice_log2);
    byw_ipoly_init(&map->set_hash, log2_of(config->l2_sets));
    return BYW_OK;
}

enum byw_status byw_addrmap_init(struct byw_addrmap *map, const struct byw_config *config,
                                 struct byw_diag *diag)
{
    struct map_masks masks;
    enum byw_status status = read_map(config->dram_map, &masks, diag);
    uint64_t slice_bits = 0, named;

    if (status != BYW_OK)
        return status;
    if (config->l2_slices % config->dram_channels != 0 ||
        !power_of_two(config->l2_slices / config->dram_channels))
        return byw_diag_set(diag, BYW_EINVAL,
                            "l2.slices: %u, expected a power of two times dram.channels (%u)",
                            config->l2_slices, config->dram_channels);
    if (!power_of_two(config->l2_sets) || !power_of_two(config->l2_line))
        return byw_diag_set(diag, BYW_EINVAL,
                            "l2.sets and l2.line_bytes: %u and %u, expected powers of two",
                            config->l2_sets, config->l2_line);
    if ((UINT64_C(1) << __builtin_popcountll(masks.bank)) != config->dram_banks)
        return byw_diag_set(diag, BYW_EINVAL, "dram.map: \"%s\" has %d bank bits for %u banks",
                            config->dram_map, __builtin_popcountll(masks.bank), config->dram_banks);
    if (masks.inside != (uint64_t)config->dram_atom - 1)
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.map: \"%s\", expected the lowest bits to be S, enough for an "
                            "atom of %u bytes",
                            config->dram_map, config->dram_atom);
    map_sizes(map, config);
    named = masks.row | masks.bank | masks.column | masks.inside;
    for (uint32_t left = map->slices_per_channel; left > 1; left /= 2) {
        uint64_t bit = masks.bank & ~slice_bits;

        slice_bits |= bit & (~bit + 1);
    }
    if (map->slices_per_channel > config->dram_banks)
        return byw_diag_set(diag, BYW_EINVAL,
                            "l2.slices: %u per channel, expected at most %u, "
                            "the number of banks",
                            map->slices_per_channel, config->dram_banks);
    if (slice_bits & ((uint64_t)config->l2_line - 1))
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.map: \"%s\" would split a line between L2 slices",
                            config->dram_map);
    if (!field_init(&map->row, masks.row | ~named) || !field_init(&map->bank, masks.bank) ||
        !field_init(&map->column, masks.column | masks.inside) ||
        !field_init(&map->set, ~slice_bits))
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.map: \"%s\" has too many separate runs of one letter",
                            config->dram_map);
    return hashes_init(map, config, slice_bits, diag);
}

/* Address = quotient, channel number before hashing, low bits. */
static uint32_t linear_channel(const struct byw_addrmap *map, uint64_t addr, uint64_t *local)
{
    uint64_t high = addr >> map->shift;
    uint64_t low = addr & ((UINT64_C(1) << map->shift) - 1);
    uint64_t quotient;

    if (map->channel_log2 != UINT32_MAX)
        quotient = high >> map->channel_log2;
    else
        quotient = high / map->channels;
    *local = quotient << map->shift | low;
    return (uint32_t)(high - quotient * map->channels);
}

/* The XOR mask that hashing applies to the slice number of a channel-local address. */
static uint32_t slice_twist(const struct byw_addrmap *map, uint64_t local)
{
    uint64_t rest = field_get(&map->set, local) >> map->rest_shift;

    return byw_ipoly_mod(&map->slice_hash, rest << map->slice_log2);
}

static uint32_t inner_slice(const struct byw_addrmap *map, uint64_t local)
{
    return (uint32_t)field_get(&map->bank, local) & (map->slices_per_channel - 1);
}

uint32_t byw_addrmap_channel(const struct byw_addrmap *map, uint64_t addr)
{
    uint64_t local;
    uint32_t channel = linear_channel(map, addr, &local);

    if (map->hash_slice)
        channel ^= slice_twist(map, local) / map->slices_per_channel;
    return channel;
}

uint64_t byw_addrmap_local(const struct byw_addrmap *map, uint64_t addr)
{
    uint64_t local;

    linear_channel(map, addr, &local);
    return local;
}

void byw_addrmap_home(const struct byw_addrmap *map, uint64_t addr, uint32_t *slice, uint32_t *set)
{
    uint64_t local, line;

    *slice = linear_channel(map, addr, &local) * map->slices_per_channel;
    if (map->slices_per_channel > 1)
        *slice += inner_slice(map, local);
    if (map->hash_slice)
        *slice ^= slice_twist(map, local);
    line = field_get(&map->set, local) >> map->line_log2;
    *set = (uint32_t)(map->hash_set ? byw_ipoly_mod(&map->set_hash, line) : line & map->set_mask);
}

uint64_t byw_addrmap_channel_line(const struct byw_addrmap *map, uint64_t addr, uint32_t line_log2)
{
    return byw_addrmap_local(map, addr) >> line_log2;
}

uint32_t byw_addrmap_slice(const struct byw_addrmap *map, uint64_t addr)
{
    uint32_t slice, set;

    byw_addrmap_home(map, addr, &slice, &set);
    return slice;
}

uint32_t byw_addrmap_set(const struct byw_addrmap *map, uint64_t addr)
{
    uint32_t slice, set;

    byw_addrmap_home(map, addr, &slice, &set);
    return set;
}

uint64_t byw_addrmap_row(const struct byw_addrmap *map, uint64_t addr, uint8_t *bank)
{
    uint64_t local = byw_addrmap_local(map, addr);

    *bank = (uint8_t)field_get(&map->bank, local);
    return field_get(&map->row, local);
}

struct byw_addr_parts byw_addrmap_split(const struct byw_addrmap *map, uint64_t addr)
{
    uint64_t local = byw_addrmap_local(map, addr);
    struct byw_addr_parts parts = {
        .row = field_get(&map->row, local),
        .channel = byw_addrmap_channel(map, addr),
        .bank = (uint32_t)field_get(&map->bank, local),
        .column = (uint32_t)field_get(&map->column, local),
    };

    return parts;
}

uint64_t byw_addrmap_join(const struct byw_addrmap *map, const struct byw_addr_parts *parts)
{
    uint64_t local = field_put(&map->row, parts->row) | field_put(&map->bank, parts->bank) |
                     field_put(&map->column, parts->column);
    uint64_t low = local & ((UINT64_C(1) << map->shift) - 1);
    uint32_t channel = parts->channel;

    if (map->hash_slice)
        channel ^= slice_twist(map, local) / map->slices_per_channel;
    return ((local >> map->shift) * map->channels + channel) << map->shift | low;
}
