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

typedef int cudaError_t;
typedef struct byw_cudart_stream *cudaStream_t;
typedef struct byw_cudart_event *cudaEvent_t;

struct dim3 {
    unsigned x, y, z;
};

struct byw_cudart_stream {
    unsigned flags;
    int priority;
    struct byw_cudart_graph *graph; /* the graph being recorded; NULL: none */
};

/* Streams 1 and 2 are the program's and the thread's default streams. */
static inline bool byw_cudart_is_recording(cudaStream_t stream)
{
    return (uintptr_t)stream > 2 && stream->graph != NULL;
}

/* Records a call in the graph that a stream is capturing, and sets *error; false if the stream is
 * not capturing. */
bool byw_cudart_record_kernel(cudaStream_t stream, const void *host, struct dim3 grid,
                              struct dim3 block, void **args, size_t shared, cudaError_t *error);
bool byw_cudart_record_copy(cudaStream_t stream, void *to, const void *from, size_t size,
                            cudaError_t *error);
bool byw_cudart_record_fill(cudaStream_t stream, void *to, int value, size_t size,
                            cudaError_t *error);
bool byw_cudart_record_call(cudaStream_t stream, void (*call)(void *), void *data,
                            cudaError_t *error);

struct byw_cudart_kernel;
typedef struct byw_cudart_kernel *cudaKernel_t;

/* The kernel of a host function or handle, whose module is loaded. An error if it does not
 * exist. */
enum byw_cu_error byw_cudart_kernel(const void *host, struct byw_cu_function **function);
/* The device's memory of a registered variable. */
enum byw_cu_error byw_cudart_variable(const void *host, void **address, size_t *size);

/* Launches a kernel at once, also while its stream is being captured. */
enum byw_cu_error byw_cudart_launch(const void *host, struct dim3 grid, struct dim3 block,
                                    void **args, size_t shared);

/* Keeps an error for cudaGetLastError() and returns it. */
cudaError_t byw_cudart_error(enum byw_cu_error error);

#define BYW_CUDART(type) BYW_CU_API type

#endif
