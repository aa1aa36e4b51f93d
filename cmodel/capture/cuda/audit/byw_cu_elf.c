/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_elf.c - ELF files as the audit library reads them; see byw_cu_elf.h.
 */
#include "byw_cu_elf.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool byw_cu_elf_map(const char *path, struct byw_cu_elf *file)
{
    struct stat status;
    void *bytes = MAP_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *file = (struct byw_cu_elf){bytes, (size_t)status.st_size};
    return true;
}

bool byw_cu_elf_open(const char *path, struct byw_cu_elf *file)
{
    return byw_cu_elf_map(path, file) && byw_cu_elf_is_valid(file);
}

void byw_cu_elf_close(struct byw_cu_elf *file)
{
    if (file->bytes != NULL)
        munmap((void *)(uintptr_t)file->bytes, file->size);
    *file = (struct byw_cu_elf){0};
}

bool byw_cu_elf_is_valid(const struct byw_cu_elf *file)
{
    const Elf64_Ehdr *header = (const void *)file->bytes;

    return file->size >= sizeof(*header) && memcmp(file->bytes, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_shoff <= file->size &&
           header->e_shoff % _Alignof(Elf64_Shdr) == 0 &&
           header->e_shnum * sizeof(Elf64_Shdr) <= file->size - header->e_shoff;
}

const Elf64_Shdr *byw_cu_elf_header(const struct byw_cu_elf *file, unsigned index)
{
    const Elf64_Ehdr *header = (const void *)file->bytes;

    return (const Elf64_Shdr *)(const void *)(file->bytes + header->e_shoff) + index;
}

static bool is_inside(const struct byw_cu_elf *file, const Elf64_Shdr *section)
{
    return section->sh_type == SHT_NOBITS || (section->sh_offset <= file->size &&
                                              section->sh_size <= file->size - section->sh_offset);
}

/* The bytes of a string table, which ends with NUL; "" if it is not one. */
static const char *names_of(const struct byw_cu_elf *file, unsigned index, size_t *room)
{
    const Elf64_Ehdr *header = (const void *)file->bytes;
    const Elf64_Shdr *names = byw_cu_elf_header(file, index);

    *room = 1;
    if (index >= header->e_shnum || names->sh_type != SHT_STRTAB || !is_inside(file, names) ||
        names->sh_size == 0 || file->bytes[names->sh_offset + names->sh_size - 1] != '\0')
        return "";
    *room = names->sh_size;
    return (const char *)file->bytes + names->sh_offset;
}

unsigned byw_cu_elf_section(const struct byw_cu_elf *file,
                            bool (*accept)(const Elf64_Shdr *section, const char *name,
                                           const void *wanted),
                            const void *wanted)
{
    const Elf64_Ehdr *header = (const void *)file->bytes;
    size_t room;
    const char *names = names_of(file, header->e_shstrndx, &room);

    for (unsigned i = 1; i < header->e_shnum; i++) {
        const Elf64_Shdr *section = byw_cu_elf_header(file, i);

        if (is_inside(file, section) &&
            accept(section, section->sh_name < room ? names + section->sh_name : "", wanted))
            return i;
    }
    return 0;
}

static bool has_type(const Elf64_Shdr *section, const char *name, const void *wanted)
{
    (void)name;
    return section->sh_type == *(const uint32_t *)wanted &&
           section->sh_offset % _Alignof(Elf64_Sym) == 0;
}

bool byw_cu_elf_symbols(const struct byw_cu_elf *file, uint32_t type,
                        struct byw_cu_symbols *symbols)
{
    unsigned index = byw_cu_elf_section(file, has_type, &type);
    const Elf64_Shdr *section = byw_cu_elf_header(file, index);

    if (index == 0)
        return false;
    symbols->symbol = (const void *)(file->bytes + section->sh_offset);
    symbols->count = section->sh_size / sizeof(Elf64_Sym);
    symbols->names = names_of(file, section->sh_link, &symbols->room);
    return symbols->room > 1;
}

const char *byw_cu_elf_name(const struct byw_cu_symbols *symbols, const Elf64_Sym *symbol)
{
    return symbol->st_name < symbols->room ? symbols->names + symbol->st_name : "";
}

const Elf64_Sym *byw_cu_elf_find(const struct byw_cu_symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (ELF64_ST_TYPE(symbols->symbol[i].st_info) == STT_FUNC &&
            symbols->symbol[i].st_shndx != SHN_UNDEF &&
            strcmp(byw_cu_elf_name(symbols, &symbols->symbol[i]), name) == 0)
            return &symbols->symbol[i];
    return NULL;
}
