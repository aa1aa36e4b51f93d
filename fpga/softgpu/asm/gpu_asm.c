/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/asm/gpu_asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/asm/gpu_asm_parts.h"

static enum byw_status sign(struct gpu_assembler *a, char c)
{
    char what[2] = {c, '\0'};

    if (a->text.token.kind != GPU_TOKEN_SIGN || a->text.token.sign != c)
        return gpu_text_expected(&a->text, what);
    return gpu_text_next(&a->text);
}

/* The number of a register, r0 to r31; -1 for any other text. */
static int register_number(const char *text)
{
    int n = 0;

    if (text[0] != 'r' || text[1] < '0' || text[1] > '9' || (text[1] == '0' && text[2] != '\0'))
        return -1;
    for (text++; *text >= '0' && *text <= '9' && n < GPU_REGISTERS; text++)
        n = 10 * n + (*text - '0');
    return *text == '\0' && n < GPU_REGISTERS ? n : -1;
}

static enum byw_status reg(struct gpu_assembler *a, uint32_t *number)
{
    const struct gpu_name *name;
    int n = -1;

    if (a->text.token.kind == GPU_TOKEN_NAME) {
        n = register_number(a->text.token.text);
        name = gpu_names_find(&a->names, a->text.token.text);
        if (n < 0 && name->text[0] != '\0' && name->kind == GPU_NAME_REGISTER)
            n = (int)name->value;
    }
    if (n < 0)
        return gpu_text_expected(&a->text, "a register");
    *number = (uint32_t)n;
    return gpu_text_next(&a->text);
}

static enum byw_status number(struct gpu_assembler *a, int64_t low, int64_t high, int64_t *value)
{
    const struct gpu_name *name;
    bool found = a->text.token.kind == GPU_TOKEN_NUMBER;
    char what[64];

    *value = a->text.token.number;
    if (a->text.token.kind == GPU_TOKEN_NAME) {
        name = gpu_names_find(&a->names, a->text.token.text);
        found = name->text[0] != '\0' && name->kind == GPU_NAME_NUMBER;
        *value = name->value;
    }
    snprintf(what, sizeof(what), "a number from %lld to %lld", (long long)low, (long long)high);
    if (!found || *value < low || *value > high)
        return gpu_text_expected(&a->text, what);
    return gpu_text_next(&a->text);
}

/* Reads a label, which may be declared later; its value is filled in at the end. */
static enum byw_status target(struct gpu_assembler *a)
{
    struct gpu_name *name;

    if (a->text.token.kind != GPU_TOKEN_NAME)
        return gpu_text_expected(&a->text, "a label");
    name = gpu_names_take(&a->names, a->text.token.text);
    if (name == NULL)
        return gpu_text_wrong(&a->text, a->text.line, "a program has at most 2048 names", "");
    if (name->line != 0 && name->kind != GPU_NAME_LABEL)
        return gpu_text_expected(&a->text, "a label");
    if (name->line == 0) {
        name->kind = GPU_NAME_LABEL;
        name->line = a->text.line;
    }
    a->use[a->uses].word = a->program.count - 1;
    a->use[a->uses++].label = name;
    return gpu_text_next(&a->text);
}

/* Declares a new name; the caller sets its value. */
static enum byw_status declare(struct gpu_assembler *a, const char *text, enum gpu_name_kind kind,
                               struct gpu_name **out)
{
    struct gpu_name *name = gpu_names_take(&a->names, text);

    if (name == NULL)
        return gpu_text_wrong(&a->text, a->text.line, "a program has at most 2048 names", "");
    if (name->declared || (name->line != 0 && kind != GPU_NAME_LABEL))
        return gpu_text_wrong(&a->text, a->text.line, "declared or used before:", text);
    if (register_number(text) >= 0)
        return gpu_text_wrong(&a->text, a->text.line, "the name of a register:", text);
    name->declared = true;
    name->kind = kind;
    name->line = a->text.line;
    *out = name;
    return BYW_OK;
}

