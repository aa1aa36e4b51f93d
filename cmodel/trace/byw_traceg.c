/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_traceg.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define DECIMAL_DIGITS 19 /* surely fit a uint64_t */
#define WINDOW_BYTES (1ull << 24) /* size of the shared and the local window */

static void skip_blanks(struct byw_scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r'))
        scan->at++;
}

/* A number must end where it is expected to end: "12x" is none. */
static bool at_break(const struct byw_scan *scan)
{
    return scan->at >= scan->end || *scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' ||
           *scan->at == ',' || *scan->at == ')';
}

static unsigned hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return (c >= 'a' && c <= 'f') ? (unsigned)(c - 'a' + 10) : 16;
}

bool byw_scan_hex(struct byw_scan *scan, uint64_t *value)
{
    uint64_t v = 0;
    const char *first;

    skip_blanks(scan);
    if (scan->end - scan->at > 2 && scan->at[0] == '0' && (scan->at[1] | 0x20) == 'x')
        scan->at += 2;
    first = scan->at;
    while (scan->at < scan->end) {
        unsigned digit = hex_digit(*scan->at);

        if (digit > 15)
            break;
        if (v >> 60 != 0)
            return false;
        v = v << 4 | digit;
        scan->at++;
    }
    *value = v;
    return scan->at != first && at_break(scan);
}

bool byw_scan_decimal(struct byw_scan *scan, int64_t *value)
{
    const char *at, *end = scan->end, *first;
    uint64_t v = 0;
    bool negative;

    skip_blanks(scan);
    at = scan->at;
    negative = at < end && *at == '-';
    at += negative;
    first = at;
    while (at < end && (uint8_t)(*at - '0') <= 9)
        v = v * 10 + (uint64_t)(*at++ - '0');
    scan->at = at;
    *value = negative ? -(int64_t)v : (int64_t)v;
    return at != first && at - first <= DECIMAL_DIGITS && v <= INT64_MAX && at_break(scan);
}

bool byw_scan_u32(struct byw_scan *scan, uint32_t *value)
{
    int64_t v;

    if (!byw_scan_decimal(scan, &v) || v < 0 || v > UINT32_MAX)
        return false;
    *value = (uint32_t)v;
    return true;
}

/* Registers of one side; other operand kinds (predicates, uniform registers) carry no dependence
 * in these traces and are passed over. */
static bool scan_registers(struct byw_scan *scan, uint8_t reg[BYW_TRACEG_OPERANDS], uint8_t *count)
{
    uint32_t operands;

    *count = 0;
    if (!byw_scan_u32(scan, &operands) || operands > BYW_TRACEG_OPERANDS)
        return false;
    for (uint32_t i = 0; i < operands; i++) {
        uint32_t number;

        skip_blanks(scan);
        if (scan->at >= scan->end)
            return false;
        if (*scan->at != 'R') {
            while (!at_break(scan))
                scan->at++;
            continue;
        }
        scan->at++;
        if (!byw_scan_u32(scan, &number) || number > BYW_TRACEG_REGS)
            return false;
        if (number < BYW_TRACEG_REGS)
            reg[(*count)++] = (uint8_t)number;
    }
    return true;
}

void byw_traceg_init(struct byw_traceg *parser)
{
    memset(parser, 0, sizeof(*parser));
}

void byw_traceg_release(struct byw_traceg *parser)
{
    byw_intern_release(&parser->names);
    free(parser->sass);
    parser->sass = NULL;
}

void byw_traceg_start_kernel(struct byw_traceg *parser)
{
    memset(parser->memo, 0, sizeof(parser->memo));
}

void byw_traceg_start_warp(struct byw_traceg *parser)
{
    parser->position = 0;
    memset(parser->writer, 0, sizeof(parser->writer));
}

/* Each spelling is decoded once. */
static const struct byw_sass *find_opcode(struct byw_traceg *p, const char *name, size_t length)
{
    uint32_t number;
    bool is_new;

    if (!byw_intern_add(&p->names, name, length, &number, &is_new))
        return NULL;
    if (is_new && number >= p->sass_room) {
        struct byw_sass *moved = realloc(p->sass, p->names.room * sizeof(*moved));

        if (moved == NULL)
            return NULL;
        p->sass = moved;
        p->sass_room = p->names.room;
    }
    if (is_new)
        p->sass[number] = byw_sass_decode(name, length);
    if (!p->sass[number].known) {
        if (p->unknown++ == 0) {
            if (length >= sizeof(p->first_unknown))
                length = sizeof(p->first_unknown) - 1;
            memcpy(p->first_unknown, name, length);
            p->first_unknown[length] = '\0';
        }
    }
    return &p->sass[number];
}

