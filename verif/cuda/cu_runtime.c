/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_runtime - does by hand what a program built by nvcc does: registers a module with byway's
 * runtime library and launches its kernels. It also makes invalid calls.  Prints "ok NAME" or
 * "not ok NAME".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int cudaError_t;
struct dim3 {
    unsigned x, y, z;
};
void **__cudaRegisterFatBinary(const void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t size, int constant, int global);
cudaError_t cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **args,
                             size_t shared, void *stream);
cudaError_t cudaMalloc(void **memory, size_t size);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int kind);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                               int kind);
cudaError_t cudaGetLastError(void);
cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value);
cudaError_t cudaGetDeviceProperties(void *prop, int device);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaStreamCreate(void **stream);
cudaError_t cudaStreamBeginCapture(void *stream, int mode);
cudaError_t cudaStreamEndCapture(void *stream, void **graph);
cudaError_t cudaGraphInstantiate(void **exec, void *graph, uint64_t flags);
cudaError_t cudaGraphLaunch(void *exec, void *stream);
/* cudaLaunchAttribute, whose value begins at byte 8; cudaLaunchConfig_t. */
struct attribute {
    int id, unused;
    unsigned value[16];
};
struct config {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
    struct attribute *attribute;
    unsigned count;
};
cudaError_t cudaLaunchKernelExC(const struct config *config, const void *host, void **args);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags, int *status);

struct pointer {
    int type, device;
    void *on_device, *on_host;
    long reserved[8];
};
cudaError_t cudaPointerGetAttributes(struct pointer *attributes, const void *memory);
cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned flags);
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned *flags, void *memory);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaEventCreateWithFlags(void **event, unsigned flags);
cudaError_t cudaEventRecord(void *event, void *stream);
cudaError_t cudaEventElapsedTime(float *milliseconds, void *from, void *to);

static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".const .f32 factor = 0f40000000;\n"
    ".visible .entry scale(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "setp.ge.u32 %p1, %r5, %r1;\n@%p1 ret;\ncvta.to.global.u64 %rd2, %rd1;\n"
    "mul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd2, %rd3;\nld.global.f32 %f1, [%rd4];\n"
    "ld.const.f32 %f2, [factor];\nmul.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;\nret;\n}\n"
    ".visible .entry look(.param .u64 t, .param .u64 o)\n{\n"
    ".reg .b32 %r<2>; .reg .f32 %f<8>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [o];\ncvta.to.global.u64 %rd3, %rd2;\n"
    "mov.u32 %r1, %tid.x;\ncvt.rn.f32.u32 %f1, %r1;\nfma.rn.f32 %f1, %f1, 0f3E800000, 0f3E000000;\n"
    "mov.f32 %f2, 0fBE4CCCCD;\ntex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];\n"
    "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd3, %rd3, %rd4;\nst.global.f32 [%rd3], %f3;\nret;\n}\n"
    ".visible .entry odd()\n{\ntcgen05.wait::ld.sync.aligned;\nret;\n}\n";

/* nvcc identifies a kernel by the address of a host function; these addresses serve as such. */
static char scale, odd, look, stranger, factor;
static bool all = true;

static void check(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    all &= good;
}

static cudaError_t launch(const void *kernel, unsigned gx, unsigned bx, size_t shared, void **args)
{
    const struct dim3 grid = {gx, 1, 1}, block = {bx, 1, 1};

    return cudaLaunchKernel(kernel, grid, block, args, shared, NULL);
}

static void check_launches(float *device)
{
    float host[100];
    unsigned n = 100;
    void *args[] = {&device, &n};
    const float three = 3;

    for (int i = 0; i < 100; i++)
        host[i] = (float)i;
    cudaMemcpy(device, host, sizeof(host), 1);
    check(launch(&scale, 2, 64, 0, args) == 0, "a registered kernel runs");
    cudaMemcpy(host, device, sizeof(host), 2);
    check(host[7] == 14, "it reads constant memory with its initial value");
    check(cudaMemcpyToSymbol(&factor, &three, 4, 0, 1) == 0,
          "a variable is found by its host address");
    launch(&scale, 2, 64, 0, args);
    cudaMemcpy(host, device, sizeof(host), 2);
    check(host[7] == 42 && host[99] == 594, "the next launch sees the new value");
    check(cudaMemcpyToSymbol(&factor, &three, 4, 2, 1) == 1,
          "a copy past a variable's end is refused");
    check(cudaMemcpyToSymbol(&stranger, &three, 4, 0, 1) == 13, "an unknown variable is refused");
    cudaGetLastError();
}

