// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
// nvcc: -use_fast_math
#ifdef __CUDACC__
KERNEL nbody(const float4 *body, float4 *force, int n)
{
    __shared__ float4 tile[64];
    float4 me = body[blockIdx.x * 64 + threadIdx.x], f = make_float4(0, 0, 0, 0);
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = body[k + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < 64; i++) {
            float4 o = tile[i];
            float x = o.x - me.x, y = o.y - me.y, z = o.z - me.z;
            float r = rsqrtf(x * x + y * y + z * z + 0.01f), s = o.w * r * r * r;
            f.x += x * s;
            f.y += y * s;
            f.z += z * s;
        }
        __syncthreads();
    }
    force[blockIdx.x * 64 + threadIdx.x] = f;
}
#else
CHECK(nbody)
{
    std::vector<float> b = floats(4 * 192), e(b.size());
    Buffer<float> db(b), df(b.size());
    for (size_t i = 0; i < 192; i++)
        for (size_t k = 0; k < 192; k++) {
            float d[3], r = 0.01f;
            for (size_t c = 0; c < 3; c++) {
                d[c] = b[4 * k + c] - b[4 * i + c];
                r += d[c] * d[c];
            }
            for (size_t c = 0; c < 3; c++)
                e[4 * i + c] += d[c] * b[4 * k + 3] / (r * sqrtf(r));
        }
    return p.run("nbody", 3, 64, 0, db.at, df.at, 192) && near(df.get(), e, 2e-3f);
}
#endif
