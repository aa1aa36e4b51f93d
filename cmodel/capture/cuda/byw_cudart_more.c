/* SPDX-License-Identifier: Apache-2.0
 *
 * Runtime API: peers, of which a single device has none, pools, libraries, questions about streams
 * and functions, and settings that change nothing here.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart_copy.h"

#define CALL(name, ...)                                                                            \
    BYW_CUDART(cudaError_t) name(__VA_ARGS__);                                                     \
    cudaError_t name(__VA_ARGS__)

/* The driver's calls that these share. */
typedef struct byw_cu_pool *cudaMemPool_t;
typedef struct byw_cu_module *cudaLibrary_t;
enum byw_cu_error cuDeviceGetPCIBusId(char *text, int room, int device);
enum byw_cu_error cuDeviceGetByPCIBusId(int *device, const char *text);
enum byw_cu_error cuMemRangeGetAttribute(void *data, size_t room, int attribute, uint64_t memory,
                                         size_t size);
enum byw_cu_error cuMemPoolCreate(cudaMemPool_t *pool, const void *properties);
enum byw_cu_error cuMemPoolDestroy(cudaMemPool_t pool);
enum byw_cu_error cuMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
enum byw_cu_error cuMemPoolSetAttribute(cudaMemPool_t pool, int attribute, const void *value);
enum byw_cu_error cuMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value);
enum byw_cu_error cuMemPoolSetAccess(cudaMemPool_t pool, const void *list, size_t count);
enum byw_cu_error cuDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
enum byw_cu_error cuMemAllocFromPoolAsync(uint64_t *address, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream);
enum byw_cu_error cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                          struct byw_cu_function *function,
                                                          int blocks, int threads);
enum byw_cu_error cuLibraryLoadFromFile(cudaLibrary_t *library, const char *path, int *options,
                                        void **values, unsigned count, int *library_options,
                                        void **library_values, unsigned library_count);
enum byw_cu_error cuModuleGetFunctionCount(unsigned *count, cudaLibrary_t library);
enum byw_cu_error cuModuleEnumerateFunctions(struct byw_cu_function **list, unsigned room,
                                             cudaLibrary_t library);
enum byw_cu_error cuMemcpyPeerAsync(uint64_t to, void *to_context, uint64_t from,
                                    void *from_context, size_t size, cudaStream_t stream);
enum byw_cu_error cuFuncGetParamInfo(struct byw_cu_function *function, size_t n, size_t *offset,
                                     size_t *size);

static cudaError_t of_device(int device)
{
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}

/* --- devices ------------------------------------------------------------------------------------
 */

CALL(cudaDeviceGetPCIBusId, char *text, int room, int device)
{
    return byw_cudart_error(cuDeviceGetPCIBusId(text, room, device));
}

CALL(cudaDeviceGetByPCIBusId, int *device, const char *text)
{
    return byw_cudart_error(cuDeviceGetByPCIBusId(device, text));
}

CALL(cudaDeviceEnablePeerAccess, int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return byw_cudart_error(BYW_CU_INVALID_DEVICE); /* a device is no peer of itself */
}

CALL(cudaDeviceDisablePeerAccess, int peer)
{
    return byw_cudart_error(peer == 0 ? BYW_CU_PEER_NOT_ENABLED : BYW_CU_INVALID_DEVICE);
}

CALL(cudaDeviceGetP2PAttribute, int *value, int attribute, int from, int to)
{
    (void)attribute, (void)from, (void)to;
    *value = 0;
    return byw_cudart_error(BYW_CU_INVALID_DEVICE);
}

CALL(cudaMemcpyPeerAsync, void *to, int to_device, const void *from, int from_device, size_t size,
     cudaStream_t stream)
{
    if (to_device != 0 || from_device != 0)
        return byw_cudart_error(BYW_CU_INVALID_DEVICE);
    return byw_cudart_error(cuMemcpyPeerAsync((uint64_t)(uintptr_t)to, NULL,
                                              (uint64_t)(uintptr_t)from, NULL, size, stream));
}

CALL(cudaChooseDevice, int *device, const void *wish)
{
    (void)wish;
    *device = 0;
    return 0;
}

CALL(cudaSetValidDevices, const int *list, int count)
{
    return byw_cudart_error(count == 0 || (count == 1 && list[0] == 0) ? BYW_CU_OK
                                                                       : BYW_CU_INVALID_DEVICE);
}

CALL(cudaInitDevice, int device, unsigned flags, unsigned mode)
{
    (void)flags, (void)mode;
    return of_device(device);
}

CALL(cudaGetDeviceFlags, unsigned *flags)
{
    *flags = 8; /* memory of the host may be mapped */
    return 0;
}

CALL(cudaDeviceGetCacheConfig, int *config)
{
    *config = 0;
    return 0;
}

CALL(cudaDeviceGetSharedMemConfig, int *config)
{
    *config = 1; /* banks of 4 bytes */
    return 0;
}

CALL(cudaFuncSetSharedMemConfig, const void *host, int config)
{
    (void)host, (void)config;
    return 0;
}

