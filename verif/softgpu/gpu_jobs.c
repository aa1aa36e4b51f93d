/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for n bytes, at an odd line so that arrays do not all start in the same set. */
static uint32_t place(struct gpu_task *t, uint32_t n)
{
    uint32_t at = t->at;

    t->at += (n + 3) / 4 * 4 + 36;
    if (t->at > t->memory_bytes) {
        fprintf(stderr, "a job of size %u does not fit into %u bytes\n", (unsigned)t->size,
                (unsigned)t->memory_bytes);
        exit(2);
    }
    return at;
}

static void put(uint8_t *bytes, uint32_t at, uint32_t i, uint32_t value)
{
    memcpy(bytes + at + 4 * i, &value, 4);
}

static uint32_t get(const uint8_t *bytes, uint32_t at, uint32_t i)
{
    uint32_t value;

    memcpy(&value, bytes + at + 4 * i, 4);
    return value;
}

static uint32_t random_word(struct gpu_task *t)
{
    return (uint32_t)byw_rng_next(t->rng);
}

/* An array of n random words below `bound` (0: any), in both memories. */
static uint32_t words(struct gpu_task *t, uint32_t n, uint32_t bound)
{
    uint32_t at = place(t, 4 * n), i;

    for (i = 0; i < n; i++)
        put(t->memory, at, i, bound != 0 ? byw_rng_below(t->rng, bound) : random_word(t));
    return at;
}

static void settle(struct gpu_task *t)
{
    memcpy(t->want, t->memory, t->memory_bytes);
}

static void vadd(struct gpu_task *t)
{
    uint32_t n = t->size, a = words(t, n, 0), b = words(t, n, 0), c = place(t, 4 * n), i;

    settle(t);
    for (i = 0; i < n; i++)
        put(t->want, c, i, get(t->memory, a, i) + get(t->memory, b, i));
    memcpy(t->param, (uint32_t[]){n, a, b, c}, 16);
    t->ctas = 1 + n / 64;
}

static void matmul(struct gpu_task *t)
{
    uint32_t n = t->size, a = words(t, n * n, 1000), b = words(t, n * n, 1000);
    uint32_t c = place(t, 4 * n * n), i, j, k;

    settle(t);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            uint32_t sum = 0;

            for (k = 0; k < n; k++)
                sum += get(t->memory, a, i * n + k) * get(t->memory, b, k * n + j);
            put(t->want, c, i * n + j, sum);
        }
    memcpy(t->param, (uint32_t[]){n, a, b, c}, 16);
    t->ctas = n;
}

static void stencil(struct gpu_task *t)
{
    uint32_t w = t->size + 3, h = t->size, x, y;
    uint32_t in = words(t, (w * h + 3) / 4, 0), out = place(t, w * h);

    settle(t);
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++) {
            const uint8_t *p = t->memory + in + y * w + x;
            uint32_t v = *p;

            if (x != 0 && y != 0 && x != w - 1 && y != h - 1)
                v = (4 * v + p[-1] + p[1] + *(p - w) + p[w]) / 8;
            t->want[out + y * w + x] = (uint8_t)v;
        }
    memcpy(t->param, (uint32_t[]){w, h, in, out}, 16);
    t->ctas = h;
}

static void gather(struct gpu_task *t)
{
    uint32_t n = t->size, m = n / 2 + 1, i;
    uint32_t index = words(t, n, m), table = words(t, m, 0), out = place(t, 4 * n);

    for (i = 0; i < n; i++)
        if (byw_rng_below(t->rng, 8) == 0)
            put(t->memory, index, i, 0x80000000U | random_word(t));
    settle(t);
    for (i = 0; i < n; i++) {
        uint32_t at = get(t->memory, index, i);

        put(t->want, out, i, at < m ? get(t->memory, table, at) : UINT32_MAX);
    }
    memcpy(t->param, (uint32_t[]){n, index, table, out}, 16);
    t->ctas = 1 + n / 64;
}

static void hist(struct gpu_task *t)
{
    enum { BINS = 16 };
    uint32_t n = t->size, i, data = words(t, (n + 3) / 4, 0), bins = words(t, BINS, 100);
    uint32_t total = place(t, 4), tickets = place(t, n);

    settle(t);
    for (i = 0; i < n; i++) {
        uint32_t bin = t->memory[data + i] % BINS;

        put(t->want, bins, bin, get(t->want, bins, bin) + 1);
        t->want[tickets + i] = 1;
    }
    put(t->want, total, 0, n);
    memcpy(t->param, (uint32_t[]){n, data, BINS - 1, bins, total, tickets}, 24);
    t->ctas = 1 + n / 64;
}

