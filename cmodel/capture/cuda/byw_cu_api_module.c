/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: modules, libraries, kernels, launches, streams, events.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_workshop.h"
#include "capture/cuda/byw_cu_driver.h"

#define PARAMS_MOST 4096u /* parameters of a kernel, at most */
#define EXTRA_POINTER 1 /* CU_LAUNCH_PARAM_... */
#define ATTRIBUTE_DYNAMIC 8 /* CU_FUNC_ATTRIBUTE_... */
#define ATTRIBUTE_LARGE_CLUSTERS 14
#define ATTRIBUTE_LAST 15

CU(cuModuleLoadData, CUmodule *module, const void *image)
{
    return byw_cu_load(image, module);
}
CU_ALIAS(cuModuleLoadFatBinary, cuModuleLoadData);

CU(cuModuleLoadDataEx, CUmodule *module, const void *image, unsigned count, int *options,
   void **values)
{
    (void)count, (void)options, (void)values;
    return byw_cu_load(image, module);
}

CU(cuModuleLoad, CUmodule *module, const char *path)
{
    size_t size;
    char *image = byw_cl_read_file(path, &size);
    CUresult result =
        image != NULL && size != 0 ? byw_cu_load_sized(image, size, module) : BYW_CU_FILE_NOT_FOUND;

    free(image);
    return result;
}

CU(cuModuleUnload, CUmodule module)
{
    byw_cu_unload(module);
    return BYW_CU_OK;
}

CU(cuModuleGetFunction, CUfunction *function, CUmodule module, const char *name)
{
    return byw_cu_find_function(module, name, function);
}

CU(cuModuleGetGlobal_v2, CUdeviceptr *address, size_t *size, CUmodule module, const char *name)
{
    void *found = NULL;
    size_t bytes = 0;
    CUresult result = byw_cu_find_variable(module, name, &found, &bytes);

    if (address != NULL)
        *address = (CUdeviceptr)(uintptr_t)found;
    if (size != NULL)
        *size = bytes;
    return result;
}

CU(cuModuleGetLoadingMode, int *mode)
{
    *mode = 1; /* eager */
    return BYW_CU_OK;
}

/* Libraries are modules, and their kernels functions. */
CU(cuLibraryLoadData, CUmodule *library, const void *image, int *options, void **values,
   unsigned count, int *library_options, void **library_values, unsigned library_count)
{
    (void)options, (void)values, (void)count;
    (void)library_options, (void)library_values, (void)library_count;
    return byw_cu_load(image, library);
}

CU(cuLibraryUnload, CUmodule library)
{
    return cuModuleUnload(library);
}

CU(cuLibraryGetKernel, CUfunction *kernel, CUmodule library, const char *name)
{
    return cuModuleGetFunction(kernel, library, name);
}

CU(cuLibraryGetModule, CUmodule *module, CUmodule library)
{
    *module = library;
    return BYW_CU_OK;
}

CU(cuLibraryGetGlobal, CUdeviceptr *address, size_t *size, CUmodule library, const char *name)
{
    return cuModuleGetGlobal_v2(address, size, library, name);
}

CU(cuKernelGetFunction, CUfunction *function, CUfunction kernel)
{
    *function = kernel;
    return BYW_CU_OK;
}

CU(cuFuncGetName, const char **name, CUfunction function)
{
    *name = byw_cu_function_name(function);
    return BYW_CU_OK;
}

CU(cuFuncGetAttribute, int *value, int attribute, CUfunction function)
{
    const struct byw_cu_attributes a = byw_cu_attributes(function);
    const unsigned values[] = {a.most_threads,
                               a.shared_bytes,
                               0, /* constant */
                               a.local_bytes,
                               a.registers,
                               a.target,
                               a.target,
                               0,
                               a.dynamic_most,
                               0, /* carve-out */
                               a.clustered,
                               a.cluster[0],
                               a.cluster[1],
                               a.cluster[2],
                               a.large_clusters};

    if (attribute < 0 || attribute > ATTRIBUTE_LAST)
        return BYW_CU_INVALID_VALUE;
    *value = (size_t)attribute < sizeof(values) / sizeof(values[0]) ? (int)values[attribute] : 0;
    return BYW_CU_OK;
}

