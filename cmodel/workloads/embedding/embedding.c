/* SPDX-License-Identifier: Apache-2.0
 *
 * embedding.c - gather of a recommendation model's embedding tables, summed per feature.
 */
#include "byw_wl.h"
#include "workloads/embedding_cl.h"

#include <math.h>

enum { WIDTH = 128, TABLES = 26, GROUP = 128 };

static const struct byw_wl_option options[] = {
    {"samples", "samples in the batch", {4, 24, 2048}, 1, 65536, 1},
    {"rows", "most rows of a table; indices beyond are wrapped", {64, 2048, 40000}, 1, 80000, 1},
};
static const struct byw_wl_about about = {"embedding", "embedding gather, rows summed per feature",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

/* Rows of each table and look-ups per sample: DLRM-DCNv2 of MLPerf (README.md, Sources). */
static const int table_rows[TABLES] = {
    40000000, 39060,    17295,    7424,     20265,  3,     7122, 1543, 63,
    40000000, 3067956,  405282,   10,       2209,   11938, 155,  4,    976,
    14,       40000000, 40000000, 40000000, 590152, 12973, 108,  36};
static const int look_ups[TABLES] = {3, 2, 1, 2, 6, 1, 1,  1,   1,  7,  3, 8, 1,
                                     6, 9, 5, 1, 1, 1, 12, 100, 27, 10, 3, 1, 1};

/* Rank r with probability about 1 / r, spread over the table. */
static int popular(struct byw_wl *wl, int rows, int most)
{
    double rank = exp((double)byw_wl_uniform(wl, 0.0f, 1.0f) * log((double)rows));
    uint64_t at = (uint64_t)rank - 1;
    return (int)(at * 2654435761u % (uint64_t)rows % (uint64_t)most);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int samples = byw_wl_get_int(&wl, "samples"), most = byw_wl_get_int(&wl, "rows");
    int base[TABLES + 1] = {0}, per_sample = 0, bags = TABLES * samples, used = 0;
    for (int t = 0; t < TABLES; t++) {
        base[t + 1] = base[t] + (table_rows[t] < most ? table_rows[t] : most);
        per_sample += look_ups[t];
    }
    float *rows = byw_wl_uniforms(&wl, (size_t)base[TABLES] * WIDTH, -1.0f, 1.0f);
    int *index = byw_wl_ints(&wl, (size_t)(per_sample * samples));
    int *first = byw_wl_ints(&wl, (size_t)bags + 1);
    float *want = byw_wl_floats(&wl, (size_t)bags * WIDTH);
    float *got = byw_wl_floats(&wl, (size_t)bags * WIDTH);
    for (int bag = 0; bag < bags; bag++) {
        int t = bag / samples;
        for (int i = 0; i < look_ups[t]; i++) {
            int row = base[t] + popular(&wl, table_rows[t], base[t + 1] - base[t]);
            index[used++] = row;
            for (int d = 0; d < WIDTH; d++)
                want[bag * WIDTH + d] += rows[(size_t)row * WIDTH + (size_t)d];
        }
        first[bag + 1] = used;
    }

    size_t bytes = (size_t)bags * WIDTH * sizeof(float);
    cl_mem out = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "embedding");
    byw_wl_args(&wl, kernel, "mmmmi",
                byw_wl_buffer(&wl, (size_t)base[TABLES] * WIDTH * sizeof(float), rows),
                byw_wl_buffer(&wl, (size_t)used * sizeof(int), index),
                byw_wl_buffer(&wl, ((size_t)bags + 1) * sizeof(int), first), out, bags);
    byw_wl_launch(&wl, kernel, byw_wl_groups((size_t)bags * 32, GROUP), GROUP);
    byw_wl_read(&wl, out, bytes, got);
    byw_wl_check_f32(&wl, "out", got, want, (size_t)bags * WIDTH, 1e-4f, 1e-4f);
    return byw_wl_end(&wl);
}
