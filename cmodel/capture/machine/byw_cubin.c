/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_cubin.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBELF

#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>

#include "capture/machine/byw_decode.h"
#include "capture/machine/byw_line_table.h"

/* Constants of the ELF header, symbols and attributes of a cubin. */
#define MACHINE_CUDA 190 /* e_machine */
#define ABI_NEW 8 /* from this ABI version on, e_flags has the architecture in bits 8-15 */
#define SYMBOL_KERNEL 0x10 /* st_other */
#define TEXT ".text."
#define ATTRIBUTE_SIZED 4 /* format of an attribute whose size follows it */
#define ATTRIBUTE_REGISTERS 0x2f /* symbol, registers */
/* At most this many ranges of a valid line table cover one instruction. */
#define COVERED_MOST 16u

struct reader {
    Elf *elf;
    size_t names; /* section of the sections' names */
    GElf_Ehdr header;
    Elf_Data *symbols, *moves; /* moves: relocations of the line table; may be NULL */
    bool moves_have_addend;
    size_t symbol_count, move_count;
    struct byw_cubin *cubin;
    uint32_t *code_of; /* by number of section: index in cubin->code + 1 */
    size_t sections;
    uint32_t arch;
    uint64_t covered, instructions;
};

static const char *section_name(struct reader *r, const GElf_Shdr *section)
{
    const char *name = elf_strptr(r->elf, r->names, section->sh_name);

    return name != NULL ? name : "";
}

/* The first section with a name. */
static Elf_Scn *find(struct reader *r, const char *name, GElf_Shdr *section)
{
    for (Elf_Scn *s = NULL; (s = elf_nextscn(r->elf, s)) != NULL;)
        if (gelf_getshdr(s, section) != NULL && section->sh_type != SHT_NOBITS &&
            strcmp(section_name(r, section), name) == 0)
            return s;
    return NULL;
}

static bool decode_section(struct reader *r, const Elf_Data *data, struct byw_cubin_code *code)
{
    uint32_t count = (uint32_t)(data->d_size / BYW_MACHINE_INST_BYTES);
    struct byw_machine_inst *inst = calloc(count, sizeof(*inst));

    if (inst == NULL)
        return false;
    code->machine = (struct byw_machine){.arch = r->arch, .count = count, .inst = inst};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t word[2];

        memcpy(word, (const char *)data->d_buf + (size_t)i * BYW_MACHINE_INST_BYTES, sizeof(word));
        inst[i] = byw_decode(word[0], word[1], i, count, r->arch);
        if (inst[i].op == BYW_MACHINE_UNKNOWN && code->machine.unknown++ == 0)
            code->first_unknown = word[0] & 0xfff;
    }
    r->instructions += count;
    return true;
}

static enum byw_status read_code(struct reader *r, struct byw_diag *diag)
{
    struct byw_cubin *cubin = r->cubin;
    GElf_Shdr section;

    for (Elf_Scn *s = NULL; (s = elf_nextscn(r->elf, s)) != NULL;) {
        struct byw_cubin_code *code = &cubin->code[cubin->count];
        const char *name;
        Elf_Data *data;

        if (gelf_getshdr(s, &section) == NULL || section.sh_type != SHT_PROGBITS)
            continue;
        name = section_name(r, &section);
        if (strncmp(name, TEXT, strlen(TEXT)) != 0)
            continue;
        data = elf_rawdata(s, NULL);
        if (data == NULL || data->d_buf == NULL || data->d_size < BYW_MACHINE_INST_BYTES ||
            data->d_size % BYW_MACHINE_INST_BYTES != 0 || data->d_size / 16 > UINT32_MAX / 2)
            return byw_diag_set(diag, BYW_EFORMAT, "section %s is not machine code", name);
        code->name = strdup(name + strlen(TEXT));
        if (code->name == NULL || !decode_section(r, data, code)) {
            free(code->name);
            return byw_no_memory(diag, "machine code");
        }
        cubin->count++;
        r->code_of[elf_ndxscn(s)] = cubin->count;
        if (byw_machine_fault(&code->machine) != NULL)
            return byw_diag_set(diag, BYW_EFORMAT, "section %s: %s", name,
                                byw_machine_fault(&code->machine));
    }
    return BYW_OK;
}

