/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt.c - Reads BWT files: blocks, launches, CTAs, and CTAs in parts, which are joined or
 * delivered as windows.
 */
#include "trace/bwt/byw_trace_bwt.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "common/byw_array.h"
#include "trace/bwt/byw_trace_bwt_machine.h"
#include "trace/bwt/byw_trace_windows.h"
#include "trace/byw_trace_format.h"

#define READ_STEP (1u << 20) /* memory for stored bytes grows only as they arrive */

struct prefix {
    uint32_t code, sequence;
    struct byw_bytes raw;
};

struct site_table {
    struct byw_site *site;
    uint32_t count;
};

struct byw_bwt {
    struct byw_trace trace;
    struct byw_source *source;
    uint32_t version;
    uint64_t at; /* position of the current block in the decompressed file */
    uint64_t next_at;
    uint32_t sequence;
    bool in_kernel, first_block, ended, skipped;
    bool have_block; /* `block` has been read, its content has not */
    struct byw_bwt_block block;
    struct byw_kernel kernel;
    ZSTD_DCtx *zstd;
    struct byw_bytes stored, raw;
    struct byw_bwt_unpack *unpack;
    bool unpacking;
    struct byw_cta scratch; /* CTAs that are skipped, parts */
    bool in_part; /* the last part of a long CTA is missing so far */
    struct site_table *table;
    uint32_t table_count, site_total;
    size_t table_room;
    struct byw_bwt_machine **machine;
    uint32_t machine_count, machine_total;
    size_t machine_room;
    char why[BYW_BWT_WHY_MAX + 1];
    struct prefix prefix[BYW_BWT_CODES_MAX];
    uint32_t prefix_count;
    uint64_t launches, ctas, records, instructions;
};

/* The contents of a P block. */
struct part {
    uint32_t first_warp, warps;
    bool last;
};
static enum byw_status malformed(const struct byw_bwt *t, const char *what, struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EFORMAT, "%s: byte %llu: block %u: %s",
                        byw_source_path(t->source), (unsigned long long)t->at, t->sequence, what);
}

/* Reports an error in the block that was loaded last. */
static enum byw_status in_block(struct byw_bwt *t, const struct byw_diag *why,
                                struct byw_diag *diag)
{
    t->sequence = t->block.sequence;
    return malformed(t, why->text, diag);
}

static enum byw_status truncated(const struct byw_bwt *t, struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: byte %llu: the file is cut short; expected block %u and an end record",
                        byw_source_path(t->source), (unsigned long long)t->at, t->sequence);
}

/* Checks the header's fields against each other and against the limits. */
static const char *block_fault(const struct byw_bwt *t, const struct byw_bwt_block *b)
{
    if (b->sequence != t->sequence)
        return "its number is out of order; blocks are missing or moved";
    if (b->type == 0 || strchr(t->version == 1 ? "KCE" : "KCPE", b->type) == NULL)
        return "unknown type; expected a launch, CTAs or the end";
    if (b->type != BYW_BWT_PART && t->in_part)
        return "a long CTA without its last part";
    if (b->raw == 0 || b->raw > BYW_BWT_RAW_MAX)
        return "its length is not in 1 .. 2^27";
    if (b->packed > 1 || (b->packed == 0 && b->stored != b->raw) ||
        (b->packed == 1 && b->stored >= b->raw))
        return "its stored length does not fit its length";
    if (b->type == BYW_BWT_KERNEL && b->items != t->launches)
        return "the launches are not numbered in order";
    if ((b->type == BYW_BWT_CTAS && (!t->in_kernel || b->items == 0)) ||
        (b->type == BYW_BWT_PART && (!t->in_kernel || b->items > 1)))
        return "CTAs without a launch, or a block without CTAs";
    if (b->chained != 0 &&
        ((b->type != BYW_BWT_CTAS && b->type != BYW_BWT_PART) || t->version == 1))
        return "a chain mark where none is allowed";
    if (b->prefix != 0 && ((b->type != BYW_BWT_CTAS && b->type != BYW_BWT_PART) || b->packed == 0))
        return "a prefix where none is allowed";
    return NULL;
}

