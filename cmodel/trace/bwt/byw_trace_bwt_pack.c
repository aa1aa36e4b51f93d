/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_trace_bwt_pack.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "common/byw_array.h"
#include "trace/bwt/byw_trace_bwt_machine.h"
#include "trace/byw_trace_format.h"

struct byw_bwt_pack *byw_bwt_pack_create(bool chains, bool paths)
{
    struct byw_bwt_pack *pack = calloc(1, sizeof(*pack));

    if (pack != NULL) {
        pack->chains = chains;
        pack->columns = paths ? BYW_BWT_COL_COUNT : BYW_BWT_COL_COUNT_2;
    }
    return pack;
}

void byw_bwt_pack_free(struct byw_bwt_pack *pack)
{
    if (pack == NULL)
        return;
    byw_intern_release(&pack->site);
    byw_intern_release(&pack->shape);
    byw_intern_release(&pack->pattern);
    byw_bytes_release(&pack->access);
    byw_bytes_release(&pack->shape_text);
    byw_intern_release(&pack->path);
    byw_bytes_release(&pack->path_text);
    for (unsigned c = 0; c < BYW_BWT_COL_COUNT; c++)
        byw_bytes_release(&pack->column[c]);
    free(pack->state);
    free(pack->tracks.lanes);
    byw_bwt_chain_release(&pack->chain);
    free(pack);
}

void byw_bwt_pack_clear(struct byw_bwt_pack *pack, const struct byw_kernel *kernel)
{
    pack->warp_size = kernel->warp_size;
    pack->code = kernel->code;
    memcpy(pack->grid, kernel->grid, sizeof(pack->grid));
    pack->next_cta = 0;
    pack->ctas = 0;
    pack->tracks.count = 0;
    pack->chain.used = false;
    memset(pack->slot, 0, sizeof(pack->slot));
    byw_intern_clear(&pack->site);
    byw_intern_clear(&pack->shape);
    byw_intern_clear(&pack->pattern);
    byw_intern_clear(&pack->path);
    pack->access.size = 0;
    for (unsigned c = 0; c < BYW_BWT_COL_COUNT; c++)
        pack->column[c].size = 0;
}

bool byw_bwt_pack_chained(const struct byw_bwt_pack *pack)
{
    return pack->chain.used;
}

uint32_t byw_bwt_pack_ctas(const struct byw_bwt_pack *pack)
{
    return pack->ctas;
}

size_t byw_bwt_pack_bytes(const struct byw_bwt_pack *pack)
{
    size_t sum = pack->shape.text.size + pack->access.size / sizeof(struct byw_bwt_access) * 3;

    for (unsigned c = 0; c < BYW_BWT_COL_COUNT; c++)
        sum += pack->column[c].size;
    return sum;
}

static bool add_site(struct byw_bwt_pack *pack, uint32_t pc, uint32_t *site)
{
    struct byw_bwt_site_slot *slot = &pack->slot[pc / 8 % BYW_BWT_SITE_SLOTS];
    bool is_new;

    if (slot->pc == pc && slot->site != 0) {
        *site = slot->site - 1;
        return true;
    }
    if (!byw_intern_add(&pack->site, &pc, sizeof(pc), site, &is_new))
        return false;
    *slot = (struct byw_bwt_site_slot){.pc = pc, .site = *site + 1};
    if (!BYW_ARRAY_ROOM(pack->state, pack->state_room, pack->site.count))
        return false;
    if (is_new) {
        pack->state[*site] = (struct byw_bwt_pack_site){.salt = byw_bwt_chain_salt(pack->code, pc)};
        byw_bytes_put_number(&pack->column[BYW_BWT_COL_SITE], pc);
    }
    return true;
}

/* Addresses are stored in units of the access width if all of them are multiples of it. */
static uint8_t address_scale(const struct byw_inst *inst, const uint64_t *addr, uint32_t lanes)
{
    uint64_t all = inst->base;
    uint8_t scale = 0;

    if (inst->form == BYW_FORM_LIST) {
        all = 0;
        for (uint32_t i = 0; i < lanes; i++)
            all |= addr[i];
    }
    while (inst->width >> (scale + 1) != 0 && ((all >> scale) & 1) == 0)
        scale++;
    return scale;
}

static bool same_key(const struct byw_bwt_shape_key *a, const struct byw_bwt_shape_key *b)
{
    return a->count == b->count && a->use == b->use && a->stride == b->stride && a->cls == b->cls &&
           a->form == b->form && a->width == b->width && a->degree == b->degree &&
           a->scale == b->scale;
}

