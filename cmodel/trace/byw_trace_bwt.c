/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_trace_bwt.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "trace/byw_trace_format.h"

#define READ_STEP (1u << 20) /* memory for stored bytes grows as they really arrive */

struct prefix {
    uint32_t code, sequence;
    struct byw_bytes raw;
};

struct site_table {
    struct byw_site *site;
    uint32_t count;
};

struct bwt {
    struct byw_trace trace;
    struct byw_source *source;
    uint64_t at; /* file position of the block in hand (in the decompressed file) */
    uint64_t next_at;
    uint32_t sequence;
    bool in_kernel, first_block, ended, skipped;
    bool have_block; /* `block` is read, its content is not */
    struct byw_bwt_block block;
    struct byw_kernel kernel;
    ZSTD_DCtx *zstd;
    struct byw_bytes stored, raw;
    struct byw_bwt_unpack *unpack;
    bool unpacking;
    struct site_table *table;
    uint32_t table_count, table_room, site_total;
    struct prefix prefix[BYW_BWT_CODES_MAX];
    uint32_t prefix_count;
    uint64_t launches, ctas, records, instructions;
};

static enum byw_status malformed(const struct bwt *t, const char *what, struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EFORMAT, "%s: byte %llu: block %u: %s",
                        byw_source_path(t->source), (unsigned long long)t->at, t->sequence, what);
}

static enum byw_status truncated(const struct bwt *t, struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: byte %llu: the file is cut short; expected block %u and an end record",
                        byw_source_path(t->source), (unsigned long long)t->at, t->sequence);
}

/* The header's fields against each other and against the limits. */
static const char *block_fault(const struct bwt *t, const struct byw_bwt_block *b)
{
    if (b->sequence != t->sequence)
        return "its number is out of order; blocks are missing or moved";
    if (b->type != BYW_BWT_KERNEL && b->type != BYW_BWT_CTAS && b->type != BYW_BWT_END)
        return "unknown type; expected a launch, CTAs or the end";
    if (b->raw == 0 || b->raw > BYW_BWT_RAW_MAX)
        return "its length is not in 1 .. 2^27";
    if (b->packed > 1 || (b->packed == 0 && b->stored != b->raw) ||
        (b->packed == 1 && b->stored >= b->raw))
        return "its stored length does not fit its length";
    if (b->type == BYW_BWT_KERNEL && b->items != t->launches)
        return "the launches are not numbered in order";
    if (b->type == BYW_BWT_CTAS && (!t->in_kernel || b->items == 0))
        return "CTAs without a launch, or none";
    if (b->prefix != 0 && (b->type != BYW_BWT_CTAS || b->packed == 0))
        return "a prefix where none is allowed";
    return NULL;
}

/* Reads the next block's header into t->block. */
static enum byw_status next_block(struct bwt *t, struct byw_diag *diag)
{
    uint8_t bytes[BYW_BWT_BLOCK_BYTES];
    const char *fault;
    size_t got;
    enum byw_status st;

    t->at = t->next_at;
    st = byw_source_read(t->source, bytes, sizeof(bytes), &got, diag);
    if (st != BYW_OK)
        return st;
    if (got < sizeof(bytes))
        return truncated(t, diag);
    if (!byw_bwt_block_read(&t->block, bytes))
        return malformed(t, "the header's checksum is wrong", diag);
    fault = block_fault(t, &t->block);
    if (fault != NULL)
        return malformed(t, fault, diag);
    t->next_at = t->at + sizeof(bytes) + t->block.stored;
    t->have_block = true;
    return BYW_OK;
}

static struct prefix *find_prefix(struct bwt *t)
{
    for (uint32_t i = 0; i < t->prefix_count; i++) {
        if (t->prefix[i].code == t->kernel.code)
            return &t->prefix[i];
    }
    return NULL;
}

static enum byw_status read_stored(struct bwt *t, struct byw_diag *diag)
{
    struct byw_bytes *s = &t->stored;

    s->size = 0;
    while (s->size < t->block.stored) {
        size_t left = t->block.stored - s->size;
        size_t step = (left < READ_STEP) ? left : READ_STEP;
        size_t got;
        enum byw_status st;

        if (!byw_bytes_reserve(s, s->size + step))
            return BYW_ENOMEM;
        st = byw_source_read(t->source, s->data + s->size, step, &got, diag);
        if (st != BYW_OK)
            return st;
        s->size += got;
        if (got < step)
            return truncated(t, diag);
    }
    if (XXH64(s->data, s->size, 0) != t->block.hash)
        return malformed(t, "checksum wrong; the content is damaged", diag);
    return BYW_OK;
}