CU(cuKernelGetAttribute, int *value, int attribute, CUfunction function, CUdevice device)
{
    (void)device;
    return cuFuncGetAttribute(value, attribute, function);
}

CU(cuFuncSetAttribute, CUfunction function, int attribute, int value)
{
    if (attribute == ATTRIBUTE_DYNAMIC)
        return byw_cu_allow_dynamic(function, (unsigned)value);
    if (attribute == ATTRIBUTE_LARGE_CLUSTERS)
        byw_cu_allow_large_clusters(function, value != 0);
    return attribute < 0 || attribute > ATTRIBUTE_LAST ? BYW_CU_INVALID_VALUE : BYW_CU_OK;
}

CU(cuKernelSetAttribute, int attribute, int value, CUfunction function, CUdevice device)
{
    (void)device;
    return cuFuncSetAttribute(function, attribute, value);
}

CU(cuFuncSetCacheConfig, CUfunction function, int config)
{
    (void)function, (void)config;
    return BYW_CU_OK;
}
CU_ALIAS(cuFuncSetSharedMemConfig, cuFuncSetCacheConfig);

/* Finds each parameter in a launch's buffer of all parameters. */
static CUresult unpack(CUfunction function, void **extra, void **args)
{
    char *buffer = NULL;
    size_t offset;
    unsigned count = 0;

    for (; extra != NULL && (uintptr_t)*extra != 0; extra += 2)
        if ((uintptr_t)*extra == EXTRA_POINTER)
            buffer = extra[1];
    for (; count < PARAMS_MOST && byw_cu_parameter(function, count, &offset) != 0; count++)
        args[count] = buffer == NULL ? NULL : buffer + offset;
    return buffer != NULL || count == 0 ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

static CUresult launch_kernel(CUfunction function, struct byw_cu_kernel_node *launch,
                              const unsigned *cluster, CUstream stream)
{
    void *args[PARAMS_MOST];
    CUresult result = BYW_CU_OK;

    if (function == NULL)
        return BYW_CU_INVALID_HANDLE;
    if (launch->args == NULL) {
        result = unpack(function, launch->extra, args);
        launch->args = args;
    }
    launch->extra = NULL;
    if (result == BYW_CU_OK)
        result = byw_cu_stream_kernel(stream, function, launch, cluster);
    return result == BYW_CU_INVALID_CONFIGURATION ? BYW_CU_INVALID_VALUE : result;
}

CU(cuLaunchKernel, CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
   unsigned by, unsigned bz, unsigned dynamic, CUstream stream, void **params, void **extra)
{
    struct byw_cu_kernel_node launch = {function, {gx, gy, gz}, {bx, by, bz},
                                        dynamic,  params,       extra};

    return launch_kernel(function, &launch, NULL, stream);
}
CU_ALIAS(cuLaunchKernel_ptsz, cuLaunchKernel);

CU(cuLaunchCooperativeKernel, CUfunction function, unsigned gx, unsigned gy, unsigned gz,
   unsigned bx, unsigned by, unsigned bz, unsigned dynamic, CUstream stream, void **params)
{
    const unsigned grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};

    if (function != NULL && !byw_cu_fits(function, grid, block, dynamic))
        return BYW_CU_TOO_LARGE;
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, dynamic, stream, params, NULL);
}

struct byw_cu_launch_config {
    unsigned grid[3], block[3], dynamic;
    CUstream stream;
    const struct byw_cu_attribute *attributes;
    unsigned count;
};

CU(cuLaunchKernelEx, const struct byw_cu_launch_config *config, CUfunction function, void **params,
   void **extra)
{
    struct byw_cu_kernel_node launch = {
        .function = function, .shared = config->dynamic, .args = params, .extra = extra};
    unsigned cluster[3];

    memcpy(launch.grid, config->grid, sizeof(launch.grid));
    memcpy(launch.block, config->block, sizeof(launch.block));
    byw_cu_find_cluster(config->attributes, config->count, cluster);
    return launch_kernel(function, &launch, cluster, config->stream);
}

CU(cuOccupancyMaxActiveClusters, int *clusters, CUfunction function,
   const struct byw_cu_launch_config *config)
{
    unsigned cluster[3];

    byw_cu_find_cluster(config->attributes, config->count, cluster);
    return byw_cu_cluster_occupancy(function, config->block, cluster, config->dynamic, clusters);
}

