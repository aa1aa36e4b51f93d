/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

#define VALUE_ALIGN 128u /* bytes: of the widest vector, double16 */
#define DEFAULT_GROUP 256u /* work-items, if the host leaves the choice to the implementation */

/* Work-group size if the host gives none: the one the kernel requires, else in each dimension in
 * turn the largest divisor of the global size that fits into DEFAULT_GROUP work-items. */
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

/* Whether the last groups may be smaller: from OpenCL C 2.0 on, unless the options forbid it. */
static bool may_differ(cl_program program)
{
    const char *options = program->frozen != NULL ? program->frozen : program->options;
    const char *std = options == NULL ? NULL : strstr(options, "-cl-std=CL");

    if (options == NULL || strstr(options, "-cl-uniform-work-group-size") != NULL)
        return false;
    return program->linked || (std != NULL && std[10] >= '2');
}

static cl_int set_range(cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *global_size, const size_t *local_size,
                        struct byw_cl_launch *launch)
{
    const struct byw_cl_code *code = kernel->code->code;
    uint64_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, items = 1;

    for (cl_uint d = 0; d < dimensions; d++) {
        global[d] = global_size[d];
        launch->offset[d] = offset == NULL ? 0 : offset[d];
        if (local_size != NULL)
            local[d] = local_size[d];
    }
    if (local_size == NULL)
        choose_group(code, global, local);
    for (int d = 0; d < 3; d++) {
        if (local[d] == 0 || global[d] / local[d] >= UINT32_MAX ||
            (global[d] % local[d] != 0 && !may_differ(kernel->program)) ||
            (code->required[0] != 0 && local[d] != code->required[d]))
            return CL_INVALID_WORK_GROUP_SIZE;
        if (local[d] > BYW_CL_GROUP_LIMIT)
            return CL_INVALID_WORK_ITEM_SIZE;
        items *= local[d];
        launch->block[d] = (uint32_t)local[d];
        launch->grid[d] = (uint32_t)((global[d] + local[d] - 1) / local[d]);
        launch->last[d] = (uint32_t)(global[d] - (launch->grid[d] - 1) * local[d]);
    }
    launch->work_dim = dimensions;
    return items > BYW_CL_GROUP_LIMIT ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

/* An enqueued launch, with a copy of its arguments. */
struct launch {
    atomic_uint holders; /* the enqueuing call, and the command if it waits */
    cl_kernel kernel;
    struct byw_cl_launch what;
    uint32_t args;
    struct held {
        cl_mem mem;
        void *value;
    } * arg;
    void **value;
};

static void drop_launch(struct launch *l)
{
    if (l == NULL || atomic_fetch_sub(&l->holders, 1) != 1)
        return;
    for (uint32_t i = 0; i < l->args && l->arg != NULL; i++)
        free(l->arg[i].value);
    free(l->arg);
    free(l->value);
    free(l);
}

/* Returns the launch of a command, whose data is the launch's address. */
static struct launch *launch_of(const void *data)
{
    struct launch *l;

