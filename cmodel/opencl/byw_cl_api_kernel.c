/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels, their arguments, and launches.
 */
#include <stdlib.h>
#include <string.h>

#include "opencl/byw_cl.h"

#define WARP 32u
#define SHARED_ALIGN 128ull /* of the largest vector, and a GPU's unit of allocation */
#define DEFAULT_GROUP 256u /* work-items, when the host leaves the choice to us */

static cl_kernel create(cl_program program, const struct byw_cl_export_kernel *code)
{
    cl_kernel kernel = calloc(1, sizeof(*kernel));

    if (kernel == NULL)
        return NULL;
    byw_cl_object_init(&kernel->object, BYW_CL_KERNEL);
    kernel->program = program;
    kernel->code = code;
    kernel->arg = byw_cl_code_at(code->code, code->code->arg_at);
    kernel->value = calloc(code->code->args + 1u, sizeof(*kernel->value));
    if (kernel->value == NULL) {
        free(kernel);
        return NULL;
    }
    clRetainProgram(program);
    return kernel;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return byw_cl_error(error, CL_INVALID_PROGRAM);
    if (program->binary == NULL)
        return byw_cl_error(error, CL_INVALID_PROGRAM_EXECUTABLE);
    if (name == NULL)
        return byw_cl_error(error, CL_INVALID_VALUE);
    for (unsigned i = 0; i < byw_cl_binary_export(program->binary)->kernels; i++) {
        const struct byw_cl_export_kernel *code = byw_cl_binary_kernel(program->binary, i);

        if (strcmp(code->code->name, name) == 0) {
            cl_kernel kernel = create(program, code);

            byw_cl_error(error, kernel == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS);
            return kernel;
        }
    }
    byw_cl_say("clCreateKernel: no kernel %s in the program%s%s", name,
               *program->log == '\0' ? "" : "; its build log: ", program->log);
    return byw_cl_error(error, CL_INVALID_KERNEL_NAME);
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                cl_uint *found)
{
    cl_uint count;

    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (program->binary == NULL)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    count = (cl_uint)byw_cl_binary_export(program->binary)->kernels;
    if (found != NULL)
        *found = count;
    if (kernels == NULL)
        return CL_SUCCESS;
    if (room < count)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        kernels[i] = create(program, byw_cl_binary_kernel(program->binary, i));
        if (kernels[i] == NULL)
            return CL_OUT_OF_HOST_MEMORY;
    }
    return CL_SUCCESS;
}

cl_int clRetainKernel(cl_kernel kernel)
{
    return byw_cl_retain(kernel, BYW_CL_KERNEL, CL_INVALID_KERNEL);
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (byw_cl_drop(&kernel->object)) {
        for (uint32_t i = 0; i < kernel->code->code->args; i++)
            free(kernel->value[i].data);
        free(kernel->value);
        clReleaseProgram(kernel->program);
        free(kernel);
    }
    return CL_SUCCESS;
}

