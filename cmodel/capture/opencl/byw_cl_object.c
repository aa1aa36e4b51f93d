/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

/* Programs compare these handles, and OpenCL's entry points take no context that could own them. */
static struct _cl_platform_id platform = {{.kind = BYW_CL_PLATFORM, .count = 1}};
static struct _cl_device_id device = {{.kind = BYW_CL_DEVICE, .count = 1}};

cl_platform_id byw_cl_platform(void)
{
    byw_cl_process_start();
    return &platform;
}

cl_device_id byw_cl_device(void)
{
    byw_cl_process_start();
    return &device;
}

void byw_cl_dispatch_by(const void *table)
{
    platform.object.dispatch = device.object.dispatch = table;
}

void byw_cl_object_init(struct byw_cl_object *object, enum byw_cl_kind_of_object kind)
{
    object->dispatch = platform.object.dispatch;
    object->kind = (uint32_t)kind;
    atomic_init(&object->count, 1);
}

cl_int byw_cl_retain(void *handle, enum byw_cl_kind_of_object kind, cl_int error)
{
    struct byw_cl_object *object = handle;

    if (!byw_cl_is(handle, kind))
        return error;
    atomic_fetch_add(&object->count, 1);
    return CL_SUCCESS;
}

bool byw_cl_drop(struct byw_cl_object *object)
{
    if (atomic_fetch_sub(&object->count, 1) != 1)
        return false;
    object->kind = 0;
    return true;
}

cl_int byw_cl_info(const void *data, size_t size, size_t room, void *value, size_t *size_ret)
{
    if (size_ret != NULL)
        *size_ret = size;
    if (value == NULL)
        return CL_SUCCESS;
    if (room < size)
        return CL_INVALID_VALUE;
    if (size != 0)
        memcpy(value, data, size);
    return CL_SUCCESS;
}

cl_int byw_cl_info_string(const char *text, size_t room, void *value, size_t *size_ret)
{
    return byw_cl_info(text, strlen(text) + 1, room, value, size_ret);
}

void *byw_cl_error(cl_int *error, cl_int code)
{
    if (error != NULL)
        *error = code;
    return NULL;
}

/* --- objects that commands hold ------------------------------------------------------------ */

cl_int clRetainContext(cl_context context)
{
    return byw_cl_retain(context, BYW_CL_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int clReleaseContext(cl_context context)
{
    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (byw_cl_drop(&context->object))
        free(context);
    return CL_SUCCESS;
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    return byw_cl_retain(queue, BYW_CL_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (byw_cl_drop(&queue->object)) {
        clReleaseContext(queue->context);
        free(queue);
    }
    return CL_SUCCESS;
}

cl_event byw_cl_event_create(cl_context context, cl_command_queue queue, cl_command_type type,
                             cl_int status)
{
    cl_event event = calloc(1, sizeof(*event));

    if (event == NULL)
        return NULL;
    byw_cl_object_init(&event->object, BYW_CL_EVENT);
    event->context = context;
    event->queue = queue;
    event->type = type;
    atomic_init(&event->status, status);
    clRetainContext(context);
    if (queue != NULL)
        clRetainCommandQueue(queue);
    return event;
}

cl_int clRetainEvent(cl_event event)
{
    return byw_cl_retain(event, BYW_CL_EVENT, CL_INVALID_EVENT);
}

cl_int clReleaseEvent(cl_event event)
{
    if (!byw_cl_is(event, BYW_CL_EVENT))
        return CL_INVALID_EVENT;
    if (byw_cl_drop(&event->object)) {
        while (event->callbacks != NULL) {
            struct byw_cl_callback *first = event->callbacks;

            event->callbacks = first->next;
            free(first);
        }
        if (event->queue != NULL)
            clReleaseCommandQueue(event->queue);
        clReleaseContext(event->context);
        free(event);
    }
    return CL_SUCCESS;
}