static void resolve(struct byw_traceg *p, struct byw_inst *warp, const uint8_t *reg, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t writer = p->writer[reg[i]];

        if (writer == 0)
            continue;
        if (warp[writer - 1].use == 0)
            warp[writer - 1].use = p->position - (writer - 1);
        p->writer[reg[i]] = 0;
    }
}

/* Addresses that lie on one line over the lane numbers become a stride. */
static bool find_stride(uint64_t mask, const uint64_t *addr, uint32_t count, struct byw_inst *inst)
{
    uint32_t first = (uint32_t)__builtin_ctzll(mask), rank = 1;
    uint64_t rest = mask & (mask - 1);
    int64_t span, stride = 0;

    if (rest != 0) {
        uint32_t last = (uint32_t)__builtin_ctzll(rest);

        span = (int64_t)(addr[1] - addr[0]);
        stride = span / (int64_t)(last - first);
        if (stride * (int64_t)(last - first) != span || stride > INT32_MAX || stride < INT32_MIN)
            return false;
    }
    for (; rank < count; rank++, rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);

        if (addr[rank] - addr[0] != (uint64_t)(stride * (int64_t)(lane - first)))
            return false;
    }
    inst->form = BYW_FORM_STRIDE;
    inst->stride = (int32_t)stride;
    inst->base = addr[0] - (uint64_t)(stride * (int64_t)first);
    return true;
}

static const char *scan_list(struct byw_scan *scan, uint64_t *addr, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!byw_scan_hex(scan, &addr[i]))
            return "expected one address in hex per active lane";
    }
    return NULL;
}

static const char *scan_stride(struct byw_scan *scan, uint64_t mask, uint64_t *addr)
{
    uint64_t base;
    int64_t stride;
    uint32_t rank = 0, first = (mask != 0) ? (uint32_t)__builtin_ctzll(mask) : 0;

    if (!byw_scan_hex(scan, &base) || !byw_scan_decimal(scan, &stride))
        return "expected a base address in hex and a stride";
    for (; mask != 0; mask &= mask - 1) {
        uint64_t lane = (uint64_t)__builtin_ctzll(mask) - first;

        addr[rank++] = base + (uint64_t)stride * lane;
    }
    return NULL;
}

static const char *scan_deltas(struct byw_scan *scan, uint64_t *addr, uint32_t count)
{
    uint64_t base;

    if (!byw_scan_hex(scan, &base))
        return "expected a base address in hex";
    if (count != 0)
        addr[0] = base;
    for (uint32_t i = 1; i < count; i++) {
        int64_t delta;

        if (!byw_scan_decimal(scan, &delta))
            return "expected a step for each active lane but the first";
        addr[i] = addr[i - 1] + (uint64_t)delta;
    }
    return NULL;
}

/* A generic access belongs to the window that its first active lane's address lies in. */
static uint8_t generic_class(const struct byw_traceg *p, uint8_t cls, uint64_t addr)
{
    bool shared = p->shared_base != 0 && addr - p->shared_base < WINDOW_BYTES;
    bool local = p->local_base != 0 && addr - p->local_base < WINDOW_BYTES;

    if (shared)
        return cls == BYW_CLASS_STORE ? BYW_CLASS_SHARED_STORE : BYW_CLASS_SHARED_LOAD;
    if (local && cls == BYW_CLASS_LOAD)
        return BYW_CLASS_LOCAL_LOAD;
    if (local && cls == BYW_CLASS_STORE)
        return BYW_CLASS_LOCAL_STORE;
    return cls;
}

static const char *scan_addresses(struct byw_traceg *p, struct byw_scan *scan,
                                  const struct byw_sass *sass, struct byw_inst *inst,
                                  struct byw_cta *cta)
{
    uint64_t addr[BYW_TRACEG_LANES];
    uint32_t mode, count = (uint32_t)__builtin_popcountll(inst->mask);
    const char *fault;
    uint64_t *pool;

    if (!byw_scan_u32(scan, &mode) || mode > 2)
        return "expected the address mode 0, 1 or 2";
    fault = (mode == 0)   ? scan_list(scan, addr, count)
            : (mode == 1) ? scan_stride(scan, inst->mask, addr)
                          : scan_deltas(scan, addr, count);
    if (fault != NULL || count == 0 || sass->space == BYW_SASS_NONE)
        return fault;
    if (sass->space == BYW_SASS_GENERIC)
        inst->cls = generic_class(p, inst->cls, addr[0]);
    if (find_stride(inst->mask, addr, count, inst))
        return NULL;
    inst->form = BYW_FORM_LIST;
    inst->list = cta->addr_count;
    pool = byw_cta_add_addr(cta, count);
    if (pool == NULL)
        return "expected a CTA that fits into memory";
    memcpy(pool, addr, count * sizeof(addr[0]));
    return NULL;
}

