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
    return memory != NULL ? byw_cu_broken() : size == 0 ? BYW_CU_INVALID_VALUE : BYW_CU_NO_MEMORY;
}

CU(cuMemAllocManaged, CUdeviceptr *address, size_t size, unsigned flags)
{
    void *memory = size == 0 ? NULL : byw_cu_take_as(BYW_CU_MANAGED, size, flags);

    *address = (CUdeviceptr)(uintptr_t)memory;
    return memory != NULL ? BYW_CU_OK : size == 0 ? BYW_CU_INVALID_VALUE : BYW_CU_NO_MEMORY;
}

CU(cuMemAllocAsync, CUdeviceptr *address, size_t size, CUstream stream)
{
    void *memory = NULL;
    CUresult error = size == 0 ? BYW_CU_INVALID_VALUE : byw_cu_stream_take(stream, size, &memory);

    *address = (CUdeviceptr)(uintptr_t)memory;
    return error;
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
    return byw_cu_stream_give(stream, pointer(address));
}

CU(cuMemHostAlloc, void **memory, size_t size, unsigned flags)
{
    *memory = byw_cu_take_as(BYW_CU_HOST, size, flags);
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
    return byw_cu_register(memory, size, flags);
}

CU(cuMemHostUnregister, void *memory)
{
    return byw_cu_unregister(memory);
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
    return byw_cu_broken();
}
CU_ALIAS(cuMemcpyDtoD_v2, cuMemcpy);

CU(cuMemcpyAsync, CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
    const struct byw_cu_box box = {{pointer(from), size, 0}, {pointer(to), size, 0}, {size, 1, 1}};

    return byw_cu_captured(stream) != NULL ? byw_cu_stream_copy(stream, &box)
                                           : cuMemcpy(to, from, size);
}
CU_ALIAS(cuMemcpyDtoDAsync_v2, cuMemcpyAsync);

CU(cuMemcpyHtoD_v2, CUdeviceptr to, const void *from, size_t size)
{
    return cuMemcpy(to, (CUdeviceptr)(uintptr_t)from, size);
}

CU(cuMemcpyHtoDAsync_v2, CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
    return cuMemcpyAsync(to, (CUdeviceptr)(uintptr_t)from, size, stream);
}

CU(cuMemcpyDtoH_v2, void *to, CUdeviceptr from, size_t size)
{
    return cuMemcpy((CUdeviceptr)(uintptr_t)to, from, size);
}

CU(cuMemcpyDtoHAsync_v2, void *to, CUdeviceptr from, size_t size, CUstream stream)
{
    return cuMemcpyAsync((CUdeviceptr)(uintptr_t)to, from, size, stream);
}

/* Fills with elements of 8, 16 or 32 bits, rows `pitch` bytes apart. */
#define FILL(bits, type)                                                                           \
    CU(cuMemsetD2D##bits##Async, CUdeviceptr to, size_t pitch, type value, size_t width,           \
       size_t height, CUstream stream)                                                             \
    {                                                                                              \
        const struct byw_cu_fill_node fill = {                                                     \
            pointer(to), pitch, value, (bits) / 8, width, height};                                 \
        return to == 0 && width * height != 0 ? BYW_CU_INVALID_VALUE                               \
                                              : byw_cu_stream_fill(stream, &fill);                 \
    }                                                                                              \
    CU(cuMemsetD2D##bits##_v2, CUdeviceptr to, size_t pitch, type value, size_t width,             \
       size_t height)                                                                              \
    {                                                                                              \
        return cuMemsetD2D##bits##Async(to, pitch, value, width, height, NULL);                    \
    }                                                                                              \
    CU(cuMemsetD##bits##Async, CUdeviceptr to, type value, size_t count, CUstream stream)          \
    {                                                                                              \
        return cuMemsetD2D##bits##Async(to, 0, value, count, 1, stream);                           \
    }                                                                                              \
    CU(cuMemsetD##bits##_v2, CUdeviceptr to, type value, size_t count)                             \
    {                                                                                              \
        return cuMemsetD##bits##Async(to, value, count, NULL);                                     \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

/* Supported attributes: kind of memory (managed memory counts as device memory), device pointer,
 * host pointer, number of the device, whether it is managed, start and size of the allocation,
 * whether it is mapped. */
CU(cuPointerGetAttribute, void *data, int attribute, CUdeviceptr address)
{
    void *base = NULL;
    size_t size = 0;
    enum byw_cu_memory kind = byw_cu_memory_of(pointer(address), &base, &size);
    const int type = kind == BYW_CU_HOST ? 1 : 2, first = 0;
    const unsigned char managed = kind == BYW_CU_MANAGED, mapped = 1;

    if (kind == BYW_CU_UNKNOWN)
        return BYW_CU_INVALID_VALUE;
    switch (attribute) {
    case 2:
        memcpy(data, &type, sizeof(type));
        return BYW_CU_OK;
    case 4:
        if (kind == BYW_CU_DEVICE)
            return BYW_CU_INVALID_VALUE;
        /* fall through */
    case 3:
        memcpy(data, &address, sizeof(address));
        return BYW_CU_OK;
    case 8:
        memcpy(data, &managed, sizeof(managed));
        return BYW_CU_OK;
    case 9:
        memcpy(data, &first, sizeof(first));
        return BYW_CU_OK;
    case 11:
        memcpy(data, &base, sizeof(base));
        return BYW_CU_OK;
    case 12:
        memcpy(data, &size, sizeof(size));
        return BYW_CU_OK;
    case 13:
        memcpy(data, &mapped, sizeof(mapped));
        return BYW_CU_OK;
    default:
        return BYW_CU_INVALID_VALUE;
    }
}
