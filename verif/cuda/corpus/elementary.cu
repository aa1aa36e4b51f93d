// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL elementary(const float *x, float *y, double *z)
{
    int i = threadIdx.x;
    float v = x[i];
    y[4 * i] = sinf(v) + cosf(2 * v);
    y[4 * i + 1] = expf(v) + logf(v + 2) + tanhf(v);
    y[4 * i + 2] = powf(v + 2, 1.5f) + atan2f(v, 0.3f) + erff(v);
    y[4 * i + 3] = sqrtf(v + 1) + cbrtf(v) + __fdividef(v, 3) + __expf(v) + sinf(v * 100000);
    z[i] = sin((double)v) + exp((double)v) * log((double)v + 3) + pow((double)v + 2, 0.7) + tgamma((double)v + 3);
}
#else
CHECK(elementary)
{
    std::vector<float> x = floats(128), e(512);
    std::vector<double> z(128);
    Buffer<float> dx(x), dy(512);
    Buffer<double> dz(128);
    for (size_t i = 0; i < 128; i++) {
        float v = x[i];
        e[4 * i] = sinf(v) + cosf(2 * v);
        e[4 * i + 1] = expf(v) + logf(v + 2) + tanhf(v);
        e[4 * i + 2] = powf(v + 2, 1.5f) + atan2f(v, 0.3f) + erff(v);
        e[4 * i + 3] = sqrtf(v + 1) + cbrtf(v) + v / 3 + expf(v) + sinf(v * 100000);
        z[i] = sin((double)v) + exp((double)v) * log((double)v + 3) + pow((double)v + 2, 0.7) + tgamma((double)v + 3);
    }
    if (!p.run("elementary", 1, 128, 0, dx.at, dy.at, dz.at) || !near(dy.get(), e, 2e-6f))
        return false;
    std::vector<double> got = dz.get();
    for (size_t i = 0; i < 128; i++)
        if (!(fabs(got[i] - z[i]) < 1e-12 * fabs(z[i])))
            return false;
    return true;
}
#endif
