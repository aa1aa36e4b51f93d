/* SPDX-License-Identifier: Apache-2.0
 *
 * gemv.c - product of a matrix of 4-bit or 8-bit weights with a vector.
 */
#include "byw_wl_bf16.h"
#include "workloads/gemv_cl.h"

enum { GROUP = 256, ROWS = GROUP / 32, SPAN = 128 };

static const struct byw_wl_option options[] = {
    {"rows", "outputs", {64, 256, 14336}, 8, 1 << 20, 8},
    {"columns", "inputs", {512, 4096, 4096}, 256, 1 << 20, 256},
    {"bits", "of a weight: 4 or 8", {4, 4, 4}, 4, 8, 4},
};
static const struct byw_wl_about about = {"gemv", "matrix of quantised weights times a vector",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

static int weight(const uint32_t *weights, size_t at, int bits)
{
    size_t each = 32 / (size_t)bits;
    uint32_t word = weights[at / each] >> (at % each * (size_t)bits);
    return bits == 4 ? (int)(word & 15) - 8 : (int)(word & 255) - 128;
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int rows = byw_wl_get_int(&wl, "rows"), columns = byw_wl_get_int(&wl, "columns");
    int bits = byw_wl_get_int(&wl, "bits"), span = bits == 4 ? SPAN : columns;
    size_t all = (size_t)rows * (size_t)columns, words = all * (size_t)bits / 32;
    uint32_t *weights = byw_wl_alloc(&wl, words, sizeof(*weights));
    for (size_t i = 0; i < words; i++)
        weights[i] = (uint32_t)byw_wl_random(&wl);
    uint16_t *scales = byw_wl_bf16s(&wl, all / (size_t)span, 0.001f, 0.01f);
    uint16_t *x = byw_wl_bf16s(&wl, (size_t)columns, -1.0f, 1.0f);
    float *want = byw_wl_floats(&wl, (size_t)rows);
    for (size_t r = 0; r < (size_t)rows; r++) {
        double sum = 0.0;
        for (size_t c = 0; c < (size_t)columns; c++) {
            size_t at = r * (size_t)columns + c;
            sum += (double)byw_wl_from_bf16(scales[at / (size_t)span]) * weight(weights, at, bits) *
                   (double)byw_wl_from_bf16(x[c]);
        }
        want[r] = (float)sum;
    }

    cl_mem y = byw_wl_bf16_buffer(&wl, (size_t)rows, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, bits == 4 ? "gemv4" : "gemv8");
    byw_wl_args(&wl, kernel, "mmmmi", byw_wl_buffer(&wl, words * sizeof(*weights), weights),
                byw_wl_bf16_buffer(&wl, all / (size_t)span, scales),
                byw_wl_bf16_buffer(&wl, (size_t)columns, x), y, columns);
    byw_wl_launch(&wl, kernel, (size_t)rows / ROWS, GROUP);
    byw_wl_check_bf16(&wl, "y", y, want, (size_t)rows, 1e-3f);
    return byw_wl_end(&wl);
}
