/* SPDX-License-Identifier: Apache-2.0
 *
 * judge.c - judge ARCH PTX...: compares the reader of machine code with nvdisasm.
 *
 * Each PTX text is assembled twice: as it is, and numbered with line information.  The machine code
 * of both must be the same bits.  Each instruction of the second is then compared with nvdisasm's
 * text: kind, predicate, condition, target, width, hint, convergence barrier, PTX line; and the
 * schedule with the words that nvdisasm prints.  Prints the differences, then
 *
 *     N texts, N kernels, N instructions compared, N differences, N unknown opcodes
 *
 * A text that the assembler rejects is named and counted separately.  Exit status 1 on a
 * difference; 77 with the reason where ptxas, nvdisasm ($BYWAY_NVDISASM, the toolkit's, or the
 * Python package's) or libelf is missing.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/byw_cl_command.h"
#include "capture/machine/byw_decode.h"
#include "capture/machine/byw_ptxas.h"
#include "trace/byw_inst.h"

#define TEXT 512
#define SHOWN 20 /* differences printed per text */

/* One line of nvdisasm's listing. */
struct spoken {
    char text[TEXT];
    uint64_t first, second;
    uint32_t line;
};

struct label {
    char name[256];
    uint32_t index;
};

struct listing {
    char section[256];
    struct spoken *inst;
    struct label *label;
    uint32_t insts, labels, inst_room, label_room;
};

struct judge {
    const char *arch;
    char nvdisasm[1024], folder[64];
    uint64_t texts, kernels, instructions, differences, unknown, refused;
    uint32_t shown;
};

static void differ(struct judge *j, const struct listing *l, uint32_t i, const char *what,
                   long long ours, const char *theirs)
{
    j->differences++;
    if (j->shown++ < SHOWN)
        printf("%s %04x: %s is %lld: %s\n", l->section, i * 16, what, ours, theirs);
}

/* The mnemonic of a line, after its predicate; the rest of the line in *operands. */
static const char *mnemonic(const char *text, char name[64], const char **suffixes)
{
    const char *at = text;
    size_t length;

    if (*at == '@')
        while (*at != '\0' && *at++ != ' ')
            ;
    while (*at == ' ')
        at++;
    length = strcspn(at, ". ;");
    length = length < 63 ? length : 63;
    memcpy(name, at, length);
    name[length] = '\0';
    *suffixes = at + length;
    return at;
}

/* Kind that the table has for a mnemonic. */
static int kind_of(const char *name)
{
    static const char *const same[][2] = {
        {"REDG", "RED"}, {"ERRBAR", "CGAERRBAR"}, {"UCGABAR_ARV", "UCGABAR_WAIT"}};

    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        if (strcmp(name, same[i][0]) == 0)
            name = same[i][1];
    for (uint64_t number = 0; number < 512; number++) {
        const struct byw_opcode *opcode = byw_opcode_of(number);

        if (opcode->name != NULL && strcmp(opcode->name, name) == 0)
            return opcode->kind;
    }
    return -1;
}

/* Whether the mnemonic has a suffix, as ".64". */
static bool has(const char *suffixes, const char *suffix)
{
    size_t length = strlen(suffix);

    for (const char *at = suffixes; *at == '.'; at += 1 + strcspn(at + 1, ". ;"))
        if (strncmp(at, suffix, length) == 0 && strchr(". ;", at[length]) != NULL)
            return true;
    return false;
}

/* Bytes per lane, from the suffixes. */
static int width_of(const char *name, const char *suffixes)
{
    static const struct {
        const char *suffix;
        int bytes;
    } widths[] = {{".U8", 1},     {".S8", 1},      {".U16", 2},   {".S16", 2},   {".64", 8},
                  {".S64", 8},    {".128", 16},    {".F64", 8},   {".F16x4", 8}, {".BF16x4", 8},
                  {".F16x8", 16}, {".BF16x8", 16}, {".F32x2", 8}, {".F32x4", 16}};

    if (strcmp(name, "LDSM") == 0 || strcmp(name, "STSM") == 0)
        return has(suffixes, ".4") ? 16 : has(suffixes, ".2") ? 8 : 4;
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
        if (has(suffixes, widths[i].suffix))
            return widths[i].bytes;
    return 4;
}

