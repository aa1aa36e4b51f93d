/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between objects and host memory, all as boxes of bytes, rows and slices.
 */
#include <string.h>

#include "capture/opencl/byw_cl.h"

struct copy {
    cl_mem from_mem, to_mem;
    struct byw_cl_box from, to;
    size_t region[3];
};

static unsigned char *row_of(const struct byw_cl_box *box, size_t y, size_t z)
{
    return box->data + (box->origin[2] + z) * box->slice + (box->origin[1] + y) * box->row +
           box->origin[0];
}

static cl_int run(void *data)
{
    const struct copy *c = data;

    if (c->from_mem != NULL)
        byw_cl_pull(c->from_mem);
    if (c->to_mem != NULL)
        byw_cl_pull(c->to_mem);
    for (size_t z = 0; z < c->region[2]; z++)
        for (size_t y = 0; y < c->region[1]; y++)
            memmove(row_of(&c->to, y, z), row_of(&c->from, y, z), c->region[0]);
    if (c->to_mem != NULL)
        byw_cl_push(c->to_mem);
    return CL_SUCCESS;
}

static void hold(void *data, bool take)
{
    const struct copy *c = data;
    cl_int (*const change)(cl_mem) = take ? clRetainMemObject : clReleaseMemObject;

    if (c->from_mem != NULL)
        change(c->from_mem);
    if (c->to_mem != NULL)
        change(c->to_mem);
}

cl_int byw_cl_copy(cl_command_queue queue, cl_command_type type, cl_mem from_mem, cl_mem to_mem,
                   const struct byw_cl_box *from, const struct byw_cl_box *to, const size_t *region,
                   bool blocking, cl_uint count, const cl_event *list, cl_event *event)
{
    struct copy copy = {.from_mem = from_mem, .to_mem = to_mem, .from = *from, .to = *to};
    const struct byw_cl_task task = {.type = type,
                                     .run = run,
                                     .hold = hold,
                                     .data = &copy,
                                     .size = sizeof(copy),
                                     .blocking = blocking};

    memcpy(copy.region, region, sizeof(copy.region));
    return byw_cl_submit(queue, &task, count, list, event);
}

cl_int byw_cl_check_mem(cl_command_queue queue, cl_mem mem, bool image)
{
    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!byw_cl_is(mem, BYW_CL_MEM) || (mem->type != CL_MEM_OBJECT_BUFFER) != image)
        return CL_INVALID_MEM_OBJECT;
    return mem->context != queue->context ? CL_INVALID_CONTEXT : CL_SUCCESS;
}

/* Host memory that already holds the same bytes may be read-only. */
static void update(unsigned char *to, const unsigned char *from, size_t size)
{
    if (memcmp(to, from, size) != 0)
        memcpy(to, from, size);
}

/* Makes an object and the program's memory equal. */
static void synchronize(cl_mem mem, bool to_host)
{
    struct byw_cl_rows r = {mem->size, mem->size, 1, 1};
    size_t row = mem->size, slice = mem->size;

    if (mem->host == NULL)
        return;
    if (mem->type != CL_MEM_OBJECT_BUFFER) {
        r = byw_cl_host_rows(mem);
        row = mem->image.row;
        slice = mem->image.slice;
    }
    for (size_t z = 0; z < r.slices; z++)
        for (size_t y = 0; y < r.rows; y++) {
            unsigned char *host = (unsigned char *)mem->host + z * r.slice + y * r.row;
            unsigned char *own = mem->data + z * slice + y * row;

            update(to_host ? host : own, to_host ? own : host, row);
        }
}

void byw_cl_pull(cl_mem mem)
{
    synchronize(mem, false);
}

void byw_cl_push(cl_mem mem)
{
    synchronize(mem, true);
}
