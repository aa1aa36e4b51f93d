/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions and the module.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_reader.h"

#define FILES_MOST 4096u

static void read_extent(struct byw_ptx_reader *r, uint32_t extent[3])
{
    for (int d = 0; d < 3; d++)
        extent[d] = 1;
    for (int d = 0; d < 3 && r->status == BYW_OK; d++) {
        extent[d] = (uint32_t)byw_ptx_take_integer(r);
        if (!byw_ptx_is_mark(&r->lexer, ','))
            return;
        byw_ptx_next(&r->lexer);
    }
}

/* Directives between a function's parameters and its body. */
static void read_directives(struct byw_ptx_reader *r, struct byw_ptx_function *f)
{
    while (r->status == BYW_OK && r->lexer.token == BYW_PTX_WORD && *r->lexer.text == '.') {
        uint32_t extent[3];

        if (byw_ptx_take_word(r, ".reqntid"))
            read_extent(r, f->required);
        else if (byw_ptx_take_word(r, ".maxntid"))
            read_extent(r, f->most);
        else if (byw_ptx_take_word(r, ".reqnctapercluster"))
            read_extent(r, f->cluster);
        else if (byw_ptx_take_word(r, ".explicitcluster"))
            f->clustered = true;
        else if (byw_ptx_take_word(r, ".maxclusterrank")) {
            read_extent(r, extent);
            f->most_blocks = extent[0];
        } else if (byw_ptx_take_word(r, ".noreturn"))
            f->noreturn = true;
        else if (byw_ptx_take_word(r, ".pragma")) {
            byw_ptx_next(&r->lexer);
            byw_ptx_take_mark(r, ';');
        } else {
            byw_ptx_next(&r->lexer);
            if (r->lexer.token == BYW_PTX_INTEGER)
                read_extent(r, extent);
        }
    }
}

static void read_body(struct byw_ptx_reader *r)
{
    uint32_t outer = r->depth;

    byw_ptx_take_mark(r, '{');
    byw_ptx_scope_open(r);
    r->locs = r->source_line = 0;
    while (r->status == BYW_OK && r->depth > outer) {
        if (byw_ptx_is_mark(&r->lexer, '}')) {
            byw_ptx_next(&r->lexer);
            byw_ptx_scope_close(r);
        } else if (byw_ptx_is_mark(&r->lexer, '{')) {
            byw_ptx_next(&r->lexer);
            byw_ptx_scope_open(r);
        } else if (byw_ptx_is_word(&r->lexer, ".loc")) {
            byw_ptx_read_loc(r);
        } else if (byw_ptx_is_word(&r->lexer, ".pragma")) {
            byw_ptx_next(&r->lexer);
            byw_ptx_next(&r->lexer);
            byw_ptx_take_mark(r, ';');
        } else if (byw_ptx_is_mark(&r->lexer, ';')) {
            byw_ptx_next(&r->lexer);
        } else if (!byw_ptx_read_declaration(r)) {
            byw_ptx_read_statement(r);
        }
    }
}

static struct byw_ptx_function *name_function(struct byw_ptx_reader *r, bool entry, bool exported)
{
    struct byw_ptx_symbol *symbol = NULL;
    struct byw_ptx_function *f;

    if (r->lexer.token != BYW_PTX_WORD) {
        byw_ptx_expected(r, "the name of a function");
        return NULL;
    }
    symbol = byw_ptx_find(r, r->lexer.text, r->lexer.length);
    if (symbol == NULL || symbol->kind != BYW_PTX_FUNCTION)
        symbol = byw_ptx_declare(r, r->lexer.text, r->lexer.length, BYW_PTX_FUNCTION);
    if (symbol == NULL)
        return NULL;
    if (symbol->function == NULL) {
        symbol->function = byw_ptx_take(r, sizeof(*f));
        r->module->function = byw_ptx_grow(r, r->module->function, r->module->functions,
                                           sizeof(*r->module->function));
        if (symbol->function == NULL || r->module->function == NULL)
            return NULL;
        r->module->function[r->module->functions++] = symbol->function;
    }
    f = symbol->function;
    symbol->visible |= exported || entry;
    if (f->name == NULL)
        f->name = symbol->name;
    f->entry = entry;
    f->line = r->lexer.token_line;
    byw_ptx_next(&r->lexer);
    return f;
}