/* Reads the next block's header into t->block. */
static enum byw_status next_block(struct byw_bwt *t, struct byw_diag *diag)
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

static struct prefix *find_prefix(struct byw_bwt *t)
{
    for (uint32_t i = 0; i < t->prefix_count; i++) {
        if (t->prefix[i].code == t->kernel.code)
            return &t->prefix[i];
    }
    return NULL;
}

static enum byw_status read_stored(struct byw_bwt *t, struct byw_diag *diag)
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
        return malformed(t, "wrong checksum; the content is damaged", diag);
    return BYW_OK;
}

static enum byw_status unpack_block(struct byw_bwt *t, struct byw_diag *diag)
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
        return malformed(t, "the length of the zstd frame differs from the header", diag);
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

/* Loads the content of the current block into t->raw. */
static enum byw_status load_block(struct byw_bwt *t, struct byw_diag *diag)
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

/* Whether later blocks may name the current CTA block as their prefix. */
static bool is_prefix(struct byw_bwt *t)
{
    return t->first_block && t->block.raw <= BYW_BWT_PREFIX_MAX &&
           t->prefix_count < BYW_BWT_CODES_MAX && find_prefix(t) == NULL;
}

/* Loads the content of the current CTA block and keeps it if it is a prefix. */
static enum byw_status load_ctas(struct byw_bwt *t, struct byw_diag *diag)
{
    bool keep = is_prefix(t);
    uint32_t sequence = t->block.sequence;
    enum byw_status st = load_block(t, diag);

    if (st != BYW_OK)
        return st;
    t->first_block = false;
    t->ctas += t->block.items;
    t->in_part = t->block.type == BYW_BWT_PART && t->block.items == 0;
    if (keep) {
        struct prefix *p = &t->prefix[t->prefix_count++];

        *p = (struct prefix){.code = t->kernel.code, .sequence = sequence};
        byw_bytes_put(&p->raw, t->raw.data, t->raw.size);
        if (p->raw.failed)
            return BYW_ENOMEM;
    }
    return BYW_OK;
}

static enum byw_status start_records(struct byw_bwt *t, struct part *part, struct byw_diag *diag)
{
    struct byw_diag why = {.text = ""};
    uint32_t ctas = t->block.type == BYW_BWT_PART ? 1 : t->block.items;
    bool in_part = t->block.type == BYW_BWT_PART, ok = true;
    enum byw_status st = load_ctas(t, diag);
    struct byw_cursor c;

    if (st != BYW_OK)
        return st;
    c = (struct byw_cursor){.at = t->raw.data, .end = t->raw.data + t->raw.size};
    if (in_part) {
        part->last = t->block.items != 0;
        ok = byw_cursor_u32(&c, BYW_BWT_CTA_WARP_MAX, &part->first_warp) &&
             byw_cursor_u32(&c, BYW_BWT_CTA_WARP_MAX, &part->warps);
    }
    st = ok ? byw_bwt_unpack_start(t->unpack, &t->kernel, c.at, (size_t)(c.end - c.at), ctas, &why)
            : byw_diag_set(&why, BYW_EFORMAT, "a part of a CTA is malformed");
    t->unpacking = st == BYW_OK;
    return st == BYW_EFORMAT ? in_block(t, &why, diag) : st;
}

static enum byw_status next_record(struct byw_bwt *t, struct byw_cta *cta, struct byw_diag *diag)
{
    struct byw_diag why = {.text = ""};
    enum byw_status st = byw_bwt_unpack_next(t->unpack, cta, &why);

    if (st == BYW_OK) {
        t->records += cta->inst_count;
        for (uint32_t i = 0; i < cta->inst_count; i++)
            t->instructions += cta->inst[i].count;
        return st;
    }
    t->unpacking = false;
    return st == BYW_EFORMAT ? in_block(t, &why, diag) : st;
}

/* --- launch blocks ------------------------------------------------------------------------ */

