/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bytes.h - growing byte strings, variable-length numbers, and a table of distinct byte
 * strings, for trace writers and readers.
 *
 * Numbers: LEB128, seven bits per byte, lowest first, top bit set in all bytes but the last; at
 * most ten bytes.  Signed numbers are zigzag coded first: 0, -1, 1, -2 become 0, 1, 2, 3.
 */
#ifndef BYW_BYTES_H
#define BYW_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_index.h"

/* `failed` is set if memory runs out.  Later appends then do nothing, so a series of them needs
 * only one check at its end. */
struct byw_bytes {
    uint8_t *data;
    size_t size, room;
    bool failed;
};

void byw_bytes_release(struct byw_bytes *bytes);
void byw_bytes_put(struct byw_bytes *bytes, const void *data, size_t size);
void byw_bytes_put_u32(struct byw_bytes *bytes, uint32_t value); /* little endian */
void byw_bytes_put_u64(struct byw_bytes *bytes, uint64_t value);

void byw_bytes_put_number_slow(struct byw_bytes *bytes, uint64_t value);
static inline void byw_bytes_put_number(struct byw_bytes *bytes, uint64_t value)
{
    if (value < 0x80 && bytes->size < bytes->room && !bytes->failed)
        bytes->data[bytes->size++] = (uint8_t)value;
    else
        byw_bytes_put_number_slow(bytes, value);
}

static inline void byw_bytes_put_u8(struct byw_bytes *bytes, uint8_t value)
{
    if (bytes->size < bytes->room && !bytes->failed)
        bytes->data[bytes->size++] = value;
    else
        byw_bytes_put(bytes, &value, 1);
}

/* Makes room for `size` bytes in total and keeps the content; false if out of memory. */
bool byw_bytes_reserve(struct byw_bytes *bytes, size_t size);

static inline uint64_t byw_zigzag(uint64_t value)
{
    return (value << 1) ^ (0 - (value >> 63));
}

static inline uint64_t byw_unzigzag(uint64_t code)
{
    return (code >> 1) ^ (0 - (code & 1));
}

/* A reading position in untrusted bytes. */
struct byw_cursor {
    const uint8_t *at, *end;
};

/* The next number; false at the end of the bytes, or if it does not fit in 64 bits. */
bool byw_cursor_number_slow(struct byw_cursor *cursor, uint64_t *value);
static inline bool byw_cursor_number(struct byw_cursor *cursor, uint64_t *value)
{
    if (cursor->at < cursor->end && *cursor->at < 0x80) {
        *value = *cursor->at++;
        return true;
    }
    return byw_cursor_number_slow(cursor, value);
}
/* byw_cursor_number() with an upper limit: also false if the number is above `max`. */
bool byw_cursor_u32(struct byw_cursor *cursor, uint32_t max, uint32_t *value);
bool byw_cursor_u8(struct byw_cursor *cursor, uint8_t *value);

uint32_t byw_load_u32(const uint8_t *at); /* little endian */
uint64_t byw_load_u64(const uint8_t *at);

/* Distinct byte strings, numbered 0, 1, 2 ... in the order of their first appearance.  `text` is
 * their concatenation. */
struct byw_intern {
    struct byw_bytes text;
    uint32_t count;
    uint32_t *end; /* end of each string in `text` */
    size_t room;
    struct byw_index index;
};

/* Whether string `number` is the given one; false if there is no such number. */
bool byw_intern_is(const struct byw_intern *table, uint32_t number, const void *key, size_t size);
void byw_intern_release(struct byw_intern *table);
void byw_intern_clear(struct byw_intern *table);
/* Number of the string; false if it is not in the table. */
bool byw_intern_find(const struct byw_intern *table, const void *key, size_t size,
                     uint32_t *number);
/* Number of the string, added if it is new; *is_new: this call added it.  False if out of
 * memory. */
bool byw_intern_add(struct byw_intern *table, const void *key, size_t size, uint32_t *number,
                    bool *is_new);

#endif
