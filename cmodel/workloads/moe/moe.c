/* SPDX-License-Identifier: Apache-2.0
 *
 * moe.c - routing of tokens to experts, and products with the matrices of these experts.
 */
#include "byw_wl_bf16.h"
#include "workloads/moe_cl.h"

#include <math.h>

enum { GROUP = 128, WARPS = GROUP / 32, ROUTERS = 256 };

static const struct byw_wl_option options[] = {
    {"tokens", "tokens of the batch", {6, 16, 32}, 1, 65536, 1},
    {"experts", "experts, a power of two", {4, 8, 8}, 2, ROUTERS / 2, 2},
    {"top", "experts per token, at most the experts", {2, 2, 2}, 1, 16, 1},
    {"hidden", "dimensions of a token", {256, 4096, 4096}, 256, 65536, 256},
    {"inner", "rows of an expert's matrix", {8, 16, 14336}, 4, 65536, 4},
};
static const struct byw_wl_about about = {"moe", "mixture of experts: routing, grouped product",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct problem {
    int tokens, experts, top, hidden, inner;
    uint16_t *x, *gate, *weights;
    float *logit, *share; /* of a token, by expert */
    float *want;
};

/* The gates of a token and their shares: 0 beyond the largest `top`. */
static void route(const struct problem *p, int token)
{
    float sum = 0.0f;
    for (int e = 0; e < p->experts; e++) {
        p->logit[e] = 0.0f;
        for (int i = 0; i < p->hidden; i++)
            p->logit[e] += byw_wl_from_bf16(p->x[token * p->hidden + i]) *
                           byw_wl_from_bf16(p->gate[i * p->experts + e]);
    }
    for (int e = 0; e < p->experts; e++) {
        int rank = 0;
        for (int i = 0; i < p->experts; i++)
            rank += p->logit[i] > p->logit[e] || (p->logit[i] == p->logit[e] && i < e);
        p->share[e] = rank < p->top ? expf(p->logit[e]) : 0.0f;
        sum += p->share[e];
    }
    for (int e = 0; e < p->experts; e++)
        p->share[e] /= sum;
}

static float product(const struct problem *p, int token, int expert, int row)
{
    const uint16_t *w =
        p->weights + ((size_t)expert * (size_t)p->inner + (size_t)row) * (size_t)p->hidden;
    float sum = 0.0f;
    for (int i = 0; i < p->hidden; i++)
        sum += byw_wl_from_bf16(w[i]) * byw_wl_from_bf16(p->x[token * p->hidden + i]);
    return sum;
}

/* The experts of each token in the device's order, whose shares must be right; then the products of
 * these experts. */
static void check(struct byw_wl *wl, struct problem *p, const int *expert, const float *share,
                  const float *out)
{
    for (int token = 0; token < p->tokens; token++) {
        route(p, token);
        for (int i = 0; i < p->top; i++) {
            int pair = token * p->top + i, e = expert[pair];
            if (e < 0 || e >= p->experts)
                byw_wl_fail(wl, "expert[%d]: found %d, expected 0 to %d", pair, e, p->experts - 1);
            byw_wl_check_f32(wl, "share", &share[pair], &p->share[e], 1, 1e-3f, 1e-5f);
            for (int row = 0; row < p->inner; row++)
                p->want[row] = p->share[e] * product(p, token, e, row);
            byw_wl_check_f32(wl, "out", out + (size_t)pair * (size_t)p->inner, p->want,
                             (size_t)p->inner, 1e-3f, 1e-3f);
        }
    }
}

static void run(struct byw_wl *wl, const struct problem *p, cl_mem expert, cl_mem share, cl_mem out)
{
    size_t numbers = (size_t)p->tokens * (size_t)p->hidden, experts = (size_t)p->experts;
    size_t weights = experts * (size_t)p->inner * (size_t)p->hidden;
    int pairs = p->tokens * p->top, *none = byw_wl_ints(wl, experts);
    cl_mem x = byw_wl_bf16_buffer(wl, numbers, p->x);
    cl_mem gate = byw_wl_bf16_buffer(wl, (size_t)p->hidden * experts, p->gate);
    cl_mem count = byw_wl_buffer(wl, experts * sizeof(int), none);
    cl_mem first = byw_wl_buffer(wl, (experts + 1) * sizeof(int), NULL);
    cl_mem next = byw_wl_buffer(wl, experts * sizeof(int), NULL);
    cl_mem list = byw_wl_buffer(wl, (size_t)pairs * sizeof(int), NULL);

    cl_kernel kernel = byw_wl_kernel(wl, "moe_route");
    byw_wl_args(wl, kernel, "mmmmmiii", x, gate, expert, share, count, p->hidden, p->experts,
                p->top);
    byw_wl_launch(wl, kernel, (size_t)p->tokens, ROUTERS);
    kernel = byw_wl_kernel(wl, "moe_offsets");
    byw_wl_args(wl, kernel, "mmmi", count, first, next, p->experts);
    byw_wl_launch(wl, kernel, 1, ROUTERS);
    kernel = byw_wl_kernel(wl, "moe_sort");
    byw_wl_args(wl, kernel, "mmmi", expert, next, list, pairs);
    byw_wl_launch(wl, kernel, byw_wl_groups((size_t)pairs, GROUP), GROUP);
    kernel = byw_wl_kernel(wl, "moe_product");
    byw_wl_args(wl, kernel, "mmmmmmiii", x, byw_wl_bf16_buffer(wl, weights, p->weights), first,
                list, share, out, p->hidden / 8, p->inner, p->top);
    const size_t groups[2] = {(size_t)p->inner / WARPS, experts}, group[2] = {GROUP, 1};
    byw_wl_launch_2d(wl, kernel, groups, group);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.tokens = byw_wl_get_int(&wl, "tokens"),
                        .experts = byw_wl_get_int(&wl, "experts"),
                        .top = byw_wl_get_int(&wl, "top"),
                        .hidden = byw_wl_get_int(&wl, "hidden"),
                        .inner = byw_wl_get_int(&wl, "inner")};
    if (ROUTERS % p.experts != 0)
        byw_wl_fail(&wl, "experts is %d; expected a power of two", p.experts);
    if (p.top > p.experts)
        byw_wl_fail(&wl, "top is %d; expected at most the number of experts, %d", p.top, p.experts);
    size_t hidden = (size_t)p.hidden, experts = (size_t)p.experts;
    size_t pairs = (size_t)p.tokens * (size_t)p.top, outputs = pairs * (size_t)p.inner;
    p.x = byw_wl_bf16s(&wl, (size_t)p.tokens * hidden, -1.0f, 1.0f);
    p.gate = byw_wl_bf16s(&wl, hidden * experts, -0.05f, 0.05f);
    p.weights = byw_wl_bf16s(&wl, experts * (size_t)p.inner * hidden, -0.1f, 0.1f);
    p.logit = byw_wl_floats(&wl, experts);
    p.share = byw_wl_floats(&wl, experts);
    p.want = byw_wl_floats(&wl, (size_t)p.inner);
    int *expert = byw_wl_ints(&wl, pairs);
    float *share = byw_wl_floats(&wl, pairs), *out = byw_wl_floats(&wl, outputs);

    cl_mem d_expert = byw_wl_buffer(&wl, pairs * sizeof(int), NULL);
    cl_mem d_share = byw_wl_buffer(&wl, pairs * sizeof(float), NULL);
    cl_mem d_out = byw_wl_buffer(&wl, outputs * sizeof(float), NULL);
    run(&wl, &p, d_expert, d_share, d_out);
    byw_wl_read(&wl, d_expert, pairs * sizeof(int), expert);
    byw_wl_read(&wl, d_share, pairs * sizeof(float), share);
    byw_wl_read(&wl, d_out, outputs * sizeof(float), out);
    check(&wl, &p, expert, share, out);
    return byw_wl_end(&wl);
}
