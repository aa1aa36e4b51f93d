/* SPDX-License-Identifier: Apache-2.0
 *
 * Device, streams, events, attributes of kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart.h"

#define RUNTIME_VERSION (BYW_CUDA_MAJOR * 1000)

BYW_CUDART(const char *) cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error)
{
    const char *text = byw_cu_error_text(error);

    return text != NULL ? text : "unrecognized error code";
}

BYW_CUDART(const char *) cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error)
{
    const char *name = byw_cu_error_name(error, true);

    return name != NULL ? name : "unrecognized error code";
}

BYW_CUDART(cudaError_t) cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceCount(int *count)
{
    (void)byw_cu_device();
    *count = 1;
    return 0;
}

BYW_CUDART(cudaError_t) cudaSetDevice(int device);
cudaError_t cudaSetDevice(int device)
{
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}

BYW_CUDART(cudaError_t) cudaGetDevice(int *device);
cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return 0;
}

#define NOTHING(name)                                                                              \
    BYW_CUDART(cudaError_t) name(void);                                                            \
    cudaError_t name(void)                                                                         \
    {                                                                                              \
        return byw_cudart_error(BYW_CU_OK);                                                        \
    }
NOTHING(cudaDeviceSynchronize)
NOTHING(cudaThreadSynchronize)
NOTHING(cudaDeviceReset)
NOTHING(cudaThreadExit)
NOTHING(cudaProfilerStart)
NOTHING(cudaProfilerStop)
NOTHING(cudaCtxResetPersistingL2Cache)

#define NOTHING_OF(name, type)                                                                     \
    BYW_CUDART(cudaError_t) name(type value);                                                      \
    cudaError_t name(type value)                                                                   \
    {                                                                                              \
        (void)value;                                                                               \
        return byw_cudart_error(BYW_CU_OK);                                                        \
    }
NOTHING_OF(cudaStreamSynchronize, cudaStream_t)
NOTHING_OF(cudaStreamQuery, cudaStream_t)
NOTHING_OF(cudaEventSynchronize, cudaEvent_t)
NOTHING_OF(cudaEventQuery, cudaEvent_t)
NOTHING_OF(cudaSetDeviceFlags, unsigned)
NOTHING_OF(cudaDeviceSetCacheConfig, int)
NOTHING_OF(cudaDeviceSetSharedMemConfig, int)

BYW_CUDART(cudaError_t) cudaDeviceSetLimit(int limit, size_t value);
cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
    return byw_cudart_error(cuCtxSetLimit(limit, value));
}

BYW_CUDART(cudaError_t) cudaDeviceGetLimit(size_t *value, int limit);
cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
    return byw_cudart_error(cuCtxGetLimit(value, limit));
}

BYW_CUDART(cudaError_t) cudaRuntimeGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = RUNTIME_VERSION;
    return 0;
}

BYW_CUDART(cudaError_t) cudaDriverGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = RUNTIME_VERSION;
    return 0;
}

/* Offsets of the fields of cudaDeviceProp, which differ between versions; 0: the version lacks
 * the field (except `name`, which is at 0). */
enum { AT_12, AT_13, VERSIONS };
static const unsigned prop_size[VERSIONS] = {1032, 1008};

struct prop_field {
    unsigned short at[VERSIONS], bytes;
    uint64_t value;
};

