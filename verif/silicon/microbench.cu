/* SPDX-License-Identifier: Apache-2.0
 *
 * microbench.cu - measures the properties of a GPU's caches that a machine file needs, in SM
 * cycles:
 *
 *   chase    one thread, one load per 128-byte line, in random order over a number of KB: the size
 *            and latency of the L1 at the smallest and largest carve-out, of the L2, of DRAM
 *   rate     all warps of one SM, with a given distance between lanes: cycles per warp load that
 *            hits in the L1, that misses it
 *   store    what a store does to a line in the L1, and whether it allocates one
 *   op       an operation, or the sequence that the compiler makes of it: cycles until its result
 *            with one warp, and per warp and scheduler with 32
 *   barrier  __syncthreads() of so many warps
 *   copy     bandwidth of DRAM
 *
 * nvcc -O2 -std=c++17 -arch=native -o microbench microbench.cu; prints NAME, KEY, VALUE, UNIT.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

typedef unsigned long long word;

enum { LINE = 128, STEPS = 4096, UNROLL = 8, OPERATIONS_EACH = 256 };
enum variant { CA, CG, NA };
static const char *const names[] = {"ca", "cg", "na"};

template <int V> __device__ __forceinline__ word load(const word *from)
{
    word value;

    if (V == CA)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    else if (V == CG)
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    else
        asm volatile("ld.global.L1::no_allocate.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    return value;
}

template <int V> __global__ void chase(const word *at, int warm, word *out)
{
    word begin;

    for (int i = 0; i < warm; i++)
        at = (const word *)load<V>(at);
    begin = clock64();
    for (int i = 0; i < STEPS; i++)
        at = (const word *)load<V>(at);
    out[0] = clock64() - begin;
    out[1] = (word)at;
}

/* Each warp repeatedly loads from its own `span` bytes. */
template <int V> __global__ void rate(const char *base, size_t span, int apart, int rounds, word *out)
{
    const char *own = base + (threadIdx.x / 32) * span + (threadIdx.x % 32) * apart;
    size_t at = 0;
    word sum = 0, begin = clock64();

    for (int i = 0; i < rounds; i++) {
        word value[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; j++) {
            value[j] = load<V>((const word *)(own + at));
            at = at + 32 * (size_t)apart < span ? at + 32 * (size_t)apart : 0;
        }
#pragma unroll
        for (int j = 0; j < UNROLL; j++)
            sum += value[j];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = clock64() - begin;
    if (sum == 1)
        out[1] = sum;
}

__device__ word latency(const word *at)
{
    word begin = clock64(), value = load<CA>(at), end;

    asm volatile("{ .reg .u64 z; and.b64 z, %1, 0; mov.u64 %0, %%clock64; add.u64 %0, %0, z; }"
                 : "=l"(end)
                 : "l"(value)
                 : "memory");
    return end - begin;
}

__global__ void stores(word *at, word *out)
{
    out[0] = latency(at);
    out[1] = latency(at);
    asm volatile("st.global.u64 [%0], %1;" ::"l"(at), "l"(5ull) : "memory");
    for (volatile int i = 0; i < 2000; i++)
        ;
    out[2] = latency(at);
    asm volatile("st.global.u64 [%0], %1;" ::"l"(at + 4096), "l"(6ull) : "memory");
    for (volatile int i = 0; i < 2000; i++)
        ;
    out[3] = latency(at + 4096);
    out[4] = latency(at + 4096 + 4); /* the next sector of the same line */
}

struct memory {
    char *data;
    word *out, host[8];
    size_t bytes;
};

static word result(memory &m, int index)
{
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(m.host, m.out, sizeof(m.host), cudaMemcpyDeviceToHost));
    return m.host[index];
}

