// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL switch_table(const int *op, int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    for (int k = 0; k < 4; k++)
        switch ((op[i] + k) % 9) {
        case 0: v += 7; break;
        case 1: v *= 3; break;
        case 2: v ^= 0x55; break;
        case 3: v -= i; break;
        case 4: v = v >> 1; break;
        case 5: v = ~v;
        case 6: v += k; break;
        case 7: continue;
        default: v = v * v; break;
        }
    x[i] = v;
}
#else
CHECK(switch_table)
{
    std::vector<int> op = ints(256, 90), x = ints(256, 100), e = x;
    Buffer<int> dop(op), dx(x);
    for (int i = 0; i < 256; i++) {
        int v = e[(size_t)i];
        for (int k = 0; k < 4; k++)
            switch ((op[(size_t)i] + k) % 9) {
            case 0: v += 7; break;
            case 1: v = (int)((unsigned)v * 3); break;
            case 2: v ^= 0x55; break;
            case 3: v -= i; break;
            case 4: v = v >> 1; break;
            case 5: v = ~v; /* fall through */
            case 6: v += k; break;
            case 7: continue;
            default: v = (int)((unsigned)v * (unsigned)v); break;
            }
        e[(size_t)i] = v;
    }
    return p.run("switch_table", 2, 128, 0, dop.at, dx.at) && dx.get() == e;
}
#endif