static bool add_table(struct byw_bwt *t, struct byw_site *site, uint32_t count)
{
    if (!BYW_ARRAY_ROOM(t->table, t->table_room, t->table_count + 1u))
        return false;
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
    site->flags = site->cls >> BYW_BWT_FLAG_SHIFT;
    site->cls &= (1U << BYW_BWT_FLAG_SHIFT) - 1;
    site->argument = (int32_t)(uint32_t)argument;
    return (uint64_t)(int64_t)site->argument == argument && site->cls < BYW_CLASS_COUNT &&
           site->flags <=
               (site->cls == BYW_CLASS_LOAD ? BYW_SITE_FLAGS
                : site->cls == BYW_CLASS_SHARED_LOAD || site->cls == BYW_CLASS_SHARED_STORE
                    ? BYW_SITE_VOLATILE
                    : 0);
}

static enum byw_status read_sites(struct byw_bwt *t, struct byw_cursor *c)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_site *site;
    uint32_t source, count;

    if (!byw_cursor_u32(c, UINT32_MAX, &source))
        return BYW_EFORMAT;
    if (source == 0)
        return BYW_OK;
    if (source == 1) {
        if (!byw_cursor_u32(c, BYW_SITES_MAX - t->site_total, &count) || count == 0 ||
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

static enum byw_status read_why(struct byw_bwt *t, struct byw_cursor *c)
{
    uint8_t length;

    if (!byw_cursor_u8(c, &length) || (size_t)(c->end - c->at) < length ||
        memchr(c->at, '\0', length) != NULL)
        return BYW_EFORMAT;
    memcpy(t->why, c->at, length);
    t->why[length] = '\0';
    c->at += length;
    t->kernel.machine_why = length == 0 ? NULL : t->why;
    return BYW_OK;
}

/* The launch's machine code, from version 3 on. */
static enum byw_status read_machine(struct byw_bwt *t, struct byw_cursor *c)
{
    const struct byw_bwt_machine *m;
    uint32_t source;

    if (!byw_cursor_u32(c, UINT32_MAX, &source))
        return BYW_EFORMAT;
    if (source == 0)
        return read_why(t, c);
    if (source == 1) {
        struct byw_bwt_machine *new = malloc(sizeof(*new));
        enum byw_status st = BYW_ENOMEM;

        if (new != NULL && BYW_ARRAY_ROOM(t->machine, t->machine_room, t->machine_count + 1u))
            st = byw_bwt_machine_read(c, BYW_BWT_MACHINE_MAX - t->machine_total, new);
        if (st != BYW_OK) {
            free(new);
            return st;
        }
        t->machine[t->machine_count++] = new;
        t->machine_total += new->machine.count;
        source = t->machine_count + 1;
    }
    if (source - 2 >= t->machine_count)
        return BYW_EFORMAT;
    m = t->machine[source - 2];
    if (m->numbers != 0 && m->numbers != t->kernel.site_count)
        return BYW_EFORMAT;
    t->kernel.machine = &m->machine;
    t->kernel.site_number = m->numbers == 0 ? NULL : m->number;
    return BYW_OK;
}

static enum byw_status read_kernel(struct byw_bwt *t, struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_cursor c;
    uint32_t registers;
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
        !byw_cursor_u32(&c, UINT32_MAX, &registers) ||
        !byw_cursor_u32(&c, UINT32_MAX, &k->warp_size))
        return malformed(t, "the launch record is malformed", diag);
    k->registers = registers & UINT16_MAX;
    k->compiled_registers = registers >> 16;
    st = read_sites(t, &c);
    if (st == BYW_ENOMEM)
        return st;
    if (st != BYW_OK)
        return malformed(t, "the launch's table of static accesses is malformed", diag);
    st = t->version >= BYW_BWT_VERSION_MACHINE ? read_machine(t, &c) : BYW_OK;
    if (st == BYW_ENOMEM)
        return st;
    if (st != BYW_OK || c.at != c.end)
        return malformed(t,
                         t->version >= BYW_BWT_VERSION_MACHINE
                             ? "the launch's machine code is malformed"
                             : "the launch's table of static accesses is malformed",
                         diag);
    if (byw_trace_kernel_fault(k) != NULL)
        return malformed(t, byw_trace_kernel_fault(k), diag);
    t->launches++;
    t->in_kernel = true;
    t->first_block = true;
    return BYW_OK;
}

/* --- CTAs in parts ------------------------------------------------------------------------ */

/* The parts of a CTA so far, as windows or as one stream per warp. */
struct whole {
    struct byw_windows *windows; /* NULL: a whole CTA is built */
    struct byw_cta *warp;
    uint32_t warps;
    uint64_t records, addresses;
};

/* Appends warp w of a part to a CTA of one warp. */
static bool append(struct byw_cta *warp, const struct byw_cta *part, uint32_t w)
{
    if (warp->warp_count == 0 && byw_cta_add_warp(warp) == NULL)
        return false;
    return byw_cta_append(warp, part->inst + part->warp[w].first, part->warp[w].count, part->addr);
}

static enum byw_status add_part(struct byw_bwt *t, struct whole *whole, uint32_t first_warp,
                                struct byw_diag *diag)
{
    const struct byw_cta *part = &t->scratch;

    if (whole->windows != NULL)
        return byw_windows_add(whole->windows, part, first_warp, diag);
    whole->records += part->inst_count;
    whole->addresses += part->addr_count;
    if (whole->records > BYW_BWT_CTA_INST_MAX || whole->addresses > BYW_BWT_CTA_ADDR_MAX)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: launch %u: a CTA has more than 2^24 records or 2^25 addresses; "
                            "only byway run accepts such CTAs",
                            byw_source_path(t->source), t->kernel.launch + 1);
    for (uint32_t w = 0; w < part->warp_count; w++) {
        if (!append(&whole->warp[first_warp + w], part, w))
            return BYW_ENOMEM;
    }
    return BYW_OK;
}

