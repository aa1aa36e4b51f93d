/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_audit.c - a library for LD_AUDIT: ld.so calls it for every library that a program loads.
 *
 *   - A library that byway provides is replaced by byway's, even if the program finds it by an
 *     rpath or full path.
 *   - The static CUDA runtime, nvcc's default, needs private parts of NVIDIA's driver.  In a
 *     program or library that contains it, each of its functions is overwritten by a jump to the
 *     function of that name in byway's libcudart.so. The symbol table locates them; in a file
 *     without one, NVIDIA's archive of the runtime does (byw_cu_stripped.h).
 *   - libnvrtc returns PTX instead of machine code, which byway cannot run.
 *
 * ld.so loads this library into a separate namespace with its own libc; the library loads
 * libcudart.so into the program's namespace.  x86-64 only: elsewhere nothing is redirected.
 */
#include "byw_cu_elf.h"
#include "byw_cu_stripped.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define RUNTIME_12 "libcudart.so.12"
#define RUNTIME_13 "libcudart.so.13"

/* What a redirected function jumps through. */
struct slot {
    void *target; /* byw_cu_audit_resolve until the first call */
    const char *library, *name;
};

/* movabs $slot, %r11; jmp *(%r11) */
static const unsigned char jump[] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0x23};
#define JUMP_SLOT_AT 2
#define FUNCTION_ALIGN 16u

API unsigned la_version(unsigned version);
API char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag);
API unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie);
void byw_cu_audit_resolve(void);
void byw_cu_audit_find(struct slot *slot);