static void fill_properties(unsigned char *prop)
{
    const struct byw_cu_device *d = byw_cu_device();
    const unsigned version = BYW_CUDA_MAJOR >= 13 ? AT_13 : AT_12;
    const struct prop_field fields[] = {
        {{288, 288}, 8, d->memory},
        {{296, 296}, 8, d->shared_per_block},
        {{304, 304}, 4, 65536}, /* registers per block */
        {{308, 308}, 4, 32},
        {{312, 312}, 8, INT32_MAX}, /* pitch */
        {{320, 320}, 4, 1024},
        {{324, 324}, 4, 1024},
        {{328, 328}, 4, 1024},
        {{332, 332}, 4, 64},
        {{336, 336}, 4, INT32_MAX},
        {{340, 340}, 4, 65535},
        {{344, 344}, 4, 65535},
        {{348, 0}, 4, d->clock_khz},
        {{352, 352}, 8, 65536}, /* constant memory */
        {{360, 360}, 4, d->major},
        {{364, 364}, 4, d->minor},
        {{368, 368}, 8, 512}, /* texture alignment */
        {{376, 376}, 8, 32},
        {{384, 0}, 4, 1}, /* copies overlap */
        {{388, 384}, 4, d->sms},
        {{400, 392}, 4, 1}, /* maps host memory */
        {{576, 560}, 4, 1}, /* concurrent kernels */
        {{600, 584}, 4, 3}, /* copy engines */
        {{604, 588}, 4, 1}, /* one address space */
        {{608, 0}, 4, d->memory_clock_khz},
        {{612, 592}, 4, d->bus_bits},
        {{616, 596}, 4, d->l2},
        {{624, 604}, 4, d->threads_per_sm},
        {{628, 608}, 4, 1}, /* stream priorities */
        {{632, 612}, 4, 1}, /* L1 caches global accesses */
        {{636, 616}, 4, 1},
        {{640, 624}, 8, d->shared_per_sm},
        {{648, 632}, 4, 65536},
        {{652, 636}, 4, 1}, /* managed memory */
        {{672, 656}, 4, 1}, /* accessible by host and device at the same time */
        {{684, 668}, 4, 1}, /* cooperative launch */
        {{696, 672}, 8, d->shared_optin},
        {{712, 688}, 4, d->blocks_per_sm},
        {{720, 696}, 8, 1024}, /* shared memory of the system */
        {{728, 704}, 4, 1}, /* host memory can be registered */
        {{744, 720}, 4, 1}, /* pools */
    };

    memset(prop, 0, prop_size[version]);
    snprintf((char *)prop, 256, "%s", d->name);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (fields[i].at[version] != 0)
            memcpy(prop + fields[i].at[version], &fields[i].value, fields[i].bytes);
}

BYW_CUDART(cudaError_t) cudaGetDeviceProperties(void *prop, int device);
cudaError_t cudaGetDeviceProperties(void *prop, int device)
{
    if (device != 0)
        return byw_cudart_error(BYW_CU_INVALID_DEVICE);
    fill_properties(prop);
    return 0;
}

BYW_CUDART(cudaError_t) cudaGetDeviceProperties_v2(void *prop, int device);
cudaError_t cudaGetDeviceProperties_v2(void *prop, int device)
{
    return cudaGetDeviceProperties(prop, device);
}

/* cudaDeviceAttr, which has the driver's numbers. */
BYW_CUDART(cudaError_t) cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    if (device != 0)
        return byw_cudart_error(BYW_CU_INVALID_DEVICE);
    return byw_cudart_error(byw_cu_device_attribute(attribute, value));
}

BYW_CUDART(cudaError_t) cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return 0;
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags, int priority)
{
    *stream = byw_cu_stream_create(flags, priority);
    return *stream != NULL ? 0 : byw_cudart_error(BYW_CU_NO_MEMORY);
}

BYW_CUDART(cudaError_t) cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return create_stream(stream, 0, 0);
}

BYW_CUDART(cudaError_t) cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return create_stream(stream, flags, 0);
}

BYW_CUDART(cudaError_t)
cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    return create_stream(stream, flags, priority);
}

BYW_CUDART(cudaError_t) cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    byw_cu_stream_free(stream);
    return 0;
}

BYW_CUDART(cudaError_t)
cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    return byw_cudart_error(byw_cu_stream_wait(stream, event));
}

BYW_CUDART(cudaError_t)
cudaLaunchHostFunc(cudaStream_t stream, void (*call)(void *), void *data);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*call)(void *), void *data)
{
    return byw_cudart_error(byw_cu_stream_call(stream, call, data));
}

