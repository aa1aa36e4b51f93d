/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_graphs FILE - graphs, mapped memory, arrays and copies of the driver.  Prints "ok NAME" or
 * "not ok NAME"; FILE gets a printed graph.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

#define GRANULE (2ull << 20)
#define N 32u

int cuStreamCreate(void **stream, unsigned flags);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuStreamIsCapturing(void *stream, int *status);
int cuStreamWaitEvent(void *stream, void *event, unsigned flags);
int cuEventCreate(void **event, unsigned flags);
int cuEventRecord(void *event, void *stream);
int cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, void *stream);
int cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, void *stream);
int cuGraphCreate(void **graph, unsigned flags);
int cuGraphDestroy(void *graph);
int cuGraphInstantiateWithFlags(void **exec, void *graph, uint64_t flags);
int cuGraphLaunch(void *exec, void *stream);
int cuGraphExecDestroy(void *exec);
int cuGraphExecUpdate_v2(void *exec, void *graph, void *result);
int cuGraphAddKernelNode_v2(void **node, void *graph, void *const *after, size_t count,
                            const void *params);
int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const void *params);
int cuGraphAddMemsetNode(void **node, void *graph, void *const *after, size_t count,
                         const void *params, void *context);
int cuGraphAddHostNode(void **node, void *graph, void *const *after, size_t count,
                       const void *params);
int cuGraphAddChildGraphNode(void **node, void *graph, void *const *after, size_t count,
                             void *child);
int cuGraphAddMemAllocNode(void **node, void *graph, void *const *after, size_t count,
                           void *params);
int cuGraphAddDependencies(void *graph, void *const *from, void *const *to, size_t count);
int cuGraphKernelNodeGetAttribute(void *node, int attribute, void *value);
int cuGraphKernelNodeSetAttribute(void *node, int attribute, const void *value);
int cuGraphDebugDotPrint(void *graph, const char *path, unsigned flags);
int cuMemAllocAsync(CUdeviceptr *address, size_t size, void *stream);
int cuMemFreeAsync(CUdeviceptr address, void *stream);
int cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                     size_t height);
int cuStreamWriteValue32_v2(void *stream, CUdeviceptr address, uint32_t value, unsigned flags);
int cuGraphGetNodes(void *graph, void **nodes, size_t *count);
int cuGraphGetEdges(void *graph, void **from, void **to, size_t *count);
int cuGraphNodeGetType(void *node, int *type);
int cuGraphNodeSetEnabled(void *exec, void *node, unsigned enabled);
int cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t align, CUdeviceptr wish,
                        uint64_t flags);
int cuMemAddressFree(CUdeviceptr address, size_t size);
int cuMemCreate(void **handle, size_t size, const void *properties, uint64_t flags);
int cuMemRelease(void *handle);
int cuMemMap(CUdeviceptr address, size_t size, size_t offset, void *handle, uint64_t flags);
int cuMemUnmap(CUdeviceptr address, size_t size);
int cuMemSetAccess(CUdeviceptr address, size_t size, const void *access, size_t count);
int cuMemGetAccess(uint64_t *flags, const void *location, CUdeviceptr address);
int cuPointerGetAttributes(unsigned count, const int *attribute, void **data, CUdeviceptr address);
int cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count);
int cuArray3DCreate_v2(void **array, const void *descriptor);
int cuArrayDestroy(void *array);
int cuMemcpy3D_v2(const void *copy);
int cuTexObjectCreate(uint64_t *object, const void *resource, const void *texture,
                      const void *view);
int cuGetErrorName(int error, const char **name);
int cuDeviceGetPCIBusId(char *text, int room, int device);
int cuDeviceGetByPCIBusId(int *device, const char *text);
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                        int *status);
int cuGraphExecUpdate(void *exec, void *graph, void **wrong, int *result);

static bool all = true;

static void check(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    all &= good;
}

