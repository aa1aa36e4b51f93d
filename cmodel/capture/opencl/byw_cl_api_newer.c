/* SPDX-License-Identifier: Apache-2.0
 *
 * Native kernels, and calls of OpenCL 2 and 3 that are OpenCL 1.2 calls in another form.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

struct native {
    void(CL_CALLBACK *call)(void *);
    cl_uint count;
    cl_mem *mem;
    void *args; /* a copy, with the buffers' addresses filled in */
    atomic_uint holders; /* as in launches: the enqueuing call, and a command that waits */
};

static struct native *native_of(const void *data)
{
    struct native *n;

    memcpy(&n, data, sizeof(n));
    return n;
}

static void drop_native(struct native *n)
{
    if (atomic_fetch_sub(&n->holders, 1) != 1)
        return;
    free(n->mem);
    free(n->args);
    free(n);
}

static cl_int run_native(void *data)
{
    struct native *n = native_of(data);

    for (cl_uint i = 0; i < n->count; i++)
        byw_cl_pull(n->mem[i]);
    n->call(n->args);
    for (cl_uint i = 0; i < n->count; i++)
        byw_cl_push(n->mem[i]);
    return CL_SUCCESS;
}

static void hold_native(void *data, bool take)
{
    struct native *n = native_of(data);

    for (cl_uint i = 0; i < n->count; i++)
        (take ? clRetainMemObject : clReleaseMemObject)(n->mem[i]);
    if (take)
        atomic_fetch_add(&n->holders, 1);
    else
        drop_native(n);
}

static struct native *make_native(void(CL_CALLBACK *call)(void *), const void *args, size_t size,
                                  cl_uint count, const cl_mem *list, const void **places)
{
    struct native *n = calloc(1, sizeof(*n));

    if (n == NULL)
        return NULL;
    atomic_init(&n->holders, 1);
    n->call = call;
    n->count = count;
    n->args = size == 0 ? NULL : malloc(size);
    n->mem = calloc(count + (size_t)1, sizeof(*n->mem));
    if ((size != 0 && n->args == NULL) || n->mem == NULL) {
        drop_native(n);
        return NULL;
    }
    if (size != 0)
        memcpy(n->args, args, size);
    for (cl_uint i = 0; i < count; i++) {
        size_t at = (size_t)((const char *)places[i] - (const char *)args);

        n->mem[i] = list[i];
        if (at + sizeof(void *) <= size)
            memcpy((char *)n->args + at, &list[i]->data, sizeof(void *));
    }
    return n;
}

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *call)(void *), void *args,
                             size_t size, cl_uint count, const cl_mem *list, const void **places,
                             cl_uint waits, const cl_event *wait, cl_event *event)
{
    struct native *n;
    struct byw_cl_task task = {.type = CL_COMMAND_NATIVE_KERNEL,
                               .run = run_native,
                               .hold = hold_native,
                               .data = &n,
                               .size = sizeof(n)};
    cl_int code;

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (call == NULL || (args == NULL) != (size == 0) || (args == NULL && count != 0) ||
        (count == 0) != (list == NULL) || (count == 0) != (places == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!byw_cl_is(list[i], BYW_CL_MEM))
            return CL_INVALID_MEM_OBJECT;
    n = make_native(call, args, size, count, list, places);
    if (n == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    code = byw_cl_submit(queue, &task, waits, wait, event);
    drop_native(n);
    return code;
}

/* Notes that the program gave a list of properties, because it may query the list; it is empty. */
static cl_mem note_list(const cl_mem_properties *properties, cl_mem mem)
{
    if (mem != NULL)
        mem->listed = properties != NULL;
    return mem;
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                    cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    if (properties != NULL && properties[0] != 0)
        return byw_cl_error(error, CL_INVALID_PROPERTY);
    return note_list(properties, clCreateBuffer(context, flags, size, host, error));
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                   cl_mem_flags flags, const cl_image_format *format,
                                   const cl_image_desc *desc, void *host, cl_int *error)
{
    if (properties != NULL && properties[0] != 0)
        return byw_cl_error(error, CL_INVALID_PROPERTY);
    return note_list(properties, clCreateImage(context, flags, format, desc, host, error));
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *property,
                                         cl_int *error)
{
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;

    const cl_sampler_properties *list = property;
    cl_sampler sampler;

    for (; property != NULL && property[0] != 0; property += 2) {
        if (property[0] == CL_SAMPLER_NORMALIZED_COORDS)
            normalized = (cl_bool)property[1];
        else if (property[0] == CL_SAMPLER_ADDRESSING_MODE)
            addressing = (cl_addressing_mode)property[1];
        else if (property[0] == CL_SAMPLER_FILTER_MODE)
            filter = (cl_filter_mode)property[1];
        else
            return byw_cl_error(error, CL_INVALID_VALUE);
    }
    sampler = clCreateSampler(context, normalized, addressing, filter, error);
    if (sampler != NULL && list != NULL && property - list <= 2 * BYW_CL_PROPERTIES) {
        sampler->listed = (unsigned)(property - list) + 1;
        memcpy(sampler->list, list, sampler->listed * sizeof(*list));
    }
    return sampler;
}

cl_kernel clCloneKernel(cl_kernel source, cl_int *error)
{
    cl_kernel copy;

    if (!byw_cl_is(source, BYW_CL_KERNEL))
        return byw_cl_error(error, CL_INVALID_KERNEL);
    copy = clCreateKernel(source->program, source->code->code->name, error);
    for (uint32_t i = 0; copy != NULL && i < source->code->code->args; i++) {
        size_t room = source->arg[i].kind == BYW_CL_ARG_VALUE ? source->arg[i].size : 8;

        if (source->value[i].data == NULL)
            continue;
        room = (room + 63) & ~(size_t)63;
        copy->value[i] = source->value[i];
        copy->value[i].data = malloc(room);
        if (copy->value[i].data == NULL) {
            clReleaseKernel(copy);
            return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
        }
        memcpy(copy->value[i].data, source->value[i].data, room);
    }
    return copy;
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong *host)
{
    if (device != byw_cl_device())
        return CL_INVALID_DEVICE;
    if (host == NULL)
        return CL_INVALID_VALUE;
    *host = byw_cl_now();
    return CL_SUCCESS;
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time, cl_ulong *host)
{
    if (device_time == NULL)
        return CL_INVALID_VALUE;
    *device_time = byw_cl_now();
    return clGetHostTimer(device, host);
}
