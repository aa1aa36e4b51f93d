/* SPDX-License-Identifier: Apache-2.0
 *
 * attn_prefill.c - causal attention of a whole prompt by tiles in local memory.
 */
#include "byw_wl_bf16.h"
#include "workloads/attn_prefill_cl.h"

#include <math.h>

enum { DIM = 128, TILE = 32, GROUP = 128 };

static const struct byw_wl_option options[] = {
    {"tokens", "tokens of the prompt", {64, 96, 2048}, 32, 65536, 32},
    {"heads", "query heads", {2, 2, 32}, 1, 128, 1},
    {"share", "query heads that share a key-value head, a divisor of them", {2, 2, 4}, 1, 128, 1},
};
static const struct byw_wl_about about = {
    "attn_prefill", "causal attention of a prompt, tiles in local memory", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct problem {
    int tokens, heads, share;
    uint16_t *query, *key, *value;
};

static void attend(const struct problem *p, int token, int head, float *score, float *want)
{
    size_t kv_heads = (size_t)(p->heads / p->share), kv = (size_t)(head / p->share);
    const uint16_t *q = p->query + ((size_t)token * (size_t)p->heads + (size_t)head) * DIM;
    float most = -INFINITY, sum = 0.0f;
    for (int c = 0; c <= token; c++) {
        const uint16_t *k = p->key + ((size_t)c * kv_heads + kv) * DIM;
        float dot = 0.0f;
        for (int d = 0; d < DIM; d++)
            dot += byw_wl_from_bf16(q[d]) * byw_wl_from_bf16(k[d]);
        score[c] = dot / sqrtf(DIM);
        most = fmaxf(most, score[c]);
    }
    for (int c = 0; c <= token; c++)
        sum += score[c] = expf(score[c] - most);
    for (int d = 0; d < DIM; d++) {
        float value = 0.0f;
        for (int c = 0; c <= token; c++)
            value += score[c] *
                     byw_wl_from_bf16(p->value[((size_t)c * kv_heads + kv) * DIM + (size_t)d]);
        want[d] = value / sum;
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.tokens = byw_wl_get_int(&wl, "tokens"),
                        .heads = byw_wl_get_int(&wl, "heads"),
                        .share = byw_wl_get_int(&wl, "share")};
    if (p.heads % p.share != 0)
        byw_wl_fail(&wl, "%d query heads cannot be shared by %d; expected a divisor", p.heads,
                    p.share);
    size_t queries = (size_t)p.tokens * (size_t)p.heads * DIM;
    size_t keys = queries / (size_t)p.share;
    p.query = byw_wl_bf16s(&wl, queries, -1.0f, 1.0f);
    p.key = byw_wl_bf16s(&wl, keys, -1.0f, 1.0f);
    p.value = byw_wl_bf16s(&wl, keys, -1.0f, 1.0f);
    float *want = byw_wl_floats(&wl, queries), *score = byw_wl_floats(&wl, (size_t)p.tokens);
    for (int t = 0; t < p.tokens; t++)
        for (int h = 0; h < p.heads; h++)
            attend(&p, t, h, score, want + ((size_t)t * (size_t)p.heads + (size_t)h) * DIM);

    cl_mem out = byw_wl_bf16_buffer(&wl, queries, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "attn_prefill");
    byw_wl_args(&wl, kernel, "mmmmif", byw_wl_bf16_buffer(&wl, queries, p.query),
                byw_wl_bf16_buffer(&wl, keys, p.key), byw_wl_bf16_buffer(&wl, keys, p.value), out,
                p.share, 1.0 / sqrt(DIM));
    const size_t groups[2] = {(size_t)p.heads, (size_t)(p.tokens / TILE)}, group[2] = {GROUP, 1};
    byw_wl_launch_2d(&wl, kernel, groups, group);
    byw_wl_check_bf16(&wl, "out", out, want, queries, 1e-4f);
    return byw_wl_end(&wl);
}