/* add: p[i] += a; fetch: p[i] = texel (i % 8, i / 8) */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 a) {\n.reg .u32 %r<5>; .reg .u64 %a<4>;\n"
    "ld.param.u64 %a1, [p]; ld.param.u32 %r1, [a]; mov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %a2, %r2, 4; add.u64 %a1, %a1, %a2; ld.global.u32 %r3, [%a1];\n"
    "add.u32 %r3, %r3, %r1; st.global.u32 [%a1], %r3; ret; }\n"
    ".visible .entry fetch(.param .u64 p, .param .u64 t) {\n"
    ".reg .u32 %r<9>; .reg .u64 %a<4>; .reg .f32 %f<5>;\n"
    "ld.param.u64 %a1, [p]; ld.param.u64 %a3, [t]; mov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %a2, %r2, 4; add.u64 %a1, %a1, %a2; and.b32 %r3, %r2, 7; shr.u32 %r4, %r2, 3;\n"
    "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%a3, {%r3, %r4}]; cvt.rzi.u32.f32 %r5, %f1;\n"
    "st.global.u32 [%a1], %r5; ret; }\n";
static CUfunction add, fetch;
static CUdeviceptr memory;

/* Laid out as CUDA_KERNEL_NODE_PARAMS. */
struct kernel {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **args, **extra;
    CUfunction kernel;
    void *context;
};

/* Laid out as CUDA_MEMSET_NODE_PARAMS. */
struct fill {
    CUdeviceptr to;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

static struct kernel adding(void **args)
{
    return (struct kernel){add, {1, 1, 1}, {N, 1, 1}, 0, args, NULL, NULL, NULL};
}

/* Whether all words are `value`; clears them. */
static bool have(unsigned value)
{
    unsigned word[N] = {0};
    bool same = cuMemcpyDtoH_v2(word, memory, sizeof(word)) == 0;

    for (unsigned i = 0; i < N; i++)
        same &= word[i] == value;
    return same && cuMemsetD32_v2(memory, 0, N) == 0;
}

static void launch_add(unsigned value, void *stream)
{
    void *args[] = {&memory, &value};

    cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, stream, args, NULL);
}

/* add 2, then set to 5 (added first, but later by its dependency), then add 3 in a child. */
static void test_nodes(void)
{
    struct fill fill = {memory, 0, 5, 4, N, 1};
    unsigned two = 2, three = 3, four = 4;
    void *args2[] = {&memory, &two}, *args3[] = {&memory, &three}, *args4[] = {&memory, &four};
    struct kernel kernel2 = adding(args2), kernel3 = adding(args3), kernel4 = adding(args4);
    void *graph, *child, *set, *node, *inner, *last, *exec;
    void *list[4];
    size_t count = 4;
    int type = -1;

    cuGraphCreate(&graph, 0);
    cuGraphCreate(&child, 0);
    cuGraphAddKernelNode_v2(&inner, child, NULL, 0, &kernel3);
    cuGraphAddMemsetNode(&set, graph, NULL, 0, &fill, NULL);
    cuGraphAddKernelNode_v2(&node, graph, NULL, 0, &kernel2);
    cuGraphAddChildGraphNode(&last, graph, &set, 1, child);
    cuGraphAddDependencies(graph, &node, &set, 1);
    two = three = 100; /* arguments were copied */
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphLaunch(exec, NULL);
    check(have(8), "nodes run in the order of their dependencies, and a graph in a graph");
    cuGraphGetNodes(graph, list, &count);
    cuGraphNodeGetType(last, &type);
    check(count == 3 && list[0] == set && type == 4, "a graph lists its nodes and their kinds");
    count = 0;
    cuGraphGetEdges(graph, NULL, NULL, &count);
    check(count == 2, "a graph counts its dependencies");
    cuGraphExecKernelNodeSetParams_v2(exec, node, &kernel4);
    cuGraphNodeSetEnabled(exec, set, 0);
    cuGraphLaunch(exec, NULL);
    check(have(7), "an executable graph gets other arguments, and a node is disabled");
    cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);
    cuGraphDestroy(child);
}