/* Two launches in a graph, each of which multiplies by three. */
static void check_graph(float *device)
{
    const struct dim3 one = {1, 1, 1}, threads = {32, 1, 1};
    float value = 1;
    unsigned n = 1;
    void *args[] = {&device, &n}, *stream, *graph, *exec;

    cudaMemcpy(device, &value, 4, 1);
    cudaStreamCreate(&stream);
    check(cudaStreamBeginCapture(stream, 0) == 0, "a stream records");
    for (int i = 0; i < 2; i++)
        cudaLaunchKernel(&scale, one, threads, args, 0, stream);
    check(cudaStreamEndCapture(stream, &graph) == 0, "its graph is handed out");
    n = 0; /* launches keep the arguments that they were recorded with */
    cudaMemcpy(&value, device, 4, 2);
    check(value == 1, "recording runs nothing");
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    cudaMemcpy(&value, device, 4, 2);
    check(value == 81, "each launch of a graph runs all that was recorded");
}

static void check_attributes(float *device)
{
    enum { CLUSTER = 4 };
    struct attribute cluster = {CLUSTER, 0, {1, 1, 1}};
    const struct config config = {{2, 1, 1}, {32, 1, 1}, 0, NULL, &cluster, 1};
    unsigned n = 1;
    void *args[] = {&device, &n}, *function = NULL;
    float value = 5;
    int status;

    cudaMemcpy(device, &value, 4, 1);
    check(cudaLaunchKernelExC(&config, &scale, args) == 0, "a launch with attributes runs");
    cudaMemcpy(&value, device, 4, 2);
    check(value == 15, "and gives the result");
    cluster.value[0] = 2;
    check(cudaLaunchKernelExC(&config, &scale, args) == 0, "a cluster of two blocks runs");
    cluster.value[0] = 3;
    check(cudaLaunchKernelExC(&config, &scale, args) == 912,
          "one of three, of a grid of two, does not");
    cudaGetLastError();
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, 0,
                                           &status) == 0 &&
              function != NULL && status == 0,
          "a function of the driver is found by its name");
    check(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, 0, &status) == 0 &&
              function == NULL && status != 0,
          "an unknown one is no error, but has a status");
}

static void check_absurd(float *device)
{
    unsigned n = 100;
    void *args[] = {&device, &n}, *memory;
    const struct dim3 flat = {1, 0, 1}, one = {1, 1, 1}, deep = {1, 1, 65};

    check(launch(&scale, 0, 64, 0, args) == 9, "a grid of no blocks is refused");
    check(launch(&scale, 1, 1025, 0, args) == 9, "a block of 1025 threads is refused");
    check(cudaLaunchKernel(&scale, flat, one, args, 0, NULL) == 9, "a dimension of 0 is refused");
    check(cudaLaunchKernel(&scale, one, deep, args, 0, NULL) == 9, "a block 65 deep is refused");
    check(launch(&scale, 1, 32, 49153, args) == 1, "more than 48 KiB needs the attribute");
    check(cudaFuncSetAttribute(&scale, 8, 1 << 20) == 1, "a megabyte of shared memory is refused");
    check(cudaFuncSetAttribute(&scale, 8, 100000) == 0 && launch(&scale, 1, 32, 100000, args) == 0,
          "with the attribute it runs");
    check(launch(&stranger, 1, 32, 0, args) == 98, "an unknown kernel is refused");
    check(launch(&odd, 1, 32, 0, NULL) == 801, "a kernel with an unknown instruction is refused");
    cudaGetLastError();
    check(cudaGetLastError() == 0, "an error is reported once");
    check(cudaMalloc(&memory, (size_t)1 << 50) == 2, "a petabyte is not there");
    check(cudaFree(&n) == 1, "memory of others cannot be freed");
    check(strcmp(cudaGetErrorName(9), "cudaErrorInvalidConfiguration") == 0, "errors have names");
}

/* cudaResourceDesc of memory in rows, cudaTextureDesc. */
struct resource {
    int type, unused;
    void *data;
    int bits[4], kind;
    size_t width, height, pitch, rest[2];
};
struct sampling {
    int address[3], filter, read, srgb;
    float border[4];
    int normalized, rest[8];
};
cudaError_t cudaCreateTextureObject(unsigned long long *object, const struct resource *resource,
                                    const struct sampling *sampling, const void *view);