CU(cuOccupancyMaxPotentialClusterSize, int *blocks, CUfunction function, const void *config)
{
    (void)config;
    *blocks = (int)byw_cu_cluster_most(function);
    return BYW_CU_OK;
}

CU(cuLaunchHostFunc, CUstream stream, void (*call)(void *), void *data)
{
    return byw_cu_stream_call(stream, call, data);
}

CU(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, CUfunction function, int threads,
   size_t dynamic)
{
    *blocks = (int)byw_cu_occupancy(function, (unsigned)threads, dynamic);
    return BYW_CU_OK;
}

CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks, CUfunction function,
   int threads, size_t dynamic, unsigned flags)
{
    (void)flags;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic);
}

CU(cuStreamCreateWithPriority, CUstream *stream, unsigned flags, int priority)
{
    *stream = byw_cu_stream_create(flags, priority);
    return *stream != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

CU(cuStreamCreate, CUstream *stream, unsigned flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CU(cuStreamDestroy_v2, CUstream stream)
{
    byw_cu_stream_free(stream);
    return BYW_CU_OK;
}

CU(cuStreamSynchronize, CUstream stream)
{
    (void)stream;
    return byw_cu_broken();
}
CU_ALIAS(cuStreamQuery, cuStreamSynchronize);

CU(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags)
{
    (void)flags;
    return byw_cu_stream_wait(stream, event);
}

CU(cuStreamGetPriority, CUstream stream, int *priority)
{
    *priority = (uintptr_t)stream > 2 ? stream->priority : 0;
    return BYW_CU_OK;
}

CU(cuStreamGetFlags, CUstream stream, unsigned *flags)
{
    *flags = (uintptr_t)stream > 2 ? stream->flags : 0;
    return BYW_CU_OK;
}

CU(cuStreamGetId, CUstream stream, uint64_t *id)
{
    *id = (uintptr_t)stream > 2 ? stream->id : (uintptr_t)stream;
    return BYW_CU_OK;
}

CU(cuStreamGetDevice, CUstream stream, CUdevice *device)
{
    (void)stream;
    *device = 0;
    return BYW_CU_OK;
}

struct callback {
    void (*call)(CUstream, CUresult, void *);
    CUstream stream;
    void *data;
};

static void call_back(void *data)
{
    const struct callback *c = data;

    c->call(c->stream, BYW_CU_OK, c->data);
}

CU(cuStreamAddCallback, CUstream stream, void (*call)(CUstream, CUresult, void *), void *data,
   unsigned flags)
{
    struct callback now = {call, stream, data};

    (void)flags;
    if (byw_cu_captured(stream) != NULL)
        return BYW_CU_NOT_SUPPORTED; /* a GPU's driver does not capture it either */
    call_back(&now);
    return BYW_CU_OK;
}

CU(cuStreamAttachMemAsync, CUstream stream, CUdeviceptr memory, size_t size, unsigned flags)
{
    (void)stream, (void)memory, (void)size, (void)flags;
    return BYW_CU_OK;
}

CU(cuEventCreate, CUevent *event, unsigned flags)
{
    *event = calloc(1, sizeof(**event));
    if (*event == NULL)
        return BYW_CU_NO_MEMORY;
    (*event)->flags = flags;
    return BYW_CU_OK;
}

CU(cuEventDestroy_v2, CUevent event)
{
    byw_cu_event_free(event);
    return BYW_CU_OK;
}

CU(cuEventRecord, CUevent event, CUstream stream)
{
    if (event == NULL)
        return BYW_CU_INVALID_HANDLE;
    byw_cu_event_record(event, stream);
    return BYW_CU_OK;
}

CU(cuEventRecordWithFlags, CUevent event, CUstream stream, unsigned flags)
{
    (void)flags;
    return cuEventRecord(event, stream);
}

CU(cuEventSynchronize, CUevent event)
{
    (void)event;
    return byw_cu_broken();
}
CU_ALIAS(cuEventQuery, cuEventSynchronize);

CU(cuEventElapsedTime_v2, float *milliseconds, CUevent from, CUevent to)
{
    return byw_cu_event_elapsed(from, to, milliseconds);
}
CU_ALIAS(cuEventElapsedTime, cuEventElapsedTime_v2);
