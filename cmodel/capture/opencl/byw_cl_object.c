/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

void byw_cl_object_init(struct byw_cl_object *object, enum byw_cl_kind_of_object kind)
{
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
