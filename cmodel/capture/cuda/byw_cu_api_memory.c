/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: memory.
 */
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"

#define PITCH_ALIGN 512u /* bytes */

static void *pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

CU(cuMemAlloc_v2, CUdeviceptr *address, size_t size)
{
    void *memory = size == 0 ? NULL : byw_cu_take(size);

    *address = (CUdeviceptr)(uintptr_t)memory;
    return memory != NULL ? BYW_CU_OK : size == 0 ? BYW_CU_INVALID_VALUE : BYW_CU_NO_MEMORY;
}

CU(cuMemAllocManaged, CUdeviceptr *address, size_t size, unsigned flags)
{
    (void)flags;
    return cuMemAlloc_v2(address, size);
}

CU(cuMemAllocAsync, CUdeviceptr *address, size_t size, CUstream stream)
{
    (void)stream;
    return cuMemAlloc_v2(address, size);
}

CU(cuMemAllocPitch_v2, CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
   unsigned element)
{
    (void)element;
    *pitch = (width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    return cuMemAlloc_v2(address, *pitch * height);
}

CU(cuMemFree_v2, CUdeviceptr address)
{
    return byw_cu_give(pointer(address));
}

CU(cuMemFreeAsync, CUdeviceptr address, CUstream stream)
{
    (void)stream;
    return cuMemFree_v2(address);
}

CU(cuMemHostAlloc, void **memory, size_t size, unsigned flags)
{
    (void)flags;
    *memory = byw_cu_take(size);
    return *memory != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

CU(cuMemAllocHost_v2, void **memory, size_t size)
{
    return cuMemHostAlloc(memory, size, 0);
}

CU(cuMemFreeHost, void *memory)
{
    return byw_cu_give(memory);
}

CU(cuMemHostGetDevicePointer_v2, CUdeviceptr *address, void *memory, unsigned flags)
{
    (void)flags;
    *address = (CUdeviceptr)(uintptr_t)memory;
    return BYW_CU_OK;
}

CU(cuMemHostRegister_v2, void *memory, size_t size, unsigned flags)
{
    (void)memory, (void)size, (void)flags;
    return BYW_CU_OK;
}

CU(cuMemHostUnregister, void *memory)
{
    (void)memory;
    return BYW_CU_OK;
}

CU(cuMemGetInfo_v2, size_t *available, size_t *total)
{
    *total = byw_cu_device()->memory;
    *available = *total - byw_cu_taken();
    return BYW_CU_OK;
}

CU(cuMemGetAddressRange_v2, CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
    void *start;
    size_t bytes;

    if (!byw_cu_find_memory(pointer(address), &start, &bytes))
        return BYW_CU_NOT_FOUND;
    if (base != NULL)
        *base = (CUdeviceptr)(uintptr_t)start;
    if (size != NULL)
        *size = bytes;
    return BYW_CU_OK;
}

CU(cuMemcpy, CUdeviceptr to, CUdeviceptr from, size_t size)
{
    if (size != 0 && (to == 0 || from == 0))
        return BYW_CU_INVALID_VALUE;
    if (size != 0)
        memmove(pointer(to), pointer(from), size);
    return BYW_CU_OK;
}
CU_ALIAS(cuMemcpyDtoD_v2, cuMemcpy);

CU(cuMemcpyAsync, CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
    (void)stream;
    return cuMemcpy(to, from, size);
}
CU_ALIAS(cuMemcpyDtoDAsync_v2, cuMemcpyAsync);

CU(cuMemcpyHtoD_v2, CUdeviceptr to, const void *from, size_t size)
{
    return cuMemcpy(to, (CUdeviceptr)(uintptr_t)from, size);
}

CU(cuMemcpyHtoDAsync_v2, CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
    (void)stream;
    return cuMemcpyHtoD_v2(to, from, size);
}

CU(cuMemcpyDtoH_v2, void *to, CUdeviceptr from, size_t size)
{
    return cuMemcpy((CUdeviceptr)(uintptr_t)to, from, size);
}

CU(cuMemcpyDtoHAsync_v2, void *to, CUdeviceptr from, size_t size, CUstream stream)
{
    (void)stream;
    return cuMemcpyDtoH_v2(to, from, size);
}

/* One side of a 2-D copy. */
struct side {
    size_t x, y;
    int type; /* 1 host, 2 device, 3 array, 4 either */
    void *host;
    CUdeviceptr device;
    void *array;
    size_t pitch;
};
struct byw_cu_copy {
    struct side from, to;
    size_t width, height;
};

static char *start_of(const struct side *side)
{
    char *base = side->type == 1 ? side->host : pointer(side->device);

    return base + side->y * side->pitch + side->x;
}

CU(cuMemcpy2D_v2, const struct byw_cu_copy *copy)
{
    if (copy->from.type == 3 || copy->to.type == 3)
        return BYW_CU_NOT_SUPPORTED;
    for (size_t y = 0; y < copy->height; y++)
        memmove(start_of(&copy->to) + y * copy->to.pitch,
                start_of(&copy->from) + y * copy->from.pitch, copy->width);
    return BYW_CU_OK;
}
CU_ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2);

CU(cuMemcpy2DAsync_v2, const struct byw_cu_copy *copy, CUstream stream)
{
    (void)stream;
    return cuMemcpy2D_v2(copy);
}

/* Fills with elements of 8, 16 or 32 bits, rows `pitch` bytes apart. */
#define FILL(bits, type)                                                                           \
    CU(cuMemsetD2D##bits##_v2, CUdeviceptr to, size_t pitch, type value, size_t width,             \
       size_t height)                                                                              \
    {                                                                                              \
        for (size_t y = 0; y < height; y++)                                                        \
            for (size_t x = 0; x < width; x++)                                                     \
                ((type *)pointer(to + y * pitch))[x] = value;                                      \
        return BYW_CU_OK;                                                                          \
    }                                                                                              \
    CU(cuMemsetD##bits##_v2, CUdeviceptr to, type value, size_t count)                             \
    {                                                                                              \
        return to == 0 && count != 0 ? BYW_CU_INVALID_VALUE                                        \
                                     : cuMemsetD2D##bits##_v2(to, 0, value, count, 1);             \
    }                                                                                              \
    CU(cuMemsetD##bits##Async, CUdeviceptr to, type value, size_t count, CUstream stream)          \
    {                                                                                              \
        (void)stream;                                                                              \
        return cuMemsetD##bits##_v2(to, value, count);                                             \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

/* Context, kind of memory, device pointer, host pointer, managed. */
CU(cuPointerGetAttribute, void *data, int attribute, CUdeviceptr address)
{
    void *base;
    size_t size;
    const int device_memory = 2, no = 0;

    if (!byw_cu_find_memory(pointer(address), &base, &size))
        return BYW_CU_INVALID_VALUE;
    switch (attribute) {
    case 2:
        memcpy(data, &device_memory, sizeof(device_memory));
        return BYW_CU_OK;
    case 3:
    case 4:
        memcpy(data, &address, sizeof(address));
        return BYW_CU_OK;
    case 8:
    case 9:
        memcpy(data, &no, sizeof(no));
        return BYW_CU_OK;
    case 11:
        memcpy(data, &base, sizeof(base));
        return BYW_CU_OK;
    case 12:
        memcpy(data, &size, sizeof(size));
        return BYW_CU_OK;
    default:
        return BYW_CU_INVALID_VALUE;
    }
}
