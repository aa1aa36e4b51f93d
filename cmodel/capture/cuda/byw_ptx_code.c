/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements of a function's body, and operands.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_reader.h"

#define LIST_DEPTH 4 /* nesting of braces and brackets in an operand */

static bool read_nested(struct byw_ptx_reader *r, struct byw_ptx_operand *operand, int depth);

static bool is_special(const char *text, size_t length)
{
    static const char *const list[] = {
        "%tid",     "%ntid",       "%ctaid",     "%nctaid",        "%laneid",
        "%warpid",  "%nwarpid",    "%smid",      "%nsmid",         "%gridid",
        "%clock",   "%clock64",    "%clock_hi",  "%globaltimer",   "%lanemask",
        "%envreg",  "%pm",         "%total_",    "%dynamic",       "%is_explicit",
        "%cluster", "%nclusterid", "%aggr_smem", "%reserved_smem", "%current_graph_exec"};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (length >= strlen(list[i]) && strncmp(text, list[i], strlen(list[i])) == 0)
            return true;
    return strncmp(text, "WARP_SZ", length) == 0;
}

/* The element named by .x, .y, .z, .w (or r, g, b, a); 0 if the word has no such suffix. */
static uint8_t element_of(const char *text, size_t length)
{
    static const char names[] = "xyzwrgba";
    const char *found;

    if (length < 3 || text[length - 2] != '.')
        return 0;
    found = strchr(names, text[length - 1]);
    return (uint8_t)(found == NULL ? 0 : (found - names) % 4 + 1);
}

static struct byw_ptx_symbol *use_label(struct byw_ptx_reader *r, const char *text, size_t length)
{
    struct byw_ptx_symbol *symbol = byw_ptx_declare(r, text, length, BYW_PTX_LABEL);

    if (symbol != NULL)
        symbol->count = 0; /* not defined yet */
    return symbol;
}

static bool read_name(struct byw_ptx_reader *r, struct byw_ptx_operand *operand)
{
    const char *text = r->lexer.text;
    size_t length = r->lexer.length;

    operand->kind = BYW_PTX_OP_NAME;
    if (length == 1 && *text == '_') {
        operand->kind = BYW_PTX_OP_SINK;
        return byw_ptx_next(&r->lexer), true;
    }
    operand->symbol = byw_ptx_find(r, text, length);
    if (operand->symbol == NULL && element_of(text, length) != 0) {
        operand->symbol = byw_ptx_find(r, text, length - 2);
        if (operand->symbol != NULL)
            operand->element = element_of(text, length);
    }
    if (operand->symbol == NULL && is_special(text, length)) {
        operand->kind = BYW_PTX_OP_SPECIAL;
        operand->name = byw_ptx_copy(r, text, length);
    } else if (operand->symbol == NULL && *text == '%') {
        byw_ptx_expected(r, "a register that has been declared");
        return false;
    } else if (operand->symbol == NULL) {
        operand->symbol = use_label(r, text, length);
    }
    if (operand->symbol != NULL)
        operand->name = operand->symbol->name;
    byw_ptx_next(&r->lexer);
    return r->status == BYW_OK;
}

static bool read_number(struct byw_ptx_reader *r, struct byw_ptx_operand *operand, bool minus)
{
    switch (r->lexer.token) {
    case BYW_PTX_INTEGER:
        operand->kind = BYW_PTX_OP_INTEGER;
        operand->value = minus ? 0 - r->lexer.value : r->lexer.value;
        break;
    case BYW_PTX_FLOAT:
        operand->kind = BYW_PTX_OP_FLOAT;
        operand->value = r->lexer.value ^ (minus ? 1ull << 31 : 0);
        break;
    case BYW_PTX_DOUBLE:
        operand->kind = BYW_PTX_OP_DOUBLE;
        operand->value = r->lexer.value ^ (minus ? 1ull << 63 : 0);
        break;
    default:
        byw_ptx_expected(r, "a number");
        return false;
    }
    byw_ptx_next(&r->lexer);
    return true;
}