static enum byw_status unpack_block(struct bwt *t, struct byw_diag *diag)
{
    const struct prefix *prefix = NULL;
    size_t size;

    if (t->block.prefix != 0) {
        prefix = find_prefix(t);
        if (prefix == NULL || prefix->sequence != t->block.prefix)
            return malformed(t, "its prefix is not the first block of this code", diag);
    }
    if (ZSTD_getFrameContentSize(t->stored.data, t->stored.size) != t->block.raw ||
        ZSTD_findFrameCompressedSize(t->stored.data, t->stored.size) != t->stored.size)
        return malformed(t, "the zstd frame has another length than the header says", diag);
    if (!byw_bytes_reserve(&t->raw, t->block.raw))
        return BYW_ENOMEM;
    ZSTD_DCtx_reset(t->zstd, ZSTD_reset_session_and_parameters);
    if (prefix != NULL)
        ZSTD_DCtx_refPrefix(t->zstd, prefix->raw.data, prefix->raw.size);
    size = ZSTD_decompressDCtx(t->zstd, t->raw.data, t->block.raw, t->stored.data, t->stored.size);
    if (ZSTD_isError(size) || size != t->block.raw)
        return malformed(t, "the zstd frame is malformed", diag);
    t->raw.size = size;
    return BYW_OK;
}

/* Brings the content of the block in hand into t->raw. */
static enum byw_status load_block(struct bwt *t, struct byw_diag *diag)
{
    enum byw_status st = read_stored(t, diag);

    if (st != BYW_OK)
        return st;
    if (t->block.packed == 1) {
        st = unpack_block(t, diag);
        if (st != BYW_OK)
            return st;
    } else {
        t->raw.size = 0;
        byw_bytes_put(&t->raw, t->stored.data, t->stored.size);
        if (t->raw.failed)
            return BYW_ENOMEM;
    }
    t->have_block = false;
    t->sequence++;
    return BYW_OK;
}

/* Whether the CTA block in hand is one that later blocks may name as their prefix. */
static bool is_prefix(struct bwt *t)
{
    return t->first_block && t->block.raw <= BYW_BWT_PREFIX_MAX &&
           t->prefix_count < BYW_BWT_CODES_MAX && find_prefix(t) == NULL;
}

static enum byw_status load_ctas(struct bwt *t, struct byw_diag *diag)
{
    bool keep = is_prefix(t);
    uint32_t sequence = t->block.sequence;
    enum byw_status st = load_block(t, diag);

    if (st != BYW_OK)
        return st;
    t->first_block = false;
    t->ctas += t->block.items;
    if (keep) {
        struct prefix *p = &t->prefix[t->prefix_count++];

        *p = (struct prefix){.code = t->kernel.code, .sequence = sequence};
        byw_bytes_put(&p->raw, t->raw.data, t->raw.size);
        if (p->raw.failed)
            return BYW_ENOMEM;
    }
    return BYW_OK;
}

/* Passes over the CTA block in hand; what may serve as prefix must be unpacked nevertheless. */
static enum byw_status skip_ctas(struct bwt *t, struct byw_diag *diag)
{
    uint64_t got = 0;
    enum byw_status st;

    t->skipped = true;
    if (is_prefix(t))
        return load_ctas(t, diag);
    st = byw_source_skip(t->source, t->block.stored, &got, diag);
    if (st != BYW_OK)
        return st;
    if (got != t->block.stored)
        return truncated(t, diag);
    t->first_block = false;
    t->ctas += t->block.items;
    t->have_block = false;
    t->sequence++;
    return BYW_OK;
}

static enum byw_status read_end(struct bwt *t, struct byw_diag *diag)
{
    const uint8_t *more;
    size_t size;
    enum byw_status st = load_block(t, diag);

    if (st != BYW_OK)
        return st;
    if (t->raw.size != 32 || t->block.items != 0 || byw_load_u64(t->raw.data) != t->launches ||
        byw_load_u64(t->raw.data + 8) != t->ctas ||
        (!t->skipped && (byw_load_u64(t->raw.data + 16) != t->records ||
                         byw_load_u64(t->raw.data + 24) != t->instructions)))
        return malformed(t, "the end record's totals are not those of the file", diag);
    st = byw_source_peek(t->source, 1, &more, &size, diag);
    if (st != BYW_OK)
        return st;
    if (size != 0)
        return malformed(t, "bytes follow the end record; expected the end of the file", diag);
    t->ended = true;
    return BYW_END;
}

