/* SPDX-License-Identifier: Apache-2.0
 * printf from one work-item: integers, floats, vectors, strings. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global float4 *v, int n) {\n"
    "  if (get_global_id(0) != 3) return;\n"
    "  printf(\"hello %d %u %x %5d|%-5d|%05d\\n\", n, 7u, 255, n, n, n);\n"
    "  printf(\"%f %.2e %g %s %c %%\\n\", v[0].x, v[1].y, 0.5f, \"text\", 'z');\n"
    "  printf(\"%v4hlf\\n\", v[2]); int2 i = (int2)(n, -n); printf(\"%v2hld\\n\", i);\n"
    "  printf(\"%#v4hhx|%ld|%lu\\n\", (uchar4)(1, 2, 3, 250), -5L, 123456789012UL);\n"
    "  for (int k = 0; k < 3; k++) printf(\"%d,\", k); printf(\"\\n\"); }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    float v[16];
    int n = 42;
    for (int i = 0; i < 16; i++)
        v[i] = (float)i * 1.25f;
    cl_mem m = buffer(&b, sizeof(v), v);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(m), &m);
    arg(k, 1, sizeof(n), &n);
    run1(&b, k, 8, 4);
    must(clFinish(b.queue), "clFinish");
    return 0;
}
