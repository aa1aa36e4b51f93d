/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvJitLink.so.12 and .13 on the driver's linker: "machine code" is the PTX of all inputs.
 *
 * nvJitLinkVersion is omitted on purpose: its absence tells Numba and cuda.core that this library
 * cannot link LTO IR, so they pass PTX to the driver's linker instead.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu.h"

enum result { SUCCESS = 0, INVALID_INPUT = 3, INTERNAL = 6, NULL_INPUT = 10, INPUT_TYPE = 12 };
enum { INPUT_LTOIR = 3 };

struct nvJitLink {
    void *link; /* CUlinkState */
    const char *image;
    size_t size;
};
typedef struct nvJitLink *handle_t;

/* The driver's calls (byw_cu_api_link.c). */
int cuLinkCreate_v2(unsigned count, int *options, void **values, void **link);
int cuLinkAddData_v2(void *link, int type, const void *data, size_t size, const char *name,
                     unsigned count, int *options, void **values);
int cuLinkAddFile_v2(void *link, int type, const char *path, unsigned count, int *options,
                     void **values);
int cuLinkComplete(void *link, void **image, size_t *size);
int cuLinkDestroy(void *link);

#define PASTE(name, major) __##name##_##major##_0
#define VERSIONED(name, major) PASTE(name, major)
/* Defines a function under its plain name and under its name with the library's version. */
#define CALL(name, ...)                                                                            \
    BYW_CU_API int name(__VA_ARGS__);                                                              \
    extern __typeof__(name) VERSIONED(name, BYW_CUDA_MAJOR) BYW_CU_API                             \
        __attribute__((alias(#name)));                                                             \
    int name(__VA_ARGS__)

CALL(nvJitLinkCreate, handle_t *handle, uint32_t count, const char **options)
{
    (void)count, (void)options;
    if (handle == NULL)
        return NULL_INPUT;
    *handle = calloc(1, sizeof(**handle));
    return *handle != NULL && cuLinkCreate_v2(0, NULL, NULL, &(*handle)->link) == 0 ? SUCCESS
                                                                                    : INTERNAL;
}

CALL(nvJitLinkDestroy, handle_t *handle)
{
    if (handle == NULL || *handle == NULL)
        return NULL_INPUT;
    cuLinkDestroy((*handle)->link);
    free(*handle);
    *handle = NULL;
    return SUCCESS;
}

static int refuse_ir(void)
{
    byw_cu_say("nvJitLink: LTO IR cannot be linked, only PTX; switch link-time optimization off");
    return INPUT_TYPE;
}

CALL(nvJitLinkAddData, handle_t handle, int type, const void *data, size_t size, const char *name)
{
    if (handle == NULL || data == NULL)
        return NULL_INPUT;
    if (type == INPUT_LTOIR)
        return refuse_ir();
    return cuLinkAddData_v2(handle->link, 0, data, size, name, 0, NULL, NULL) == 0 ? SUCCESS
                                                                                   : INVALID_INPUT;
}

CALL(nvJitLinkAddFile, handle_t handle, int type, const char *path)
{
    if (handle == NULL || path == NULL)
        return NULL_INPUT;
    if (type == INPUT_LTOIR)
        return refuse_ir();
    return cuLinkAddFile_v2(handle->link, 0, path, 0, NULL, NULL) == 0 ? SUCCESS : INVALID_INPUT;
}

CALL(nvJitLinkComplete, handle_t handle)
{
    void *image;

    if (handle == NULL)
        return NULL_INPUT;
    if (cuLinkComplete(handle->link, &image, &handle->size) != 0)
        return INVALID_INPUT;
    handle->image = image;
    return SUCCESS;
}

CALL(nvJitLinkGetLinkedCubinSize, handle_t handle, size_t *size)
{
    if (handle == NULL || size == NULL)
        return NULL_INPUT;
    *size = handle->size + 1;
    return SUCCESS;
}

CALL(nvJitLinkGetLinkedCubin, handle_t handle, void *image)
{
    if (handle == NULL || handle->image == NULL || image == NULL)
        return NULL_INPUT;
    memcpy(image, handle->image, handle->size + 1);
    return SUCCESS;
}

/* PTX is returned like machine code. */
CALL(nvJitLinkGetLinkedPtxSize, handle_t handle, size_t *size)
{
    return nvJitLinkGetLinkedCubinSize(handle, size);
}

CALL(nvJitLinkGetLinkedPtx, handle_t handle, char *text)
{
    return nvJitLinkGetLinkedCubin(handle, text);
}

/* Messages go to stderr, so that the logs are empty. */
CALL(nvJitLinkGetErrorLogSize, handle_t handle, size_t *size)
{
    (void)handle;
    *size = 1;
    return SUCCESS;
}

CALL(nvJitLinkGetErrorLog, handle_t handle, char *text)
{
    (void)handle;
    *text = '\0';
    return SUCCESS;
}

CALL(nvJitLinkGetInfoLogSize, handle_t handle, size_t *size)
{
    return nvJitLinkGetErrorLogSize(handle, size);
}

CALL(nvJitLinkGetInfoLog, handle_t handle, char *text)
{
    return nvJitLinkGetErrorLog(handle, text);
}