BYW_CUDART(cudaError_t)
cudaStreamAddCallback(cudaStream_t stream, void (*call)(cudaStream_t, cudaError_t, void *),
                      void *data, unsigned flags);
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  void (*call)(cudaStream_t, cudaError_t, void *), void *data,
                                  unsigned flags)
{
    (void)flags;
    call(stream, 0, data);
    return 0;
}

BYW_CUDART(cudaError_t) cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    if (event == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *event = calloc(1, sizeof(**event));
    if (*event == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    (*event)->flags = flags;
    return 0;
}

BYW_CUDART(cudaError_t) cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

BYW_CUDART(cudaError_t) cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    byw_cu_event_free(event);
    return 0;
}

BYW_CUDART(cudaError_t) cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (event == NULL)
        return byw_cudart_error(BYW_CU_INVALID_HANDLE);
    byw_cu_event_record(event, stream);
    return 0;
}

BYW_CUDART(cudaError_t) cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    return byw_cudart_error(byw_cu_event_elapsed(from, to, milliseconds));
}

struct cudaFuncAttributes {
    size_t shared, constant, local;
    int most_threads, registers, ptx, binary, cache, dynamic_most, carveout;
    int cluster[4], cluster_policy, nonportable_cluster, reserved[16];
};

BYW_CUDART(cudaError_t)
cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *host);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *host)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);
    struct byw_cu_attributes a;

    if (error != BYW_CU_OK)
        return byw_cudart_error(error);
    a = byw_cu_attributes(function);
    memset(attributes, 0, sizeof(*attributes));
    attributes->shared = a.shared_bytes;
    attributes->local = a.local_bytes;
    attributes->most_threads = (int)a.most_threads;
    attributes->registers = (int)a.registers;
    attributes->ptx = attributes->binary = (int)a.target;
    attributes->dynamic_most = (int)a.dynamic_most;
    attributes->carveout = -1;
    attributes->cluster[0] = a.clustered;
    for (int d = 0; d < 3; d++)
        attributes->cluster[1 + d] = (int)a.cluster[d];
    attributes->nonportable_cluster = a.large_clusters;
    return 0;
}

BYW_CUDART(cudaError_t) cudaFuncSetAttribute(const void *host, int attribute, int value);
cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    return byw_cudart_error(error == BYW_CU_OK ? cuFuncSetAttribute(function, attribute, value)
                                               : error);
}

BYW_CUDART(cudaError_t) cudaFuncSetCacheConfig(const void *host, int config);
cudaError_t cudaFuncSetCacheConfig(const void *host, int config)
{
    (void)host, (void)config;
    return 0;
}

BYW_CUDART(cudaError_t)
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int threads,
                                                       size_t dynamic, unsigned flags);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host,
                                                                   int threads, size_t dynamic,
                                                                   unsigned flags)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    (void)flags;
    if (error == BYW_CU_OK)
        *blocks = (int)byw_cu_occupancy(function, (unsigned)threads, dynamic);
    return byw_cudart_error(error);
}

BYW_CUDART(cudaError_t)
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads,
                                              size_t dynamic);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host,
                                                          int threads, size_t dynamic)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, dynamic,
                                                                  0);
}

BYW_CUDART(cudaError_t) cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
    *can = 0;
    return 0;
}

/* cudaPointerAttributes: type (enum byw_cu_memory), device, device and host pointers. */
struct cudaPointerAttributes {
    int type, device;
    void *device_pointer, *host_pointer;
    long reserved[8];
};

BYW_CUDART(cudaError_t)
cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    void *base = NULL, *address = (void *)(uintptr_t)pointer;
    size_t size;
    enum byw_cu_memory kind = byw_cu_memory_of(pointer, &base, &size);

    attributes->type = (int)kind;
    attributes->device = kind == BYW_CU_UNKNOWN ? -2 : 0;
    attributes->device_pointer = kind == BYW_CU_UNKNOWN ? NULL : address;
    attributes->host_pointer = kind == BYW_CU_DEVICE ? NULL : address;
    return 0;
}
