/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: reserving addresses, creating memory and mapping it to them; advice and prefetching,
 * which change nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/cuda/byw_cu_driver.h"
#include "capture/run/byw_cl_process.h"

#define GRANULE (2ull << 20)

struct byw_cu_physical {
    int fd; /* file that contains this memory's data */
    size_t size;
    unsigned holders; /* the program's handles, and mappings */
    unsigned char properties[32]; /* CUmemAllocationProp */
};

/* Mappings by address; the calls take no context. */
static struct mapping {
    CUdeviceptr address;
    size_t size;
    struct byw_cu_physical *memory;
    int access; /* 0 none, 1 read, 3 read and write */
    struct mapping *next;
} * mappings;

static void *pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

CU(cuMemGetAllocationGranularity, size_t *bytes, const void *properties, int option)
{
    (void)properties, (void)option;
    *bytes = GRANULE;
    return BYW_CU_OK;
}

CU(cuMemAddressReserve, CUdeviceptr *address, size_t size, size_t align, CUdeviceptr wish,
   uint64_t flags)
{
    void *space;

    (void)wish, (void)flags;
    if (size == 0 || size % GRANULE != 0 || (align & (align - 1)) != 0)
        return BYW_CU_INVALID_VALUE;
    space = byw_cl_arena_reserve(size, align < GRANULE ? GRANULE : align);
    if (space == NULL)
        return BYW_CU_NO_MEMORY;
    *address = (CUdeviceptr)(uintptr_t)space;
    return BYW_CU_OK;
}

CU(cuMemAddressFree, CUdeviceptr address, size_t size)
{
    if (byw_cl_arena_size(pointer(address)) != size)
        return BYW_CU_INVALID_VALUE;
    byw_cl_arena_give(pointer(address), size);
    return BYW_CU_OK;
}

static void let_go(struct byw_cu_physical *memory)
{
    if (--memory->holders != 0)
        return;
    close(memory->fd);
    free(memory);
}

CU(cuMemCreate, struct byw_cu_physical **handle, size_t size, const void *properties,
   uint64_t flags)
{
    struct byw_cu_physical *memory;

    (void)flags;
    if (size == 0 || size % GRANULE != 0)
        return BYW_CU_INVALID_VALUE;
    memory = calloc(1, sizeof(*memory));
    if (memory == NULL)
        return BYW_CU_NO_MEMORY;
    memory->fd = memfd_create("byway", MFD_CLOEXEC);
    if (memory->fd < 0 || ftruncate(memory->fd, (off_t)size) != 0) {
        if (memory->fd >= 0)
            close(memory->fd);
        free(memory);
        return BYW_CU_NO_MEMORY;
    }
    memory->size = size;
    memory->holders = 1;
    if (properties != NULL)
        memcpy(memory->properties, properties, sizeof(memory->properties));
    *handle = memory;
    return BYW_CU_OK;
}

CU(cuMemRelease, struct byw_cu_physical *memory)
{
    if (memory == NULL)
        return BYW_CU_INVALID_VALUE;
    let_go(memory);
    return BYW_CU_OK;
}

CU(cuMemMap, CUdeviceptr address, size_t size, size_t offset, struct byw_cu_physical *memory,
   uint64_t flags)
{
    struct mapping *m;
    void *base;
    size_t room;

    (void)flags;
    if (memory == NULL || size == 0 || offset > memory->size || size > memory->size - offset ||
        !byw_cu_find_memory(pointer(address), &base, &room) ||
        address + size > (uintptr_t)base + room)
        return BYW_CU_INVALID_VALUE;
    m = malloc(sizeof(*m));
    if (m == NULL || mmap(pointer(address), size, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->fd,
                          (off_t)offset) == MAP_FAILED) {
        free(m);
        return BYW_CU_NO_MEMORY;
    }
    *m = (struct mapping){address, size, memory, 0, mappings};
    mappings = m;
    memory->holders++;
    return BYW_CU_OK;
}

