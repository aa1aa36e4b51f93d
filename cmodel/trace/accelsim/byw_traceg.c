/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim/byw_traceg.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

#define WIDTH_MAX 32 /* bytes per lane */

/* Skips an operand that is not a general register: a uniform register, predicate, uniform predicate
 * or barrier register (UR4, URZ, P0, PT, UP1, UPT, B3), or RZ, the other name of the zero register.
 * They carry no dependence in these traces. */
static bool skip_operand(struct byw_scan *scan)
{
    static const char *const kinds[] = {"UR", "UP", "P", "B", "R"};
    size_t left = (size_t)(scan->end - scan->at);

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t n = strlen(kinds[i]);
        uint32_t number;

        if (left <= n || memcmp(scan->at, kinds[i], n) != 0)
            continue;
        scan->at += n;
        if (*scan->at != 'Z' && *scan->at != 'T')
            return byw_scan_u32(scan, &number) && number < BYW_TRACEG_REGS;
        scan->at++;
        return byw_scan_at_break(scan);
    }
    return false;
}

/* Reads the registers of one side. */
static bool scan_registers(struct byw_scan *scan, uint8_t reg[BYW_TRACEG_OPERANDS], uint8_t *count)
{
    uint32_t operands;

    *count = 0;
    if (!byw_scan_u32(scan, &operands) || operands > BYW_TRACEG_OPERANDS)
        return false;
    for (uint32_t i = 0; i < operands; i++) {
        uint32_t number;

        byw_scan_blanks(scan);
        if (scan->end - scan->at < 2)
            return false;
        if (scan->at[0] != 'R' || scan->at[1] == 'Z') {
            if (!skip_operand(scan))
                return false;
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

void byw_traceg_release(struct byw_traceg *parser)
{
    byw_intern_release(&parser->names);
    free(parser->sass);
    parser->sass = NULL;
}

void byw_traceg_start_kernel(struct byw_traceg *parser)
{
    parser->kernels++;
}

void byw_traceg_start_warp(struct byw_traceg *parser)
{
    parser->position = parser->gone = 0;
    parser->running = false;
    memset(parser->writer, 0, sizeof(parser->writer));
}

void byw_traceg_cut(struct byw_traceg *parser, uint32_t warp)
{
    parser->gone = parser->position;
    parser->gone_warp = warp;
    parser->late_count = 0;
}

/* Each spelling is decoded once. */
static const struct byw_sass *find_opcode(struct byw_traceg *p, const char *name, size_t length)
{
    uint32_t number;
    bool is_new;

    if (!byw_intern_add(&p->names, name, length, &number, &is_new))
        return NULL;
    if (is_new && !BYW_ARRAY_ROOM(p->sass, p->sass_room, number + 1u))
        return NULL;
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

/* Reads the line up to its addresses; *keep: the result also holds for other lines with the same
 * text. */
static const char *scan_text(struct byw_traceg *parser, struct byw_scan *scan,
                             struct byw_traceg_inst *says, bool *keep)
{
    struct byw_inst *inst = &says->inst;
    const struct byw_sass *sass;
    const char *fault, *opcode;
    uint32_t width, mode = 0;

    *inst = (struct byw_inst){.count = 1, .degree = 1};
    fault = scan_head(parser, scan, inst);
    if (fault != NULL)
        return fault;
    if (!scan_registers(scan, parser->reg, &says->dst_count))
        return "expected the number of destination registers and their names R0 to R255";
    byw_scan_blanks(scan);
    for (opcode = scan->at; !byw_scan_at_break(scan); scan->at++)
        continue;
    if (scan->at == opcode || *opcode < 'A' || *opcode > 'Z')
        return "expected an opcode";
    sass = find_opcode(parser, opcode, (size_t)(scan->at - opcode));
    if (sass == NULL)
        return "expected a CTA that fits in memory";
    if (!scan_registers(scan, parser->reg + says->dst_count, &says->src_count))
        return "expected the number of source registers and their names R0 to R255";
    if (!byw_scan_u32(scan, &width) || width > WIDTH_MAX || (width & (width - 1)) != 0)
        return "expected the memory width 0, 1, 2, 4, 8, 16 or 32";
    inst->cls = sass->cls;
    inst->width = sass->width;
    says->space = sass->space;
    says->addressed = width != 0;
    if (says->addressed && (!byw_scan_u32(scan, &mode) || mode > 2))
        return "expected the address mode 0, 1 or 2";
    byw_scan_blanks(scan);
    says->mode = (uint8_t)mode;
    *keep = sass->known;
    return NULL;
}

/* Conflict degree of a shared access; the same accesses recur often. */
static uint8_t shared_degree(struct byw_traceg *parser, const struct byw_inst *inst,
                             const struct byw_cta *cta)
{
    uint8_t base = (uint8_t)(inst->base % BYW_TRACEG_BANK_ROW);
    uint64_t hash = inst->mask ^ (uint64_t)(uint32_t)inst->stride << 32 ^ base ^ inst->width << 8;
    struct byw_traceg_degree *known =
        &parser->degree[(hash * 0x9e3779b97f4a7c15u >> 32) % BYW_TRACEG_DEGREES];

    if (inst->form != BYW_FORM_STRIDE)
        return (uint8_t)byw_shared_degree(inst, cta);
    if (known->degree == 0 || known->mask != inst->mask || known->stride != inst->stride ||
        known->base != base || known->width != inst->width)
        *known = (struct byw_traceg_degree){.mask = inst->mask,
                                            .stride = inst->stride,
                                            .base = base,
                                            .width = inst->width,
                                            .degree = (uint8_t)byw_shared_degree(inst, cta)};
    return known->degree;
}

/* Appends a line's instruction to the warp and resolves the results that it waits for. */
static const char *append(struct byw_traceg *parser, const struct byw_traceg_inst *says,
                          const uint8_t *reg, struct byw_scan *scan, struct byw_cta *cta)
{
    struct byw_inst *inst = byw_cta_add_insts(cta, 1);

    if (inst == NULL)
        return "expected a CTA that fits in memory";
    *inst = says->inst;
    if (says->addressed) {
        const char *fault = byw_traceg_addresses(parser, scan, says, inst, cta);

        if (fault != NULL)
            return fault;
    }
    if (inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_SHARED_STORE)
        inst->degree = shared_degree(parser, inst, cta);
    byw_traceg_place(parser, inst, says, reg);
    return NULL;
}

/* Length of the text before the addresses, which in repeating lines start with the first `0x`. */
static size_t text_length(const char *line, size_t length)
{
    const char *x = memchr(line, 'x', length);

    return (x != NULL && x != line) ? (size_t)(x - line) - 1 : length;
}

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length, word;

    for (; length >= sizeof(word); text += sizeof(word), length -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    word = 0;
    for (size_t i = 0; i < length; i++)
        word = word << 8 | (uint8_t)text[i];
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash >> 32;
}

const char *byw_traceg_line(struct byw_traceg *parser, const char *line, size_t length,
                            struct byw_cta *cta)
{
    struct byw_scan scan = {.at = line, .end = line + length};
    size_t text = text_length(line, length);
    uint32_t number = BYW_TRACEG_MEMOS;
    struct byw_traceg_memo *memo;
    const struct byw_traceg_inst *says;
    const char *fault;
    bool keep = false;

    if (text <= sizeof(memo->text))
        number = hash_text(line, text) % BYW_TRACEG_MEMOS;
    memo = &parser->memo[number];
    parser->last = (uint16_t)number;
    if (number < BYW_TRACEG_MEMOS) {
        if (memo->kernel == parser->kernels && memo->length == text && text != 0 &&
            memcmp(memo->text, line, text) == 0) {
            scan.at += text;
            return append(parser, &memo->says, memo->reg, &scan, cta);
        }
    }
    memo->length = 0;
    fault = scan_text(parser, &scan, &memo->says, &keep);
    if (fault != NULL)
        return fault;
    /* Memorize the line only if its compared text covers everything that was parsed and ends where
     * the addresses start. */
    says = &memo->says;
    keep = keep && number < BYW_TRACEG_MEMOS && (size_t)(scan.at - line) <= text &&
           (!says->addressed || (size_t)(scan.at - line) == text);
    if (keep && says->dst_count + says->src_count <= BYW_TRACEG_KEPT) {
        memo->kernel = parser->kernels;
        memo->length = (uint8_t)text;
        memcpy(memo->text, line, text);
        memcpy(memo->reg, parser->reg, sizeof(memo->reg));
    }
    return append(parser, says, parser->reg, &scan, cta);
}
