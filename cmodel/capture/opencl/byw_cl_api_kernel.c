/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and their arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

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
    atomic_fetch_add(&program->kernels, 1);
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
        atomic_fetch_sub(&kernel->program->kernels, 1);
        clReleaseProgram(kernel->program);
        free(kernel);
    }
    return CL_SUCCESS;
}

/* The kernel gets the buffer's device address. */
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
    if (mem != NULL && mem->type != CL_MEM_OBJECT_BUFFER)
        return CL_INVALID_ARG_VALUE;
    if (mem != NULL)
        address = mem->data;
    value->mem = mem;
    memcpy(value->data, &address, sizeof(address));
    return CL_SUCCESS;
}

static cl_int set_image(const struct byw_cl_arg *arg, struct byw_cl_value *value, size_t size,
                        const void *data)
{
    cl_mem mem = NULL;
    const struct byw_cl_image *image;

    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (data != NULL)
        memcpy(&mem, data, sizeof(mem));
    if (!byw_cl_is(mem, BYW_CL_MEM) || mem->type == CL_MEM_OBJECT_BUFFER)
        return CL_INVALID_MEM_OBJECT;
    if ((strcmp(arg->access, "write_only") == 0 && (mem->flags & CL_MEM_READ_ONLY)) ||
        (strcmp(arg->access, "read_only") == 0 && (mem->flags & CL_MEM_WRITE_ONLY)))
        return CL_INVALID_ARG_VALUE;
    image = &mem->image;
    value->mem = mem;
    memcpy(value->data, &image, sizeof(image));
    return CL_SUCCESS;
}

static cl_int set_sampler(struct byw_cl_value *value, size_t size, const void *data)
{
    cl_sampler sampler = NULL;
    uint64_t bits;

    if (size != sizeof(cl_sampler))
        return CL_INVALID_ARG_SIZE;
    if (data != NULL)
        memcpy(&sampler, data, sizeof(sampler));
    if (!byw_cl_is(sampler, BYW_CL_SAMPLER))
        return CL_INVALID_SAMPLER;
    bits = byw_cl_sampler_bits(sampler);
    memcpy(value->data, &bits, sizeof(bits));
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
    if (arg->kind == BYW_CL_ARG_IMAGE)
        return set_image(arg, value, size, data);
    if (arg->kind == BYW_CL_ARG_SAMPLER)
        return set_sampler(value, size, data);
    if (arg->kind != BYW_CL_ARG_VALUE)
        return set_buffer(value, size, data);
    if (data == NULL)
        return CL_INVALID_ARG_VALUE;
    if (size != arg->size && size != arg->least && arg->least != 0)
        return CL_INVALID_ARG_SIZE;
    memcpy(value->data, data, size < arg->size ? size : arg->size);
    return CL_SUCCESS;
}

/* Finds an argument's value and allocates room for it. */
static cl_int find_value(cl_kernel kernel, cl_uint index, struct byw_cl_value **found)
{
    const struct byw_cl_arg *arg;
    struct byw_cl_value *value;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->code->code->args)
        return CL_INVALID_ARG_INDEX;
    arg = &kernel->arg[index];
    *found = value = &kernel->value[index];
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
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *data)
{
    struct byw_cl_value *value;
    cl_int code = find_value(kernel, index, &value);

    if (code != CL_SUCCESS)
        return code;
    code = set_value(&kernel->arg[index], value, size, data);
    value->set |= code == CL_SUCCESS;
    return code;
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    struct byw_cl_value *value;
    cl_int code = find_value(kernel, index, &value);

    if (code != CL_SUCCESS)
        return code;
    if (kernel->arg[index].kind != BYW_CL_ARG_GLOBAL &&
        kernel->arg[index].kind != BYW_CL_ARG_CONSTANT)
        return CL_INVALID_ARG_VALUE;
    value->mem = NULL;
    memcpy(value->data, &pointer, sizeof(pointer));
    value->set = true;
    return CL_SUCCESS;
}

