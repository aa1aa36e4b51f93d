/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_trace_bwt_machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

void byw_bwt_machine_release(struct byw_bwt_machine *machine)
{
    free(machine->inst);
    free(machine->number);
    memset(machine, 0, sizeof(*machine));
}

/* --- tables ------------------------------------------------------------------------------- */

/* Fields of an instruction that have a byte each, column by column. */
enum { FIELDS = 8 };

static uint8_t *field(struct byw_machine_inst *inst, unsigned f)
{
    uint8_t *const at[FIELDS] = {
        &inst->op,           &inst->stall, &inst->yield, &inst->write_barrier,
        &inst->read_barrier, &inst->wait,  &inst->width, &inst->flags};

    return at[f];
}

static void put_change(struct byw_bytes *out, uint32_t value, uint32_t *last)
{
    byw_bytes_put_number(out, byw_zigzag((uint64_t)value - (uint64_t)*last));
    *last = value;
}

void byw_bwt_machine_put(struct byw_bytes *out, const struct byw_kernel *kernel)
{
    const struct byw_machine *m = kernel->machine;
    uint32_t line = 0, source = 0, number = 0;

    byw_bytes_put_number(out, m->arch);
    byw_bytes_put_number(out, m->registers);
    byw_bytes_put_number(out, m->unknown);
    byw_bytes_put_number(out, m->count);
    byw_bytes_put_number(out, kernel->site_number == NULL ? 0 : kernel->site_count);
    for (unsigned f = 0; f < FIELDS; f++)
        for (uint32_t i = 0; i < m->count; i++) {
            struct byw_machine_inst inst = m->inst[i];

            byw_bytes_put_u8(out, *field(&inst, f));
        }
    for (uint32_t i = 0; i < m->count; i++)
        put_change(out, m->inst[i].line, &line);
    for (uint32_t i = 0; i < m->count; i++)
        put_change(out, m->inst[i].source, &source);
    for (uint32_t i = 0; i < m->count; i++)
        byw_bytes_put_number(
            out, m->inst[i].target == BYW_MACHINE_NO_TARGET ? 0 : 1 + (uint64_t)m->inst[i].target);
    for (uint32_t i = 0; kernel->site_number != NULL && i < kernel->site_count; i++)
        put_change(out, kernel->site_number[i], &number);
}

static bool read_change(struct byw_cursor *c, uint32_t *last)
{
    uint64_t code, value;

    if (!byw_cursor_number(c, &code))
        return false;
    value = *last + byw_unzigzag(code);
    *last = (uint32_t)value;
    return value <= UINT32_MAX;
}

static bool read_columns(struct byw_cursor *c, struct byw_bwt_machine *t)
{
    uint32_t line = 0, source = 0, number = 0, count = t->machine.count;

    if ((size_t)(c->end - c->at) / FIELDS < count)
        return false;
    for (unsigned f = 0; f < FIELDS; f++)
        for (uint32_t i = 0; i < count; i++)
            *field(&t->inst[i], f) = *c->at++;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_change(c, &line))
            return false;
        t->inst[i].line = line;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!read_change(c, &source))
            return false;
        t->inst[i].source = source;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target;

        if (!byw_cursor_u32(c, count, &target))
            return false;
        t->inst[i].target = target == 0 ? BYW_MACHINE_NO_TARGET : target - 1;
    }
    for (uint32_t i = 0; i < t->numbers; i++) {
        if (!read_change(c, &number))
            return false;
        t->number[i] = number;
    }
    return true;
}

enum byw_status byw_bwt_machine_read(struct byw_cursor *c, uint32_t most, struct byw_bwt_machine *t)
{
    struct byw_machine *m = &t->machine;

    memset(t, 0, sizeof(*t));
    if (!byw_cursor_u32(c, UINT32_MAX, &m->arch) || !byw_cursor_u32(c, UINT32_MAX, &m->registers) ||
        !byw_cursor_u32(c, UINT32_MAX, &m->unknown) || !byw_cursor_u32(c, most, &m->count) ||
        !byw_cursor_u32(c, BYW_SITES_MAX, &t->numbers) || m->count == 0 ||
        m->count > (size_t)(c->end - c->at) || t->numbers > (size_t)(c->end - c->at))
        return BYW_EFORMAT;
    t->inst = calloc(m->count, sizeof(*t->inst));
    t->number = calloc(t->numbers + (size_t)1, sizeof(*t->number));
    m->inst = t->inst;
    if (t->inst == NULL || t->number == NULL) {
        byw_bwt_machine_release(t);
        return BYW_ENOMEM;
    }
    if (!read_columns(c, t) || byw_machine_fault(m) != NULL) {
        byw_bwt_machine_release(t);
        return BYW_EFORMAT;
    }
    return BYW_OK;
}

/* --- walks -------------------------------------------------------------------------------- */

const char *byw_bwt_paths_fault(const struct byw_cta *cta, uint32_t warp_size)
{
    uint64_t full = byw_bwt_full_mask(warp_size);

    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_warp_trace *warp = &cta->warp[w];
        uint64_t seen = 0;

        if (warp->lanes > cta->lanes_count || warp->first_lanes > cta->lanes_count - warp->lanes)
            return "a warp's walks are outside the CTA's list";
        if (warp->why >= BYW_PATH_WHYS || (warp->lanes != 0 && warp->why != BYW_PATH_KNOWN))
            return "a warp has walks and a reason why not";
        for (uint32_t g = 0; g < warp->lanes; g++) {
            const struct byw_lanes *lanes = &cta->lanes[warp->first_lanes + g];

            if (lanes->mask == 0 || (lanes->mask & (seen | ~full)) != 0)
                return "a lane has two walks, or there is no such lane";
            if (lanes->path >= cta->path_count)
                return "a walk is outside the CTA's list";
            seen |= lanes->mask;
        }
    }
    for (uint32_t p = 0; p < cta->path_count; p++)
        if (cta->path[p].first > cta->bit_count ||
            (cta->path[p].bits + 7ull) / 8 > cta->bit_count - cta->path[p].first)
            return "a walk's bits are outside the CTA's";
    return NULL;
}

