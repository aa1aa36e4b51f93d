/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_window_code.h"

#include <stddef.h>
#include <string.h>

/* The first byte of an unpredicted record says which fields follow; from RUN on, the byte stands
 * for a number of predicted records. */
enum { NEW = 1, KNOWN = 2, MASK = 4, BASE = 8, RUN = 0x80, RUN_MAX = 0x80 };

static void start(struct byw_window_code *c)
{
    c->count = 0;
    c->mask = 0;
    c->shape[0] = (struct byw_window_shape){.next = 0};
}

/* A shape consists of the stride and all fields from this one to the end of a record. */
enum { SHAPE = offsetof(struct byw_inst, pc) };

_Static_assert(sizeof(struct byw_inst) - SHAPE == 3 * sizeof(uint32_t) + 4, "no holes in a shape");

static bool same_shape(const struct byw_inst *a, const struct byw_inst *b)
{
    return a->stride == b->stride &&
           memcmp((const char *)a + SHAPE, (const char *)b + SHAPE, sizeof(*a) - SHAPE) == 0;
}

static struct byw_window_shape *new_shape(struct byw_window_code *c)
{
    struct byw_window_shape *shape = &c->shape[++c->count];

    shape->base = shape->step = 0;
    shape->next = 0;
    return shape;
}

static void moved_to(struct byw_window_shape *shape, uint64_t base)
{
    shape->step = base - shape->base;
    shape->base = base;
}

/* --- writing ------------------------------------------------------------------------------ */

/* The shape's slot in the table; if the slot has 0, the shape is new. */
static uint16_t *place(struct byw_window_code *c, const struct byw_inst *inst)
{
    const uint32_t places = 2 * BYW_WINDOW_RECORDS;
    uint32_t at = (inst->pc * 0x9e3779b1u ^ inst->use * 0x85ebca6bu ^ inst->count) >> 7;

    for (at %= places; c->slot[at] != 0; at = (at + 1) % places) {
        if (same_shape(&c->shape[c->slot[at]].inst, inst))
            break;
    }
    return &c->slot[at];
}

static void put_shape(const struct byw_inst *inst, struct byw_bytes *bytes)
{
    byw_bytes_put_u32(bytes, (uint32_t)inst->stride);
    byw_bytes_put_number(bytes, inst->pc);
    byw_bytes_put_number(bytes, inst->count);
    byw_bytes_put_number(bytes, inst->use);
    byw_bytes_put_u8(bytes, inst->cls);
    byw_bytes_put_u8(bytes, inst->form);
    byw_bytes_put_u8(bytes, inst->width);
    byw_bytes_put_u8(bytes, inst->degree);
}

static void put_list(const struct byw_inst *inst, const uint64_t *addr, struct byw_bytes *bytes)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(inst->mask);
    uint64_t last = inst->base;

    for (uint32_t i = 0; i < lanes; i++) {
        byw_bytes_put_number(bytes, byw_zigzag(addr[inst->list + i] - last));
        last = addr[inst->list + i];
    }
}

static uint16_t put(struct byw_window_code *c, uint16_t expected, const struct byw_inst *inst,
                    const uint64_t *addr, struct byw_bytes *bytes)
{
    uint16_t number = expected;
    struct byw_window_shape *shape;
    unsigned what = 0;

    if (number == 0 || !same_shape(&c->shape[number].inst, inst)) {
        uint16_t *at = place(c, inst);

        what |= *at == 0 ? NEW : KNOWN;
        if (*at == 0) {
            new_shape(c)->inst = *inst;
            *at = (uint16_t)c->count;
        }
        number = *at;
    }
    shape = &c->shape[number];
    what |=
        (inst->mask != c->mask ? MASK : 0u) | (inst->base != shape->base + shape->step ? BASE : 0u);
    byw_bytes_put_u8(bytes, (uint8_t)what);
    if ((what & NEW) != 0)
        put_shape(inst, bytes);
    if ((what & KNOWN) != 0)
        byw_bytes_put_number(bytes, number);
    if ((what & MASK) != 0)
        byw_bytes_put_u64(bytes, inst->mask);
    if ((what & BASE) != 0)
        byw_bytes_put_number(bytes, byw_zigzag(inst->base - shape->base));
    c->mask = inst->mask;
    moved_to(shape, inst->base);
    if (inst->form == BYW_FORM_LIST)
        put_list(inst, addr, bytes);
    return number;
}

