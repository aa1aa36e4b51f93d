/* SPDX-License-Identifier: Apache-2.0
 *
 * rope.c - rotary position embedding of queries and keys, in place.
 */
#include "byw_wl_bf16.h"
#include "workloads/rope_cl.h"

#include <math.h>

enum { PAIRS = 64, GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"tokens", "tokens of the batch", {4, 64, 4096}, 1, 1 << 20, 1},
    {"positions", "rows of the table of cosines and sines", {32, 2048, 8192}, 1, 131072, 1},
    {"heads", "query heads", {4, 32, 32}, 1, 128, 1},
    {"kv-heads", "key heads", {2, 8, 8}, 1, 128, 1},
};
static const struct byw_wl_about about = {"rope", "rotary position embedding", byw_wl_source,
                                          options, sizeof options / sizeof options[0]};

/* Turns the heads of each token on the host. */
static void turn(const uint16_t *x, float *want, size_t tokens, size_t heads, const int *position,
                 const float *table)
{
    for (size_t t = 0; t < tokens; t++)
        for (size_t h = 0; h < heads; h++)
            for (size_t d = 0; d < PAIRS; d++) {
                size_t at = (t * heads + h) * 2 * PAIRS + d;
                const float *row = table + (size_t)position[t] * 2 * PAIRS;
                float a = byw_wl_from_bf16(x[at]), b = byw_wl_from_bf16(x[at + PAIRS]);
                want[at] = a * row[d] - b * row[PAIRS + d];
                want[at + PAIRS] = b * row[d] + a * row[PAIRS + d];
            }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    size_t tokens = (size_t)byw_wl_get(&wl, "tokens");
    size_t positions = (size_t)byw_wl_get(&wl, "positions");
    size_t heads = (size_t)byw_wl_get(&wl, "heads"), kv_heads = (size_t)byw_wl_get(&wl, "kv-heads");
    size_t queries = tokens * heads * 2 * PAIRS, keys = tokens * kv_heads * 2 * PAIRS;
    uint16_t *query = byw_wl_bf16s(&wl, queries, -1.0f, 1.0f);
    uint16_t *key = byw_wl_bf16s(&wl, keys, -1.0f, 1.0f);
    float *table = byw_wl_floats(&wl, positions * 2 * PAIRS);
    for (size_t p = 0; p < positions; p++)
        for (size_t d = 0; d < PAIRS; d++) {
            double angle = (double)p * pow(500000.0, -(double)d / PAIRS);
            table[p * 2 * PAIRS + d] = (float)cos(angle);
            table[(p * 2 + 1) * PAIRS + d] = (float)sin(angle);
        }
    /* Tokens of several sequences at their own positions, as in continuous batching. */
    int *position = byw_wl_ints(&wl, tokens);
    for (size_t t = 0; t < tokens; t++)
        position[t] = t % 8 == 0 || position[t - 1] + 1 >= (int)positions
                          ? (int)byw_wl_below(&wl, (uint32_t)positions)
                          : position[t - 1] + 1;
    float *want_query = byw_wl_floats(&wl, queries), *want_key = byw_wl_floats(&wl, keys);
    turn(query, want_query, tokens, heads, position, table);
    turn(key, want_key, tokens, kv_heads, position, table);

    cl_mem d_query = byw_wl_bf16_buffer(&wl, queries, query);
    cl_mem d_key = byw_wl_bf16_buffer(&wl, keys, key);
    cl_kernel kernel = byw_wl_kernel(&wl, "rope");
    byw_wl_args(&wl, kernel, "mmmmii", d_query, d_key,
                byw_wl_buffer(&wl, positions * 2 * PAIRS * sizeof(float), table),
                byw_wl_buffer(&wl, tokens * sizeof(int), position), (int)heads, (int)kv_heads);
    byw_wl_launch(&wl, kernel, tokens, GROUP);
    byw_wl_check_bf16(&wl, "query", d_query, want_query, queries, 1e-6f);
    byw_wl_check_bf16(&wl, "key", d_key, want_key, keys, 1e-6f);
    return byw_wl_end(&wl);
}