static bool read_terms(struct byw_ptx_reader *r, uint64_t *sum, int depth);

/* A constant, its negation or complement, or a sum in parentheses. */
static bool read_factor(struct byw_ptx_reader *r, uint64_t *value, int depth)
{
    if (depth > LIST_DEPTH) {
        byw_ptx_expected(r, "fewer nested parentheses");
        return false;
    }
    if (byw_ptx_is_mark(&r->lexer, '-') || byw_ptx_is_mark(&r->lexer, '~')) {
        bool minus = byw_ptx_is_mark(&r->lexer, '-');

        byw_ptx_next(&r->lexer);
        if (!read_factor(r, value, depth + 1))
            return false;
        *value = minus ? 0 - *value : ~*value;
        return true;
    }
    if (byw_ptx_is_mark(&r->lexer, '(')) {
        byw_ptx_next(&r->lexer);
        if (!read_factor(r, value, depth + 1) || !read_terms(r, value, depth + 1))
            return false;
        byw_ptx_take_mark(r, ')');
        return r->status == BYW_OK;
    }
    if (r->lexer.token != BYW_PTX_INTEGER) {
        byw_ptx_expected(r, "a constant offset");
        return false;
    }
    *value = r->lexer.value;
    byw_ptx_next(&r->lexer);
    return true;
}

/* The factors after the first one. */
static bool read_factors(struct byw_ptx_reader *r, uint64_t *product, int depth)
{
    while (byw_ptx_is_mark(&r->lexer, '*')) {
        uint64_t value;

        byw_ptx_next(&r->lexer);
        if (!read_factor(r, &value, depth))
            return false;
        *product *= value;
    }
    return true;
}

/* What may follow a factor in a constant expression: factors, then + and - with terms. */
static bool read_terms(struct byw_ptx_reader *r, uint64_t *sum, int depth)
{
    if (!read_factors(r, sum, depth))
        return false;
    while (byw_ptx_is_mark(&r->lexer, '+') || byw_ptx_is_mark(&r->lexer, '-')) {
        bool minus = byw_ptx_is_mark(&r->lexer, '-');
        uint64_t value;

        byw_ptx_next(&r->lexer);
        if (!read_factor(r, &value, depth) || !read_factors(r, &value, depth))
            return false;
        *sum += minus ? 0 - value : value;
    }
    return true;
}

/* Reads what may follow an operand's name: + or - and constants. */
static bool read_offset(struct byw_ptx_reader *r, struct byw_ptx_operand *operand)
{
    uint64_t offset = (uint64_t)operand->offset;

    if (!read_terms(r, &offset, 0))
        return false;
    operand->offset = (int64_t)offset;
    return true;
}

/* Reads the index of array[index]: a constant, or a register and a constant.  It counts elements.
 */
static bool read_index(struct byw_ptx_reader *r, struct byw_ptx_operand *operand)
{
    const struct byw_ptx_symbol *array = operand->symbol;
    struct byw_ptx_operand index = {0};

    byw_ptx_next(&r->lexer); /* [ */
    if (r->lexer.token == BYW_PTX_WORD) {
        if (!read_name(r, &index))
            return false;
        if (index.kind != BYW_PTX_OP_NAME || index.symbol->kind != BYW_PTX_VARIABLE ||
            index.symbol->space != BYW_PTX_REG) {
            byw_ptx_expected(r, "a register or a constant as an index");
            return false;
        }
    } else {
        uint64_t value;

        if (!read_factor(r, &value, 0))
            return false;
        index.offset = (int64_t)value;
    }
    if (!read_offset(r, &index))
        return false;
    operand->indexed = true;
    operand->index = index.symbol;
    operand->offset =
        (int64_t)((uint64_t)index.offset * ((array->type.bits + 7u) / 8u) * array->vector);
    byw_ptx_take_mark(r, ']');
    return r->status == BYW_OK;
}

static bool is_array(const struct byw_ptx_operand *operand)
{
    return operand->kind == BYW_PTX_OP_NAME && operand->symbol->kind == BYW_PTX_VARIABLE &&
           operand->symbol->space != BYW_PTX_REG;
}

