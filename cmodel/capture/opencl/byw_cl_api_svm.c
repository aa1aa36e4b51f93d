/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared virtual memory. Device addresses are host addresses, and commands run when they are
 * enqueued. So coarse- and fine-grained buffers are the same: memory of the arena, which mapping
 * does not move.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

#define PAGE 4096u /* alignment of all allocations */

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    const cl_svm_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;

    if (!byw_cl_is(context, BYW_CL_CONTEXT) || size == 0 || size > BYW_CL_BUFFER_LIMIT ||
        (alignment & (alignment - 1)) != 0 || alignment > PAGE ||
        (flags & ~(known | CL_MEM_SVM_FINE_GRAIN_BUFFER)) != 0 ||
        ((flags & known) & ((flags & known) - 1)) != 0)
        return NULL;
    return byw_cl_arena_take(size);
}

void clSVMFree(cl_context context, void *pointer)
{
    if (byw_cl_is(context, BYW_CL_CONTEXT) && pointer != NULL)
        byw_cl_arena_give(pointer, byw_cl_arena_size(pointer));
}

struct move {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
};

static cl_int run_move(void *data)
{
    const struct move *m = data;

    memcpy(m->to, m->from, m->size);
    return CL_SUCCESS;
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
                          size_t size, cl_uint count, const cl_event *list, cl_event *event)
{
    struct move move = {to, from, size};
    const struct byw_cl_task task = {.type = CL_COMMAND_SVM_MEMCPY,
                                     .run = run_move,
                                     .data = &move,
                                     .size = sizeof(move),
                                     .blocking = blocking};

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (size != 0 && (to == NULL || from == NULL))
        return CL_INVALID_VALUE;
    if (move.to < move.from + size && move.from < move.to + size)
        return CL_MEM_COPY_OVERLAP;
    return byw_cl_submit(queue, &task, count, list, event);
}

struct fill {
    unsigned char *to;
    size_t size, pattern_size;
    unsigned char pattern[128];
};

static cl_int run_fill(void *data)
{
    const struct fill *f = data;

    for (size_t i = 0; i < f->size; i += f->pattern_size)
        memcpy(f->to + i, f->pattern, f->pattern_size);
    return CL_SUCCESS;
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern,
                           size_t pattern_size, size_t size, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    struct fill fill = {to, size, pattern_size, {0}};
    const struct byw_cl_task task = {
        .type = CL_COMMAND_SVM_MEMFILL, .run = run_fill, .data = &fill, .size = sizeof(fill)};

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (to == NULL || pattern == NULL || pattern_size == 0 || pattern_size > sizeof(fill.pattern) ||
        (pattern_size & (pattern_size - 1)) != 0 || size % pattern_size != 0 ||
        (uintptr_t)to % pattern_size != 0)
        return CL_INVALID_VALUE;
    memcpy(fill.pattern, pattern, pattern_size);
    return byw_cl_submit(queue, &task, count, list, event);
}

/* A command that has an event but no effect. */
static cl_int submit_nothing(cl_command_queue queue, cl_command_type type, bool valid,
                             cl_bool blocking, cl_uint count, const cl_event *list, cl_event *event)
{
    const struct byw_cl_task task = {.type = type, .blocking = blocking};

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    return valid ? byw_cl_submit(queue, &task, count, list, event) : CL_INVALID_VALUE;
}

cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                       size_t size, cl_uint count, const cl_event *list, cl_event *event)
{
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    return submit_nothing(queue, CL_COMMAND_SVM_MAP,
                          pointer != NULL && size != 0 && (flags & ~known) == 0, blocking, count,
                          list, event);
}

cl_int clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint count, const cl_event *list,
                         cl_event *event)
{
    return submit_nothing(queue, CL_COMMAND_SVM_UNMAP, pointer != NULL, CL_FALSE, count, list,
                          event);
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint pointers, const void **pointer,
                              const size_t *sizes, cl_mem_migration_flags flags, cl_uint count,
                              const cl_event *list, cl_event *event)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    bool valid = pointers != 0 && pointer != NULL && (flags & ~known) == 0;

    for (cl_uint i = 0; valid && i < pointers; i++)
        valid =
            pointer[i] != NULL && (sizes == NULL || byw_cl_arena_contains(pointer[i], sizes[i]));
    return submit_nothing(queue, CL_COMMAND_SVM_MIGRATE_MEM, valid, CL_FALSE, count, list, event);
}

struct release {
    cl_command_queue queue;
    cl_uint count;
    void **list; /* a copy */
    void(CL_CALLBACK *call)(cl_command_queue, cl_uint, void *[], void *);
    void *data;
};

static cl_int run_release(void *data)
{
    const struct release *r = data;

    if (r->call != NULL)
        r->call(r->queue, r->count, r->list, r->data);
    for (cl_uint i = 0; i < r->count && r->call == NULL; i++)
        clSVMFree(r->queue->context, r->list[i]);
    free(r->list);
    return CL_SUCCESS;
}

cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint pointers, void *pointer[],
                        void(CL_CALLBACK *call)(cl_command_queue, cl_uint, void *[], void *),
                        void *data, cl_uint count, const cl_event *list, cl_event *event)
{
    struct release release = {queue, pointers, NULL, call, data};
    const struct byw_cl_task task = {
        .type = CL_COMMAND_SVM_FREE, .run = run_release, .data = &release, .size = sizeof(release)};
    cl_int code;

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if ((pointers == 0) != (pointer == NULL))
        return CL_INVALID_VALUE;
    release.list = malloc((pointers + (size_t)1) * sizeof(*release.list));
    if (release.list == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    if (pointers != 0)
        memcpy(release.list, pointer, pointers * sizeof(*release.list));
    code = byw_cl_submit(queue, &task, count, list, event);
    if (code != CL_SUCCESS)
        free(release.list);
    return code;
}