/* Eight places of the row above a texture of 4 x 4 numbered texels, which wraps in x. */
static bool looks(char *device, int mode, const float expected[8])
{
    const struct resource resource = {3, 0, device, {32, 0, 0, 0}, 2, 4, 4, 16, {0, 0}};
    const struct sampling sampling = {.address = {0, mode, 0}, .normalized = 1};
    unsigned long long texture = 0;
    float texels[16], seen[8], *out = (float *)(void *)(device + 256);
    void *args[] = {&texture, &out};

    for (int i = 0; i < 16; i++)
        texels[i] = (float)i;
    cudaMemcpy(device, texels, sizeof(texels), 1);
    if (cudaCreateTextureObject(&texture, &resource, &sampling, NULL) != 0 ||
        launch(&look, 1, 8, 0, args) != 0)
        return false;
    cudaMemcpy(seen, out, sizeof(seen), 2);
    return memcmp(seen, expected, sizeof(seen)) == 0;
}

static void check_modes(char *device)
{
    const float last[] = {12, 13, 14, 15, 12, 13, 14, 15}, none[8] = {0},
                first[] = {0, 1, 2, 3, 0, 1, 2, 3};

    check(looks(device, 0, last), "a texture that wraps in both dimensions");
    check(looks(device, 1, first), "a texture that wraps in x and clamps y");
    check(looks(device, 2, first), "a texture that wraps in x and mirrors y");
    check(looks(device, 3, none), "a texture that wraps in x and has a border in y");
}

static int type_of(const void *memory)
{
    struct pointer p = {.type = -1};

    cudaPointerGetAttributes(&p, memory);
    return p.type;
}

static void check_kinds(char *device)
{
    static char own[64];
    char *host = NULL, *managed = NULL;
    unsigned flags = 0;

    cudaHostAlloc((void **)&host, 100, 2);
    cudaMallocManaged((void **)&managed, 100, 1);
    check(type_of(host + 50) == 1, "page-locked memory is host memory");
    check(type_of(managed + 99) == 3, "managed memory is called so");
    check(type_of(device + 7) == 2 && type_of(own) == 0, "other memory is device memory or none");
    check(cudaHostGetFlags(&flags, host) == 0 && flags == 2 &&
              cudaHostGetFlags(&flags, device) == 1,
          "only host memory has the flags of its allocation");
    check(cudaHostRegister(own, sizeof(own), 0) == 0 && type_of(own + 9) == 1,
          "registered memory is host memory");
    check(cudaHostRegister(own, sizeof(own), 0) == 712, "it cannot be registered twice");
    check(cudaHostUnregister(own) == 0 && cudaHostUnregister(own) == 713 && type_of(own) == 0,
          "it can be unregistered, once");
    check(cudaFreeHost(host) == 0 && cudaFree(managed) == 0 && type_of(host) == 0,
          "freed memory has no kind");
    cudaGetLastError();
}

static void check_events(void)
{
    void *timed[2], *untimed;
    float time = -1;

    cudaEventCreateWithFlags(&timed[0], 0);
    cudaEventCreateWithFlags(&timed[1], 1);
    cudaEventCreateWithFlags(&untimed, 2);
    cudaEventRecord(timed[0], NULL);
    cudaEventRecord(untimed, NULL);
    check(cudaEventElapsedTime(&time, timed[0], timed[1]) == 400,
          "an event that was not recorded has no time");
    cudaEventRecord(timed[1], NULL);
    check(cudaEventElapsedTime(&time, timed[0], timed[1]) == 0 && time >= 0, "two others have");
    check(cudaEventElapsedTime(&time, timed[1], timed[0]) == 0 && time <= 0 && time > -1e6f,
          "in the other order it is negative");
    check(cudaEventElapsedTime(&time, timed[0], untimed) == 400,
          "an event without timing has no time");
    cudaGetLastError();
}

int main(void)
{
    struct {
        uint32_t magic, version;
        const void *data;
        void *rest;
    } wrapper = {0x466243b1u, 1, ptx, NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    unsigned char prop[2048];
    void *device;

    __cudaRegisterFunction(handle, &scale, NULL, "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &look, NULL, "look", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &odd, NULL, "odd", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &factor, NULL, "factor", 0, 4, 1, 0);
    __cudaRegisterFatBinaryEnd(handle);
    check(cudaMalloc(&device, 512) == 0, "memory is there");
    check_launches(device);
    check_graph(device);
    check_attributes(device);
    check_absurd(device);
    check_modes(device);
    check_kinds(device);
    check_events();
    check(cudaGetDeviceProperties(prop, 0) == 0 && strcmp((char *)prop, "NVIDIA H200") == 0,
          "the device is an H200 unless the user says otherwise");
    check(cudaGetDeviceProperties(prop, 1) == 101, "there is one device");
    check(cudaFree(device) == 0, "memory is given back");
    return all ? 0 : 1;
}
