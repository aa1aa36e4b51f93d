/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers. Device memory is separate host memory at reproducible addresses, even for buffers that
 * use host memory: those are copied in when created, and out and in again by mapping.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

#define SUB_BUFFER_ALIGN (BYW_CL_ADDRESS_ALIGN / 8)
#define HOST_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)

cl_int byw_cl_check_flags(cl_mem_flags flags, const void *host)
{
    const cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
    const cl_mem_flags reach =
        flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);

    if ((access & (access - 1)) != 0 || (reach & (reach - 1)) != 0)
        return CL_INVALID_VALUE;
    if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)))
        return CL_INVALID_VALUE;
    if ((flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY |
                                 CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR |
                                 CL_MEM_ALLOC_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                                 CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
        return CL_INVALID_VALUE;
    return (host != NULL) == ((flags & HOST_FLAGS) != 0) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

cl_mem byw_cl_mem_create(cl_context context, cl_mem_flags flags, size_t size, cl_int *error)
{
    cl_mem mem = calloc(1, sizeof(*mem));

    if (mem == NULL)
        return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
    mem->data = byw_cl_arena_take(size);
    if (mem->data == NULL) {
        free(mem);
        return byw_cl_error(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    byw_cl_object_init(&mem->object, BYW_CL_MEM);
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->context = context;
    mem->flags = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
                     ? flags
                     : flags | CL_MEM_READ_WRITE;
    mem->size = size;
    clRetainContext(context);
    byw_cl_error(error, CL_SUCCESS);
    return mem;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *error)
{
    cl_mem mem;
    cl_int code;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    code = byw_cl_check_flags(flags, host);
    if (code != CL_SUCCESS)
        return byw_cl_error(error, code);
    if (size == 0 || size > BYW_CL_BUFFER_LIMIT)
        return byw_cl_error(error, CL_INVALID_BUFFER_SIZE);
    mem = byw_cl_mem_create(context, flags, size, error);
    if (mem == NULL)
        return NULL;
    mem->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    if (host != NULL)
        memcpy(mem->data, host, size);
    return mem;
}

/* A sub-buffer inherits the properties that its flags do not set. */
static cl_mem_flags sub_flags(cl_mem_flags parent, cl_mem_flags own)
{
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    const cl_mem_flags host =
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

    own |= parent & (HOST_FLAGS | CL_MEM_ALLOC_HOST_PTR);
    if ((own & access) == 0)
        own |= parent & access;
    if ((own & host) == 0)
        own |= parent & host;
    return own;
}

cl_mem clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *error)
{
    const cl_buffer_region *region = info;
    cl_mem mem;

    if (!byw_cl_is(parent, BYW_CL_MEM) || parent->parent != NULL ||
        parent->type != CL_MEM_OBJECT_BUFFER)
        return byw_cl_error(error, CL_INVALID_MEM_OBJECT);
    if (type != CL_BUFFER_CREATE_TYPE_REGION || region == NULL)
        return byw_cl_error(error, CL_INVALID_VALUE);
    if (region->size == 0)
        return byw_cl_error(error, CL_INVALID_BUFFER_SIZE);
    if (region->origin > parent->size || region->size > parent->size - region->origin)
        return byw_cl_error(error, CL_INVALID_VALUE);
    if (region->origin % SUB_BUFFER_ALIGN != 0)
        return byw_cl_error(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    mem = calloc(1, sizeof(*mem));
    if (mem == NULL)
        return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
    byw_cl_object_init(&mem->object, BYW_CL_MEM);
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->context = parent->context;
    mem->flags = sub_flags(parent->flags, flags);
    mem->size = region->size;
    mem->offset = region->origin;
    mem->parent = parent;
    mem->data = parent->data + region->origin;
    mem->host = parent->host == NULL ? NULL : (unsigned char *)parent->host + region->origin;
    clRetainMemObject(parent);
    clRetainContext(mem->context);
    byw_cl_error(error, CL_SUCCESS);
    return mem;
}

cl_int clRetainMemObject(cl_mem mem)
{
    return byw_cl_retain(mem, BYW_CL_MEM, CL_INVALID_MEM_OBJECT);
}

cl_int clReleaseMemObject(cl_mem mem)
{
    if (!byw_cl_is(mem, BYW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (!byw_cl_drop(&mem->object))
        return CL_SUCCESS;
    while (mem->destructors != NULL) {
        struct byw_cl_destructor *first = mem->destructors;

        mem->destructors = first->next;
        first->call(mem, first->data);
        free(first);
    }
    if (mem->parent != NULL)
        clReleaseMemObject(mem->parent);
    else
        byw_cl_arena_give(mem->data, mem->size);
    clReleaseContext(mem->context);
    free(mem);
    return CL_SUCCESS;
}

void byw_cl_hold_mem(void *data, bool take)
{
    cl_mem mem;

    memcpy(&mem, data, sizeof(mem));
    if (take)
        clRetainMemObject(mem);
    else
        clReleaseMemObject(mem);
}

cl_int clSetMemObjectDestructorCallback(cl_mem mem, void(CL_CALLBACK *notify)(cl_mem, void *),
                                        void *data)
{
    struct byw_cl_destructor *destructor;

    if (!byw_cl_is(mem, BYW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (notify == NULL)
        return CL_INVALID_VALUE;
    destructor = calloc(1, sizeof(*destructor));
    if (destructor == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    destructor->call = notify;
    destructor->data = data;
    destructor->next = mem->destructors;
    mem->destructors = destructor;
    return CL_SUCCESS;
}

cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info name, size_t room, void *value, size_t *size_ret)
{
    const cl_mem_properties end = 0;
    cl_uint number;

    if (!byw_cl_is(mem, BYW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_MEM_PROPERTIES:
        return byw_cl_info(&end, mem->listed ? sizeof(end) : 0, room, value, size_ret);
    case CL_MEM_USES_SVM_POINTER:
        number = mem->host != NULL && byw_cl_arena_contains(mem->host, 1);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_MEM_TYPE:
        return byw_cl_info(&mem->type, sizeof(mem->type), room, value, size_ret);
    case CL_MEM_FLAGS:
        return byw_cl_info(&mem->flags, sizeof(mem->flags), room, value, size_ret);
    case CL_MEM_SIZE:
        return byw_cl_info(&mem->size, sizeof(mem->size), room, value, size_ret);
    case CL_MEM_HOST_PTR:
        return byw_cl_info(&mem->host, sizeof(mem->host), room, value, size_ret);
    case CL_MEM_MAP_COUNT:
        return byw_cl_info(&mem->maps, sizeof(mem->maps), room, value, size_ret);
    case CL_MEM_REFERENCE_COUNT:
        number = atomic_load(&mem->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_MEM_CONTEXT:
        return byw_cl_info(&mem->context, sizeof(mem->context), room, value, size_ret);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return byw_cl_info(&mem->parent, sizeof(mem->parent), room, value, size_ret);
    case CL_MEM_OFFSET:
        return byw_cl_info(&mem->offset, sizeof(mem->offset), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}
