/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cudart.h - the runtime library (libcudart.so.12, .13): types of its calls, and declarations
 * that its files share.  It uses byw_cu.h, which the driver library exports.
 *
 * Both versions share one set of functions; where they differ (byw_cudart_device.c),
 * BYW_CUDA_MAJOR selects the version.
 */
#ifndef BYW_CUDART_H
#define BYW_CUDART_H

#include "capture/cuda/byw_cu.h"
#include "capture/cuda/byw_cu_graph.h"

typedef int cudaError_t;
typedef struct byw_cu_stream *cudaStream_t;
typedef struct byw_cu_event *cudaEvent_t;

struct dim3 {
    unsigned x, y, z;
};

struct byw_cudart_kernel;
typedef struct byw_cudart_kernel *cudaKernel_t;

/* The kernel of a host function or handle, whose module is loaded. An error if it does not
 * exist. */
enum byw_cu_error byw_cudart_kernel(const void *host, struct byw_cu_function **function);
/* Makes a function of a module that the program loaded itself a handle that byw_cudart_kernel()
 * accepts. */
enum byw_cu_error byw_cudart_adopt(struct byw_cu_function *function);
/* The device's memory of a registered variable. */
enum byw_cu_error byw_cudart_variable(const void *host, void **address, size_t *size);
/* The address of a part of a registered variable; NULL, with an error, if the variable is too small
 * or does not exist. */
void *byw_cudart_part(const void *symbol, size_t offset, size_t size, enum byw_cu_error *error);

/* Launches a kernel, or records it in the graph that the stream captures.  cluster: as
 * byw_cu_launch(). */
enum byw_cu_error byw_cudart_launch(const void *host, struct dim3 grid, struct dim3 block,
                                    const unsigned *cluster, void **args, size_t shared,
                                    cudaStream_t stream);
/* Functions of the driver library. */
enum byw_cu_error cuFuncSetAttribute(struct byw_cu_function *function, int attribute, int value);
enum byw_cu_error cuCtxSetLimit(int limit, size_t value);
enum byw_cu_error cuCtxGetLimit(size_t *value, int limit);

/* Keeps an error for cudaGetLastError() and returns it. */
cudaError_t byw_cudart_error(enum byw_cu_error error);

#define BYW_CUDART(type) BYW_CU_API type

#endif
