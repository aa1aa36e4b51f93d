/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_data_store.h - the lines of the cache: their bytes (if the cache was created with data) and
 * dirty bytes.
 *
 * Line number = set * data ways + way.  Only local stores make a line dirty.  The dirty mask
 * selects the bytes of a write-back.  In hardware the bytes are a RAM with one read and one write
 * port, the dirty masks a second RAM, and the dirty bits flags with a counter.  Parity: each
 * byte has a parity bit, which is right after every write of the byte; only
 * byw_data_store_flip() makes it wrong.
 */
#ifndef BYW_DATA_STORE_H
#define BYW_DATA_STORE_H

#include <stddef.h>

#include "common/byw_status.h"
#include "l1d/byw_l1d_ports.h"

struct byw_data_store {
    uint32_t lines;
    uint32_t line_bytes, beat_bytes;
    uint32_t dirty_count;
    struct byw_byte_mask *dirty; /* all zero: clean */
    uint8_t *bytes; /* NULL without data */
    uint8_t *bad; /* 1: the byte's parity is wrong; NULL without parity */
};

enum byw_status byw_data_store_init(struct byw_data_store *ds, uint32_t lines, uint32_t line_bytes,
                                    uint32_t beat_bytes, bool with_data);
void byw_data_store_release(struct byw_data_store *ds);

/* Adds parity bits to a store with data; all are right. */
enum byw_status byw_data_store_add_parity(struct byw_data_store *ds);

/* Inverts one bit of a byte of a line: bits 0 to 7 are data, bit 8 is the parity bit. Needs
 * parity. */
void byw_data_store_flip(struct byw_data_store *ds, uint32_t line, uint32_t byte, uint32_t bit);

/* Whether one of the bytes selected by `mask` in that beat has wrong parity; false without
 * parity. */
bool byw_data_store_bad(const struct byw_data_store *ds, uint32_t line, uint32_t beat,
                        const struct byw_byte_mask *mask);

static inline bool byw_data_store_dirty(const struct byw_data_store *ds, uint32_t line)
{
    return (ds->dirty[line].w[0] | ds->dirty[line].w[1]) != 0;
}

/* The bytes of a beat; NULL without data. */
static inline const uint8_t *byw_data_store_read(const struct byw_data_store *ds, uint32_t line,
                                                 uint32_t beat)
{
    return ds->bytes == NULL
               ? NULL
               : ds->bytes + (size_t)line * ds->line_bytes + (size_t)beat * ds->beat_bytes;
}

/* The dirty bytes of a beat. */
struct byw_byte_mask byw_data_store_dirty_bytes(const struct byw_data_store *ds, uint32_t line,
                                                uint32_t beat);

/* Writes a whole beat from a fill. */
void byw_data_store_fill(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                         const uint8_t *data);

/* Writes the bytes selected by `mask` in that beat; dirty: marks them dirty. */
void byw_data_store_write(struct byw_data_store *ds, uint32_t line, uint32_t beat,
                          const struct byw_byte_mask *mask, const uint8_t *data, bool dirty);

void byw_data_store_clean(struct byw_data_store *ds, uint32_t line);
void byw_data_store_clean_all(struct byw_data_store *ds);

/* The byte mask of a whole line. */
struct byw_byte_mask byw_byte_mask_line(uint32_t line_bytes);

#endif