void byw_window_write(struct byw_window_code *c, const struct byw_inst *inst, uint32_t count,
                      const uint64_t *addr, struct byw_bytes *bytes)
{
    uint16_t number = 0;
    uint32_t run = 0;

    start(c);
    memset(c->slot, 0, sizeof(c->slot));
    byw_bytes_put_number(bytes, count);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t *next = &c->shape[number].next;
        struct byw_window_shape *shape = &c->shape[*next];

        if (*next != 0 && same_shape(&shape->inst, &inst[i]) && inst[i].mask == c->mask &&
            inst[i].base == shape->base + shape->step && inst[i].form != BYW_FORM_LIST) {
            shape->base = inst[i].base;
            number = *next;
            if (++run == RUN_MAX) {
                byw_bytes_put_u8(bytes, RUN | (RUN_MAX - 1));
                run = 0;
            }
            continue;
        }
        if (run != 0)
            byw_bytes_put_u8(bytes, (uint8_t)(RUN | (run - 1)));
        run = 0;
        number = *next = put(c, *next, &inst[i], addr, bytes);
    }
    if (run != 0)
        byw_bytes_put_u8(bytes, (uint8_t)(RUN | (run - 1)));
}

/* --- reading ------------------------------------------------------------------------------ */

static bool get_shape(struct byw_cursor *at, struct byw_inst *inst)
{
    *inst = (struct byw_inst){.mask = 0};
    if (at->end - at->at < 4)
        return false;
    inst->stride = (int32_t)byw_load_u32(at->at);
    at->at += 4;
    return byw_cursor_u32(at, UINT32_MAX, &inst->pc) &&
           byw_cursor_u32(at, UINT32_MAX, &inst->count) &&
           byw_cursor_u32(at, UINT32_MAX, &inst->use) && byw_cursor_u8(at, &inst->cls) &&
           byw_cursor_u8(at, &inst->form) && byw_cursor_u8(at, &inst->width) &&
           byw_cursor_u8(at, &inst->degree);
}

/* 1: ok, 0: malformed, -1: out of memory. */
static int get_list(struct byw_cursor *at, struct byw_inst *inst, struct byw_cta *cta)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(inst->mask);
    uint64_t last = inst->base, code;
    uint64_t *addr;

    inst->list = cta->addr_count;
    addr = byw_cta_add_addr(cta, lanes);
    for (uint32_t i = 0; addr != NULL && i < lanes; i++) {
        if (!byw_cursor_number(at, &code))
            return 0;
        addr[i] = last += byw_unzigzag(code);
    }
    return addr != NULL ? 1 : -1;
}

/* Reads the record with the given first byte; false: malformed. */
static bool get(struct byw_window_code *c, unsigned what, uint16_t *number, struct byw_cursor *at,
                struct byw_inst *inst)
{
    struct byw_window_shape *shape;
    uint64_t change;
    uint32_t known = *number;

    if ((what & NEW) != 0) {
        if (c->count == BYW_WINDOW_RECORDS || !get_shape(at, &new_shape(c)->inst))
            return false;
        known = c->count;
    } else if ((what & KNOWN) != 0 && !byw_cursor_u32(at, c->count, &known)) {
        return false;
    }
    if (known == 0)
        return false;
    *number = (uint16_t)known;
    shape = &c->shape[known];
    if ((what & MASK) != 0) {
        if (at->end - at->at < 8)
            return false;
        c->mask = byw_load_u64(at->at);
        at->at += 8;
    }
    if ((what & BASE) != 0) {
        if (!byw_cursor_number(at, &change))
            return false;
        shape->step = byw_unzigzag(change);
    }
    shape->base += shape->step;
    *inst = shape->inst;
    inst->mask = c->mask;
    inst->base = shape->base;
    return true;
}

enum byw_status byw_window_read(struct byw_window_code *c, const uint8_t *data, size_t size,
                                struct byw_cta *cta)
{
    struct byw_cursor at = {.at = data, .end = data + size};
    uint16_t number = 0;
    struct byw_inst *inst;
    uint32_t count;

    start(c);
    if (!byw_cursor_u32(&at, BYW_WINDOW_RECORDS, &count))
        return BYW_EFORMAT;
    inst = byw_cta_add_insts(cta, count);
    if (inst == NULL)
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < count;) {
        uint8_t what;
        uint16_t last = number;

        if (!byw_cursor_u8(&at, &what))
            return BYW_EFORMAT;
        if (what >= RUN) {
            uint32_t end = i + 1 + (what & (RUN_MAX - 1));

            for (; i < end && i < count; i++) {
                struct byw_window_shape *shape;

                number = c->shape[number].next;
                shape = &c->shape[number];
                inst[i] = shape->inst;
                inst[i].mask = c->mask;
                inst[i].base = shape->base += shape->step;
            }
            continue;
        }
        number = c->shape[last].next;
        if (!get(c, what, &number, &at, &inst[i]))
            return BYW_EFORMAT;
        c->shape[last].next = number;
        if (inst[i].form == BYW_FORM_LIST) {
            int got = get_list(&at, &inst[i], cta);

            if (got <= 0)
                return got < 0 ? BYW_ENOMEM : BYW_EFORMAT;
        }
        i++;
    }
    return at.at == at.end ? BYW_OK : BYW_EFORMAT;
}
