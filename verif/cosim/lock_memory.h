/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_memory.h - the memory behind a cache: lines of bytes that requests of its mem_req port read
 * and write in order of arrival. A line that was never written has bytes derived from its address.
 * One memory is behind each side of a lock step, and both must be equal at the end.
 */
#ifndef BYW_LOCK_MEMORY_H
#define BYW_LOCK_MEMORY_H

#include "cosim/lock.h"
#include "l1d/byw_l1d_ports.h"

enum { LOCK_MEMORY_LINES = 1 << 15 }; /* slots; a power of two */

struct lock_memory {
    uint32_t line_bytes;
    uint32_t count; /* lines written */
    uint64_t *line;
    bool *used;
    uint8_t *bytes;
};

static inline void lock_memory_init(struct lock_memory *m, uint32_t line_bytes)
{
    *m = (struct lock_memory){.line_bytes = line_bytes,
                              .line = malloc(LOCK_MEMORY_LINES * sizeof(m->line[0])),
                              .used = calloc(LOCK_MEMORY_LINES, sizeof(m->used[0])),
                              .bytes = malloc((size_t)LOCK_MEMORY_LINES * line_bytes)};
    if (m->line == NULL || m->used == NULL || m->bytes == NULL) {
        fprintf(stderr, "no memory for the lines of a test\n");
        exit(2);
    }
}

static inline void lock_memory_release(struct lock_memory *m)
{
    free(m->line);
    free(m->used);
    free(m->bytes);
}

static inline void lock_memory_clear(struct lock_memory *m)
{
    if (m->count != 0)
        memset(m->used, 0, LOCK_MEMORY_LINES * sizeof(m->used[0]));
    m->count = 0;
}

static inline void lock_memory_unwritten(uint64_t line, uint8_t *bytes, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        bytes[i] = (uint8_t)((line + i / 8 * 8) * UINT64_C(0x9E3779B97F4A7C15) >> i % 8 * 8);
}

/* The slot of a line, or the free slot in which it would be put. */
static inline uint32_t lock_memory_slot(const struct lock_memory *m, uint64_t line)
{
    uint32_t slot = (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 40);

    for (slot %= LOCK_MEMORY_LINES; m->used[slot] && m->line[slot] != line;)
        slot = (slot + 1) % LOCK_MEMORY_LINES;
    return slot;
}

static inline void lock_memory_read(const struct lock_memory *m, uint64_t line, uint8_t *bytes)
{
    uint32_t slot = lock_memory_slot(m, line);

    if (m->used[slot])
        memcpy(bytes, m->bytes + (size_t)slot * m->line_bytes, m->line_bytes);
    else
        lock_memory_unwritten(line, bytes, m->line_bytes);
}

static inline void lock_memory_write(struct lock_memory *m, uint64_t line,
                                     const struct byw_byte_mask *mask, const uint8_t *bytes)
{
    uint32_t i, slot = lock_memory_slot(m, line);
    uint8_t *at = m->bytes + (size_t)slot * m->line_bytes;

    if (!m->used[slot]) {
        if (++m->count == LOCK_MEMORY_LINES) {
            fprintf(stderr, "more lines written than the memory of a test has\n");
            exit(2);
        }
        m->used[slot] = true;
        m->line[slot] = line;
        lock_memory_unwritten(line, at, m->line_bytes);
    }
    for (i = 0; i < m->line_bytes; i++)
        if ((mask->w[i / 64] >> (i % 64) & 1) != 0)
            at[i] = bytes[i];
}

/* Whether the two memories are equal. */
static inline void lock_memory_same(const struct lock *l, const struct lock_memory *want,
                                    const struct lock_memory *got)
{
    uint32_t i;

    lock_same(l, "lines written to memory", want->count, got->count);
    for (i = 0; i < LOCK_MEMORY_LINES; i++) {
        uint32_t slot;

        if (!want->used[i])
            continue;
        slot = lock_memory_slot(got, want->line[i]);
        lock_same(l, "a line is written to memory", 1, got->used[slot]);
        lock_same_bytes(l, "memory", want->bytes + (size_t)i * want->line_bytes,
                        got->bytes + (size_t)slot * want->line_bytes, want->line_bytes);
    }
}

#endif
