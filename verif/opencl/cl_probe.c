/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_probe.c - an ordinary OpenCL program that launches one kernel, as its arguments say.
 *
 *     cl_probe FILE.cl KERNEL GLOBAL LOCAL DUMP ARGUMENT ...
 *     cl_probe FILE.cl                                           builds the program only
 *
 * GLOBAL and LOCAL: sizes as X, X,Y or X,Y,Z; LOCAL may be "-". DUMP: file for all buffers after
 * the launch, "-" for none. Arguments: b:N buffer of N ints 0, 1, 2 ...; f:N the same as floats;
 * i:V int; l:N N bytes of local memory; p:N image of N x N floats. CL_PROBE_OPTIONS: compiler
 * options. On an OpenCL error it prints the failing call and exits with status 3.
 *
 * CL_PROBE_CACHE: file that keeps the built program. If it exists, the program is created from it
 * and the source is not built, as PyOpenCL does. With CL_PROBE_LINK the program is compiled and
 * linked in two steps, so that the file holds bitcode.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS_MOST 16

struct probe {
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer[ARGS_MOST];
    size_t size[ARGS_MOST];
    int buffers;
};

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "cl_probe: %s: error %d\n", call, code);
    exit(3);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);

    if (file == NULL || text == NULL || fread(text, 1, (1 << 20) - 1, file) == 0) {
        fprintf(stderr, "cl_probe: %s: cannot read\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

static cl_uint parse_sizes(const char *text, size_t size[3])
{
    cl_uint count = 0;

    while (count < 3 && *text != '\0') {
        char *end;

        size[count++] = strtoul(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

static cl_program from_cache(struct probe *p, const char *path, cl_device_id device)
{
    static unsigned char data[1 << 20];
    const unsigned char *binary = data;
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    size_t size;
    cl_program program;
    cl_int code;

    if (file == NULL)
        return NULL;
    size = fread(data, 1, sizeof(data), file);
    fclose(file);
    program = clCreateProgramWithBinary(p->context, 1, &device, &size, &binary, NULL, &code);
    check(code, "clCreateProgramWithBinary");
    return program;
}

static void keep(cl_program program, const char *path)
{
    static unsigned char data[1 << 20];
    unsigned char *binary = data;
    FILE *file = fopen(path, "wb");
    size_t size;

    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL), "sizes");
    if (file == NULL || size > sizeof(data))
        exit(2);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL), "binary");
    fwrite(data, 1, size, file);
    fclose(file);
}

static void build(struct probe *p, const char *path, const char *name)
{
    const char *options = getenv("CL_PROBE_OPTIONS");
    char *source = read_text(path), log[8192] = "";
    const char *text = source, *cache = getenv("CL_PROBE_CACHE");
    cl_platform_id platform;
    cl_device_id device;
    cl_program program;
    bool cached;
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    p->context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    p->queue = clCreateCommandQueue(p->context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    program = from_cache(p, cache, device);
    cached = program != NULL;
    if (!cached)
        program = clCreateProgramWithSource(p->context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    if (!cached && getenv("CL_PROBE_LINK") != NULL) {
        cl_program part = program;

        check(clCompileProgram(part, 1, &device, options != NULL ? options : "-DPROBE=1", 0, NULL,
                               NULL, NULL, NULL),
              "clCompileProgram");
        program = clLinkProgram(p->context, 1, &device, "", 1, &part, NULL, NULL, &code);
    } else {
        code = clBuildProgram(program, 1, &device, options != NULL ? options : "-DPROBE=1", NULL,
                              NULL);
    }
    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(code, "clBuildProgram");
    if (name != NULL) {
        p->kernel = clCreateKernel(program, name, &code);
        check(code, "clCreateKernel");
    }
    if (cache != NULL && !cached)
        keep(program, cache);
    free(source);
}

static void add_buffer(struct probe *p, cl_uint index, size_t count, int as_float)
{
    cl_int code, *data = calloc(count, sizeof(*data));

    if (data == NULL)
        exit(2);
    for (size_t i = 0; i < count; i++) {
        cl_float value = (cl_float)i;

        data[i] = (cl_int)i;
        if (as_float)
            memcpy(&data[i], &value, sizeof(value));
    }
    p->size[p->buffers] = count * sizeof(*data);
    p->buffer[p->buffers] = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                           p->size[p->buffers], data, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(p->kernel, index, sizeof(cl_mem), &p->buffer[p->buffers]),
          "clSetKernelArg");
    p->buffers++;
    free(data);
}

static void add_image(struct probe *p, cl_uint index, size_t side)
{
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side, .image_height = side};
    cl_int code;
    cl_mem image = clCreateImage(p->context, CL_MEM_READ_ONLY, &format, &desc, NULL, &code);

    check(code, "clCreateImage");
    check(clSetKernelArg(p->kernel, index, sizeof(image), &image), "clSetKernelArg");
}

static void set_arg(struct probe *p, cl_uint index, const char *text)
{
    long value = strtol(text + 2, NULL, 10);
    cl_int number = (cl_int)value;

    if (text[0] == 'b' || text[0] == 'f')
        add_buffer(p, index, (size_t)value, text[0] == 'f');
    else if (text[0] == 'p')
        add_image(p, index, (size_t)value);
    else if (text[0] == 'l')
        check(clSetKernelArg(p->kernel, index, (size_t)value, NULL), "clSetKernelArg");
    else
        check(clSetKernelArg(p->kernel, index, sizeof(number), &number), "clSetKernelArg");
}

static void dump(struct probe *p, const char *path)
{
    FILE *file = fopen(path, "wb");

    for (int i = 0; i < p->buffers && file != NULL; i++) {
        void *data = malloc(p->size[i]);

        check(clEnqueueReadBuffer(p->queue, p->buffer[i], CL_TRUE, 0, p->size[i], data, 0, NULL,
                                  NULL),
              "clEnqueueReadBuffer");
        fwrite(data, 1, p->size[i], file);
        free(data);
    }
    if (file == NULL || fclose(file) != 0)
        exit(2);
}

int main(int argc, char **argv)
{
    struct probe p = {0};
    size_t global[3], local[3];
    cl_uint dimensions;
    cl_event event;

    if (argc == 2)
        build(&p, argv[1], NULL);
    if (argc < 6 || argc > 6 + ARGS_MOST)
        return argc == 2 ? 0 : 2;
    build(&p, argv[1], argv[2]);
    for (int i = 6; i < argc; i++)
        set_arg(&p, (cl_uint)(i - 6), argv[i]);
    dimensions = parse_sizes(argv[3], global);
    parse_sizes(argv[4], local);
    check(clEnqueueNDRangeKernel(p.queue, p.kernel, dimensions, NULL, global,
                                 argv[4][0] == '-' ? NULL : local, 0, NULL, &event),
          "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    if (argv[5][0] != '-')
        dump(&p, argv[5]);
    return 0;
}
