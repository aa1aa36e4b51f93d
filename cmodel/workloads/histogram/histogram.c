/* SPDX-License-Identifier: Apache-2.0
 *
 * histogram.c - histograms of gradient-boosted trees over the rows of one leaf.
 */
#include "byw_wl.h"
#include "workloads/histogram_cl.h"

enum { BINS = 256, GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"rows", "rows of the data", {2000, 16384, 10500000}, 1, 1 << 24, 1},
    {"leaf", "one row in so many belongs to the leaf", {2, 4, 4}, 1, 1000, 1},
    {"features", "features", {8, 28, 28}, 4, 1024, 4},
    {"bins", "bins of a feature", {20, 255, 255}, 1, 256, 1},
    {"part", "rows of a group", {512, 1024, 16384}, 256, 1 << 20, 256},
};
static const struct byw_wl_about about = {"histogram", "histograms of gradient-boosted trees",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int total = byw_wl_get_int(&wl, "rows"), fours = byw_wl_get_int(&wl, "features") / 4;
    int part = byw_wl_get_int(&wl, "part"), rows = 0;
    uint32_t bins = (uint32_t)byw_wl_get(&wl, "bins"), leaf = (uint32_t)byw_wl_get(&wl, "leaf");
    size_t words = (size_t)fours * (size_t)total, sums = (size_t)fours * 4 * BINS * 2;
    uint32_t *bin = byw_wl_alloc(&wl, words, sizeof(*bin));
    uint32_t *gradient = byw_wl_alloc(&wl, (size_t)total, sizeof(*gradient));
    int *row = byw_wl_ints(&wl, (size_t)total);
    int *want = byw_wl_ints(&wl, sums), *got = byw_wl_ints(&wl, sums);
    for (size_t i = 0; i < words; i++)
        for (int f = 0; f < 4; f++) /* low bins are more frequent */
            bin[i] |= byw_wl_below(&wl, byw_wl_below(&wl, bins) + 1) << (8 * f);
    for (int r = 0; r < total; r++) {
        gradient[r] = (byw_wl_below(&wl, 33) - 16) & 0xffff;
        gradient[r] |= byw_wl_below(&wl, 17) << 16;
        if (byw_wl_below(&wl, leaf) == 0 || r == 0)
            row[rows++] = r;
    }
    for (int i = 0; i < rows; i++)
        for (int f = 0; f < fours * 4; f++) {
            uint32_t b = bin[(size_t)(f / 4) * (size_t)total + (size_t)row[i]] >> (8 * (f % 4));
            int *sum = want + ((size_t)f * BINS + (b & 255)) * 2;
            sum[0] += (int16_t)gradient[row[i]];
            sum[1] += (int)(gradient[row[i]] >> 16);
        }

    cl_mem d_sums = byw_wl_buffer(&wl, sums * sizeof(int), got);
    cl_kernel kernel = byw_wl_kernel(&wl, "histogram");
    byw_wl_args(&wl, kernel, "mmmmiii", byw_wl_buffer(&wl, (size_t)rows * sizeof(int), row),
                byw_wl_buffer(&wl, words * sizeof(*bin), bin),
                byw_wl_buffer(&wl, (size_t)total * sizeof(*gradient), gradient), d_sums, rows,
                total, part);
    const size_t groups[2] = {(size_t)fours, byw_wl_groups((size_t)rows, (size_t)part)};
    const size_t group[2] = {GROUP, 1};
    byw_wl_launch_2d(&wl, kernel, groups, group);
    byw_wl_read(&wl, d_sums, sums * sizeof(int), got);
    byw_wl_check_i32(&wl, "sums", got, want, sums);
    return byw_wl_end(&wl);
}
