/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations: variables with their initial values, registers, parameters.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_ptx_reader.h"

#define ELEMENTS_MOST (1ull << 32)
#define NAME_ROOM 8192 /* templates have names of thousands of characters */

bool byw_ptx_is_space(struct byw_ptx_reader *r, enum byw_ptx_space *space)
{
    static const struct {
        const char *word;
        enum byw_ptx_space space;
    } list[] = {{".reg", BYW_PTX_REG},       {".global", BYW_PTX_GLOBAL}, {".const", BYW_PTX_CONST},
                {".shared", BYW_PTX_SHARED}, {".local", BYW_PTX_LOCAL},   {".param", BYW_PTX_PARAM},
                {".tex", BYW_PTX_GLOBAL}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (byw_ptx_is_word(&r->lexer, list[i].word)) {
            *space = list[i].space;
            return true;
        }
    return false;
}

/* Reads initial values into a flat list: numbers, addresses, and bytes of addresses:
 * 0xFF00(generic(x)+4). */
static void read_init(struct byw_ptx_reader *r, struct byw_ptx_symbol *symbol, int depth)
{
    struct byw_ptx_operand *one;
    uint64_t mask = 0;

    if (byw_ptx_is_mark(&r->lexer, '{') && depth < 8) {
        byw_ptx_next(&r->lexer);
        while (r->status == BYW_OK && !byw_ptx_is_mark(&r->lexer, '}')) {
            read_init(r, symbol, depth + 1);
            if (byw_ptx_is_mark(&r->lexer, ','))
                byw_ptx_next(&r->lexer);
            else if (!byw_ptx_is_mark(&r->lexer, '}'))
                byw_ptx_expected(r, "',' or '}'");
        }
        byw_ptx_take_mark(r, '}');
        return;
    }
    symbol->init = byw_ptx_grow(r, symbol->init, symbol->inits, sizeof(*symbol->init));
    if (symbol->init == NULL)
        return;
    one = &symbol->init[symbol->inits++];
    if (!byw_ptx_read_operand(r, one))
        return;
    while (byw_ptx_is_mark(&r->lexer, '(')) { /* generic(x) and mask(x): x is the value */
        bool is_mask = one->kind == BYW_PTX_OP_INTEGER;

        mask = is_mask ? one->value : mask;
        byw_ptx_next(&r->lexer);
        if (!byw_ptx_read_operand(r, one))
            return;
        while (byw_ptx_is_mark(&r->lexer, '(')) {
            byw_ptx_next(&r->lexer);
            if (!byw_ptx_read_operand(r, one))
                return;
            byw_ptx_take_mark(r, ')');
        }
        byw_ptx_take_mark(r, ')');
    }
    if (byw_ptx_is_mark(&r->lexer, '+')) { /* generic(x)+4 */
        byw_ptx_next(&r->lexer);
        one->offset += (int64_t)byw_ptx_take_integer(r);
    }
    one->value = one->kind == BYW_PTX_OP_NAME ? mask : one->value;
}

static void read_dimensions(struct byw_ptx_reader *r, struct byw_ptx_symbol *symbol)
{
    while (r->status == BYW_OK && byw_ptx_is_mark(&r->lexer, '[')) {
        uint64_t count = 0;

        symbol->array = true;
        byw_ptx_next(&r->lexer);
        if (!byw_ptx_is_mark(&r->lexer, ']'))
            count = byw_ptx_take_integer(r);
        if (count > ELEMENTS_MOST || symbol->count * count > ELEMENTS_MOST)
            byw_ptx_expected(r, "a smaller array");
        symbol->count *= count;
        byw_ptx_take_mark(r, ']');
    }
}

/* The part of a declaration before its names. */
struct head {
    enum byw_ptx_space space;
    struct byw_ptx_type type;
    uint32_t align, vector;
    bool pointer;
};

static void read_head(struct byw_ptx_reader *r, struct head *h)
{
    enum byw_ptx_space unused;

    *h = (struct head){.vector = 1};
    if (!byw_ptx_is_space(r, &h->space)) {
        byw_ptx_expected(r, "a state space");
        return;
    }
    byw_ptx_next(&r->lexer);
    while (r->status == BYW_OK && r->lexer.token == BYW_PTX_WORD && *r->lexer.text == '.') {
        if (byw_ptx_take_word(r, ".align"))
            h->align = (uint32_t)byw_ptx_take_integer(r);
        else if (byw_ptx_take_word(r, ".ptr"))
            h->pointer = true;
        else if (byw_ptx_take_word(r, ".attribute")) {
            struct byw_ptx_operand list;
            byw_ptx_read_operand(r, &list);
        } else if (byw_ptx_take_word(r, ".v2"))
            h->vector = 2;
        else if (byw_ptx_take_word(r, ".v4"))
            h->vector = 4;
        else if (byw_ptx_type_of(r->lexer.text, r->lexer.length).kind != 0) {
            h->type = byw_ptx_type_of(r->lexer.text, r->lexer.length);
            byw_ptx_next(&r->lexer);
        } else if (byw_ptx_is_space(r, &unused)) /* .ptr .global */
            byw_ptx_next(&r->lexer);
        else
            byw_ptx_expected(r, "a type");
    }
    if (h->type.kind == 0)
        byw_ptx_expected(r, "a type");
    if (h->align > 1u << 20 || (h->align & (h->align - 1)) != 0)
        byw_ptx_expected(r, "an alignment that is a power of two");
}

/* Largest size of a variable in a space: the hardware's limits. */
static uint64_t most_bytes(enum byw_ptx_space space)
{
    switch (space) {
    case BYW_PTX_SHARED:
        return 256u << 10;
    case BYW_PTX_LOCAL:
        return 512u << 10;
    case BYW_PTX_PARAM:
        return 32u << 10;
    default:
        return UINT32_MAX;
    }
}

/* Registers %r<20>: one symbol "%r<" represents all of them. */
static struct byw_ptx_symbol *read_variable(struct byw_ptx_reader *r, const struct head *h)
{
    struct byw_ptx_symbol *symbol;
    char name[NAME_ROOM];
    size_t length = r->lexer.length;

    if (r->lexer.token != BYW_PTX_WORD || length >= sizeof(name) - 1) {
        byw_ptx_expected(r, "a name");
        return NULL;
    }
    memcpy(name, r->lexer.text, length);
    byw_ptx_next(&r->lexer);
    if (byw_ptx_is_mark(&r->lexer, '<'))
        name[length++] = '<';
    symbol = byw_ptx_declare(r, name, length, BYW_PTX_VARIABLE);
    if (symbol == NULL)
        return NULL;
    symbol->space = h->space;
    symbol->type = h->type;
    symbol->align = h->align;
    symbol->vector = h->vector;
    if (byw_ptx_is_mark(&r->lexer, '<')) {
        byw_ptx_next(&r->lexer);
        symbol->count = byw_ptx_take_integer(r);
        byw_ptx_take_mark(r, '>');
    }
    read_dimensions(r, symbol);
    if (symbol->space != BYW_PTX_REG &&
        symbol->count * symbol->vector * symbol->type.bits / 8 > most_bytes(symbol->space))
        byw_ptx_expected(r, "a smaller variable before this");
    if (byw_ptx_is_mark(&r->lexer, '=')) {
        byw_ptx_next(&r->lexer);
        read_init(r, symbol, 0);
    }
    return symbol;
}

static void keep(struct byw_ptx_reader *r, struct byw_ptx_symbol ***list, uint32_t *count,
                 struct byw_ptx_symbol *symbol)
{
    if (symbol == NULL)
        return;
    *list = byw_ptx_grow(r, *list, *count, sizeof(**list));
    if (*list != NULL)
        (*list)[(*count)++] = symbol;
}

/* A variable of the module with that name, other than `symbol`; NULL if there is none. */
static struct byw_ptx_symbol *find_other(const struct byw_ptx_module *m,
                                         const struct byw_ptx_symbol *symbol)
{
    for (uint32_t i = 0; i < m->variables; i++)
        if (m->variable[i] != symbol && strcmp(m->variable[i]->name, symbol->name) == 0)
            return m->variable[i];
    return NULL;
}

/* Adds a variable of one of several units to the module. It may be declared in some units
 * and defined in another; variables of equal names that are not exported are distinct. */
static void keep_of_unit(struct byw_ptx_reader *r, struct byw_ptx_symbol *symbol)
{
    struct byw_ptx_symbol *other = find_other(r->module, symbol);
    bool shared_name = symbol->visible || symbol->external;

    if (other != NULL && shared_name && (other->visible || other->external)) {
        byw_ptx_forget(r, symbol);
        if (other->external && !symbol->external)
            *other = *symbol;
        return;
    }
    if (other != NULL && !shared_name) {
        size_t room = strlen(symbol->name) + 16;
        char *name = byw_ptx_take(r, room);

        if (name == NULL)
            return;
        snprintf(name, room, "%s.%u", symbol->name, r->unit);
        symbol->name = name;
    }
    keep(r, &r->module->variable, &r->module->variables, symbol);
}

/* Reads the declarations of one statement; variables in memory are added to the function or the
 * module. */
void byw_ptx_read_variables(struct byw_ptx_reader *r, bool external, bool visible)
{
    struct head h;

    read_head(r, &h);
    while (r->status == BYW_OK) {
        struct byw_ptx_symbol *symbol = read_variable(r, &h);

        if (symbol == NULL)
            return;
        symbol->external = external;
        symbol->visible = visible;
        if (h.space == BYW_PTX_LOCAL || h.space == BYW_PTX_PARAM) {
            if (r->function == NULL)
                byw_ptx_expected(r, "this variable inside a function");
            else
                keep(r, &r->function->local, &r->function->locals, symbol);
        } else if (h.space != BYW_PTX_REG && r->unit != 0) {
            keep_of_unit(r, symbol);
        } else if (h.space != BYW_PTX_REG) {
            keep(r, &r->module->variable, &r->module->variables, symbol);
        }
        if (!byw_ptx_is_mark(&r->lexer, ','))
            break;
        byw_ptx_next(&r->lexer);
    }
    byw_ptx_take_mark(r, ';');
}

bool byw_ptx_read_declaration(struct byw_ptx_reader *r)
{
    enum byw_ptx_space space;

    if (!byw_ptx_is_space(r, &space))
        return false;
    byw_ptx_read_variables(r, false, false);
    return true;
}

/* ( .param .b32 x, .reg .u32 y ) */
void byw_ptx_read_params(struct byw_ptx_reader *r, struct byw_ptx_symbol ***list, uint32_t *count)
{
    byw_ptx_take_mark(r, '(');
    while (r->status == BYW_OK && !byw_ptx_is_mark(&r->lexer, ')')) {
        struct head h;

        read_head(r, &h);
        if (r->status == BYW_OK) {
            struct byw_ptx_symbol *symbol = read_variable(r, &h);

            if (symbol != NULL)
                symbol->is_pointer = h.pointer;
            keep(r, list, count, symbol);
        }
        if (byw_ptx_is_mark(&r->lexer, ','))
            byw_ptx_next(&r->lexer);
        else if (!byw_ptx_is_mark(&r->lexer, ')'))
            byw_ptx_expected(r, "',' or ')'");
    }
    byw_ptx_take_mark(r, ')');
}