static uint8_t hint_of(const char *suffixes)
{
    if (has(suffixes, ".STRONG"))
        return has(suffixes, ".GPU") || has(suffixes, ".SYS") ? BYW_SITE_VOLATILE : 0xff;
    if (has(suffixes, ".MMIO"))
        return BYW_SITE_VOLATILE;
    return 0xff;
}

static void judge_hint(struct judge *j, const struct listing *l, uint32_t i, const char *suffixes,
                       unsigned ours)
{
    unsigned theirs = hint_of(suffixes);

    if (theirs == 0xff)
        theirs = has(suffixes, ".NA")                           ? BYW_SITE_NO_ALLOCATE
                 : has(suffixes, ".EF") || has(suffixes, ".LU") ? BYW_SITE_NONTEMPORAL
                                                                : 0;
    if (ours != theirs)
        differ(j, l, i, "hint", ours, l->inst[i].text);
}

static void judge_predicate(struct judge *j, const struct listing *l, uint32_t i, unsigned flags)
{
    const char *text = l->inst[i].text;
    unsigned theirs = 0;

    if (*text == '@') {
        const char *name = text + (text[1] == '!' ? 2 : 1);

        theirs = BYW_MACHINE_PREDICATED | (*name == 'U' ? BYW_MACHINE_WARP_PREDICATE : 0);
        if (text[1] == '!' && (strncmp(name, "PT ", 3) == 0 || strncmp(name, "UPT ", 4) == 0))
            theirs |= BYW_MACHINE_NEVER;
    }
    if ((flags & 7u) != theirs)
        differ(j, l, i, "predicate", flags & 7, text);
}

/* Index of the label named in `(label); UINT32_MAX: no such label in the section. */
static uint32_t label_of(const struct listing *l, const char *text)
{
    const char *at = strstr(text, "`(");
    size_t length;

    if (at == NULL)
        return UINT32_MAX;
    length = strcspn(at + 2, ")");
    for (uint32_t i = 0; i < l->labels; i++)
        if (strlen(l->label[i].name) == length && strncmp(l->label[i].name, at + 2, length) == 0)
            return l->label[i].index;
    return UINT32_MAX;
}

/* Compares control flow: targets of branches, calls and BSSY, and whether a branch has its own
 * condition. */
static void judge_flow(struct judge *j, const struct listing *l, uint32_t i, const char *name,
                       const char *suffixes, const struct byw_machine_inst *ours)
{
    const char *text = l->inst[i].text, *operands = suffixes + strcspn(suffixes, " ;");
    bool branch = strcmp(name, "BRA") == 0, call = strcmp(name, "CALL") == 0;
    bool conditional = *text == '@' || has(suffixes, ".DIV") || has(suffixes, ".CONV");

    if (branch || strcmp(name, "BSSY") == 0 ||
        (call && has(suffixes, ".REL") && strncmp(operands, " `", 2) == 0)) {
        if (ours->target != label_of(l, text))
            differ(j, l, i, "target", ours->target, text);
    } else if (ours->target != BYW_MACHINE_NO_TARGET) {
        differ(j, l, i, "target", ours->target, text);
    }
    if (branch || call || strcmp(name, "EXIT") == 0 || strcmp(name, "RET") == 0 ||
        strcmp(name, "BRX") == 0) {
        operands += strspn(operands, " !");
        conditional |= operands[0] == 'P' &&
                       (isdigit((unsigned char)operands[1]) || strncmp(operands, "PT", 2) == 0);
        conditional |= operands[0] == 'U' && operands[1] == 'P';
        if (conditional != ((ours->flags & BYW_MACHINE_CONDITIONAL) != 0))
            differ(j, l, i, "condition", ours->flags, text);
    }
    if (branch && has(suffixes, ".DIV") != ((ours->flags & BYW_MACHINE_IF_DIVERGED) != 0))
        differ(j, l, i, "divergence", ours->flags, text);
    if (byw_machine_op_has_barrier(ours->op)) {
        const char *b = strstr(operands, "B");

        if (b == NULL || ours->width != strtoul(b + 1, NULL, 10))
            differ(j, l, i, "convergence barrier", ours->width, text);
    }
}

