/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "capture/cuda/byw_ptx_reader.h"

#define BLOCK_BYTES 65536u

struct byw_ptx_memory {
    struct byw_ptx_memory *next;
    size_t used, size;
    max_align_t data[];
};

void *byw_ptx_take(struct byw_ptx_reader *r, size_t size)
{
    struct byw_ptx_memory *block = r->module->memory;
    void *result;

    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (block == NULL || block->size - block->used < size) {
        size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;

        block = calloc(1, sizeof(*block) + room);
        if (block == NULL) {
            r->status = byw_no_memory(r->diag, "PTX");
            return NULL;
        }
        block->size = room;
        block->next = r->module->memory;
        r->module->memory = block;
    }
    result = (unsigned char *)block->data + block->used;
    block->used += size;
    return result;
}

void byw_ptx_memory_free(struct byw_ptx_memory *memory)
{
    while (memory != NULL) {
        struct byw_ptx_memory *next = memory->next;

        free(memory);
        memory = next;
    }
}

char *byw_ptx_copy(struct byw_ptx_reader *r, const char *text, size_t length)
{
    char *copy = byw_ptx_take(r, length + 1);

    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

void *byw_ptx_grow(struct byw_ptx_reader *r, void *list, uint32_t count, size_t size)
{
    void *more;

    if (count != 0 && (count & (count - 1)) != 0)
        return list;
    more = byw_ptx_take(r, 2 * (count + (size_t)1) * size);
    if (more != NULL && count != 0)
        memcpy(more, list, count * size);
    return more;
}

static struct byw_ptx_name **bucket_of(struct byw_ptx_reader *r, const char *name, size_t length)
{
    return &r->bucket[XXH64(name, length, 0) % BYW_PTX_BUCKETS];
}

static void enter(struct byw_ptx_reader *r, struct byw_ptx_symbol *symbol, uint32_t depth)
{
    struct byw_ptx_name **p = bucket_of(r, symbol->name, strlen(symbol->name));
    struct byw_ptx_name *name = byw_ptx_take(r, sizeof(*name));

    if (name == NULL)
        return;
    while (*p != NULL && (*p)->depth > depth)
        p = &(*p)->next;
    *name = (struct byw_ptx_name){symbol, symbol->name, *p, depth};
    *p = name;
}

struct byw_ptx_symbol *byw_ptx_declare(struct byw_ptx_reader *r, const char *name, size_t length,
                                       enum byw_ptx_kind kind)
{
    struct byw_ptx_symbol *symbol = byw_ptx_take(r, sizeof(*symbol));

    if (symbol == NULL)
        return NULL;
    symbol->name = byw_ptx_copy(r, name, length);
    symbol->kind = kind;
    symbol->vector = 1;
    symbol->count = 1;
    symbol->line = r->lexer.token_line;
    if (symbol->name == NULL)
        return NULL;
    enter(r, symbol, kind == BYW_PTX_FUNCTION ? 0 : r->depth);
    return symbol;
}

static struct byw_ptx_name *lookup(struct byw_ptx_reader *r, const char *name, size_t length)
{
    struct byw_ptx_name *n = *bucket_of(r, name, length);

    while (n != NULL && (strncmp(n->text, name, length) != 0 || n->text[length] != '\0'))
        n = n->next;
    return n;
}

/* %r12 of a range that was declared as %r<20>: the range's symbol is named "%r<". */
static struct byw_ptx_symbol *find_in_range(struct byw_ptx_reader *r, const char *name,
                                            size_t length)
{
    char range[256];
    size_t stem = length;
    struct byw_ptx_name *found;
    struct byw_ptx_symbol *symbol;

    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
        stem--;
    if (stem == length || length - stem > 9 || stem + 1 >= sizeof(range))
        return NULL;
    memcpy(range, name, stem);
    range[stem] = '<';
    found = lookup(r, range, stem + 1);
    if (found == NULL || strtoull(name + stem, NULL, 10) >= found->symbol->count)
        return NULL;
    symbol = byw_ptx_take(r, sizeof(*symbol));
    if (symbol == NULL)
        return NULL;
    *symbol = *found->symbol;
    symbol->name = byw_ptx_copy(r, name, length);
    symbol->count = 1;
    if (symbol->name != NULL)
        enter(r, symbol, found->depth);
    return symbol;
}

struct byw_ptx_symbol *byw_ptx_find(struct byw_ptx_reader *r, const char *name, size_t length)
{
    struct byw_ptx_name *found = lookup(r, name, length);

    return found != NULL ? found->symbol : find_in_range(r, name, length);
}

void byw_ptx_forget(struct byw_ptx_reader *r, const struct byw_ptx_symbol *symbol)
{
    struct byw_ptx_name **p = bucket_of(r, symbol->name, strlen(symbol->name));

    while (*p != NULL && (*p)->symbol != symbol)
        p = &(*p)->next;
    if (*p != NULL)
        *p = (*p)->next;
}

/* Makes a function's name unique, because functions of other units may have the same name. */
static void rename_function(struct byw_ptx_reader *r, struct byw_ptx_function *f)
{
    size_t room = strlen(f->name) + 16;
    char *name = byw_ptx_take(r, room);

    if (name == NULL)
        return;
    snprintf(name, room, "%s.%u", f->name, r->unit);
    f->name = name;
}

void byw_ptx_open_unit(struct byw_ptx_reader *r)
{
    for (uint32_t i = 0; i < BYW_PTX_BUCKETS; i++)
        for (struct byw_ptx_name **p = &r->bucket[i]; *p != NULL;) {
            struct byw_ptx_symbol *symbol = (*p)->symbol;

            if (symbol->visible || symbol->external) {
                p = &(*p)->next;
                continue;
            }
            if (symbol->function != NULL && !symbol->function->entry)
                rename_function(r, symbol->function);
            *p = (*p)->next;
        }
    r->unit++;
}

void byw_ptx_scope_open(struct byw_ptx_reader *r)
{
    r->depth++;
}

void byw_ptx_scope_close(struct byw_ptx_reader *r)
{
    for (uint32_t i = 0; i < BYW_PTX_BUCKETS; i++) {
        struct byw_ptx_name *inner = r->bucket[i], *next;

        while (r->bucket[i] != NULL && r->bucket[i]->depth >= r->depth)
            r->bucket[i] = r->bucket[i]->next;
        for (struct byw_ptx_name *outer = r->bucket[i]; inner != outer; inner = next) {
            next = inner->next;
            if (inner->symbol->kind == BYW_PTX_LABEL && inner->symbol->count == 0 && r->depth > 2)
                enter(r, inner->symbol, r->depth - 1);
        }
    }
    r->depth--;
}