/* Selects the function that receives the body being read: the function itself or, if it already
 * has a body (a weak function in several units), a temporary one that is discarded. */
static struct byw_ptx_function *target_of(struct byw_ptx_reader *r, struct byw_ptx_function *f)
{
    struct byw_ptx_function *unused;

    if (!f->defined)
        return f;
    unused = byw_ptx_take(r, sizeof(*unused));
    if (unused != NULL)
        *unused = (struct byw_ptx_function){.name = f->name, .defined = true};
    return unused;
}

/* .func [(results)] name (parameters), .entry name (parameters) */
static void read_function(struct byw_ptx_reader *r, bool entry, bool exported)
{
    struct byw_ptx_symbol **result = NULL;
    struct byw_ptx_function *f;
    uint32_t results = 0;

    byw_ptx_scope_open(r);
    while (r->lexer.token == BYW_PTX_WORD && *r->lexer.text == '.') /* .attribute */
        byw_ptx_next(&r->lexer);
    if (!entry && byw_ptx_is_mark(&r->lexer, '('))
        byw_ptx_read_params(r, &result, &results);
    f = r->status == BYW_OK ? name_function(r, entry, exported) : NULL;
    if (f != NULL)
        f = target_of(r, f);
    if (f == NULL)
        return;
    f->result = result;
    f->results = results;
    f->param = NULL;
    f->params = 0;
    if (byw_ptx_is_mark(&r->lexer, '('))
        byw_ptx_read_params(r, &f->param, &f->params);
    read_directives(r, f);
    if (byw_ptx_is_mark(&r->lexer, '{')) {
        if (f->defined && r->unit == 0)
            byw_ptx_expected(r, "only one body per function");
        f->defined = true;
        r->function = f;
        read_body(r);
        r->function = NULL;
    } else {
        byw_ptx_take_mark(r, ';');
    }
    byw_ptx_scope_close(r);
}

/* Skips a section of debug information. */
static void skip_section(struct byw_ptx_reader *r)
{
    uint32_t open = 0;

    while (r->lexer.token != BYW_PTX_END) {
        open += byw_ptx_is_mark(&r->lexer, '{');
        if (byw_ptx_is_mark(&r->lexer, '}') && --open == 0) {
            byw_ptx_next(&r->lexer);
            return;
        }
        byw_ptx_next(&r->lexer);
    }
}

static void read_header(struct byw_ptx_reader *r)
{
    if (byw_ptx_take_word(r, ".version")) {
        double version;

        if (r->lexer.token != BYW_PTX_DOUBLE) {
            byw_ptx_expected(r, "a version like 8.0");
            return;
        }
        memcpy(&version, &r->lexer.value, sizeof(version));
        if (r->module->version != 0)
            byw_ptx_open_unit(r);
        r->module->version = (uint32_t)(version * 10 + 0.5);
        byw_ptx_next(&r->lexer);
    } else if (byw_ptx_take_word(r, ".target")) {
        if (r->lexer.token == BYW_PTX_WORD && r->lexer.length > 3)
            r->module->target = (uint32_t)strtoul(r->lexer.text + 3, NULL, 10);
        byw_ptx_next(&r->lexer);
        while (byw_ptx_is_mark(&r->lexer, ',')) {
            byw_ptx_next(&r->lexer);
            byw_ptx_next(&r->lexer);
        }
    } else if (byw_ptx_take_word(r, ".address_size") && byw_ptx_take_integer(r) != 64) {
        byw_ptx_expected(r, ".address_size 64 before this");
    }
}

