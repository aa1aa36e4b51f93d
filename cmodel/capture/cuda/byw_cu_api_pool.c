/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: memory pools.  They only keep state: all memory is allocated from the device and
 * returned when it is freed.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"

/* CU_MEMPOOL_ATTR_...: the first three are int, the others uint64_t. */
#define LAST_INT 3
#define FIRST_COUNTER 5
#define LAST 8

struct byw_cu_pool {
    uint64_t value[LAST + 1];
};
typedef struct byw_cu_pool *CUmemoryPool;
CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream);

static struct byw_cu_pool standard; /* of the one device */

CU(cuDeviceGetDefaultMemPool, CUmemoryPool *pool, CUdevice device)
{
    *pool = &standard;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}
CU_ALIAS(cuDeviceGetMemPool, cuDeviceGetDefaultMemPool);

CU(cuDeviceSetMemPool, CUdevice device, CUmemoryPool pool)
{
    (void)pool;
    return device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE;
}

CU(cuMemPoolCreate, CUmemoryPool *pool, const void *properties)
{
    (void)properties;
    *pool = calloc(1, sizeof(**pool));
    return *pool != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

CU(cuMemPoolDestroy, CUmemoryPool pool)
{
    if (pool != &standard)
        free(pool);
    return BYW_CU_OK;
}

CU(cuMemPoolTrimTo, CUmemoryPool pool, size_t bytes)
{
    (void)bytes;
    return pool != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuMemPoolSetAttribute, CUmemoryPool pool, int attribute, const void *value)
{
    if (pool == NULL || attribute < 1 || attribute > LAST)
        return BYW_CU_INVALID_VALUE;
    memcpy(&pool->value[attribute], value, attribute <= LAST_INT ? sizeof(int) : sizeof(uint64_t));
    return BYW_CU_OK;
}

CU(cuMemPoolGetAttribute, CUmemoryPool pool, int attribute, void *value)
{
    uint64_t used = byw_cu_taken();

    if (pool == NULL || attribute < 1 || attribute > LAST)
        return BYW_CU_INVALID_VALUE;
    memcpy(value, attribute < FIRST_COUNTER ? &pool->value[attribute] : &used,
           attribute <= LAST_INT ? sizeof(int) : sizeof(uint64_t));
    return BYW_CU_OK;
}

CU(cuMemPoolSetAccess, CUmemoryPool pool, const void *list, size_t count)
{
    (void)list, (void)count;
    return pool != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuMemAllocFromPoolAsync, CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream)
{
    *address = 0;
    return pool == NULL ? BYW_CU_INVALID_VALUE : cuMemAllocAsync(address, size, stream);
}