static void count_up(void *data)
{
    ++*(int *)data;
}

static void test_capture(void)
{
    struct {
        void (*call)(void *);
        void *data;
    } host;
    void *one, *two, *fork, *join, *graph, *exec, *other, *node, *wrong = &node;
    int calls = 0, status = -1, result = -1;

    cuStreamCreate(&one, 0);
    cuStreamCreate(&two, 0);
    cuEventCreate(&fork, 0);
    cuEventCreate(&join, 0);
    cuStreamBeginCapture_v2(one, 0);
    launch_add(1, one);
    cuEventRecord(fork, one);
    cuStreamWaitEvent(two, fork, 0);
    cuStreamIsCapturing(two, &status);
    launch_add(2, two);
    cuEventRecord(join, two);
    cuStreamWaitEvent(one, join, 0);
    launch_add(4, one);
    cuStreamEndCapture(one, &graph);
    check(status == 1 && have(0), "a captured stream passes the capture to one that waits for it");
    cuStreamIsCapturing(two, &status);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphLaunch(exec, one);
    cuGraphLaunch(exec, one);
    check(status == 0 && have(14), "what two streams did runs twice");
    cuStreamBeginCapture_v2(one, 0);
    launch_add(10, one);
    launch_add(20, one);
    launch_add(30, one);
    cuStreamEndCapture(one, &other);
    check(cuGraphExecUpdate(exec, other, &wrong, &result) == 910 && result != 0,
          "a graph with other dependencies is no update");
    cuGraphExecDestroy(exec);
    cuGraphInstantiateWithFlags(&exec, other, 0);
    cuStreamBeginCapture_v2(one, 0);
    launch_add(100, one);
    launch_add(200, one);
    launch_add(300, one);
    cuStreamEndCapture(one, &graph);
    check(cuGraphExecUpdate(exec, graph, &wrong, &result) == 0 && result == 0 &&
              cuGraphLaunch(exec, one) == 0 && have(600),
          "an executable graph is updated");
    host.call = count_up;
    host.data = &calls;
    cuGraphAddHostNode(&node, other, NULL, 0, &host);
    check(cuGraphExecUpdate(exec, other, &wrong, &result) == 910,
          "a graph with more nodes is no update");
    cuGraphExecDestroy(exec);
    cuGraphInstantiateWithFlags(&exec, other, 0);
    cuGraphLaunch(exec, one);
    check(have(60) && calls == 1, "a node calls the host");
    cuGraphExecDestroy(exec);
}

/* A graph of three fills, the third of which depends on the first or on the second, as does the
 * second on the first. */
static void *chain(unsigned third, void **node)
{
    struct fill fill = {memory, 0, 1, 4, N, 1};
    void *graph;

    cuGraphCreate(&graph, 0);
    cuGraphAddMemsetNode(&node[0], graph, NULL, 0, &fill, NULL);
    cuGraphAddMemsetNode(&node[1], graph, &node[0], 1, &fill, NULL);
    cuGraphAddMemsetNode(&node[2], graph, &node[third], 1, &fill, NULL);
    return graph;
}

static bool file_is(const char *path, const char *text_of)
{
    char got[512] = "";
    FILE *file = fopen(path, "r");
    bool same = file != NULL && fread(got, 1, sizeof(got) - 1, file) != 0;

    if (file != NULL)
        fclose(file);
    return same && strcmp(got, text_of) == 0;
}