    memcpy(&l, data, sizeof(l));
    return l;
}

/* Uses the same kernel of another binary of its program. */
static void take_from(const struct byw_cl_binary *binary, struct byw_cl_launch *what)
{
    const struct byw_cl_export *table = binary == NULL ? NULL : byw_cl_binary_export(binary);
    const char *name = what->kernel->code->name;

    for (unsigned i = 0; table != NULL && i < table->kernels; i++) {
        const struct byw_cl_export_kernel *kernel = byw_cl_binary_kernel(binary, i);

        if (strcmp(kernel->code->name, name) != 0)
            continue;
        what->program = table;
        what->kernel = kernel;
        return;
    }
}

/* The same kernel of the program without the log. */
static void find_plain(void *context, struct byw_cl_launch *plain)
{
    take_from(byw_cl_program_plain(context), plain);
}

/* Whether other code is needed: code made from PTX assumes that global ids start at 0, so it cannot
 * run with an offset. */
static bool needs_moved(const struct byw_cl_launch *what)
{
    return what->kernel->code->mark_at != 0 &&
           (what->offset[0] | what->offset[1] | what->offset[2]) != 0;
}

static cl_int run(void *data)
{
    struct launch *l = launch_of(data);
    bool ran;

    for (uint32_t i = 0; i < l->args; i++)
        if (l->arg[i].mem != NULL)
            byw_cl_pull(l->arg[i].mem);
    l->what.args = l->value;
    ran = byw_cl_execute(&l->what, find_plain, l->kernel->program);
    for (uint32_t i = 0; i < l->args; i++)
        if (l->arg[i].mem != NULL && (l->arg[i].mem->flags & CL_MEM_READ_ONLY) == 0)
            byw_cl_push(l->arg[i].mem);
    return ran ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static void hold(void *data, bool take)
{
    struct launch *l = launch_of(data);
    cl_int (*const change)(cl_mem) = take ? clRetainMemObject : clReleaseMemObject;

    for (uint32_t i = 0; i < l->args; i++)
        if (l->arg[i].mem != NULL)
            change(l->arg[i].mem);
    if (take) {
        atomic_fetch_add(&l->holders, 1);
        clRetainKernel(l->kernel);
    } else {
        clReleaseKernel(l->kernel);
        drop_launch(l);
    }
}

/* Copies the arguments; scratchpad arguments get their addresses here. */
static cl_int bind_args(cl_kernel kernel, struct launch *l)
{
    const struct byw_cl_code *code = kernel->code->code;
    uint64_t shared = code->shared_bytes;

    for (uint32_t i = 0; i < code->args; i++) {
        const struct byw_cl_value *value = &kernel->value[i];
        size_t room = kernel->arg[i].kind == BYW_CL_ARG_VALUE ? kernel->arg[i].size : 8;

        if (!value->set)
            return CL_INVALID_KERNEL_ARGS;
        room = (room + 63) & ~(size_t)63;
        l->arg[i].mem = value->mem;
        l->arg[i].value = l->value[i] =
            aligned_alloc(VALUE_ALIGN, (room + VALUE_ALIGN - 1) & ~(size_t)(VALUE_ALIGN - 1));
        if (l->value[i] == NULL)
            return CL_OUT_OF_HOST_MEMORY;
        memcpy(l->value[i], value->data, room);
        if (kernel->arg[i].kind == BYW_CL_ARG_LOCAL) {
            uint64_t address;

            shared = (shared + BYW_CL_SHARED_ALIGN - 1) & ~(BYW_CL_SHARED_ALIGN - 1);
            address = BYW_CL_SHARED_BASE + shared;
            memcpy(l->value[i], &address, sizeof(address));
            shared += value->size;
        }
    }
    l->what.shared_bytes = byw_cl_shared_bytes(kernel);
    if (l->what.shared_bytes <= BYW_CL_SHARED_OFFERED)
        return CL_SUCCESS;
    byw_cl_say("kernel %s needs %u bytes of local memory, the device has %u", code->name,
               l->what.shared_bytes, BYW_CL_SHARED_OFFERED);
    return CL_OUT_OF_RESOURCES;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_command_type type,
                     const struct byw_cl_launch *what, cl_uint count, const cl_event *list,
                     cl_event *event)
{
    struct launch *l = calloc(1, sizeof(*l));
    struct byw_cl_task task = {
        .type = type, .run = run, .hold = hold, .data = &l, .size = sizeof(l)};
    cl_int code;

    if (l == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    atomic_init(&l->holders, 1);
    l->kernel = kernel;
    l->what = *what;
    l->args = kernel->code->code->args;
    l->arg = calloc(l->args + 1u, sizeof(*l->arg));
    l->value = calloc(l->args + 1u, sizeof(*l->value));
    l->what.program = byw_cl_binary_export(kernel->program->binary);
    l->what.kernel = kernel->code;
    if (needs_moved(&l->what))
        take_from(byw_cl_program_moved(kernel->program), &l->what);
    code = l->arg == NULL || l->value == NULL ? CL_OUT_OF_HOST_MEMORY : bind_args(kernel, l);
    if (code == CL_SUCCESS)
        code = byw_cl_submit(queue, &task, count, list, event);
    drop_launch(l);
    return code;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *event)
{
    const struct byw_cl_task nothing = {.type = CL_COMMAND_NDRANGE_KERNEL};
    struct byw_cl_launch what = {0};
    cl_int code;

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (queue->context != kernel->program->context)
        return CL_INVALID_CONTEXT;
    if (dimensions < 1 || dimensions > 3)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint d = 0; d < dimensions; d++)
        if (global == NULL || global[d] == 0) /* no work-items, allowed since OpenCL 2.1 */
            return byw_cl_submit(queue, &nothing, count, list, event);
    code = set_range(kernel, dimensions, offset, global, local, &what);
    if (code != CL_SUCCESS)
        return code;
    return launch(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, &what, count, list, event);
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *list,
                     cl_event *event)
{
    const struct byw_cl_launch what = {
        .work_dim = 1, .grid = {1, 1, 1}, .block = {1, 1, 1}, .last = {1, 1, 1}};

    if (!byw_cl_is(queue, BYW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!byw_cl_is(kernel, BYW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (queue->context != kernel->program->context)
        return CL_INVALID_CONTEXT;
    for (int d = 0; d < 3; d++)
        if (kernel->code->code->required[d] > 1)
            return CL_INVALID_WORK_GROUP_SIZE;
    return launch(queue, kernel, CL_COMMAND_TASK, &what, count, list, event);
}
