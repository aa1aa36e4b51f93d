/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "common/byw_file.h"
#include "trace/byw_trace_bwt.h"
#include "trace/byw_trace_format.h"

#define DEFAULT_LEVEL 6 /* as small as 9 for irregular traces, a third cheaper */
#define BLOCK_RAW_TARGET (1u << 20) /* a CTA block is closed when it reaches this */
#define WINDOW_LOG 22 /* reaches over a prefix and a block of the target size */

struct prefix {
    uint32_t code, sequence;
    struct byw_bytes raw;
};

struct byw_trace_writer {
    char *path;
    struct byw_file *file;
    ZSTD_CCtx *zstd;
    int level;
    uint32_t sequence;
    bool in_kernel, first_block; /* first_block: no CTA block of this launch is written yet */
    bool failed;
    struct byw_kernel kernel;
    struct byw_bwt_pack *pack;
    struct byw_bytes raw, stored, site_text;
    struct byw_intern sites; /* the distinct site tables, as bytes */
    uint64_t site_total;
    struct prefix prefix[BYW_BWT_CODES_MAX];
    uint32_t prefix_count;
    uint64_t launches, ctas, records, instructions;
};

void byw_bwt_block_write(const struct byw_bwt_block *b, uint8_t bytes[BYW_BWT_BLOCK_BYTES])
{
    const uint32_t word[8] = {(uint32_t)b->type | (uint32_t)b->packed << 8,
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
        .sequence = byw_load_u32(bytes + 4),
        .stored = byw_load_u32(bytes + 8),
        .raw = byw_load_u32(bytes + 12),
        .items = byw_load_u32(bytes + 16),
        .prefix = byw_load_u32(bytes + 20),
        .hash = byw_load_u64(bytes + 24),
    };
    return byw_load_u32(bytes + 32) == (uint32_t)XXH64(bytes, 32, 0) && bytes[2] == 0 &&
           bytes[3] == 0;
}

static enum byw_status fail(struct byw_trace_writer *w, enum byw_status st, const char *what,
                            struct byw_diag *diag)
{
    w->failed = true;
    return byw_diag_set(diag, st, "%s: launch %llu: %s", w->path, (unsigned long long)w->launches,
                        what);
}

static enum byw_status no_memory(struct byw_trace_writer *w, struct byw_diag *diag)
{
    return fail(w, BYW_ENOMEM, "no memory to write the trace", diag);
}

static void writer_free(struct byw_trace_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    byw_bwt_pack_free(w->pack);
    byw_bytes_release(&w->raw);
    byw_bytes_release(&w->stored);
    byw_bytes_release(&w->site_text);
    byw_intern_release(&w->sites);
    for (uint32_t i = 0; i < w->prefix_count; i++)
        byw_bytes_release(&w->prefix[i].raw);
    free(w->path);
    free(w);
}

static void put_file_header(struct byw_trace_writer *w)
{
    struct byw_bytes head = {.data = NULL};

    byw_bytes_put(&head, BYW_BWT_MAGIC, BYW_BWT_MAGIC_BYTES);
    byw_bytes_put_u32(&head, BYW_BWT_VERSION);
    if (!head.failed)
        byw_bytes_put_u32(&head, (uint32_t)XXH64(head.data, head.size, 0));
    w->failed = head.failed;
    if (!head.failed)
        fwrite(head.data, 1, head.size, byw_file_stream(w->file));
    byw_bytes_release(&head);
}

enum byw_status byw_trace_create(const char *path, int level, struct byw_trace_writer **writer,
                                 struct byw_diag *diag)
{
    struct byw_trace_writer *w = calloc(1, sizeof(*w));
    enum byw_status st;

    if (w != NULL) {
        w->path = strdup(path);
        w->pack = byw_bwt_pack_create();
        w->zstd = ZSTD_createCCtx();
    }
    if (w == NULL || w->path == NULL || w->pack == NULL || w->zstd == NULL) {
        if (w != NULL)
            writer_free(w);
        return byw_diag_set(diag, BYW_ENOMEM, "%s: no memory to write the trace", path);
    }
    if (level == 0)
        level = DEFAULT_LEVEL;
    if (level < ZSTD_minCLevel() || level > ZSTD_maxCLevel()) {
        writer_free(w);
        return byw_diag_set(diag, BYW_EINVAL, "%s: compression level %d; expected %d to %d", path,
                            level, ZSTD_minCLevel(), ZSTD_maxCLevel());
    }
    w->level = level;
    st = byw_file_create(path, &w->file, diag);
    if (st != BYW_OK) {
        writer_free(w);
        return st;
    }
    /* Nothing may be left in a buffer that a forked child would write again as it ends. */
    setvbuf(byw_file_stream(w->file), NULL, _IONBF, 0);
    put_file_header(w);
    *writer = w;
    return BYW_OK;
}