CALL(cudaDeviceGetTexture1DLinearMaxWidth, size_t *texels, const struct byw_cu_channels *channels,
     int device)
{
    (void)channels;
    *texels = 1u << 28;
    return of_device(device);
}

CALL(cudaDeviceFlushGPUDirectRDMAWrites, int target, int scope)
{
    (void)target, (void)scope;
    return 0;
}

/* --- streams and events -------------------------------------------------------------------------
 */

CALL(cudaStreamGetPriority, cudaStream_t stream, int *priority)
{
    *priority = (uintptr_t)stream > 2 ? stream->priority : 0;
    return 0;
}

CALL(cudaStreamGetFlags, cudaStream_t stream, unsigned *flags)
{
    *flags = (uintptr_t)stream > 2 ? stream->flags : 0;
    return 0;
}

CALL(cudaStreamGetId, cudaStream_t stream, unsigned long long *id)
{
    *id = (uintptr_t)stream > 2 ? stream->id : (uintptr_t)stream;
    return 0;
}

CALL(cudaStreamGetDevice, cudaStream_t stream, int *device)
{
    (void)stream;
    *device = 0;
    return 0;
}

CALL(cudaStreamAttachMemAsync, cudaStream_t stream, void *memory, size_t size, unsigned flags)
{
    (void)stream, (void)memory, (void)size, (void)flags;
    return 0;
}

CALL(cudaStreamSetAttribute, cudaStream_t stream, int attribute, const void *value)
{
    (void)stream, (void)attribute, (void)value;
    return 0;
}

CALL(cudaStreamGetAttribute, cudaStream_t stream, int attribute, void *value)
{
    (void)stream, (void)attribute;
    memset(value, 0, 64);
    return 0;
}

CALL(cudaStreamCopyAttributes, cudaStream_t to, cudaStream_t from)
{
    (void)to, (void)from;
    return 0;
}

CALL(cudaEventRecordWithFlags, cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    if (event == NULL)
        return byw_cudart_error(BYW_CU_INVALID_HANDLE);
    byw_cu_event_record(event, stream);
    return 0;
}

/* --- memory -------------------------------------------------------------------------------------
 */

CALL(cudaHostGetFlags, unsigned *flags, void *memory)
{
    return byw_cudart_error(byw_cu_host_flags(memory, flags) ? BYW_CU_OK : BYW_CU_INVALID_VALUE);
}

CALL(cudaMemRangeGetAttribute, void *data, size_t room, int attribute, const void *memory,
     size_t size)
{
    return byw_cudart_error(
        cuMemRangeGetAttribute(data, room, attribute, (uint64_t)(uintptr_t)memory, size));
}

CALL(cudaMemRangeGetAttributes, void **data, const size_t *room, const int *attribute, size_t count,
     const void *memory, size_t size)
{
    cudaError_t error = 0;

    for (size_t i = 0; i < count && error == 0; i++)
        error = cudaMemRangeGetAttribute(data[i], room[i], attribute[i], memory, size);
    return error;
}

CALL(cudaMemset2DAsync, void *memory, size_t pitch, int value, size_t width, size_t height,
     cudaStream_t stream)
{
    const struct byw_cu_fill_node fill = {memory, pitch, (unsigned)value, 1, width, height};

    return byw_cudart_error(byw_cu_stream_fill(stream, &fill));
}

/* cudaPitchedPtr */
struct pitched {
    void *data;
    size_t pitch, width, height;
};

CALL(cudaMemset3DAsync, struct pitched memory, int value, struct byw_cu_extent extent,
     cudaStream_t stream)
{
    cudaError_t error = 0;

    for (size_t z = 0; z < extent.depth && error == 0; z++)
        error = cudaMemset2DAsync((char *)memory.data + z * memory.height * memory.pitch,
                                  memory.pitch, value, extent.width, extent.height, stream);
    return error;
}

CALL(cudaMemset3D, struct pitched memory, int value, struct byw_cu_extent extent)
{
    return cudaMemset3DAsync(memory, value, extent, NULL);
}

CALL(cudaMemPoolCreate, cudaMemPool_t *pool, const void *properties)
{
    return byw_cudart_error(cuMemPoolCreate(pool, properties));
}

CALL(cudaMemPoolDestroy, cudaMemPool_t pool)
{
    return byw_cudart_error(cuMemPoolDestroy(pool));
}

CALL(cudaMemPoolTrimTo, cudaMemPool_t pool, size_t bytes)
{
    return byw_cudart_error(cuMemPoolTrimTo(pool, bytes));
}

CALL(cudaMemPoolSetAttribute, cudaMemPool_t pool, int attribute, void *value)
{
    return byw_cudart_error(cuMemPoolSetAttribute(pool, attribute, value));
}

CALL(cudaMemPoolGetAttribute, cudaMemPool_t pool, int attribute, void *value)
{
    return byw_cudart_error(cuMemPoolGetAttribute(pool, attribute, value));
}

CALL(cudaMemPoolSetAccess, cudaMemPool_t pool, const void *list, size_t count)
{
    return byw_cudart_error(cuMemPoolSetAccess(pool, list, count));
}

