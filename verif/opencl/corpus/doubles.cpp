// SPDX-License-Identifier: Apache-2.0
// Double precision: a Jacobi solver and an n-body step, constant tables, goto and switch in
// kernels.
#include "corpus.h"
#include <vector>
static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "constant double weights[4] = {0.25, 0.25, 0.25, 0.25};\n"
    "constant int2 around[4] = {(int2)(-1, 0), (int2)(1, 0), (int2)(0, -1), (int2)(0, 1)};\n"
    "kernel void jacobi(global const double *a, global double *b, int n) {\n"
    "  int x = get_global_id(0), y = get_global_id(1); double s = 0;\n"
    "  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) { b[y * n + x] = a[y * n + x]; return; }\n"
    "  for (int i = 0; i < 4; i++) s += weights[i] * a[(y + around[i].y) * n + x + around[i].x];\n"
    "  b[y * n + x] = s; }\n"
    "kernel void force(global const double4 *p, global double4 *f, int n) {\n"
    "  int i = get_global_id(0); double4 sum = 0;\n"
    "  for (int j = 0; j < n; j++) { double4 d = p[j] - p[i]; double r = dot(d.xyz, d.xyz) + "
    "0.01;\n"
    "    sum.xyz += d.xyz * (p[j].w / (r * sqrt(r))); }\n"
    "  f[i] = sum; }\n"
    "kernel void state(global int *o, global const char *text, int n) {\n"
    "  int words = 0, in = 0, i = get_global_id(0) * 4;\n"
    "again: if (i >= n) goto done;\n"
    "  switch (text[i++]) { case ' ': case '\\t': in = 0; break; case '#': goto done;\n"
    "    default: if (!in) words++; in = 1; }\n"
    "  goto again;\n"
    "done: o[get_global_id(0)] = words; }\n";
int main()
{
    bench b = open_bench(source, "", 0);
    const int n = 40;
    std::vector<double> grid(n * n);
    for (int i = 0; i < n; i++)
        grid[i] = grid[(n - 1) * n + i] = i;
    cl_mem m[2] = {buffer(&b, n * n * 8, grid.data()), buffer(&b, n * n * 8, nullptr)};
    cl_kernel k = kernel(&b, "jacobi");
    arg(k, 2, sizeof(n), &n);
    for (int t = 0; t < 20; t++) {
        size_t global[2] = {n, n}, local[2] = {8, 4};
        arg(k, 0, sizeof(m[0]), &m[t % 2]);
        arg(k, 1, sizeof(m[0]), &m[1 - t % 2]);
        must(clEnqueueNDRangeKernel(b.queue, k, 2, nullptr, global, local, 0, nullptr, nullptr),
             "jacobi");
    }
    fetch(&b, m[0], n * n * 8, grid.data());
    printf("%.9f %.9f\n", grid[5 * n + 7], grid[20 * n + 20]);
    std::vector<double> p(64 * 4), f(64 * 4);
    for (int i = 0; i < 256; i++)
        p[i] = (i * 37 % 101) * 0.1;
    cl_mem mp = buffer(&b, 64 * 32, p.data()), mf = buffer(&b, 64 * 32, nullptr);
    const int bodies = 64;
    k = kernel(&b, "force");
    arg(k, 0, sizeof(mp), &mp);
    arg(k, 1, sizeof(mf), &mf);
    arg(k, 2, sizeof(bodies), &bodies);
    run1(&b, k, 64, 16);
    fetch(&b, mf, 64 * 32, f.data());
    for (int i = 0; i < 256; i += 31)
        printf("%.6f ", f[i]);
    const char text[] = "the quick brown fox # jumps over\tthe lazy dog, and so on";
    const int length = sizeof(text) - 1;
    int words[8];
    cl_mem mt = buffer(&b, sizeof(text), text), mo = buffer(&b, sizeof(words), nullptr);
    k = kernel(&b, "state");
    arg(k, 0, sizeof(mo), &mo);
    arg(k, 1, sizeof(mt), &mt);
    arg(k, 2, sizeof(length), &length);
    run1(&b, k, 8, 8);
    fetch(&b, mo, sizeof(words), words);
    print_ints("\nwords", words, 8);
}
