/* SPDX-License-Identifier: Apache-2.0
 *
 * dct8x8.c - cosine transform of an image by blocks of 8 x 8 pixels: one launch of each kernel.
 */
#include "byw_wl.h"
#include "workloads/dct8x8_cl.h"

#include <math.h>

enum { SIDE = 8, TILE_X = 32, TILE_Y = 16 };

static const struct byw_wl_option options[] = {
    {"width", "of the image, pixels", {64, 512, 512}, 32, 16384, 32},
    {"height", "of the image, pixels", {48, 192, 512}, 16, 16384, 16},
};
static const struct byw_wl_about about = {
    "dct8x8", "cosine transform of 8 x 8 blocks, by matrix products and by butterflies",
    byw_wl_source, options, sizeof options / sizeof options[0]};

static void make_basis(float *basis)
{
    const double pi = 3.14159265358979323846;
    for (int u = 0; u < SIDE; u++)
        for (int x = 0; x < SIDE; x++)
            basis[u * SIDE + x] =
                (float)((u == 0 ? sqrt(0.125) : 0.5) * cos((2 * x + 1) * u * pi / 16));
}

static void host_block(const float *in, float *out, const float *basis, int width)
{
    for (int v = 0; v < SIDE; v++) {
        for (int u = 0; u < SIDE; u++) {
            double sum = 0.0;
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++)
                    sum += (double)basis[v * SIDE + y] * (double)basis[u * SIDE + x] *
                           (double)in[y * width + x];
            out[v * width + u] = (float)sum;
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int width = byw_wl_get_int(&wl, "width"), height = byw_wl_get_int(&wl, "height");
    size_t cells = (size_t)width * (size_t)height, bytes = cells * sizeof(float);
    float basis[SIDE * SIDE];
    make_basis(basis);
    float *image = byw_wl_uniforms(&wl, cells, -128.0f, 127.0f);
    float *want = byw_wl_floats(&wl, cells), *got = byw_wl_floats(&wl, cells);
    for (int y = 0; y < height; y += SIDE)
        for (int x = 0; x < width; x += SIDE)
            host_block(image + y * width + x, want + y * width + x, basis, width);

    cl_mem in = byw_wl_buffer(&wl, bytes, image), out = byw_wl_buffer(&wl, bytes, NULL);
    cl_mem d_basis = byw_wl_buffer(&wl, sizeof basis, basis);
    cl_kernel block = byw_wl_kernel(&wl, "dct8x8_block");
    byw_wl_args(&wl, block, "mmmi", in, out, d_basis, width);
    byw_wl_launch_2d(&wl, block, (size_t[2]){(size_t)(width / SIDE), (size_t)(height / SIDE)},
                     (size_t[2]){SIDE, SIDE});
    byw_wl_read(&wl, out, bytes, got);
    byw_wl_check_f32(&wl, "spectrum (block)", got, want, cells, 1e-4f, 1e-3f);
    cl_mem out_tile = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel tile = byw_wl_kernel(&wl, "dct8x8_tile");
    byw_wl_args(&wl, tile, "mmi", in, out_tile, width);
    byw_wl_launch_2d(&wl, tile, (size_t[2]){(size_t)(width / TILE_X), (size_t)(height / TILE_Y)},
                     (size_t[2]){8, 8});
    byw_wl_read(&wl, out_tile, bytes, got);
    byw_wl_check_f32(&wl, "spectrum (tile)", got, want, cells, 1e-4f, 1e-3f);
    return byw_wl_end(&wl);
}
