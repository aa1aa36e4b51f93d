/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_source.h - the parts of the kernels' OpenCL C text that advice needs: lines, the
 * parameters of a kernel, the expression on a line that reads an array, and that expression with a
 * hint in OpenCL C, CUDA, PTX and HIP.
 *
 * It is not a compiler: it finds parameters by the kernel's name and its parentheses, and
 * expressions by the array's name and its brackets. Parts that it does not find are omitted.
 */
#ifndef BYW_ADVISE_SOURCE_H
#define BYW_ADVISE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

enum { BYW_SOURCE_NAME = 64, BYW_SOURCE_LINE = 512 };

enum { BYW_ADVISE_TEXTS = 64 };

/* The texts of a program; a kernel's lines refer to the text that defines it, or to the first
 * one. */
struct byw_advise_source {
    char *text[BYW_ADVISE_TEXTS];
    char *file[BYW_ADVISE_TEXTS]; /* CUDA: the file's name in a diff; NULL: OpenCL C without a
                                     file */
    uint32_t count;
};

/* Adds the text of a file.  N.path, next to a copy N.cl of a CUDA program's source, has the path
 * of the original. */
enum byw_status byw_advise_source_read(struct byw_advise_source *source, const char *path,
                                       struct byw_diag *diag);
/* The number of the kernel's text; UINT32_MAX: there is none. */
uint32_t byw_advise_text_of(const struct byw_advise_source *source, const char *kernel);
void byw_advise_source_release(struct byw_advise_source *source);

/* A line, counted from 1, of the kernel's text without surrounding blanks; false: there is no such
 * line, or it is blank. */
bool byw_advise_line(const struct byw_advise_source *source, const char *kernel, uint32_t line,
                     char text[BYW_SOURCE_LINE]);

/* A parameter of a kernel: its name and the type it points to ("float"). */
bool byw_advise_parameter(const struct byw_advise_source *source, const char *kernel,
                          int32_t argument, char name[BYW_SOURCE_NAME], char type[BYW_SOURCE_NAME]);

/* The n-th (from 0) expression `name[...]` in text that is only read (not changed, address not
 * taken); false: there are fewer. For a structure it includes the member that is read:
 * `name[...].member`. *at, *length: its place. */
bool byw_advise_expression(const char *text, const char *name, const char *type, uint32_t n,
                           size_t *at, size_t *length);

/* Whether the line is one statement `name[...] += ...;`, with this or another operator: the place
 * of its expression, and the operator's length without =. */
bool byw_advise_update(const char *text, const char *name, size_t *at, size_t *length,
                       size_t *operator_length);

/* The reason why a hint cannot be written at a load, for users ("macro READ hides the expression");
 * false: it can be written. */
bool byw_advise_obstacle(const struct byw_advise_source *source, const char *kernel, uint32_t line,
                         int32_t argument, char text[BYW_SOURCE_LINE]);

/* Whether the type is a scalar or vector of OpenCL C, whose components have no address. */
bool byw_advise_is_built_in(const char *type);

enum byw_advise_language {
    BYW_ADVISE_OPENCL,
    BYW_ADVISE_CUDA,
    BYW_ADVISE_PTX,
    BYW_ADVISE_HIP,
    BYW_ADVISE_LANGUAGES
};

/* The name of a language in the report ("opencl"). */
const char *byw_advise_language(enum byw_advise_language language);

/* Writes a load of `expression`, of this type, with a hint (enum byw_hint) for a GPU of that
 * compute capability (machine.compute; 0: only forms that every GPU of the language supports);
 * `last`: no line that it fetches is used again. A statement of inline assembly assigns to `v`.
 * False: the language has no such load of this type. */
bool byw_advise_written(enum byw_advise_language language, uint8_t hint, uint32_t compute,
                        bool last, const char *expression, const char *type, char *text,
                        size_t room);
/* The same hinted load as an expression, which can replace the load in the source. */
bool byw_advise_in_place(enum byw_advise_language language, uint8_t hint, uint32_t compute,
                         const char *expression, const char *type, char *text, size_t room);

#endif
