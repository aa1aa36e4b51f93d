// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
struct Affine {
    float m[2][3];
    int n;
    char flip;
};
#ifdef __CUDACC__
__device__ __noinline__ float2 apply(const Affine &a, float2 v)
{
    return make_float2(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2],
                       a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2]);
}
KERNEL struct_param(Affine a, float2 *v)
{
    int i = threadIdx.x;
    if (i < a.n) {
        float2 r = apply(a, v[i]);
        v[i] = a.flip ? make_float2(r.y, r.x) : r;
    }
}
#else
CHECK(struct_param)
{
    Affine a = {{{2, 0.5f, 1}, {-1, 3, 4}}, 60, 1};
    std::vector<float> v = floats(128), e = v;
    Buffer<float> dv(v);
    for (size_t i = 0; i < 60; i++) {
        e[2 * i + 1] = a.m[0][0] * v[2 * i] + a.m[0][1] * v[2 * i + 1] + a.m[0][2];
        e[2 * i] = a.m[1][0] * v[2 * i] + a.m[1][1] * v[2 * i + 1] + a.m[1][2];
    }
    return p.run("struct_param", 1, 64, 0, a, dv.at) && near(dv.get(), e, 1e-6f);
}
#endif