/* Accepted and ignored: memory that a kernel reaches through pointers need not be declared here. */
cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                           const void *value)
{
    cl_bool system;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS) /* an empty list is allowed */
        return size % sizeof(void *) == 0 && (value == NULL) == (size == 0) ? CL_SUCCESS
                                                                            : CL_INVALID_VALUE;
    if (value == NULL)
        return CL_INVALID_VALUE;
    if (name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM || size != sizeof(system))
        return CL_INVALID_VALUE;
    memcpy(&system, value, sizeof(system));
    return system ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                               size_t input_size, const void *input, size_t room, void *value,
                               size_t *size_ret)
{
    size_t warp = byw_cl_warp_size(), items = 1, dimensions = input_size / sizeof(size_t), want;
    size_t local[3] = {1, 1, 1}, result = BYW_CL_GROUP_LIMIT / warp;
    const bool range = name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ||
                       name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;

    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (device != NULL && device != byw_cl_device())
        return CL_INVALID_DEVICE;
    if (range && (input == NULL || dimensions < 1 || dimensions > 3))
        return CL_INVALID_VALUE;
    if (range)
        memcpy(local, input, dimensions * sizeof(size_t));
    items = local[0] * local[1] * local[2];
    if (name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE) {
        result = items < warp ? items : warp;
    } else if (name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE) {
        result = (items + warp - 1) / warp;
    } else if (name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT) {
        if (input == NULL || input_size != sizeof(want))
            return CL_INVALID_VALUE;
        memcpy(&want, input, sizeof(want));
        local[0] = want <= BYW_CL_GROUP_LIMIT / warp ? want * warp : 0;
        local[1] = local[2] = local[0] != 0;
        return byw_cl_info(local, room / sizeof(size_t) < 3 && room != 0 ? room : sizeof(local),
                           room, value, size_ret);
    } else if (name == CL_KERNEL_COMPILE_NUM_SUB_GROUPS) {
        result = 0;
    } else if (name != CL_KERNEL_MAX_NUM_SUB_GROUPS) {
        return CL_INVALID_VALUE;
    }
    return byw_cl_info(&result, sizeof(result), room, value, size_ret);
}

/* The group size that a kernel's attributes require. */
static cl_int attributes(const struct byw_cl_code *code, size_t room, void *value, size_t *size_ret)
{
    char text[64] = "";

    if (code->required[0] != 0)
        snprintf(text, sizeof(text), "reqd_work_group_size(%u,%u,%u)", code->required[0],
                 code->required[1], code->required[2]);
    return byw_cl_info_string(text, room, value, size_ret);
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
        return attributes(kernel->code->code, room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t room,
                          void *value, size_t *size_ret)
{
    static const cl_kernel_arg_address_qualifier spaces[] = {
        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_LOCAL,   CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_PRIVATE,
        CL_KERNEL_ARG_ADDRESS_PRIVATE};
    cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
    cl_kernel_arg_type_qualifier type = CL_KERNEL_ARG_TYPE_NONE;
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
        if (arg->kind == BYW_CL_ARG_IMAGE)
            access = strcmp(arg->access, "write_only") == 0   ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
                     : strcmp(arg->access, "read_write") == 0 ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                                              : CL_KERNEL_ARG_ACCESS_READ_ONLY;
        return byw_cl_info(&access, sizeof(access), room, value, size_ret);
    case CL_KERNEL_ARG_TYPE_NAME:
        return byw_cl_info_string(arg->type, room, value, size_ret);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        if (strstr(arg->qualifier, "const") != NULL)
            type |= CL_KERNEL_ARG_TYPE_CONST;
        if (strstr(arg->qualifier, "restrict") != NULL)
            type |= CL_KERNEL_ARG_TYPE_RESTRICT;
        if (strstr(arg->qualifier, "volatile") != NULL)
            type |= CL_KERNEL_ARG_TYPE_VOLATILE;
        return byw_cl_info(&type, sizeof(type), room, value, size_ret);
    case CL_KERNEL_ARG_NAME:
        return byw_cl_info_string(arg->name, room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

/* Scratchpad that a launch needs: static variables, then the arguments in order. */
uint32_t byw_cl_shared_bytes(cl_kernel kernel)
{
    const struct byw_cl_code *code = kernel->code->code;
    uint64_t bytes = code->shared_bytes;

    for (uint32_t i = 0; i < code->args; i++)
        if (kernel->arg[i].kind == BYW_CL_ARG_LOCAL)
            bytes = ((bytes + BYW_CL_SHARED_ALIGN - 1) & ~(BYW_CL_SHARED_ALIGN - 1)) +
                    kernel->value[i].size;
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
        bytes = byw_cl_shared_bytes(kernel);
        return byw_cl_info(&bytes, sizeof(bytes), room, value, size_ret);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        size[0] = byw_cl_warp_size();
        return byw_cl_info(size, sizeof(size[0]), room, value, size_ret);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        bytes = code->private_bytes;
        return byw_cl_info(&bytes, sizeof(bytes), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}
