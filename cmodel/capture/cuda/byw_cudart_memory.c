/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the runtime library.  All memory is host memory, so copies ignore the direction.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart_copy.h"

#define PITCH_ALIGN 512u /* bytes */

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};

static cudaError_t allocate(void **memory, size_t size)
{
    if (memory == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *memory = size == 0 ? NULL : byw_cu_take(size);
    return byw_cudart_error(size == 0 || *memory != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY);
}

static cudaError_t allocate_as(enum byw_cu_memory kind, void **memory, size_t size, unsigned flags)
{
    if (memory == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *memory = size == 0 ? NULL : byw_cu_take_as(kind, size, flags);
    return byw_cudart_error(size == 0 || *memory != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY);
}

BYW_CUDART(cudaError_t) cudaMalloc(void **memory, size_t size);
cudaError_t cudaMalloc(void **memory, size_t size)
{
    return allocate(memory, size);
}

BYW_CUDART(cudaError_t) cudaMallocManaged(void **memory, size_t size, unsigned flags);
cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned flags)
{
    return allocate_as(BYW_CU_MANAGED, memory, size, flags);
}

BYW_CUDART(cudaError_t) cudaMallocHost(void **memory, size_t size);
cudaError_t cudaMallocHost(void **memory, size_t size)
{
    return allocate_as(BYW_CU_HOST, memory, size, 0);
}

BYW_CUDART(cudaError_t) cudaHostAlloc(void **memory, size_t size, unsigned flags);
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags)
{
    return allocate_as(BYW_CU_HOST, memory, size, flags);
}

BYW_CUDART(cudaError_t) cudaMallocAsync(void **memory, size_t size, cudaStream_t stream);
cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream)
{
    if (byw_cu_captured(stream) == NULL || memory == NULL)
        return allocate(memory, size);
    return byw_cudart_error(byw_cu_stream_take(stream, size, memory));
}

BYW_CUDART(cudaError_t)
cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    return allocate(memory, *pitch * height);
}

BYW_CUDART(cudaError_t) cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent)
{
    memory->xsize = extent.width;
    memory->ysize = extent.height;
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width,
                           extent.height * extent.depth);
}

BYW_CUDART(cudaError_t) cudaFree(void *memory);
cudaError_t cudaFree(void *memory)
{
    return byw_cudart_error(byw_cu_give(memory));
}

BYW_CUDART(cudaError_t) cudaFreeHost(void *memory);
cudaError_t cudaFreeHost(void *memory)
{
    return cudaFree(memory);
}

BYW_CUDART(cudaError_t) cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    if (byw_cu_captured(stream) == NULL)
        return cudaFree(memory);
    return byw_cudart_error(byw_cu_stream_give(stream, memory));
}

BYW_CUDART(cudaError_t) cudaHostRegister(void *memory, size_t size, unsigned flags);
cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags)
{
    return byw_cudart_error(byw_cu_register(memory, size, flags));
}

BYW_CUDART(cudaError_t) cudaHostUnregister(void *memory);
cudaError_t cudaHostUnregister(void *memory)
{
    return byw_cudart_error(byw_cu_unregister(memory));
}

BYW_CUDART(cudaError_t) cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    (void)flags;
    *device = host;
    return byw_cudart_error(BYW_CU_OK);
}

BYW_CUDART(cudaError_t) cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *total = byw_cu_device()->memory;
    *available = *total - byw_cu_taken();
    return byw_cudart_error(BYW_CU_OK);
}

BYW_CUDART(cudaError_t) cudaMemcpy(void *to, const void *from, size_t size, int kind);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int kind)
{
    if (kind < 0 || kind > 4)
        return byw_cudart_error(BYW_CU_INVALID_COPY);
    if (size != 0 && (to == NULL || from == NULL))
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    if (size != 0)
        memmove(to, from, size);
    return byw_cudart_error(BYW_CU_OK);
}

BYW_CUDART(cudaError_t)
cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream)
{
    const struct byw_cu_box box = {
        {(unsigned char *)(uintptr_t)from, size, size}, {to, size, size}, {size, 1, 1}};

    if (byw_cu_captured(stream) != NULL)
        return byw_cudart_copy(&box, stream);
    return cudaMemcpy(to, from, size, kind);
}