/* Builds a ring through all lines of `bytes` bytes, in random order. */
static const word *make_ring(memory &m, size_t bytes)
{
    size_t lines = bytes / LINE, *order = (size_t *)malloc(lines * sizeof(*order));
    char *text = (char *)calloc(bytes, 1);
    const word *first;
    unsigned long long rng = 46;

    for (size_t i = 0; i < lines; i++)
        order[i] = i;
    for (size_t i = lines - 1; i > 0; i--) {
        rng = rng * 6364136223846793005ull + 1442695040888963407ull;
        size_t j = (size_t)(rng >> 33) % (i + 1), was = order[i];

        order[i] = order[j];
        order[j] = was;
    }
    for (size_t i = 0; i < lines; i++)
        *(word *)(text + order[i] * LINE) = (word)(m.data + order[(i + 1) % lines] * LINE);
    MUST(cudaMemcpy(m.data, text, bytes, cudaMemcpyHostToDevice));
    first = (const word *)(m.data + order[0] * LINE);
    free(text);
    free(order);
    return first;
}

template <int V> static void chase_all(memory &m, const char *name, const int *kb, int count)
{
    for (int i = 0; i < count; i++) {
        int lines = kb[i] * 1024 / LINE;
        const word *ring = make_ring(m, (size_t)kb[i] * 1024);

        chase<V><<<1, 1>>>(ring, lines < 200000 ? 2 * lines : 200000, m.out);
        printf("chase\t%s %d KB\t%.1f\tcycles\n", name, kb[i], (double)result(m, 0) / STEPS);
    }
}

template <int V> static void rate_all(memory &m, const char *name, size_t span_lines)
{
    static const int apart[] = {8, 32, 64, 128};

    for (int a : apart) {
        size_t span = span_lines * 32 * (size_t)a;

        for (int twice = 0; twice < 2; twice++)
            rate<V><<<1, 1024>>>(m.data, span, a, 64, m.out);
        printf("rate\t%s %s, lanes %d bytes apart\t%.3f\tcycles per warp load\n", name, names[V], a,
               (double)result(m, 0) / (64.0 * UNROLL * 32));
    }
}

#define OPERATIONS(X)                                                                              \
    X(fadd, float, "float addition", v + k)                                                        \
    X(fdiv, float, "float division", k / v)                                                        \
    X(fsqrt, float, "float square root", sqrtf(v))                                                 \
    X(fexp, float, "float exponential", expf(v))                                                   \
    X(flog, float, "float logarithm", logf(v + k))                                                 \
    X(fsin, float, "float sine", sinf(v))                                                          \
    X(fatan, float, "float arc tangent", atanf(v))                                                 \
    X(fpow, float, "float power", powf(v, k))                                                      \
    X(dadd, double, "double addition", v + k)                                                      \
    X(ddiv, double, "double division", k / v)                                                      \
    X(dsqrt, double, "double square root", sqrt(v))                                                \
    X(dexp, double, "double exponential", exp(v))                                                  \
    X(imad, int, "integer multiply-add", v *k + k)                                                 \
    X(idiv, int, "integer division", k / (v | 1))                                                  \
    X(ldiv, long long, "integer division of 64 bits", k / (v | 1))                                 \
    X(shuffle, int, "shuffle and addition", __shfl_xor_sync(~0u, v, 1) + k)                        \
    X(vote, unsigned, "vote and addition", __ballot_sync(~0u, v > k) + k)

#define X(name, type, text, value)                                                                 \
    struct op_##name {                                                                                  \
        typedef type T;                                                                            \
        static __device__ T of(T v, T k)                                                           \
        {                                                                                          \
            return (T)(value);                                                                     \
        }                                                                                          \
    };
OPERATIONS(X)
#undef X

/* CHAINS independent chains of dependent operations. */
template <typename O, int CHAINS> __global__ void operate(typename O::T *io, typename O::T k, word *out)
{
    typename O::T v[CHAINS];
    word begin;

    for (int c = 0; c < CHAINS; c++)
        v[c] = io[threadIdx.x % 32 + c];
    __syncthreads();
    begin = clock64();
#pragma unroll 8
    for (int i = 0; i < OPERATIONS_EACH; i++)
        for (int c = 0; c < CHAINS; c++)
            v[c] = O::of(v[c], k);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = clock64() - begin;
    for (int c = 0; c < CHAINS; c++)
        io[64 + 1024 * c + threadIdx.x] = v[c]; /* all chains are needed */
}

