// SPDX-License-Identifier: Apache-2.0
// nvcc: -rdc=true
#include "corpus.h"

namespace nested
{
/* Children append to a list, which shows in which order they ran. */
struct Log {
    unsigned count, what[4095];
};
struct Parts {
    char a;
    double b;
    short c[3];
};

#ifdef __CUDACC__
__device__ Log journal;
__device__ void write_down(unsigned what)
{
    journal.what[atomicAdd(&journal.count, 1)] = what;
}
KERNEL clear_log()
{
    journal.count = 0;
}
KERNEL copy_log(Log *to)
{
    to->count = journal.count;
    for (unsigned i = threadIdx.x; i < journal.count; i += blockDim.x)
        to->what[i] = journal.what[i];
}

/* A tree: node n has children 2n + 1 and 2n + 2. */
KERNEL tree_node(int *sum, int n, int depth)
{
    if (threadIdx.x < 2 && depth > 0)
        tree_node<<<1, 32>>>(sum, 2 * n + 1 + (int)threadIdx.x, depth - 1);
    if (threadIdx.x == 2)
        atomicAdd(sum, n);
}

/* Hoare's partition by one thread; both parts are sorted by grids in streams of their own. */
KERNEL quick_sort(unsigned *data, int left, int right, int depth)
{
    unsigned pivot = data[(left + right) / 2];
    int i = left, j = right;
    cudaStream_t stream[2];

    if (depth == 20 || right - left < 8) {
        for (int a = left + 1; a <= right; a++) {
            unsigned x = data[a];
            int b = a;

            for (; b > left && data[b - 1] > x; b--)
                data[b] = data[b - 1];
            data[b] = x;
        }
        return;
    }
    while (i <= j) {
        while (data[i] < pivot)
            i++;
        while (data[j] > pivot)
            j--;
        if (i <= j) {
            unsigned x = data[i];

            data[i++] = data[j];
            data[j--] = x;
        }
    }
    for (int side = 0; side < 2; side++) {
        cudaStreamCreateWithFlags(&stream[side], cudaStreamNonBlocking);
        if (side == 0 && left < j)
            quick_sort<<<1, 1, 0, stream[side]>>>(data, left, j, depth + 1);
        if (side == 1 && i < right)
            quick_sort<<<1, 1, 0, stream[side]>>>(data, i, right, depth + 1);
        cudaStreamDestroy(stream[side]);
    }
}

KERNEL note_number(unsigned what)
{
    write_down(what);
}
/* Launches from some lanes of several blocks, twice each. */
KERNEL diverge()
{
    if (threadIdx.x % 3 == 1)
        for (unsigned k = 0; k < threadIdx.x / 3 % 2 + 1; k++)
            note_number<<<1, 1>>>(1000 * blockIdx.x + 10 * threadIdx.x + k);
}
/* The block's stream keeps the order of launches on both sides of a barrier. */
KERNEL around_barrier()
{
    if (threadIdx.x == 40)
        note_number<<<1, 1>>>(1);
    __syncthreads();
    if (threadIdx.x == 0)
        note_number<<<1, 1>>>(2);
    __syncthreads();
    if (threadIdx.x == 33)
        note_number<<<1, 1>>>(3);
}

/* A grid that replaces itself, more often than launches may nest. */
KERNEL relax(unsigned *x, int rounds)
{
    x[threadIdx.x] = x[threadIdx.x] * 1664525u + 1013904223u;
    if (threadIdx.x == 0 && rounds > 1)
        relax<<<1, 64, 0, cudaStreamTailLaunch>>>(x, rounds - 1);
}

/* Tail launches follow everything else that a grid has launched, and what that has launched. */
KERNEL middle(unsigned name)
{
    note_number<<<1, 1, 0, cudaStreamTailLaunch>>>(10 * name + 3);
    note_number<<<1, 1, 0, cudaStreamFireAndForget>>>(10 * name + 2);
    write_down(10 * name + 1);
}
KERNEL tails()
{
    note_number<<<1, 1, 0, cudaStreamTailLaunch>>>(91);
    middle<<<1, 1>>>(1);
    middle<<<1, 1, 0, cudaStreamTailLaunch>>>(2);
    note_number<<<1, 1, 0, cudaStreamTailLaunch>>>(92);
    middle<<<1, 1, 0, cudaStreamFireAndForget>>>(3);
    write_down(1);
}

/* Copies and fills keep their place in the stream. */
KERNEL plus_one(int *x)
{
    x[threadIdx.x]++;
}
KERNEL transfers(int *x, int *errors)
{
    int *own, local;
    cudaEvent_t event;

    errors[0] = cudaMemsetAsync(x, 1, 64 * sizeof(*x));
    plus_one<<<1, 64>>>(x);
    errors[1] = cudaMemcpyAsync(x + 64, x, 64 * sizeof(*x), cudaMemcpyDeviceToDevice);
    plus_one<<<1, 64>>>(x);
    errors[2] = cudaMemset2DAsync(x + 128, 32, 0x7f, 8, 4);
    errors[3] = cudaMemcpy2DAsync(x + 192, 16, x + 128, 32, 8, 4, cudaMemcpyDeviceToDevice);
    errors[4] = cudaMemcpyAsync(x, NULL, 4, cudaMemcpyDeviceToDevice);
    errors[5] = cudaGetLastError();
    errors[6] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    errors[7] = cudaEventRecord(event, 0);
    errors[8] = cudaStreamWaitEvent(0, event, 0);
    errors[9] = cudaEventDestroy(event);
    errors[10] = cudaEventCreateWithFlags(&event, 0);
    errors[11] = cudaMalloc(&own, 64);
    errors[12] = cudaMemsetAsync(own, 0, 64);
    errors[13] = cudaMemsetAsync(own + 16, 0, (size_t)1 << 40);
    errors[14] = cudaMemsetAsync(&local, 0, 4);
}

/* The first error of a chain of launches: none nests deeper than 24 below the host's. */
KERNEL nest(int *deepest, int depth)
{
    *deepest = depth;
    nest<<<1, 1>>>(deepest, depth + 1);
    deepest[1 + depth] = cudaGetLastError();
}

KERNEL keep_params(Parts *to, char a, Parts p, double d, char b)
{
    to[threadIdx.x] = p;
    to[threadIdx.x].a += a + b;
    to[threadIdx.x].b += d;
}
KERNEL pass_params(Parts *to)
{
    Parts p = {1, 2.5, {3, 4, 5}};

    p.c[2] = (short)threadIdx.x;
    keep_params<<<1, 2>>>(to + 2 * threadIdx.x, 10, p, 0.25, 20);
}

/* What a launch returns, and what the runtime tells. */
KERNEL with_limit();
KERNEL __launch_bounds__(64) with_limit()
{
    write_down(1);
}
KERNEL ask(int *answer)
{
    cudaFuncAttributes attributes;
    size_t size;

    if (threadIdx.x == 1)
        with_limit<<<1, 65>>>();
    if (threadIdx.x == 2)
        with_limit<<<0, 1>>>();
    if (threadIdx.x == 3)
        with_limit<<<1, 64, 1 << 20>>>();
    if (threadIdx.x == 4)
        with_limit<<<1, 64>>>();
    answer[threadIdx.x] = cudaPeekAtLastError();
    answer[8 + threadIdx.x] = cudaGetLastError();
    answer[16 + threadIdx.x] = cudaGetLastError();
    if (threadIdx.x != 0)
        return;
    answer[24] = cudaGetDevice(&answer[25]);
    answer[26] = cudaGetDeviceCount(&answer[27]);
    answer[28] = cudaDeviceGetAttribute(&answer[29], cudaDevAttrMaxThreadsPerBlock, 0);
    answer[30] = cudaFuncGetAttributes(&attributes, (const void *)with_limit);
    answer[31] = attributes.maxThreadsPerBlock;
    answer[32] = cudaDeviceGetLimit(&size, cudaLimitDevRuntimePendingLaunchCount);
    answer[33] = (int)size;
    answer[34] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&answer[35], with_limit, 64, 0);
}
/* More launches than the limit. */
KERNEL many(int *failed, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        note_number<<<1, 1>>>(i);
    *failed = cudaGetLastError();
}
#else
static std::vector<unsigned> entries(Program &p)
{
    Buffer<Log> log(1);

    if (!p.run("copy_log", 1, 256, 0, log.at) || !p.run("clear_log", 1, 1, 0))
        return {};
    Log got = log.get()[0];
    return std::vector<unsigned>(got.what, got.what + got.count);
}

