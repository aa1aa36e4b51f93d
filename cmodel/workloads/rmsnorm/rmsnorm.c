/* SPDX-License-Identifier: Apache-2.0
 *
 * rmsnorm.c - root-mean-square normalisation of tokens.
 */
#include "byw_wl_bf16.h"
#include "workloads/rmsnorm_cl.h"

#include <math.h>

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"tokens", "rows", {8, 64, 4096}, 1, 1 << 20, 1},
    {"hidden", "numbers of a row", {256, 4096, 4096}, 8, 65536, 8},
};
static const struct byw_wl_about about = {"rmsnorm", "root-mean-square normalisation of tokens",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    size_t tokens = (size_t)byw_wl_get(&wl, "tokens"), hidden = (size_t)byw_wl_get(&wl, "hidden");
    size_t all = tokens * hidden;
    uint16_t *x = byw_wl_bf16s(&wl, all, -2.0f, 2.0f), *w = byw_wl_bf16s(&wl, hidden, 0.5f, 1.5f);
    float *want = byw_wl_floats(&wl, all);
    for (size_t t = 0; t < tokens; t++) {
        double sum = 0.0;
        for (size_t i = t * hidden; i < (t + 1) * hidden; i++)
            sum += (double)byw_wl_from_bf16(x[i]) * (double)byw_wl_from_bf16(x[i]);
        float by = (float)(1.0 / sqrt(sum / (double)hidden + 1e-5));
        for (size_t i = 0; i < hidden; i++)
            want[t * hidden + i] =
                byw_wl_from_bf16(x[t * hidden + i]) * by * byw_wl_from_bf16(w[i]);
    }

    cl_mem y = byw_wl_bf16_buffer(&wl, all, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "rmsnorm");
    byw_wl_args(&wl, kernel, "mmmif", byw_wl_bf16_buffer(&wl, all, x),
                byw_wl_bf16_buffer(&wl, hidden, w), y, (int)hidden / 8, 1e-5);
    byw_wl_launch(&wl, kernel, tokens, GROUP);
    byw_wl_check_bf16(&wl, "y", y, want, all, 1e-6f);
    return byw_wl_end(&wl);
}
