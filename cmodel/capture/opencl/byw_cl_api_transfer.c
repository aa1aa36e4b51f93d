/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that move data between buffers and the host: read, write, copy, fill, map.  Transfers of
 * zero bytes are allowed, as in OpenCL 2.1 and later.
 */
#include <string.h>

#include "capture/opencl/byw_cl.h"

static bool inside(cl_mem mem, size_t offset, size_t size)
{
    return offset <= mem->size && size <= mem->size - offset;
}

cl_int byw_cl_check_host(cl_command_queue queue, cl_mem mem, bool image, bool write)
{
    cl_mem_flags other = write ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY;
    cl_int code = byw_cl_check_mem(queue, mem, image);

    if (code == CL_SUCCESS && (mem->flags & (other | CL_MEM_HOST_NO_ACCESS)) != 0)
        return CL_INVALID_OPERATION;
    return code;
}

static struct byw_cl_box line_at(const void *data, size_t offset)
{
    return (struct byw_cl_box){.data = (unsigned char *)(uintptr_t)data, .origin = {offset, 0, 0}};
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
                           size_t size, void *host, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    cl_int code = byw_cl_check_mem(queue, mem, false);
    const size_t region[3] = {size, 1, 1};
    struct byw_cl_box from, to;

    if (code != CL_SUCCESS)
        return code;
    if (host == NULL || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    if (mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
        return CL_INVALID_OPERATION;
    from = line_at(mem->data, offset);
    to = line_at(host, 0);
    return byw_cl_copy(queue, CL_COMMAND_READ_BUFFER, mem, NULL, &from, &to, region, blocking,
                       count, list, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
                            size_t size, const void *host, cl_uint count, const cl_event *list,
                            cl_event *event)
{
    cl_int code = byw_cl_check_mem(queue, mem, false);
    const size_t region[3] = {size, 1, 1};
    struct byw_cl_box from, to;

    if (code != CL_SUCCESS)
        return code;
    if (host == NULL || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    if (mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
        return CL_INVALID_OPERATION;
    from = line_at(host, 0);
    to = line_at(mem->data, offset);
    return byw_cl_copy(queue, CL_COMMAND_WRITE_BUFFER, NULL, mem, &from, &to, region, blocking,
                       count, list, event);
}

static bool overlap(cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, size_t size)
{
    const unsigned char *first = a->data + a_offset, *second = b->data + b_offset;

    return first < second + size && second < first + size;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    cl_int code = byw_cl_check_mem(queue, from, false);
    const size_t region[3] = {size, 1, 1};
    struct byw_cl_box source, target;

    if (code == CL_SUCCESS)
        code = byw_cl_check_mem(queue, to, false);
    if (code != CL_SUCCESS)
        return code;
    if (!inside(from, from_offset, size) || !inside(to, to_offset, size))
        return CL_INVALID_VALUE;
    if (overlap(from, from_offset, to, to_offset, size))
        return CL_MEM_COPY_OVERLAP;
    source = line_at(from->data, from_offset);
    target = line_at(to->data, to_offset);
    return byw_cl_copy(queue, CL_COMMAND_COPY_BUFFER, from, to, &source, &target, region, false,
                       count, list, event);
}

struct fill {
    cl_mem mem;
    size_t pattern_size, offset, size;
    unsigned char pattern[128];
};

static cl_int run_fill(void *data)
{
    const struct fill *f = data;

    byw_cl_pull(f->mem);
    for (size_t i = 0; i < f->size; i += f->pattern_size)
        memcpy(f->mem->data + f->offset + i, f->pattern, f->pattern_size);
    byw_cl_push(f->mem);
    return CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint count,
                           const cl_event *list, cl_event *event)
{
    struct fill fill = {mem, pattern_size, offset, size, {0}};
    const struct byw_cl_task task = {.type = CL_COMMAND_FILL_BUFFER,
                                     .run = run_fill,
                                     .hold = byw_cl_hold_mem,
                                     .data = &fill,
                                     .size = sizeof(fill)};
    cl_int code = byw_cl_check_mem(queue, mem, false);

    if (code != CL_SUCCESS)
        return code;
    if (pattern == NULL || pattern_size == 0 || pattern_size > sizeof(fill.pattern) ||
        (pattern_size & (pattern_size - 1)) != 0 || offset % pattern_size != 0 ||
        size % pattern_size != 0 || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    memcpy(fill.pattern, pattern, pattern_size);
    return byw_cl_submit(queue, &task, count, list, event);
}

/* One side of a rectangular copy; size: bytes available. */
static cl_int make_box(struct byw_cl_box *box, const void *data, size_t size, const size_t *origin,
                       const size_t *region, size_t row, size_t slice)
{
    size_t end;

    if (data == NULL || origin == NULL || region == NULL || region[0] == 0 || region[1] == 0 ||
        region[2] == 0)
        return CL_INVALID_VALUE;
    box->data = (unsigned char *)(uintptr_t)data;
    box->row = row == 0 ? region[0] : row;
    box->slice = slice == 0 ? region[1] * box->row : slice;
    if (box->row < region[0] || box->slice < region[1] * box->row || box->slice % box->row != 0)
        return CL_INVALID_VALUE;
    memcpy(box->origin, origin, sizeof(box->origin));
    end = (origin[2] + region[2] - 1) * box->slice + (origin[1] + region[1] - 1) * box->row +
          origin[0] + region[0];
    return end > size ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                               const size_t *origin, const size_t *host_origin,
                               const size_t *region, size_t row, size_t slice, size_t host_row,
                               size_t host_slice, void *host, cl_uint count, const cl_event *list,
                               cl_event *event)
{
    struct byw_cl_box from, to;
    cl_int code = byw_cl_check_host(queue, mem, false, false);

    if (code == CL_SUCCESS)
        code = make_box(&from, mem->data, mem->size, origin, region, row, slice);
    if (code == CL_SUCCESS)
        code = make_box(&to, host, SIZE_MAX, host_origin, region, host_row, host_slice);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_READ_BUFFER_RECT, mem, NULL, &from, &to, region, blocking,
                       count, list, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                const size_t *origin, const size_t *host_origin,
                                const size_t *region, size_t row, size_t slice, size_t host_row,
                                size_t host_slice, const void *host, cl_uint count,
                                const cl_event *list, cl_event *event)
{
    struct byw_cl_box from, to;
    cl_int code = byw_cl_check_host(queue, mem, false, true);

    if (code == CL_SUCCESS)
        code = make_box(&to, mem->data, mem->size, origin, region, row, slice);
    if (code == CL_SUCCESS)
        code = make_box(&from, host, SIZE_MAX, host_origin, region, host_row, host_slice);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_WRITE_BUFFER_RECT, NULL, mem, &from, &to, region, blocking,
                       count, list, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from_mem, cl_mem to_mem,
                               const size_t *from_origin, const size_t *to_origin,
                               const size_t *region, size_t from_row, size_t from_slice,
                               size_t to_row, size_t to_slice, cl_uint count, const cl_event *list,
                               cl_event *event)
{
    struct byw_cl_box from, to;
    cl_int code = byw_cl_check_mem(queue, from_mem, false);

    if (code == CL_SUCCESS)
        code = byw_cl_check_mem(queue, to_mem, false);
    if (code == CL_SUCCESS)
        code = make_box(&from, from_mem->data, from_mem->size, from_origin, region, from_row,
                        from_slice);
    if (code == CL_SUCCESS)
        code = make_box(&to, to_mem->data, to_mem->size, to_origin, region, to_row, to_slice);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, from_mem, to_mem, &from, &to, region,
                       false, count, list, event);
}

/* Mapped memory is already accessible to the program: for an object that uses host memory, mapping
 * and unmapping only synchronise its two copies. */
cl_int byw_cl_run_mapping(void *data)
{
    const struct byw_cl_mapping *m = data;

    byw_cl_pull(m->mem);
    if (m->map)
        byw_cl_push(m->mem);
    return CL_SUCCESS;
}

bool byw_cl_may_map(cl_mem mem, cl_map_flags flags)
{
    const cl_map_flags write = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    if ((flags & CL_MAP_READ) && (mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return false;
    return (flags & write) == 0 ||
           (mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint count, const cl_event *list,
                         cl_event *event, cl_int *error)
{
    struct byw_cl_mapping mapping = {mem, true};
    const struct byw_cl_task task = {.type = CL_COMMAND_MAP_BUFFER,
                                     .run = byw_cl_run_mapping,
                                     .hold = byw_cl_hold_mem,
                                     .data = &mapping,
                                     .size = sizeof(mapping),
                                     .blocking = blocking};
    cl_int code = byw_cl_check_mem(queue, mem, false);

    if (code == CL_SUCCESS && (size == 0 || !inside(mem, offset, size)))
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS && !byw_cl_may_map(mem, flags))
        code = CL_INVALID_OPERATION;
    if (code == CL_SUCCESS)
        code = byw_cl_submit(queue, &task, count, list, event);
    byw_cl_error(error, code);
    if (code != CL_SUCCESS)
        return NULL;
    mem->maps++;
    return (mem->host == NULL ? mem->data : (unsigned char *)mem->host) + offset;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped, cl_uint count,
                               const cl_event *list, cl_event *event)
{
    struct byw_cl_mapping mapping = {mem, false};
    const struct byw_cl_task task = {.type = CL_COMMAND_UNMAP_MEM_OBJECT,
                                     .run = byw_cl_run_mapping,
                                     .hold = byw_cl_hold_mem,
                                     .data = &mapping,
                                     .size = sizeof(mapping)};
    const unsigned char *base;
    size_t size;
    cl_int code;

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!byw_cl_is(mem, BYW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (mem->context != queue->context)
        return CL_INVALID_CONTEXT;
    base = mem->host == NULL ? mem->data : mem->host;
    size = mem->size;
    if (mem->host != NULL && mem->type != CL_MEM_OBJECT_BUFFER)
        size = byw_cl_host_rows(mem).slice * byw_cl_host_rows(mem).slices;
    if (mem->maps == 0 || (unsigned char *)mapped < base || (unsigned char *)mapped >= base + size)
        return CL_INVALID_VALUE;
    code = byw_cl_submit(queue, &task, count, list, event);
    mem->maps -= code == CL_SUCCESS;
    return code;
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint mems, const cl_mem *mem,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
    const struct byw_cl_task task = {.type = CL_COMMAND_MIGRATE_MEM_OBJECTS};

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (mems == 0 || mem == NULL ||
        (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                           CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) != 0)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < mems; i++) {
        if (!byw_cl_is(mem[i], BYW_CL_MEM))
            return CL_INVALID_MEM_OBJECT;
        if (mem[i]->context != queue->context)
            return CL_INVALID_CONTEXT;
    }
    return byw_cl_submit(queue, &task, count, list, event);
}
