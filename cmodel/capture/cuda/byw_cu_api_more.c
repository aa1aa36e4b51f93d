/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: questions about contexts, streams, functions and libraries, and settings that change
 * nothing here.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_workshop.h"
#include "capture/cuda/byw_cu_driver.h"

typedef struct byw_cu_pool *CUmemoryPool;
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device); /* byw_cu_api_pool.c */
CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address);
CUresult cuCtxGetCurrent(CUcontext *context);

/* Settings that change nothing. */
#define IGNORED(name, ...)                                                                         \
    CU(name, __VA_ARGS__)                                                                          \
    {                                                                                              \
        return BYW_CU_OK;                                                                          \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
IGNORED(cuCtxResetPersistingL2Cache, void)
IGNORED(cuCtxSynchronize_v2, CUcontext context)
IGNORED(cuCtxSetFlags, unsigned flags)
IGNORED(cuFuncLoad, CUfunction function)
IGNORED(cuProfilerInitialize, const char *in, const char *out, int mode)
IGNORED(cuPointerSetAttribute, const void *value, int attribute, CUdeviceptr address)
IGNORED(cuStreamSetAttribute, CUstream stream, int attribute, const void *value)
IGNORED(cuStreamCopyAttributes, CUstream to, CUstream from)
IGNORED(cuKernelSetCacheConfig, CUfunction kernel, int config, CUdevice device)
IGNORED(cuDeviceGraphMemTrim, CUdevice device)
IGNORED(cuMemSetMemPool, void *location, int type, CUmemoryPool pool)
IGNORED(cuFlushGPUDirectRDMAWrites, int target, int scope)

/* --- contexts -----------------------------------------------------------------------------------
 */

CU(cuCtxGetId, CUcontext context, uint64_t *id)
{
    CUresult error = BYW_CU_OK;

    if (context == NULL)
        error = cuCtxGetCurrent(&context);
    *id = (uint64_t)(uintptr_t)context;
    return error == BYW_CU_OK && context == NULL ? BYW_CU_INVALID_CONTEXT : error;
}

CU(cuCtxGetDevice_v2, CUdevice *device, CUcontext context)
{
    (void)context;
    *device = 0;
    return BYW_CU_OK;
}

CU(cuCtxGetCacheConfig, int *config)
{
    *config = 0;
    return BYW_CU_OK;
}
CU_ALIAS(cuCtxGetSharedMemConfig, cuCtxGetCacheConfig);

CU(cuDeviceGetLuid, char *luid, unsigned *mask, CUdevice device)
{
    (void)luid, (void)mask, (void)device;
    return BYW_CU_NOT_SUPPORTED; /* as on Linux */
}

/* --- streams ------------------------------------------------------------------------------------
 */

CU(cuStreamGetCtx, CUstream stream, CUcontext *context)
{
    (void)stream;
    return cuCtxGetCurrent(context);
}

CU(cuStreamGetCtx_v2, CUstream stream, CUcontext *context, void **green)
{
    *green = NULL;
    return cuStreamGetCtx(stream, context);
}

CU(cuStreamGetAttribute, CUstream stream, int attribute, void *value)
{
    (void)stream, (void)attribute;
    memset(value, 0, 64);
    return BYW_CU_OK;
}

/* Refuses a captured stream: graphs have no nodes that write values or wait for them. */
static bool refuses(CUstream stream)
{
    if (byw_cu_captured(stream) == NULL)
        return false;
    byw_cu_say("a captured stream that writes a value, or waits for one, is not supported");
    return true;
}

CU(cuStreamWriteValue32_v2, CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags)
{
    (void)flags;
    if (refuses(stream))
        return BYW_CU_NOT_SUPPORTED;
    memcpy((void *)(uintptr_t)address, &value, sizeof(value));
    return BYW_CU_OK;
}
CU_ALIAS(cuStreamWriteValue32, cuStreamWriteValue32_v2);

CU(cuStreamWriteValue64_v2, CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags)
{
    (void)flags;
    if (refuses(stream))
        return BYW_CU_NOT_SUPPORTED;
    memcpy((void *)(uintptr_t)address, &value, sizeof(value));
    return BYW_CU_OK;
}
CU_ALIAS(cuStreamWriteValue64, cuStreamWriteValue64_v2);

/* Calls complete in order, so nothing else could change the value that a call waits for. */
static CUresult wait_value(uint64_t have, uint64_t want, int64_t ahead, unsigned flags)
{
    const bool over = (flags & 3) == 0   ? ahead >= 0
                      : (flags & 3) == 1 ? have == want
                      : (flags & 3) == 2 ? (have & want) != 0
                                         : (have | want) != UINT64_MAX;

    if (!over)
        byw_cu_say("a stream waits for a value that no earlier call has written");
    return over ? BYW_CU_OK : BYW_CU_NOT_SUPPORTED;
}

CU(cuStreamWaitValue32_v2, CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags)
{
    uint32_t have;

    if (refuses(stream))
        return BYW_CU_NOT_SUPPORTED;
    memcpy(&have, (void *)(uintptr_t)address, sizeof(have));
    if ((flags & 3) == 3) /* NOR: no bit of the lower 32 may be 0 in both values */
        return wait_value(have | ~(uint64_t)UINT32_MAX, value, 0, flags);
    return wait_value(have, value, (int32_t)(have - value), flags);
}
CU_ALIAS(cuStreamWaitValue32, cuStreamWaitValue32_v2);

CU(cuStreamWaitValue64_v2, CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags)
{
    uint64_t have;

    if (refuses(stream))
        return BYW_CU_NOT_SUPPORTED;
    memcpy(&have, (void *)(uintptr_t)address, sizeof(have));
    return wait_value(have, value, (int64_t)(have - value), flags);
}
CU_ALIAS(cuStreamWaitValue64, cuStreamWaitValue64_v2);

/* --- functions and libraries --------------------------------------------------------------------
 */

CU(cuFuncIsLoaded, int *state, CUfunction function)
{
    (void)function;
    *state = 1;
    return BYW_CU_OK;
}

CU(cuFuncGetModule, CUmodule *module, CUfunction function)
{
    if (function == NULL)
        return BYW_CU_INVALID_HANDLE;
    *module = byw_cu_function_module(function);
    return BYW_CU_OK;
}
CU_ALIAS(cuKernelGetLibrary, cuFuncGetModule);

CU(cuFuncGetParamInfo, CUfunction function, size_t n, size_t *offset, size_t *size)
{
    size_t at = 0, bytes = function == NULL ? 0 : byw_cu_parameter(function, (unsigned)n, &at);

    if (bytes == 0)
        return BYW_CU_INVALID_VALUE;
    *offset = at;
    if (size != NULL)
        *size = bytes;
    return BYW_CU_OK;
}
CU_ALIAS(cuKernelGetParamInfo, cuFuncGetParamInfo);

CU(cuKernelGetName, const char **name, CUfunction kernel)
{
    if (kernel == NULL)
        return BYW_CU_INVALID_HANDLE;
    *name = byw_cu_function_name(kernel);
    return BYW_CU_OK;
}

CU(cuModuleGetFunctionCount, unsigned *count, CUmodule module)
{
    *count = 0;
    while (module != NULL && byw_cu_function(module, *count) != NULL)
        ++*count;
    return module != NULL ? BYW_CU_OK : BYW_CU_INVALID_HANDLE;
}
CU_ALIAS(cuLibraryGetKernelCount, cuModuleGetFunctionCount);

CU(cuModuleEnumerateFunctions, CUfunction *list, unsigned room, CUmodule module)
{
    for (unsigned i = 0; module != NULL && i < room; i++)
        list[i] = byw_cu_function(module, i);
    return module != NULL ? BYW_CU_OK : BYW_CU_INVALID_HANDLE;
}
CU_ALIAS(cuLibraryEnumerateKernels, cuModuleEnumerateFunctions);

CU(cuLibraryLoadFromFile, CUmodule *library, const char *path, int *options, void **values,
   unsigned count, int *library_options, void **library_values, unsigned library_count)
{
    size_t size;
    char *image = byw_cl_read_file(path, &size);
    CUresult result = image != NULL && size != 0 ? byw_cu_load_sized(image, size, library)
                                                 : BYW_CU_FILE_NOT_FOUND;

    free(image);
    return result;
}

CU(cuLibraryGetManaged, CUdeviceptr *address, size_t *size, CUmodule library, const char *name)
{
    void *found = NULL;
    size_t bytes = 0;
    CUresult result = byw_cu_find_variable(library, name, &found, &bytes);

    if (address != NULL)
        *address = (CUdeviceptr)(uintptr_t)found;
    if (size != NULL)
        *size = bytes;
    return result;
}

/* --- occupancy ----------------------------------------------------------------------------------
 */

CU(cuOccupancyAvailableDynamicSMemPerBlock, size_t *bytes, CUfunction function, int blocks,
   int threads)
{
    unsigned fixed = byw_cu_attributes(function).shared_bytes, most = byw_cu_device()->shared_optin;
    unsigned share = blocks <= 0 ? 0 : byw_cu_device()->shared_per_sm / (unsigned)blocks;

    (void)threads;
    share = share > 1024 ? share - 1024 : 0; /* reserved by the system */
    share = share > most ? most : share;
    *bytes = share > fixed ? share - fixed : 0;
    return blocks > 0 ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuOccupancyMaxPotentialBlockSizeWithFlags, int *grid, int *block, CUfunction function,
   size_t (*dynamic_of)(int), size_t dynamic, int limit, unsigned flags)
{
    unsigned most = byw_cu_attributes(function).most_threads, best = 0;

    (void)flags;
    most = limit > 0 && (unsigned)limit < most ? (unsigned)limit : most;
    *grid = *block = 0;
    for (unsigned threads = most / 32 * 32; threads != 0; threads -= 32) {
        size_t bytes = dynamic_of != NULL ? dynamic_of((int)threads) : dynamic;
        unsigned blocks = byw_cu_occupancy(function, threads, bytes);

        if (blocks * threads <= best)
            continue;
        best = blocks * threads;
        *block = (int)threads;
        *grid = (int)(blocks * byw_cu_device()->sms);
    }
    return *block != 0 ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuOccupancyMaxPotentialBlockSize, int *grid, int *block, CUfunction function,
   size_t (*dynamic_of)(int), size_t dynamic, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, dynamic_of, dynamic,
                                                     limit, 0);
}

