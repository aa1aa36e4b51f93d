/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_dwarf.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes being read; reading past the end gives zeros and ends all loops. */
struct cursor {
    const unsigned char *at, *end;
};

static uint64_t fixed(struct cursor *c, unsigned bytes)
{
    uint64_t value = 0;

    if ((uint64_t)(c->end - c->at) < bytes) {
        c->at = c->end;
        return 0;
    }
    memcpy(&value, c->at, bytes); /* little-endian hosts only */
    c->at += bytes;
    return value;
}

static uint64_t unsigned_leb(struct cursor *c)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint64_t byte;

    do {
        byte = fixed(c, 1);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while ((byte & 0x80) != 0);
    return value;
}

static int64_t signed_leb(struct cursor *c)
{
    const unsigned char *first = c->at;
    uint64_t value = unsigned_leb(c);
    unsigned bits = 7 * (unsigned)(c->at - first);

    if (bits < 64 && bits > 0 && (value >> (bits - 1) & 1))
        value |= ~(uint64_t)0 << bits;
    return (int64_t)value;
}

/* State of the line number program (DWARF 5, 6.2.2). */
struct program {
    struct cursor code;
    unsigned minimum, base, range, opcodes;
    int8_t line_base;
    uint8_t lengths[256];
    uint64_t address, line;
    uint64_t before, before_line; /* last row of the sequence, if it has one */
    bool has_row;
};

/* Adds a row; true if the previous row covers pc. */
static bool add_row(struct program *p, uint64_t pc, uint32_t *line)
{
    if (p->has_row && pc >= p->before && pc < p->address) {
        *line = (uint32_t)p->before_line;
        return true;
    }
    p->before = p->address;
    p->before_line = p->line;
    p->has_row = true;
    return false;
}

static bool extended(struct program *p, uint64_t pc, uint32_t *line)
{
    uint64_t length = unsigned_leb(&p->code);
    struct cursor args = p->code;
    bool found = false;

    if (length > (uint64_t)(p->code.end - p->code.at))
        length = (uint64_t)(p->code.end - p->code.at);
    p->code.at += length;
    args.end = p->code.at;
    switch (fixed(&args, 1)) {
    case 1: /* DW_LNE_end_sequence */
        found = add_row(p, pc, line);
        p->address = 0;
        p->line = 1;
        p->has_row = false;
        return found;
    case 2: /* DW_LNE_set_address */
        p->address = fixed(&args, 8);
        return false;
    default:
        return false;
    }
}

static bool standard(struct program *p, unsigned opcode, uint64_t pc, uint32_t *line)
{
    switch (opcode) {
    case 1: /* DW_LNS_copy */
        return add_row(p, pc, line);
    case 2: /* DW_LNS_advance_pc */
        p->address += unsigned_leb(&p->code) * p->minimum;
        return false;
    case 3: /* DW_LNS_advance_line */
        p->line += (uint64_t)signed_leb(&p->code);
        return false;
    case 8: /* DW_LNS_const_add_pc */
        p->address += (255 - p->opcodes) / p->range * p->minimum;
        return false;
    case 9: /* DW_LNS_fixed_advance_pc */
        p->address += fixed(&p->code, 2);
        return false;
    default:
        for (unsigned i = 0; i < p->lengths[opcode]; i++)
            unsigned_leb(&p->code);
        return false;
    }
}

static bool run(struct program *p, uint64_t pc, uint32_t *line)
{
    while (p->code.at < p->code.end) {
        unsigned opcode = (unsigned)fixed(&p->code, 1);

        if (opcode == 0) {
            if (extended(p, pc, line))
                return true;
        } else if (opcode < p->opcodes) {
            if (standard(p, opcode, pc, line))
                return true;
        } else {
            unsigned special = opcode - p->opcodes;

            p->address += special / p->range * p->minimum;
            p->line += (uint64_t)(int64_t)(p->line_base + (int)(special % p->range));
            if (add_row(p, pc, line))
                return true;
        }
    }
    return false;
}

