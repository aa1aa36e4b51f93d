/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_machine_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/machine/byw_expand.h"
#include "capture/machine/byw_ptxas.h"
#include "cli/byw_machine_page.h"
#include "common/byw_file.h"
#include "common/byw_text.h"
#include "trace/byw_kernel_name.h"
#include "trace/byw_kernel_pick.h"

#define ELF_MAGIC "\177ELF"
#define PTX_COLUMNS 60
#define FOLDER_ROOM 1024

static enum byw_status read_file(struct byw_machine_text *l, const char *path,
                                 struct byw_diag *diag)
{
    FILE *file = fopen(path, "rb");
    long length = -1;

    if (file == NULL)
        return byw_diag_set(diag, BYW_ENOENT, "%s: %s", path, strerror(errno));
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0)
        l->text = calloc(1, (size_t)length + 1);
    if (l->text != NULL) {
        rewind(file);
        l->length = fread(l->text, 1, (size_t)length, file);
    }
    fclose(file);
    return l->text != NULL && l->length == (size_t)length
               ? BYW_OK
               : byw_diag_set(diag, BYW_EIO, "%s: reading failed", path);
}

/* Creates a folder for the assembler's files. */
static enum byw_status make_folder(char folder[FOLDER_ROOM], struct byw_diag *diag)
{
    const char *temporary = getenv("TMPDIR");

    snprintf(folder, FOLDER_ROOM, "%s/byway-machine-XXXXXX",
             temporary != NULL && *temporary == '/' ? temporary : "/tmp");
    return mkdtemp(folder) != NULL ? BYW_OK
                                   : byw_diag_set(diag, BYW_EIO, "%s: %s", folder, strerror(errno));
}

static enum byw_status assemble(struct byw_machine_text *l, uint32_t arch, const char *path,
                                struct byw_diag *diag)
{
    char folder[FOLDER_ROOM];
    struct byw_diag why = {""};
    enum byw_status status = byw_numbering_make(l->text, l->length, arch, &l->numbered, &why);

    if (status != BYW_OK)
        return byw_diag_set(diag, status, "%s: %s", path, why.text);
    status = make_folder(folder, diag);
    if (status != BYW_OK)
        return status;
    status = byw_ptxas_machine(&l->numbered, NULL, folder, &l->cubin, &why);
    rmdir(folder);
    return status == BYW_OK ? BYW_OK : byw_diag_set(diag, status, "%s: %s", path, why.text);
}

static enum byw_status read_cubin(struct byw_machine_text *l, const char *path,
                                  struct byw_diag *diag)
{
    struct byw_diag why = {""};
    enum byw_status status = byw_cubin_read(l->text, l->length, &l->cubin, &why);

    return status == BYW_OK ? BYW_OK : byw_diag_set(diag, status, "%s: %s", path, why.text);
}

static const char *barriers(uint8_t mask, char text[16])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < BYW_MACHINE_BARRIERS; i++)
        if ((mask >> i & 1) != 0)
            length +=
                (size_t)snprintf(text + length, 16 - length, "%s%d", length > 0 ? "," : "", i);
    return text;
}

/* The condition under which the instruction is executed. */
static const char *guard(uint8_t flags)
{
    if ((flags & BYW_MACHINE_NEVER) != 0)
        return "never";
    if ((flags & BYW_MACHINE_WARP_PREDICATE) != 0)
        return "@warp";
    if ((flags & BYW_MACHINE_PREDICATED) != 0)
        return "@lane";
    return (flags & BYW_MACHINE_CONDITIONAL) != 0 ? "if" : "";
}

/* Prints the PTX that the instruction was compiled from, on one line. */
static void print_ptx(const struct byw_machine_text *l, uint32_t line)
{
    const struct byw_numbering_place *place;
    char text[PTX_COLUMNS + 1];
    size_t n = 0;

    if (line == 0 || line > l->numbered.count)
        return;
    place = &l->numbered.place[line - 1];
    for (uint32_t i = 0; i < place->length && n < PTX_COLUMNS; i++) {
        char c = l->text[place->at + i];
        bool blank = strchr(" \t\r\n", c) != NULL;

        if (!blank || (n > 0 && text[n - 1] != ' '))
            text[n++] = blank ? ' ' : c;
    }
    text[n] = '\0';
    printf("  %s", text);
}

