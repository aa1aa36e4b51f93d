/* SPDX-License-Identifier: Apache-2.0
 *
 * sampling.c - top-k sampling from the softmax of logits.
 */
#include "byw_wl.h"
#include "workloads/sampling_cl.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 1024 };

static const struct byw_wl_option options[] = {
    {"rows", "sequences", {3, 1, 64}, 1, 4096, 1},
    {"vocabulary", "logits of a row", {1000, 128256, 128256}, 4, 1 << 20, 4},
    {"k", "candidates, at most the vocabulary", {10, 50, 50}, 1, 512, 1},
};
static const struct byw_wl_about about = {"sampling", "top-k sampling from softmax", byw_wl_source,
                                          options, sizeof options / sizeof options[0]};
static const float temperature = 0.6f;

static int falling(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

struct answer {
    int chosen, candidates;
    float share;
};

/* The chosen candidate must be the one whose part of the distribution, in the order of tokens,
 * contains the random number. Its share is its softmax over the whole row. */
static void check(struct byw_wl *wl, const float *logit, float *sorted, size_t words, int k,
                  float chance, const struct answer *got)
{
    double sum = 0.0, before = 0.0, whole = 0.0;
    int chosen = got->chosen, candidates = 0;
    if (chosen < 0 || (size_t)chosen >= words)
        byw_wl_fail(wl, "chosen: found %d, expected 0 to %zu", chosen, words - 1);
    for (size_t i = 0; i < words; i++)
        sorted[i] = logit[i];
    qsort(sorted, words, sizeof(*sorted), falling);
    float least = sorted[k - 1], most = sorted[0];
    for (size_t i = 0; i < words; i++) {
        double power = exp((double)((logit[i] - most) / temperature));
        sum += power;
        if (logit[i] >= least) {
            whole += power;
            candidates++;
        }
        if (logit[i] >= least && i < (size_t)chosen)
            before += power;
    }
    double mine = exp((double)((logit[chosen] - most) / temperature));
    double at = (double)chance * whole;
    if (logit[chosen] < least || at < before - 1e-4 * whole || at > before + mine + 1e-4 * whole)
        byw_wl_fail(wl, "chosen: token %d, which random number %g does not select", chosen,
                    (double)chance);
    float want = (float)(mine / sum);
    byw_wl_check_i32(wl, "candidates", &got->candidates, &candidates, 1);
    byw_wl_check_f32(wl, "share", &got->share, &want, 1, 1e-3f, 0.0f);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    size_t rows = (size_t)byw_wl_get(&wl, "rows"), words = (size_t)byw_wl_get(&wl, "vocabulary");
    int k = byw_wl_get_int(&wl, "k");
    if ((size_t)k > words)
        byw_wl_fail(&wl, "k is %d; expected at most the vocabulary, %zu", k, words);
    float *logit = byw_wl_floats(&wl, rows * words), *sorted = byw_wl_floats(&wl, words);
    for (size_t i = 0; i < rows * words; i++) /* roughly normal, as logits are */
        logit[i] = byw_wl_uniform(&wl, -4.0f, 4.0f) + byw_wl_uniform(&wl, -4.0f, 4.0f) +
                   byw_wl_uniform(&wl, -4.0f, 4.0f);
    float *chance = byw_wl_uniforms(&wl, rows, 0.0f, 0.999f);
    int *chosen = byw_wl_ints(&wl, rows), *candidates = byw_wl_ints(&wl, rows);
    float *share = byw_wl_floats(&wl, rows);

    cl_mem d_chosen = byw_wl_buffer(&wl, rows * sizeof(int), NULL);
    cl_mem d_share = byw_wl_buffer(&wl, rows * sizeof(float), NULL);
    cl_mem d_candidates = byw_wl_buffer(&wl, rows * sizeof(int), NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "sampling");
    byw_wl_args(&wl, kernel, "mmmmmiif", byw_wl_buffer(&wl, rows * words * sizeof(float), logit),
                byw_wl_buffer(&wl, rows * sizeof(float), chance), d_chosen, d_share, d_candidates,
                (int)(words / 4), k, (double)temperature);
    byw_wl_launch(&wl, kernel, rows, GROUP);
    byw_wl_read(&wl, d_chosen, rows * sizeof(int), chosen);
    byw_wl_read(&wl, d_share, rows * sizeof(float), share);
    byw_wl_read(&wl, d_candidates, rows * sizeof(int), candidates);
    for (size_t r = 0; r < rows; r++)
        check(&wl, logit + r * words, sorted, words, k, chance[r],
              &(struct answer){chosen[r], candidates[r], share[r]});
    return byw_wl_end(&wl);
}