static bool orders(Program &p)
{
    std::vector<unsigned> want;
    const std::vector<unsigned> barrier = {1, 2, 3},
                                tail = {1, 11, 12, 13, 31, 32, 33, 91, 21, 22, 23, 92};

    for (unsigned block = 0; block < 5; block++)
        for (unsigned thread = 1; thread < 70; thread += 3)
            for (unsigned k = 0; k < thread / 3 % 2 + 1; k++)
                want.push_back(1000 * block + 10 * thread + k);
    return p.run("diverge", 5, 70, 0) && entries(p) == want &&
           p.run("around_barrier", 1, 64, 0) && entries(p) == barrier &&
           p.run("tails", 1, 1, 0) && entries(p) == tail;
}

static bool sorts(Program &p)
{
    std::vector<unsigned> want(700);

    for (unsigned i = 0; i < want.size(); i++)
        want[i] = noise(i) % 500;
    Buffer<unsigned> data(want);
    std::sort(want.begin(), want.end());
    return p.run("quick_sort", 1, 1, 0, data.at, 0, 699, 0) && data.get() == want;
}

static bool computes(Program &p)
{
    const int depth = 7, nodes = (2 << depth) - 1;
    Buffer<int> sum(1);
    std::vector<unsigned> x(64);

    for (unsigned i = 0; i < 64; i++)
        x[i] = i;
    Buffer<unsigned> relaxed(x);
    for (int round = 0; round < 300; round++)
        for (unsigned &v : x)
            v = v * 1664525u + 1013904223u;
    return p.run("tree_node", 1, 32, 0, sum.at, 0, depth) &&
           sum.get()[0] == nodes * (nodes - 1) / 2 && p.run("relax", 1, 64, 0, relaxed.at, 300) &&
           relaxed.get() == x;
}