/* Concatenates the warps' streams; each is freed as soon as it is copied. */
static enum byw_status join(struct whole *whole, struct byw_cta *cta)
{
    for (uint32_t w = 0; w < whole->warps; w++) {
        struct byw_cta *warp = &whole->warp[w];
        uint32_t base = cta->addr_count;
        struct byw_inst *inst;

        if (byw_cta_add_warp(cta) == NULL)
            return BYW_ENOMEM;
        inst = byw_cta_add_insts(cta, warp->inst_count);
        if (inst == NULL ||
            (warp->addr_count != 0 && byw_cta_add_addr(cta, warp->addr_count) == NULL))
            return BYW_ENOMEM;
        if (warp->inst_count != 0)
            memcpy(inst, warp->inst, warp->inst_count * sizeof(*inst));
        for (uint32_t i = 0; i < warp->inst_count; i++)
            inst[i].list += inst[i].form == BYW_FORM_LIST ? base : 0;
        if (warp->addr_count != 0)
            memcpy(cta->addr + base, warp->addr, warp->addr_count * sizeof(*warp->addr));
        byw_cta_release(warp);
    }
    return BYW_OK;
}

/* Reads the current P block into t->scratch. */
static enum byw_status read_part(struct byw_bwt *t, struct part *part, struct byw_diag *diag)
{
    uint64_t at = t->at;
    enum byw_status st = start_records(t, part, diag);

    if (st == BYW_OK)
        st = next_record(t, &t->scratch, diag);
    if (st != BYW_OK)
        return st;
    if (part->warps == 0 || t->scratch.warp_count > part->warps ||
        part->first_warp > part->warps - t->scratch.warp_count) {
        t->at = at;
        return malformed(t, "a part has more warps than its CTA", diag);
    }
    return BYW_OK;
}

static enum byw_status begin(struct byw_bwt *t, const struct part *part, struct whole *whole,
                             struct byw_cta *cta, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    memcpy(cta->id, t->scratch.id, sizeof(cta->id));
    whole->warps = part->warps;
    if (t->trace.windows) {
        st = byw_windows_begin(&t->trace.window_file, &t->kernel, part->warps, cta, diag);
        whole->windows = cta->windows;
        return st;
    }
    whole->warp = calloc(part->warps, sizeof(*whole->warp));
    return whole->warp == NULL ? BYW_ENOMEM : BYW_OK;
}

static enum byw_status read_all(struct byw_bwt *t, struct whole *whole, struct byw_cta *cta,
                                struct byw_diag *diag)
{
    struct part part;
    enum byw_status st = read_part(t, &part, diag);