static void test_faults(const char *path)
{
    const struct fill bad = {memory, 0, 1, 3, N, 1};
    unsigned cluster[16] = {1, 1, 1}, got[16];
    unsigned value = 1;
    void *args[] = {&memory, &value};
    struct kernel kernel = adding(args);
    void *a[3], *b[3], *first = chain(1, a), *second = chain(0, b), *exec, *node, *wrong;
    void *list[4] = {NULL, NULL, NULL, first};
    size_t count = 0;
    int result = -1;

    check(cuGraphDebugDotPrint(first, path, 0) == 0 &&
              file_is(path, "digraph {\n    0 [label=\"0: fill\"];\n    1 [label=\"1: fill\"];\n"
                            "    0 -> 1;\n    2 [label=\"2: fill\"];\n    1 -> 2;\n}\n"),
          "a graph is printed");
    cuGraphInstantiateWithFlags(&exec, first, 0);
    check(cuGraphExecUpdate(exec, second, &wrong, &result) == 910 && wrong == b[2],
          "as many dependencies, but others, are no update");
    check(cuGraphAddDependencies(first, &a[0], &b[1], 1) == 1,
          "nodes of two graphs do not depend on each other");
    check(cuGraphAddDependencies(second, &b[2], &b[0], 1) == 0 &&
              cuGraphInstantiateWithFlags(&exec, second, 0) == 1,
          "a graph with a cycle is refused");
    count = 2;
    check(cuGraphGetNodes(first, list, &count) == 0 && count == 2 && list[1] == a[1] &&
              list[2] == NULL,
          "a short list gets what it has room for");
    count = 4;
    check(cuGraphGetNodes(first, list, &count) == 0 && count == 3 && list[3] == NULL,
          "the rest of a long list is cleared");
    count = 0;
    cuGraphAddMemsetNode(&node, first, NULL, 0, &bad, NULL);
    cuGraphGetNodes(first, NULL, &count);
    check(count == 3, "a node that is refused is not in the graph");
    cuGraphAddKernelNode_v2(&node, first, NULL, 0, &kernel);
    cluster[0] = 2;
    check(cuGraphKernelNodeSetAttribute(node, 4, cluster) == 0 &&
              cuGraphKernelNodeGetAttribute(node, 4, got) == 0 && got[0] == 2,
          "a node keeps the size of its clusters");
}

static void test_stream_memory(void)
{
    CUdeviceptr taken = 0;
    unsigned word = 0;
    void *stream, *graph, *exec;

    cuStreamCreate(&stream, 0);
    cuStreamBeginCapture_v2(stream, 0);
    cuMemAllocAsync(&taken, N * sizeof(unsigned), stream);
    cuMemsetD32Async(taken, 9, N, stream);
    check(cuStreamWriteValue32_v2(stream, memory, 5, 0) == 801 && have(0),
          "a captured stream refuses to write a value");
    cuMemcpyDtoDAsync_v2(memory, taken, N * sizeof(unsigned), stream);
    cuMemFreeAsync(taken, stream);
    cuStreamEndCapture(stream, &graph);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphLaunch(exec, stream);
    cuGraphLaunch(exec, stream);
    check(have(9), "memory that a captured stream frees is there in each launch");
    cuMemsetD2D16_v2(memory + 2, 10, 0x1234, 3, 2);
    cuMemcpyDtoH_v2(&word, memory, 4);
    check(word == 0x12340000, "a fill begins at its address");
    cuMemcpyDtoH_v2(&word, memory + 6, 4);
    check(word == 0x1234, "a row ends after its elements");
    cuMemcpyDtoH_v2(&word, memory + 14, 4);
    check(word == 0x12341234, "the next row begins a pitch later");
    cuMemsetD32_v2(memory, 0, N);
}

