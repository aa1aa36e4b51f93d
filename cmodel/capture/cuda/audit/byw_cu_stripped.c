/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_stripped.c - the static CUDA runtime in a file that has no symbol table; see
 * byw_cu_stripped.h.
 */
#include "byw_cu_stripped.h"

#include <ar.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHIVE "libcudart_static.a"
#define LEAST_CODE 64u /* fewest bytes outside of relocations by which code can be recognised */
#define ANCHOR_MOST 1024u /* bytes of the run that is searched for first */

/* The code of an object of the archive, and which of its bytes every copy has. */
struct code {
    struct byw_cu_elf object;
    unsigned section;
    const unsigned char *bytes;
    size_t size;
    bool *is_fixed;
};

static bool has_name(const Elf64_Shdr *section, const char *name, const void *wanted)
{
    return section->sh_type == SHT_PROGBITS && strcmp(name, wanted) == 0;
}

bool byw_cu_stripped_may_be(const struct byw_cu_elf *file)
{
    return byw_cu_elf_section(file, has_name, ".nv_fatbin") != 0;
}

/* Marks the bytes that a linker may change for a relocation: its field, the opcode of a reference
 * through the global offset table (which may be relaxed), and both instructions of a thread-local
 * address. */
static void free_field(struct code *code, const Elf64_Rela *relocation)
{
    size_t before = 0, after = 4, first, end;

    switch (ELF64_R_TYPE(relocation->r_info)) {
    case R_X86_64_64:
        after = 8;
        break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
    case R_X86_64_GOTTPOFF:
        before = 3;
        break;
    case R_X86_64_TLSGD:
    case R_X86_64_TLSLD:
        before = 4;
        after = 12;
        break;
    default:
        break;
    }
    if (relocation->r_offset > code->size)
        return;
    first = relocation->r_offset < before ? 0 : relocation->r_offset - before;
    end = relocation->r_offset + after;
    for (size_t i = first; i < end && i < code->size; i++)
        code->is_fixed[i] = false;
}

static bool relocates(const Elf64_Shdr *section, const char *name, const void *wanted)
{
    (void)name;
    return section->sh_type == SHT_RELA && section->sh_info == *(const unsigned *)wanted &&
           section->sh_offset % _Alignof(Elf64_Rela) == 0;
}

/* Reads an object's code; false if it has none. The caller frees is_fixed. */
static bool read_code(const struct byw_cu_elf *object, struct code *code)
{
    const Elf64_Shdr *header;
    unsigned relocations;

    if (!byw_cu_elf_is_valid(object))
        return false;
    *code =
        (struct code){.object = *object, .section = byw_cu_elf_section(object, has_name, ".text")};
    header = byw_cu_elf_header(object, code->section);
    if (code->section == 0 || header->sh_size < LEAST_CODE)
        return false;
    code->bytes = object->bytes + header->sh_offset;
    code->size = header->sh_size;
    code->is_fixed = malloc(code->size * sizeof(bool));
    if (code->is_fixed == NULL)
        return false;
    memset(code->is_fixed, true, code->size * sizeof(bool));
    relocations = byw_cu_elf_section(object, relocates, &code->section);
    if (relocations != 0) {
        header = byw_cu_elf_header(object, relocations);
        for (size_t i = 0; i < header->sh_size / sizeof(Elf64_Rela); i++)
            free_field(code,
                       (const Elf64_Rela *)(const void *)(object->bytes + header->sh_offset) + i);
    }
    return true;
}

/* The longest run of fixed bytes, at most ANCHOR_MOST. */
static size_t anchor_of(const struct code *code, size_t *size)
{
    size_t best = 0, run = 0;

    *size = 0;
    for (size_t i = 0; i < code->size && *size < ANCHOR_MOST; i++) {
        run = code->is_fixed[i] ? run + 1 : 0;
        if (run > *size) {
            *size = run;
            best = i + 1 - run;
        }
    }
    return best;
}

static bool is_copy(const struct code *code, const unsigned char *bytes)
{
    for (size_t i = 0; i < code->size; i++)
        if (code->is_fixed[i] && bytes[i] != code->bytes[i])
            return false;
    return true;
}

/* Searches one section for the code; NULL if it is not there. */
static const unsigned char *find_copy(const struct code *code, const unsigned char *bytes,
                                      size_t size)
{
    size_t length, anchor = anchor_of(code, &length);
    const unsigned char *end = bytes + size, *at = bytes;

    if (length < LEAST_CODE || size < code->size)
        return NULL;
    for (at = bytes + anchor; at < end; at++) {
        at = memmem(at, (size_t)(end - at), code->bytes + anchor, length);
        if (at == NULL || (size_t)(end - at) < code->size - anchor)
            return NULL;
        if (is_copy(code, at - anchor))
            return at - anchor;
    }
    return NULL;
}

struct search {
    const struct byw_cu_elf *file;
    const struct code *code;
    Elf64_Addr *address; /* out: of the copy */
};

static bool holds_copy(const Elf64_Shdr *section, const char *name, const void *wanted)
{
    const struct search *search = wanted;
    const unsigned char *bytes = search->file->bytes + section->sh_offset, *at;

    (void)name;
    if (section->sh_type != SHT_PROGBITS || (section->sh_flags & SHF_EXECINSTR) == 0)
        return false;
    at = find_copy(search->code, bytes, section->sh_size);
    if (at != NULL)
        *search->address = section->sh_addr + (Elf64_Addr)(at - bytes);
    return at != NULL;
}