BYW_CUDART(cudaError_t)
cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    (void)to_device, (void)from_device;
    return cudaMemcpy(to, from, size, 3);
}

BYW_CUDART(cudaError_t)
cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
             size_t height, int kind);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, int kind)
{
    cudaError_t error = 0;

    if (width > to_pitch || width > from_pitch)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    for (size_t y = 0; y < height && error == 0; y++)
        error =
            cudaMemcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width, kind);
    return error;
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                  size_t height, int kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, int kind, cudaStream_t stream)
{
    const struct byw_cu_box box = {
        {(unsigned char *)(uintptr_t)from, from_pitch, 0}, {to, to_pitch, 0}, {width, height, 1}};

    if (byw_cu_captured(stream) != NULL)
        return byw_cudart_copy(&box, stream);
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

BYW_CUDART(cudaError_t) cudaMemset(void *memory, int value, size_t size);
cudaError_t cudaMemset(void *memory, int value, size_t size)
{
    if (size != 0 && memory == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    if (size != 0)
        memset(memory, value, size);
    return byw_cudart_error(BYW_CU_OK);
}

BYW_CUDART(cudaError_t)
cudaMemsetAsync(void *memory, int value, size_t size, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t size, cudaStream_t stream)
{
    const struct byw_cu_fill_node fill = {memory, size, (unsigned)value, 1, size, 1};

    if (byw_cu_captured(stream) != NULL)
        return byw_cudart_error(byw_cu_stream_fill(stream, &fill));
    return cudaMemset(memory, value, size);
}

BYW_CUDART(cudaError_t)
cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t error = 0;

    for (size_t y = 0; y < height && error == 0; y++)
        error = cudaMemset((char *)memory + y * pitch, value, width);
    return error;
}

BYW_CUDART(cudaError_t) cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    size_t size;

    return byw_cudart_error(byw_cudart_variable(symbol, address, &size));
}

BYW_CUDART(cudaError_t) cudaGetSymbolSize(size_t *size, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    void *address;

    return byw_cudart_error(byw_cudart_variable(symbol, &address, size));
}

void *byw_cudart_part(const void *symbol, size_t offset, size_t size, enum byw_cu_error *error)
{
    void *address;
    size_t room;

    *error = byw_cudart_variable(symbol, &address, &room);
    if (*error == BYW_CU_OK && (offset > room || size > room - offset))
        *error = BYW_CU_INVALID_VALUE;
    return *error == BYW_CU_OK ? (char *)address + offset : NULL;
}

BYW_CUDART(cudaError_t)
cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                               int kind)
{
    enum byw_cu_error error;
    void *to = byw_cudart_part(symbol, offset, size, &error);

    return to != NULL ? cudaMemcpy(to, from, size, kind) : byw_cudart_error(error);
}

BYW_CUDART(cudaError_t)
cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, int kind,
                        cudaStream_t stream);
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                    size_t offset, int kind, cudaStream_t stream)
{
    enum byw_cu_error error;
    void *to = byw_cudart_part(symbol, offset, size, &error);

    return to != NULL ? cudaMemcpyAsync(to, from, size, kind, stream) : byw_cudart_error(error);
}

BYW_CUDART(cudaError_t)
cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind)
{
    enum byw_cu_error error;
    void *from = byw_cudart_part(symbol, offset, size, &error);

    return from != NULL ? cudaMemcpy(to, from, size, kind) : byw_cudart_error(error);
}

BYW_CUDART(cudaError_t)
cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, int kind,
                          cudaStream_t stream);
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                      int kind, cudaStream_t stream)
{
    enum byw_cu_error error;
    void *from = byw_cudart_part(symbol, offset, size, &error);

    return from != NULL ? cudaMemcpyAsync(to, from, size, kind, stream) : byw_cudart_error(error);
}

BYW_CUDART(cudaError_t)
cudaMemPrefetchAsync(const void *memory, size_t size, int device, cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device, cudaStream_t stream)
{
    (void)memory, (void)size, (void)device, (void)stream;
    return byw_cudart_error(BYW_CU_OK);
}

BYW_CUDART(cudaError_t) cudaMemAdvise(const void *memory, size_t size, int advice, int device);
cudaError_t cudaMemAdvise(const void *memory, size_t size, int advice, int device)
{
    (void)memory, (void)size, (void)advice, (void)device;
    return byw_cudart_error(BYW_CU_OK);
}
