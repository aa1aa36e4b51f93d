/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_workshop.h - a folder in which one program is compiled, and clang's runs in it; private to
 * byw_cl_compile.c and byw_cl_link.c.
 */
#ifndef BYW_CL_WORKSHOP_H
#define BYW_CL_WORKSHOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/byw_cl_sweeper.h"
#include "capture/run/byw_cl_code.h"
#include "common/byw_status.h"

#define BYW_CL_PATH 512

/* A folder for the files of one compilation, and their names. */
struct byw_cl_workshop {
    char folder[BYW_CL_PATH];
    char source[BYW_CL_PATH + 16], bitcode[BYW_CL_PATH + 16], unrolled[BYW_CL_PATH + 16],
        host[BYW_CL_PATH + 16], compiled[BYW_CL_PATH + 16], object[BYW_CL_PATH + 16],
        frames[BYW_CL_PATH + 16], errors[BYW_CL_PATH + 16], ptx[BYW_CL_PATH + 16],
        report[BYW_CL_PATH + 16], text[BYW_CL_PATH + 16], prelude[BYW_CL_PATH + 32],
        input[BYW_CL_PATH + 16];
    struct byw_cl_sweeper sweeper;
    const char *want[40]; /* -D words for the parts of the prelude in use */
    bool rounds; /* the program converts to float with _rtz, _rtp or _rtn */
    size_t wants;
};

/* Paths of clang, and of OpenCL C's library as bitcode. */
const char *byw_cl_clang(void);
const char *byw_cl_library(void);

/* Hash of the tools that determine an object: byway, clang, the processor. */
uint64_t byw_cl_hash_tools(bool traced);

/* Loads a finished object. */
struct byw_cl_binary;
enum byw_status byw_cl_load(const char *path, struct byw_cl_binary **binary, struct byw_diag *diag);

/* Memory of a loaded object's variables (NULL: none), shared by the objects of a program; the first
 * of them sets the initial values. */
enum byw_status byw_cl_variables_take(const struct byw_cl_variable *variable,
                                      struct byw_diag *diag);
void byw_cl_variables_give(const struct byw_cl_variable *variable);

/* A new folder inside `parent`, removed when this process ends, even if it is killed. */
enum byw_status byw_cl_workshop_open(struct byw_cl_workshop *w, const char *parent,
                                     struct byw_diag *diag);
void byw_cl_workshop_close(struct byw_cl_workshop *w);

/* A file's bytes followed by a NUL (malloced); NULL if out of memory, empty if there is
 * no such file. */
char *byw_cl_read_file(const char *path, size_t *size);
enum byw_status byw_cl_write_file(const char *path, const void *data, size_t size,
                                  struct byw_diag *diag);

/* Finds out which parts of the prelude a text, its included files and the compiler options (as in
 * -DT=half) use. */
enum byw_status byw_cl_workshop_prelude(struct byw_cl_workshop *w, const char *text,
                                        const char *options, struct byw_diag *diag);

/* Compiles w->source with clang. */
enum byw_cl_stage {
    BYW_CL_EXPAND, /* text, into w->text */
    BYW_CL_BITCODE, /* optimised, with the library's functions, into w->bitcode */
    BYW_CL_UNROLLED, /* the same with loops unrolled further, into w->unrolled */
    BYW_CL_OBJECT, /* for linking with others; result in w->bitcode */
    BYW_CL_PTX, /* for NVIDIA's assembler, into w->ptx; messages are dropped */
    BYW_CL_PTX_APPROXIMATE /* the same with the GPU's own approximations of sine and the like */
};

/* BYW_CL_BITCODE also makes BYW_CL_UNROLLED for a program that has private arrays. BYW_EFORMAT: the
 * program does not compile; w->errors says why. */
enum byw_status byw_cl_workshop_front(struct byw_cl_workshop *w, const char *options,
                                      enum byw_cl_stage stage, struct byw_diag *diag);

/* Optimises w->text, which is bitcode, into w->bitcode and, if needed, w->unrolled. */
enum byw_status byw_cl_workshop_optimise(struct byw_cl_workshop *w, struct byw_diag *diag);

/* Assembles w->ptx for an architecture: one kernel, or all (NULL).  Returns the assembler's report
 * (malloced), which byw_ptxas_registers() reads, or NULL if registers stay unknown. */
#define BYW_CL_WORKSHOP_ARCH "sm_90"
char *byw_cl_workshop_assemble(const struct byw_cl_workshop *w, const char *arch,
                               const char *kernel);

/* A maker: makes w->host, code that writes the log, from w->ptx. w->bitcode describes the kernels'
 * arguments; report: the assembler's. BYW_EUNSUPPORTED: impossible with this PTX. */
typedef enum byw_status byw_cl_maker(struct byw_cl_workshop *w, const char *report,
                                     uint64_t *instructions, struct byw_diag *diag);

/* Makes w->object: with a maker from the PTX if possible, otherwise from w->bitcode and
 * w->unrolled. options: the compiler options of w->source, which is compiled again so that NVIDIA's
 * assembler can count registers; NULL: there is no source. */
enum byw_status byw_cl_workshop_back(struct byw_cl_workshop *w, const char *options, bool traced,
                                     byw_cl_maker *maker, struct byw_diag *diag);

/* Compiles w->host, bitcode from byw_cl_transform() with this number of instructions, to
 * w->object; untraced code is optimised for speed. */
enum byw_status byw_cl_workshop_host(struct byw_cl_workshop *w, uint64_t instructions, bool traced,
                                     struct byw_diag *diag);

#endif
