/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NUMBER_BYTES 10

void byw_bytes_release(struct byw_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct byw_bytes){.data = NULL};
}

bool byw_bytes_reserve(struct byw_bytes *bytes, size_t size)
{
    size_t room = bytes->room;
    uint8_t *moved;

    if (bytes->failed)
        return false;
    if (size <= room)
        return true;
    room = (room > SIZE_MAX / 2) ? size : room * 2;
    if (room < size)
        room = size;
    if (room < 256)
        room = 256;
    moved = realloc(bytes->data, room);
    if (moved == NULL) {
        bytes->failed = true;
        return false;
    }
    bytes->data = moved;
    bytes->room = room;
    return true;
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
    free(table->start);
    free(table->hash);
    free(table->slot);
    *table = (struct byw_intern){.count = 0};
}

void byw_intern_clear(struct byw_intern *table)
{
    table->text.size = 0;
    table->count = 0;
    if (table->slot != NULL)
        memset(table->slot, 0, ((size_t)table->slot_mask + 1) * sizeof(*table->slot));
}

static void insert_slot(struct byw_intern *table, uint32_t number)
{
    uint32_t i = (uint32_t)table->hash[number] & table->slot_mask;

    while (table->slot[i] != 0)
        i = (i + 1) & table->slot_mask;
    table->slot[i] = number + 1;
}

/* Doubles the table; at most half of the slots are in use. */
static bool intern_grow(struct byw_intern *table)
{
    uint32_t room = (table->room == 0) ? 256 : table->room * 2;
    uint32_t *start, *slot;
    uint64_t *hash;

    if (room > UINT32_MAX / 4)
        return false;
    start = realloc(table->start, ((size_t)room + 1) * sizeof(*start));
    if (start == NULL)
        return false;
    table->start = start;
    hash = realloc(table->hash, (size_t)room * sizeof(*hash));
    if (hash == NULL)
        return false;
    table->hash = hash;
    slot = calloc((size_t)room * 2, sizeof(*slot));
    if (slot == NULL)
        return false;
    free(table->slot);
    table->slot = slot;
    table->slot_mask = room * 2 - 1;
    table->room = room;
    table->start[0] = 0;
    for (uint32_t n = 0; n < table->count; n++)
        insert_slot(table, n);
    return true;
}

/* Slot of the string, or the free slot where it belongs. */
static uint32_t find_slot(const struct byw_intern *table, const void *key, size_t size,
                          uint64_t hash)
{
    uint32_t i = (uint32_t)hash & table->slot_mask;

    for (; table->slot[i] != 0; i = (i + 1) & table->slot_mask) {
        uint32_t n = table->slot[i] - 1;

        if (table->hash[n] == hash && table->start[n + 1] - table->start[n] == size &&
            memcmp(table->text.data + table->start[n], key, size) == 0)
            break;
    }
    return i;
}

bool byw_intern_find(const struct byw_intern *table, const void *key, size_t size, uint32_t *number)
{
    uint32_t i;

    if (table->count == 0)
        return false;
    i = find_slot(table, key, size, XXH3_64bits(key, size));
    if (table->slot[i] == 0)
        return false;
    *number = table->slot[i] - 1;
    return true;
}

bool byw_intern_add(struct byw_intern *table, const void *key, size_t size, uint32_t *number,
                    bool *is_new)
{
    uint64_t hash = XXH3_64bits(key, size);
    uint32_t i;

    if (table->count == table->room && !intern_grow(table))
        return false;
    i = find_slot(table, key, size, hash);
    *is_new = table->slot[i] == 0;
    if (!*is_new) {
        *number = table->slot[i] - 1;
        return true;
    }
    byw_bytes_put(&table->text, key, size);
    if (table->text.failed || table->text.size > UINT32_MAX)
        return false;
    *number = table->count++;
    table->hash[*number] = hash;
    table->start[*number + 1] = (uint32_t)table->text.size;
    table->slot[i] = *number + 1;
    return true;
}