/* The number of a walk in the block; it is added if it is new. */
static bool add_path(struct byw_bwt_pack *pack, const struct byw_cta *cta, uint32_t path,
                     uint32_t *number)
{
    struct byw_bytes *text = &pack->path_text;
    uint32_t bits = cta->path[path].bits;
    bool is_new;

    text->size = 0;
    byw_bytes_put_number(text, bits);
    byw_bytes_put(text, cta->bit + cta->path[path].first, (bits + 7ull) / 8);
    if (text->failed || !byw_intern_add(&pack->path, text->data, text->size, number, &is_new))
        return false;
    if (is_new) {
        byw_bytes_put_number(&pack->column[BYW_BWT_COL_PATH], bits);
        byw_bytes_put(&pack->column[BYW_BWT_COL_BITS], cta->bit + cta->path[path].first,
                      (bits + 7ull) / 8);
    }
    return true;
}

/* Each walk of the CTA is looked up once. */
bool byw_bwt_pack_paths(struct byw_bwt_pack *pack, const struct byw_cta *cta)
{
    struct byw_bytes *column = &pack->column[BYW_BWT_COL_GROUP];
    uint64_t full = byw_bwt_full_mask(pack->warp_size);
    uint32_t *number = calloc(cta->path_count + (size_t)1, sizeof(*number));

    for (uint32_t p = 0; number != NULL && p < cta->path_count; p++)
        if (!add_path(pack, cta, p, &number[p])) {
            free(number);
            return false;
        }
    for (uint32_t w = 0; number != NULL && w < cta->warp_count; w++) {
        const struct byw_warp_trace *warp = &cta->warp[w];

        byw_bytes_put_number(column, warp->lanes);
        if (warp->lanes == 0)
            byw_bytes_put_number(column, warp->why);
        for (uint32_t g = 0; g < warp->lanes; g++) {
            const struct byw_lanes *lanes = &cta->lanes[warp->first_lanes + g];

            byw_bytes_put_number(column, lanes->mask ^ full);
            byw_bytes_put_number(column, number[lanes->path]);
        }
    }
    free(number);
    return number != NULL;
}

const char *byw_bwt_unpack_paths(struct byw_bwt_unpack *u, bool *no_memory)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_PATH], *bit = &u->column[BYW_BWT_COL_BITS];
    const uint8_t *start = bit->at;

    *no_memory = false;
    u->path_count = 0;
    while (c->at < c->end) {
        uint32_t bits;

        if (!byw_cursor_u32(c, UINT32_MAX, &bits) ||
            (bits + 7ull) / 8 > (size_t)(bit->end - bit->at))
            return "a walk has more bits than its column";
        if (!BYW_ARRAY_ROOM(u->path, u->path_room, u->path_count + 1u)) {
            *no_memory = true;
            return NULL;
        }
        u->path[u->path_count++] =
            (struct byw_bwt_unpack_path){.bit = bit->at, .bits = bits, .cta = 0};
        bit->at += (bits + 7ull) / 8;
    }
    if (bit->at != bit->end || (size_t)(bit->end - start) > UINT32_MAX)
        return "bits that belong to no walk";
    return NULL;
}

static enum byw_status read_group(struct byw_bwt_unpack *u, struct byw_cta *cta, uint64_t *seen)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_GROUP];
    uint64_t mask, full = byw_bwt_full_mask(u->warp_size);
    struct byw_bwt_unpack_path *path;
    uint32_t number;

    if (!byw_cursor_number(c, &mask) || !byw_cursor_u32(c, UINT32_MAX, &number) ||
        number >= u->path_count)
        return BYW_EFORMAT;
    mask ^= full;
    if (mask == 0 || (mask & (*seen | ~full)) != 0)
        return BYW_EFORMAT;
    *seen |= mask;
    path = &u->path[number];
    if (path->cta != u->cta_number) {
        if (!byw_cta_add_path(cta, path->bit, path->bits))
            return BYW_ENOMEM;
        path->cta = u->cta_number;
        path->number = cta->path_count - 1;
    }
    return byw_cta_add_lanes(cta, mask, path->number) ? BYW_OK : BYW_ENOMEM;
}

enum byw_status byw_bwt_unpack_lanes(struct byw_bwt_unpack *u, struct byw_cta *cta)
{
    struct byw_cursor *c = &u->column[BYW_BWT_COL_GROUP];
    uint64_t seen = 0;
    uint32_t groups, why;
    enum byw_status st = BYW_OK;

    if (!byw_cursor_u32(c, u->warp_size, &groups))
        return BYW_EFORMAT;
    if (groups == 0) {
        if (!byw_cursor_u32(c, BYW_PATH_WHYS - 1, &why))
            return BYW_EFORMAT;
        cta->warp[cta->warp_count - 1].why = (uint8_t)why;
    }
    while (groups-- != 0 && st == BYW_OK)
        st = read_group(u, cta, &seen);
    return st;
}