CALL(cudaMemPoolGetAccess, int *flags, cudaMemPool_t pool, void *location)
{
    (void)pool, (void)location;
    *flags = 3; /* read and write */
    return 0;
}

CALL(cudaDeviceGetDefaultMemPool, cudaMemPool_t *pool, int device)
{
    return byw_cudart_error(cuDeviceGetDefaultMemPool(pool, device));
}

CALL(cudaDeviceGetMemPool, cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

CALL(cudaDeviceSetMemPool, int device, cudaMemPool_t pool)
{
    (void)pool;
    return of_device(device);
}

CALL(cudaMallocFromPoolAsync, void **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    uint64_t address = 0;
    enum byw_cu_error error = cuMemAllocFromPoolAsync(&address, size, pool, stream);

    *memory = (void *)(uintptr_t)address;
    return byw_cudart_error(error);
}

/* --- functions and libraries --------------------------------------------------------------------
 */

CALL(cudaFuncGetName, const char **name, const void *host)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    if (error == BYW_CU_OK)
        *name = byw_cu_function_name(function);
    return byw_cudart_error(error);
}

CALL(cudaFuncGetParamInfo, const void *host, size_t n, size_t *offset, size_t *size)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    return byw_cudart_error(error == BYW_CU_OK ? cuFuncGetParamInfo(function, n, offset, size)
                                               : error);
}

CALL(cudaGetFuncBySymbol, struct byw_cu_function **function, const void *host)
{
    enum byw_cu_error error = byw_cudart_kernel(host, function);

    return byw_cudart_error(error == BYW_CU_OK ? byw_cudart_adopt(*function) : error);
}

CALL(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *bytes, const void *host, int blocks,
     int threads)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    return byw_cudart_error(error == BYW_CU_OK ? cuOccupancyAvailableDynamicSMemPerBlock(
                                                     bytes, function, blocks, threads)
                                               : error);
}

CALL(cudaLibraryLoadData, cudaLibrary_t *library, const void *image, int *options, void **values,
     unsigned count, int *library_options, void **library_values, unsigned library_count)
{
    (void)options, (void)values, (void)count;
    (void)library_options, (void)library_values, (void)library_count;
    return byw_cudart_error(byw_cu_load(image, library));
}

CALL(cudaLibraryLoadFromFile, cudaLibrary_t *library, const char *path, int *options, void **values,
     unsigned count, int *library_options, void **library_values, unsigned library_count)
{
    return byw_cudart_error(cuLibraryLoadFromFile(library, path, options, values, count,
                                                  library_options, library_values, library_count));
}

CALL(cudaLibraryUnload, cudaLibrary_t library)
{
    byw_cu_unload(library);
    return 0;
}

CALL(cudaLibraryGetGlobal, void **address, size_t *size, cudaLibrary_t library, const char *name)
{
    size_t bytes;

    return byw_cudart_error(
        byw_cu_find_variable(library, name, address, size != NULL ? size : &bytes));
}

CALL(cudaLibraryGetManaged, void **address, size_t *size, cudaLibrary_t library, const char *name)
{
    return cudaLibraryGetGlobal(address, size, library, name);
}

CALL(cudaLibraryGetKernelCount, unsigned *count, cudaLibrary_t library)
{
    return byw_cudart_error(cuModuleGetFunctionCount(count, library));
}

CALL(cudaLibraryGetKernel, struct byw_cu_function **kernel, cudaLibrary_t library, const char *name)
{
    enum byw_cu_error error = byw_cu_find_function(library, name, kernel);

    return byw_cudart_error(error == BYW_CU_OK ? byw_cudart_adopt(*kernel) : error);
}

CALL(cudaLibraryEnumerateKernels, struct byw_cu_function **list, unsigned room,
     cudaLibrary_t library)
{
    enum byw_cu_error error = cuModuleEnumerateFunctions(list, room, library);

    for (unsigned i = 0; error == BYW_CU_OK && i < room && list[i] != NULL; i++)
        error = byw_cudart_adopt(list[i]);
    return byw_cudart_error(error);
}

CALL(cudaKernelSetAttributeForDevice, const void *kernel, int attribute, int value, int device)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(kernel, &function);

    (void)device;
    return byw_cudart_error(error == BYW_CU_OK ? cuFuncSetAttribute(function, attribute, value)
                                               : error);
}

#if BYW_CUDA_MAJOR < 13
/* CUDA 13 changed the arguments of these calls. Programs of CUDA 12 use the new form under a name
 * with a version number. */
CALL(cudaMemAdvise_v2, const void *memory, size_t size, int advice, uint64_t location)
{
    (void)memory, (void)size, (void)advice, (void)location;
    return 0;
}

CALL(cudaMemPrefetchAsync_v2, const void *memory, size_t size, uint64_t location, unsigned flags,
     cudaStream_t stream)
{
    (void)memory, (void)size, (void)location, (void)flags, (void)stream;
    return 0;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);
CALL(cudaEventElapsedTime_v2, float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    return cudaEventElapsedTime(milliseconds, from, to);
}
#endif