/* The code of a symbol's section; NULL: it is not in code. */
static struct byw_cubin_code *code_of_symbol(struct reader *r, uint64_t number, GElf_Sym *symbol)
{
    if (r->symbols == NULL || number >= r->symbol_count ||
        gelf_getsym(r->symbols, (int)number, symbol) == NULL || symbol->st_shndx >= r->sections ||
        r->code_of[symbol->st_shndx] == 0)
        return NULL;
    return &r->cubin->code[r->code_of[symbol->st_shndx] - 1];
}

static void read_symbols(struct reader *r)
{
    GElf_Shdr section;
    Elf_Scn *s = find(r, ".symtab", &section);
    GElf_Sym symbol;

    r->symbols = s != NULL ? elf_getdata(s, NULL) : NULL;
    if (r->symbols == NULL)
        return;
    r->symbol_count = r->symbols->d_size / sizeof(Elf64_Sym);
    for (size_t i = 0; i < r->symbol_count; i++) {
        struct byw_cubin_code *code = code_of_symbol(r, i, &symbol);

        if (code != NULL && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
            (symbol.st_other & SYMBOL_KERNEL) != 0)
            code->kernel = true;
    }
}

/* Registers per thread, from the attributes of the whole file. */
static void read_registers(struct reader *r)
{
    GElf_Shdr section;
    Elf_Scn *s = find(r, ".nv.info", &section);
    Elf_Data *data = s != NULL ? elf_rawdata(s, NULL) : NULL;
    const uint8_t *at, *end;

    if (data == NULL || data->d_buf == NULL)
        return;
    at = data->d_buf;
    end = at + data->d_size;
    while (end - at >= 4) {
        uint16_t size;
        uint32_t value[2];
        GElf_Sym symbol;
        struct byw_cubin_code *code;

        memcpy(&size, at + 2, sizeof(size));
        size = at[0] == ATTRIBUTE_SIZED ? size : 0;
        if (end - at - 4 < size)
            return;
        if (at[1] == ATTRIBUTE_REGISTERS && size == sizeof(value)) {
            memcpy(value, at + 4, sizeof(value));
            code = code_of_symbol(r, value[0], &symbol);
            if (code != NULL && symbol.st_value == 0)
                code->machine.registers = value[1];
        }
        at += 4 + size;
    }
}

/* Finds the relocation of an address in the line table. */
static bool locate(void *context, size_t offset, uint64_t written, uint32_t *section,
                   uint64_t *address)
{
    struct reader *r = context;
    struct byw_cubin_code *code;
    GElf_Rela move = {0};
    GElf_Sym symbol;

    for (size_t i = 0; i < r->move_count; i++) {
        if (r->moves_have_addend) {
            if (gelf_getrela(r->moves, (int)i, &move) == NULL)
                return false;
        } else {
            GElf_Rel short_move;

            if (gelf_getrel(r->moves, (int)i, &short_move) == NULL)
                return false;
            move = (GElf_Rela){short_move.r_offset, short_move.r_info, (int64_t)written};
        }
        if (move.r_offset != offset)
            continue;
        code = code_of_symbol(r, GELF_R_SYM(move.r_info), &symbol);
        if (code == NULL)
            return false;
        *section = (uint32_t)(code - r->cubin->code);
        *address = symbol.st_value + (uint64_t)move.r_addend;
        return true;
    }
    return false;
}

static bool set_lines(void *context, uint32_t section, uint64_t from, uint64_t to, uint32_t line)
{
    struct reader *r = context;
    struct byw_cubin_code *code = &r->cubin->code[section];
    struct byw_machine_inst *inst = (struct byw_machine_inst *)code->machine.inst;
    uint64_t last = to / BYW_MACHINE_INST_BYTES;

    last = last < code->machine.count ? last : code->machine.count;
    for (uint64_t i = from / BYW_MACHINE_INST_BYTES; i < last; i++, r->covered++)
        inst[i].line = line;
    return r->covered <= r->instructions * COVERED_MOST;
}

static enum byw_status read_lines(struct reader *r, struct byw_diag *diag)
{
    const struct byw_line_user user = {r, locate, set_lines};
    GElf_Shdr section;
    Elf_Scn *s = find(r, ".debug_line", &section), *moves;
    Elf_Data *data = s != NULL ? elf_rawdata(s, NULL) : NULL;