/* Memory that a graph allocates has the same address again after the program has freed it. */
static void test_memory(void)
{
    struct {
        unsigned char pool[88];
        const void *access;
        size_t accesses, size;
        CUdeviceptr address;
    } alloc = {.size = N * sizeof(unsigned)};
    struct fill fill = {0, 0, 9, 4, N, 1};
    unsigned word = 0;
    void *graph, *exec, *take, *set;

    cuGraphCreate(&graph, 0);
    cuGraphAddMemAllocNode(&take, graph, NULL, 0, &alloc);
    fill.to = alloc.address;
    cuGraphAddMemsetNode(&set, graph, &take, 1, &fill, NULL);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphLaunch(exec, NULL);
    cuMemFree_v2(alloc.address);
    cuGraphLaunch(exec, NULL);
    check(cuMemcpyDtoH_v2(&word, alloc.address + 4, 4) == 0 && word == 9,
          "a graph takes its memory again");
    cuMemFree_v2(alloc.address);
    cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);
}

static void test_mapping(void)
{
    const int access[3] = {1, 0, 3};
    CUdeviceptr base = 0, again = 0;
    const int range_start = 11;
    uint64_t allowed = 0, own = 1;
    void *handle, *data[1];
    unsigned word = 0;

    check(cuMemAddressReserve(&base, 8 * GRANULE, 0, 0, 0) == 0 && base % GRANULE == 0 &&
              cuMemCreate(&handle, GRANULE, NULL, 0) == 0 &&
              cuMemMap(base + GRANULE, GRANULE, 0, handle, 0) == 0 &&
              cuMemSetAccess(base + GRANULE, GRANULE, access, 1) == 0 &&
              cuMemsetD32_v2(base + GRANULE, 77, N) == 0,
          "memory is mapped at a reserved address");
    check(cuMemGetAccess(&allowed, access, base + GRANULE) == 0 && allowed == 3 &&
              cuMemGetAccess(&allowed, access, base) != 0,
          "mapped memory has the access that was set");
    data[0] = &own;
    check(cuPointerGetAttributes(1, &range_start, data, base) == 0 && own == base &&
              cuPointerGetAttributes(1, &range_start, data, 4096) == 0 && own == 0,
          "attributes of memory of the host are 0");
    cuMemUnmap(base + GRANULE, GRANULE);
    cuMemAddressReserve(&again, GRANULE, 0, 0, 0);
    cuMemMap(again, GRANULE, 0, handle, 0);
    cuMemRelease(handle);
    cuMemSetAccess(again, GRANULE, access, 1);
    cuMemcpyDtoH_v2(&word, again, 4);
    check(word == 77, "memory mapped elsewhere keeps its content");
    check(cuMemSetAccess(base, GRANULE, access, 1) == 1, "unmapped addresses get no access");
    check(cuMemAddressFree(base, 8 * GRANULE) == 0, "addresses are freed");
}

/* CUDA_MEMCPY3D */
struct side {
    size_t x, y, z, level;
    int type;
    void *host;
    CUdeviceptr device;
    void *array, *reserved;
    size_t pitch, height;
};
struct copy {
    struct side from, to;
    size_t width, height, depth;
};