template <typename O> static void operate_both(memory &m, const char *name)
{
    enum { CHAINS = 4, WARPS = 32, SCHEDULERS = 4 };
    typename O::T *io = (typename O::T *)m.data, k = (typename O::T)3;
    double latency, interval;

    MUST(cudaMemset(m.data, 1, 65536));
    for (int twice = 0; twice < 2; twice++)
        operate<O, 1><<<1, 32>>>(io, k, m.out);
    latency = (double)result(m, 0) / OPERATIONS_EACH;
    for (int twice = 0; twice < 2; twice++)
        operate<O, CHAINS><<<1, 32 * WARPS>>>(io, k, m.out);
    interval = (double)result(m, 0) / OPERATIONS_EACH / CHAINS / (WARPS / SCHEDULERS);
    printf("op\t%s, one warp\t%.1f\tcycles until the result\n", name, latency);
    printf("op\t%s, %d warps\t%.2f\tcycles per warp and scheduler\n", name, WARPS, interval);
}

__global__ void barriers(int count, word *out)
{
    word begin = clock64();

    for (int i = 0; i < count; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        out[0] = clock64() - begin;
}

static void barriers_all(memory &m)
{
    for (int warps = 1; warps <= 32; warps *= 2) {
        for (int twice = 0; twice < 2; twice++)
            barriers<<<1, 32 * warps>>>(OPERATIONS_EACH, m.out);
        printf("barrier\t%d warps\t%.1f\tcycles\n", warps, (double)result(m, 0) / OPERATIONS_EACH);
    }
}

static void copy_rate(memory &m)
{
    cudaEvent_t begin, end;
    float ms;
    size_t half = m.bytes / 2;

    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    MUST(cudaMemcpy(m.data, m.data + half, half, cudaMemcpyDeviceToDevice));
    MUST(cudaEventRecord(begin));
    for (int i = 0; i < 10; i++)
        MUST(cudaMemcpy(m.data, m.data + half, half, cudaMemcpyDeviceToDevice));
    MUST(cudaEventRecord(end));
    MUST(cudaDeviceSynchronize());
    MUST(cudaEventElapsedTime(&ms, begin, end));
    printf("copy\tread and written\t%.1f\tGB/s\n", 20.0 * (double)half / 1e6 / ms);
}

int main()
{
    static const int small[] = {4, 8, 16, 20, 24, 32, 64, 96, 128, 160, 192, 208, 216, 224, 240, 256, 320};
    static const int large[] = {64, 1024, 4096, 16384, 24576, 32768, 49152, 65536, 131072, 262144};
    const int smalls = sizeof(small) / sizeof(small[0]), larges = sizeof(large) / sizeof(large[0]);
    cudaDeviceProp about;
    memory m = {};

    MUST(cudaGetDeviceProperties(&about, 0));
    printf("device\t%s, %d SMs\t%d\tcompute capability\n", about.name, about.multiProcessorCount,
           10 * about.major + about.minor);
    printf("device\tL2\t%d\tbytes\n", about.l2CacheSize);
    m.bytes = (size_t)1 << 30;
    MUST(cudaMalloc(&m.data, m.bytes));
    MUST(cudaMalloc(&m.out, sizeof(m.host)));
    MUST(cudaMemset(m.data, 0, m.bytes));
    chase_all<CA>(m, "ca", small, smalls);
    MUST(cudaFuncSetAttribute(chase<CA>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    chase_all<CA>(m, "ca, carve-out 100", small, 7);
    chase_all<CG>(m, "cg", large, larges);
    chase_all<NA>(m, "na", large, 1);
    MUST(cudaMemset(m.data, 0, m.bytes));
    stores<<<1, 1>>>((word *)m.data, m.out);
    for (int i = 0; i < 5; i++) {
        static const char *const what[] = {"load, first", "load, again", "load after a store to it",
                                           "load of a line that was stored to only",
                                           "its next sector"};
        printf("store\t%s\t%llu\tcycles\n", what[i], result(m, i));
    }
    rate_all<CA>(m, "hit", 1);
    rate_all<CA>(m, "miss", 256);
    rate_all<CG>(m, "miss", 256);
    rate_all<NA>(m, "miss", 256);
#define X(name, type, text, value) operate_both<op_##name>(m, text);
    OPERATIONS(X)
#undef X
    barriers_all(m);
    copy_rate(m);
    return 0;
}
