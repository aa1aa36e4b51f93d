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
    free(ds->bad);
    ds->dirty = NULL;
    ds->bytes = NULL;
    ds->bad = NULL;
}

enum byw_status byw_data_store_add_parity(struct byw_data_store *ds)
{
    ds->bad = calloc(ds->lines, ds->line_bytes);
    return ds->bad != NULL ? BYW_OK : BYW_ENOMEM;
}

/* Index of the first byte of a beat. */
static size_t place_of(const struct byw_data_store *ds, uint32_t line, uint32_t beat)
{
    return (size_t)line * ds->line_bytes + (size_t)beat * ds->beat_bytes;
}

static uint8_t *bytes_of(const struct byw_data_store *ds, uint32_t line, uint32_t beat)
{
    return ds->bytes + place_of(ds, line, beat);
}

static bool selected(const struct byw_byte_mask *mask, uint32_t byte)
{
    return (mask->w[byte / 64] & byw_bit64(byte % 64)) != 0;
}

void byw_data_store_flip(struct byw_data_store *ds, uint32_t line, uint32_t byte, uint32_t bit)
{
    size_t at = place_of(ds, line, 0) + byte;

    if (bit < 8)
        ds->bytes[at] ^= (uint8_t)(1U << bit);
    ds->bad[at] ^= 1;
}

bool byw_data_store_bad(const struct byw_data_store *ds, uint32_t line, uint32_t beat,
                        const struct byw_byte_mask *mask)
{
    const uint8_t *bad;
    uint32_t i;

    if (ds->bad == NULL)
        return false;
    bad = ds->bad + place_of(ds, line, beat);
    for (i = 0; i < ds->beat_bytes; i++)
        if (selected(mask, i) && bad[i] != 0)
            return true;
    return false;
}

void byw_data_store_fill(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                         const uint8_t *data)
{
    if (ds->bytes != NULL && data != NULL)
        memcpy(bytes_of(ds, line, beat), data, ds->beat_bytes);
    if (ds->bad != NULL)
        memset(ds->bad + place_of(ds, line, beat), 0, ds->beat_bytes);
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

/* Writes the bytes selected by `mask`. */
static void write_bytes(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                        const struct byw_byte_mask *mask, const uint8_t *data)
{
    size_t at = place_of(ds, line, beat);
    uint32_t i;

    for (i = 0; i < ds->beat_bytes; i++) {
        if (!selected(mask, i))
            continue;
        ds->bytes[at + i] = data[i];
        if (ds->bad != NULL)
            ds->bad[at + i] = 0;
    }
}

void byw_data_store_write(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                          const struct byw_byte_mask *mask, const uint8_t *data, bool dirty)
{
    uint32_t first = beat * ds->beat_bytes;
    bool was_dirty;

    if (ds->bytes != NULL && data != NULL)
        write_bytes(ds, line, beat, mask, data);
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