static struct prefix *find_prefix(struct byw_trace_writer *w)
{
    for (uint32_t i = 0; i < w->prefix_count; i++) {
        if (w->prefix[i].code == w->kernel.code)
            return &w->prefix[i];
    }
    return NULL;
}

/* Compresses w->raw into w->stored; leaves it raw when that is not smaller. */
static bool pack_block(struct byw_trace_writer *w, struct byw_bwt_block *block,
                       const struct prefix *prefix)
{
    size_t size;

    if (!byw_bytes_reserve(&w->stored, ZSTD_compressBound(w->raw.size)))
        return false;
    ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, w->level);
    if (prefix != NULL) {
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_windowLog, WINDOW_LOG);
        ZSTD_CCtx_refPrefix(w->zstd, prefix->raw.data, prefix->raw.size);
    }
    size = ZSTD_compress2(w->zstd, w->stored.data, w->stored.room, w->raw.data, w->raw.size);
    if (ZSTD_isError(size))
        return false;
    if (size < w->raw.size) {
        block->packed = 1;
        block->prefix = (prefix != NULL) ? prefix->sequence : 0;
        w->stored.size = size;
    } else {
        memcpy(w->stored.data, w->raw.data, w->raw.size);
        w->stored.size = w->raw.size;
    }
    return true;
}

static enum byw_status put_block(struct byw_trace_writer *w, enum byw_bwt_block_type type,
                                 uint32_t items, const struct prefix *prefix, struct byw_diag *diag)
{
    FILE *stream = byw_file_stream(w->file);
    uint8_t head[BYW_BWT_BLOCK_BYTES];
    struct byw_bwt_block block = {.type = (uint8_t)type, .items = items, .sequence = w->sequence};

    if (w->raw.failed || w->raw.size > BYW_BWT_RAW_MAX || !pack_block(w, &block, prefix))
        return no_memory(w, diag);
    block.raw = (uint32_t)w->raw.size;
    block.stored = (uint32_t)w->stored.size;
    block.hash = XXH64(w->stored.data, w->stored.size, 0);
    byw_bwt_block_write(&block, head);
    w->sequence++;
    if (fwrite(head, 1, sizeof(head), stream) != sizeof(head) ||
        fwrite(w->stored.data, 1, w->stored.size, stream) != w->stored.size)
        return fail(w, BYW_EIO, "write failed; is the disk full?", diag);
    return BYW_OK;
}

/* Writes the collected CTAs.  The first block of each code is kept: later blocks of the same code
 * are compressed with it as prefix, so a kernel launched many times is described once. */
static enum byw_status flush(struct byw_trace_writer *w, struct byw_diag *diag)
{
    uint32_t sequence = w->sequence, ctas = byw_bwt_pack_ctas(w->pack);
    struct prefix *prefix = find_prefix(w);
    bool keep;
    enum byw_status st;

    if (ctas == 0)
        return BYW_OK;
    st = byw_bwt_pack_finish(w->pack, &w->raw);
    if (st == BYW_EINVAL)
        return fail(w, st, "one CTA takes more than 128 MB", diag);
    if (st != BYW_OK)
        return no_memory(w, diag);
    st = put_block(w, BYW_BWT_CTAS, ctas, prefix, diag);
    if (st != BYW_OK)
        return st;
    keep = prefix == NULL && w->first_block && w->raw.size <= BYW_BWT_PREFIX_MAX &&
           w->prefix_count < BYW_BWT_CODES_MAX;
    if (keep) {
        prefix = &w->prefix[w->prefix_count++];
        *prefix = (struct prefix){.code = w->kernel.code, .sequence = sequence};
        byw_bytes_put(&prefix->raw, w->raw.data, w->raw.size);
        if (prefix->raw.failed)
            return no_memory(w, diag);
    }
    w->first_block = false;
    byw_bwt_pack_clear(w->pack, &w->kernel);
    return BYW_OK;
}

