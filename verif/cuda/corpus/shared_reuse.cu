// SPDX-License-Identifier: Apache-2.0
//
// Scratchpad that one warp overwrites while others read it without a barrier in between: right on a
// GPU, whose warps advance together.
#include "corpus.h"
#ifdef __CUDACC__
KERNEL reuse_after_shuffles(const float *x, float *o)
{
    __shared__ float s[4];
    int t = threadIdx.x, w = t / 32;
    float m = x[t];
    for (int d = 16; d; d >>= 1)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    if (t % 32 == 0)
        s[w] = m;
    __syncthreads();
    if (t == 0)
        for (int i = 1; i < blockDim.x / 32; i++)
            s[0] = fmaxf(s[0], s[i]);
    __syncthreads();
    float v = x[t] - s[0], sum = v;
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (t % 32 == 0)
        s[w] = sum;
    __syncthreads();
    o[t] = v + 0 * s[w];
}
KERNEL reuse_cell(const int *x, int *o)
{
    __shared__ int s[1];
    int t = threadIdx.x;
    if (t == 0)
        s[0] = x[0];
    __syncthreads();
    int first = s[0];
    if (t == 0)
        s[0] = x[1];
    __syncthreads();
    o[t] = first * 1000 + s[0];
}
KERNEL reuse_partials(const int *x, int *o)
{
    __shared__ int s[8];
    int t = threadIdx.x, w = t / 32, sum = 0, all = 0;
    if (t % 32 == 0)
        s[w] = x[t];
    __syncthreads();
    for (int i = 0; i < blockDim.x / 32; i++)
        sum += s[i];
    if (t % 32 == 5)
        s[w] = sum + w;
    __syncthreads();
    for (int i = 0; i < blockDim.x / 32; i++)
        all += s[i];
    o[t] = all;
}
KERNEL reuse_neighbour(const int *x, int *o)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    int v = s[(t + 127) % 128] * 3;
    s[t] = v;
    __syncthreads();
    o[t] = s[127 - t];
}
#else
CHECK(shared_reuse)
{
    std::vector<float> f(128), g(128);
    std::vector<int> x = ints(128, 1000), cell(128), part(256), side(128), y = ints(256, 1000);
    Buffer<float> dg(f.size());
    int sum = 0;

    for (int i = 0; i < 128; i++)
        f[i] = i, g[i] = i - 127, cell[i] = x[0] * 1000 + x[1],
        side[i] = 3 * x[(127 - i + 127) % 128];
    for (int w = 0; w < 8; w++)
        sum += y[32 * w];
    for (int i = 0; i < 256; i++)
        part[i] = 8 * sum + 28;
    Buffer<float> a(f);
    Buffer<int> dx(x), dy(y), c(128), d(256), e(128);
    return p.run("reuse_after_shuffles", 1, 128, 0, a.at, dg.at) && dg.get() == g &&
           p.run("reuse_cell", 1, 128, 0, dx.at, c.at) && c.get() == cell &&
           p.run("reuse_partials", 1, 256, 0, dy.at, d.at) && d.get() == part &&
           p.run("reuse_neighbour", 1, 128, 0, dx.at, e.at) && e.get() == side;
}
#endif
