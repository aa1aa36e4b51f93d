/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "common/byw_array.h"

#define NUMBER_BYTES 10

void byw_bytes_release(struct byw_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct byw_bytes){.data = NULL};
}

bool byw_bytes_reserve(struct byw_bytes *bytes, size_t size)
{
    bytes->failed = bytes->failed || !BYW_ARRAY_ROOM(bytes->data, bytes->room, size);
    return !bytes->failed;
}

void byw_bytes_put(struct byw_bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || !byw_bytes_reserve(bytes, bytes->size + size))
        return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void byw_bytes_put_u32(struct byw_bytes *bytes, uint32_t value)
{
    uint8_t le[4];

    for (unsigned i = 0; i < 4; i++)
        le[i] = (uint8_t)(value >> (8 * i));
    byw_bytes_put(bytes, le, sizeof(le));
}

void byw_bytes_put_u64(struct byw_bytes *bytes, uint64_t value)
{
    byw_bytes_put_u32(bytes, (uint32_t)value);
    byw_bytes_put_u32(bytes, (uint32_t)(value >> 32));
}

void byw_bytes_put_number_slow(struct byw_bytes *bytes, uint64_t value)
{
    uint8_t *at;

    if (!byw_bytes_reserve(bytes, bytes->size + NUMBER_BYTES))
        return;
    at = bytes->data + bytes->size;
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    bytes->size = (size_t)(at - bytes->data);
}

bool byw_cursor_number_slow(struct byw_cursor *cursor, uint64_t *value)
{
    const uint8_t *at = cursor->at;
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64 && at < cursor->end; shift += 7) {
        uint64_t byte = *at++;

        if (shift == 63 && byte > 1)
            return false;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            cursor->at = at;
            *value = v;
            return true;
        }
    }
    return false;
}

bool byw_cursor_u32(struct byw_cursor *cursor, uint32_t max, uint32_t *value)
{
    uint64_t v;

    if (!byw_cursor_number(cursor, &v) || v > max)
        return false;
    *value = (uint32_t)v;
    return true;
}

bool byw_cursor_u8(struct byw_cursor *cursor, uint8_t *value)
{
    if (cursor->at >= cursor->end)
        return false;
    *value = *cursor->at++;
    return true;
}

uint32_t byw_load_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t byw_load_u64(const uint8_t *at)
{
    return (uint64_t)byw_load_u32(at) | (uint64_t)byw_load_u32(at + 4) << 32;
}

void byw_intern_release(struct byw_intern *table)
{
    byw_bytes_release(&table->text);
    free(table->end);
    byw_index_release(&table->index);
    *table = (struct byw_intern){.count = 0};
}

void byw_intern_clear(struct byw_intern *table)
{
    table->text.size = 0;
    table->count = 0;
    byw_index_clear(&table->index);
}

bool byw_intern_is(const struct byw_intern *table, uint32_t number, const void *key, size_t size)
{
    uint32_t start = number == 0 || number >= table->count ? 0 : table->end[number - 1];

    return number < table->count && table->end[number] - start == size &&
           memcmp(table->text.data + start, key, size) == 0;
}

/* Number of the string; BYW_INDEX_END: it is new. */
static uint32_t find(const struct byw_intern *table, const void *key, size_t size, uint32_t hash)
{
    uint32_t n;

    for (uint32_t at = 0; (n = byw_index_next(&table->index, hash, &at)) != BYW_INDEX_END;)
        if (byw_intern_is(table, n, key, size))
            break;
    return n;
}

bool byw_intern_find(const struct byw_intern *table, const void *key, size_t size, uint32_t *number)
{
    *number = find(table, key, size, (uint32_t)XXH3_64bits(key, size));
    return *number != BYW_INDEX_END;
}

bool byw_intern_add(struct byw_intern *table, const void *key, size_t size, uint32_t *number,
                    bool *is_new)
{
    uint32_t hash = (uint32_t)XXH3_64bits(key, size);

    *number = find(table, key, size, hash);
    *is_new = *number == BYW_INDEX_END;
    if (!*is_new)
        return true;
    byw_bytes_put(&table->text, key, size);
    if (table->text.failed || table->text.size > UINT32_MAX ||
        !BYW_ARRAY_ROOM(table->end, table->room, table->count + 1u) ||
        !byw_index_add(&table->index, hash, table->count))
        return false;
    *number = table->count++;
    table->end[*number] = (uint32_t)table->text.size;
    return true;
}