static enum byw_status directive(struct gpu_assembler *a)
{
    bool is_word = strcmp(a->text.token.text, ".word") == 0;
    bool is_reg = strcmp(a->text.token.text, ".reg") == 0;
    char text[GPU_NAME_MAX + 1];
    struct gpu_name *name;
    int64_t value = 0;
    uint32_t n;

    if (!is_reg && !is_word && strcmp(a->text.token.text, ".equ") != 0)
        return gpu_text_expected(&a->text, ".reg, .equ or .word");
    TRY(gpu_text_next(&a->text));
    if (is_word) {
        TRY(number(a, INT32_MIN, UINT32_MAX, &value));
        return gpu_emit(a, (uint32_t)value);
    }
    if (a->text.token.kind != GPU_TOKEN_NAME)
        return gpu_text_expected(&a->text, "a name");
    memcpy(text, a->text.token.text, sizeof(text));
    TRY(gpu_text_next(&a->text));
    if (is_reg) {
        TRY(reg(a, &n));
        TRY(declare(a, text, GPU_NAME_REGISTER, &name));
        name->value = n;
        return BYW_OK;
    }
    TRY(number(a, INT32_MIN, UINT32_MAX, &value));
    TRY(declare(a, text, GPU_NAME_NUMBER, &name));
    name->value = value;
    return BYW_OK;
}

static enum byw_status blocks(struct gpu_assembler *a, const struct gpu_instruction *in)
{
    uint32_t ra = 0;

    if (in->form == GPU_END)
        return gpu_block_end(a);
    if (in->form == GPU_IF || in->form == GPU_WHILE)
        TRY(reg(a, &ra));
    TRY(gpu_emit(a, gpu_word(in->operation, 0, ra, 0, 0)));
    if (in->form == GPU_ELSE)
        return gpu_block_else(a);
    if (in->form == GPU_WHILE)
        return gpu_block_while(a);
    return gpu_block_open(a, in->form);
}

static enum byw_status id(struct gpu_assembler *a, uint32_t *value)
{
    static const char *const names[] = {
#define X(name) #name,
        GPU_ID_LIST(X)
#undef X
    };
    uint32_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (a->text.token.kind == GPU_TOKEN_NAME && strcmp(a->text.token.text, names[i]) == 0) {
            *value = i;
            return gpu_text_next(&a->text);
        }
    return gpu_text_expected(&a->text,
                             "one of lane, warp, cta, thread, lanes, warps, ctas, threads");
}

/* Reads the operands `d, offset(a)` of a load or store; the hint goes into the bits above the
 * offset. */
static enum byw_status access(struct gpu_assembler *a, uint32_t operation, uint32_t hint)
{
    uint32_t d, ra;
    int64_t offset;

    TRY(reg(a, &d));
    TRY(sign(a, ','));
    TRY(number(a, GPU_OFFSET_MIN, GPU_OFFSET_MAX, &offset));
    TRY(sign(a, '('));
    TRY(reg(a, &ra));
    TRY(sign(a, ')'));
    return gpu_emit(a, gpu_word(operation, d, ra, 0, (offset & 0x1fff) | hint << 13));
}

static enum byw_status atomic(struct gpu_assembler *a, uint32_t operation)
{
    uint32_t d, ra, rb;

    TRY(reg(a, &d));
    TRY(sign(a, ','));
    TRY(reg(a, &rb));
    TRY(sign(a, ','));
    TRY(sign(a, '('));
    TRY(reg(a, &ra));
    TRY(sign(a, ')'));
    return gpu_emit(a, gpu_word(operation, d, ra, rb, 0));
}

/* Immediates of logical operations are zero-extended, all others sign-extended. */
static enum byw_status immediate(struct gpu_assembler *a, uint32_t operation, int64_t *value)
{
    bool bits = operation == GPU_OP_andi || operation == GPU_OP_ori || operation == GPU_OP_xori;

    if (operation == GPU_OP_lui)
        return number(a, INT16_MIN, UINT16_MAX, value);
    return bits ? number(a, 0, UINT16_MAX, value) : number(a, INT16_MIN, INT16_MAX, value);
}

static enum byw_status computes(struct gpu_assembler *a, const struct gpu_instruction *in)
{
    uint32_t d, ra = 0, rb = 0;
    int64_t value = 0;