static bool add_shape(struct byw_bwt_pack *pack, const struct byw_inst *inst, uint32_t site,
                      uint8_t scale, uint32_t *shape)
{
    const struct byw_bwt_shape_key key = {.count = inst->count,
                                          .use = inst->use,
                                          .stride =
                                              inst->form == BYW_FORM_STRIDE ? inst->stride : 0,
                                          .cls = inst->cls,
                                          .form = inst->form,
                                          .width = inst->width,
                                          .degree = inst->degree,
                                          .scale = scale};
    struct byw_bwt_pack_site *state = &pack->state[site];
    struct byw_bytes *text = &pack->shape_text;
    bool is_new;

    if (state->shape != 0 && same_key(&state->key, &key)) {
        *shape = state->shape - 1;
        return true;
    }
    text->size = 0;
    byw_bytes_put_u8(text, key.cls);
    byw_bytes_put_u8(text, (uint8_t)(key.form | scale << 4));
    byw_bytes_put_u8(text, key.width);
    byw_bytes_put_u8(text, key.degree);
    byw_bytes_put_number(text, site);
    byw_bytes_put_number(text, key.count - 1);
    byw_bytes_put_number(text, key.use);
    if (key.form == BYW_FORM_STRIDE)
        byw_bytes_put_number(text, byw_zigzag((uint64_t)(int64_t)key.stride));
    if (text->failed || !byw_intern_add(&pack->shape, text->data, text->size, shape, &is_new))
        return false;
    state->shape = *shape + 1;
    state->key = key;
    return true;
}

/* The state against which the records of a warp are coded. */
struct warp_state {
    uint32_t shape; /* the expected next shape */
    uint64_t mask; /* mask of the previous record */
};

static enum byw_status add_inst(struct byw_bwt_pack *pack, const struct byw_cta *cta,
                                const struct byw_inst *inst, struct warp_state *warp)
{
    uint32_t site, shape, lanes = (uint32_t)__builtin_popcountll(inst->mask);
    const uint64_t *addr = NULL;
    struct byw_bwt_access access;
    bool based = true;

    if (inst->form == BYW_FORM_LIST)
        addr = cta->addr + inst->list;
    if (!add_site(pack, inst->pc, &site))
        return BYW_ENOMEM;
    access = (struct byw_bwt_access){.site = site};
    if (inst->form != BYW_FORM_NONE)
        access.scale = address_scale(inst, addr, lanes);
    if (!add_shape(pack, inst, site, access.scale, &shape))
        return BYW_ENOMEM;
    byw_bytes_put_number(&pack->column[BYW_BWT_COL_INST],
                         byw_zigzag((uint64_t)shape - (uint64_t)warp->shape) << 1 |
                             (inst->mask != warp->mask));
    if (inst->mask != warp->mask)
        byw_bytes_put_number(&pack->column[BYW_BWT_COL_MASK], inst->mask ^ warp->mask);
    *warp = (struct warp_state){.shape = shape + 1, .mask = inst->mask};
    if (inst->form == BYW_FORM_NONE)
        return BYW_OK;
    access.base = (addr != NULL) ? addr[0] : inst->base;
    access.reference = pack->state[site].last;
    if (addr != NULL && !byw_bwt_pack_list(pack, cta, inst, &access, &based))
        return BYW_ENOMEM;
    pack->state[site].last = access.base;
    if (based)
        byw_bytes_put(&pack->access, &access, sizeof(access));
    if (inst->cls == BYW_CLASS_LOAD)
        byw_bwt_recent_add(&pack->recent, inst);
    return BYW_OK;
}

/* The whole CTA is checked before any of it is written. */
static enum byw_status check_cta(const struct byw_bwt_pack *pack, const struct byw_cta *cta,
                                 struct byw_diag *diag)
{
    const char *fault = NULL;
    uint32_t expected = 0;

    for (unsigned d = 0; d < 3; d++) {
        if (cta->id[d] >= pack->grid[d])
            return byw_diag_set(diag, BYW_EINVAL, "CTA %u,%u,%u is outside the grid", cta->id[0],
                                cta->id[1], cta->id[2]);
    }
    if (cta->warp_count > BYW_BWT_CTA_WARP_MAX || cta->inst_count > BYW_BWT_CTA_INST_MAX ||
        cta->addr_count > BYW_BWT_CTA_ADDR_MAX)
        return byw_diag_set(
            diag, BYW_EINVAL,
            "CTA %u,%u,%u has %u warps, %u records, %u addresses; the format allows "
            "up to %u, %u, %u",
            cta->id[0], cta->id[1], cta->id[2], cta->warp_count, cta->inst_count, cta->addr_count,
            BYW_BWT_CTA_WARP_MAX, BYW_BWT_CTA_INST_MAX, BYW_BWT_CTA_ADDR_MAX);
    for (uint32_t w = 0; w < cta->warp_count && fault == NULL; w++) {
        if (cta->warp[w].first != expected || cta->warp[w].count > cta->inst_count - expected)
            fault = "its warps' records are not consecutive";
        else
            expected += cta->warp[w].count;
    }
    if (fault == NULL && pack->columns > BYW_BWT_COL_PATH)
        fault = byw_bwt_paths_fault(cta, pack->warp_size);
    if (fault == NULL && expected != cta->inst_count)
        fault = "it has records that belong to no warp";
    for (uint32_t i = 0; i < cta->inst_count && fault == NULL; i++) {
        const struct byw_inst *inst = &cta->inst[i];

        fault = byw_trace_inst_fault(inst, pack->warp_size);
        if (fault == NULL && inst->form == BYW_FORM_LIST &&
            (inst->list > cta->addr_count ||
             (uint32_t)__builtin_popcountll(inst->mask) > cta->addr_count - inst->list))
            fault = "a record's addresses are outside the CTA's pool";
    }
    if (fault != NULL)
        return byw_diag_set(diag, BYW_EINVAL, "CTA %u,%u,%u: %s", cta->id[0], cta->id[1],
                            cta->id[2], fault);
    return BYW_OK;
}

