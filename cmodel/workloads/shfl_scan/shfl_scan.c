/* SPDX-License-Identifier: Apache-2.0
 *
 * shfl_scan.c - prefix sums of a row of integers (three launches) and the integral image of a
 * picture with a byte per pixel (rows, then columns).
 */
#include "byw_wl.h"
#include "workloads/shfl_scan_cl.h"

enum { GROUP = 256, PIXELS = 16, COLUMNS = 32, ROWS = 8 };

static const struct byw_wl_option options[] = {
    {"n", "integers to sum up", {2048, 32768, 65536}, 512, 65536, 256},
    {"width", "of the image, pixels", {96, 1920, 1920}, 32, 16384, 32},
    {"height", "of the image, pixels", {24, 64, 1080}, 8, 16384, 8},
};
static const struct byw_wl_about about = {
    "shfl_scan", "prefix sums by warps, and an integral image", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static void scan_row(struct byw_wl *wl, size_t n)
{
    int *want = byw_wl_ints(wl, n), *got = byw_wl_ints(wl, n);
    for (size_t i = 0; i < n; i++)
        want[i] = (int)byw_wl_below(wl, 1000);
    size_t parts = n / GROUP;
    int *zero = byw_wl_ints(wl, GROUP);
    cl_mem data = byw_wl_buffer(wl, n * sizeof(int), want);
    cl_mem total = byw_wl_buffer(wl, GROUP * sizeof(int), zero);
    cl_mem grand_total = byw_wl_buffer(wl, sizeof(int), NULL);
    cl_kernel part = byw_wl_kernel(wl, "shfl_scan_part"), add = byw_wl_kernel(wl, "shfl_scan_add");
    byw_wl_args(wl, part, "mm", data, total);
    byw_wl_launch(wl, part, parts, GROUP);
    byw_wl_args(wl, part, "mm", total, grand_total);
    byw_wl_launch(wl, part, 1, GROUP);
    byw_wl_args(wl, add, "mm", data, total);
    byw_wl_launch(wl, add, parts - 1, GROUP);
    for (size_t i = 1; i < n; i++)
        want[i] += want[i - 1];
    byw_wl_read(wl, data, n * sizeof(int), got);
    byw_wl_check_i32(wl, "sum", got, want, n);
}

static void integrate_image(struct byw_wl *wl, int width, int height)
{
    size_t pixels = (size_t)width * (size_t)height;
    uint8_t *image = byw_wl_alloc(wl, pixels, 1);
    int *want = byw_wl_ints(wl, pixels), *got = byw_wl_ints(wl, pixels);
    for (int y = 0; y < height; y++) {
        int left = 0;
        for (int x = 0; x < width; x++) {
            image[y * width + x] = (uint8_t)byw_wl_below(wl, 256);
            left += image[y * width + x];
            want[y * width + x] = left + (y > 0 ? want[(y - 1) * width + x] : 0);
        }
    }
    cl_mem d_image = byw_wl_buffer(wl, pixels, image);
    cl_mem integral = byw_wl_buffer(wl, pixels * sizeof(int), NULL);
    cl_kernel rows = byw_wl_kernel(wl, "shfl_scan_rows");
    cl_kernel columns = byw_wl_kernel(wl, "shfl_scan_columns");
    byw_wl_args(wl, rows, "mml", d_image, integral, (size_t)width * sizeof(int));
    byw_wl_launch(wl, rows, (size_t)height, (size_t)(width / PIXELS));
    byw_wl_args(wl, columns, "mii", integral, width, height);
    byw_wl_launch_2d(wl, columns, (size_t[2]){(size_t)(width / COLUMNS), 1},
                     (size_t[2]){COLUMNS, ROWS});
    byw_wl_read(wl, integral, pixels * sizeof(int), got);
    byw_wl_check_i32(wl, "integral", got, want, pixels);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    scan_row(&wl, (size_t)byw_wl_get(&wl, "n"));
    integrate_image(&wl, byw_wl_get_int(&wl, "width"), byw_wl_get_int(&wl, "height"));
    return byw_wl_end(&wl);
}