/* Finds the file with that name in byway's library folder; false if there is none. */
static bool own_library(const char *name, char path[PATH_MAX])
{
    Dl_info info;
    const char *slash;

    if (dladdr((void *)(uintptr_t)&own_library, &info) == 0)
        return false;
    slash = strrchr(info.dli_fname, '/');
    snprintf(path, PATH_MAX, "%.*s/%s", slash == NULL ? 1 : (int)(slash - info.dli_fname),
             slash == NULL ? "." : info.dli_fname, name);
    return access(path, R_OK) == 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Bytes that may be overwritten: compilers align functions, so what follows a short one is padding.
 */
static size_t room_of(const Elf64_Sym *symbol)
{
    return symbol->st_value % FUNCTION_ALIGN != 0
               ? symbol->st_size
               : (symbol->st_size + FUNCTION_ALIGN - 1) / FUNCTION_ALIGN * FUNCTION_ALIGN;
}

/* Writes the jump over the start of a loaded function. */
static void redirect(const struct link_map *map, const Elf64_Sym *symbol, struct slot *slot)
{
    uintptr_t at = map->l_addr + symbol->st_value, page = (uintptr_t)getpagesize();
    uintptr_t from = at / page * page, to = (at + sizeof(jump) + page - 1) / page * page;
    unsigned char *code = (void *)at;

    if (room_of(symbol) < sizeof(jump) ||
        mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return;
    memcpy(code, jump, sizeof(jump));
    memcpy(code + JUMP_SLOT_AT, &slot, sizeof(slot));
    mprotect((void *)from, to - from, PROT_READ | PROT_EXEC);
}

static struct slot *new_slot(void *target, const char *library, const char *name)
{
    struct slot *slot = malloc(sizeof(*slot));

    if (slot != NULL)
        *slot = (struct slot){target, library, strdup(name)};
    return slot;
}

/* The version of the runtime that is linked into a file; NULL if byway has no such version. */
static const char *runtime_in(const struct byw_cu_symbols *symbols)
{
    if (byw_cu_elf_find(symbols, "cudaMalloc") == NULL ||
        byw_cu_elf_find(symbols, "cudaBindTexture") != NULL)
        return NULL; /* only CUDA 11 has cudaBindTexture */
    return byw_cu_elf_find(symbols, "cudaGetDeviceProperties_v2") != NULL ? RUNTIME_12 : RUNTIME_13;
}

static void redirect_runtime(const struct link_map *map, const struct byw_cu_symbols *symbols)
{
    const char *library = runtime_in(symbols);
    char path[PATH_MAX];
    struct byw_cu_elf file = {0};
    struct byw_cu_symbols own;
    const Elf64_Sym *symbol;
    struct slot *slot;

    if (library != NULL && own_library(library, path) && byw_cu_elf_open(path, &file) &&
        byw_cu_elf_symbols(&file, SHT_DYNSYM, &own))
        for (size_t i = 0; i < own.count; i++) {
            const char *name = byw_cu_elf_name(&own, &own.symbol[i]);

            if (own.symbol[i].st_shndx == SHN_UNDEF || strstr(name, "cuda") == NULL)
                continue;
            symbol = byw_cu_elf_find(symbols, name);
            if (symbol == NULL)
                continue;
            slot = new_slot((void *)(uintptr_t)&byw_cu_audit_resolve, library, name);
            if (slot != NULL)
                redirect(map, symbol, slot);
        }
    byw_cu_elf_close(&file);
}

/* nvrtcGetCUBIN and nvrtcGetCUBINSize become nvrtcGetPTX and nvrtcGetPTXSize. */
static void redirect_compiler(const struct link_map *map, const struct byw_cu_symbols *symbols)
{
    static const char *const names[][2] = {{"nvrtcGetCUBIN", "nvrtcGetPTX"},
                                           {"nvrtcGetCUBINSize", "nvrtcGetPTXSize"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const Elf64_Sym *from = byw_cu_elf_find(symbols, names[i][0]),
                        *to = byw_cu_elf_find(symbols, names[i][1]);
        struct slot *slot;

        if (from == NULL || to == NULL)
            return;
        slot = new_slot((void *)(map->l_addr + to->st_value), NULL, names[i][1]);
        if (slot != NULL)
            redirect(map, from, slot);
    }
}

unsigned la_version(unsigned version)
{
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    char path[PATH_MAX];

    (void)cookie;
    if (flag == LA_SER_ORIG && own_library(base_name(name), path))
        return strdup(path);
    return (char *)(uintptr_t)name;
}

/* Redirects the static runtime that a file contains, if it does. */
static void redirect_static(const struct link_map *map, const struct byw_cu_elf *file,
                            const char *path)
{
    struct byw_cu_symbols symbols;
    struct byw_cu_stripped found;

    if (byw_cu_elf_symbols(file, SHT_SYMTAB, &symbols) &&
        byw_cu_elf_find(&symbols, "cudaMalloc") != NULL) {
        redirect_runtime(map, &symbols);
    } else if (byw_cu_stripped_may_be(file)) {
        if (byw_cu_stripped_find(file, path, &found))
            redirect_runtime(map, &found.symbols);
        byw_cu_stripped_free(&found);
    }
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    const char *path = map->l_name[0] != '\0' ? map->l_name : "/proc/self/exe";
    char resolved[PATH_MAX];
    const char *name = base_name(path);
    struct byw_cu_elf file = {0};
    struct byw_cu_symbols symbols;

    (void)cookie;
#if defined(__x86_64__)
    if (space == LM_ID_BASE && strncmp(name, "libcudart.so", 12) != 0 &&
        byw_cu_elf_open(path, &file)) {
        if (strncmp(name, "libnvrtc.so", 11) != 0)
            redirect_static(map, &file, realpath(path, resolved) != NULL ? resolved : path);
        else if (byw_cu_elf_symbols(&file, SHT_DYNSYM, &symbols))
            redirect_compiler(map, &symbols);
    }
#endif
    byw_cu_elf_close(&file);
    return 0;
}

/* Finds the function of the program's libcudart.so for the first call through a slot. */
void byw_cu_audit_find(struct slot *slot)
{
    char path[PATH_MAX];
    void *library = own_library(slot->library, path) ? dlmopen(LM_ID_BASE, path, RTLD_NOW) : NULL;
    void *target = library != NULL ? dlsym(library, slot->name) : NULL;

    if (target == NULL) {
        fprintf(stderr, "byway: %s: cannot be loaded for %s: %s\n", slot->library, slot->name,
                dlerror());
        abort();
    }
    __atomic_store_n(&slot->target, target, __ATOMIC_RELEASE);
}

#if defined(__x86_64__)
/* Entered with the slot in %r11 and the arguments of the call, which it preserves. */
__asm__(".text\n"
        ".type byw_cu_audit_resolve, @function\n"
        "byw_cu_audit_resolve:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    push %rdi\n    push %rsi\n    push %rdx\n    push %rcx\n"
        "    push %r8\n    push %r9\n    push %rax\n    push %r11\n"
        "    sub $128, %rsp\n"
        "    movups %xmm0, (%rsp)\n    movups %xmm1, 16(%rsp)\n"
        "    movups %xmm2, 32(%rsp)\n    movups %xmm3, 48(%rsp)\n"
        "    movups %xmm4, 64(%rsp)\n    movups %xmm5, 80(%rsp)\n"
        "    movups %xmm6, 96(%rsp)\n    movups %xmm7, 112(%rsp)\n"
        "    mov %r11, %rdi\n"
        "    call byw_cu_audit_find\n"
        "    movups (%rsp), %xmm0\n    movups 16(%rsp), %xmm1\n"
        "    movups 32(%rsp), %xmm2\n    movups 48(%rsp), %xmm3\n"
        "    movups 64(%rsp), %xmm4\n    movups 80(%rsp), %xmm5\n"
        "    movups 96(%rsp), %xmm6\n    movups 112(%rsp), %xmm7\n"
        "    add $128, %rsp\n"
        "    pop %r11\n    pop %rax\n    pop %r9\n    pop %r8\n"
        "    pop %rcx\n    pop %rdx\n    pop %rsi\n    pop %rdi\n"
        "    pop %rbp\n"
        "    jmp *(%r11)\n");
#endif