static const char *scan_head(const struct byw_traceg *p, struct byw_scan *scan,
                             struct byw_inst *inst)
{
    uint64_t pc;
    int64_t ignored;

    for (unsigned i = 0; p->prefix && i < 4; i++) {
        if (!byw_scan_decimal(scan, &ignored))
            return "expected the CTA's x, y, z and the warp";
    }
    if (p->line_info && !byw_scan_decimal(scan, &ignored))
        return "expected a source line number";
    if (!byw_scan_hex(scan, &pc) || pc > UINT32_MAX)
        return "expected the program counter in hex, below 2^32";
    if (!byw_scan_hex(scan, &inst->mask) || inst->mask >> BYW_TRACEG_LANES != 0)
        return "expected the active mask in hex, 32 bits";
    inst->pc = (uint32_t)pc;
    return NULL;
}

/* Reads the whole line; *keep: it says the same wherever it stands. */
static const char *scan_line(struct byw_traceg *parser, struct byw_scan *scan,
                             struct byw_traceg_inst *says, bool *keep, struct byw_cta *cta)
{
    struct byw_inst *inst = &says->inst;
    const struct byw_sass *sass;
    const char *fault, *opcode;
    uint32_t width;

    *inst = (struct byw_inst){.count = 1, .degree = 1};
    fault = scan_head(parser, scan, inst);
    if (fault != NULL)
        return fault;
    if (!scan_registers(scan, says->dst, &says->dst_count))
        return "expected the number of destination registers and their names R0 to R255";
    skip_blanks(scan);
    for (opcode = scan->at; !at_break(scan); scan->at++)
        continue;
    if (scan->at == opcode || *opcode < 'A' || *opcode > 'Z')
        return "expected an opcode";
    sass = find_opcode(parser, opcode, (size_t)(scan->at - opcode));
    if (sass == NULL)
        return "expected a CTA that fits into memory";
    if (!scan_registers(scan, says->src, &says->src_count))
        return "expected the number of source registers and their names R0 to R255";
    if (!byw_scan_u32(scan, &width))
        return "expected the memory width";
    inst->cls = sass->cls;
    inst->width = sass->width;
    if (width != 0) {
        fault = scan_addresses(parser, scan, sass, inst, cta);
        if (fault != NULL)
            return fault;
    }
    if (inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_SHARED_STORE)
        inst->degree = (uint8_t)byw_shared_degree(inst, cta);
    *keep = sass->known && inst->form != BYW_FORM_LIST;
    return NULL;
}

/* Places what a line says at the end of the warp and wakes the results it waits for. */
static const char *append(struct byw_traceg *parser, const struct byw_traceg_inst *says,
                          struct byw_cta *cta)
{
    struct byw_inst *warp = byw_cta_add_inst(cta);

    if (warp == NULL)
        return "expected a CTA that fits into memory";
    *warp = says->inst;
    warp -= parser->position;
    resolve(parser, warp, says->src, says->src_count);
    resolve(parser, warp, says->dst, says->dst_count);
    parser->position++;
    for (uint32_t i = 0; i < says->dst_count; i++)
        parser->writer[says->dst[i]] = parser->position;
    return NULL;
}

const char *byw_traceg_line(struct byw_traceg *parser, const char *line, size_t length,
                            struct byw_cta *cta)
{
    struct byw_scan scan = {.at = line, .end = line + length};
    struct byw_traceg_memo *memo;
    struct byw_traceg_inst says;
    const char *fault;
    bool keep = false;

    if (length > sizeof(memo->text)) {
        fault = scan_line(parser, &scan, &says, &keep, cta);
        return (fault != NULL) ? fault : append(parser, &says, cta);
    }
    memo = &parser->memo[XXH3_64bits(line, length) % BYW_TRACEG_MEMOS];
    if (memo->length == length && length != 0 && memcmp(memo->text, line, length) == 0)
        return append(parser, &memo->says, cta);
    memo->length = 0;
    fault = scan_line(parser, &scan, &memo->says, &keep, cta);
    if (fault != NULL)
        return fault;
    if (keep) {
        memo->length = (uint32_t)length;
        memcpy(memo->text, line, length);
    }
    return append(parser, &memo->says, cta);
}