enum byw_status byw_bwt_pack_add(struct byw_bwt_pack *pack, const struct byw_cta *cta,
                                 struct byw_diag *diag)
{
    enum byw_status st = check_cta(pack, cta, diag);
    uint64_t linear =
        cta->id[0] + (uint64_t)pack->grid[0] * (cta->id[1] + (uint64_t)pack->grid[1] * cta->id[2]);

    if (st != BYW_OK)
        return st;
    byw_bytes_put_number(&pack->column[BYW_BWT_COL_CTA], byw_zigzag(linear - pack->next_cta));
    byw_bytes_put_number(&pack->column[BYW_BWT_COL_CTA], cta->warp_count);
    pack->next_cta = linear + 1;
    pack->ctas++;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_warp_trace *warp = &cta->warp[w];
        struct warp_state state = {.mask = byw_bwt_full_mask(pack->warp_size)};

        pack->recent.count = 0;
        byw_bytes_put_number(&pack->column[BYW_BWT_COL_WARP], warp->count);
        for (uint32_t i = 0; i < warp->count; i++) {
            st = add_inst(pack, cta, &cta->inst[warp->first + i], &state);
            if (st != BYW_OK)
                return byw_no_memory(diag, "packing the trace");
        }
    }
    if (pack->columns > BYW_BWT_COL_PATH && !byw_bwt_pack_paths(pack, cta))
        return byw_no_memory(diag, "packing the trace");
    return BYW_OK;
}

/* Codes all addresses with one of the two predictors.  Order 1 predicts the reference address;
 * order 2 adds the site's last distance from its reference. */
static enum byw_status put_bases(struct byw_bwt_pack *pack, unsigned order, struct byw_bytes *out)
{
    const struct byw_bwt_access *access =
        (const struct byw_bwt_access *)(const void *)pack->access.data;
    size_t count = pack->access.size / sizeof(*access);
    uint64_t *step = calloc((size_t)pack->site.count + 1, sizeof(*step));

    if (step == NULL)
        return BYW_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct byw_bwt_access *a = &access[i];
        uint64_t guess = a->reference + (order == 2 ? step[a->site] : 0);

        byw_bytes_put_number(out, byw_zigzag((a->base >> a->scale) - (guess >> a->scale)));
        step[a->site] = a->base - a->reference;
    }
    free(step);
    return out->failed ? BYW_ENOMEM : BYW_OK;
}

static enum byw_status choose_bases(struct byw_bwt_pack *pack, uint32_t *order)
{
    struct byw_bytes *column = &pack->column[BYW_BWT_COL_BASE];
    struct byw_bytes second = {.data = NULL};
    enum byw_status st = put_bases(pack, 1, column);

    *order = 1;
    if (st == BYW_OK)
        st = put_bases(pack, 2, &second);
    if (st == BYW_OK && second.size < column->size) {
        column->size = 0;
        byw_bytes_put(column, second.data, second.size);
        *order = 2;
    }
    byw_bytes_release(&second);
    return st;
}

enum byw_status byw_bwt_pack_finish(struct byw_bwt_pack *pack, struct byw_bytes *raw)
{
    uint32_t order;
    enum byw_status st = choose_bases(pack, &order);
    uint64_t sum = 0;

    if (st != BYW_OK)
        return st;
    byw_bytes_put(&pack->column[BYW_BWT_COL_SHAPE], pack->shape.text.data, pack->shape.text.size);
    raw->size = 0;
    byw_bytes_put_number(raw, pack->site.count);
    byw_bytes_put_number(raw, pack->shape.count);
    byw_bytes_put_number(raw, pack->pattern.count);
    byw_bytes_put_number(raw, order);
    for (unsigned c = 0; c < pack->columns; c++) {
        if (pack->column[c].failed)
            return BYW_ENOMEM;
        sum += pack->column[c].size;
        byw_bytes_put_number(raw, pack->column[c].size);
    }
    if (sum + raw->size > BYW_BWT_RAW_MAX)
        return BYW_EINVAL;
    for (unsigned c = 0; c < pack->columns; c++)
        byw_bytes_put(raw, pack->column[c].data, pack->column[c].size);
    return raw->failed ? BYW_ENOMEM : BYW_OK;
}
