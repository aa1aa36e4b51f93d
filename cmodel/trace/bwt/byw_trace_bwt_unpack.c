/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_trace_bwt_unpack.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

#include "trace/bwt/byw_trace_bwt_machine.h"
#include "trace/byw_trace_format.h"

struct byw_bwt_unpack *byw_bwt_unpack_create(uint32_t version, bool chains)
{
    struct byw_bwt_unpack *u = calloc(1, sizeof(*u));

    if (u != NULL) {
        u->columns = version == 1   ? BYW_BWT_COL_COUNT_1
                     : version == 2 ? BYW_BWT_COL_COUNT_2
                                    : BYW_BWT_COL_COUNT;
        u->known = version == 1 ? BYW_BWT_PATTERN_KNOWN_1 : BYW_BWT_PATTERN_KNOWN;
        u->chains = version != 1 && chains;
    }
    return u;
}

void byw_bwt_unpack_free(struct byw_bwt_unpack *unpack)
{
    if (unpack == NULL)
        return;
    free(unpack->site);
    free(unpack->shape);
    free(unpack->pattern);
    free(unpack->offset);
    free(unpack->path);
    free(unpack->tracks.lanes);
    byw_bwt_chain_release(&unpack->chain);
    free(unpack);
}

static enum byw_status fault(struct byw_diag *diag, const char *what)
{
    return byw_diag_set(diag, BYW_EFORMAT, "%s", what);
}

/* Every table entry takes at least one byte of its column.  So the counts are bounded by the bytes
 * read before memory is allocated for them. */
static enum byw_status make_tables(struct byw_bwt_unpack *u, struct byw_diag *diag)
{
    const struct byw_cursor *c = u->column;

    if (u->site_count > (size_t)(c[BYW_BWT_COL_SITE].end - c[BYW_BWT_COL_SITE].at) ||
        u->shape_count > (size_t)(c[BYW_BWT_COL_SHAPE].end - c[BYW_BWT_COL_SHAPE].at) ||
        u->pattern_count > (size_t)(c[BYW_BWT_COL_LANES].end - c[BYW_BWT_COL_LANES].at) / 2)
        return fault(diag, "a table is longer than its column");
    return BYW_ARRAY_ROOM(u->site, u->site_room, u->site_count) &&
                   BYW_ARRAY_ROOM(u->shape, u->shape_room, u->shape_count) &&
                   BYW_ARRAY_ROOM(u->pattern, u->pattern_room, u->pattern_count)
               ? BYW_OK
               : BYW_ENOMEM;
}

static bool read_sites(struct byw_bwt_unpack *u)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_SITE];

    for (uint32_t i = 0; i < u->site_count; i++) {
        u->site[i] = (struct byw_bwt_unpack_site){.pattern = 0};
        if (!byw_cursor_u32(c, UINT32_MAX, &u->site[i].pc))
            return false;
        u->site[i].salt = byw_bwt_chain_salt(u->code, u->site[i].pc);
    }
    return c->at == c->end;
}

static bool read_shape(struct byw_bwt_unpack *u, struct byw_bwt_unpack_shape *shape)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_SHAPE];
    struct byw_inst *inst = &shape->inst;
    uint8_t form_scale;
    uint64_t stride = 0;

    *shape = (struct byw_bwt_unpack_shape){.site = 0};
    if (!byw_cursor_u8(c, &inst->cls) || !byw_cursor_u8(c, &form_scale) ||
        !byw_cursor_u8(c, &inst->width) || !byw_cursor_u8(c, &inst->degree) ||
        !byw_cursor_u32(c, UINT32_MAX, &shape->site) ||
        !byw_cursor_u32(c, UINT32_MAX - 1, &inst->count) ||
        !byw_cursor_u32(c, UINT32_MAX, &inst->use))
        return false;
    inst->form = form_scale & 15;
    shape->scale = form_scale >> 4;
    if (inst->form == BYW_FORM_STRIDE && !byw_cursor_number(c, &stride))
        return false;
    stride = byw_unzigzag(stride);
    inst->stride = (int32_t)(uint32_t)stride;
    if ((uint64_t)(int64_t)inst->stride != stride || shape->site >= u->site_count ||
        (inst->form == BYW_FORM_NONE ? shape->scale != 0 : inst->width >> shape->scale == 0))
        return false;
    inst->count++;
    inst->pc = u->site[shape->site].pc;
    inst->mask = 1; /* any mask; the records' own masks are checked later */
    return byw_trace_inst_fault(inst, u->warp_size) == NULL;
}

static bool read_shapes(struct byw_bwt_unpack *u)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_SHAPE];

    for (uint32_t i = 0; i < u->shape_count; i++) {
        if (!read_shape(u, &u->shape[i]))
            return false;
    }
    return c->at == c->end;
}