static void judge_inst(struct judge *j, const struct listing *l, uint32_t i,
                       const struct byw_machine_inst *ours)
{
    const struct spoken *s = &l->inst[i];
    const uint64_t control = s->second >> 41;
    const char *suffixes;
    char name[64];

    mnemonic(s->text, name, &suffixes);
    j->instructions++;
    j->unknown += ours->op == BYW_MACHINE_UNKNOWN;
    if (kind_of(name) != ours->op)
        differ(j, l, i, "kind", ours->op, s->text);
    judge_predicate(j, l, i, ours->flags);
    if (byw_opcode_of(s->first)->width != BYW_WIDTH_NONE && width_of(name, suffixes) != ours->width)
        differ(j, l, i, "width", ours->width, s->text);
    if (ours->op == BYW_MACHINE_LOAD || ours->op == BYW_MACHINE_ASYNC_COPY)
        judge_hint(j, l, i, suffixes, (ours->flags & BYW_MACHINE_HINT) >> BYW_MACHINE_HINT_SHIFT);
    judge_flow(j, l, i, name, suffixes, ours);
    if (ours->line != s->line)
        differ(j, l, i, "line", ours->line, s->text);
    if (ours->stall != (control & 15) || ours->yield != (control >> 4 & 1) ||
        ours->write_barrier != (control >> 5 & 7) || ours->read_barrier != (control >> 8 & 7) ||
        ours->wait != (control >> 11 & 63))
        differ(j, l, i, "schedule", ours->stall, s->text);
}

static void judge_section(struct judge *j, const struct listing *l, const struct byw_cubin *cubin)
{
    const struct byw_cubin_code *code = NULL;

    if (l->insts == 0)
        return;
    for (uint32_t c = 0; c < cubin->count; c++)
        if (strcmp(cubin->code[c].name, l->section) == 0)
            code = &cubin->code[c];
    if (code == NULL || code->machine.count != l->insts ||
        byw_machine_fault(&code->machine) != NULL || code->machine.registers == 0) {
        differ(j, l, 0, "count", code != NULL ? code->machine.count : 0, "instructions");
        return;
    }
    j->kernels += code->kernel;
    for (uint32_t i = 0; i < l->insts; i++)
        judge_inst(j, l, i, &code->machine.inst[i]);
}

static void *grow(void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = *room * 2 + 64;
    list = realloc(list, *room * size);
    if (list == NULL)
        exit(2);
    return list;
}

static void add_label(struct listing *l, const char *line)
{
    size_t length = strcspn(line, ":");
    struct label *label;

    l->label = grow(l->label, l->labels, &l->label_room, sizeof(*l->label));
    label = &l->label[l->labels++];
    snprintf(label->name, sizeof(label->name), "%.*s", (int)length, line);
    label->index = l->insts;
}

/* A line with an instruction: its address, text and first word. */
static void add_inst(struct listing *l, const char *line, uint32_t source)
{
    const char *text = strstr(line, "*/"), *word = strstr(line, "/* 0x");
    struct spoken *s;
    size_t length;

    l->inst = grow(l->inst, l->insts, &l->inst_room, sizeof(*l->inst));
    s = &l->inst[l->insts++];
    text += 2 + strspn(text + 2, " ");
    length = strcspn(text, ";");
    snprintf(s->text, sizeof(s->text), "%.*s;", (int)(length < TEXT - 2 ? length : TEXT - 2), text);
    s->first = word != NULL ? strtoull(word + 3, NULL, 16) : 0;
    s->second = 0;
    s->line = source;
}

