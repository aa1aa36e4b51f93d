/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_resident ROUNDS THREADS MORE - launches a grid of as many blocks as the device holds, and
 * MORE, cooperatively: each block reads ROUNDS scattered words per thread, counts itself, waits
 * until all blocks have been counted, and writes their number. Prints the launch's error, the
 * number of wrong blocks and whether at most 6 GB of memory were used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "cuda/cu_driver.h"

#define TABLE 4096u /* words */
#define MEMORY_MOST (6l << 20) /* KB */

extern int cuDeviceGetAttribute(int *value, int attribute, int device);
extern int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads,
                                                       size_t dynamic);
extern int cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                                     unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                     void *stream, void **params);

static const char text[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 c, .param .u64 o, .param .u64 t, .param .u32 n) {\n"
    ".reg .u32 %r<9>; .reg .u64 %a<9>; .reg .pred %p<5>;\n"
    "ld.param.u64 %a1, [c]; ld.param.u64 %a2, [o]; ld.param.u64 %a3, [t]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %nctaid.x; mov.u32 %r6, 0;\n"
    "setp.eq.u32 %p2, %r1, 0; @%p2 bra COUNT;\n"
    "READ: mad.lo.u32 %r5, %r2, 97, %r1; mul.lo.u32 %r5, %r5, %r5; and.b32 %r5, %r5, 4095;\n"
    "mul.wide.u32 %a4, %r5, 4; add.u64 %a4, %a3, %a4; ld.global.u32 %r7, [%a4];\n"
    "add.u32 %r6, %r6, %r7; sub.u32 %r1, %r1, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra READ;\n"
    "COUNT: bar.sync 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra MEET;\n"
    "atom.global.add.u32 %r7, [%a1], 1;\n"
    "WAIT: ld.volatile.global.u32 %r7, [%a1]; setp.ne.u32 %p3, %r7, %r4; @%p3 bra WAIT;\n"
    "MEET: bar.sync 0; @%p1 bra OUT;\n"
    "mul.wide.u32 %a5, %r3, 4; add.u64 %a5, %a2, %a5; ld.volatile.global.u32 %r7, [%a1];\n"
    "add.u32 %r7, %r7, %r6; st.global.u32 [%a5], %r7;\nOUT: ret; }\n";

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : 64;
    int sms = 0, per = 0, bad = 0, error;
    unsigned blocks, *result;
    CUmodule module;
    CUfunction f;
    CUdeviceptr counter, out, table;
    void *args[] = {&counter, &out, &table, &rounds};
    struct rusage use;

    if (cuInit(0) != 0 || cuModuleLoadData(&module, text) != 0 ||
        cuModuleGetFunction(&f, module, "k") != 0 || cuDeviceGetAttribute(&sms, 16, 0) != 0 ||
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&per, f, (int)threads, 0) != 0)
        return 1;
    blocks = (unsigned)(sms * per) + (argc > 3 ? (unsigned)atoi(argv[3]) : 0);
    result = calloc(blocks, sizeof(*result));
    if (result == NULL || cuMemAlloc_v2(&counter, 4) != 0 || cuMemAlloc_v2(&out, blocks * 4) != 0 ||
        cuMemAlloc_v2(&table, TABLE * 4) != 0)
        return 1;
    error = cuLaunchCooperativeKernel(f, blocks, 1, 1, threads, 1, 1, 0, NULL, args);
    cuMemcpyDtoH_v2(result, out, blocks * 4);
    for (unsigned i = 0; i < blocks; i++)
        bad += result[i] != blocks;
    getrusage(RUSAGE_SELF, &use);
    printf("error %d, %d of %u blocks wrong, memory %s\n", error, error == 0 ? bad : 0, blocks,
           use.ru_maxrss < MEMORY_MOST ? "bounded" : "exceeded");
    fprintf(stderr, "%ld MB\n", use.ru_maxrss >> 10);
    free(result);
    return 0;
}
