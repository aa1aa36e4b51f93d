/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs. A "binary" is a magic line, a line with the build options, and the source; the compiled
 * form is in the cache. The binary of objects and linked programs is bitcode.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_opencl.h"
#include "capture/opencl/byw_cl.h"

#define MAGIC "BYWCL2\n"
#define MAGIC_CODE                                                                                 \
    "BYWBC1\n" /* then 'o' for an object or 'l' for a linked program, then bitcode                 \
                */

cl_program byw_cl_program_create(cl_context context, char *source, cl_int *error)
{
    cl_program program = calloc(1, sizeof(*program));

    if (program == NULL || source == NULL) {
        free(program);
        free(source);
        return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    byw_cl_object_init(&program->object, BYW_CL_PROGRAM);
    program->context = context;
    program->source = source;
    program->status = CL_BUILD_NONE;
    clRetainContext(context);
    byw_cl_error(error, CL_SUCCESS);
    return program;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *error)
{
    size_t size = 0, at = 0;
    char *source;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    if (count == 0 || strings == NULL)
        return byw_cl_error(error, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++) {
        if (strings[i] == NULL)
            return byw_cl_error(error, CL_INVALID_VALUE);
        size += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
    }
    source = malloc(size + 1);
    for (cl_uint i = 0; i < count && source != NULL; i++) {
        size_t length = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);

        /* The length may include a NUL: some hosts read one byte more than the file has. */
        length = strnlen(strings[i], length);
        memcpy(source + at, strings[i], length);
        at += length;
    }
    if (source != NULL)
        source[at] = '\0';
    return byw_cl_program_create(context, source, error);
}

/* Parses the output of copy_binary(); NULL if the text is something else. */
static cl_program from_binary(cl_context context, const unsigned char *data, size_t size,
                              cl_int *error)
{
    size_t head = strlen(MAGIC);
    const unsigned char *end;
    cl_program program;

    if (size > head + 1 && memcmp(data, MAGIC_CODE, head) == 0) {
        program = byw_cl_program_create(context, strdup(""), error);
        if (program == NULL)
            return NULL;
        program->linked = data[head] == 'l';
        program->code.size = size - head - 1;
        program->code.data = malloc(program->code.size);
        if (program->code.data == NULL) {
            clReleaseProgram(program);
            return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
        }
        memcpy(program->code.data, data + head + 1, program->code.size);
        return program;
    }
    end = size < head || memcmp(data, MAGIC, head) != 0 ? NULL
                                                        : memchr(data + head, '\n', size - head);
    if (end == NULL)
        return byw_cl_error(error, CL_INVALID_BINARY);
    end++;
    program = byw_cl_program_create(context,
                                    strndup((const char *)end, size - (size_t)(end - data)), error);
    if (program != NULL)
        program->frozen = strndup((const char *)data + head, (size_t)(end - data) - head - 1);
    return program;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries,
                                     cl_int *statuses, cl_int *error)
{
    cl_program program;
    cl_int code = CL_SUCCESS;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    if (count != 1 || devices == NULL || lengths == NULL || binaries == NULL)
        return byw_cl_error(error, CL_INVALID_VALUE);
    if (devices[0] != byw_cl_device())
        return byw_cl_error(error, CL_INVALID_DEVICE);
    if (binaries[0] == NULL || lengths[0] == 0) {
        if (statuses != NULL)
            statuses[0] = CL_INVALID_VALUE;
        return byw_cl_error(error, CL_INVALID_VALUE);
    }
    program = from_binary(context, binaries[0], lengths[0], &code);
    if (code == CL_INVALID_BINARY)
        byw_cl_say("clCreateProgramWithBinary: the binary was made by another OpenCL "
                   "implementation; byway needs the source");
    if (statuses != NULL)
        statuses[0] = code;
    byw_cl_error(error, code);
    return program;
}

