// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
/* Vectors in surfaces of two dimensions and in layers, places outside of them, gathered texels, and
 * sizes. */
KERNEL surfaces(cudaSurfaceObject_t bytes, cudaSurfaceObject_t reals, cudaTextureObject_t image, int *y,
                float *gathered)
{
    int x = threadIdx.x, r = blockIdx.x, width, height;
    uchar4 b = surf2Dread<uchar4>(bytes, (x + 3) * 4, r, cudaBoundaryModeClamp);
    uchar4 zero = surf2Dread<uchar4>(bytes, (x + 3) * 4, r, cudaBoundaryModeZero);
    float4 g = tex2Dgather<float4>(image, x + 0.75f, r + 1.25f, 0);
    asm("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(image));
    asm("suq.height.b32 %0, [%1];" : "=r"(height) : "l"(bytes));
    y[r * 8 + x] = b.x + b.y * 3 + b.z * 5 + b.w * 7 + zero.w * 1000 + width * 1000000 + height * 100000000;
    gathered[r * 8 + x] = g.x + 10 * g.y + 100 * g.z + 1000 * g.w;
    surf2DLayeredwrite(make_float2(b.x, x), reals, x * 8, 0, r);
    ushort2 s = surf2Dread<ushort2>(bytes, x * 4, r);
    surf2Dwrite(make_short2(s.y, s.x), bytes, x * 4, r);
}
#else
/* Stands in for nvcc's runtime: byway's layout of an image, and its sampler (clamped). */
CHECK(surfaces)
{
    struct Image {
        uint64_t data, row, slice;
        int32_t size[3], layers;
        uint32_t order, type, bytes, samples, sampler;
    };
    std::vector<uint8_t> in(8 * 4 * 4), swapped(8 * 4 * 4);
    std::vector<float> texels = floats(8 * 4), pairs(8 * 4 * 2), sums(8 * 4);
    std::vector<int> e(8 * 4);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (uint8_t)noise((uint32_t)i);
    Buffer<uint8_t> di(in);
    Buffer<float> dt(texels), dp(pairs.size()), dg(sums.size());
    Buffer<int> dy(e.size());
    Image bytes = {di.at, 8 * 4, 32 * 4, {8, 4, 1}, 0, 0x10b5, 0x10da, 4, 0, 0x12};
    Image reals = {dp.at, 8 * 8, 8 * 8, {8, 1, 1}, 4, 0x10b2, 0x10de, 8, 0, 0x12};
    Image image = {dt.at, 8 * 4, 32 * 4, {8, 4, 1}, 0, 0x10b0, 0x10de, 4, 0, 0x12};
    for (int r = 0; r < 4; r++)
        for (int x = 0; x < 8; x++) {
            const uint8_t *b = &in[(size_t)(r * 8 + std::min(x + 3, 7)) * 4];
            size_t i = (size_t)(r * 8 + x);
            /* the place is texel x + 0.25, r + 0.75 */
            int x1 = std::min(x + 1, 7), r1 = std::min(r + 1, 3);
            e[i] = b[0] + b[1] * 3 + b[2] * 5 + b[3] * 7 + (x + 3 < 8 ? b[3] * 1000 : 0) + 8 * 1000000 +
                   4 * 100000000;
            sums[i] = texels[(size_t)(r1 * 8 + x)] + 10 * texels[(size_t)(r1 * 8 + x1)] +
                      100 * texels[(size_t)(r * 8 + x1)] + 1000 * texels[i];
            pairs[2 * i] = b[0];
            pairs[2 * i + 1] = (float)x;
            for (size_t k = 0; k < 4; k++)
                swapped[4 * i + k] = in[4 * i + (k ^ 2)];
        }
    return p.run("surfaces", 4, 8, 0, (uint64_t)&bytes, (uint64_t)&reals, (uint64_t)&image, dy.at, dg.at) &&
           near(dg.get(), sums, 1e-6f) && dp.get() == pairs && di.get() == swapped && dy.get() == e;
}
#endif
