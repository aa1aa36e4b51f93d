// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL game_of_life(const bool *in, bool *out, int n)
{
    __shared__ bool s[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < 324; k += 256) {
        int sx = (blockIdx.x * 16 + k % 18 - 1 + n) % n, sy = (blockIdx.y * 16 + k / 18 - 1 + n) % n;
        s[k / 18][k % 18] = in[sy * n + sx];
    }
    __syncthreads();
    int count = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            count += s[threadIdx.y + j][threadIdx.x + i];
    out[y * n + x] = count == 3 || (count == 4 && s[threadIdx.y + 1][threadIdx.x + 1]);
}
#else
CHECK(game_of_life)
{
    const int n = 48;
    std::vector<char> in(n * n), e(n * n);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = noise((uint32_t)i) % 3 == 0;
    Buffer<char> a(in), b(in.size());
    unsigned g[3] = {3, 3, 1}, t[3] = {16, 16, 1};
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int c = 0;
            for (int j = -1; j < 2; j++)
                for (int i = -1; i < 2; i++)
                    c += in[(size_t)((y + j + n) % n * n + (x + i + n) % n)];
            e[(size_t)(y * n + x)] = c == 3 || (c == 4 && in[(size_t)(y * n + x)]);
        }
    return p.run3("game_of_life", g, t, 0, a.at, b.at, n) && b.get() == e;
}
#endif