cl_int clRetainProgram(cl_program program)
{
    return byw_cl_retain(program, BYW_CL_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int clReleaseProgram(cl_program program)
{
    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (byw_cl_drop(&program->object)) {
        byw_cl_binary_free(program->binary);
        byw_cl_binary_free(program->plain);
        byw_cl_binary_free(program->moved);
        clReleaseContext(program->context);
        free(program->source);
        free(program->options);
        free(program->frozen);
        free(program->log);
        free(program->code.data);
        free(program);
    }
    return CL_SUCCESS;
}

/* The log that a program sees: clang's messages, then the runtime's. */
static void set_log(cl_program program, char *log, const char *remark)
{
    size_t size = (log == NULL ? 0 : strlen(log)) + strlen(remark) + 2;

    free(program->log);
    program->log = calloc(1, size);
    if (program->log != NULL) {
        if (log != NULL)
            strcat(program->log, log);
        if (*remark != '\0')
            strcat(strcat(program->log, remark), "\n");
    }
    free(log);
}

/* Reports why a program does not build: the first error among clang's messages. */
static void refuse(cl_program program, enum byw_status status, const struct byw_diag *diag)
{
    const char *error = program->log == NULL ? NULL : strstr(program->log, "error: ");
    char why[400];

    if (status == BYW_EFORMAT && error != NULL)
        snprintf(why, sizeof(why), "%.200s: %.*s", diag->text, (int)strcspn(error, "\n"), error);
    else
        snprintf(why, sizeof(why), "%.390s", diag->text);
    byw_cl_refuse(why, status == BYW_EIO);
}

bool byw_cl_program_note(cl_program program, const char *options, char *log, enum byw_status status,
                         const struct byw_diag *diag)
{
    char *copy = strdup(options == NULL ? "" : options);

    free(program->options);
    program->options = copy;
    set_log(program, log, diag->text);
    program->status = status == BYW_OK ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (status != BYW_OK && status != BYW_EFORMAT)
        byw_cl_say("%s", diag->text);
    if (status != BYW_OK)
        refuse(program, status, diag);
    return status == BYW_OK;
}

bool byw_cl_program_odd_options(cl_program program)
{
    return program->log != NULL &&
           (strstr(program->log, ": error: unknown argument") != NULL ||
            strstr(program->log, ": error: no such file or directory: '") != NULL ||
            strstr(program->log, ": error: invalid value") != NULL);
}

/* Builds from source, or from the output of clLinkProgram. maker: byw_cl_compile(). */
static enum byw_status build(cl_program program, const char *options, bool traced,
                             byw_cl_maker *maker, struct byw_cl_binary **binary, char **log,
                             struct byw_diag *diag)
{
    const struct byw_cl_object_code *code = &program->code;
    struct byw_cl_object_code whole = {NULL, 0};
    enum byw_status status;

    if (program->frozen != NULL)
        options = program->frozen;
    if (code->data == NULL) {
        char *instead = byw_cl_source_instead(program->source, NULL);

        status = byw_cl_compile(instead != NULL ? instead : program->source,
                                options != NULL ? options : "", traced, maker, binary, log, diag);
        free(instead);
        return status;
    }
    status = byw_cl_link(&code, 1, traced, &whole, binary, log, diag);
    free(whole.data);
    return status;
}

/* Another binary of a built program, built on first use. */
static const struct byw_cl_binary *other(cl_program program, bool traced,
                                         struct byw_cl_binary **binary)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct byw_diag diag = {{0}};
    char *log = NULL;

    pthread_mutex_lock(&lock);
    if (*binary == NULL) {
        if (build(program, program->options, traced, NULL, binary, &log, &diag) != BYW_OK)
            byw_cl_say("%s", diag.text);
        free(log);
    }
    pthread_mutex_unlock(&lock);
    return *binary;
}

const struct byw_cl_binary *byw_cl_program_plain(cl_program program)
{
    return other(program, false, &program->plain);
}

const struct byw_cl_binary *byw_cl_program_moved(cl_program program)
{
    return other(program, true, &program->moved);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    struct byw_diag diag = {{0}};
    char *log = NULL;
    enum byw_status status;
    bool good;

    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((count == 0) != (devices == NULL) || (notify == NULL && data != NULL))
        return CL_INVALID_VALUE;
    if (devices != NULL && devices[0] != byw_cl_device())
        return CL_INVALID_DEVICE;
    if (atomic_load(&program->kernels) != 0 || (program->code.data != NULL && !program->linked))
        return CL_INVALID_OPERATION;
    byw_cl_binary_free(program->binary);
    byw_cl_binary_free(program->plain);
    byw_cl_binary_free(program->moved);
    program->binary = program->plain = program->moved = NULL;
    status = build(program, options, byw_cl_tracing(), byw_cu_from_opencl, &program->binary, &log,
                   &diag);
    good = byw_cl_program_note(program, options, log, status, &diag);
    if (notify != NULL)
        notify(program, data);
    if (good)
        return CL_SUCCESS;
    return byw_cl_program_odd_options(program) ? CL_INVALID_BUILD_OPTIONS
                                               : CL_BUILD_PROGRAM_FAILURE;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t room, void *value, size_t *size_ret)
{
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;

    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (device != byw_cl_device())
        return CL_INVALID_DEVICE;
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return byw_cl_info(&program->status, sizeof(program->status), room, value, size_ret);
    case CL_PROGRAM_BUILD_OPTIONS:
        return byw_cl_info_string(program->options == NULL ? "" : program->options, room, value,
                                  size_ret);
    case CL_PROGRAM_BUILD_LOG:
        return byw_cl_info_string(program->log == NULL ? "" : program->log, room, value, size_ret);
    case CL_PROGRAM_BINARY_TYPE:
        if (program->binary != NULL || program->frozen != NULL)
            type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        else if (program->code.data != NULL)
            type = program->linked ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                   : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        return byw_cl_info(&type, sizeof(type), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int kernel_names(cl_program program, size_t room, void *value, size_t *size_ret)
{
    uint64_t kernels = byw_cl_binary_export(program->binary)->kernels;
    char *names = calloc(kernels + 1, sizeof(((struct byw_cl_code *)NULL)->name) + 1);
    cl_int code;

    if (names == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (unsigned i = 0; i < kernels; i++) {
        strcat(names, i == 0 ? "" : ";");
        strcat(names, byw_cl_binary_kernel(program->binary, i)->code->name);
    }
    code = byw_cl_info_string(names, room, value, size_ret);
    free(names);
    return code;
}

/* Joins the options into one line. */
static size_t binary_head(cl_program program, char *head)
{
    const char *options = program->frozen != NULL    ? program->frozen
                          : program->options != NULL ? program->options
                                                     : "";
    size_t magic = strlen(MAGIC), length = strlen(options);

    if (head != NULL) {
        memcpy(head, MAGIC, magic);
        for (size_t i = 0; i < length; i++)
            head[magic + i] = options[i] == '\n' ? ' ' : options[i];
        head[magic + length] = '\n';
    }
    return magic + length + 1;
}

static cl_int copy_binary(cl_program program, size_t room, void *value, size_t *size_ret)
{
    unsigned char **list = value;

    if (size_ret != NULL)
        *size_ret = sizeof(*list);
    if (list == NULL)
        return CL_SUCCESS;
    if (room < sizeof(*list))
        return CL_INVALID_VALUE;
    if (list[0] != NULL && program->code.data != NULL) {
        memcpy(list[0], MAGIC_CODE, strlen(MAGIC_CODE));
        list[0][strlen(MAGIC_CODE)] = program->linked ? 'l' : 'o';
        memcpy(list[0] + strlen(MAGIC_CODE) + 1, program->code.data, program->code.size);
    } else if (list[0] != NULL) {
        size_t head = binary_head(program, (char *)list[0]);

        memcpy(list[0] + head, program->source, strlen(program->source));
    }
    return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t room, void *value,
                        size_t *size_ret)
{
    cl_device_id device = byw_cl_device();
    cl_uint number = 1;
    size_t size;

    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        number = atomic_load(&program->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_PROGRAM_CONTEXT:
        return byw_cl_info(&program->context, sizeof(program->context), room, value, size_ret);
    case CL_PROGRAM_NUM_DEVICES:
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_PROGRAM_DEVICES:
        return byw_cl_info(&device, sizeof(device), room, value, size_ret);
    case CL_PROGRAM_SOURCE:
        return byw_cl_info_string(program->source, room, value, size_ret);
    case CL_PROGRAM_BINARY_SIZES:
        size = program->code.data != NULL ? strlen(MAGIC_CODE) + 1 + program->code.size
                                          : binary_head(program, NULL) + strlen(program->source);
        return byw_cl_info(&size, sizeof(size), room, value, size_ret);
    case CL_PROGRAM_BINARIES:
        return copy_binary(program, room, value, size_ret);
    case CL_PROGRAM_NUM_KERNELS:
        if (program->binary == NULL)
            return CL_INVALID_PROGRAM_EXECUTABLE;
        size = byw_cl_binary_export(program->binary)->kernels;
        return byw_cl_info(&size, sizeof(size), room, value, size_ret);
    case CL_PROGRAM_KERNEL_NAMES:
        if (program->binary == NULL)
            return CL_INVALID_PROGRAM_EXECUTABLE;
        return kernel_names(program, room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}