/* One unit of the section; *c moves past it. */
static bool search_unit(struct cursor *c, uint64_t pc, uint32_t *line)
{
    struct program p = {.line = 1};
    uint64_t length = fixed(c, 4), header;
    unsigned offset_bytes = 4, version;
    struct cursor unit;

    if (length == 0xffffffff) {
        offset_bytes = 8;
        length = fixed(c, 8);
    }
    if (length > (uint64_t)(c->end - c->at))
        length = (uint64_t)(c->end - c->at);
    unit = (struct cursor){c->at, c->at + length};
    c->at = unit.end;
    version = (unsigned)fixed(&unit, 2);
    if (version < 2 || version > 5)
        return false;
    if (version == 5)
        fixed(&unit, 2);
    header = fixed(&unit, offset_bytes);
    if (header > (uint64_t)(unit.end - unit.at))
        return false;
    p.code = (struct cursor){unit.at + header, unit.end};
    p.minimum = (unsigned)fixed(&unit, 1);
    if (version >= 4)
        fixed(&unit, 1);
    fixed(&unit, 1); /* default_is_stmt */
    p.line_base = (int8_t)fixed(&unit, 1);
    p.range = (unsigned)fixed(&unit, 1);
    p.opcodes = (unsigned)fixed(&unit, 1);
    for (unsigned i = 1; i < p.opcodes; i++)
        p.lengths[i] = (uint8_t)fixed(&unit, 1);
    return p.range != 0 && run(&p, pc, line);
}

static struct cursor find_section(const unsigned char *image, size_t size, const char *name)
{
    const Elf64_Ehdr *head = (const void *)image;
    const Elf64_Shdr *section;
    const char *names;

    if (size < sizeof(*head) || memcmp(image, ELFMAG, SELFMAG) != 0 ||
        head->e_shoff + (uint64_t)head->e_shnum * sizeof(*section) > size ||
        head->e_shstrndx >= head->e_shnum)
        return (struct cursor){image, image};
    section = (const void *)(image + head->e_shoff);
    names = (const char *)image + section[head->e_shstrndx].sh_offset;
    for (unsigned i = 0; i < head->e_shnum; i++)
        if (strcmp(names + section[i].sh_name, name) == 0 &&
            section[i].sh_offset + section[i].sh_size <= size)
            return (struct cursor){image + section[i].sh_offset,
                                   image + section[i].sh_offset + section[i].sh_size};
    return (struct cursor){image, image};
}

/* Opens the file that is mapped at an address; -1: none. The name by which the loader knows it may
 * go through a descriptor that has been closed (byw_cl_store.c). */
static int open_mapped(const void *address)
{
    uint64_t at = (uint64_t)(uintptr_t)address, first, end;
    char line[PATH_MAX + 128], name[PATH_MAX + 1];
    FILE *maps = fopen("/proc/self/maps", "re");
    int fd = -1;

    while (maps != NULL && fd < 0 && fgets(line, sizeof(line), maps) != NULL)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %4096[^\n]", &first, &end,
                   name) == 3 &&
            first <= at && at < end)
            fd = open(name, O_RDONLY | O_CLOEXEC);
    if (maps != NULL)
        fclose(maps);
    return fd;
}

uint32_t byw_cl_dwarf_line(uint64_t pc)
{
    Dl_info info;
    struct stat file;
    uint32_t line = 0;
    void *image;
    int fd;

    if (pc == 0 || dladdr((const void *)(uintptr_t)pc, &info) == 0)
        return 0;
    fd = open_mapped(info.dli_fbase);
    if (fd < 0)
        return 0;
    image = fstat(fd, &file) != 0 ? MAP_FAILED
                                  : mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (image == MAP_FAILED)
        return 0;
    for (struct cursor c = find_section(image, (size_t)file.st_size, ".debug_line"); c.at < c.end;)
        if (search_unit(&c, pc - (uint64_t)(uintptr_t)info.dli_fbase, &line))
            break;
    munmap(image, (size_t)file.st_size);
    return line;
}
