/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: device, contexts, errors, entry points.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"
#include "capture/cuda/byw_cu_nested.h"

/* Above every toolkit of CUDA 13: programs that find an older driver than their toolkit compile
 * PTX to machine code by themselves, which byway cannot run. */
#define DRIVER_VERSION 13090

static struct byw_cu_context primary; /* of the one device */

/* A thread's stack of contexts; a context may be in it more than once. */
static _Thread_local struct entry {
    struct byw_cu_context *context;
    struct entry *under;
} * stack;

static struct byw_cu_context *top(void)
{
    return stack != NULL ? stack->context : NULL;
}

static void drop(void)
{
    struct entry *entry = stack;

    if (entry != NULL)
        stack = entry->under;
    free(entry);
}

CU(cuInit, unsigned flags)
{
    (void)byw_cu_device();
    return flags == 0 ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuDriverGetVersion, int *version)
{
    *version = DRIVER_VERSION;
    return BYW_CU_OK;
}

CU(cuDeviceGetCount, int *count)
{
    *count = 1;
    return BYW_CU_OK;
}

CU(cuDeviceGet, CUdevice *device, int ordinal)
{
    *device = 0;
    return ordinal == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuDeviceGetName, char *name, int room, CUdevice device)
{
    if (device != 0 || room <= 0)
        return BYW_CU_INVALID_VALUE;
    snprintf(name, (size_t)room, "%s", byw_cu_device()->name);
    return BYW_CU_OK;
}

CU(cuDeviceGetUuid_v2, unsigned char uuid[16], CUdevice device)
{
    memset(uuid, 0, 16);
    memcpy(uuid, "byway", 5);
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}
CU_ALIAS(cuDeviceGetUuid, cuDeviceGetUuid_v2);

CU(cuDeviceTotalMem_v2, size_t *bytes, CUdevice device)
{
    *bytes = byw_cu_device()->memory;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuDeviceGetAttribute, int *value, int attribute, CUdevice device)
{
    return device == 0 ? byw_cu_device_attribute(attribute, value) : BYW_CU_INVALID_DEVICE;
}

