/* SPDX-License-Identifier: Apache-2.0
 *
 * sharing.cu LABELS - which SMs of a GPU share reads of the L2, which SM gets which CTA, and what
 * stays in the L2:
 *
 *   place    the SM of each CTA of small grids, printed: NAME, KEY, VALUE
 *   share    SMs read the same lines after a common start
 *   join     warps of one SM read the same lines, some cycles apart, past the L1
 *   reread   a buffer is read twice, in an L2 full of clean or dirty lines of another one
 *
 * For the last three, Nsight Compute counts sectors; LABELS gets a line for each of their kernels,
 * in order: NAME, KEY, and the number of different sectors that the kernel reads.
 *
 * nvcc -O2 -std=c++17 -arch=native -o sharing sharing.cu; measure.sh has the command for ncu.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

typedef unsigned long long word;

enum { LINES = 64, WORDS = 32, SECTORS = 4, MB = 1 << 20, SMS = 512 };
enum hint { CA, CG, NA, VOLATILE, EVICT_FIRST, HINTS };
static const char *const names[] = {"ca", "cg", "no_allocate", "volatile", "evict_first"};

static FILE *labels;

template <int H> __device__ __forceinline__ float load(const float *from)
{
    float value;

    if (H == CA)
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(from));
    else if (H == CG)
        asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(from));
    else if (H == NA)
        asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
    else if (H == VOLATILE)
        asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(value) : "l"(from));
    else
        asm volatile("ld.global.L1::evict_first.f32 %0, [%1];" : "=f"(value) : "l"(from));
    return value;
}

__device__ unsigned number_of_sm()
{
    unsigned sm;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__device__ word time_of_gpu() /* nanoseconds, the same on all SMs */
{
    word time;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ void wait(long long cycles)
{
    long long begin = clock64();

    while (clock64() - begin < cycles)
        ;
}

/* One CTA per SM.  delay[sm]: cycles after the common start at which the SM reads, -1: not at all;
 * sectors[sm]: bits of the sectors that it reads of each line.  `meet`: two words, zero before: the
 * CTAs that have arrived, the time at which all start.  Polling is by atomics, not reads. */
__global__ void share(const float *lines, const int *delay, const int *sectors, word *meet, float *sink)
{
    extern __shared__ char fills_the_sm[];
    int own = delay[number_of_sm()];
    bool reads = sectors[number_of_sm()] >> threadIdx.x / 8 & 1;
    word start = 0;
    float sum = 0;

    if (own >= 0) /* brings the page into the TLBs */
        sum = load<CA>(lines + MB / 4 + number_of_sm() * 1024 + threadIdx.x);
    if (threadIdx.x == 0) {
        if (atomicAdd(&meet[0], 1) == gridDim.x - 1)
            atomicExch(&meet[1], time_of_gpu() + 6000);
        while ((start = atomicAdd(&meet[1], 0)) == 0)
            ;
        while (time_of_gpu() < start)
            ;
    }
    __syncwarp();
    if (own < 0)
        return;
    wait(own);
#pragma unroll 8
    for (int i = 0; i < LINES; i++)
        sum += reads ? load<CA>(lines + i * WORDS + threadIdx.x) : 0;
    if (sum == 1)
        *sink = sum;
}

template <int H> __global__ void join(const float *lines, int apart, float *sink)
{
    float sum = load<CA>(lines + MB / 4 + threadIdx.x);

    __syncthreads();
    wait((long long)threadIdx.x / 32 * apart);
    for (int i = 0; i < LINES; i++)
        sum += load<H>(lines + i * WORDS + threadIdx.x % 32);
    if (sum == 1)
        *sink = sum;
}

template <int H> __global__ void reread(const float *from, size_t count, float *sink)
{
    float sum = 0;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        sum += load<H>(from + i);
    if (sum == 1)
        *sink = sum;
}

__global__ void dirty(float *to, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        to[i] = 0;
}

__global__ void place(unsigned *sm)
{
    if (threadIdx.x == 0)
        sm[blockIdx.x] = number_of_sm();
    wait(20000); /* until all CTAs that fit are resident together */
}

struct gpu {
    int sms;
    float *data, *sink;
    int *delay, *sectors;
    word *meet;
};

static void run_share(gpu &g, const char *key, const std::vector<int> &delay, const std::vector<int> &sectors)
{
    enum { NEARLY_ALL = 200 * 1024 };

    MUST(cudaMemcpy(g.delay, delay.data(), SMS * sizeof(int), cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(g.sectors, sectors.data(), SMS * sizeof(int), cudaMemcpyHostToDevice));
    MUST(cudaMemset(g.meet, 0, 2 * sizeof(word)));
    MUST(cudaFuncSetAttribute(share, cudaFuncAttributeMaxDynamicSharedMemorySize, NEARLY_ALL));
    share<<<g.sms, 32, NEARLY_ALL>>>(g.data, g.delay, g.sectors, g.meet, g.sink);
    MUST(cudaDeviceSynchronize());
    fprintf(labels, "share\t%s\t%d\n", key, LINES * SECTORS);
}

static void run_shares(gpu &g)
{
    static const int delays[] = {0, 20, 40, 60, 80, 100, 150, 200, 300, 500};
    std::vector<int> all(SMS, 15), one(SMS, -1), some;
    char key[80];

    one[0] = 0;
    run_share(g, "SM 0", one, all);
    for (int other = 1; other < g.sms; other++) {
        some = one;
        some[other] = 0;
        snprintf(key, sizeof(key), "SMs 0 and %d", other);
        run_share(g, key, some, all);
    }
    for (int other : {1, 16}) {
        for (int delay : delays) {
            some = one;
            some[other] = delay;
            snprintf(key, sizeof(key), "SMs 0 and %d, %d cycles apart", other, delay);
            run_share(g, key, some, all);
        }
    }
    some = one;
    some[1] = 0;
    all[0] = 1;
    run_share(g, "SM 0 one sector, SM 1 all", some, all);
    run_share(g, "all SMs", std::vector<int>(SMS, 0), std::vector<int>(SMS, 15));
}

template <int H> static void run_joins(gpu &g)
{
    for (int warps : {2, 8}) {
        for (int apart : {0, 10, 20, 40, 60, 80, 160, 320}) {
            join<H><<<1, 32 * warps>>>(g.data, apart, g.sink);
            MUST(cudaDeviceSynchronize());
            fprintf(labels, "join\t%d warps, %s, %d cycles apart\t%d\n", warps, names[H], apart,
                    LINES * SECTORS);
        }
    }
}

template <int H> static void run_rereads(gpu &g)
{
    const size_t other = (size_t)256 * MB / 4;

    for (int full_of_dirty = 0; full_of_dirty < 2; full_of_dirty++) {
        for (size_t mb : {32, 72}) {
            size_t count = mb * MB / 4;

            dirty<<<512, 512>>>(g.data + other, other);
            if (!full_of_dirty)
                reread<CG><<<512, 512>>>(g.data + 2 * other, other, g.sink);
            reread<H><<<512, 512>>>(g.data, count, g.sink);
            reread<CG><<<512, 512>>>(g.data, count, g.sink);
            MUST(cudaDeviceSynchronize());
            if (!full_of_dirty)
                fprintf(labels, "fill\tclean lines\t%zu\n", other / 8);
            for (const char *what : {"first reading", "second reading"})
                fprintf(labels, "reread\t%zu MB by %s, %s L2, %s\t%zu\n", mb, names[H],
                        full_of_dirty ? "dirty" : "clean", what, count / 8);
        }
    }
}

static void run_places(gpu &g)
{
    static const int grids[] = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 72, 96, 128, 132, 140, 176, 264, 300};
    std::vector<unsigned> sm(1024);
    unsigned *out;

    MUST(cudaMalloc(&out, sm.size() * sizeof(unsigned)));
    for (int grid : grids) {
        place<<<grid, 256>>>(out);
        MUST(cudaMemcpy(sm.data(), out, sm.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        printf("place\t%d CTAs of 256 threads\t", grid);
        for (int i = 0; i < grid; i++)
            printf("%u%c", sm[(size_t)i], i + 1 < grid ? ' ' : '\n');
    }
    MUST(cudaFree(out));
}

int main(int argc, char **argv)
{
    gpu g = {};

    labels = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (labels == NULL) {
        fprintf(stderr, "usage: sharing LABELS\n");
        return 2;
    }
    MUST(cudaDeviceGetAttribute(&g.sms, cudaDevAttrMultiProcessorCount, 0));
    MUST(cudaMalloc(&g.data, (size_t)1024 * MB));
    MUST(cudaMemset(g.data, 0, (size_t)1024 * MB));
    MUST(cudaMalloc(&g.sink, sizeof(float)));
    MUST(cudaMalloc(&g.delay, SMS * sizeof(int)));
    MUST(cudaMalloc(&g.sectors, SMS * sizeof(int)));
    MUST(cudaMalloc(&g.meet, 2 * sizeof(word)));
    run_places(g);
    run_shares(g);
    run_joins<CG>(g);
    run_joins<NA>(g);
    run_joins<VOLATILE>(g);
    run_rereads<CA>(g);
    run_rereads<CG>(g);
    run_rereads<NA>(g);
    run_rereads<EVICT_FIRST>(g);
    return fclose(labels) != 0;
}
