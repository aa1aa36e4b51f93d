/* SPDX-License-Identifier: Apache-2.0
 * One to three dimensions, offsets, sizes that are not multiples of a warp, launches without a
 * local size, a task. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global uint *o) {\n"
    "  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - "
    "get_global_offset(1),\n"
    "    z = get_global_id(2) - get_global_offset(2);\n"
    "  size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
    "  uint h = get_global_id(0) * 3 + get_global_id(1) * 1009 + get_global_id(2) * 70001 + "
    "get_work_dim();\n"
    "  h += get_local_id(3);\n"
    "  o[at] = h + (get_group_id(0) * get_local_size(0) + get_local_id(0) == x); }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    static const size_t global[5][3] = {{100, 1, 1}, {33, 7, 1}, {5, 6, 7}, {64, 2, 1}, {1, 1, 1}};
    static const size_t local[5][3] = {{20, 1, 1}, {11, 7, 1}, {5, 3, 1}, {64, 2, 1}, {1, 1, 1}};
    static const size_t offset[3] = {10, 20, 30};
    unsigned o[256];
    cl_kernel k = kernel(&b, "f");
    cl_mem out = buffer(&b, sizeof(o), NULL);
    arg(k, 0, sizeof(out), &out);
    for (int i = 0; i < 5; i++)
        for (int how = 0; how < 4; how++) {
            cl_uint dims = i < 1 ? 1 : i == 2 ? 3 : 2;
            size_t n = global[i][0] * global[i][1] * global[i][2];
            must(clEnqueueNDRangeKernel(b.queue, k, dims, how & 1 ? offset : NULL, global[i],
                                        how & 2 ? local[i] : NULL, 0, NULL, NULL),
                 "range");
            fetch(&b, out, n * 4, o);
            printf("%d %d: %u %u\n", i, how, o[n - 1], hash_of(o, n * 4));
        }
    must(clEnqueueTask(b.queue, k, 0, NULL, NULL), "task");
    fetch(&b, out, 4, o);
    printf("task %u\n", o[0]);
    return 0;
}
