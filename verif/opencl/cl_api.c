/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_api.c - an OpenCL program that uses the API as benchmarks do, and checks every answer.
 *
 * Prints the line of the first wrong answer and exits 1. The checks hold for any OpenCL 1.2
 * implementation, except the last part, which expects byway's refusals (skipped with the argument
 * "any").
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "cl_api: line %d: %s\n", __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char source[] =
    "typedef struct { int a; float b[3]; } record;\n"
    "kernel void ids(global int *out, int width) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "  out[((z - get_global_offset(2)) * 4 + y) * width + x] = x + 100 * y + 10000 * z\n"
    "    + 1000000 * get_work_dim(); }\n"
    "kernel void scale(global float *v, record r, local float *t) {\n"
    "  int l = get_local_id(0); t[l] = v[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  v[get_global_id(0)] = t[get_local_size(0) - 1 - l] * r.b[2] + r.a + EXTRA; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void one(global int *a) {\n"
    "  atomic_inc(a); }\n";

struct bench {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

struct record {
    cl_int a;
    cl_float b[3];
};

static void open_device(struct bench *b)
{
    cl_platform_id platform;
    cl_context_properties properties[3] = {CL_CONTEXT_PLATFORM, 0, 0};
    cl_device_id list[4];
    cl_uint count;
    cl_int code;
    char text[256];
    size_t size;

    CHECK(clGetPlatformIDs(0, NULL, &count) == CL_SUCCESS && count >= 1);
    CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(text), text, &size) == CL_SUCCESS);
    CHECK(strlen(text) + 1 == size);
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, text, NULL) == CL_INVALID_VALUE);
    properties[1] = (cl_context_properties)platform;
    b->context = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clGetContextInfo(b->context, CL_CONTEXT_DEVICES, sizeof(list), list, &size) ==
          CL_SUCCESS);
    CHECK(size >= sizeof(list[0]));
    b->device = list[0];
    CHECK(clGetDeviceInfo(b->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size), &size, NULL) ==
          CL_SUCCESS);
    CHECK(size >= 64);
    b->queue = clCreateCommandQueue(b->context, b->device, CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clCreateCommandQueue(NULL, b->device, 0, &code) == NULL && code == CL_INVALID_CONTEXT);
}