CU(cuDeviceComputeCapability, int *major, int *minor, CUdevice device)
{
    *major = (int)byw_cu_device()->major;
    *minor = (int)byw_cu_device()->minor;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuDeviceGetPCIBusId, char *text, int room, CUdevice device)
{
    snprintf(text, (size_t)room, "0000:00:00.0");
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

/* "domain:bus:device.function", where the domain and the function may be missing. */
CU(cuDeviceGetByPCIBusId, CUdevice *device, const char *text)
{
    unsigned part[4] = {0}, parts = 1;

    *device = 0;
    for (const char *at = text; *at != '\0'; at++)
        parts += *at == ':';
    if (parts == 3 ? sscanf(text, "%x:%x:%x.%x", &part[0], &part[1], &part[2], &part[3]) < 3
                   : sscanf(text, "%x:%x.%x", &part[1], &part[2], &part[3]) < 2)
        return BYW_CU_INVALID_VALUE;
    return (part[0] | part[1] | part[2] | part[3]) == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuDeviceCanAccessPeer, int *can, CUdevice device, CUdevice peer)
{
    (void)device, (void)peer;
    *can = 0;
    return BYW_CU_OK;
}

CU(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)
{
    *context = &primary;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuDevicePrimaryCtxRelease_v2, CUdevice device)
{
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}
CU_ALIAS(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxRelease_v2);

CU(cuDevicePrimaryCtxSetFlags_v2, CUdevice device, unsigned flags)
{
    primary.flags = flags;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuDevicePrimaryCtxGetState, CUdevice device, unsigned *flags, int *active)
{
    *flags = primary.flags;
    *active = 1;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuCtxPushCurrent_v2, CUcontext context)
{
    struct entry *entry;

    if (context == NULL)
        return BYW_CU_INVALID_CONTEXT;
    entry = malloc(sizeof(*entry));
    if (entry == NULL)
        return BYW_CU_NO_MEMORY;
    *entry = (struct entry){context, stack};
    stack = entry;
    return BYW_CU_OK;
}

CU(cuCtxPopCurrent_v2, CUcontext *context)
{
    if (stack == NULL)
        return BYW_CU_INVALID_CONTEXT;
    if (context != NULL)
        *context = stack->context;
    drop();
    return BYW_CU_OK;
}

/* Replaces the top of the stack; NULL only removes it. */
CU(cuCtxSetCurrent, CUcontext context)
{
    drop();
    return context == NULL ? BYW_CU_OK : cuCtxPushCurrent_v2(context);
}

CU(cuCtxGetCurrent, CUcontext *context)
{
    *context = top();
    return BYW_CU_OK;
}

CU(cuCtxCreate_v2, CUcontext *context, unsigned flags, CUdevice device)
{
    if (device != 0)
        return BYW_CU_INVALID_DEVICE;
    *context = calloc(1, sizeof(**context));
    if (*context == NULL)
        return BYW_CU_NO_MEMORY;
    (*context)->flags = flags;
    return cuCtxPushCurrent_v2(*context);
}

CU(cuCtxCreate_v4, CUcontext *context, void *params, unsigned flags, CUdevice device)
{
    (void)params;
    return cuCtxCreate_v2(context, flags, device);
}

CU(cuCtxCreate_v3, CUcontext *context, void *params, int count, unsigned flags, CUdevice device)
{
    (void)params, (void)count;
    return cuCtxCreate_v2(context, flags, device);
}

CU(cuCtxDestroy_v2, CUcontext context)
{
    if (context == NULL)
        return BYW_CU_INVALID_CONTEXT;
    if (top() == context)
        drop();
    if (context != &primary)
        free(context);
    return BYW_CU_OK;
}

CU(cuCtxSynchronize, void)
{
    return byw_cu_broken();
}

CU(cuCtxGetDevice, CUdevice *device)
{
    *device = 0;
    return stack != NULL ? BYW_CU_OK : BYW_CU_INVALID_CONTEXT;
}

CU(cuCtxGetFlags, unsigned *flags)
{
    *flags = stack != NULL ? stack->context->flags : 0;
    return BYW_CU_OK;
}

CU(cuCtxGetApiVersion, CUcontext context, unsigned *version)
{
    (void)context;
    *version = DRIVER_VERSION;
    return BYW_CU_OK;
}

CU(cuCtxSetLimit, int limit, size_t value)
{
    return byw_cu_set_limit(limit, value) ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuCtxGetLimit, size_t *value, int limit)
{
    *value = byw_cu_limit(limit);
    return BYW_CU_OK;
}

CU(cuCtxSetCacheConfig, int config)
{
    (void)config;
    return BYW_CU_OK;
}
CU_ALIAS(cuCtxSetSharedMemConfig, cuCtxSetCacheConfig);

CU(cuCtxGetStreamPriorityRange, int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return BYW_CU_OK;
}

CU(cuGetErrorString, CUresult error, const char **text)
{
    *text = byw_cu_error_text(error);
    return *text != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuGetErrorName, CUresult error, const char **text)
{
    *text = byw_cu_error_name(error, false);
    return *text != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

/* Variants of calls whose arguments changed, and the version of CUDA that did it. Variants that are
 * not listed are older than all programs. */
static const struct variant {
    const char *call;
    int version;
} variants[] = {
#define X(call, version) {#call, version},
#include "capture/cuda/byw_cu_variants.def"
#undef X
};

/* Whether a program that was written for a version expects a variant. */
static bool is_expected(const char *call, int version)
{
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
        if (strcmp(variants[i].call, call) == 0)
            return version >= variants[i].version;
    return true;
}

/* Callers give the name of a function without its suffix. Finds the newest variant (_v2, _v3, _v4)
 * that exists in the given driver version. */
CU(cuGetProcAddress_v2, const char *name, void **function, int version, uint64_t flags, int *status)
{
    static const char *const suffixes[] = {"_v4", "_v3", "_v2", ""};
    char full[128];
    Dl_info info;
    void *own;

    (void)flags;
    *function = NULL;
    own = dladdr((void *)(uintptr_t)&primary, &info) != 0
              ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
              : NULL;
    for (size_t i = 0; own != NULL && *function == NULL && i < 4; i++) {
        snprintf(full, sizeof(full), "%.100s%s", name, suffixes[i]);
        if (is_expected(full, version == 0 ? DRIVER_VERSION : version))
            *function = dlsym(own, full);
    }
    if (own != NULL)
        dlclose(own);
    if (status != NULL)
        *status = *function != NULL ? 0 : 1; /* found; symbol not found */
    return *function != NULL ? BYW_CU_OK : BYW_CU_NOT_FOUND;
}

CU(cuGetProcAddress, const char *name, void **function, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

/* The file that contains an address, without its folder; "": unknown. */
static const char *file_of(const void *address)
{
    Dl_info info;
    const char *slash;

    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return "";
    slash = strrchr(info.dli_fname, '/');
    return slash == NULL ? info.dli_fname : slash + 1;
}

/* NVIDIA's libraries whose kernels are machine code that only a GPU runs. */
static bool is_closed(const char *file)
{
    static const char *const names[] = {"libcusparse", "libcufft", "libcusolver", "libcudnn",
                                        "libnpp",      "libnccl",  "libnvjpeg"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(file, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Whether the caller is the static runtime, asking for its own table. Other libraries ask for
 * theirs but work without them. */
static bool is_runtime(const unsigned char id[16])
{
    static const unsigned char runtime[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                              0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};

    return id != NULL && memcmp(id, runtime, sizeof(runtime)) == 0;
}

/* The driver's private tables, which byway lacks. The static runtime library needs one:
 * byway's runtime has replaced it (cuda/audit), or a message says why that failed. */
CU(cuGetExportTable, const void **table, const void *id)
{
    static bool said, closed_said;
    const char *file = file_of(__builtin_return_address(0));

    *table = NULL;
    if (is_closed(file)) {
        if (!closed_said)
            byw_cu_say("%s is not supported: its kernels are machine code without PTX; its calls "
                       "fail, and the rest of the program goes on",
                       file);
        closed_said = true;
    } else if (!said && is_runtime(id)) {
        said = true;
        byw_cu_say("%s contains the static CUDA runtime without a symbol table, and no "
                   "libcudart_static.a of its version was found; pip install "
                   "nvidia-cuda-runtime==VERSION (CUDA 12: nvidia-cuda-runtime-cu12), or name the "
                   "archive in BYWAY_CUDART_STATIC, or link with -cudart shared",
                   file[0] == '\0' ? "the program" : file);
    }
    return BYW_CU_NOT_FOUND;
}

/* The driver's log of errors, which byway does not keep: nothing is ever reported. */
CU(cuLogsRegisterCallback, void *callback, void *data, void **handle)
{
    (void)data;
    if (callback == NULL)
        return BYW_CU_INVALID_VALUE;
    if (handle != NULL)
        *handle = callback;
    return BYW_CU_OK;
}

CU(cuLogsUnregisterCallback, void *handle)
{
    return handle != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuProfilerStart, void)
{
    return BYW_CU_OK;
}
CU_ALIAS(cuProfilerStop, cuProfilerStart);