static void print_inst(const struct byw_machine_text *l, const struct byw_machine_inst *inst,
                       uint32_t index)
{
    char sets[8] = "", width[8] = "", target[16] = "", wait[16];
    size_t n = 0;

    if (inst->write_barrier != BYW_MACHINE_NO_BARRIER)
        n += (size_t)snprintf(sets, sizeof(sets), "w%d", inst->write_barrier);
    if (inst->read_barrier != BYW_MACHINE_NO_BARRIER)
        snprintf(sets + n, sizeof(sets) - n, "%sr%d", n > 0 ? " " : "", inst->read_barrier);
    if (byw_machine_op_has_barrier(inst->op))
        snprintf(width, sizeof(width), "B%d", inst->width);
    else if (inst->width > 0)
        snprintf(width, sizeof(width), "%d", inst->width);
    if (inst->target != BYW_MACHINE_NO_TARGET)
        snprintf(target, sizeof(target), "->%" PRIu32, inst->target);
    printf("%6" PRIu32 " %-13s %-9s %5s %-5s %5d %5s %-5s %-11s %7s %5" PRIu32 " %6" PRIu32, index,
           byw_machine_op_name(inst->op), byw_machine_unit_name(byw_machine_op_unit(inst->op)),
           width, guard(inst->flags), inst->stall, inst->yield != 0 ? "" : "yes", sets,
           barriers(inst->wait, wait), target, inst->line, inst->source);
    print_ptx(l, inst->line);
    putchar('\n');
}

static void print_code(const struct byw_machine_text *l, const struct byw_cubin_code *code)
{
    const struct byw_machine *m = &code->machine;
    uint32_t count = byw_machine_used(m);
    char whole[BYW_KERNEL_NAME_ROOM], name[BYW_TEXT_GROWTH * BYW_KERNEL_NAME_ROOM];

    byw_kernel_name(code->name, whole);
    byw_text_printable(whole, name, sizeof(name));
    printf("%s %s: sm_%" PRIu32 ", %" PRIu32 " instructions, %" PRIu32 " registers",
           code->kernel ? "kernel" : "function", name, m->arch, count, m->registers);
    if (m->unknown > 0)
        printf(", %" PRIu32 " with unknown opcodes (the first: 0x%03" PRIx32 ")", m->unknown,
               code->first_unknown);
    printf(
        "\n index kind          unit      bytes guard stall yield sets  waits        target   PTX "
        "source%s\n",
        l->numbered.count > 0 ? "  PTX instruction" : "");
    for (uint32_t i = 0; i < count; i++)
        print_inst(l, &m->inst[i], i);
    putchar('\n');
}

enum byw_status byw_machine_list(const char *path, uint32_t arch, const char *kernels,
                                 const char *page, struct byw_diag *diag)
{
    struct byw_machine_text l = {.path = path};
    struct byw_kernel_pick *pick = NULL;
    struct byw_file *file = NULL;
    uint32_t printed = 0;
    enum byw_status status =
        kernels != NULL ? byw_kernel_pick_create(kernels, &pick, diag) : BYW_OK;

    if (status == BYW_OK)
        status = read_file(&l, path, diag);
    if (status == BYW_OK && l.length >= 4 && memcmp(l.text, ELF_MAGIC, 4) == 0)
        status = read_cubin(&l, path, diag);
    else if (status == BYW_OK)
        status = assemble(&l, arch, path, diag);
    if (status == BYW_OK && page != NULL)
        status = byw_file_create(page, &file, diag);
    for (uint32_t i = 0; status == BYW_OK && i < l.cubin.count; i++)
        if (byw_kernel_pick_has(pick, l.cubin.code[i].name)) {
            if (file == NULL)
                print_code(&l, &l.cubin.code[i]);
            printed++;
        }
    if (status == BYW_OK && printed == 0)
        status = byw_diag_set(diag, BYW_ENOENT, "%s: no kernel%s%s", path,
                              pick == NULL ? "" : " matches ", pick == NULL ? "" : kernels);
    if (status == BYW_OK && file != NULL)
        status = byw_machine_page(&l, pick, file, diag);
    else
        byw_file_discard(file);
    byw_cubin_free(&l.cubin);
    byw_numbering_free(&l.numbered);
    free(l.text);
    byw_kernel_pick_free(pick);
    return status;
}

/* Prints the number of instructions per unit, as "4 alu, 1 xu". */
static void print_units(const struct byw_expansion *e)
{
    const char *separator = "";

    for (unsigned u = 0; u < BYW_MACHINE_UNIT_COUNT; u++)
        if (e->of_unit[u] > 0) {
            printf("%s%" PRIu32 " %s", separator, e->of_unit[u], byw_machine_unit_name(u));
            separator = ", ";
        }
    putchar('\n');
}

enum byw_status byw_machine_operations(uint32_t arch, struct byw_diag *diag)
{
    struct byw_expansion *list = NULL;
    char folder[FOLDER_ROOM];
    uint32_t count = 0;
    enum byw_status status = make_folder(folder, diag);

    if (status != BYW_OK)
        return status;
    status = byw_expand_measure(arch, folder, &list, &count, diag);
    rmdir(folder);
    if (status == BYW_OK)
        printf("what a PTX operation becomes on sm_%" PRIu32 ", for usual operands\n\n"
               "operation            instructions  cycles  by unit\n",
               arch);
    for (uint32_t i = 0; status == BYW_OK && i < count; i++) {
        printf("%-20s %12" PRIu32 " %7" PRIu32 "  ", list[i].operation, list[i].instructions,
               list[i].cycles);
        print_units(&list[i]);
    }
    free(list);
    return status;
}