static bool read_pattern(struct byw_bwt_unpack *u, uint64_t *offset, uint32_t lanes, unsigned bytes)
{
    uint64_t sum = 0;

    memset(offset, 0, lanes * sizeof(*offset));
    for (unsigned p = 0; p < bytes; p++) {
        struct byw_cursor *c = &u->column[BYW_BWT_COL_PLANE + p];

        if ((size_t)(c->end - c->at) < lanes - 1)
            return false;
        for (uint32_t i = 1; i < lanes; i++)
            offset[i] |= (uint64_t)c->at[i - 1] << (8 * p);
        c->at += lanes - 1;
    }
    for (uint32_t i = 1; i < lanes; i++) {
        sum += byw_unzigzag(offset[i]);
        offset[i] = sum;
    }
    return true;
}

static enum byw_status read_patterns(struct byw_bwt_unpack *u, struct byw_diag *diag)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_LANES];
    size_t total = 0;

    if ((size_t)(c->end - c->at) != (size_t)u->pattern_count * 2)
        return fault(diag, "the pattern column has the wrong length");
    for (uint32_t i = 0; i < u->pattern_count; i++) {
        if (c->at[2 * i] < 1 || c->at[2 * i] > BYW_BWT_LANES_MAX || c->at[2 * i + 1] > 8)
            return fault(diag, "a lane pattern has more than 64 lanes or 8 bytes");
        u->pattern[i] = (struct byw_bwt_unpack_pattern){.first = total, .lanes = c->at[2 * i]};
        total += c->at[2 * i];
    }
    if (!BYW_ARRAY_ROOM(u->offset, u->offset_room, total))
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < u->pattern_count; i++) {
        if (!read_pattern(u, u->offset + u->pattern[i].first, c->at[0], c->at[1]))
            return fault(diag, "a lane pattern is cut short");
        c->at += 2;
    }
    for (unsigned p = 0; p < 8; p++) {
        if (u->column[BYW_BWT_COL_PLANE + p].at != u->column[BYW_BWT_COL_PLANE + p].end)
            return fault(diag, "the lane patterns leave unused bytes");
    }
    return BYW_OK;
}

/* Reads a number of the block's head: 4 bytes in version 1, of variable length in later ones. */
static bool head_number(const struct byw_bwt_unpack *u, struct byw_cursor *c, uint32_t *value)
{
    if (u->columns != BYW_BWT_COL_COUNT_1)
        return byw_cursor_u32(c, UINT32_MAX, value);
    if (c->end - c->at < 4)
        return false;
    *value = byw_load_u32(c->at);
    c->at += 4;
    return true;
}

static enum byw_status read_head(struct byw_bwt_unpack *u, const uint8_t *raw, size_t size,
                                 struct byw_diag *diag)
{
    struct byw_cursor c = {.at = raw, .end = raw + size};
    uint32_t length[BYW_BWT_COL_COUNT] = {0}, order;
    bool ok = head_number(u, &c, &u->site_count) && head_number(u, &c, &u->shape_count) &&
              head_number(u, &c, &u->pattern_count) && head_number(u, &c, &order);

    for (unsigned i = 0; i < u->columns && ok; i++)
        ok = head_number(u, &c, &length[i]);
    if (!ok)
        return fault(diag, "the block is shorter than its column table");
    if (order != 1 && order != 2)
        return fault(diag, "the address order is neither 1 nor 2");
    u->second_order = order == 2;
    for (unsigned i = 0; i < BYW_BWT_COL_COUNT; i++) {
        if (length[i] > (size_t)(c.end - c.at))
            return fault(diag, "the columns are longer than the block");
        u->column[i] = (struct byw_cursor){.at = c.at, .end = c.at + length[i]};
        c.at += length[i];
    }
    return c.at == c.end ? BYW_OK : fault(diag, "the columns are shorter than the block");
}

static enum byw_status read_paths(struct byw_bwt_unpack *u, struct byw_diag *diag)
{
    bool no_memory;
    const char *what = byw_bwt_unpack_paths(u, &no_memory);

    return what != NULL ? fault(diag, what) : no_memory ? BYW_ENOMEM : BYW_OK;
}

enum byw_status byw_bwt_unpack_start(struct byw_bwt_unpack *u, const struct byw_kernel *kernel,
                                     const uint8_t *raw, size_t size, uint32_t ctas,
                                     struct byw_diag *diag)
{
    enum byw_status st;

    u->ctas_left = 0;
    st = read_head(u, raw, size, diag);
    if (st != BYW_OK)
        return st;
    u->warp_size = kernel->warp_size;
    u->code = kernel->code;
    memcpy(u->grid, kernel->grid, sizeof(u->grid));
    u->grid_ctas = (uint64_t)u->grid[0] * u->grid[1] * u->grid[2];
    u->next_cta = 0;
    u->pattern_seen = 0;
    u->tracks.count = 0;
    st = make_tables(u, diag);
    if (st != BYW_OK)
        return st;
    if (!read_sites(u))
        return fault(diag, "the site table is malformed");
    if (!read_shapes(u))
        return fault(diag, "a record shape is malformed or breaks the record rules");
    st = read_patterns(u, diag);
    if (st == BYW_OK)
        st = read_paths(u, diag);
    u->ctas_left = (st == BYW_OK) ? ctas : 0;
    return st;
}