static void build_program(struct bench *b)
{
    const char *parts[2] = {source, source + 20};
    size_t lengths[2] = {20, 0};
    char log[4096];
    cl_program bad;
    cl_build_status status;
    cl_int code;

    parts[0] = "kernel void f(global int *a) { a[0] = missing; }";
    bad = clCreateProgramWithSource(b->context, 1, parts, NULL, &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clBuildProgram(bad, 0, NULL, NULL, NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(clGetProgramBuildInfo(bad, b->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL) ==
          CL_SUCCESS);
    CHECK(strstr(log, "missing") != NULL);
    CHECK(clGetProgramBuildInfo(bad, b->device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status,
                                NULL) == CL_SUCCESS);
    CHECK(status == CL_BUILD_ERROR);
    CHECK(clReleaseProgram(bad) == CL_SUCCESS);
    parts[0] = source;
    b->program = clCreateProgramWithSource(b->context, 2, parts, lengths, &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clBuildProgram(b->program, 1, &b->device, "-D EXTRA=0.5f -cl-mad-enable", NULL, NULL) ==
          CL_SUCCESS);
}

static void check_kernels(struct bench *b)
{
    cl_kernel list[3], kernel;
    cl_uint count, args;
    cl_int code;
    size_t group[3];
    char name[64];

    CHECK(clCreateKernelsInProgram(b->program, 0, NULL, &count) == CL_SUCCESS && count == 3);
    CHECK(clCreateKernelsInProgram(b->program, 3, list, NULL) == CL_SUCCESS);
    for (cl_uint i = 0; i < 3; i++) {
        CHECK(clGetKernelInfo(list[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL) ==
              CL_SUCCESS);
        CHECK(clGetKernelInfo(list[i], CL_KERNEL_NUM_ARGS, sizeof(args), &args, NULL) ==
              CL_SUCCESS);
        CHECK(args == (name[0] == 'i' ? 2 : name[0] == 's' ? 3 : 1));
        CHECK(clReleaseKernel(list[i]) == CL_SUCCESS);
    }
    CHECK(clCreateKernel(b->program, "none", &code) == NULL && code == CL_INVALID_KERNEL_NAME);
    kernel = clCreateKernel(b->program, "one", &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clGetKernelWorkGroupInfo(kernel, b->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                   sizeof(group), group, NULL) == CL_SUCCESS);
    CHECK(group[0] == 8 && group[1] == 1 && group[2] == 1);
    CHECK(clSetKernelArg(kernel, 1, 4, &count) == CL_INVALID_ARG_INDEX);
    CHECK(clSetKernelArg(kernel, 0, 4, &count) == CL_INVALID_ARG_SIZE);
    CHECK(clReleaseKernel(kernel) == CL_SUCCESS);
}

/* Checks work-item ids: offsets, three dimensions, a work-group size chosen by the
 * implementation. */
static void check_ids(struct bench *b)
{
    const size_t global[3] = {6, 4, 2}, offset[3] = {0, 0, 5}, odd[3] = {5, 4, 2};
    cl_int data[48], width = 6, code;
    cl_mem out = clCreateBuffer(b->context, CL_MEM_WRITE_ONLY, sizeof(data), NULL, &code);
    cl_kernel kernel = clCreateKernel(b->program, "ids", &code);
    cl_event event;
    cl_ulong start, end;

    CHECK(code == CL_SUCCESS && out != NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof(out), &out) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(b->queue, kernel, 3, offset, global, NULL, 0, NULL, NULL) ==
          CL_INVALID_KERNEL_ARGS);
    CHECK(clSetKernelArg(kernel, 1, sizeof(width), &width) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(b->queue, kernel, 3, offset, global, odd, 0, NULL, NULL) ==
          CL_INVALID_WORK_GROUP_SIZE);
    CHECK(clEnqueueNDRangeKernel(b->queue, kernel, 3, offset, global, NULL, 0, NULL, &event) ==
          CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(b->queue, out, CL_TRUE, 0, sizeof(data), data, 1, &event, NULL) ==
          CL_SUCCESS);
    for (int i = 0; i < 48; i++)
        CHECK(data[i] == i % 6 + 100 * (i / 6 % 4) + 10000 * (i / 24 + 5) + 3000000);
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL) ==
          CL_SUCCESS);
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL) ==
          CL_SUCCESS);
    CHECK(start <= end);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(clReleaseKernel(kernel) == CL_SUCCESS && clReleaseMemObject(out) == CL_SUCCESS);
}

