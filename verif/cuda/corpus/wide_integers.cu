// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
typedef unsigned long long word;
__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;
#define WIDE_RESULTS 48
#ifdef __CUDACC__
#define BOTH __device__
#else
#define BOTH
#endif
// All operations of 128-bit integers, the same text for the GPU and the host; the result words.
static BOTH inline void wide_all(wide x, wide y, word *out, int step)
{
    wide_signed a = (wide_signed)x, b = (wide_signed)y;
    unsigned by = (unsigned)y & 127u;
    wide most = (wide)1 << 127;
    bool overflows = x == most && y == ~(wide)0;
    wide list[] = {x + y, x - y, x * y, x / y, x % y, overflows ? 0 : (wide)(a / b),
                   overflows ? 0 : (wide)(a % b), x << by, x >> by, (wide)(a >> by), x & y, x | y,
                   x ^ ~y, -x, (wide)(a < 0 ? -x : x), (wide)(x < y) | (wide)(x <= y) << 64,
                   (wide)(a < b) | (wide)(a <= b) << 64, (wide)(x == y) | (wide)(a > b) << 64,
                   (wide)(wide_signed)(long long)y, (wide)(word)y, (wide)(wide_signed)(int)y,
                   (wide)(wide_signed)(signed char)y, (wide)(wide_signed)(double)(long long)(a >> 64),
                   x / ((word)y | 1)};
    for (int i = 0; i < WIDE_RESULTS / 2; i++) {
        out[2 * i * step] = (word)list[i];
        out[(2 * i + 1) * step] = (word)(list[i] >> 64);
    }
}
#ifdef __CUDACC__
KERNEL wide_integers(const word *x, const word *y, word *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    wide_all((wide)x[2 * i + 1] << 64 | x[2 * i], (wide)y[2 * i + 1] << 64 | y[2 * i], out + i,
             blockDim.x * gridDim.x);
}
#else
CHECK(wide_integers)
{
    static const word edge[] = {0, 1, 2, 7, 0xffffffffull, ~0ull, ~0ull >> 1, 1ull << 63, 1ull << 32};
    const unsigned n = 256;
    std::vector<word> x(2 * n), y(2 * n), want(n * WIDE_RESULTS);
    for (unsigned i = 0; i < 2 * n; i++) {
        word r = (word)noise(i) << 32 | noise(i + 7000), q = (word)noise(i + 300) << 32 | noise(i + 9000);
        x[i] = i % 3 == 0 ? edge[r % 9] : r >> i % 61;
        y[i] = i % 5 == 0 ? edge[q % 9] : i % 2 == 1 && i % 4 == 1 ? 0 : q >> i % 47;
        if (i % 2 == 1 && y[i - 1] == 0 && y[i] == 0)
            y[i - 1] = 3;
    }
    for (unsigned i = 0; i < n; i++)
        wide_all((wide)x[2 * i + 1] << 64 | x[2 * i], (wide)y[2 * i + 1] << 64 | y[2 * i], &want[i], (int)n);
    Buffer<word> dx(x), dy(y), out(want.size());
    return p.run("wide_integers", n / 64, 64, 0, dx.at, dy.at, out.at) && out.get() == want;
}
#endif