    if (data == NULL || data->d_buf == NULL)
        return BYW_OK;
    moves = find(r, ".rela.debug_line", &section);
    if (moves == NULL)
        moves = find(r, ".rel.debug_line", &section);
    r->moves = moves != NULL ? elf_getdata(moves, NULL) : NULL;
    if (r->moves != NULL) {
        r->moves_have_addend = section.sh_type == SHT_RELA;
        r->move_count =
            r->moves->d_size / (r->moves_have_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
    }
    return byw_line_table_read(data->d_buf, data->d_size, &user)
               ? BYW_OK
               : byw_diag_set(diag, BYW_EFORMAT, "damaged line table");
}

static enum byw_status read_elf(struct reader *r, struct byw_diag *diag)
{
    enum byw_status status;

    if (elf_kind(r->elf) != ELF_K_ELF || gelf_getehdr(r->elf, &r->header) == NULL ||
        r->header.e_machine != MACHINE_CUDA || r->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        r->header.e_ident[EI_DATA] != ELFDATA2LSB)
        return byw_diag_set(diag, BYW_EFORMAT, "not a cubin: expected an ELF file of GPU code");
    r->arch = r->header.e_flags >> (r->header.e_ident[EI_ABIVERSION] >= ABI_NEW ? 8 : 0) & 0xff;
    if (r->arch < 80 || r->arch > 90)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "machine code for sm_%" PRIu32 "; expected sm_80 to sm_90", r->arch);
    if (elf_getshdrstrndx(r->elf, &r->names) != 0 || elf_getshdrnum(r->elf, &r->sections) != 0)
        return byw_diag_set(diag, BYW_EFORMAT, "damaged cubin: %s", elf_errmsg(-1));
    r->cubin->code = calloc(r->sections + 1, sizeof(*r->cubin->code));
    r->code_of = calloc(r->sections + 1, sizeof(*r->code_of));
    if (r->cubin->code == NULL || r->code_of == NULL)
        return byw_no_memory(diag, "a cubin");
    status = read_code(r, diag);
    if (status != BYW_OK)
        return status;
    read_symbols(r);
    read_registers(r);
    for (uint32_t i = 0; i < r->cubin->count; i++)
        if (!byw_machine_follow((struct byw_machine_inst *)r->cubin->code[i].machine.inst,
                                r->cubin->code[i].machine.count))
            return byw_no_memory(diag, "a cubin");
    return read_lines(r, diag);
}

enum byw_status byw_cubin_read(const void *file, size_t size, struct byw_cubin *cubin,
                               struct byw_diag *diag)
{
    struct reader r = {.cubin = cubin};
    enum byw_status status;
    char *copy; /* libelf wants an image that it may change */

    *cubin = (struct byw_cubin){0};
    if (elf_version(EV_CURRENT) == EV_NONE)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "libelf is too old");
    copy = malloc(size + 1);
    if (copy == NULL)
        return byw_no_memory(diag, "a cubin");
    memcpy(copy, file, size);
    r.elf = elf_memory(copy, size);
    status = r.elf != NULL ? read_elf(&r, diag)
                           : byw_diag_set(diag, BYW_EFORMAT, "not a cubin: %s", elf_errmsg(-1));
    elf_end(r.elf);
    free(r.code_of);
    free(copy);
    if (status != BYW_OK)
        byw_cubin_free(cubin);
    return status;
}

#else

enum byw_status byw_cubin_read(const void *file, size_t size, struct byw_cubin *cubin,
                               struct byw_diag *diag)
{
    (void)file;
    (void)size;
    *cubin = (struct byw_cubin){0};
    return byw_diag_set(diag, BYW_EUNSUPPORTED,
                        "byway was built without libelf, which reads machine code; "
                        "build it again after apt-get install libelf-dev");
}

#endif

void byw_cubin_free(struct byw_cubin *cubin)
{
    for (uint32_t i = 0; i < cubin->count; i++) {
        free(cubin->code[i].name);
        free((void *)cubin->code[i].machine.inst);
    }
    free(cubin->code);
    *cubin = (struct byw_cubin){0};
}

struct byw_cubin_code *byw_cubin_kernel(const struct byw_cubin *cubin, const char *name)
{
    for (uint32_t i = 0; i < cubin->count; i++)
        if (cubin->code[i].kernel && strcmp(cubin->code[i].name, name) == 0)
            return &cubin->code[i];
    return NULL;
}
