// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL pixels(const uchar4 *in, unsigned char *grey, signed char *edge, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 c = in[i];
    grey[i] = (unsigned char)((77 * c.x + 150 * c.y + 29 * c.z) >> 8);
    edge[i] = (signed char)(c.x - in[i > 0 ? i - 1 : 0].x) >> 1;
}
#else
CHECK(pixels)
{
    std::vector<unsigned char> in(1200), g(300);
    std::vector<signed char> s(300);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (unsigned char)noise((uint32_t)i);
    for (size_t i = 0; i < 300; i++) {
        g[i] = (unsigned char)((77 * in[4 * i] + 150 * in[4 * i + 1] + 29 * in[4 * i + 2]) >> 8);
        s[i] = (signed char)((signed char)(in[4 * i] - in[4 * (i > 0 ? i - 1 : 0)]) >> 1);
    }
    Buffer<unsigned char> di(in), dg(300);
    Buffer<signed char> de(300);
    return p.run("pixels", 3, 100, 0, di.at, dg.at, de.at, 300) && dg.get() == g && de.get() == s;
}
#endif