static enum byw_status read_access(struct byw_bwt_unpack *u,
                                   const struct byw_bwt_unpack_shape *shape, struct byw_inst *inst,
                                   struct byw_cta *cta)
{
    struct byw_bwt_unpack_site *site = &u->site[shape->site];
    enum byw_status st = BYW_OK;

    if (inst->form == BYW_FORM_LIST)
        st = byw_bwt_unpack_list(u, shape, inst, cta);
    else if (!byw_bwt_unpack_base(u, shape, site->last, &inst->base))
        st = BYW_EFORMAT;
    if (inst->cls == BYW_CLASS_LOAD)
        byw_bwt_recent_add(&u->recent, inst);
    return st;
}

static enum byw_status read_warp(struct byw_bwt_unpack *u, struct byw_cta *cta,
                                 struct byw_diag *diag)
{
    struct byw_cursor column = u->column[BYW_BWT_COL_INST];
    struct byw_inst *inst;
    uint64_t shape = 0, full = byw_bwt_full_mask(u->warp_size), mask = full;
    uint32_t count;

    if (!byw_cursor_u32(&u->column[BYW_BWT_COL_WARP], BYW_BWT_CTA_INST_MAX, &count) ||
        count > BYW_BWT_CTA_INST_MAX - cta->inst_count || count > (size_t)(column.end - column.at))
        return fault(diag, "a warp has more records than its column holds");
    if (byw_cta_add_warp(cta) == NULL)
        return BYW_ENOMEM;
    u->recent.count = 0;
    inst = byw_cta_add_insts(cta, count);
    if (inst == NULL)
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        const struct byw_bwt_unpack_shape *s;
        uint64_t code, change;

        if (!byw_cursor_number(&column, &code))
            return fault(diag, "the record column is malformed");
        shape += byw_unzigzag(code >> 1);
        if (shape >= u->shape_count)
            return fault(diag, "a record names a shape that does not exist");
        s = &u->shape[shape++];
        if ((code & 1) != 0) {
            if (!byw_cursor_number(&u->column[BYW_BWT_COL_MASK], &change) ||
                (change & ~full) != 0 || change == 0)
                return fault(diag, "an active mask is malformed");
            mask ^= change;
        }
        inst[i] = s->inst;
        inst[i].mask = mask;
        if (s->inst.form != BYW_FORM_NONE) {
            enum byw_status st = read_access(u, s, &inst[i], cta);

            if (st == BYW_EFORMAT)
                return fault(diag, "an access is malformed");
            if (st != BYW_OK)
                return st;
        }
    }
    u->column[BYW_BWT_COL_INST] = column;
    return BYW_OK;
}

enum byw_status byw_bwt_unpack_next(struct byw_bwt_unpack *u, struct byw_cta *cta,
                                    struct byw_diag *diag)
{
    uint64_t code, linear;
    uint32_t warps;

    byw_cta_clear(cta);
    if (u->ctas_left == 0) {
        for (unsigned c = 0; c < u->columns; c++) {
            if (c != BYW_BWT_COL_LANES && u->column[c].at != u->column[c].end)
                return fault(diag, "unused bytes follow the last CTA of the block");
        }
        if (u->pattern_seen != u->pattern_count)
            return fault(diag, "a lane pattern is never used");
        return BYW_END;
    }
    if (!byw_cursor_number(&u->column[BYW_BWT_COL_CTA], &code) ||
        !byw_cursor_u32(&u->column[BYW_BWT_COL_CTA], BYW_BWT_CTA_WARP_MAX, &warps))
        return fault(diag, "the CTA column is malformed");
    linear = u->next_cta + byw_unzigzag(code);
    if (linear >= u->grid_ctas)
        return fault(diag, "a CTA is outside the grid");
    u->ctas_left--;
    u->next_cta = linear + 1;
    cta->id[0] = (uint32_t)(linear % u->grid[0]);
    cta->id[1] = (uint32_t)(linear / u->grid[0] % u->grid[1]);
    cta->id[2] = (uint32_t)(linear / u->grid[0] / u->grid[1]);
    u->cta_number++;
    for (uint32_t w = 0; w < warps; w++) {
        enum byw_status st = read_warp(u, cta, diag);

        if (st == BYW_OK && u->columns > BYW_BWT_COL_PATH)
            st = byw_bwt_unpack_lanes(u, cta);
        if (st == BYW_EFORMAT && diag->text[0] == '\0')
            return fault(diag, "the walks of a warp are malformed");
        if (st != BYW_OK)
            return st;
    }
    return BYW_OK;
}