static bool put_sites(struct byw_trace_writer *w, const struct byw_kernel *kernel)
{
    struct byw_bytes *text = &w->site_text;
    uint32_t number;
    bool is_new;

    if (kernel->site_count == 0 || kernel->site == NULL) {
        byw_bytes_put_number(&w->raw, 0);
        return true;
    }
    text->size = 0;
    byw_bytes_put_number(text, kernel->site_count);
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const struct byw_site *site = &kernel->site[i];

        byw_bytes_put_number(text, site->pc);
        byw_bytes_put_number(text, site->line);
        byw_bytes_put_number(text, site->block);
        byw_bytes_put_number(text, byw_zigzag((uint64_t)(int64_t)site->argument));
        byw_bytes_put_u8(text, site->cls);
        byw_bytes_put_u8(text, site->width);
    }
    if (text->failed || !byw_intern_add(&w->sites, text->data, text->size, &number, &is_new))
        return false;
    byw_bytes_put_number(&w->raw, is_new ? 1 : 2 + (uint64_t)number);
    if (is_new) {
        byw_bytes_put(&w->raw, text->data, text->size);
        w->site_total += kernel->site_count;
    }
    return true;
}

enum byw_status byw_trace_kernel(struct byw_trace_writer *writer, const struct byw_kernel *kernel,
                                 struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    const char *fault = byw_trace_kernel_fault(kernel);
    size_t length = strnlen(kernel->name, sizeof(kernel->name) - 1);
    enum byw_status st;

    if (w->failed)
        return fail(w, BYW_EIO, "an earlier write failed", diag);
    if (fault != NULL || w->launches >= UINT32_MAX)
        return fail(w, BYW_EINVAL, fault != NULL ? fault : "too many launches", diag);
    st = w->in_kernel ? flush(w, diag) : BYW_OK;
    if (st != BYW_OK)
        return st;
    w->raw.size = 0;
    byw_bytes_put_u8(&w->raw, (uint8_t)length);
    byw_bytes_put(&w->raw, kernel->name, length);
    byw_bytes_put_number(&w->raw, kernel->code);
    for (unsigned d = 0; d < 3; d++)
        byw_bytes_put_number(&w->raw, kernel->grid[d]);
    for (unsigned d = 0; d < 3; d++)
        byw_bytes_put_number(&w->raw, kernel->block[d]);
    byw_bytes_put_number(&w->raw, kernel->shared_bytes);
    byw_bytes_put_number(&w->raw, kernel->registers);
    byw_bytes_put_number(&w->raw, kernel->warp_size);
    if (!put_sites(w, kernel))
        return no_memory(w, diag);
    if (w->site_total > BYW_BWT_SITES_MAX)
        return fail(w, BYW_EINVAL, "the trace has more than 2^20 static accesses", diag);
    st = put_block(w, BYW_BWT_KERNEL, (uint32_t)w->launches, NULL, diag);
    if (st != BYW_OK)
        return st;
    w->kernel = *kernel;
    w->kernel.site = NULL;
    w->launches++;
    w->in_kernel = true;
    w->first_block = true;
    byw_bwt_pack_clear(w->pack, kernel);
    return BYW_OK;
}

enum byw_status byw_trace_cta(struct byw_trace_writer *writer, const struct byw_cta *cta,
                              struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    struct byw_diag why = {.text = ""};
    enum byw_status st;

    if (w->failed)
        return fail(w, BYW_EIO, "an earlier write failed", diag);
    if (!w->in_kernel)
        return fail(w, BYW_EINVAL, "a CTA before the first launch", diag);
    st = byw_bwt_pack_add(w->pack, cta, &why);
    if (st != BYW_OK)
        return fail(w, st, why.text, diag);
    w->ctas++;
    w->records += cta->inst_count;
    for (uint32_t i = 0; i < cta->inst_count; i++)
        w->instructions += cta->inst[i].count;
    if (byw_bwt_pack_bytes(w->pack) >= BLOCK_RAW_TARGET)
        return flush(w, diag);
    return BYW_OK;
}

enum byw_status byw_trace_finish(struct byw_trace_writer *writer, struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    enum byw_status st = BYW_OK;

    if (w->failed)
        st = fail(w, BYW_EIO, "an earlier write failed", diag);
    if (st == BYW_OK && w->in_kernel)
        st = flush(w, diag);
    if (st == BYW_OK) {
        w->raw.size = 0;
        byw_bytes_put_u64(&w->raw, w->launches);
        byw_bytes_put_u64(&w->raw, w->ctas);
        byw_bytes_put_u64(&w->raw, w->records);
        byw_bytes_put_u64(&w->raw, w->instructions);
        st = put_block(w, BYW_BWT_END, 0, NULL, diag);
    }
    if (st == BYW_OK)
        st = byw_file_commit(w->file, diag);
    else
        byw_file_discard(w->file);
    writer_free(w);
    return st;
}

void byw_trace_abandon(struct byw_trace_writer *writer)
{
    if (writer == NULL)
        return;
    byw_file_discard(writer->file);
    writer_free(writer);
}