/* Reads nvdisasm's listing and judges each section of code. */
static void judge_listing(struct judge *j, FILE *file, const struct byw_cubin *cubin)
{
    struct listing l = {.section = ""};
    uint32_t source = 0;
    char line[4096];

    while (fgets(line, sizeof(line), file) != NULL) {
        const char *at = line + strspn(line, " \t");

        if (strncmp(at, ".section\t", 9) == 0) {
            const char *name = strstr(at, ".text.");

            judge_section(j, &l, cubin);
            l.insts = l.labels = source = 0;
            snprintf(l.section, sizeof(l.section), "%.*s",
                     name != NULL ? (int)strcspn(name + 6, ",") : 0, name != NULL ? name + 6 : "");
        } else if (strncmp(at, "//## File", 9) == 0) {
            const char *number = strstr(at, ", line ");

            source = number != NULL ? (uint32_t)strtoul(number + 7, NULL, 10) : 0;
        } else if (strncmp(at, "/*", 2) == 0 && isxdigit((unsigned char)at[2])) {
            add_inst(&l, at, source);
        } else if (strncmp(at, "/* 0x", 5) == 0 && l.insts > 0) {
            l.inst[l.insts - 1].second = strtoull(at + 3, NULL, 16);
        } else if (at == line && strchr(line, ':') != NULL && strncmp(line, ".text.", 6) != 0) {
            add_label(&l, line);
        }
    }
    judge_section(j, &l, cubin);
    free(l.inst);
    free(l.label);
}

static void *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    char *data;

    if (file == NULL || fstat(fileno(file), &info) != 0)
        return NULL;
    data = calloc(1, (size_t)info.st_size + 1);
    *size = data != NULL ? fread(data, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    return data;
}

/* Sections of code of a cubin, one after the other; malloced. */
static uint8_t *all_code(const uint8_t *elf, size_t size, size_t *length)
{
    uint64_t table, at, bytes;
    uint16_t count, names;
    uint8_t *code = malloc(size);

    *length = 0;
    memcpy(&table, elf + 0x28, 8);
    memcpy(&count, elf + 0x3c, 2);
    memcpy(&names, elf + 0x3e, 2);
    for (unsigned i = 0; code != NULL && i < count; i++) {
        const uint8_t *section = elf + table + i * 64u, *strings = elf + table + names * 64u;
        uint32_t name;
        uint64_t text;

        memcpy(&name, section, 4);
        memcpy(&text, strings + 0x18, 8);
        memcpy(&at, section + 0x18, 8);
        memcpy(&bytes, section + 0x20, 8);
        if (strncmp((const char *)elf + text + name, ".text.", 6) != 0)
            continue;
        memcpy(code + *length, elf + at, bytes);
        *length += bytes;
    }
    return code;
}

/* The machine code of a text without line information. */
static void judge_same(struct judge *j, const char *path, const char *arch, const void *lined,
                       size_t lined_size)
{
    char ptxas[1024], output[128], errors[128];
    char *const argv[] = {ptxas,  "-arch", (char *)(uintptr_t)arch, (char *)(uintptr_t)path, "-o",
                          output, NULL};
    size_t size, plain_length, lined_length;
    uint8_t *plain, *first, *second;

    snprintf(output, sizeof(output), "%s/plain.cubin", j->folder);
    snprintf(errors, sizeof(errors), "%s/errors", j->folder);
    if (!byw_ptxas(ptxas, sizeof(ptxas)) || byw_cl_command(argv, NULL, NULL, errors) != 0)
        return;
    plain = read_all(output, &size);
    first = all_code(plain, size, &plain_length);
    second = all_code(lined, lined_size, &lined_length);
    if (plain_length != lined_length || memcmp(first, second, plain_length) != 0) {
        j->differences++;
        printf("%s: line information changes the machine code\n", path);
    }
    free(plain);
    free(first);
    free(second);
}

