/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_stripped.h - the static CUDA runtime in a file that has no symbol table.
 *
 * NVIDIA ships the runtime as libcudart_static.a, one object with a symbol table, and a linker
 * copies that object's code as a whole: only the places that its relocations name are different. So
 * the code of a version can be found in a file byte for byte, and each function's address is the
 * place of the code plus the value of the symbol in the archive. Nothing is guessed: if one byte
 * outside of the relocations differs, the file is left as it is.
 *
 * Archives are looked for in
 *   BYWAY_CUDART_STATIC     paths of archives, separated by colons
 *   the toolkit             CUDA_HOME, CUDA_PATH, /usr/local/cuda, Debian's package
 *   Python's packages       nvidia-cuda-runtime and nvidia-cuda-runtime-cu12, in the folder that
 *                           the library itself was installed in
 */
#ifndef BYW_CU_STRIPPED_H
#define BYW_CU_STRIPPED_H

#include "byw_cu_elf.h"

/* What was found; the symbols' values are addresses of the file that was searched. */
struct byw_cu_stripped {
    struct byw_cu_symbols symbols;
    Elf64_Sym *owned;
    void *object; /* the archive's object, which has the names */
};

/* Whether a file has kernels of its own (a section .nv_fatbin), and so may contain the runtime. */
bool byw_cu_stripped_may_be(const struct byw_cu_elf *file);

/* Finds the runtime in `file`, which was read from `path`; false if no available archive has the
 * file's version of it. The caller frees what was found. */
bool byw_cu_stripped_find(const struct byw_cu_elf *file, const char *path,
                          struct byw_cu_stripped *found);

void byw_cu_stripped_free(struct byw_cu_stripped *found);

#endif
