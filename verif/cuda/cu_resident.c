/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_resident ROUNDS THREADS MORE - launches a grid of as many blocks as the device holds, and
 * MORE, cooperatively: each block reads ROUNDS scattered words per thread, counts itself, waits
 * until all blocks have been counted, and writes their number. Prints the launch's error, the
 * number of wrong blocks and whether at most 6 GB of memory were used.
 *
 * cu_resident calls - rotates an array with the grid's barrier of the device runtime, which Numba
 * calls. Prints the launch's error, the number of wrong elements, and the occupancy of a kernel
 * that byway cannot run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* ROUNDS times: the thread of rank r reads element r + 1, all meet, it writes element r, all meet.
 */
#define ROUNDS 3
#define BLOCKS 4
#define BLOCK 64
#define ALL (BLOCKS * BLOCK)
static const char calls[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b64 v) cudaCGGetIntrinsicHandle (.param .b32 s);\n"
    ".extern .func (.param .b32 v) cudaCGSynchronize (.param .b64 h, .param .b32 f);\n"
    ".extern .func (.param .b32 v) cudaCGGetSize (.param .b64 t, .param .b64 g, .param .b64 h);\n"
    ".extern .func (.param .b32 v) cudaCGGetRank (.param .b64 t, .param .b64 g, .param .b64 h);\n"
    ".visible .entry bad() { .reg .b32 %r<2>; frobnicate.u32 %r0, %r1; ret; }\n"
    ".visible .entry k(.param .u64 o, .param .u32 n) {\n"
    ".reg .u32 %r<9>; .reg .u64 %a<9>; .reg .pred %p<5>; .local .align 4 .b8 l[8];\n"
    ".param .b64 h; .param .b64 t; .param .b64 g; .param .b32 s; .param .b32 v;\n"
    "ld.param.u64 %a1, [o]; ld.param.u32 %r1, [n]; mov.u64 %a2, l; cvta.local.u64 %a2, %a2;\n"
    "st.param.b32 [s], 1; call (h), cudaCGGetIntrinsicHandle, (s); ld.param.b64 %a3, [h];\n"
    "st.param.b64 [t], %a2; st.param.b64 [g], 0; call (v), cudaCGGetSize, (t, g, h);\n"
    "ld.local.u32 %r2, [l]; add.u64 %a4, %a2, 4;\n"
    "st.param.b64 [t], %a4; call (v), cudaCGGetRank, (t, g, h); ld.local.u32 %r3, [l+4];\n"
    "mul.wide.u32 %a5, %r3, 4; add.u64 %a5, %a1, %a5;\n"
    "add.u32 %r4, %r3, 1; rem.u32 %r4, %r4, %r2; mul.wide.u32 %a6, %r4, 4; add.u64 %a6, %a1, %a6;\n"
    "st.param.b32 [s], 0;\n"
    "AGAIN: ld.global.u32 %r5, [%a6]; call (v), cudaCGSynchronize, (h, s);\n"
    "st.global.u32 [%a5], %r5; call (v), cudaCGSynchronize, (h, s);\n"
    "sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra AGAIN; ret; }\n";

static int rotate(void)
{
    unsigned rounds = ROUNDS, value[ALL];
    CUmodule module;
    CUfunction f, refused;
    CUdeviceptr out;
    void *args[] = {&out, &rounds};
    int error, bad = 0, per = 0;

    for (unsigned i = 0; i < ALL; i++)
        value[i] = i;
    if (cuModuleLoadData(&module, calls) != 0 || cuModuleGetFunction(&f, module, "k") != 0 ||
        cuModuleGetFunction(&refused, module, "bad") != 0 ||
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&per, refused, BLOCK, 1024) != 0 ||
        cuMemAlloc_v2(&out, sizeof(value)) != 0 || cuMemcpyHtoD_v2(out, value, sizeof(value)) != 0)
        return 1;
    error = cuLaunchCooperativeKernel(f, BLOCKS, 1, 1, BLOCK, 1, 1, 0, NULL, args);
    cuMemcpyDtoH_v2(value, out, sizeof(value));
    for (unsigned i = 0; i < ALL; i++)
        bad += value[i] != (i + ROUNDS) % ALL;
    printf("error %d, %d of %d elements wrong, occupancy %d\n", error, bad, ALL, per);
    return 0;
}

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

    if (cuInit(0) != 0)
        return 1;
    if (argc > 1 && strcmp(argv[1], "calls") == 0)
        return rotate();
    if (cuModuleLoadData(&module, text) != 0 || cuModuleGetFunction(&f, module, "k") != 0 ||
        cuDeviceGetAttribute(&sms, 16, 0) != 0 ||
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