static void judge_text(struct judge *j, const char *path)
{
    struct byw_numbering numbered = {0};
    struct byw_cubin cubin = {0};
    struct byw_diag diag = {""};
    char input[128], output[128], errors[128];
    char *const argv[] = {j->nvdisasm, "-hex", "-g", "-c", input, NULL};
    size_t length, size = 0;
    char *text = read_all(path, &length);
    void *file = NULL;
    FILE *copy;

    j->shown = 0;
    snprintf(input, sizeof(input), "%s/in.cubin", j->folder);
    snprintf(output, sizeof(output), "%s/listing", j->folder);
    snprintf(errors, sizeof(errors), "%s/errors", j->folder);
    if (text == NULL ||
        byw_numbering_make(text, length, (uint32_t)atoi(j->arch), &numbered, &diag) != BYW_OK ||
        byw_ptxas_assemble(&numbered, NULL, j->folder, &file, &size, &diag) != BYW_OK) {
        printf("# %s: %s\n", path, text == NULL ? "cannot be read" : diag.text);
        j->refused++;
    } else if (byw_cubin_read(file, size, &cubin, &diag) != BYW_OK) {
        printf("%s: %s\n", path, diag.text);
        j->differences++;
    } else {
        j->texts++;
        judge_same(j, path, numbered.target, file, size);
        copy = fopen(input, "wb");
        if (copy == NULL || fwrite(file, 1, size, copy) != size || fclose(copy) != 0 ||
            byw_cl_command(argv, NULL, output, errors) != 0 ||
            (copy = fopen(output, "r")) == NULL) {
            printf("%s: nvdisasm failed\n", path);
            j->differences++;
        } else {
            judge_listing(j, copy, &cubin);
            fclose(copy);
        }
    }
    byw_cubin_free(&cubin);
    byw_numbering_free(&numbered);
    free(file);
    free(text);
}

/* The tool or library that is missing, and how to get it; NULL: none. */
static const char *missing(struct judge *j)
{
    const char *named = getenv("BYWAY_NVDISASM");
    char ptxas[1024];

    if (!byw_ptxas(ptxas, sizeof(ptxas)))
        return "no ptxas; pip install nvidia-cuda-nvcc";
    snprintf(j->nvdisasm, sizeof(j->nvdisasm), "%s",
             named != NULL ? named : "/usr/local/cuda/bin/nvdisasm");
    if (access(j->nvdisasm, X_OK) != 0 &&
        !byw_ptxas_wheel("nvdisasm", j->nvdisasm, sizeof(j->nvdisasm)))
        return "no nvdisasm; pip install nvidia-cuda-nvdisasm";
#ifndef HAVE_LIBELF
    return "no libelf; apt-get install libelf-dev";
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {"in.cubin", "listing", "errors", "plain.cubin"};
    struct judge j = {.folder = "/tmp/byway-judge-XXXXXX"};
    char path[128];

    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "nvdisasm") == 0) {
        puts(missing(&j) == NULL ? j.nvdisasm : "");
        return 0;
    }
    if (missing(&j) != NULL) {
        puts(missing(&j));
        return 77;
    }
    if (mkdtemp(j.folder) == NULL)
        return 2;
    j.arch = argv[1];
    for (int i = 2; i < argc; i++)
        judge_text(&j, argv[i]);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", j.folder, files[i]);
        unlink(path);
    }
    rmdir(j.folder);
    printf("%" PRIu64 " texts, %" PRIu64 " kernels, %" PRIu64 " instructions compared, %" PRIu64
           " differences, %" PRIu64 " unknown opcodes\n",
           j.texts, j.kernels, j.instructions, j.differences, j.unknown);
    if (j.refused > 0)
        printf("%" PRIu64 " texts refused by the assembler\n", j.refused);
    return j.differences > 0 || j.unknown > 0 || j.texts == 0;
}
