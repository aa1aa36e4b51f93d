/* SPDX-License-Identifier: Apache-2.0
 * Work-groups whose sizes differ (OpenCL C 2.0): the last ones of each dimension are smaller, with
 * barriers, sub-groups and offsets; 1.2 and -cl-uniform-work-group-size refuse such sizes.
 * Not for PoCL: the host works the results out. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    kernel void sizes(global int *o, local int *s) {
        int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
        int at = (y - get_global_offset(1)) * w + x - get_global_offset(0);
        int items = get_local_size(0) * get_local_size(1);
        int me = get_local_id(1) * get_local_size(0) + get_local_id(0), sum = 0;
        s[me] = at;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < items; i++)
            sum += s[i];
        o[at * 6] = get_local_size(0) * 100 + get_local_size(1);
        o[at * 6 + 1] = get_enqueued_local_size(0) * 100 + get_enqueued_local_size(1);
        o[at * 6 + 2] = get_global_size(0) * 1000 + get_global_size(1);
        o[at * 6 + 3] = sum;
        o[at * 6 + 4] = get_local_linear_id() * 1000 + get_global_linear_id();
        o[at * 6 + 5] = get_num_groups(0) * 1000 + get_num_groups(1) * 100 + get_num_sub_groups();
    } kernel void plain(global int *o) { o[get_global_id(0)] += get_group_id(0) + 1; });
static const char plain[] = "kernel void plain(global int *o) { o[get_global_id(0)] = 1; }";
enum { W = 37, H = 11, LX = 8, LY = 4 };
static int o[6 * W * H], p[W], wrong;
static void expect(int part, int x, int y, int value)
{
    if (o[(y * W + x) * 6 + part] != value && wrong++ < 6)
        printf("%d of %d, %d: %d, not %d\n", part, x, y, o[(y * W + x) * 6 + part], value);
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL2.0", 0), old;
    size_t global[2] = {W, H}, local[2] = {LX, LY}, offset[2] = {5, 3};
    cl_kernel k = kernel(&b, "sizes");
    cl_mem out = buffer(&b, sizeof(o), NULL), one;
    arg(k, 0, sizeof(out), &out);
    arg(k, 1, LX * LY * sizeof(int), NULL);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, offset, global, local, 0, NULL, NULL), "launch");
    fetch(&b, out, sizeof(o), o);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int x0 = x / LX * LX, y0 = y / LY * LY, sum = 0;
            int w = W - x0 < LX ? W - x0 : LX, h = H - y0 < LY ? H - y0 : LY;
            for (int j = y0; j < y0 + h; j++)
                for (int i = x0; i < x0 + w; i++)
                    sum += j * W + i;
            expect(0, x, y, w * 100 + h);
            expect(1, x, y, LX * 100 + LY);
            expect(2, x, y, W * 1000 + H);
            expect(3, x, y, sum);
            expect(4, x, y, ((y - y0) * w + x - x0) * 1000 + y * W + x);
            expect(5, x, y, 5 * 1000 + 3 * 100 + (w * h + 31) / 32);
        }
    k = kernel(&b, "plain");
    one = buffer(&b, sizeof(p), p);
    arg(k, 0, sizeof(one), &one);
    run1(&b, k, W, 16);
    fetch(&b, one, sizeof(p), p);
    for (int i = 0; i < W; i++)
        wrong += p[i] != i / 16 + 1;
    printf("sizes: %d wrong\n", wrong);
    for (int i = 0; i < 2; i++) {
        size_t items = W, group = 16;
        old = open_bench(plain,
                         i == 0 ? "-cl-std=CL1.2" : "-cl-std=CL2.0 -cl-uniform-work-group-size", 0);
        k = kernel(&old, "plain");
        one = buffer(&old, sizeof(p), p);
        arg(k, 0, sizeof(one), &one);
        printf("refused: %d\n",
               clEnqueueNDRangeKernel(old.queue, k, 1, NULL, &items, &group, 0, NULL, NULL));
    }
    return 0;
}
