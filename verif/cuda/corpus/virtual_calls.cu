// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
struct Shape {
    __device__ virtual float area() const = 0;
};
struct Box : Shape {
    float w, h;
    __device__ Box(float a, float b) : w(a), h(b) {}
    __device__ float area() const override { return w * h; }
};
struct Disc : Shape {
    float r;
    __device__ explicit Disc(float a) : r(a) {}
    __device__ float area() const override { return 3.0f * r * r; }
};
KERNEL virtual_calls(const float *x, float *y)
{
    int i = threadIdx.x;
    Box box(x[i], 2);
    Disc disc(x[i]);
    const Shape *s = i & 1 ? static_cast<const Shape *>(&box) : &disc;
    y[i] = s->area();
}
#else
CHECK(virtual_calls)
{
    std::vector<float> x = floats(64), e(64);
    Buffer<float> dx(x), dy(64);
    for (size_t i = 0; i < 64; i++)
        e[i] = i & 1 ? x[i] * 2 : 3.0f * x[i] * x[i];
    return p.run("virtual_calls", 1, 64, 0, dx.at, dy.at) && near(dy.get(), e, 1e-6f);
}
#endif