/* Copies the object's symbols; those of its code get the addresses of the copy. */
static bool place_symbols(const struct code *code, Elf64_Addr address,
                          struct byw_cu_stripped *found)
{
    struct byw_cu_symbols *symbols = &found->symbols;

    if (!byw_cu_elf_symbols(&code->object, SHT_SYMTAB, symbols) || symbols->count == 0)
        return false;
    found->owned = calloc(symbols->count, sizeof(*found->owned));
    if (found->owned == NULL)
        return false;
    for (size_t i = 0; i < symbols->count; i++) {
        found->owned[i] = symbols->symbol[i];
        found->owned[i].st_value += address;
        if (symbols->symbol[i].st_shndx != code->section ||
            symbols->symbol[i].st_value >= code->size)
            found->owned[i].st_shndx = SHN_UNDEF;
    }
    symbols->symbol = found->owned;
    return true;
}

static bool try_object(const struct byw_cu_elf *object, const struct byw_cu_elf *file,
                       struct byw_cu_stripped *found)
{
    struct code code = {0};
    Elf64_Addr address = 0;
    struct search search = {file, &code, &address};
    bool ok = read_code(object, &code) && byw_cu_elf_section(file, holds_copy, &search) != 0 &&
              place_symbols(&code, address, found);

    free(code.is_fixed);
    return ok;
}

/* Tries a member of an archive, whose bytes are only aligned to two. */
static bool try_member(const unsigned char *bytes, size_t size, const struct byw_cu_elf *file,
                       struct byw_cu_stripped *found)
{
    struct byw_cu_elf object = {malloc(size + 1), size};

    if (object.bytes == NULL)
        return false;
    found->object = memcpy((void *)(uintptr_t)object.bytes, bytes, size);
    if (try_object(&object, file, found))
        return true;
    byw_cu_stripped_free(found);
    return false;
}

static bool try_members(const struct byw_cu_elf *archive, const struct byw_cu_elf *file,
                        struct byw_cu_stripped *found)
{
    size_t at = SARMAG, size;

    if (archive->size < SARMAG || memcmp(archive->bytes, ARMAG, SARMAG) != 0)
        return false;
    while (at < archive->size && archive->size - at >= sizeof(struct ar_hdr)) {
        const struct ar_hdr *header = (const void *)(archive->bytes + at);
        char digits[sizeof(header->ar_size) + 1] = "";

        memcpy(digits, header->ar_size, sizeof(header->ar_size));
        size = strtoull(digits, NULL, 10);
        at += sizeof(*header);
        if (size > archive->size - at)
            return false;
        if (try_member(archive->bytes + at, size, file, found))
            return true;
        at += size + size % 2;
    }
    return false;
}

static bool try_archive(const char *path, const struct byw_cu_elf *file,
                        struct byw_cu_stripped *found)
{
    struct byw_cu_elf archive = {0};
    bool ok = byw_cu_elf_map(path, &archive) && try_members(&archive, file, found);

    byw_cu_elf_close(&archive);
    return ok;
}

/* Tries the archives that BYWAY_CUDART_STATIC names. */
static bool try_named(const struct byw_cu_elf *file, struct byw_cu_stripped *found)
{
    const char *list = getenv("BYWAY_CUDART_STATIC");
    char path[PATH_MAX];

    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");

        snprintf(path, sizeof(path), "%.*s", (int)length, list);
        if (length < sizeof(path) && try_archive(path, file, found))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

static bool try_folders(const struct byw_cu_elf *file, const char *root, size_t length,
                        const char *const *folders, struct byw_cu_stripped *found)
{
    char path[PATH_MAX];

    for (; *folders != NULL; folders++) {
        int size = snprintf(path, sizeof(path), "%.*s%s/" ARCHIVE, (int)length, root, *folders);

        if (size > 0 && (size_t)size < sizeof(path) && try_archive(path, file, found))
            return true;
    }
    return false;
}

/* Tries the toolkit's archive. */
static bool try_toolkit(const struct byw_cu_elf *file, struct byw_cu_stripped *found)
{
    static const char *const folders[] = {"/lib64", "/targets/x86_64-linux/lib", NULL};
    static const char *const debian[] = {"/lib/x86_64-linux-gnu", NULL};
    const char *roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};

    for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
        if (roots[i] != NULL && try_folders(file, roots[i], strlen(roots[i]), folders, found))
            return true;
    return try_folders(file, "/usr", 4, debian, found);
}

/* Tries the archives of NVIDIA's Python packages that are installed in a folder above the file. */
static bool try_packages(const struct byw_cu_elf *file, const char *path,
                         struct byw_cu_stripped *found)
{
    static const char *const folders[] = {"/nvidia/cuda_runtime/lib", "/nvidia/cu13/lib", NULL};

    for (size_t length = strlen(path); length > 0; length--)
        if (path[length] == '/' && try_folders(file, path, length, folders, found))
            return true;
    return false;
}

bool byw_cu_stripped_find(const struct byw_cu_elf *file, const char *path,
                          struct byw_cu_stripped *found)
{
    *found = (struct byw_cu_stripped){0};
    return try_named(file, found) || try_packages(file, path, found) || try_toolkit(file, found);
}

void byw_cu_stripped_free(struct byw_cu_stripped *found)
{
    free(found->owned);
    free(found->object);
    *found = (struct byw_cu_stripped){0};
}
