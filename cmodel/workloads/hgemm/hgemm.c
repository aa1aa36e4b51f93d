/* SPDX-License-Identifier: Apache-2.0
 *
 * hgemm.c - matrix product in half precision, sums in single.
 */
#include "byw_wl_bf16.h"
#include "workloads/hgemm_cl.h"

enum { TILE = 64, GROUP = 128 };

static const struct byw_wl_option options[] = {
    {"m", "rows of the result", {64, 64, 2048}, 64, 65536, 64},
    {"n", "columns of the result", {64, 128, 4096}, 64, 65536, 64},
    {"k", "columns of the first factor", {96, 512, 4096}, 32, 65536, 32},
};
static const struct byw_wl_about about = {
    "hgemm", "matrix product in half precision, tiles in local memory", byw_wl_source, options,
    sizeof options / sizeof options[0]};

/* Multiples of 1/8 up to 1, which half precision represents exactly. */
static uint16_t *numbers(struct byw_wl *wl, size_t count)
{
    static const uint16_t of[9] = {0,      0x3000, 0x3400, 0x3600, 0x3800,
                                   0x3900, 0x3a00, 0x3b00, 0x3c00};
    uint16_t *number = byw_wl_alloc(wl, count, sizeof(*number));
    for (size_t i = 0; i < count; i++)
        number[i] = (uint16_t)(of[byw_wl_below(wl, 9)] | byw_wl_below(wl, 2) << 15);
    return number;
}

static void multiply(const uint16_t *a, const uint16_t *b, float *c, size_t m, size_t n, size_t k)
{
    for (size_t i = 0; i < m; i++)
        for (size_t d = 0; d < k; d++) {
            float factor = byw_wl_from_half(a[i * k + d]);
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += factor * byw_wl_from_half(b[d * n + j]);
        }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    size_t m = (size_t)byw_wl_get(&wl, "m"), n = (size_t)byw_wl_get(&wl, "n");
    size_t k = (size_t)byw_wl_get(&wl, "k");
    uint16_t *a = numbers(&wl, m * k), *b = numbers(&wl, k * n);
    uint16_t *c = byw_wl_alloc(&wl, m * n, sizeof(*c));
    float *want = byw_wl_floats(&wl, m * n), *got = byw_wl_floats(&wl, m * n);
    multiply(a, b, want, m, n, k);

    cl_mem d_c = byw_wl_buffer(&wl, m * n * sizeof(*c), NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "hgemm");
    byw_wl_args(&wl, kernel, "mmmii", byw_wl_buffer(&wl, m * k * sizeof(*a), a),
                byw_wl_buffer(&wl, k * n * sizeof(*b), b), d_c, (int)n, (int)k);
    const size_t groups[2] = {n / TILE, m / TILE}, group[2] = {GROUP, 1};
    byw_wl_launch_2d(&wl, kernel, groups, group);
    byw_wl_read(&wl, d_c, m * n * sizeof(*c), c);
    for (size_t i = 0; i < m * n; i++)
        got[i] = byw_wl_from_half(c[i]);
    byw_wl_check_f32(&wl, "c", got, want, m * n, 1e-3f, 1e-4f);
    return byw_wl_end(&wl);
}