static void read_linkage(struct byw_ptx_reader *r)
{
    bool external = false, visible = false;
    enum byw_ptx_space space;

    while (r->lexer.token == BYW_PTX_WORD) {
        if (byw_ptx_take_word(r, ".extern"))
            external = true;
        else if (byw_ptx_take_word(r, ".visible") || byw_ptx_take_word(r, ".weak") ||
                 byw_ptx_take_word(r, ".common"))
            visible = true;
        else
            break;
    }
    if (byw_ptx_take_word(r, ".entry"))
        read_function(r, true, true);
    else if (byw_ptx_take_word(r, ".func"))
        read_function(r, false, external || visible);
    else if (byw_ptx_is_space(r, &space))
        byw_ptx_read_variables(r, external, visible);
    else
        byw_ptx_expected(r, "a directive of a module");
}

static void read_top(struct byw_ptx_reader *r)
{
    if (byw_ptx_is_word(&r->lexer, ".version") || byw_ptx_is_word(&r->lexer, ".target") ||
        byw_ptx_is_word(&r->lexer, ".address_size"))
        read_header(r);
    else if (byw_ptx_is_word(&r->lexer, ".section"))
        skip_section(r);
    else if (byw_ptx_take_word(r, ".file")) {
        byw_ptx_take_integer(r);
        while (r->lexer.token == BYW_PTX_STRING) /* clang writes folder and name */
            byw_ptx_next(&r->lexer);
        while (byw_ptx_is_mark(&r->lexer, ',')) {
            byw_ptx_next(&r->lexer);
            byw_ptx_take_integer(r);
        }
    } else if (byw_ptx_is_word(&r->lexer, ".pragma") || byw_ptx_is_word(&r->lexer, ".alias")) {
        while (r->lexer.token != BYW_PTX_END && !byw_ptx_is_mark(&r->lexer, ';'))
            byw_ptx_next(&r->lexer);
        byw_ptx_take_mark(r, ';');
    } else
        read_linkage(r);
}

static bool is_system_file(const char *name, size_t length)
{
    char copy[512];

    length = length < sizeof(copy) ? length : sizeof(copy) - 1;
    memcpy(copy, name, length);
    copy[length] = '\0';
    return byw_ptx_is_system_file(copy);
}

/* .file directives follow the code that uses them, so this finds out in advance which files are
 * headers. */
static void read_files(struct byw_ptx_reader *r, const char *text, size_t length)
{
    struct byw_ptx_lexer l;

    r->system = byw_ptx_take(r, FILES_MOST);
    for (const char *at = text; r->system != NULL;) {
        uint64_t number;

        at = memmem(at, length - (size_t)(at - text), ".file", 5);
        if (at == NULL)
            return;
        byw_ptx_lexer_open(&l, at, length - (size_t)(at - text));
        at += 5;
        byw_ptx_next(&l);
        if (!byw_ptx_is_word(&l, ".file") || byw_ptx_next(&l) != BYW_PTX_INTEGER ||
            l.value >= FILES_MOST)
            continue;
        number = l.value;
        while (byw_ptx_next(&l) == BYW_PTX_STRING)
            r->system[number] |= is_system_file(l.text, l.length);
        r->files = number >= r->files ? (uint32_t)number + 1 : r->files;
    }
}

enum byw_status byw_ptx_parse(const char *text, size_t length, struct byw_ptx_module *module,
                              struct byw_diag *diag)
{
    struct byw_ptx_reader *r = calloc(1, sizeof(*r));
    enum byw_status status;

    memset(module, 0, sizeof(*module));
    if (r == NULL)
        return byw_no_memory(diag, "PTX");
    r->module = module;
    r->diag = diag;
    read_files(r, text, length);
    byw_ptx_lexer_open(&r->lexer, text, length);
    byw_ptx_next(&r->lexer);
    while (r->status == BYW_OK && r->lexer.token != BYW_PTX_END)
        read_top(r);
    if (r->status == BYW_OK && module->version == 0)
        r->status = byw_diag_set(diag, BYW_EFORMAT, "PTX line 1: expected .version");
    status = r->status;
    free(r);
    return status;
}

void byw_ptx_module_release(struct byw_ptx_module *module)
{
    byw_ptx_memory_free(module->memory);
    memset(module, 0, sizeof(*module));
}