static bool add_table(struct bwt *t, struct byw_site *site, uint32_t count)
{
    if (t->table_count == t->table_room) {
        uint32_t room = t->table_room * 2 + 16;
        struct site_table *moved = realloc(t->table, room * sizeof(*moved));

        if (moved == NULL)
            return false;
        t->table = moved;
        t->table_room = room;
    }
    t->table[t->table_count++] = (struct site_table){.site = site, .count = count};
    t->site_total += count;
    return true;
}

static bool read_site(struct byw_cursor *c, struct byw_site *site)
{
    uint64_t argument;

    if (!byw_cursor_u32(c, UINT32_MAX, &site->pc) || !byw_cursor_u32(c, UINT32_MAX, &site->line) ||
        !byw_cursor_u32(c, UINT32_MAX, &site->block) || !byw_cursor_number(c, &argument) ||
        !byw_cursor_u8(c, &site->cls) || !byw_cursor_u8(c, &site->width))
        return false;
    argument = byw_unzigzag(argument);
    site->argument = (int32_t)(uint32_t)argument;
    return (uint64_t)(int64_t)site->argument == argument && site->cls < BYW_CLASS_COUNT;
}

static enum byw_status read_sites(struct bwt *t, struct byw_cursor *c)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_site *site;
    uint32_t source, count;

    if (!byw_cursor_u32(c, UINT32_MAX, &source))
        return BYW_EFORMAT;
    if (source == 0)
        return BYW_OK;
    if (source == 1) {
        if (!byw_cursor_u32(c, BYW_BWT_SITES_MAX - t->site_total, &count) || count == 0 ||
            count > (size_t)(c->end - c->at))
            return BYW_EFORMAT;
        site = calloc(count, sizeof(*site));
        if (site == NULL || !add_table(t, site, count)) {
            free(site);
            return BYW_ENOMEM;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (!read_site(c, &site[i]))
                return BYW_EFORMAT;
        }
        source = t->table_count + 1;
    }
    if (source - 2 >= t->table_count)
        return BYW_EFORMAT;
    k->site = t->table[source - 2].site;
    k->site_count = t->table[source - 2].count;
    return BYW_OK;
}

static enum byw_status read_kernel(struct bwt *t, struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_cursor c;
    uint8_t length;
    bool ok;
    enum byw_status st = load_block(t, diag);

    if (st != BYW_OK)
        return st;
    c = (struct byw_cursor){.at = t->raw.data, .end = t->raw.data + t->raw.size};
    *k = (struct byw_kernel){.launch = (uint32_t)t->launches};
    if (!byw_cursor_u8(&c, &length) || length >= sizeof(k->name) ||
        (size_t)(c.end - c.at) < length || memchr(c.at, '\0', length) != NULL)
        return malformed(t, "the kernel's name is malformed", diag);
    memcpy(k->name, c.at, length);
    c.at += length;
    ok = byw_cursor_u32(&c, UINT32_MAX, &k->code);
    for (unsigned d = 0; d < 3 && ok; d++)
        ok = byw_cursor_u32(&c, UINT32_MAX, &k->grid[d]);
    for (unsigned d = 0; d < 3 && ok; d++)
        ok = byw_cursor_u32(&c, UINT32_MAX, &k->block[d]);
    if (!ok || !byw_cursor_u32(&c, UINT32_MAX, &k->shared_bytes) ||
        !byw_cursor_u32(&c, UINT32_MAX, &k->registers) ||
        !byw_cursor_u32(&c, UINT32_MAX, &k->warp_size))
        return malformed(t, "the launch record is malformed", diag);
    st = read_sites(t, &c);
    if (st == BYW_ENOMEM)
        return st;
    if (st != BYW_OK || c.at != c.end)
        return malformed(t, "the launch's table of static accesses is malformed", diag);
    if (byw_trace_kernel_fault(k) != NULL)
        return malformed(t, byw_trace_kernel_fault(k), diag);
    t->launches++;
    t->in_kernel = true;
    t->first_block = true;
    return BYW_OK;
}

static enum byw_status bwt_next_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                       struct byw_diag *diag)
{
    struct bwt *t = (struct bwt *)trace;