    if (st == BYW_OK)
        st = begin(t, &part, whole, cta, diag);
    while (st == BYW_OK) {
        if (part.warps != whole->warps || memcmp(t->scratch.id, cta->id, sizeof(cta->id)) != 0)
            return malformed(t, "a part of another CTA", diag);
        st = add_part(t, whole, part.first_warp, diag);
        if (st != BYW_OK || part.last)
            break;
        /* The end of the block is checked before the next one. */
        st = next_record(t, &t->scratch, diag);
        st = st == BYW_END ? next_block(t, diag) : st;
        if (st == BYW_OK)
            st = read_part(t, &part, diag);
    }
    return st;
}

static enum byw_status read_parts(struct byw_bwt *t, struct byw_cta *cta, struct byw_diag *diag)
{
    struct whole whole = {.warps = 0};
    enum byw_status st = read_all(t, &whole, cta, diag);

    if (st == BYW_OK && whole.windows == NULL)
        st = join(&whole, cta);
    for (uint32_t w = 0; whole.warp != NULL && w < whole.warps; w++)
        byw_cta_release(&whole.warp[w]);
    free(whole.warp);
    return st;
}

/* --- the trace ---------------------------------------------------------------------------- */

/* Unpacks the rest of a block, because it updates the chain table. */
static enum byw_status drain(struct byw_bwt *t, struct byw_diag *diag)
{
    enum byw_status st;

    do {
        st = next_record(t, &t->scratch, diag);
    } while (st == BYW_OK);
    return st == BYW_END ? BYW_OK : st;
}

/* Skips the current CTA block; a block that later ones depend on must still be unpacked. */
static enum byw_status skip_ctas(struct byw_bwt *t, struct byw_diag *diag)
{
    struct part part;
    uint64_t got = 0;
    enum byw_status st;

    t->skipped = true;
    if (t->block.chained != 0) {
        st = start_records(t, &part, diag);
        return st == BYW_OK ? drain(t, diag) : st;
    }
    if (is_prefix(t))
        return load_ctas(t, diag);
    st = byw_source_skip(t->source, t->block.stored, &got, diag);
    if (st != BYW_OK)
        return st;
    if (got != t->block.stored)
        return truncated(t, diag);
    t->first_block = false;
    t->ctas += t->block.items;
    t->in_part = t->block.type == BYW_BWT_PART && t->block.items == 0;
    t->have_block = false;
    t->sequence++;
    return BYW_OK;
}

static enum byw_status read_end(struct byw_bwt *t, struct byw_diag *diag)
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
        return malformed(t, "the end record's totals differ from those of the file", diag);
    st = byw_source_peek(t->source, 1, &more, &size, diag);
    if (st != BYW_OK)
        return st;
    if (size != 0)
        return malformed(t, "bytes follow the end record; expected the end of the file", diag);
    t->ended = true;
    return BYW_END;
}

static enum byw_status bwt_next_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                       struct byw_diag *diag)
{
    struct byw_bwt *t = (struct byw_bwt *)trace;

    if (t->unpacking) {
        enum byw_status st = t->block.chained != 0 ? drain(t, diag) : BYW_OK;

        if (st != BYW_OK)
            return st;
        t->skipped = true; /* the rest of the block is not checked */
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
    struct byw_bwt *t = (struct byw_bwt *)trace;
    struct part part;
    enum byw_status st;

    byw_cta_clear(cta);
    if (t->ended || !t->in_kernel)
        return BYW_END;
    for (;;) {
        if (t->unpacking) {
            st = next_record(t, cta, diag);
            if (st != BYW_END)
                return st;
        }
        st = t->have_block ? BYW_OK : next_block(t, diag);
        if (st != BYW_OK)
            return st;
        if (t->block.type == BYW_BWT_PART)
            return read_parts(t, cta, diag);
        if (t->block.type != BYW_BWT_CTAS)
            return BYW_END;
        st = start_records(t, &part, diag);
        if (st != BYW_OK)
            return st;
    }
}

/* One step of skipping CTAs: one CTA of the current block, or a whole block. */
static enum byw_status pass_some(struct byw_bwt *t, uint64_t *count, struct byw_diag *diag)
{
    enum byw_status st = t->unpacking ? next_record(t, &t->scratch, diag) : BYW_END;
    struct part part;

