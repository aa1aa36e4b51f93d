/* SPDX-License-Identifier: Apache-2.0
 * Static and several dynamic scratchpad arrays, a reduction and a scan, groups of odd sizes. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global int *o, local int *a, local float *b, local char *c) {\n"
    "  local int sum[2]; local int two[4][8]; int l = get_local_id(0), n = get_local_size(0);\n"
    "  a[l] = get_global_id(0); b[n - 1 - l] = l * 0.5f; c[l] = (char)l;\n"
    "  if (l < 32 && l < n) two[l / 8][l % 8] = l * l; if (l == 0) sum[0] = sum[1] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int s = 1; s < n; s *= 2) { int v = l >= s ? a[l - s] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); a[l] += v; barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "  atomic_add(&sum[l & 1], (int)(b[l] * 2)); barrier(CLK_LOCAL_MEM_FENCE | "
    "CLK_GLOBAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = a[l] + 1000 * sum[0] + sum[1] + c[n - 1 - l] + two[1][l % 8 < n - 8 ? "
    "l % 4 : 0]; }\n";
int main(void)
{
    struct bench b = open_bench(src, "", 0);
    static const size_t local[] = {9, 33, 50, 100};
    int o[900];
    cl_kernel k = kernel(&b, "f");
    cl_mem out = buffer(&b, sizeof(o), NULL);
    arg(k, 0, sizeof(out), &out);
    for (int i = 0; i < 4; i++) {
        arg(k, 1, local[i] * 4, NULL);
        arg(k, 2, local[i] * 4, NULL);
        arg(k, 3, local[i], NULL);
        run1(&b, k, local[i] * 9, local[i]);
        fetch(&b, out, local[i] * 9 * 4, o);
        printf("%zu: %u %d\n", local[i], hash_of(o, local[i] * 36), o[local[i] * 9 - 1]);
    }
    return 0;
}
