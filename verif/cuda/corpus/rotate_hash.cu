// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
__device__ unsigned rotl(unsigned x, int n) { return x << n | x >> (32 - n); }
KERNEL rotate_hash(const unsigned *x, unsigned *h, int n)
{
    unsigned a = 0x67452301, b = 0xefcdab89, c = threadIdx.x;
    for (int i = 0; i < n; i++) {
        unsigned f = (a & b) | (~a & c), v = x[i * blockDim.x + threadIdx.x];
        a = rotl(b + f, 5 + i % 20) + __byte_perm(v, a, 0x2345);
        b = __brev(c) ^ __funnelshift_l(a, v, i);
        c += __umulhi(a, b) + __clz(v) + __ffs(v) + __popc(b);
    }
    h[threadIdx.x] = a ^ b ^ c;
}
#else
static unsigned turn(unsigned x, unsigned n) { return n % 32 ? x << n % 32 | x >> (32 - n % 32) : x; }
CHECK(rotate_hash)
{
    std::vector<unsigned> x(32 * 10), e(32);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = noise((uint32_t)i);
    Buffer<unsigned> dx(x), dh(32);
    for (unsigned t = 0; t < 32; t++) {
        unsigned a = 0x67452301, b = 0xefcdab89, c = t;
        for (unsigned i = 0; i < 10; i++) {
            unsigned f = (a & b) | (~a & c), v = x[i * 32 + t], perm = 0, rev = 0;
            unsigned char s[8];
            memcpy(s, &v, 4);
            memcpy(s + 4, &a, 4);
            for (unsigned k = 0; k < 4; k++)
                perm |= (unsigned)s[0x2345 >> 4 * k & 7] << 8 * k;
            a = turn(b + f, 5 + i % 20) + perm;
            for (unsigned k = 0; k < 32; k++)
                rev |= (c >> k & 1) << (31 - k);
            b = rev ^ (i % 32 ? v << i | a >> (32 - i) : v);
            c += (unsigned)((uint64_t)a * b >> 32) + (v ? (unsigned)__builtin_clz(v) : 32) +
                 (unsigned)__builtin_ffs((int)v) + (unsigned)__builtin_popcount(b);
        }
        e[t] = a ^ b ^ c;
    }
    return p.run("rotate_hash", 1, 32, 0, dx.at, dh.at, 10) && dh.get() == e;
}
#endif
