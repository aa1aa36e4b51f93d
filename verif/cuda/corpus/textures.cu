// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL textures(cudaTextureObject_t flat, cudaTextureObject_t image, cudaSurfaceObject_t out, float *y)
{
    int x = threadIdx.x, r = blockIdx.x;
    y[r * 16 + x] = tex2D<float>(image, x + 1.0f, r + 0.5f) + tex1Dfetch<float>(flat, x - 2);
    surf2Dwrite(x * 100 + r, out, x * 4, r);
}
#else
/* Stands in for nvcc's runtime: byway's layout of an image, and its sampler (linear, clamped). */
struct Image {
    uint64_t data, row, slice;
    int32_t size[3], layers;
    uint32_t order, type, bytes, samples, sampler;
};
CHECK(textures)
{
    std::vector<float> in = floats(16 * 4), e(64);
    std::vector<int> written(64);
    Buffer<float> di(in), dy(64);
    Buffer<int> dout(64);
    Image flat = {di.at, 64 * 4, 64 * 4, {64, 1, 1}, 0, 0x10b0, 0x10de, 4, 0, 0x12};
    Image image = {di.at, 16 * 4, 64 * 4, {16, 4, 1}, 0, 0x10b0, 0x10de, 4, 0, 0x22};
    Image out = {dout.at, 16 * 4, 64 * 4, {16, 4, 1}, 0, 0x10b0, 0x10d9, 4, 0, 0x12};
    for (int r = 0; r < 4; r++)
        for (int x = 0; x < 16; x++) {
            float left = in[(size_t)(r * 16 + x)], right = in[(size_t)(r * 16 + std::min(x + 1, 15))];
            e[(size_t)(r * 16 + x)] = (left + right) / 2 + (x < 2 ? 0 : in[(size_t)x - 2]);
            written[(size_t)(r * 16 + x)] = x * 100 + r;
        }
    return p.run("textures", 4, 16, 0, (uint64_t)&flat, (uint64_t)&image, (uint64_t)&out, dy.at) &&
           near(dy.get(), e, 1e-6f) && dout.get() == written;
}
#endif