static bool copies(Program &p)
{
    std::vector<int> want(256);
    const std::vector<int> codes = {0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1};
    Buffer<int> x(256), errors(15, -1);

    for (int i = 0; i < 64; i++) {
        want[i] = 0x01010103;
        want[64 + i] = 0x01010102;
        want[128 + i] = i < 32 && i % 8 < 2 ? 0x7f7f7f7f : 0;
        want[192 + i] = i < 16 && i % 4 < 2 ? 0x7f7f7f7f : 0;
    }
    return p.run("transfers", 1, 1, 0, x.at, errors.at) && x.get() == want && errors.get() == codes;
}

static bool passes(Program &p)
{
    Buffer<Parts> parts(14);

    if (!p.run("pass_params", 1, 7, 0, parts.at))
        return false;
    std::vector<Parts> got = parts.get();
    for (int i = 0; i < 14; i++)
        if (got[i].a != 31 || got[i].b != 2.75 || got[i].c[0] != 3 || got[i].c[2] != i / 2)
            return false;
    return true;
}

static bool answers(Program &p)
{
    Buffer<int> deepest(30, -1), answer(36, -1), failed(1, -1);
    std::vector<int> nested, want(36), got;
    std::vector<unsigned> numbers;

    if (!p.run("nest", 1, 1, 0, deepest.at, 0))
        return false;
    nested = deepest.get();
    if (nested[0] != 24 || nested[24] != 0 || nested[25] != 65 || nested[26] != -1)
        return false;
    if (!p.run("with_limit", 1, 64, 0) || entries(p).size() != 64 || !p.run("ask", 1, 8, 0, answer.at) || entries(p) != std::vector<unsigned>(64, 1))
        return false;
    want[1] = want[9] = want[2] = want[10] = 9;
    want[3] = want[11] = 1;
    want[27] = 1;
    want[29] = 1024;
    want[31] = 64;
    want[33] = 2048;
    got = answer.get();
    want[35] = got[35];
    if (got != want || got[35] < 1 || !p.run("many", 1, 1, 0, failed.at, 2048u) ||
        failed.get()[0] != 0 || entries(p).size() != 2048)
        return false;
    return p.run("many", 1, 1, 0, failed.at, 2050u) && failed.get()[0] == 69 &&
           entries(p).size() == 2048;
}

CHECK(dynamic_parallelism)
{
    return orders(p) && sorts(p) && computes(p) && copies(p) && passes(p) && answers(p);
}
#endif
}
