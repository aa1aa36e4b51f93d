/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cudart.h - the runtime library (libcudart.so.12, .13): types of its calls, and what its files
 * share.  It stands on byw_cu.h, which the driver library exports.
 *
 * Both versions are one set of functions; where they differ (byw_cudart_device.c), BYW_CUDART_MAJOR
 * says which is built.
 */
#ifndef BYW_CUDART_H
#define BYW_CUDART_H

#include "capture/cuda/byw_cu.h"

typedef int cudaError_t;
typedef struct byw_cudart_stream *cudaStream_t;
typedef struct byw_cudart_event *cudaEvent_t;

struct dim3 {
    unsigned x, y, z;
};

struct byw_cudart_kernel;
typedef struct byw_cudart_kernel *cudaKernel_t;

/* The kernel of a host function or handle, its module loaded; an error if there is none. */
enum byw_cu_error byw_cudart_kernel(const void *host, struct byw_cu_function **function);
/* The device's memory of a registered variable. */
enum byw_cu_error byw_cudart_variable(const void *host, void **address, size_t *size);

/* Keeps an error for cudaGetLastError() and returns it. */
cudaError_t byw_cudart_error(enum byw_cu_error error);

#define BYW_CUDART(type) BYW_CU_API type

#endif