/* --- memory -------------------------------------------------------------------------------------
 */

CU(cuPointerGetAttributes, unsigned count, const int *attribute, void **data, CUdeviceptr address)
{
    /* Attributes that an address lacks are zero; those whose bits are set have 8 bytes. */
    const unsigned wide = 1u << 1 | 1u << 3 | 1u << 4 | 1u << 7 | 1u << 11 | 1u << 12 | 1u << 17;

    for (unsigned i = 0; i < count; i++)
        if (cuPointerGetAttribute(data[i], attribute[i], address) != BYW_CU_OK)
            memset(data[i], 0, attribute[i] < 32 && (wide >> attribute[i] & 1) != 0 ? 8 : 4);
    return BYW_CU_OK;
}

CU(cuMemHostGetFlags, unsigned *flags, void *memory)
{
    return byw_cu_host_flags(memory, flags) ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuMemGetDefaultMemPool, CUmemoryPool *pool, void *location, int type)
{
    (void)location, (void)type;
    return cuDeviceGetDefaultMemPool(pool, 0);
}
CU_ALIAS(cuMemGetMemPool, cuMemGetDefaultMemPool);

CU(cuMemPoolGetAccess, int *flags, CUmemoryPool pool, void *location)
{
    (void)pool, (void)location;
    *flags = 3; /* read and write */
    return BYW_CU_OK;
}
