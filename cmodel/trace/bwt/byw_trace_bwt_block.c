/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks: headers, compression, prefixes.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "trace/bwt/byw_trace_bwt_write.h"

void byw_bwt_block_put(const struct byw_bwt_block *b, uint8_t bytes[BYW_BWT_BLOCK_BYTES])
{
    const uint32_t word[8] = {(uint32_t)b->type | (uint32_t)b->packed << 8 |
                                  (uint32_t)b->chained << 16,
                              b->sequence,
                              b->stored,
                              b->raw,
                              b->items,
                              b->prefix,
                              (uint32_t)b->hash,
                              (uint32_t)(b->hash >> 32)};
    uint32_t check;

    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(word[i / 4] >> (8 * (i % 4)));
    check = (uint32_t)XXH64(bytes, 32, 0);
    for (unsigned i = 0; i < 4; i++)
        bytes[32 + i] = (uint8_t)(check >> (8 * i));
}

bool byw_bwt_block_read(struct byw_bwt_block *b, const uint8_t bytes[BYW_BWT_BLOCK_BYTES])
{
    *b = (struct byw_bwt_block){
        .type = bytes[0],
        .packed = bytes[1],
        .chained = bytes[2],
        .sequence = byw_load_u32(bytes + 4),
        .stored = byw_load_u32(bytes + 8),
        .raw = byw_load_u32(bytes + 12),
        .items = byw_load_u32(bytes + 16),
        .prefix = byw_load_u32(bytes + 20),
        .hash = byw_load_u64(bytes + 24),
    };
    return byw_load_u32(bytes + 32) == (uint32_t)XXH64(bytes, 32, 0) && bytes[2] <= 1 &&
           bytes[3] == 0;
}

enum byw_status byw_bwt_write_fail(struct byw_trace_writer *w, enum byw_status st, const char *what,
                                   struct byw_diag *diag)
{
    w->failed = true;
    return byw_diag_set(diag, st, "%s: launch %llu: %s", w->path, (unsigned long long)w->launches,
                        what);
}

enum byw_status byw_bwt_write_no_memory(struct byw_trace_writer *w, struct byw_diag *diag)
{
    return byw_bwt_write_fail(w, BYW_ENOMEM, "out of memory while writing the trace", diag);
}

static struct byw_bwt_write_prefix *find_prefix(struct byw_trace_writer *w)
{
    for (uint32_t i = 0; i < w->prefix_count; i++) {
        if (w->prefix[i].code == w->kernel.code)
            return &w->prefix[i];
    }
    return NULL;
}

/* Compresses w->raw into w->stored; keeps it raw if that is not smaller. */
static bool pack_block(struct byw_trace_writer *w, struct byw_bwt_block *block,
                       const struct byw_bwt_write_prefix *prefix)
{
    bool prefixed;
    size_t size = byw_bwt_press(w->press, w->kernel.code, &w->raw,
                                prefix != NULL ? &prefix->raw : NULL, &w->stored, &prefixed);

    if (size == SIZE_MAX)
        return false;
    if (size < w->raw.size) {
        block->packed = 1;
        block->prefix = prefixed ? prefix->sequence : 0;
        w->stored.size = size;
    } else {
        memcpy(w->stored.data, w->raw.data, w->raw.size);
        w->stored.size = w->raw.size;
    }
    return true;
}

enum byw_status byw_bwt_write_block(struct byw_trace_writer *w, enum byw_bwt_block_type type,
                                    uint32_t items, const struct byw_bwt_write_prefix *prefix,
                                    struct byw_diag *diag)
{
    FILE *stream = byw_file_stream(w->file);
    uint8_t head[BYW_BWT_BLOCK_BYTES];
    struct byw_bwt_block block = {.type = (uint8_t)type, .items = items, .sequence = w->sequence};

    block.chained = (type == BYW_BWT_CTAS || type == BYW_BWT_PART) && byw_bwt_pack_chained(w->pack);

    if (w->raw.failed || w->raw.size > BYW_BWT_RAW_MAX || !pack_block(w, &block, prefix))
        return byw_bwt_write_no_memory(w, diag);
    block.raw = (uint32_t)w->raw.size;
    block.stored = (uint32_t)w->stored.size;
    block.hash = XXH64(w->stored.data, w->stored.size, 0);
    byw_bwt_block_put(&block, head);
    w->sequence++;
    if (fwrite(head, 1, sizeof(head), stream) != sizeof(head) ||
        fwrite(w->stored.data, 1, w->stored.size, stream) != w->stored.size)
        return byw_bwt_write_fail(w, BYW_EIO, "write failed; is the disk full?", diag);
    w->bytes += sizeof(head) + w->stored.size;
    return BYW_OK;
}

enum byw_status byw_bwt_write_records(struct byw_trace_writer *w, enum byw_bwt_block_type type,
                                      uint32_t items, struct byw_diag *diag)
{
    struct byw_bwt_write_prefix *prefix = find_prefix(w);
    uint32_t sequence = w->sequence;
    enum byw_status st = byw_bwt_write_block(w, type, items, prefix, diag);

    if (st == BYW_OK && prefix == NULL && w->first_block && w->raw.size <= BYW_BWT_PREFIX_MAX &&
        w->prefix_count < BYW_BWT_CODES_MAX) {
        prefix = &w->prefix[w->prefix_count++];
        *prefix = (struct byw_bwt_write_prefix){.code = w->kernel.code, .sequence = sequence};
        byw_bytes_put(&prefix->raw, w->raw.data, w->raw.size);
        if (prefix->raw.failed)
            return byw_bwt_write_no_memory(w, diag);
    }
    w->first_block = false;
    return st;
}
