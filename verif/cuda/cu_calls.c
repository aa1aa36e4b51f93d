/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_calls - the driver calls that Python's packages make: linked PTX, memory pools, attributes
 * of addresses and functions, and libnvJitLink's "machine code".  Prints "ok NAME" or "not ok
 * NAME".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

int cuLinkCreate_v2(unsigned count, int *options, void **values, void **link);
int cuLinkAddData_v2(void *link, int type, const void *data, size_t size, const char *name,
                     unsigned count, int *options, void **values);
int cuLinkComplete(void *link, void **image, size_t *size);
int cuLinkDestroy(void *link);
int cuDeviceGetDefaultMemPool(void **pool, int device);
int cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, void *pool, void *stream);
int cuMemPoolSetAttribute(void *pool, int attribute, void *value);
int cuMemPoolGetAttribute(void *pool, int attribute, void *value);
int cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address);
int cuFuncGetAttribute(int *value, int attribute, CUfunction function);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuCtxSetCurrent(void *context);
int cuCtxGetCurrent(void **context);
int nvJitLinkCreate(void **handle, uint32_t count, const char **options);
int nvJitLinkAddData(void *handle, int type, const void *data, size_t size, const char *name);
int nvJitLinkComplete(void *handle);
int nvJitLinkGetLinkedCubinSize(void *handle, size_t *size);
int nvJitLinkGetLinkedCubin(void *handle, void *image);
int nvJitLinkDestroy(void **handle);

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define PTX_INPUT 1 /* CU_JIT_INPUT_PTX */

static const char caller[] =
    HEAD ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
         ".visible .entry run(.param .u64 p)\n{\n.reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
         "ld.param.u64 %rd1, [p];\n"
         "ld.global.b32 { %r1 }, [ %rd1 + 0 ];\n" /* a vector of one element, as Triton writes it */
         "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;\n"
         "call.uni (r), twice, (a);\nld.param.b32 %r2, [r]; }\n"
         "st.global.b32 [ %rd1 + 0 ], { %r2 };\nret;\n}\n";
static const char callee[] =
    HEAD ".visible .func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<3>;\n"
         "ld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n";

static bool all = true;

static void check(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    all &= good;
}