/* dist and found of a search from vertex 0. */
static void search(struct gpu_task *t, const uint32_t at[5])
{
    uint32_t n = at[0], first = at[1], edge = at[2], dist = at[3], found = at[4];
    uint32_t level, v, e, any = 1;

    for (level = 0; any != 0; level++) {
        any = 0;
        for (v = 0; v < n; v++) {
            if (get(t->want, dist, v) != level)
                continue;
            for (e = get(t->want, first, v); e < get(t->want, first, v + 1); e++) {
                uint32_t u = get(t->want, edge, e);

                if (get(t->want, dist, u) == UINT32_MAX) {
                    put(t->want, dist, u, level + 1);
                    any = 1;
                }
            }
        }
        if (any != 0)
            put(t->want, found, level, 1);
    }
}

static void bfs(struct gpu_task *t)
{
    uint32_t n = t->size, edges = 3 * n, v, e = 0;
    uint32_t first = place(t, 4 * (n + 1)), edge = words(t, edges, n), dist = place(t, 4 * n);
    uint32_t found = place(t, 4 * n + 4);
    uint32_t at[5] = {n, first, edge, dist, found};

    for (v = 0; v < n; v++) {
        put(t->memory, first, v, e);
        e += byw_rng_below(t->rng, 6);
        e = e > edges ? edges : e;
        put(t->memory, dist, v, v == 0 ? 0 : UINT32_MAX);
    }
    put(t->memory, first, n, edges);
    settle(t);
    search(t, at);
    memcpy(t->param, at, sizeof(at));
    t->ctas = 1;
}

/* The effects of the instructions of gpu_isa.def, in their order. */
static uint32_t compute(uint32_t operation, uint32_t a, uint32_t b)
{
    int32_t sa = (int32_t)a, sb = (int32_t)b;

    switch (operation) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a & b;
    case 3:
        return a | b;
    case 4:
        return a ^ b;
    case 5:
        return a << b % 32;
    case 6:
        return a >> b % 32;
    case 7:
        return a >> b % 32 | (sa < 0 && b % 32 != 0 ? ~(UINT32_MAX >> b % 32) : 0);
    case 8:
        return sa < sb;
    case 9:
        return a < b;
    case 10:
        return a == b;
    case 11:
        return a != b;
    case 12:
        return sa < sb ? a : b;
    case 13:
        return sa < sb ? b : a;
    default:
        return a * b;
    }
}

static void isa(struct gpu_task *t)
{
    enum { OPERATIONS = 15, RESULTS = 32 };
    static const uint32_t odd[] = {0, 1, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff9};
    uint32_t n = t->size, a = words(t, n, 0), b = words(t, n, 0), out, i, k;

    out = place(t, 4 * RESULTS * n);
    for (i = 0; i < n; i++) {
        if (byw_rng_below(t->rng, 3) != 0)
            put(t->memory, a, i, odd[byw_rng_below(t->rng, 8)]);
        if (byw_rng_below(t->rng, 3) != 0)
            put(t->memory, b, i, odd[byw_rng_below(t->rng, 8)]);
    }
    settle(t);
    for (i = 0; i < n; i++) {
        uint32_t x = get(t->memory, a, i), y = get(t->memory, b, i);

        for (k = 0; k < OPERATIONS; k++) {
            uint32_t small = k >= 2 && k <= 4 ? 0xfff9 : k >= 5 && k <= 7 ? 13 : (uint32_t)-7;

            put(t->want, out, RESULTS * i + k, compute(k, x, y));
            put(t->want, out, RESULTS * i + OPERATIONS + k, compute(k, x, small));
        }
        put(t->want, out, RESULTS * i + 30, 0xfff90000);
    }
    memcpy(t->param, (uint32_t[]){n, a, b, out}, 16);
    t->ctas = 2;
}

const struct gpu_job gpu_jobs[] = {
    {"vadd", 500, 5000, vadd},     {"matmul", 11, 24, matmul}, {"stencil", 20, 60, stencil},
    {"gather", 500, 5000, gather}, {"hist", 300, 3000, hist},  {"bfs", 150, 1000, bfs},
    {"isa", 60, 400, isa},         {NULL, 0, 0, NULL},
};

void gpu_task_prepare(struct gpu_task *task, const struct gpu_job *job)
{
    task->at = 64;
    job->prepare(task);
}
