/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts and command queues.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

static bool is_given(cl_context context, cl_context_properties name)
{
    for (size_t i = 0; i < context->property_count; i += 2)
        if (context->properties[i] == name)
            return true;
    return false;
}

static cl_context create(const cl_context_properties *properties, cl_int *error)
{
    cl_context context = calloc(1, sizeof(*context));

    if (context == NULL)
        return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
    byw_cl_object_init(&context->object, BYW_CL_CONTEXT);
    while (properties != NULL && properties[context->property_count] != 0) {
        cl_context_properties name = properties[context->property_count];
        cl_context_properties given = properties[context->property_count + 1];

        if (context->property_count + 3 > 16 || name < CL_CONTEXT_PLATFORM ||
            is_given(context, name)) {
            free(context);
            return byw_cl_error(error, CL_INVALID_PROPERTY);
        }
        if (name == CL_CONTEXT_PLATFORM && given != (cl_context_properties)byw_cl_platform()) {
            free(context);
            return byw_cl_error(error, CL_INVALID_PLATFORM);
        }
        memcpy(&context->properties[context->property_count], &properties[context->property_count],
               2 * sizeof(*properties));
        context->property_count += 2;
    }
    if (properties != NULL)
        context->property_count++;
    byw_cl_error(error, CL_SUCCESS);
    return context;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *data, cl_int *error)
{
    if (count == 0 || devices == NULL || (notify == NULL && data != NULL))
        return byw_cl_error(error, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        if (devices[i] != byw_cl_device())
            return byw_cl_error(error, CL_INVALID_DEVICE);
    return create(properties, error);
}

cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                   void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                             void *),
                                   void *data, cl_int *error)
{
    cl_uint found;
    cl_int code = clGetDeviceIDs(NULL, type, 0, NULL, &found);

    if (notify == NULL && data != NULL)
        return byw_cl_error(error, CL_INVALID_VALUE);
    return code == CL_SUCCESS ? create(properties, error) : byw_cl_error(error, code);
}

cl_int clGetContextInfo(cl_context context, cl_context_info name, size_t room, void *value,
                        size_t *size_ret)
{
    cl_device_id device = byw_cl_device();
    cl_uint number = 1;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        number = atomic_load(&context->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_CONTEXT_NUM_DEVICES:
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_CONTEXT_DEVICES:
        return byw_cl_info(&device, sizeof(device), room, value, size_ret);
    case CL_CONTEXT_PROPERTIES:
        return byw_cl_info(context->properties,
                           context->property_count * sizeof(context->properties[0]), room, value,
                           size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *error)
{
    cl_command_queue queue;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    if (device != byw_cl_device())
        return byw_cl_error(error, CL_INVALID_DEVICE);
    if (properties & ~(cl_command_queue_properties)(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                    CL_QUEUE_PROFILING_ENABLE))
        return byw_cl_error(error, CL_INVALID_VALUE);
    queue = calloc(1, sizeof(*queue));
    if (queue == NULL)
        return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
    byw_cl_object_init(&queue->object, BYW_CL_QUEUE);
    queue->context = context;
    queue->properties = properties;
    clRetainContext(context);
    byw_cl_error(error, CL_SUCCESS);
    return queue;
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *error)
{
    cl_command_queue_properties bits = 0;
    const cl_queue_properties *list = properties;
    cl_command_queue queue;

    for (; properties != NULL && properties[0] != 0; properties += 2) {
        if (properties[0] != CL_QUEUE_PROPERTIES)
            return byw_cl_error(error, CL_INVALID_QUEUE_PROPERTIES);
        bits = properties[1];
    }
    queue = clCreateCommandQueue(context, device, bits, error);
    if (queue != NULL && list != NULL && properties - list <= 2 * BYW_CL_PROPERTIES) {
        queue->listed = (unsigned)(properties - list) + 1;
        memcpy(queue->list, list, queue->listed * sizeof(*list));
    }
    return queue;
}

cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                 cl_bool enable, cl_command_queue_properties *old)
{
    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (old != NULL)
        *old = queue->properties;
    if (enable)
        queue->properties |= properties;
    else
        queue->properties &= ~properties;
    return CL_SUCCESS;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t room,
                             void *value, size_t *size_ret)
{
    cl_device_id device = byw_cl_device();
    cl_uint number;

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    switch (name) {
    case CL_QUEUE_CONTEXT:
        return byw_cl_info(&queue->context, sizeof(queue->context), room, value, size_ret);
    case CL_QUEUE_DEVICE:
        return byw_cl_info(&device, sizeof(device), room, value, size_ret);
    case CL_QUEUE_REFERENCE_COUNT:
        number = atomic_load(&queue->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_QUEUE_PROPERTIES:
        return byw_cl_info(&queue->properties, sizeof(queue->properties), room, value, size_ret);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return byw_cl_info(queue->list, queue->listed * sizeof(*queue->list), room, value,
                           size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clFlush(cl_command_queue queue)
{
    return byw_cl_is(queue, BYW_CL_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int clFinish(cl_command_queue queue)
{
    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    byw_cl_drain(queue);
    return CL_SUCCESS;
}
