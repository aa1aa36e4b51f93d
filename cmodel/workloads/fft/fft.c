/* SPDX-License-Identifier: Apache-2.0
 *
 * fft.c - a batch of 512-point complex Fourier transforms.
 */
#include "byw_wl.h"
#include "workloads/fft_cl.h"

#include <math.h>

enum { POINTS = 512, ITEMS = 64 };

static const struct byw_wl_option options[] = {
    {"batch", "transforms", {4, 240, 1024}, 1, 1000000, 1},
};
static const struct byw_wl_about about = {
    "fft", "batched 512-point FFT, radix 8, exchange through local memory", byw_wl_source, options,
    sizeof options / sizeof options[0]};

/* The definition of the transform, with 512 terms per output. */
static void host_dft(const float *in, const float *twiddle, float *out)
{
    for (int k = 0; k < POINTS; k++) {
        double real = 0.0, imaginary = 0.0;
        for (int j = 0; j < POINTS; j++) {
            double c = (double)twiddle[2 * (j * k % POINTS)];
            double s = (double)twiddle[2 * (j * k % POINTS) + 1];
            real += (double)in[2 * j] * c - (double)in[2 * j + 1] * s;
            imaginary += (double)in[2 * j] * s + (double)in[2 * j + 1] * c;
        }
        out[2 * k] = (float)real;
        out[2 * k + 1] = (float)imaginary;
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    size_t batch = (size_t)byw_wl_get(&wl, "batch"), floats = batch * POINTS * 2;
    float twiddle[2 * POINTS], want[2 * POINTS];
    for (int k = 0; k < POINTS; k++) {
        double angle = -2.0 * 3.14159265358979323846 * k / POINTS;
        twiddle[2 * k] = (float)cos(angle);
        twiddle[2 * k + 1] = (float)sin(angle);
    }
    float *in = byw_wl_floats(&wl, floats), *got = byw_wl_floats(&wl, floats);
    for (size_t i = 0; i < floats; i++)
        in[i] = byw_wl_uniform(&wl, -1.0f, 1.0f);
    cl_mem points = byw_wl_buffer(&wl, floats * sizeof(float), in);
    cl_kernel kernel = byw_wl_kernel(&wl, "fft512");
    byw_wl_args(&wl, kernel, "m", points);
    byw_wl_launch(&wl, kernel, batch, ITEMS);
    byw_wl_read(&wl, points, floats * sizeof(float), got);

    /* Using the definition is slow, so at most 64 transforms, spread over the batch, are
     * checked. */
    size_t step = batch > 64 ? batch / 64 : 1;
    for (size_t b = 0; b < batch; b += step) {
        host_dft(&in[b * POINTS * 2], twiddle, want);
        byw_wl_check_f32(&wl, "out", &got[b * POINTS * 2], want, 2 * POINTS, 1e-4f, 1e-3f);
    }
    return byw_wl_end(&wl);
}
