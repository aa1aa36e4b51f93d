/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, and the commands that only order others.
 */
#include <stdlib.h>

#include "capture/opencl/byw_cl.h"

cl_int clWaitForEvents(cl_uint count, const cl_event *list)
{
    cl_int code = CL_SUCCESS;

    if (count == 0 || list == NULL)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!byw_cl_is(list[i], BYW_CL_EVENT))
            return CL_INVALID_EVENT;
        if (list[i]->context != list[0]->context)
            return CL_INVALID_CONTEXT;
    }
    for (cl_uint i = 0; i < count; i++) {
        byw_cl_await(list[i]);
        if (atomic_load(&list[i]->status) < 0)
            code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return code;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *value,
                      size_t *size_ret)
{
    cl_int status;
    cl_uint number;

    if (!byw_cl_is(event, BYW_CL_EVENT))
        return CL_INVALID_EVENT;
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE:
        return byw_cl_info(&event->queue, sizeof(event->queue), room, value, size_ret);
    case CL_EVENT_CONTEXT:
        return byw_cl_info(&event->context, sizeof(event->context), room, value, size_ret);
    case CL_EVENT_COMMAND_TYPE:
        return byw_cl_info(&event->type, sizeof(event->type), room, value, size_ret);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        status = atomic_load(&event->status);
        return byw_cl_info(&status, sizeof(status), room, value, size_ret);
    case CL_EVENT_REFERENCE_COUNT:
        number = atomic_load(&event->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room, void *value,
                               size_t *size_ret)
{
    if (!byw_cl_is(event, BYW_CL_EVENT))
        return CL_INVALID_EVENT;
    if (event->queue == NULL || (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    if (atomic_load(&event->status) != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED:
        return byw_cl_info(&event->queued, sizeof(event->queued), room, value, size_ret);
    case CL_PROFILING_COMMAND_SUBMIT:
    case CL_PROFILING_COMMAND_START:
        return byw_cl_info(&event->start, sizeof(event->start), room, value, size_ret);
    case CL_PROFILING_COMMAND_END:
        return byw_cl_info(&event->end, sizeof(event->end), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clSetEventCallback(cl_event event, cl_int type,
                          void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *data)
{
    struct byw_cl_callback *callback;
    cl_int status;

    if (!byw_cl_is(event, BYW_CL_EVENT))
        return CL_INVALID_EVENT;
    if (notify == NULL || type < CL_COMPLETE || type > CL_SUBMITTED)
        return CL_INVALID_VALUE;
    callback = calloc(1, sizeof(*callback));
    if (callback == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *callback = (struct byw_cl_callback){.type = type, .call = notify, .data = data};
    if (byw_cl_add_callback(event, callback))
        return CL_SUCCESS;
    free(callback);
    status = atomic_load(&event->status);
    notify(event, status < 0 ? status : type, data);
    return CL_SUCCESS;
}

cl_event clCreateUserEvent(cl_context context, cl_int *error)
{
    cl_event event;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    event = byw_cl_event_create(context, NULL, CL_COMMAND_USER, CL_SUBMITTED);
    byw_cl_error(error, event == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS);
    return event;
}

cl_int clSetUserEventStatus(cl_event event, cl_int status)
{
    if (!byw_cl_is(event, BYW_CL_EVENT) || event->type != CL_COMMAND_USER)
        return CL_INVALID_EVENT;
    if (status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    if (atomic_load(&event->status) != CL_SUBMITTED)
        return CL_INVALID_OPERATION;
    byw_cl_settle(event, status);
    return CL_SUCCESS;
}

static cl_int order(cl_command_queue queue, cl_command_type type, cl_uint count,
                    const cl_event *list, cl_event *event)
{
    const struct byw_cl_task task = {.type = type};

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    return byw_cl_submit(queue, &task, count, list, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *list,
                                   cl_event *event)
{
    return order(queue, CL_COMMAND_MARKER, count, list, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *list,
                                    cl_event *event)
{
    return order(queue, CL_COMMAND_BARRIER, count, list, event);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    return event == NULL ? CL_INVALID_VALUE : order(queue, CL_COMMAND_MARKER, 0, NULL, event);
}

cl_int clEnqueueBarrier(cl_command_queue queue)
{
    return order(queue, CL_COMMAND_BARRIER, 0, NULL, NULL);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    return count == 0 ? CL_INVALID_VALUE : order(queue, CL_COMMAND_BARRIER, count, list, NULL);
}
