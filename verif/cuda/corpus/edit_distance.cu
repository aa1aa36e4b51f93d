// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL edit_distance(const char *a, const char *b, int *d, int n)
{
    extern __shared__ int row[];
    int *r0 = row, *r1 = row + n + 1, *r2 = row + 2 * (n + 1), t = threadIdx.x;
    for (int k = 0; k <= 2 * n; k++) {
        if (t <= n && t <= k && k - t <= n) {
            int j = k - t, v;
            if (t == 0 || j == 0)
                v = k;
            else
                v = min(min(r1[t - 1], r1[t]) + 1, r0[t - 1] + (a[t - 1] != b[j - 1]));
            r2[t] = v;
        }
        __syncthreads();
        int *s = r0;
        r0 = r1;
        r1 = r2;
        r2 = s;
    }
    if (t == n)
        *d = r1[n];
}
#else
CHECK(edit_distance)
{
    const int n = 60;
    std::vector<char> a(n), b(n);
    for (uint32_t i = 0; i < n; i++) {
        a[i] = (char)('a' + noise(i) % 4);
        b[i] = (char)('a' + noise(i + 77) % 4);
    }
    std::vector<int> m((n + 1) * (n + 1));
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            m[(size_t)(i * (n + 1) + j)] =
                i == 0 || j == 0 ? i + j
                                 : std::min(std::min(m[(size_t)((i - 1) * (n + 1) + j)],
                                                     m[(size_t)(i * (n + 1) + j - 1)]) + 1,
                                            m[(size_t)((i - 1) * (n + 1) + j - 1)] +
                                                (a[(size_t)i - 1] != b[(size_t)j - 1]));
    Buffer<char> da(a), db(b);
    Buffer<int> dd(1);
    return p.run("edit_distance", 1, 64, 3 * (n + 1) * 4, da.at, db.at, dd.at, n) &&
           dd.get()[0] == m.back();
}
#endif
