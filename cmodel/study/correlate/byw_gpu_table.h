/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_table.h - counters of kernel launches on a real GPU, read from a file.
 *
 * Three kinds of files, recognized by the header line, with commas or tabs between fields:
 *
 *   byway's own  program,kernel,variant,launch,grid,block and any columns of byw_gpu_metrics.def;
 *                optional: arguments, size
 *   times        workload launch kernel grid block VARIANT_median_us VARIANT_min_us ...
 *   an export    `ncu --csv --page raw`: "Kernel Name", "Grid Size", "Block Size", metrics; the
 *                second header line has units, and lines before the header are ignored
 *
 * Fields may be quoted as in RFC 4180, without line breaks.  Columns that are not known are
 * ignored.
 */
#ifndef BYW_GPU_TABLE_H
#define BYW_GPU_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/byw_status.h"

enum byw_gpu_metric {
#define X(code, column, metrics, unit, meaning) BYW_GPU_##code,
#include "study/correlate/byw_gpu_metrics.def"
#undef X
    BYW_GPU_METRICS
};

/* How the kernel was compiled: X(code, name, what its global loads are). */
#define BYW_GPU_VARIANT_LIST(X)                                                                    \
    X(BYW_GPU_CA, "ca", "as compiled")                                                             \
    X(BYW_GPU_CG, "cg", "past the L1 (ld.global.cg)")                                              \
    X(BYW_GPU_NA, "na", "without L1 allocation (ld.global.L1::no_allocate)")

enum byw_gpu_variant {
#define X(code, name, meaning) code,
    BYW_GPU_VARIANT_LIST(X)
#undef X
        BYW_GPU_VARIANTS
};

struct byw_gpu_row {
    const char *file; /* path, for messages; owned by the table */
    unsigned line;
    char program[128], arguments[256], size[32]; /* `size` is empty if the table has none */
    char kernel[128]; /* its plain name: no template arguments, parameters or return type */
    enum byw_gpu_variant variant;
    uint32_t launch; /* number among all launches of the program, from 1; 0: not known */
    uint32_t nth; /* from 1, among the program's launches of this kernel and variant in the table */
    uint32_t grid[3], block[3]; /* 0 0 0: not known */
    double value[BYW_GPU_METRICS]; /* NAN: not measured */
};

struct byw_gpu_table {
    struct byw_gpu_row *row; /* in the order of the files */
    size_t count, room;
    char **file;
    size_t files, file_room;
};

/* Adds the rows of a file.  BYW_EFORMAT with file, line and what was expected. */
enum byw_status byw_gpu_table_read(const char *path, struct byw_gpu_table *table,
                                   struct byw_diag *diag);
void byw_gpu_table_release(struct byw_gpu_table *table);

const char *byw_gpu_variant_name(enum byw_gpu_variant variant);
const char *byw_gpu_metric_name(enum byw_gpu_metric metric); /* the name of the metric's column */
/* Nsight Compute's preferred counter for the metric, in text[room]. */
void byw_gpu_metric_source(enum byw_gpu_metric metric, char *text, size_t room);

/* The plain name of a kernel: "adam" for "void ns::adam<float>(float *, int)" and for
 * "_ZN2ns4adamIfEvPfi". */
void byw_gpu_kernel_name(const char *full, char *name, size_t room);

#endif
