/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_compile.h - from OpenCL C source to a loaded shared object.
 *
 * clang compiles the source for nvptx64 with libclc, so that the IR looks like a GPU's;
 * byw_cl_transform() turns it into host code, clang links that, and the result is loaded.  Objects
 * are cached (common/byw_cache.h, byw_cl_store.h) under a hash of the source, the options, the
 * included files, the processor and the versions of clang and byway.
 */
#ifndef BYW_CL_COMPILE_H
#define BYW_CL_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/run/byw_cl_code.h"
#include "common/byw_status.h"

struct byw_cl_binary; /* a loaded program */

struct byw_cl_workshop;
typedef enum byw_status byw_cl_maker(struct byw_cl_workshop *w, const char *report,
                                     uint64_t *instructions, struct byw_diag *diag);

/* clang's messages, warnings included, are returned in *log (malloced, never NULL), also with
 * BYW_EFORMAT, which means that the source does not compile. traced: add the code that writes the
 * lanes' logs; maker: byw_cl_workshop.h, NULL: none. */
enum byw_status byw_cl_compile(const char *source, const char *options, bool traced,
                               byw_cl_maker *maker, struct byw_cl_binary **binary, char **log,
                               struct byw_diag *diag);

/* A source compiled for linking: LLVM bitcode, data malloced. */
struct byw_cl_object_code {
    char *data;
    size_t size;
};
struct byw_cl_header {
    const char *name, *text; /* name: as #include spells it; text: its contents */
};

/* As above, but nothing is cached, and undefined symbols are left to the linker. */
enum byw_status byw_cl_compile_object(const char *source, const char *options,
                                      const struct byw_cl_header *header, size_t headers,
                                      struct byw_cl_object_code *object, char **log,
                                      struct byw_diag *diag);

/* Links objects into *whole, and unless binary is NULL builds a program from it. BYW_EFORMAT: they
 * do not link. */
enum byw_status byw_cl_link(const struct byw_cl_object_code *const *list, size_t count, bool traced,
                            struct byw_cl_object_code *whole, struct byw_cl_binary **binary,
                            char **log, struct byw_diag *diag);

void byw_cl_binary_free(struct byw_cl_binary *binary);

/* A symbol of the loaded object; NULL: it has none of this name. */
void *byw_cl_binary_symbol(const struct byw_cl_binary *binary, const char *name);

const struct byw_cl_export *byw_cl_binary_export(const struct byw_cl_binary *binary);
const struct byw_cl_export_kernel *byw_cl_binary_kernel(const struct byw_cl_binary *binary,
                                                        unsigned index);

/* With BYWAY_SOURCES: stores a copy of a source that is about to be built, and the path of its file
 * (NULL: none). Returns the text to build instead, which the caller frees; NULL: the source
 * itself. */
char *byw_cl_source_instead(const char *source, const char *file);

#endif
