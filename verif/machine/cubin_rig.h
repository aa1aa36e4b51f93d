/* SPDX-License-Identifier: Apache-2.0
 *
 * cubin_rig.h - writes a small cubin, so that the reader is tested without NVIDIA's assembler.
 *
 * One kernel "k" of four instructions with a line table:
 *
 *     0  predicated load, 8 bytes, sets write barrier 2      PTX line 7
 *     1  @P0 branch to 3                                     PTX line 7
 *     2  unknown opcode 0x1ff                                PTX line 9
 *     3  exit, waits for barrier 2                           PTX line 4
 */
#ifndef BYW_VERIF_CUBIN_RIG_H
#define BYW_VERIF_CUBIN_RIG_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RIG_ROOM = 2048, RIG_REGISTERS = 40 };

enum {
    RIG_NULL,
    RIG_NAMES,
    RIG_STRINGS,
    RIG_SYMBOLS,
    RIG_TEXT,
    RIG_LINES,
    RIG_MOVES,
    RIG_INFO,
    RIG_SECTIONS
};

struct rig {
    uint8_t byte[RIG_ROOM];
    size_t size;
    Elf64_Shdr section[RIG_SECTIONS];
};

static const char rig_names[] = "\0.shstrtab\0.strtab\0.symtab\0.text.k\0.debug_line\0"
                                ".rela.debug_line\0.nv.info";

static const uint64_t rig_code[8] = {
    0x0000000404020981, 0x000ea4000c1e1b00, /* @P0 load of 8 bytes */
    0x0000000000040947, 0x000fea0003800000, /* @P0 branch over one instruction */
    0x00000000000071ff, 0x000fe20000000000, /* unknown */
    0x000000000000794d, 0x004fea0003800000, /* exit */
};

static inline void rig_put(struct rig *r, unsigned number, const char *name, uint32_t type,
                           const void *data, size_t size)
{
    Elf64_Shdr *s = &r->section[number];

    r->size = (r->size + 7) / 8 * 8;
    memcpy(r->byte + r->size, data, size);
    s->sh_type = type;
    s->sh_offset = r->size;
    s->sh_size = size;
    s->sh_addralign = 1;
    for (size_t at = 0; at < sizeof(rig_names); at += strlen(rig_names + at) + 1)
        if (strcmp(rig_names + at, name) == 0)
            s->sh_name = (uint32_t)at;
    r->size += size;
}

/* The line table; returns its length. *address: where in it the kernel's address is. */
static inline size_t rig_lines(uint8_t *out, size_t *address)
{
    static const uint8_t head[] = {0, 0, 0, 0, 2, 0, 21, 0, 0, 0,   1, 1, 0xfb, 14, 10, 0,
                                   1, 1, 1, 1, 0, 0, 0,  1, 0, 'p', 0, 0, 0,    0,  0};
    static const uint8_t program[] = {
        0, 9,  2, 0,    0, 0, 0, 0, 0, 0, 0, /* set address */
        3, 6,  1, /* line 7 */
        2, 32, 3, 2,    1, /* two instructions later line 9 */
        2, 16, 3, 0x7b, 1, /* line 4 */
        2, 16, 0, 1,    1, /* end */
    };
    uint32_t length = sizeof(head) + sizeof(program) - 4;

    memcpy(out, head, sizeof(head));
    memcpy(out, &length, sizeof(length));
    memcpy(out + sizeof(head), program, sizeof(program));
    *address = sizeof(head) + 3;
    return sizeof(head) + sizeof(program);
}

static inline void rig_cubin(struct rig *r)
{
    static const Elf64_Sym symbol[2] = {{0},
                                        {.st_name = 1,
                                         .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                         .st_other = 0x10,
                                         .st_shndx = RIG_TEXT,
                                         .st_size = sizeof(rig_code)}};
    static const uint8_t info[] = {
        4, 0x11, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0x2f, 8, 0, 1, 0, 0, 0, RIG_REGISTERS, 0, 0, 0};
    Elf64_Rela move = {.r_info = ELF64_R_INFO(1, 2)};
    uint8_t lines[128];
    size_t address, length = rig_lines(lines, &address);
    Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1, 0x41, 8},
                       .e_type = ET_EXEC,
                       .e_machine = 190,
                       .e_version = 1,
                       .e_flags = 0x9005a04,
                       .e_ehsize = sizeof(head),
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = RIG_SECTIONS,
                       .e_shstrndx = RIG_NAMES};

    memset(r, 0, sizeof(*r));
    r->size = sizeof(head);
    move.r_offset = address;
    rig_put(r, RIG_NAMES, ".shstrtab", SHT_STRTAB, rig_names, sizeof(rig_names));
    rig_put(r, RIG_STRINGS, ".strtab", SHT_STRTAB, "\0k", 3);
    rig_put(r, RIG_SYMBOLS, ".symtab", SHT_SYMTAB, symbol, sizeof(symbol));
    rig_put(r, RIG_TEXT, ".text.k", SHT_PROGBITS, rig_code, sizeof(rig_code));
    rig_put(r, RIG_LINES, ".debug_line", SHT_PROGBITS, lines, length);
    rig_put(r, RIG_MOVES, ".rela.debug_line", SHT_RELA, &move, sizeof(move));
    rig_put(r, RIG_INFO, ".nv.info", SHT_LOPROC, info, sizeof(info));
    r->section[RIG_SYMBOLS].sh_link = RIG_STRINGS;
    r->section[RIG_SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
    r->section[RIG_SYMBOLS].sh_addralign = 8;
    r->section[RIG_MOVES].sh_link = RIG_SYMBOLS;
    r->section[RIG_MOVES].sh_info = RIG_LINES;
    r->section[RIG_MOVES].sh_entsize = sizeof(Elf64_Rela);
    r->section[RIG_MOVES].sh_addralign = 8;
    r->size = (r->size + 7) / 8 * 8;
    head.e_shoff = r->size;
    memcpy(r->byte, &head, sizeof(head));
    memcpy(r->byte + r->size, r->section, sizeof(r->section));
    r->size += sizeof(r->section);
}

#endif
