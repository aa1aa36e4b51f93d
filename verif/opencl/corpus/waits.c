/* SPDX-License-Identifier: Apache-2.0
 * Work-groups that wait for each other: barriers over the grid, by a counter that all spin on; an
 * array that is padded in place, each group waiting for its neighbour's flag; a ticket lock; a
 * value handed down from the last group to the first; two warps of a group; and one group that
 * waits for the second half of a grid of 600. Not for PoCL, whose work-groups run one after
 * another: the results were worked out by hand. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    void grid_barrier(volatile global int *count, int goal) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            atomic_inc(count);
            while (*count < goal)
                ;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    } kernel void relax(global int *a, volatile global int *count, int steps) {
        int g = get_global_id(0), n = get_global_size(0), groups = get_num_groups(0);
        for (int s = 1; s <= steps; s++) {
            int v = a[g] + a[(g + n - 64) % n];
            grid_barrier(count, (2 * s - 1) * groups);
            a[g] = v;
            grid_barrier(count, 2 * s * groups);
        }
    } kernel void pad(global int *a, global int *flag, global int *ticket, int rows, int from,
                      int to) {
        local int mine;
        int v[4];
        if (get_local_id(0) == 0)
            mine = atomic_inc(ticket);
        barrier(CLK_LOCAL_MEM_FENCE);
        int row = rows - 1 - mine, t = get_local_id(0);
        for (int k = 0; k < 4; k++)
            v[k] = t + 32 * k < from ? a[row * from + t + 32 * k] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0) {
            while (row != rows - 1 && atomic_or(&flag[row + 1], 0) == 0)
                ;
            atomic_xchg(&flag[row], 1);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (int k = 0; k < 4; k++)
            if (t + 32 * k < to)
                a[row * to + t + 32 * k] = v[k];
    } kernel void locked(volatile global int *lock, volatile global int *sum) {
        if (get_local_id(0) == 0) {
            int mine = atomic_inc(&lock[0]);
            while (atomic_add(&lock[1], 0) != mine)
                ;
            sum[0] = sum[0] * 3 % 1001 + mine;
            atomic_inc(&lock[1]);
        }
    } kernel void down(volatile global int *flag, global int *a) {
        int g = get_group_id(0), last = get_num_groups(0) - 1;
        if (get_local_id(0) == 0)
            while (g < last && flag[g + 1] == 0)
                ;
        int before = g < last ? a[g + 1] : 100;
        if (get_local_id(0) == 0) {
            a[g] = before + g;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            flag[g] = 1;
        }
    } kernel void warps(volatile global int *flag, global int *a) {
        int t = get_local_id(0);
        if (t < 32)
            while (flag[0] == 0)
                ;
        if (t == 63) {
            a[0] = 7;
            flag[0] = 1;
        }
        if (t < 32)
            a[1 + t] = a[0] + t;
    } kernel void far(volatile global int *flag, global int *a) {
        int g = get_group_id(0), seen = 1;
        if (g == 0)
            while ((seen = flag[300]) == 0)
                ;
        else
            flag[g] = g;
        a[g] = seen + g;
    });
static cl_mem zeros(struct bench *b, size_t ints)
{
    static const int zero[4096];
    return buffer(b, ints * sizeof(int), zero);
}
int main(void)
{
    struct bench b = open_bench(src, "", 0);
    int v[2048], n = 3, rows = 40, from = 100, to = 128;
    cl_kernel k = kernel(&b, "relax");
    cl_mem a, f, t;
    for (int i = 0; i < 2048; i++)
        v[i] = i / 64 == 0;
    a = buffer(&b, sizeof(v), v), f = zeros(&b, 1024);
    arg(k, 0, sizeof(a), &a);
    arg(k, 1, sizeof(f), &f);
    arg(k, 2, sizeof(n), &n);
    run1(&b, k, 2048, 64);
    fetch(&b, a, sizeof(v), v);
    printf("relax: %d %d %d %d %d %d\n", v[0], v[64], v[128], v[255], v[256],
           v[2047]); /* 1 3 3 1 */
    k = kernel(&b, "pad");
    for (int i = 0; i < 40 * 25; i++) /* 1000 values instead of 4000: rows of 25 instead of 100 */
        v[i] = i + 1;
    from = 25, to = 51;
    a = buffer(&b, sizeof(v) + 64, NULL), f = zeros(&b, 64), t = zeros(&b, 1);
    must(clEnqueueWriteBuffer(b.queue, a, CL_TRUE, 0, 4000, v, 0, NULL, NULL), "write");
    arg(k, 0, sizeof(a), &a);
    arg(k, 1, sizeof(f), &f);
    arg(k, 2, sizeof(t), &t);
    arg(k, 3, sizeof(rows), &rows);
    arg(k, 4, sizeof(from), &from);
    arg(k, 5, sizeof(to), &to);
    run1(&b, k, 40 * 32, 32);
    fetch(&b, a, sizeof(v), v);
    n = 0;
    for (int i = 0; i < 40 * 51; i++)
        n += v[i] != (i % 51 < 25 ? i / 51 * 25 + i % 51 + 1 : 0);
    printf("pad: %d wrong, %d %d %d\n", n, v[51], v[75], v[76]); /* 26 50 0 */
    k = kernel(&b, "locked");
    f = zeros(&b, 2), a = zeros(&b, 1);
    arg(k, 0, sizeof(f), &f);
    arg(k, 1, sizeof(a), &a);
    run1(&b, k, 50 * 32, 32);
    fetch(&b, a, 4, v);
    n = 0;
    for (int i = 0; i < 50; i++)
        n = n * 3 % 1001 + i;
    printf("locked: %s\n", v[0] == n ? "in order" : "wrong");
    k = kernel(&b, "down");
    f = zeros(&b, 64), a = zeros(&b, 64);
    arg(k, 0, sizeof(f), &f);
    arg(k, 1, sizeof(a), &a);
    run1(&b, k, 20 * 32, 32);
    fetch(&b, a, 20 * 4, v);
    print_ints("down", v, 20); /* 100 and the sum of the numbers from 19 down */
    k = kernel(&b, "warps");
    f = zeros(&b, 1), a = zeros(&b, 64);
    arg(k, 0, sizeof(f), &f);
    arg(k, 1, sizeof(a), &a);
    run1(&b, k, 64, 64);
    fetch(&b, a, 33 * 4, v);
    print_ints("warps", v, 33); /* 7, 7 8 ... 38 */
    k = kernel(&b, "far");
    f = zeros(&b, 600), a = zeros(&b, 600);
    arg(k, 0, sizeof(f), &f);
    arg(k, 1, sizeof(a), &a);
    run1(&b, k, 600, 1);
    fetch(&b, a, 600 * 4, v);
    printf("far: %d %d %d\n", v[0], v[1], v[599]); /* 300 2 600 */
    return 0;
}
