// SPDX-License-Identifier: Apache-2.0
// Bitonic sort, radix scan and breadth-first search: many small launches, host loops between them.
#include "corpus.h"
#include <algorithm>
#include <vector>
static const char source[] =
    "kernel void bitonic(global uint *a, uint j, uint k) { uint i = get_global_id(0), p = i ^ j;\n"
    "  if (p > i) { uint x = a[i], y = a[p]; if ((x > y) == ((i & k) == 0)) { a[i] = y; a[p] = x; "
    "} } }\n"
    "kernel void level(global const int *first, global const int *to, global int *depth, global "
    "int *again, int d, int n) {\n"
    "  int v = get_global_id(0); if (v >= n || depth[v] != d) return;\n"
    "  for (int e = first[v]; e < first[v + 1]; e++) if (depth[to[e]] < 0) { depth[to[e]] = d + 1; "
    "*again = 1; } }\n";
int main()
{
    bench b = open_bench(source, nullptr, 0);
    std::vector<cl_uint> keys(512);
    for (size_t i = 0; i < keys.size(); i++)
        keys[i] = cl_uint(i * 2654435761u) % 10000;
    cl_mem m = buffer(&b, keys.size() * 4, keys.data());
    cl_kernel sort = kernel(&b, "bitonic");
    arg(sort, 0, sizeof(m), &m);
    for (cl_uint k = 2; k <= keys.size(); k *= 2)
        for (cl_uint j = k / 2; j > 0; j /= 2) {
            arg(sort, 1, 4, &j);
            arg(sort, 2, 4, &k);
            run1(&b, sort, keys.size(), 64);
        }
    std::vector<cl_uint> got(keys.size());
    fetch(&b, m, keys.size() * 4, got.data());
    std::sort(keys.begin(), keys.end());
    printf("sorted %d\n", keys == got);
    const int n = 300;
    std::vector<int> first(1, 0), to, depth(n, -1);
    for (int v = 0; v < n; v++) {
        to.push_back((v * 7 + 1) % n);
        if (v % 3 == 0)
            to.push_back((v * v + 5) % n);
        first.push_back(int(to.size()));
    }
    depth[0] = 0;
    cl_mem mf = buffer(&b, first.size() * 4, first.data()),
           mt = buffer(&b, to.size() * 4, to.data());
    cl_mem md = buffer(&b, depth.size() * 4, depth.data()), ma = buffer(&b, 4, nullptr);
    cl_kernel level = kernel(&b, "level");
    int again = 1, d = 0;
    arg(level, 0, sizeof(mf), &mf);
    arg(level, 1, sizeof(mt), &mt);
    arg(level, 2, sizeof(md), &md);
    arg(level, 3, sizeof(ma), &ma);
    arg(level, 5, sizeof(n), &n);
    for (; again; d++) {
        again = 0;
        must(clEnqueueWriteBuffer(b.queue, ma, CL_FALSE, 0, 4, &again, 0, nullptr, nullptr),
             "write");
        arg(level, 4, sizeof(d), &d);
        run1(&b, level, 320, 64);
        fetch(&b, ma, 4, &again);
    }
    fetch(&b, md, depth.size() * 4, depth.data());
    printf("levels %d, %u\n", d, hash_of(depth.data(), depth.size() * 4));
}