/* Checks a struct by value, local memory, a buffer over host memory, and mapping. */
static void check_memory(struct bench *b)
{
    const size_t global = 64, local = 32;
    struct record record = {7, {0, 0, 2}};
    float data[64], *mapped, got;
    cl_int code;
    cl_mem v;
    cl_kernel kernel = clCreateKernel(b->program, "scale", &code);

    for (int i = 0; i < 64; i++)
        data[i] = (float)i;
    v = clCreateBuffer(b->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(data), data,
                       &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 0, sizeof(v), &v) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 1, sizeof(record), &record) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 2, 32 * sizeof(float), NULL) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(b->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) ==
          CL_SUCCESS);
    mapped = clEnqueueMapBuffer(b->queue, v, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof(data),
                                0, NULL, NULL, &code);
    CHECK(code == CL_SUCCESS && mapped == data);
    for (int i = 0; i < 64; i++)
        CHECK(mapped[i] == (float)(31 - i % 32 + i / 32 * 32) * 2 + 7.5f);
    mapped[3] = -1;
    CHECK(clEnqueueUnmapMemObject(b->queue, v, mapped, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(b->queue, v, CL_TRUE, 12, 4, &got, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(got == -1);
    CHECK(clReleaseKernel(kernel) == CL_SUCCESS && clReleaseMemObject(v) == CL_SUCCESS);
}

/* Checks fills, copies, rectangles, and sub-buffers. */
static void check_transfers(struct bench *b)
{
    const size_t from[3] = {4, 1, 0}, to[3] = {0, 0, 0}, region[3] = {8, 2, 1};
    cl_buffer_region part = {4096, 64};
    cl_int pattern = 9, data[64], box[4], code;
    cl_mem whole = clCreateBuffer(b->context, CL_MEM_READ_WRITE, 8192, NULL, &code);
    cl_mem sub = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    cl_event marker;

    CHECK(code == CL_SUCCESS);
    for (int i = 0; i < 64; i++)
        data[i] = i;
    CHECK(clEnqueueFillBuffer(b->queue, whole, &pattern, 4, 0, 8192, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueWriteBuffer(b->queue, sub, CL_TRUE, 0, 64, data, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueWriteBuffer(b->queue, sub, CL_TRUE, 8, 64, data, 0, NULL, NULL) ==
          CL_INVALID_VALUE);
    CHECK(clEnqueueCopyBuffer(b->queue, sub, whole, 4, 0, 8, 0, NULL, &marker) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &marker) == CL_SUCCESS && clReleaseEvent(marker) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(b->queue, whole, CL_TRUE, 0, 16, data, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(data[0] == 1 && data[1] == 2 && data[2] == 9);
    CHECK(clEnqueueReadBufferRect(b->queue, sub, CL_TRUE, from, to, region, 16, 0, 8, 0, box, 0,
                                  NULL, NULL) == CL_SUCCESS);
    CHECK(box[0] == 5 && box[1] == 6 && box[2] == 9 && box[3] == 10);
    CHECK(clReleaseMemObject(whole) == CL_SUCCESS && clReleaseMemObject(sub) == CL_SUCCESS);
}

/* Checks a task, a required group size, user events, and the program's binary. */
static void check_rest(struct bench *b)
{
    const size_t global = 16, local = 8;
    unsigned char *binary;
    size_t size;
    cl_int zero = 0, code, status;
    cl_mem a = clCreateBuffer(b->context, CL_MEM_COPY_HOST_PTR, 4, &zero, &code);
    cl_event user = clCreateUserEvent(b->context, &code);
    cl_kernel kernel;
    cl_program copy;

    CHECK(clGetProgramInfo(b->program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL) ==
          CL_SUCCESS);
    binary = malloc(size);
    CHECK(clGetProgramInfo(b->program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL) ==
          CL_SUCCESS);
    copy = clCreateProgramWithBinary(b->context, 1, &b->device, &size,
                                     (const unsigned char **)&binary, &status, &code);
    CHECK(code == CL_SUCCESS && status == CL_SUCCESS);
    CHECK(clBuildProgram(copy, 0, NULL, "-DEXTRA=1", NULL, NULL) == CL_SUCCESS);
    free(binary);
    kernel = clCreateKernel(copy, "one", &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 0, sizeof(a), &a) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(b->queue, kernel, 1, NULL, &global, &local, 1, &user, NULL) ==
          CL_SUCCESS);
    CHECK(clFinish(b->queue) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(b->queue, a, CL_TRUE, 0, 4, &zero, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(zero == 16);
    CHECK(clEnqueueTask(b->queue, kernel, 0, NULL, NULL) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(clEnqueueBarrierWithWaitList(b->queue, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clReleaseEvent(user) == CL_SUCCESS && clReleaseMemObject(a) == CL_SUCCESS);
    CHECK(clReleaseKernel(kernel) == CL_SUCCESS && clReleaseProgram(copy) == CL_SUCCESS);
}

static void check_refusals(struct bench *b)
{
    cl_device_partition_property half[3] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 9;
    cl_platform_id platform;

    CHECK(clCreateSubDevices(b->device, half, 0, NULL, &count) == CL_INVALID_VALUE);
    CHECK(clGetExtensionFunctionAddressForPlatform(NULL, "clIcdNone") == NULL);
    CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clIcdNone") == NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR") != NULL);
}

int main(int argc, char **argv)
{
    struct bench b;

    open_device(&b);
    build_program(&b);
    check_kernels(&b);
    check_ids(&b);
    check_memory(&b);
    check_transfers(&b);
    check_rest(&b);
    if (argc < 2 || strcmp(argv[1], "any") != 0)
        check_refusals(&b);
    CHECK(clReleaseProgram(b.program) == CL_SUCCESS);
    CHECK(clReleaseCommandQueue(b.queue) == CL_SUCCESS);
    CHECK(clReleaseContext(b.context) == CL_SUCCESS);
    return 0;
}
