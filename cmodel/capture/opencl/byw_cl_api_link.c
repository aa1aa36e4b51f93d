/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs compiled and linked separately.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

static bool valid_devices(cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (devices[i] != byw_cl_device())
            return false;
    return true;
}

/* Sources of the header programs; NULL if memory runs out or one of them is not a program. */
static struct byw_cl_header *get_headers(cl_uint count, const cl_program *program,
                                         const char **name, cl_int *code)
{
    struct byw_cl_header *header = calloc(count + (size_t)1, sizeof(*header));

    *code = header == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    for (cl_uint i = 0; i < count && *code == CL_SUCCESS; i++) {
        if (!byw_cl_is(program[i], BYW_CL_PROGRAM))
            *code = CL_INVALID_PROGRAM;
        else if (name[i] == NULL)
            *code = CL_INVALID_VALUE;
        else
            header[i] = (struct byw_cl_header){name[i], program[i]->source};
    }
    if (*code == CL_SUCCESS)
        return header;
    free(header);
    return NULL;
}

cl_int clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                        const char *options, cl_uint headers, const cl_program *header_programs,
                        const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                        void *data)
{
    struct byw_diag diag = {{0}};
    struct byw_cl_object_code object = {NULL, 0};
    struct byw_cl_header *header;
    enum byw_status status;
    char *log = NULL, *instead;
    cl_int code;

    if (!byw_cl_is(program, BYW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((count == 0) != (devices == NULL) || (notify == NULL && data != NULL) ||
        (headers == 0) != (header_programs == NULL) || (headers == 0) != (names == NULL))
        return CL_INVALID_VALUE;
    if (!valid_devices(count, devices))
        return CL_INVALID_DEVICE;
    if (atomic_load(&program->kernels) != 0 || program->frozen != NULL)
        return CL_INVALID_OPERATION;
    header = get_headers(headers, header_programs, names, &code);
    if (header == NULL)
        return code;
    byw_cl_binary_free(program->binary);
    program->binary = NULL;
    instead = byw_cl_source_instead(program->source, NULL);
    status = byw_cl_compile_object(instead != NULL ? instead : program->source,
                                   options == NULL ? "" : options, header, headers, &object, &log,
                                   &diag);
    free(instead);
    free(header);
    free(program->code.data);
    program->code = object;
    program->linked = false;
    code = byw_cl_program_note(program, options, log, status, &diag) ? CL_SUCCESS
           : byw_cl_program_odd_options(program)                     ? CL_INVALID_COMPILER_OPTIONS
                                                                     : CL_COMPILE_PROGRAM_FAILURE;
    if (notify != NULL)
        notify(program, data);
    return code;
}

/* CL_SUCCESS if all of them can be linked, that is, are objects or libraries. */
static cl_int get_objects(cl_uint count, const cl_program *program,
                          const struct byw_cl_object_code **object)
{
    for (cl_uint i = 0; i < count; i++) {
        if (!byw_cl_is(program[i], BYW_CL_PROGRAM))
            return CL_INVALID_PROGRAM;
        if (program[i]->code.data == NULL || program[i]->binary != NULL)
            return CL_INVALID_OPERATION;
        object[i] = &program[i]->code;
    }
    return CL_SUCCESS;
}

/* Whether all words are linker options. */
static bool are_options(const char *text)
{
    static const char *const known[] = {"-create-library",      "-enable-link-options",
                                        "-cl-denorms-are-zero", "-cl-no-signed-zeroes",
                                        "-cl-no-signed-zeros",  "-cl-unsafe-math-optimizations",
                                        "-cl-finite-math-only", "-cl-fast-relaxed-math"};
    size_t length;

    for (text += strspn(text, " \t"); *text != '\0'; text += strspn(text, " \t")) {
        bool good = false;

        length = strcspn(text, " \t");
        for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
            good |= strlen(known[i]) == length && strncmp(text, known[i], length) == 0;
        if (!good)
            return false;
        text += length;
    }
    return true;
}

static bool is_library(const char *options)
{
    return options != NULL && strstr(options, "-create-library") != NULL;
}

cl_program clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                         const char *options, cl_uint inputs, const cl_program *input,
                         void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *error)
{
    const struct byw_cl_object_code **object;
    struct byw_diag diag = {{0}};
    enum byw_status status;
    cl_program program;
    char *log = NULL;
    cl_int code;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    if ((count == 0) != (devices == NULL) || inputs == 0 || input == NULL ||
        (notify == NULL && data != NULL))
        return byw_cl_error(error, CL_INVALID_VALUE);
    if (!valid_devices(count, devices))
        return byw_cl_error(error, CL_INVALID_DEVICE);
    if (options != NULL && !are_options(options))
        return byw_cl_error(error, CL_INVALID_LINKER_OPTIONS);
    object = calloc(inputs, sizeof(*object));
    code = object == NULL ? CL_OUT_OF_HOST_MEMORY : get_objects(inputs, input, object);
    program = code == CL_SUCCESS ? byw_cl_program_create(context, strdup(""), &code) : NULL;
    if (program == NULL) {
        free(object);
        return byw_cl_error(error, code);
    }
    program->linked = true;
    status = byw_cl_link(object, inputs, byw_cl_tracing(), &program->code,
                         is_library(options) ? NULL : &program->binary, &log, &diag);
    free(object);
    code = byw_cl_program_note(program, options, log, status, &diag) ? CL_SUCCESS
                                                                     : CL_LINK_PROGRAM_FAILURE;
    if (notify != NULL)
        notify(program, data);
    byw_cl_error(error, code);
    return program;
}