/* Whether the image's kernel doubles a number. */
static bool doubles(const void *image, CUfunction *function)
{
    CUmodule module;
    CUdeviceptr memory;
    int number = 21;
    void *args[] = {&memory};

    if (cuModuleLoadData(&module, image) != 0 || cuModuleGetFunction(function, module, "run") != 0)
        return false;
    cuMemAlloc_v2(&memory, sizeof(number));
    cuMemcpyHtoD_v2(memory, &number, sizeof(number));
    cuLaunchKernel(*function, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
    cuMemcpyDtoH_v2(&number, memory, sizeof(number));
    return number == 42;
}

static void check_link(void)
{
    static const char machine_code[64] = "\177ELF";
    CUfunction function;
    void *link, *image;
    size_t size;
    int value = 0;

    cuLinkCreate_v2(0, NULL, NULL, &link);
    check(cuLinkComplete(link, &image, &size) == 1, "nothing cannot be linked");
    check(cuLinkAddData_v2(link, 0, machine_code, sizeof(machine_code), "a.cubin", 0, NULL, NULL) ==
              209,
          "machine code without PTX is refused");
    cuLinkAddData_v2(link, PTX_INPUT, caller, sizeof(caller), "caller", 0, NULL, NULL);
    cuLinkAddData_v2(link, PTX_INPUT, callee, sizeof(callee), "callee", 0, NULL, NULL);
    check(cuLinkComplete(link, &image, &size) == 0 && doubles(image, &function),
          "a kernel calls a function of another input");
    check(cuFuncGetAttribute(&value, 5, function) == 0 && value == 80,
          "a kernel's version is that of its PTX, not of the device");
    check(cuFuncSetAttribute(function, 99, 1) == 1, "an unknown attribute cannot be set");
    cuLinkDestroy(link);
}

static void check_library(void)
{
    CUfunction function;
    void *handle;
    char *image;
    size_t size = 0;

    nvJitLinkCreate(&handle, 0, NULL);
    check(nvJitLinkAddData(handle, 3, caller, sizeof(caller), "ir") != 0, "LTO IR is refused");
    nvJitLinkAddData(handle, 2, caller, sizeof(caller), "caller");
    nvJitLinkAddData(handle, 2, callee, sizeof(callee), "callee");
    check(nvJitLinkComplete(handle) == 0 && nvJitLinkGetLinkedCubinSize(handle, &size) == 0,
          "libnvJitLink links PTX");
    image = malloc(size);
    check(nvJitLinkGetLinkedCubin(handle, image) == 0 && doubles(image, &function),
          "and its machine code runs");
    free(image);
    nvJitLinkDestroy(&handle);
}

static void check_memory(void)
{
    CUdeviceptr memory[3], found = 0;
    uint64_t threshold = 1 << 20, used = 0;
    void *pool;
    bool good = cuDeviceGetDefaultMemPool(&pool, 0) == 0;

    for (int i = 0; i < 3; i++)
        good &= cuMemAllocFromPoolAsync(&memory[i], 1000, pool, NULL) == 0;
    check(good, "the device's pool has memory");
    cuMemPoolSetAttribute(pool, 4, &threshold);
    threshold = 0;
    check(cuMemPoolGetAttribute(pool, 4, &threshold) == 0 && threshold == 1 << 20 &&
              cuMemPoolGetAttribute(pool, 7, &used) == 0 && used >= 3000,
          "a pool keeps its attributes and counts what is used");
    good = true;
    for (int i = 0; i < 3; i++)
        good &= cuPointerGetAttribute(&found, 11, memory[i] + 500) == 0 && found == memory[i];
    check(good, "an address inside any of several buffers has its start");
    check(cuPointerGetAttribute(&found, 11, (CUdeviceptr)(uintptr_t)&found) == 1,
          "an address of the host has none");
}

/* Kernels of a module of more than 1 MiB are compiled one by one: all of them still share its
 * variables, and a kernel that cannot run does not affect the others. */
static const char large[] = HEAD
    ".global .u32 word = 5;\n"
    ".visible .entry put(.param .u32 n)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"
    "ld.global.u32 %r2, [word];\nadd.s32 %r3, %r1, %r2;\nst.global.u32 [word], %r3;\nret;\n}\n"
    ".visible .entry odd()\n{\ntcgen05.wait::ld.sync.aligned;\nret;\n}\n"
    ".visible .entry run(.param .u64 p)\n{\n.reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [word];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

static int launch(CUmodule module, const char *name, void *arg)
{
    void *args[] = {arg};
    CUfunction f;

    return cuModuleGetFunction(&f, module, name) != 0
               ? -1
               : cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
}

static void check_large(void)
{
    enum { PADDING = 1 << 20 };
    char *text = malloc(sizeof(large) + PADDING + 2);
    unsigned n = 3, got[2] = {0, 0};
    CUdeviceptr memory = 0, word = 0;
    CUmodule module;
    CUfunction f;
    size_t size;
    bool good;

    memcpy(text, large, sizeof(large));
    memset(text + sizeof(large) - 1, '/', PADDING); /* a comment */
    memcpy(text + sizeof(large) - 1 + PADDING, "\n", 2);
    good = cuMemAlloc_v2(&memory, sizeof(n)) == 0 && cuModuleLoadData(&module, text) == 0;
    free(text);
    check(good && launch(module, "put", &n) == 0 && launch(module, "run", &memory) == 0 &&
              cuMemcpyDtoH_v2(&got[0], memory, sizeof(n)) == 0 && got[0] == 8,
          "kernels of a large module share its variables");
    check(cuModuleGetGlobal_v2(&word, &size, module, "word") == 0 && size == sizeof(n) &&
              cuMemcpyDtoH_v2(&got[1], word, size) == 0 && got[1] == 8,
          "and the program finds them");
    check(launch(module, "odd", &n) != 0 && launch(module, "put", &n) == 0,
          "a kernel that cannot run does not stop others of a large module");
    check(cuModuleGetFunction(&f, module, "none") != 0, "a large module has no other kernels");
    cuModuleUnload(module);
}

/* A tensor map of 16 x 8 words in boxes of 8 x 4; `change` spoils one argument. */
enum spoiled { NOTHING, RANK, ADDRESS, STRIDE, BOX, ROW, SWIZZLE, INTERLEAVE };
static int encode(enum spoiled change)
{
    enum { WORDS = 2, SWIZZLE_32 = 1 };
    static uint64_t map[16];
    const uint64_t size[] = {16, 8}, stride[] = {change == STRIDE ? 72 : 64};
    const uint32_t box[] = {change == BOX ? 0 : change == ROW ? 6 : change == SWIZZLE ? 16 : 8, 4};
    const uint32_t step[] = {1, 1};
    uintptr_t address = change == ADDRESS ? 0x10008 : 0x10000;

    return cuTensorMapEncodeTiled(map, WORDS, change == RANK ? 6 : 2, (void *)address, size, stride,
                                  box, step, change == INTERLEAVE, SWIZZLE_32, 0, 0);
}

static void check_tensor(void)
{
    check(encode(NOTHING) == 0, "a tensor map is made");
    check(encode(RANK) == 1, "a tensor of six dimensions is refused");
    check(encode(ADDRESS) == 1, "a tensor at a multiple of 8 bytes is refused");
    check(encode(STRIDE) == 1, "rows at multiples of 8 bytes are refused");
    check(encode(BOX) == 1, "an empty box is refused");
    check(encode(ROW) == 1, "rows of 24 bytes in a box are refused");
    check(encode(SWIZZLE) == 1, "rows of 64 bytes do not fit a swizzle of 32");
    check(encode(INTERLEAVE) == 801, "an interleaved tensor is not supported");
}

/* Pops a context; NULL: the stack is empty. */
static void *pop(void)
{
    void *context = NULL;

    return cuCtxPopCurrent_v2(&context) == 0 ? context : NULL;
}

static void *current(void)
{
    void *context = NULL;

    cuCtxGetCurrent(&context);
    return context;
}

/* Contexts are a stack per thread, in which a context may be more than once. */
static void check_contexts(void)
{
    void *a = NULL, *b = NULL;

    cuCtxCreate_v2(&a, 0, 0);
    cuCtxCreate_v2(&b, 0, 0);
    check(pop() == b && pop() == a && current() == NULL && pop() == NULL,
          "a new context is on top of the stack");
    cuCtxPushCurrent_v2(a);
    cuCtxPushCurrent_v2(a);
    check(pop() == a && current() == a && pop() == a && current() == NULL,
          "a context that was pushed twice is popped twice");
    cuCtxPushCurrent_v2(a);
    cuCtxPushCurrent_v2(b);
    cuCtxPushCurrent_v2(a);
    check(pop() == a && pop() == b && pop() == a && pop() == NULL,
          "contexts are popped in reverse order");
    cuCtxPushCurrent_v2(a);
    cuCtxPushCurrent_v2(a);
    cuCtxSetCurrent(b);
    check(pop() == b && pop() == a && pop() == NULL, "cuCtxSetCurrent replaces the top");
    cuCtxPushCurrent_v2(a);
    cuCtxPushCurrent_v2(b);
    cuCtxDestroy_v2(b);
    check(current() == a && pop() == a, "cuCtxDestroy pops the current context");
    cuCtxDestroy_v2(a);
}

int main(void)
{
    cuInit(0);
    check_contexts();
    check_tensor();
    check_link();
    check_library();
    check_memory();
    check_large();
    return all ? 0 : 1;
}
