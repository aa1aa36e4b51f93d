/* SPDX-License-Identifier: Apache-2.0
 *
 * Runtime API: launches, which a captured stream only records, and functions of the driver by name.
 */
#include "capture/cuda/byw_cudart.h"

struct byw_cudart_launch {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const struct byw_cu_attribute *attributes;
    unsigned count;
};

BYW_CUDART(cudaError_t)
cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **args, size_t shared,
                 cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **args,
                             size_t shared, cudaStream_t stream)
{
    return byw_cudart_error(byw_cudart_launch(host, grid, block, NULL, args, shared, stream));
}

BYW_CUDART(cudaError_t)
cudaLaunchCooperativeKernel(const void *host, struct dim3 grid, struct dim3 block, void **args,
                            size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *host, struct dim3 grid, struct dim3 block,
                                        void **args, size_t shared, cudaStream_t stream)
{
    const unsigned blocks[3] = {grid.x, grid.y, grid.z}, threads[3] = {block.x, block.y, block.z};
    struct byw_cu_function *function;

    if (byw_cudart_kernel(host, &function) == BYW_CU_OK &&
        !byw_cu_fits(function, blocks, threads, shared))
        return byw_cudart_error(BYW_CU_TOO_LARGE);
    return cudaLaunchKernel(host, grid, block, args, shared, stream);
}

BYW_CUDART(cudaError_t)
__cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block, void **args,
                   size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                               void **args, size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

BYW_CUDART(cudaError_t)
cudaLaunchKernelExC(const struct byw_cudart_launch *launch, const void *host, void **args);
cudaError_t cudaLaunchKernelExC(const struct byw_cudart_launch *launch, const void *host,
                                void **args)
{
    unsigned cluster[3];

    byw_cu_find_cluster(launch->attributes, launch->count, cluster);
    return byw_cudart_error(byw_cudart_launch(host, launch->grid, launch->block, cluster, args,
                                              launch->shared, launch->stream));
}

BYW_CUDART(cudaError_t)
cudaOccupancyMaxActiveClusters(int *clusters, const void *host,
                               const struct byw_cudart_launch *launch);
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *host,
                                           const struct byw_cudart_launch *launch)
{
    const unsigned block[3] = {launch->block.x, launch->block.y, launch->block.z};
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);
    unsigned cluster[3];

    byw_cu_find_cluster(launch->attributes, launch->count, cluster);
    if (error == BYW_CU_OK)
        error = byw_cu_cluster_occupancy(function, block, cluster, launch->shared, clusters);
    return byw_cudart_error(error);
}

BYW_CUDART(cudaError_t)
cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *host,
                                     const struct byw_cudart_launch *launch);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *host,
                                                 const struct byw_cudart_launch *launch)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    (void)launch;
    if (error == BYW_CU_OK)
        *blocks = (int)byw_cu_cluster_most(function);
    return byw_cudart_error(error);
}

/* A function of the driver library. */
extern enum byw_cu_error cuGetProcAddress_v2(const char *name, void **function, int version,
                                             uint64_t flags, int *status);

BYW_CUDART(cudaError_t)
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                 unsigned long long flags, int *status);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags, int *status)
{
    /* As in NVIDIA's runtime, an unknown name is no error, but gives NULL and a status. */
    enum byw_cu_error error = cuGetProcAddress_v2(name, function, (int)version, flags, status);

    return byw_cudart_error(error == BYW_CU_NOT_FOUND ? BYW_CU_OK : error);
}

BYW_CUDART(cudaError_t)
cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *status);
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    int *status)
{
    return cudaGetDriverEntryPointByVersion(name, function, 0, flags, status);
}