static bool read_list(struct byw_ptx_reader *r, struct byw_ptx_operand *operand, char end,
                      int depth)
{
    byw_ptx_next(&r->lexer);
    while (!byw_ptx_is_mark(&r->lexer, end)) {
        operand->list = byw_ptx_grow(r, operand->list, operand->count, sizeof(*operand->list));
        if (operand->list == NULL || !read_nested(r, &operand->list[operand->count], depth + 1))
            return false;
        operand->count++;
        if (byw_ptx_is_mark(&r->lexer, ','))
            byw_ptx_next(&r->lexer);
        else if (!byw_ptx_is_mark(&r->lexer, end)) {
            byw_ptx_expected(r, "',' or the end of the list");
            return false;
        }
    }
    byw_ptx_next(&r->lexer);
    return true;
}

/* a|b */
static bool read_pair(struct byw_ptx_reader *r, struct byw_ptx_operand *operand, int depth)
{
    struct byw_ptx_operand *list = byw_ptx_take(r, 2 * sizeof(*list));

    if (list == NULL)
        return false;
    list[0] = *operand;
    byw_ptx_next(&r->lexer);
    if (!read_nested(r, &list[1], depth + 1))
        return false;
    *operand = (struct byw_ptx_operand){.kind = BYW_PTX_OP_PAIR, .list = list, .count = 2};
    return true;
}

static bool read_nested(struct byw_ptx_reader *r, struct byw_ptx_operand *operand, int depth)
{
    static const struct {
        char open, close;
        enum byw_ptx_operand_kind kind;
    } lists[] = {
        {'{', '}', BYW_PTX_OP_LIST}, {'(', ')', BYW_PTX_OP_LIST}, {'[', ']', BYW_PTX_OP_ADDRESS}};
    bool minus;

    memset(operand, 0, sizeof(*operand));
    if (depth > LIST_DEPTH) {
        byw_ptx_expected(r, "fewer nested lists");
        return false;
    }
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (byw_ptx_is_mark(&r->lexer, lists[i].open)) {
            operand->kind = lists[i].kind;
            return read_list(r, operand, lists[i].close, depth);
        }
    if (byw_ptx_is_mark(&r->lexer, '!')) {
        operand->negated = true;
        byw_ptx_next(&r->lexer);
    }
    minus = byw_ptx_is_mark(&r->lexer, '-');
    if (minus)
        byw_ptx_next(&r->lexer);
    if (r->lexer.token == BYW_PTX_WORD && !minus) {
        if (!read_name(r, operand))
            return false;
        if (byw_ptx_is_mark(&r->lexer, '[') && is_array(operand))
            return read_index(r, operand);
        if (!read_offset(r, operand))
            return false;
        return byw_ptx_is_mark(&r->lexer, '|') ? read_pair(r, operand, depth) : true;
    }
    return read_number(r, operand, minus) &&
           (operand->kind != BYW_PTX_OP_INTEGER || read_terms(r, &operand->value, 0));
}

bool byw_ptx_read_operand(struct byw_ptx_reader *r, struct byw_ptx_operand *operand)
{
    return read_nested(r, operand, 0);
}

static struct byw_ptx_instruction *add_instruction(struct byw_ptx_reader *r)
{
    struct byw_ptx_function *f = r->function;
    struct byw_ptx_instruction *inst;

    f->code = byw_ptx_grow(r, f->code, f->length, sizeof(*f->code));
    if (f->code == NULL)
        return NULL;
    inst = &f->code[f->length++];
    memset(inst, 0, sizeof(*inst));
    inst->line = r->lexer.token_line;
    inst->source_line = r->source_line;
    return inst;
}

/* Resolves a position to a line of the program's own files; code from a header has the line that it
 * was inlined into. */
