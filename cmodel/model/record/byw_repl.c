/* SPDX-License-Identifier: Apache-2.0 */
#include "record/byw_repl.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "common/byw_config.h"

static const struct byw_repl_row rows[] = {
#define REPL(code, name, rank_bits, paper)                                                         \
    [BYW_REPL_##code] = {#name, paper, rank_bits, false, &byw_repl_##name},
#define C_REPL(code, name, rank_bits, paper)                                                       \
    [BYW_REPL_##code] = {#name, paper, rank_bits, true, &byw_repl_##name},
#include "configs/byw_replacements.def"
#undef REPL
};

const struct byw_repl_row *byw_repl_row(uint32_t kind)
{
    return kind < sizeof(rows) / sizeof(rows[0]) ? &rows[kind] : NULL;
}

const struct byw_repl_ops *byw_repl(uint32_t kind)
{
    const struct byw_repl_row *row = byw_repl_row(kind);

    return row == NULL ? NULL : row->ops;
}

uint32_t byw_repl_rank_bits(uint32_t kind, uint32_t ways)
{
    if (rows[kind].rank_bits != 0)
        return rows[kind].rank_bits;
    return ways > 1 ? byw_clog2(ways) : 1;
}

uint64_t byw_repl_storage(uint32_t kind, const struct byw_geometry *geo)
{
    uint32_t lines = geo->sets * geo->data_ways;
    uint64_t bits = (uint64_t)lines * byw_repl_rank_bits(kind, geo->data_ways);
    uint64_t lru = (uint64_t)lines * byw_repl_rank_bits(BYW_REPL_LRU, geo->data_ways);

    if (rows[kind].ops->storage_bits != NULL)
        bits += rows[kind].ops->storage_bits(geo);
    return bits > lru ? bits - lru : 0;
}

enum byw_status byw_repl_init(struct byw_repl_side *side, const struct byw_repl_ops *ops,
                              const struct byw_geometry *geo)
{
    *side = (struct byw_repl_side){
        .ops = ops, .random = BYW_REPL_SEED, .set_bits = byw_clog2(geo->sets)};
    if (ops->state_bytes == NULL)
        return BYW_OK;
    side->bytes = ops->state_bytes(geo);
    side->state = calloc(1, side->bytes);
    return side->state == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_repl_release(struct byw_repl_side *side)
{
    free(side->state);
    *side = (struct byw_repl_side){0};
}

void byw_repl_reset(struct byw_repl_side *side)
{
    side->random = BYW_REPL_SEED;
    if (side->state != NULL)
        memset(side->state, 0, side->bytes);
}

uint64_t byw_repl_digest(const struct byw_repl_side *side)
{
    const unsigned char *byte = side->state;
    uint64_t digest = side->random;

    for (size_t i = 0; i < side->bytes; i++)
        digest = (digest ^ byte[i]) * UINT64_C(0x100000001B3);
    return digest;
}
