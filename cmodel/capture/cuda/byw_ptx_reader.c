/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_reader.c - Reads types and expected tokens of PTX.
 */
#include "capture/cuda/byw_ptx_reader.h"

#include <string.h>

struct byw_ptx_type byw_ptx_type_of(const char *text, size_t length)
{
    static const struct {
        const char *name;
        struct byw_ptx_type type;
    } types[] = {{"b32", {'b', 1, 32}},     {"u32", {'u', 1, 32}},        {"s32", {'s', 1, 32}},
                 {"b64", {'b', 1, 64}},     {"u64", {'u', 1, 64}},        {"s64", {'s', 1, 64}},
                 {"f32", {'f', 1, 32}},     {"f64", {'f', 1, 64}},        {"pred", {'p', 1, 1}},
                 {"b16", {'b', 1, 16}},     {"u16", {'u', 1, 16}},        {"s16", {'s', 1, 16}},
                 {"b8", {'b', 1, 8}},       {"u8", {'u', 1, 8}},          {"s8", {'s', 1, 8}},
                 {"f16", {'f', 1, 16}},     {"f16x2", {'f', 2, 32}},      {"bf16", {'g', 1, 16}},
                 {"bf16x2", {'g', 2, 32}},  {"b128", {'b', 1, 128}},      {"texref", {'b', 1, 64}},
                 {"surfref", {'b', 1, 64}}, {"samplerref", {'b', 1, 64}}, {"u16x2", {'u', 2, 32}},
                 {"s16x2", {'s', 2, 32}}};

    if (length > 0 && *text == '.') {
        text++;
        length--;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
            return types[i].type;
    return (struct byw_ptx_type){0, 1, 0};
}

bool byw_ptx_has(const struct byw_ptx_instruction *inst, const char *part)
{
    for (uint32_t i = 1; i < inst->parts; i++)
        if (strcmp(inst->part[i], part) == 0)
            return true;
    return false;
}

struct byw_ptx_type byw_ptx_type_at(const struct byw_ptx_instruction *inst, uint32_t n)
{
    for (uint32_t i = 1; i < inst->parts; i++) {
        struct byw_ptx_type type = byw_ptx_type_of(inst->part[i], strlen(inst->part[i]));

        if (type.kind != 0 && n-- == 0)
            return type;
    }
    return (struct byw_ptx_type){0, 1, 0};
}

const char *byw_ptx_type_name(const struct byw_ptx_instruction *inst)
{
    for (uint32_t i = 1; i < inst->parts; i++)
        if (byw_ptx_type_of(inst->part[i], strlen(inst->part[i])).kind != 0)
            return inst->part[i];
    return "";
}

void byw_ptx_expected(struct byw_ptx_reader *r, const char *what)
{
    const struct byw_ptx_lexer *l = &r->lexer;
    char mark[2] = {l->mark, '\0'};
    bool named = l->token == BYW_PTX_WORD || l->token == BYW_PTX_STRING;
    size_t length = named ? l->length : l->token == BYW_PTX_END ? 11 : 1;
    const char *text = named ? l->text : l->token == BYW_PTX_END ? "end of text" : mark;

    if (l->token == BYW_PTX_INTEGER || l->token == BYW_PTX_FLOAT || l->token == BYW_PTX_DOUBLE) {
        text = "a number";
        length = 8;
    }
    if (r->status == BYW_OK)
        r->status = byw_diag_set(r->diag, BYW_EFORMAT, "PTX line %u: expected %s; found '%.*s'",
                                 l->token_line, what, (int)(length > 80 ? 80 : length), text);
}

void byw_ptx_take_mark(struct byw_ptx_reader *r, char mark)
{
    char what[4] = {'\'', mark, '\'', '\0'};

    if (byw_ptx_is_mark(&r->lexer, mark))
        byw_ptx_next(&r->lexer);
    else
        byw_ptx_expected(r, what);
}

uint64_t byw_ptx_take_integer(struct byw_ptx_reader *r)
{
    uint64_t value = r->lexer.value;

    if (r->lexer.token != BYW_PTX_INTEGER)
        byw_ptx_expected(r, "a number");
    else
        byw_ptx_next(&r->lexer);
    return value;
}

bool byw_ptx_take_word(struct byw_ptx_reader *r, const char *word)
{
    if (!byw_ptx_is_word(&r->lexer, word))
        return false;
    byw_ptx_next(&r->lexer);
    return true;
}