/* The buffer's device address is what the kernel gets. */
static cl_int set_buffer(struct byw_cl_value *value, size_t size, const void *data)
{
    cl_mem mem = NULL;
    void *address = NULL;

    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (data != NULL)
        memcpy(&mem, data, sizeof(mem));
    if (mem != NULL && !byw_cl_is(mem, BYW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (mem != NULL)
        address = mem->data;
    memcpy(value->data, &address, sizeof(address));
    return CL_SUCCESS;
}

static cl_int set_value(const struct byw_cl_arg *arg, struct byw_cl_value *value, size_t size,
                        const void *data)
{
    if (arg->kind == BYW_CL_ARG_LOCAL) {
        if (data != NULL)
            return CL_INVALID_ARG_VALUE;
        if (size == 0)
            return CL_INVALID_ARG_SIZE;
        value->size = size;
        return CL_SUCCESS;
    }
    if (arg->kind != BYW_CL_ARG_VALUE)
        return set_buffer(value, size, data);
    if (data == NULL)
        return CL_INVALID_ARG_VALUE;
    if (size != arg->size)
        return CL_INVALID_ARG_SIZE;
    memcpy(value->data, data, size);
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *data)
{
    const struct byw_cl_arg *arg;
    struct byw_cl_value *value;
    cl_int code;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->code->code->args)
        return CL_INVALID_ARG_INDEX;
    arg = &kernel->arg[index];
    value = &kernel->value[index];
    if (arg->kind == BYW_CL_ARG_OTHER) {
        byw_cl_say("clSetKernelArg: kernel %s, argument %u: type %s is not supported",
                   kernel->code->code->name, index, arg->type);
        return CL_INVALID_ARG_VALUE;
    }
    if (value->data == NULL) {
        size_t room = arg->kind == BYW_CL_ARG_VALUE ? arg->size : sizeof(void *);

        value->data = calloc(1, (room + 63) & ~(size_t)63);
        if (value->data == NULL)
            return CL_OUT_OF_HOST_MEMORY;
    }
    code = set_value(arg, value, size, data);
    value->set |= code == CL_SUCCESS;
    return code;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *value,
                       size_t *size_ret)
{
    cl_context context;
    cl_uint number;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    context = kernel->program->context;
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
        return byw_cl_info_string(kernel->code->code->name, room, value, size_ret);
    case CL_KERNEL_NUM_ARGS:
        number = kernel->code->code->args;
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_KERNEL_REFERENCE_COUNT:
        number = atomic_load(&kernel->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_KERNEL_CONTEXT:
        return byw_cl_info(&context, sizeof(context), room, value, size_ret);
    case CL_KERNEL_PROGRAM:
        return byw_cl_info(&kernel->program, sizeof(kernel->program), room, value, size_ret);
    case CL_KERNEL_ATTRIBUTES:
        return byw_cl_info_string("", room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t room,
                          void *value, size_t *size_ret)
{
    static const cl_kernel_arg_address_qualifier spaces[] = {
        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_GLOBAL};
    const cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
    const cl_kernel_arg_type_qualifier type = CL_KERNEL_ARG_TYPE_NONE;
    const struct byw_cl_arg *arg;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->code->code->args)
        return CL_INVALID_ARG_INDEX;
    arg = &kernel->arg[index];
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return byw_cl_info(&spaces[arg->kind], sizeof(spaces[0]), room, value, size_ret);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return byw_cl_info(&access, sizeof(access), room, value, size_ret);
    case CL_KERNEL_ARG_TYPE_NAME:
        return byw_cl_info_string(arg->type, room, value, size_ret);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return byw_cl_info(&type, sizeof(type), room, value, size_ret);
    case CL_KERNEL_ARG_NAME:
        return byw_cl_info_string(arg->name, room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

/* Scratchpad a launch needs: static variables, then the arguments in order. */
static uint32_t shared_bytes(cl_kernel kernel)
{
    const struct byw_cl_code *code = kernel->code->code;
    uint64_t bytes = code->shared_bytes;

    for (uint32_t i = 0; i < code->args; i++)
        if (kernel->arg[i].kind == BYW_CL_ARG_LOCAL)
            bytes = ((bytes + SHARED_ALIGN - 1) & ~(SHARED_ALIGN - 1)) + kernel->value[i].size;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t room, void *value,
                                size_t *size_ret)
{
    const struct byw_cl_code *code;
    size_t size[3];
    cl_ulong bytes;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (device != NULL && device != byw_cl_device())
        return CL_INVALID_DEVICE;
    code = kernel->code->code;
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        size[0] = BYW_CL_GROUP_LIMIT;
        return byw_cl_info(size, sizeof(size[0]), room, value, size_ret);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        for (int d = 0; d < 3; d++)
            size[d] = code->required[d];
        return byw_cl_info(size, sizeof(size), room, value, size_ret);
    case CL_KERNEL_LOCAL_MEM_SIZE:
        bytes = shared_bytes(kernel);
        return byw_cl_info(&bytes, sizeof(bytes), room, value, size_ret);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        size[0] = WARP;
        return byw_cl_info(size, sizeof(size[0]), room, value, size_ret);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        bytes = code->private_bytes;
        return byw_cl_info(&bytes, sizeof(bytes), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

/* Work-group size when the host gives none: what the kernel requires, else in each dimension in
 * turn the largest divisor of the global size that still fits into DEFAULT_GROUP work-items. */
static void choose_group(const struct byw_cl_code *code, const uint64_t global[3],
                         uint64_t local[3])
{
    uint64_t left = DEFAULT_GROUP;

    for (int d = 0; d < 3; d++) {
        if (code->required[0] != 0) {
            local[d] = code->required[d];
            continue;
        }
        local[d] = global[d] < left ? global[d] : left;
        while (local[d] > 1 && global[d] % local[d] != 0)
            local[d]--;
        left /= local[d] == 0 ? 1 : local[d];
    }
}

static cl_int set_range(const struct byw_cl_code *code, cl_uint dimensions, const size_t *offset,
                        const size_t *global_size, const size_t *local_size,
                        struct byw_cl_launch *launch)
{
    uint64_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, items = 1;

    for (cl_uint d = 0; d < dimensions; d++) {
        global[d] = global_size[d];
        launch->offset[d] = offset == NULL ? 0 : offset[d];
        if (local_size != NULL)
            local[d] = local_size[d];
        if (global[d] == 0)
            return CL_INVALID_GLOBAL_WORK_SIZE;
    }
    if (local_size == NULL)
        choose_group(code, global, local);
    for (int d = 0; d < 3; d++) {
        if (local[d] == 0 || global[d] % local[d] != 0 || global[d] / local[d] > UINT32_MAX ||
            (code->required[0] != 0 && local[d] != code->required[d]))
            return CL_INVALID_WORK_GROUP_SIZE;
        if (local[d] > BYW_CL_GROUP_LIMIT)
            return CL_INVALID_WORK_ITEM_SIZE;
        items *= local[d];
        launch->block[d] = (uint32_t)local[d];
        launch->grid[d] = (uint32_t)(global[d] / local[d]);
    }
    launch->work_dim = dimensions;
    return items > BYW_CL_GROUP_LIMIT ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

/* Arguments as run() takes them; scratchpad ones get their addresses here. */
static cl_int bind_args(cl_kernel kernel, void **args, struct byw_cl_launch *launch)
{
    const struct byw_cl_code *code = kernel->code->code;
    uint64_t shared = code->shared_bytes;

    for (uint32_t i = 0; i < code->args; i++) {
        struct byw_cl_value *value = &kernel->value[i];

        if (!value->set)
            return CL_INVALID_KERNEL_ARGS;
        if (kernel->arg[i].kind == BYW_CL_ARG_LOCAL) {
            uint64_t address;

            shared = (shared + SHARED_ALIGN - 1) & ~(SHARED_ALIGN - 1);
            address = BYW_CL_SHARED_BASE + shared;
            memcpy(value->data, &address, sizeof(address));
            shared += value->size;
        }
        args[i] = value->data;
    }
    launch->args = args;
    launch->shared_bytes = shared_bytes(kernel);
    if (launch->shared_bytes <= BYW_CL_SHARED_OFFERED)
        return CL_SUCCESS;
    byw_cl_say("kernel %s needs %u bytes of local memory, the device has %u", code->name,
               launch->shared_bytes, BYW_CL_SHARED_OFFERED);
    return CL_OUT_OF_RESOURCES;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *event)
{
    struct byw_cl_launch launch = {0};
    cl_ulong start = byw_cl_now();
    void **args;
    cl_int code;

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (queue->context != kernel->program->context)
        return CL_INVALID_CONTEXT;
    if (dimensions < 1 || dimensions > 3)
        return CL_INVALID_WORK_DIMENSION;
    if (global == NULL)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    code = byw_cl_check_wait(count, list);
    if (code == CL_SUCCESS)
        code = set_range(kernel->code->code, dimensions, offset, global, local, &launch);
    if (code != CL_SUCCESS)
        return code;
    args = calloc(kernel->code->code->args + 1u, sizeof(*args));
    if (args == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    launch.program = byw_cl_binary_export(kernel->program->binary);
    launch.kernel = kernel->code;
    code = bind_args(kernel, args, &launch);
    if (code == CL_SUCCESS)
        code = byw_cl_execute(&launch);
    free(args);
    return code == CL_SUCCESS
               ? byw_cl_finish_command(queue, CL_COMMAND_NDRANGE_KERNEL, start, event)
               : code;
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *list,
                     cl_event *event)
{
    const size_t one = 1;

    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, count, list, event);
}