CU(cuMemUnmap, CUdeviceptr address, size_t size)
{
    CUresult error = BYW_CU_INVALID_VALUE;

    for (struct mapping **at = &mappings; *at != NULL;) {
        struct mapping *m = *at;

        if (m->address < address || m->address + m->size > address + size) {
            at = &m->next;
            continue;
        }
        mmap(pointer(m->address), m->size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        *at = m->next;
        let_go(m->memory);
        free(m);
        error = BYW_CU_OK;
    }
    return error;
}

static struct mapping *find_mapping(CUdeviceptr address)
{
    struct mapping *m = mappings;

    while (m != NULL && (address < m->address || address >= m->address + m->size))
        m = m->next;
    return m;
}

struct access {
    int location, id;
    int flags; /* as in a mapping */
};

CU(cuMemSetAccess, CUdeviceptr address, size_t size, const struct access *list, size_t count)
{
    int access = 0;

    for (size_t i = 0; i < count; i++)
        access |= list[i].flags & 3;
    if (find_mapping(address) == NULL || mprotect(pointer(address), size,
                                                  access == 3   ? PROT_READ | PROT_WRITE
                                                  : access == 1 ? PROT_READ
                                                                : PROT_NONE) != 0)
        return BYW_CU_INVALID_VALUE;
    for (struct mapping *m = mappings; m != NULL; m = m->next)
        if (m->address >= address && m->address + m->size <= address + size)
            m->access = access;
    return BYW_CU_OK;
}

CU(cuMemGetAccess, uint64_t *flags, const void *location, CUdeviceptr address)
{
    const struct mapping *m = find_mapping(address);

    (void)location;
    *flags = m != NULL ? (uint64_t)m->access : 0;
    return m != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuMemRetainAllocationHandle, struct byw_cu_physical **handle, void *address)
{
    struct mapping *m = find_mapping((CUdeviceptr)(uintptr_t)address);

    if (m == NULL)
        return BYW_CU_INVALID_VALUE;
    *handle = m->memory;
    m->memory->holders++;
    return BYW_CU_OK;
}

CU(cuMemGetAllocationPropertiesFromHandle, void *properties, struct byw_cu_physical *memory)
{
    if (memory == NULL)
        return BYW_CU_INVALID_VALUE;
    memcpy(properties, memory->properties, sizeof(memory->properties));
    return BYW_CU_OK;
}

/* --- managed memory -----------------------------------------------------------------------------
 */

/* CUmemLocation, by value. */
struct location {
    int type, id;
};

CU(cuMemAdvise, CUdeviceptr memory, size_t size, int advice, CUdevice device)
{
    (void)memory, (void)size, (void)advice, (void)device;
    return BYW_CU_OK;
}

CU(cuMemAdvise_v2, CUdeviceptr memory, size_t size, int advice, struct location location)
{
    return cuMemAdvise(memory, size, advice, location.id);
}

CU(cuMemPrefetchAsync, CUdeviceptr memory, size_t size, CUdevice device, CUstream stream)
{
    (void)memory, (void)size, (void)device, (void)stream;
    return BYW_CU_OK;
}

CU(cuMemPrefetchAsync_v2, CUdeviceptr memory, size_t size, struct location location, unsigned flags,
   CUstream stream)
{
    (void)flags;
    return cuMemPrefetchAsync(memory, size, location.id, stream);
}

/* The answers before any advice: not mostly read (attribute 1), and no device (-2) for the
 * others. */
CU(cuMemRangeGetAttribute, void *data, size_t room, int attribute, CUdeviceptr memory, size_t size)
{
    const int value = attribute == 1 ? 0 : -2;

    (void)memory, (void)size;
    for (size_t i = 0; i + sizeof(value) <= room; i += sizeof(value))
        memcpy((char *)data + i, &value, sizeof(value));
    return room >= sizeof(value) ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuMemRangeGetAttributes, void **data, const size_t *room, const int *attribute, size_t count,
   CUdeviceptr memory, size_t size)
{
    CUresult error = BYW_CU_OK;

    for (size_t i = 0; i < count && error == BYW_CU_OK; i++)
        error = cuMemRangeGetAttribute(data[i], room[i], attribute[i], memory, size);
    return error;
}
