/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_elf.h - ELF files as the audit library reads them: sections and symbols, 64 bits,
 * little-endian. Files are hostile: each offset is checked before it is followed.
 */
#ifndef BYW_CU_ELF_H
#define BYW_CU_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file in memory, or a part of one. */
struct byw_cu_elf {
    const unsigned char *bytes;
    size_t size;
};

struct byw_cu_symbols {
    const Elf64_Sym *symbol;
    size_t count;
    const char *names; /* ended by NUL */
    size_t room; /* bytes of names */
};

/* Maps a file; false if it cannot be read or is empty. The caller closes it. */
bool byw_cu_elf_map(const char *path, struct byw_cu_elf *file);

/* Maps a file; false if it is no ELF file of 64 bits. */
bool byw_cu_elf_open(const char *path, struct byw_cu_elf *file);

/* Closes a file that was mapped; does nothing to one that was not. */
void byw_cu_elf_close(struct byw_cu_elf *file);

/* Whether the bytes are an ELF file that contains all its section headers. */
bool byw_cu_elf_is_valid(const struct byw_cu_elf *file);

/* Returns the first section for which `accept` returns true, as its index; 0 if there is none.
 * Sections whose bytes are not all in the file are skipped. */
unsigned byw_cu_elf_section(const struct byw_cu_elf *file,
                            bool (*accept)(const Elf64_Shdr *section, const char *name,
                                           const void *wanted),
                            const void *wanted);

/* The header of a section, by an index below e_shnum. */
const Elf64_Shdr *byw_cu_elf_header(const struct byw_cu_elf *file, unsigned index);

/* Finds the symbols of SHT_SYMTAB or SHT_DYNSYM; false if the file has none. */
bool byw_cu_elf_symbols(const struct byw_cu_elf *file, uint32_t type,
                        struct byw_cu_symbols *symbols);

/* The name of a symbol; "" if it has none. */
const char *byw_cu_elf_name(const struct byw_cu_symbols *symbols, const Elf64_Sym *symbol);

/* Returns a function that the file defines; NULL if it defines none of that name. */
const Elf64_Sym *byw_cu_elf_find(const struct byw_cu_symbols *symbols, const char *name);

#endif