static void test_arrays(void)
{
    struct {
        size_t width, height, depth;
        int format;
        unsigned channels, flags;
    } flat = {8, 4, 0, 0x20, 1, 0}, deep = {4, 3, 2, 0x03, 1, 0};
    struct {
        int type;
        void *array;
        int reserved[30];
        unsigned flags;
    } resource = {0};
    int sampling[32] = {1, 1, 1};
    float texel[4][8];
    unsigned box[2][3][4], part[2][2] = {{0}};
    struct copy copy = {.from = {.type = 1, .host = texel, .pitch = 32},
                        .to = {.type = 3},
                        .width = 32,
                        .height = 4,
                        .depth = 1};
    uint64_t object = 0;
    void *array;
    void *args[] = {&memory, &object};
    unsigned word[N] = {0};
    bool same = true;

    for (unsigned i = 0; i < N; i++)
        texel[i / 8][i % 8] = (float)(3 * i);
    check(cuArray3DCreate_v2(&array, &flat) == 0, "an array is made");
    copy.to.array = resource.array = array;
    cuMemcpy3D_v2(&copy);
    cuTexObjectCreate(&object, &resource, sampling, NULL);
    cuLaunchKernel(fetch, 1, 1, 1, N, 1, 1, 0, NULL, args, NULL);
    cuMemcpyDtoH_v2(word, memory, sizeof(word));
    for (unsigned i = 0; i < N; i++)
        same &= word[i] == 3 * i;
    check(same, "a texture reads the driver's array");
    check(cuTexObjectCreate(&object, &resource, sampling, &deep) == 801,
          "a view of a resource is refused");
    sampling[4] = 2 | 16;
    check(cuTexObjectCreate(&object, &resource, sampling, NULL) == 801, "sRGB is refused");
    sampling[4] = 2;
    sampling[0] = 0;
    check(cuTexObjectCreate(&object, &resource, sampling, NULL) == 0,
          "a texture with two kinds of addressing is made");
    sampling[0] = sampling[1] = 3;
    memcpy(&sampling[10], &(float){0.5f}, sizeof(float));
    check(cuTexObjectCreate(&object, &resource, sampling, NULL) == 0,
          "a texture with a border is made");
    for (unsigned i = 0; i < 24; i++)
        box[i / 12][i / 4 % 3][i % 4] = i;
    cuArray3DCreate_v2(&array, &deep);
    copy = (struct copy){.from = {.type = 1, .host = box, .pitch = 16, .height = 3},
                         .to = {.type = 3, .array = array},
                         .width = 16,
                         .height = 3,
                         .depth = 2};
    cuMemcpy3D_v2(&copy);
    copy = (struct copy){.from = {.x = 8, .y = 1, .z = 1, .type = 3, .array = array},
                         .to = {.type = 1, .host = part, .pitch = 8, .height = 2},
                         .width = 8,
                         .height = 2,
                         .depth = 1};
    cuMemcpy3D_v2(&copy);
    check(part[0][0] == 18 && part[0][1] == 19 && part[1][0] == 22 && part[1][1] == 23,
          "a part of a deep array is copied");
    cuArrayDestroy(array);
}

static void test_names(void)
{
    static const int errors[] = {304, 705, 720, 910};
    char text_of[32] = "";
    const char *error = NULL;
    bool named = true;
    int device = -1;
    void *old = NULL, *new = NULL;

    cuDeviceGetPCIBusId(text_of, sizeof(text_of), 0);
    check(cuDeviceGetByPCIBusId(&device, text_of) == 0 && device == 0 &&
              cuDeviceGetByPCIBusId(&device, "0000:7f:00.0") == 101,
          "the device is found by its bus id");
    for (unsigned i = 0; i < 4; i++)
        named &= cuGetErrorName(errors[i], &error) == 0 && error != NULL;
    check(named, "errors that graphs, peers and cooperative grids return have names");
    cuGetProcAddress_v2("cuGraphExecUpdate", &old, 10020, 0, NULL);
    cuGetProcAddress_v2("cuGraphExecUpdate", &new, 12000, 0, NULL);
    check(old == (void *)(uintptr_t)cuGraphExecUpdate &&
              new == (void *)(uintptr_t)cuGraphExecUpdate_v2,
          "a program gets the variant of a call that its version of CUDA has");
}

int main(int argc, char **argv)
{
    CUmodule module;

    if (argc != 2 || cuInit(0) != 0 || cuModuleLoadData(&module, text) != 0 ||
        cuModuleGetFunction(&add, module, "add") != 0 ||
        cuModuleGetFunction(&fetch, module, "fetch") != 0 ||
        cuMemAlloc_v2(&memory, N * sizeof(unsigned)) != 0)
        return 1;
    cuMemsetD32_v2(memory, 0, N);
    test_nodes();
    test_capture();
    test_faults(argv[1]);
    test_stream_memory();
    test_memory();
    test_mapping();
    test_arrays();
    test_names();
    return !all;
}
