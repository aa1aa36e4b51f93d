// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL inline_assembly(const unsigned *x, unsigned *y)
{
    unsigned v = x[threadIdx.x], r, lane;
    asm("{\n\t.reg .pred p;\n\t.reg .u32 t;\n\tsetp.gt.u32 p, %1, 1000;\n\tmov.u32 t, 5;\n\t"
        "@p add.u32 t, t, 1;\n\t@!p sub.u32 t, t, 1;\n\tmad.lo.u32 %0, %1, t, 7;\n\t}"
        : "=r"(r) : "r"(v));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("{\n\t.reg .pred p;\n\tsetp.eq.u32 p, %1, 0;\n\t@p bra DONE;\nLOOP:\n\tadd.u32 %0, %0, 3;\n\t"
        "sub.u32 %1, %1, 1;\n\tsetp.ne.u32 p, %1, 0;\n\t@p bra LOOP;\nDONE:\n\t}"
        : "+r"(r), "+r"(lane));
    y[threadIdx.x] = r;
}
#else
CHECK(inline_assembly)
{
    std::vector<unsigned> x(64), e(64);
    for (uint32_t i = 0; i < 64; i++) {
        x[i] = noise(i) % 2000;
        e[i] = x[i] * (x[i] > 1000 ? 6 : 4) + 7 + i % 32 * 3;
    }
    Buffer<unsigned> dx(x), dy(64);
    return p.run("inline_assembly", 1, 64, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