static uint32_t line_of(const struct byw_ptx_reader *r, struct byw_ptx_loc loc)
{
    for (uint32_t i = r->locs; loc.file < r->files && r->system[loc.file] && loc.at_line != 0;) {
        if (loc.at_file >= r->files || !r->system[loc.at_file])
            return loc.at_line;
        while (i > 0 && (r->loc[i - 1].file != loc.at_file || r->loc[i - 1].line != loc.at_line ||
                         r->loc[i - 1].column != loc.at_column))
            i--;
        if (i == 0)
            return 0;
        loc = r->loc[--i];
    }
    return loc.file < r->files && r->system[loc.file] ? 0 : loc.line;
}

static uint32_t read_count(struct byw_ptx_reader *r)
{
    uint32_t value = (uint32_t)r->lexer.value;

    if (r->lexer.token != BYW_PTX_INTEGER)
        byw_ptx_expected(r, "a number of .loc");
    else
        byw_ptx_next(&r->lexer);
    return value;
}

/* .loc file line column[, function_name label[+n]][, inlined_at file line column] */
void byw_ptx_read_loc(struct byw_ptx_reader *r)
{
    struct byw_ptx_loc loc = {0};
    void *list;

    byw_ptx_next(&r->lexer);
    loc.file = read_count(r);
    loc.line = read_count(r);
    loc.column = read_count(r);
    while (r->status == BYW_OK && byw_ptx_is_mark(&r->lexer, ',')) {
        byw_ptx_next(&r->lexer);
        if (byw_ptx_is_word(&r->lexer, "inlined_at")) {
            byw_ptx_next(&r->lexer);
            loc.at_file = read_count(r);
            loc.at_line = read_count(r);
            loc.at_column = read_count(r);
        } else {
            struct byw_ptx_operand label;

            byw_ptx_next(&r->lexer); /* function_name */
            r->lexer.token == BYW_PTX_WORD ? (void)byw_ptx_next(&r->lexer)
                                           : (void)byw_ptx_read_operand(r, &label);
            if (byw_ptx_is_mark(&r->lexer, '+')) {
                byw_ptx_next(&r->lexer);
                byw_ptx_next(&r->lexer);
            }
        }
    }
    list = byw_ptx_grow(r, r->loc, r->locs, sizeof(*r->loc));
    if (list == NULL)
        return;
    r->loc = list;
    r->source_line = line_of(r, loc);
    r->loc[r->locs++] = loc;
}

/* .branchtargets, .calltargets: a list of names; .callprototype: parameters, read as declared. */
static void read_targets(struct byw_ptx_reader *r, struct byw_ptx_symbol *symbol)
{
    symbol->kind = BYW_PTX_PROTOTYPE;
    if (byw_ptx_is_word(&r->lexer, ".callprototype")) {
        while (r->lexer.token != BYW_PTX_END && !byw_ptx_is_mark(&r->lexer, ';'))
            byw_ptx_next(&r->lexer);
    } else {
        byw_ptx_next(&r->lexer);
        while (r->status == BYW_OK && !byw_ptx_is_mark(&r->lexer, ';')) {
            symbol->targets =
                byw_ptx_grow(r, symbol->targets, symbol->inits, sizeof(*symbol->targets));
            if (symbol->targets == NULL ||
                !byw_ptx_read_operand(r, &symbol->targets[symbol->inits]))
                return;
            symbol->inits++;
            if (byw_ptx_is_mark(&r->lexer, ','))
                byw_ptx_next(&r->lexer);
            else if (!byw_ptx_is_mark(&r->lexer, ';'))
                byw_ptx_expected(r, "',' or ';'");
        }
    }
    byw_ptx_take_mark(r, ';');
}

static void read_label(struct byw_ptx_reader *r, const char *text, size_t length)
{
    struct byw_ptx_symbol *symbol = byw_ptx_find(r, text, length);
    struct byw_ptx_instruction *inst;

    byw_ptx_next(&r->lexer); /* : */
    if (symbol == NULL || symbol->kind != BYW_PTX_LABEL || symbol->count != 0)
        symbol = byw_ptx_declare(r, text, length, BYW_PTX_LABEL);
    if (symbol == NULL)
        return;
    symbol->count = 1;
    if (byw_ptx_is_word(&r->lexer, ".branchtargets") ||
        byw_ptx_is_word(&r->lexer, ".calltargets") ||
        byw_ptx_is_word(&r->lexer, ".callprototype")) {
        read_targets(r, symbol);
        return;
    }
    inst = add_instruction(r);
    if (inst != NULL)
        inst->label = symbol;
}