    TRY(reg(a, &d));
    TRY(sign(a, ','));
    if (in->form == GPU_ALU || in->form == GPU_IMM) {
        TRY(reg(a, &ra));
        TRY(sign(a, ','));
    }
    if (in->form == GPU_ALU) {
        TRY(reg(a, &rb));
    } else if (in->form == GPU_ID) {
        uint32_t which = 0;

        TRY(id(a, &which));
        value = which;
    } else if (in->form == GPU_PARAM) {
        TRY(number(a, 0, GPU_PARAMS - 1, &value));
    } else {
        TRY(immediate(a, in->operation, &value));
    }
    return gpu_emit(a, gpu_word(in->operation, d, ra, rb, value));
}

static enum byw_status branch(struct gpu_assembler *a, const struct gpu_instruction *in)
{
    uint32_t ra = 0;

    if (in->form == GPU_BRANCH) {
        TRY(reg(a, &ra));
        TRY(sign(a, ','));
    }
    TRY(gpu_emit(a, gpu_word(in->operation, 0, ra, 0, 0)));
    return target(a);
}

static enum byw_status operands(struct gpu_assembler *a, const struct gpu_instruction *in,
                                uint32_t hint)
{
    switch (in->form) {
    case GPU_NONE:
        return gpu_emit(a, gpu_word(in->operation, 0, 0, 0, 0));
    case GPU_JUMP:
    case GPU_BRANCH:
        return branch(a, in);
    case GPU_LOAD:
    case GPU_STORE:
        return access(a, in->operation, hint);
    case GPU_ATOMIC:
        return atomic(a, in->operation);
    case GPU_IF:
    case GPU_ELSE:
    case GPU_END:
    case GPU_LOOP:
    case GPU_WHILE:
        return blocks(a, in);
    case GPU_ALU:
    case GPU_IMM:
    case GPU_UPPER:
    case GPU_ID:
    case GPU_PARAM:
        break;
    }
    return computes(a, in);
}

/* Assembles li and mov. */
static enum byw_status load_number(struct gpu_assembler *a)
{
    int64_t value;
    uint32_t d;

    TRY(reg(a, &d));
    TRY(sign(a, ','));
    TRY(number(a, INT32_MIN, UINT32_MAX, &value));
    if (value >= INT16_MIN && value <= INT16_MAX)
        return gpu_emit(a, gpu_word(GPU_OP_addi, d, 0, 0, value));
    TRY(gpu_emit(a, gpu_word(GPU_OP_lui, d, 0, 0, value >> 16)));
    if ((value & 0xffff) == 0)
        return BYW_OK;
    return gpu_emit(a, gpu_word(GPU_OP_ori, d, d, 0, value));
}

static enum byw_status move(struct gpu_assembler *a)
{
    uint32_t d, ra;

    TRY(reg(a, &d));
    TRY(sign(a, ','));
    TRY(reg(a, &ra));
    return gpu_emit(a, gpu_word(GPU_OP_addi, d, ra, 0, 0));
}

/* Removes the hint suffix from a load's name and returns the hint; 0 if there is none. */
static bool find_hint(char *text, uint32_t *hint)
{
    static const char *const names[] = {
#define X(name) #name,
        GPU_HINT_LIST(X)
#undef X
    };
    char *dot = strchr(text, '.');

    *hint = 0;
    if (dot == NULL)
        return true;
    for (*hint = 1; *hint < sizeof(names) / sizeof(names[0]); ++*hint)
        if (strcmp(dot + 1, names[*hint]) == 0) {
            *dot = '\0';
            return true;
        }
    return false;
}

static enum byw_status instruction(struct gpu_assembler *a)
{
    char text[GPU_NAME_MAX + 1];
    uint32_t i, hint;
    bool hinted = true;

