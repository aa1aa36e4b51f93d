/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that move data: read, write, copy, fill, map.
 */
#include <string.h>

#include "opencl/byw_cl.h"

static bool inside(cl_mem mem, size_t offset, size_t size)
{
    return offset <= mem->size && size <= mem->size - offset;
}

/* Checks common to all commands on one buffer. */
static cl_int check(cl_command_queue queue, cl_mem mem, cl_uint count, const cl_event *list)
{
    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!byw_cl_is(mem, BYW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (mem->context != queue->context)
        return CL_INVALID_CONTEXT;
    return byw_cl_check_wait(count, list);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
                           size_t size, void *host, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    (void)blocking;
    if (code != CL_SUCCESS)
        return code;
    if (host == NULL || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    memcpy(host, mem->data + offset, size);
    return byw_cl_finish_command(queue, CL_COMMAND_READ_BUFFER, start, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
                            size_t size, const void *host, cl_uint count, const cl_event *list,
                            cl_event *event)
{
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    (void)blocking;
    if (code != CL_SUCCESS)
        return code;
    if (host == NULL || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    memcpy(mem->data + offset, host, size);
    return byw_cl_finish_command(queue, CL_COMMAND_WRITE_BUFFER, start, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    cl_int code = check(queue, from, count, list);
    cl_ulong start = byw_cl_now();

    if (code == CL_SUCCESS)
        code = check(queue, to, count, list);
    if (code != CL_SUCCESS)
        return code;
    if (!inside(from, from_offset, size) || !inside(to, to_offset, size))
        return CL_INVALID_VALUE;
    memmove(to->data + to_offset, from->data + from_offset, size);
    return byw_cl_finish_command(queue, CL_COMMAND_COPY_BUFFER, start, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint count,
                           const cl_event *list, cl_event *event)
{
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    if (code != CL_SUCCESS)
        return code;
    if (pattern == NULL || pattern_size == 0 || pattern_size > 128 ||
        (pattern_size & (pattern_size - 1)) != 0 || offset % pattern_size != 0 ||
        size % pattern_size != 0 || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    for (size_t i = 0; i < size; i += pattern_size)
        memcpy(mem->data + offset + i, pattern, pattern_size);
    return byw_cl_finish_command(queue, CL_COMMAND_FILL_BUFFER, start, event);
}

/* One side of a rectangular copy. */
struct box {
    unsigned char *data;
    size_t size; /* bytes there are; SIZE_MAX for host memory */
    size_t origin[3], row, slice;
};

static cl_int make_box(struct box *box, unsigned char *data, size_t size, const size_t *origin,
                       const size_t *region, size_t row, size_t slice)
{
    size_t end;

    if (data == NULL || origin == NULL || region == NULL || region[0] == 0 || region[1] == 0 ||
        region[2] == 0)
        return CL_INVALID_VALUE;
    box->data = data;
    box->size = size;
    box->row = row == 0 ? region[0] : row;
    box->slice = slice == 0 ? region[1] * box->row : slice;
    if (box->row < region[0] || box->slice < region[1] * box->row)
        return CL_INVALID_VALUE;
    memcpy(box->origin, origin, sizeof(box->origin));
    end = (origin[2] + region[2] - 1) * box->slice + (origin[1] + region[1] - 1) * box->row +
          origin[0] + region[0];
    return end > size ? CL_INVALID_VALUE : CL_SUCCESS;
}

static void copy_box(const struct box *to, const struct box *from, const size_t *region)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memmove(to->data + (to->origin[2] + z) * to->slice + (to->origin[1] + y) * to->row +
                        to->origin[0],
                    from->data + (from->origin[2] + z) * from->slice +
                        (from->origin[1] + y) * from->row + from->origin[0],
                    region[0]);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                               const size_t *origin, const size_t *host_origin,
                               const size_t *region, size_t row, size_t slice, size_t host_row,
                               size_t host_slice, void *host, cl_uint count, const cl_event *list,
                               cl_event *event)
{
    struct box from, to;
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    (void)blocking;
    if (code == CL_SUCCESS)
        code = make_box(&from, mem->data, mem->size, origin, region, row, slice);
    if (code == CL_SUCCESS)
        code = make_box(&to, host, SIZE_MAX, host_origin, region, host_row, host_slice);
    if (code != CL_SUCCESS)
        return code;
    copy_box(&to, &from, region);
    return byw_cl_finish_command(queue, CL_COMMAND_READ_BUFFER_RECT, start, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                const size_t *origin, const size_t *host_origin,
                                const size_t *region, size_t row, size_t slice, size_t host_row,
                                size_t host_slice, const void *host, cl_uint count,
                                const cl_event *list, cl_event *event)
{
    struct box from, to;
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    (void)blocking;
    if (code == CL_SUCCESS)
        code = make_box(&to, mem->data, mem->size, origin, region, row, slice);
    if (code == CL_SUCCESS)
        code = make_box(&from, (unsigned char *)(uintptr_t)host, SIZE_MAX, host_origin, region,
                        host_row, host_slice);
    if (code != CL_SUCCESS)
        return code;
    copy_box(&to, &from, region);
    return byw_cl_finish_command(queue, CL_COMMAND_WRITE_BUFFER_RECT, start, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from_mem, cl_mem to_mem,
                               const size_t *from_origin, const size_t *to_origin,
                               const size_t *region, size_t from_row, size_t from_slice,
                               size_t to_row, size_t to_slice, cl_uint count, const cl_event *list,
                               cl_event *event)
{
    struct box from, to;
    cl_int code = check(queue, from_mem, count, list);
    cl_ulong start = byw_cl_now();

    if (code == CL_SUCCESS)
        code = check(queue, to_mem, count, list);
    if (code == CL_SUCCESS)
        code = make_box(&from, from_mem->data, from_mem->size, from_origin, region, from_row,
                        from_slice);
    if (code == CL_SUCCESS)
        code = make_box(&to, to_mem->data, to_mem->size, to_origin, region, to_row, to_slice);
    if (code != CL_SUCCESS)
        return code;
    copy_box(&to, &from, region);
    return byw_cl_finish_command(queue, CL_COMMAND_COPY_BUFFER_RECT, start, event);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint count, const cl_event *list,
                         cl_event *event, cl_int *error)
{
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    (void)blocking;
    (void)flags;
    if (code == CL_SUCCESS && (size == 0 || !inside(mem, offset, size)))
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS)
        code = byw_cl_finish_command(queue, CL_COMMAND_MAP_BUFFER, start, event);
    byw_cl_error(error, code);
    if (code != CL_SUCCESS)
        return NULL;
    mem->maps++;
    if (mem->host == NULL)
        return mem->data + offset;
    memcpy((unsigned char *)mem->host + offset, mem->data + offset, size);
    return (unsigned char *)mem->host + offset;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped, cl_uint count,
                               const cl_event *list, cl_event *event)
{
    cl_int code = check(queue, mem, count, list);
    cl_ulong start = byw_cl_now();

    if (code != CL_SUCCESS)
        return code;
    if (mapped == NULL || mem->maps == 0)
        return CL_INVALID_VALUE;
    mem->maps--;
    if (mem->host != NULL) {
        size_t offset = (size_t)((unsigned char *)mapped - (unsigned char *)mem->host);

        if (offset >= mem->size)
            return CL_INVALID_VALUE;
        memcpy(mem->data + offset, mapped, mem->size - offset);
    }
    return byw_cl_finish_command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, start, event);
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint mems, const cl_mem *mem,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
    cl_int code = CL_SUCCESS;

    (void)flags;
    if (mems == 0 || mem == NULL)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < mems && code == CL_SUCCESS; i++)
        code = check(queue, mem[i], count, list);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_finish_command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, byw_cl_now(), event);
}
