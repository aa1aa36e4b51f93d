/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_line_table.h"

#include <string.h>

#define SPECIAL_MOST 255u

enum {
    COPY = 1,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    SET_COLUMN,
    NEGATE_STMT,
    SET_BASIC_BLOCK,
    CONST_ADD_PC,
    FIXED_ADVANCE_PC
};
enum { EXTENDED = 0, END_SEQUENCE = 1, SET_ADDRESS = 2 };

struct cursor {
    const uint8_t *table, *at, *end;
    bool bad;
};

struct program {
    struct cursor c;
    const struct byw_line_user *user;
    uint8_t unit, line_range, opcode_base; /* unit: bytes per step of the address */
    int8_t line_base;
    uint8_t operands[SPECIAL_MOST + 1];
    uint64_t address, row_address;
    uint32_t line, row_line, section;
    bool located, row;
};

static uint64_t take(struct cursor *c, size_t bytes)
{
    uint64_t value = 0;

    if ((size_t)(c->end - c->at) < bytes) {
        c->bad = true;
        c->at = c->end;
        return 0;
    }
    memcpy(&value, c->at, bytes);
    c->at += bytes;
    return value;
}

static uint64_t take_unsigned(struct cursor *c)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = (uint8_t)take(c, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0 && !c->bad);
    return value;
}

static int64_t take_signed(struct cursor *c)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = (uint8_t)take(c, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0 && !c->bad);
    if (shift < 64 && (byte & 0x40) != 0)
        value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
}

/* Ends the range of the last row where the next one begins. */
static void end_row(struct program *p)
{
    if (p->row && p->located && p->address > p->row_address &&
        !p->user->range(p->user->context, p->section, p->row_address, p->address, p->row_line))
        p->c.bad = true;
    p->row = false;
}

static void add_row(struct program *p)
{
    end_row(p);
    p->row = true;
    p->row_address = p->address;
    p->row_line = p->line;
}

static void begin_sequence(struct program *p)
{
    p->address = 0;
    p->line = 1;
    p->located = p->row = false;
}

static void run_extended(struct program *p)
{
    uint64_t length = take_unsigned(&p->c);
    const uint8_t *begin = p->c.at;

    if (length == 0 || length > (size_t)(p->c.end - begin)) {
        p->c.bad = true;
        return;
    }
    switch (take(&p->c, 1)) {
    case END_SEQUENCE:
        end_row(p);
        begin_sequence(p);
        break;
    case SET_ADDRESS: {
        size_t bytes = length == 9 ? 8 : 4, offset = (size_t)(p->c.at - p->c.table);

        end_row(p);
        p->located =
            p->user->locate(p->user->context, offset, take(&p->c, bytes), &p->section, &p->address);
        break;
    }
    default:
        break; /* NVIDIA's own: names of inlined functions */
    }
    p->c.at = begin + length;
}

static void run_standard(struct program *p, uint8_t opcode)
{
    switch (opcode) {
    case COPY:
        add_row(p);
        break;
    case ADVANCE_PC:
        p->address += take_unsigned(&p->c) * p->unit;
        break;
    case ADVANCE_LINE:
        p->line += (uint32_t)take_signed(&p->c);
        break;
    case CONST_ADD_PC:
        p->address += (uint64_t)((SPECIAL_MOST - p->opcode_base) / p->line_range) * p->unit;
        break;
    case FIXED_ADVANCE_PC:
        p->address += take(&p->c, 2);
        break;
    default:
        for (unsigned i = 0; i < p->operands[opcode]; i++)
            take_unsigned(&p->c);
        break;
    }
}

static void run(struct program *p)
{
    begin_sequence(p);
    while (p->c.at < p->c.end && !p->c.bad) {
        uint8_t opcode = (uint8_t)take(&p->c, 1);

        if (opcode == EXTENDED) {
            run_extended(p);
        } else if (opcode < p->opcode_base) {
            run_standard(p, opcode);
        } else {
            unsigned special = (unsigned)opcode - p->opcode_base;

            p->address += (uint64_t)(special / p->line_range) * p->unit;
            p->line += (uint32_t)(p->line_base + (int)(special % p->line_range));
            add_row(p);
        }
    }
}

/* One unit of the table, which ends at `end`. */
static bool read_unit(struct cursor c, const uint8_t *end, const struct byw_line_user *user)
{
    struct program p = {.c = c, .user = user};
    uint64_t version, header;
    const uint8_t *begin;

    p.c.end = end;
    version = take(&p.c, 2);
    header = take(&p.c, 4);
    begin = p.c.at;
    if (p.c.bad || version < 2 || version > 3 || header > (size_t)(end - begin))
        return false;
    p.unit = (uint8_t)take(&p.c, 1);
    take(&p.c, 1);
    p.line_base = (int8_t)take(&p.c, 1);
    p.line_range = (uint8_t)take(&p.c, 1);
    p.opcode_base = (uint8_t)take(&p.c, 1);
    if (p.c.bad || p.line_range == 0 || p.opcode_base == 0)
        return false;
    for (unsigned i = 1; i < p.opcode_base; i++)
        p.operands[i] = (uint8_t)take(&p.c, 1);
    if (p.c.bad)
        return false;
    p.c.at = begin + header;
    run(&p);
    return !p.c.bad;
}

bool byw_line_table_read(const uint8_t *table, size_t size, const struct byw_line_user *user)
{
    struct cursor c = {.table = table, .at = table, .end = table + size};

    while (c.at < c.end) {
        uint64_t length = take(&c, 4);

        if (c.bad || length > (size_t)(c.end - c.at))
            return false;
        if (!read_unit(c, c.at + length, user))
            return false;
        c.at += length;
    }
    return true;
}