    memcpy(text, a->text.token.text, sizeof(text));
    if (!find_hint(text, &hint))
        hinted = false;
    for (i = 0; gpu_isa(i)->name != NULL && strcmp(gpu_isa(i)->name, text) != 0;)
        i++;
    if (strcmp(text, "li") == 0 || strcmp(text, "mov") == 0 || strcmp(text, "nop") == 0) {
        TRY(gpu_text_next(&a->text));
        if (text[0] == 'n')
            return gpu_emit(a, 0);
        return text[0] == 'l' ? load_number(a) : move(a);
    }
    if (!hinted || gpu_isa(i)->name == NULL || (hint != 0 && gpu_isa(i)->form != GPU_LOAD))
        return gpu_text_expected(&a->text, "an instruction");
    TRY(gpu_text_next(&a->text));
    return operands(a, gpu_isa(i), hint);
}

/* A name at the start of a line is a label if a colon follows. */
static enum byw_status statement(struct gpu_assembler *a)
{
    struct gpu_name *name;

    while (a->text.token.kind == GPU_TOKEN_NAME) {
        struct gpu_text ahead = a->text;

        ahead.diag = NULL;
        if (gpu_text_next(&ahead) != BYW_OK || ahead.token.kind != GPU_TOKEN_SIGN ||
            ahead.token.sign != ':')
            break;
        TRY(declare(a, a->text.token.text, GPU_NAME_LABEL, &name));
        name->value = a->program.count;
        TRY(gpu_text_next(&a->text));
        TRY(gpu_text_next(&a->text));
    }
    if (a->text.token.kind == GPU_TOKEN_END)
        return BYW_OK;
    if (a->text.token.kind != GPU_TOKEN_NAME)
        return gpu_text_expected(&a->text, "a label, a directive or an instruction");
    TRY(a->text.token.text[0] == '.' ? directive(a) : instruction(a));
    return a->text.token.kind == GPU_TOKEN_END ? BYW_OK
                                               : gpu_text_expected(&a->text, "the end of the line");
}

static enum byw_status finish(struct gpu_assembler *a)
{
    uint32_t i;

    TRY(gpu_block_left(a));
    for (i = 0; i < a->uses; i++) {
        const struct gpu_name *label = a->use[i].label;

        if (!label->declared)
            return gpu_text_wrong(&a->text, label->line, "no such label:", label->text);
        if (label->value >= a->program.count)
            return gpu_text_wrong(&a->text, label->line, "expected an instruction after label",
                                  label->text);
        gpu_aim(a, a->use[i].word, (uint32_t)label->value);
    }
    if (a->program.count == 0)
        return gpu_text_wrong(&a->text, a->text.line, "expected an instruction", "");
    return BYW_OK;
}

static enum byw_status whole(struct gpu_assembler *a, const char *text, size_t size)
{
    const char *end = text + size;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline != NULL ? newline : end;

        TRY(gpu_text_line(&a->text, text, (size_t)(stop - text)));
        TRY(statement(a));
        text = stop + (newline != NULL);
    }
    return finish(a);
}

enum byw_status gpu_assemble(const char *name, const char *text, size_t size,
                             struct gpu_program *program, struct byw_diag *diag)
{
    struct gpu_assembler *a = calloc(1, sizeof(*a));
    enum byw_status status;

    if (a == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory", name);
    a->text.name = name;
    a->text.diag = diag;
    status = whole(a, text, size);
    if (status == BYW_OK)
        *program = a->program;
    else
        gpu_program_release(&a->program);
    free(a->use);
    free(a);
    return status;
}

enum byw_status gpu_assemble_file(const char *path, struct gpu_program *program,
                                  struct byw_diag *diag)
{
    enum { MOST = 1 << 24 };
    enum byw_status status = BYW_EIO;
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST);
    size_t size;

    if (file == NULL || text == NULL) {
        byw_diag_set(diag, status, "%s: cannot be read", path);
    } else {
        size = fread(text, 1, MOST, file);
        if (ferror(file) != 0 || size == MOST)
            byw_diag_set(diag, status, "%s: expected a readable text of less than 16 MB", path);
        else
            status = gpu_assemble(path, text, size, program, diag);
    }
    free(text);
    if (file != NULL)
        fclose(file);
    return status;
}

void gpu_program_release(struct gpu_program *program)
{
    free(program->word);
    free(program->line);
    *program = (struct gpu_program){0};
}
