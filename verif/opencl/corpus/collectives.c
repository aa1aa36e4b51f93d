/* SPDX-License-Identifier: Apache-2.0
 * Collective functions of OpenCL C 2.0 and 3.0: reductions, scans, broadcasts and votes of
 * work-groups, in groups of one and two dimensions. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(kernel void group(global const int *a, global long *o) {
    int x = a[get_global_linear_id()], n = get_global_size(0) * get_global_size(1);
    global long *at = o + get_global_linear_id();
    at[0] = work_group_reduce_add(x);
    at[n] = work_group_reduce_min(x) * 1000L + work_group_reduce_max((uint)x);
    at[2 * n] = work_group_scan_exclusive_add((long)x);
    at[3 * n] = work_group_scan_inclusive_add((ulong)x) * 3;
    at[4 * n] = work_group_scan_inclusive_max(x) * 1000L + work_group_scan_inclusive_min(x);
    at[5 * n] = work_group_all(x > 2) * 10 + work_group_any(x == 60);
    at[6 * n] =
        (long)work_group_reduce_add((float)x) + (long)work_group_scan_exclusive_add(x * 0.5);
    if (get_work_dim() == 1)
        at[7 * n] = work_group_broadcast(x, 5);
    else
        at[7 * n] = work_group_broadcast(x, 3, 1);
    at[8 * n] = get_local_linear_id() * 100 + get_enqueued_local_size(0);
});
static void run_as(const char *options)
{
    struct bench b = open_bench(src, options, 0);
    static int a[192];
    static cl_long o[9 * 192];
    cl_kernel k = kernel(&b, "group");
    size_t global[2] = {16, 12}, local[2] = {8, 6};
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < 192; i++)
        a[i] = (i * 37 + 11) % 101;
    in = buffer(&b, sizeof(a), a);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    printf("%s\n", options);
    for (int round = 0; round < 3; round++) {
        if (round < 2)
            run1(&b, k, 192, round ? 48 : 96);
        else
            must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, local, 0, NULL, NULL), "2-D");
        fetch(&b, out, sizeof(o), o);
        for (int i = 0; i < 9; i++)
            printf("%d %d: %lld %lld %lld %u\n", round, i, (long long)o[i * 192],
                   (long long)o[i * 192 + 40], (long long)o[i * 192 + 191],
                   hash_of(o + i * 192, 192 * 8));
    }
    close_bench(&b);
}
int main(void)
{
    run_as("-cl-std=CL2.0");
    run_as("-cl-std=CL3.0");
    return 0;
}
