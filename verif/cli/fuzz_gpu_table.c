/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_gpu_table.c - hostile tables of counters never crash, every error names its file, and every
 * row has a program, a kernel and a value. t_gpu_table.c runs the same function on fixed mutations.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "study/correlate/byw_gpu_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_row(const struct byw_gpu_row *row)
{
    size_t values = 0;

    for (size_t m = 0; m < BYW_GPU_METRICS; m++) {
        if (row->value[m] < 0.0 || isinf(row->value[m]))
            abort();
        values += isnan(row->value[m]) ? 0 : 1;
    }
    if (row->kernel[0] == '\0' || row->line == 0 || row->nth == 0 ||
        row->variant >= BYW_GPU_VARIANTS || values > BYW_GPU_METRICS)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct byw_gpu_table table = {.count = 0};
    struct byw_diag diag = {""};
    char path[64];
    int fd = memfd_create("table", 0);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (byw_gpu_table_read(path, &table, &diag) == BYW_OK) {
        for (size_t i = 0; i < table.count; i++)
            fuzz_row(&table.row[i]);
    } else if (strncmp(diag.text, path, strlen(path)) != 0) {
        abort();
    }
    byw_gpu_table_release(&table);
    close(fd);
    return 0;
}