/* Splits the opcode at its dots; "::" is kept. */
static void cut_opcode(struct byw_ptx_reader *r, struct byw_ptx_instruction *inst, const char *text,
                       size_t length)
{
    char *copy = byw_ptx_copy(r, text, length);

    inst->opcode = byw_ptx_copy(r, text, length);
    while (copy != NULL && inst->parts < BYW_PTX_PARTS) {
        char *point = strchr(copy, '.');

        inst->part[inst->parts++] = copy;
        if (point == NULL)
            return;
        *point = '\0';
        copy = point + 1;
    }
    if (copy != NULL)
        byw_ptx_expected(r, "an opcode with fewer modifiers");
}

/* ld and st also take array[index] as the address. */
static bool read_address(struct byw_ptx_reader *r, const struct byw_ptx_instruction *inst,
                         struct byw_ptx_operand *operand)
{
    bool accesses = strncmp(inst->part[0], "ld", 2) == 0 || strcmp(inst->part[0], "st") == 0;
    struct byw_ptx_operand *list;

    if (!byw_ptx_read_operand(r, operand))
        return false;
    if (operand->kind == BYW_PTX_OP_LIST && operand->count == 1 &&
        strcmp(inst->part[0], "call") != 0 &&
        operand->list[0].kind == BYW_PTX_OP_INTEGER) { /* (4+2)*3 */
        *operand = operand->list[0];
        return read_terms(r, &operand->value, 0);
    }
    if (!accesses || !operand->indexed)
        return true;
    list = byw_ptx_take(r, sizeof(*list));
    if (list == NULL)
        return false;
    *list = *operand;
    *operand = (struct byw_ptx_operand){.kind = BYW_PTX_OP_ADDRESS, .list = list, .count = 1};
    return true;
}

static bool read_guard(struct byw_ptx_reader *r, struct byw_ptx_operand *guard)
{
    byw_ptx_next(&r->lexer);
    if (!byw_ptx_read_operand(r, guard))
        return false;
    if (guard->kind == BYW_PTX_OP_NAME && guard->symbol->type.kind == 'p')
        return true;
    byw_ptx_expected(r, "a predicate behind @");
    return false;
}

void byw_ptx_read_statement(struct byw_ptx_reader *r)
{
    struct byw_ptx_operand guard = {0};
    struct byw_ptx_instruction *inst;
    const char *text;
    size_t length;

    if (byw_ptx_is_mark(&r->lexer, '@') && !read_guard(r, &guard))
        return;
    text = r->lexer.text;
    length = r->lexer.length;
    if (r->lexer.token != BYW_PTX_WORD) {
        byw_ptx_expected(r, "an instruction");
        return;
    }
    byw_ptx_next(&r->lexer);
    if (byw_ptx_is_mark(&r->lexer, ':') && guard.symbol == NULL) {
        read_label(r, text, length);
        return;
    }
    inst = add_instruction(r);
    if (inst == NULL)
        return;
    inst->guard = guard;
    inst->number = ++r->instructions;
    cut_opcode(r, inst, text, length);
    while (r->status == BYW_OK && !byw_ptx_is_mark(&r->lexer, ';')) {
        if (inst->operands == BYW_PTX_OPERANDS) {
            byw_ptx_expected(r, "an instruction with fewer operands");
            return;
        }
        if (!read_address(r, inst, &inst->operand[inst->operands++]))
            return;
        if (byw_ptx_is_mark(&r->lexer, ','))
            byw_ptx_next(&r->lexer);
        else if (!byw_ptx_is_mark(&r->lexer, ';'))
            byw_ptx_expected(r, "',' or ';'");
    }
    byw_ptx_take_mark(r, ';');
}
