/* SPDX-License-Identifier: Apache-2.0
 * Sub-groups and shuffles: sizes and numbers, reductions, scans, broadcasts and votes, in groups
 * with a last sub-group that is not full and of two dimensions, and where only some lanes shuffle.
 * Not for PoCL, whose sub-groups have other sizes: the host works the results out. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n" TEXT(
    kernel void lanes(global const int *a, global int *o) {
        int g = get_global_linear_id(), n = get_global_size(0) * get_global_size(1), x = a[g];
        uint me = get_sub_group_local_id(), size = get_sub_group_size();
        o[g] = get_sub_group_id() * 10000 + me * 100 + size;
        o[n + g] = get_num_sub_groups() * 100 + get_max_sub_group_size();
        o[2 * n + g] = sub_group_reduce_add(x);
        o[3 * n + g] = sub_group_reduce_min(x) * 1000 + sub_group_reduce_max(x);
        o[4 * n + g] = sub_group_scan_exclusive_add(x);
        o[5 * n + g] = sub_group_scan_inclusive_max((long)x);
        o[6 * n + g] = sub_group_broadcast(x, 7 % size) + 1000 * sub_group_broadcast((float)x, 2);
        o[7 * n + g] = sub_group_all(x > 5) * 10 + sub_group_any(x == 77);
        o[8 * n + g] = sub_group_shuffle(x, size - 1 - me);
        o[9 * n + g] = (me ^ 1) < size ? sub_group_shuffle_xor((uchar)x, 1u) : 0;
        o[10 * n + g] = me >= 3 ? sub_group_shuffle_up(x, 3u) : -1;
        o[11 * n + g] = sub_group_shuffle_down((double)x, 2u) * (me + 2 < size);
    } kernel void tree(global const int *a, global int *o, local int *s) {
        int x = a[get_global_id(0)];
        for (uint d = get_max_sub_group_size() / 2; d > 0; d /= 2)
            x += sub_group_shuffle_xor(x, d);
        s[get_local_id(0)] = x;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        o[get_global_id(0)] = s[get_local_id(0) ^ 1];
    });
#define W 32
static int a[192], o[12 * 192], wrong;
static void expect(int what, int item, int value)
{
    if (o[what * 192 + item] != value && wrong++ < 5)
        printf("%d of item %d: %d, not %d\n", what, item, o[what * 192 + item], value);
}
/* A sub-group of the items list[0 .. size). */
static void check(const int *list, int size, int id, int count, int most)
{
    int sum = 0, low = 1 << 20, high = -1, above = 1, seen = 0, before = 0, top = -1;
    for (int i = 0; i < size; i++) {
        int x = a[list[i]];
        sum += x, low = x < low ? x : low, high = x > high ? x : high;
        above &= x > 5, seen |= x == 77;
    }
    for (int i = 0; i < size; before += a[list[i++]]) {
        int item = list[i];
        top = a[item] > top ? a[item] : top;
        expect(0, item, id * 10000 + i * 100 + size);
        expect(1, item, count * 100 + most);
        expect(2, item, sum);
        expect(3, item, low * 1000 + high);
        expect(4, item, before);
        expect(5, item, top);
        expect(6, item, a[list[7 % size]] + 1000 * a[list[2]]);
        expect(7, item, above * 10 + seen);
        expect(8, item, a[list[size - 1 - i]]);
        expect(9, item, (i ^ 1) < size ? a[list[i ^ 1]] : 0);
        expect(10, item, i >= 3 && i - 3 >= 3 ? a[list[i - 3]] : i >= 3 ? o[10 * 192 + item] : -1);
        expect(11, item, i + 2 < size ? a[list[i + 2]] : 0);
    }
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL3.0", 0);
    size_t global[2] = {16, 12}, local[2] = {8, 6};
    cl_kernel k = kernel(&b, "lanes");
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < 192; i++)
        a[i] = (i * 37 + 11) % 101;
    in = buffer(&b, sizeof(a), a);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    run1(&b, k, 192, 96);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < 192; i += W) {
        int list[W];
        for (int l = 0; l < W; l++)
            list[l] = i + l;
        check(list, W, i / W % 3, 3, W);
    }
    printf("one dimension: %d wrong\n", wrong);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, local, 0, NULL, NULL), "2-D");
    fetch(&b, out, sizeof(o), o);
    for (int group = 0; group < 4; group++)
        for (int sub = 0; sub < 48; sub += W) {
            int list[W], size = 48 - sub < W ? 48 - sub : W;
            for (int l = 0; l < size; l++)
                list[l] = (group / 2 * 6 + (sub + l) / 8) * 16 + group % 2 * 8 + (sub + l) % 8;
            check(list, size, sub / W, 2, W);
        }
    printf("two dimensions: %d wrong\n", wrong);
    k = kernel(&b, "tree");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, 64 * 4, NULL);
    run1(&b, k, 192, 64);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < 192; i++) {
        int sum = 0;
        for (int l = 0; l < W; l++)
            sum += a[i / W * W + l];
        expect(0, i, sum);
    }
    printf("tree: %d wrong\n", wrong);
    return 0;
}