    if (st == BYW_OK)
        --*count;
    if (st != BYW_END)
        return st;
    st = t->have_block ? BYW_OK : next_block(t, diag);
    if (st != BYW_OK)
        return st;
    if (t->block.type != BYW_BWT_CTAS && t->block.type != BYW_BWT_PART)
        return BYW_END;
    if (t->block.items > *count)
        return start_records(t, &part, diag);
    *count -= t->block.items; /* of a long CTA's parts, only the last one counts as a CTA */
    return skip_ctas(t, diag);
}

static enum byw_status bwt_pass_ctas(struct byw_trace *trace, uint64_t count, struct byw_diag *diag)
{
    struct byw_bwt *t = (struct byw_bwt *)trace;
    enum byw_status st = t->ended || !t->in_kernel ? BYW_END : BYW_OK;

    while (st == BYW_OK && count != 0)
        st = pass_some(t, &count, diag);
    return st;
}

static void bwt_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    note->file_bytes = byw_source_file_bytes(((const struct byw_bwt *)trace)->source);
}

static void bwt_close(struct byw_trace *trace)
{
    struct byw_bwt *t = (struct byw_bwt *)trace;

    byw_source_close(t->source);
    ZSTD_freeDCtx(t->zstd);
    byw_bwt_unpack_free(t->unpack);
    byw_cta_release(&t->scratch);
    byw_bytes_release(&t->stored);
    byw_bytes_release(&t->raw);
    for (uint32_t i = 0; i < t->table_count; i++)
        free(t->table[i].site);
    free(t->table);
    for (uint32_t i = 0; i < t->machine_count; i++) {
        byw_bwt_machine_release(t->machine[i]);
        free(t->machine[i]);
    }
    free(t->machine);
    for (uint32_t i = 0; i < t->prefix_count; i++)
        byw_bytes_release(&t->prefix[i].raw);
    free(t);
}

bool byw_trace_bwt_probe(const uint8_t *data, size_t size)
{
    return size >= BYW_BWT_MAGIC_BYTES && memcmp(data, BYW_BWT_MAGIC, BYW_BWT_MAGIC_BYTES) == 0;
}

static enum byw_status start(struct byw_bwt *t, uint32_t version, struct byw_diag *diag)
{
    if (version == 0 || version > BYW_BWT_VERSION_MACHINE)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: byte 8: BWT version %u; expected 1 to %u",
                            byw_source_path(t->source), version, BYW_BWT_VERSION_MACHINE);
    t->version = version;
    t->trace.keeps_machine = version >= BYW_BWT_VERSION_MACHINE;
    t->unpack = byw_bwt_unpack_create(version, true);
    return t->unpack != NULL ? BYW_OK : byw_no_memory(diag, "reading the trace");
}

enum byw_status byw_trace_bwt_open(struct byw_source *source, struct byw_trace **trace,
                                   struct byw_diag *diag)
{
    static const struct byw_trace_ops ops = {"bwt1",        bwt_next_kernel, bwt_next_cta,
                                             bwt_pass_ctas, bwt_note,        bwt_close};
    struct byw_bwt *t = calloc(1, sizeof(*t));
    uint8_t head[BYW_BWT_HEADER_BYTES];
    enum byw_status st;
    size_t got;

    if (t == NULL) {
        byw_source_close(source);
        return byw_no_memory(diag, "reading the trace");
    }
    t->trace.ops = &ops;
    t->source = source;
    byw_cta_init(&t->scratch);
    t->next_at = sizeof(head);
    t->zstd = ZSTD_createDCtx();
    st = t->zstd == NULL ? byw_no_memory(diag, "reading the trace")
                         : byw_source_read(source, head, sizeof(head), &got, diag);
    if (st == BYW_OK && got < sizeof(head))
        st = truncated(t, diag);
    else if (st == BYW_OK && byw_load_u32(head + 12) != (uint32_t)XXH64(head, 12, 0))
        st = malformed(t, "the file header's checksum is wrong", diag);
    else if (st == BYW_OK)
        st = start(t, byw_load_u32(head + 8), diag);
    if (st != BYW_OK) {
        bwt_close(&t->trace);
        return st;
    }
    *trace = &t->trace;
    return BYW_OK;
}