    if (t->unpacking) {
        t->skipped = true; /* what is left of the block is not looked at */
        t->unpacking = false;
    }
    while (!t->ended) {
        enum byw_status st = t->have_block ? BYW_OK : next_block(t, diag);

        if (st != BYW_OK)
            return st;
        if (t->block.type == BYW_BWT_END)
            return read_end(t, diag);
        if (t->block.type == BYW_BWT_KERNEL) {
            *kernel = &t->kernel;
            return read_kernel(t, diag);
        }
        st = skip_ctas(t, diag);
        if (st != BYW_OK)
            return st;
    }
    return BYW_END;
}

static enum byw_status bwt_next_cta(struct byw_trace *trace, struct byw_cta *cta,
                                    struct byw_diag *diag)
{
    struct bwt *t = (struct bwt *)trace;
    struct byw_diag why = {.text = ""};
    enum byw_status st;

    byw_cta_clear(cta);
    if (t->ended || !t->in_kernel)
        return BYW_END;
    for (;;) {
        if (t->unpacking) {
            st = byw_bwt_unpack_next(t->unpack, cta, &why);
            if (st != BYW_END)
                break;
            t->unpacking = false;
        }
        st = t->have_block ? BYW_OK : next_block(t, diag);
        if (st != BYW_OK)
            return st;
        if (t->block.type != BYW_BWT_CTAS)
            return BYW_END;
        st = load_ctas(t, diag);
        if (st != BYW_OK)
            return st;
        st = byw_bwt_unpack_start(t->unpack, &t->kernel, t->raw.data, t->raw.size, t->block.items,
                                  &why);
        if (st != BYW_OK)
            break;
        t->unpacking = true;
    }
    if (st == BYW_EFORMAT) {
        t->sequence = t->block.sequence;
        return malformed(t, why.text, diag);
    }
    if (st == BYW_OK) {
        t->records += cta->inst_count;
        for (uint32_t i = 0; i < cta->inst_count; i++)
            t->instructions += cta->inst[i].count;
    }
    return st;
}

static void bwt_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    note->file_bytes = byw_source_file_bytes(((const struct bwt *)trace)->source);
}

static void bwt_close(struct byw_trace *trace)
{
    struct bwt *t = (struct bwt *)trace;

    byw_source_close(t->source);
    ZSTD_freeDCtx(t->zstd);
    byw_bwt_unpack_free(t->unpack);
    byw_bytes_release(&t->stored);
    byw_bytes_release(&t->raw);
    for (uint32_t i = 0; i < t->table_count; i++)
        free(t->table[i].site);
    free(t->table);
    for (uint32_t i = 0; i < t->prefix_count; i++)
        byw_bytes_release(&t->prefix[i].raw);
    free(t);
}

bool byw_trace_bwt_probe(const uint8_t *data, size_t size)
{
    return size >= BYW_BWT_MAGIC_BYTES && memcmp(data, BYW_BWT_MAGIC, BYW_BWT_MAGIC_BYTES) == 0;
}

enum byw_status byw_trace_bwt_open(struct byw_source *source, struct byw_trace **trace,
                                   struct byw_diag *diag)
{
    static const struct byw_trace_ops ops = {"bwt1", bwt_next_kernel, bwt_next_cta, bwt_note,
                                             bwt_close};
    struct bwt *t = calloc(1, sizeof(*t));
    uint8_t head[BYW_BWT_HEADER_BYTES];
    enum byw_status st;
    size_t got;

    if (t == NULL) {
        byw_source_close(source);
        return byw_diag_set(diag, BYW_ENOMEM, "no memory to read the trace");
    }
    t->trace.ops = &ops;
    t->source = source;
    t->next_at = sizeof(head);
    t->zstd = ZSTD_createDCtx();
    t->unpack = byw_bwt_unpack_create();
    st = (t->zstd == NULL || t->unpack == NULL)
             ? byw_diag_set(diag, BYW_ENOMEM, "no memory to read the trace")
             : byw_source_read(source, head, sizeof(head), &got, diag);
    if (st == BYW_OK && got < sizeof(head))
        st = truncated(t, diag);
    else if (st == BYW_OK && byw_load_u32(head + 12) != (uint32_t)XXH64(head, 12, 0))
        st = malformed(t, "the file header's checksum is wrong", diag);
    else if (st == BYW_OK && byw_load_u32(head + 8) != BYW_BWT_VERSION)
        st = byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: byte 8: BWT version %u; expected %u",
                          byw_source_path(source), byw_load_u32(head + 8), BYW_BWT_VERSION);
    if (st != BYW_OK) {
        bwt_close(&t->trace);
        return st;
    }
    *trace = &t->trace;
    return BYW_OK;
}
