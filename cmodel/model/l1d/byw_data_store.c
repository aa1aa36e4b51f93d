/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_data_store.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"

enum byw_status byw_data_store_init(struct byw_data_store *ds, uint32_t lines, uint32_t line_bytes,
                                    uint32_t beat_bytes, bool with_data)
{
    *ds =
        (struct byw_data_store){.lines = lines, .line_bytes = line_bytes, .beat_bytes = beat_bytes};
    ds->dirty = calloc(lines, sizeof(ds->dirty[0]));
    if (with_data)
        ds->bytes = calloc(lines, line_bytes);
    if (ds->dirty != NULL && (ds->bytes != NULL || !with_data))
        return BYW_OK;
    byw_data_store_release(ds);
    return BYW_ENOMEM;
}

void byw_data_store_release(struct byw_data_store *ds)
{
    free(ds->dirty);
    free(ds->bytes);
    ds->dirty = NULL;
    ds->bytes = NULL;
}

static uint8_t *bytes_of(const struct byw_data_store *ds, uint32_t line, uint32_t beat)
{
    return ds->bytes + (size_t)line * ds->line_bytes + (size_t)beat * ds->beat_bytes;
}

void byw_data_store_fill(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                         const uint8_t *data)
{
    if (ds->bytes != NULL && data != NULL)
        memcpy(bytes_of(ds, line, beat), data, ds->beat_bytes);
}

/* A beat shorter than the line has at most 64 bytes and does not straddle two words. */
struct byw_byte_mask byw_data_store_dirty_bytes(const struct byw_data_store *ds, uint32_t line,
                                                uint32_t beat)
{
    uint32_t first = beat * ds->beat_bytes;

    if (ds->beat_bytes == ds->line_bytes)
        return ds->dirty[line];
    return (struct byw_byte_mask){
        {ds->dirty[line].w[first / 64] >> first % 64 & byw_mask64(ds->beat_bytes), 0}};
}

/* Copies the bytes selected by `mask`. */
static void copy_bytes(uint8_t *to, const uint8_t *from, const struct byw_byte_mask *mask,
                       uint32_t bytes)
{
    uint32_t i;

    for (i = 0; i < bytes; i++)
        if ((mask->w[i / 64] & byw_bit64(i % 64)) != 0)
            to[i] = from[i];
}

void byw_data_store_write(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                          const struct byw_byte_mask *mask, const uint8_t *data, bool dirty)
{
    uint32_t first = beat * ds->beat_bytes;
    bool was_dirty;

    if (ds->bytes != NULL && data != NULL)
        copy_bytes(bytes_of(ds, line, beat), data, mask, ds->beat_bytes);
    if (!dirty)
        return;
    was_dirty = byw_data_store_dirty(ds, line);
    ds->dirty[line].w[first / 64] |= mask->w[0] << first % 64;
    ds->dirty[line].w[1] |= mask->w[1];
    ds->dirty_count += !was_dirty && byw_data_store_dirty(ds, line);
}

void byw_data_store_clean(struct byw_data_store *ds, uint32_t line)
{
    ds->dirty_count -= byw_data_store_dirty(ds, line);
    ds->dirty[line] = (struct byw_byte_mask){{0, 0}};
}

void byw_data_store_clean_all(struct byw_data_store *ds)
{
    if (ds->dirty_count != 0)
        memset(ds->dirty, 0, ds->lines * sizeof(ds->dirty[0]));
    ds->dirty_count = 0;
}

struct byw_byte_mask byw_byte_mask_line(uint32_t line_bytes)
{
    uint32_t high = line_bytes > 64 ? line_bytes - 64 : 0;

    return (struct byw_byte_mask){{byw_mask64(line_bytes), byw_mask64(high)}};
}
