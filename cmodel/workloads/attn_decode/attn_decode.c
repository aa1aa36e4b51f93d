/* SPDX-License-Identifier: Apache-2.0
 *
 * attn_decode.c - attention of one new token per sequence over a paged key-value cache.
 */
#include "byw_wl_bf16.h"
#include "workloads/attn_decode_cl.h"

#include <math.h>

enum { DIM = 128, PAGE = 16, GROUP = 128 };

static const struct byw_wl_option options[] = {
    {"sequences", "sequences in the batch", {2, 1, 64}, 1, 1024, 1},
    {"context", "tokens in the cache per sequence", {64, 256, 4096}, 64, 5632, 64},
    {"heads", "query heads", {8, 32, 32}, 1, 128, 1},
    {"kv-heads", "key-value heads, a divisor of the query heads", {2, 8, 8}, 1, 128, 1},
};
static const struct byw_wl_about about = {
    "attn_decode", "attention of one token over a paged key-value cache", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct problem {
    int sequences, context, heads, kv_heads, pages;
    uint16_t *query, *keys, *values;
    int *table;
};

/* Where piece `d / 8` of a token is among the keys, and dimension d among the values. */
static size_t key_at(const struct problem *p, int page, int kv, int d, int token)
{
    size_t head = (size_t)page * (size_t)p->kv_heads + (size_t)kv;
    return ((head * (DIM / 8) + (size_t)(d / 8)) * PAGE + (size_t)token) * 8 + (size_t)(d % 8);
}

static size_t value_at(const struct problem *p, int page, int kv, int d, int token)
{
    size_t head = (size_t)page * (size_t)p->kv_heads + (size_t)kv;
    return (head * DIM + (size_t)d) * PAGE + (size_t)token;
}

static void attend(const struct problem *p, int sequence, int head, float *score, float *want)
{
    const uint16_t *q = p->query + ((size_t)sequence * (size_t)p->heads + (size_t)head) * DIM;
    const int *table = p->table + (size_t)sequence * (size_t)p->pages;
    int kv = head / (p->heads / p->kv_heads);
    float most = -INFINITY, sum = 0.0f;
    for (int c = 0; c < p->context; c++) {
        float dot = 0.0f;
        for (int d = 0; d < DIM; d++)
            dot += byw_wl_from_bf16(q[d]) *
                   byw_wl_from_bf16(p->keys[key_at(p, table[c / PAGE], kv, d, c % PAGE)]);
        score[c] = dot / sqrtf(DIM);
        most = fmaxf(most, score[c]);
    }
    for (int c = 0; c < p->context; c++)
        sum += score[c] = expf(score[c] - most);
    for (int d = 0; d < DIM; d++) {
        float value = 0.0f;
        for (int c = 0; c < p->context; c++)
            value += score[c] *
                     byw_wl_from_bf16(p->values[value_at(p, table[c / PAGE], kv, d, c % PAGE)]);
        want[d] = value / sum;
    }
}

/* Pages are handed out in random order, as after many requests. */
static int *shuffled(struct byw_wl *wl, size_t count)
{
    int *table = byw_wl_ints(wl, count);
    for (size_t i = 0; i < count; i++) {
        size_t j = byw_wl_below(wl, (uint32_t)i + 1);
        table[i] = table[j];
        table[j] = (int)i;
    }
    return table;
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.sequences = byw_wl_get_int(&wl, "sequences"),
                        .context = byw_wl_get_int(&wl, "context"),
                        .heads = byw_wl_get_int(&wl, "heads"),
                        .kv_heads = byw_wl_get_int(&wl, "kv-heads")};
    if (p.heads % p.kv_heads != 0)
        byw_wl_fail(&wl, "%d query heads cannot share %d key-value heads; expected a divisor",
                    p.heads, p.kv_heads);
    p.pages = p.context / PAGE;
    size_t pages = (size_t)p.sequences * (size_t)p.pages;
    size_t cache = pages * (size_t)p.kv_heads * PAGE * DIM;
    size_t outputs = (size_t)p.sequences * (size_t)p.heads * DIM;
    p.query = byw_wl_bf16s(&wl, outputs, -1.0f, 1.0f);
    p.keys = byw_wl_bf16s(&wl, cache, -1.0f, 1.0f);
    p.values = byw_wl_bf16s(&wl, cache, -1.0f, 1.0f);
    p.table = shuffled(&wl, pages);
    float *want = byw_wl_floats(&wl, outputs), *score = byw_wl_floats(&wl, (size_t)p.context);
    for (int s = 0; s < p.sequences; s++)
        for (int h = 0; h < p.heads; h++)
            attend(&p, s, h, score, want + ((size_t)s * (size_t)p.heads + (size_t)h) * DIM);

    cl_mem out = byw_wl_bf16_buffer(&wl, outputs, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "attn_decode");
    byw_wl_args(&wl, kernel, "mmmmmiifl", byw_wl_bf16_buffer(&wl, outputs, p.query),
                byw_wl_bf16_buffer(&wl, cache, p.keys), byw_wl_bf16_buffer(&wl, cache, p.values),
                byw_wl_buffer(&wl, pages * sizeof(int), p.table), out, p.context, p.kv_heads,
                1.0 / sqrt(DIM), (size_t)p.context * 2 * sizeof(float));
    const size_t groups[2] = {(size_t)p.heads, (size_t)p.sequences}, group[2] = {GROUP, 1};
    byw_wl_launch_2d(&wl, kernel, groups, group);
    byw_wl_check_bf16(&wl, "out", out, want, outputs, 1e-4f);
    return byw_wl_end(&wl);
}
