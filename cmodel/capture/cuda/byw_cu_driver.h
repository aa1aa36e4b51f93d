/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_driver.h - the types of the driver API that byway's calls need; private to
 * byw_cu_api_*.c. Contexts, streams and events only keep state (byw_cu.h).
 */
#ifndef BYW_CU_DRIVER_H
#define BYW_CU_DRIVER_H

#include "capture/cuda/byw_cu_graph.h"

typedef enum byw_cu_error CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct byw_cu_context *CUcontext;
typedef struct byw_cu_module *CUmodule;
typedef struct byw_cu_function *CUfunction;
typedef struct byw_cu_stream *CUstream;
typedef struct byw_cu_event *CUevent;
typedef struct byw_cu_array *CUarray;
typedef struct byw_cu_graph *CUgraph;
typedef struct byw_cu_node *CUgraphNode;

struct byw_cu_context {
    unsigned flags;
};
/* CUDA_MEMCPY3D, whose sides also have a context for two devices (byw_cu_api_array.c). */
struct byw_cu_copy_side {
    size_t x, y, z, level; /* x: bytes */
    int type; /* 1 host, 2 device, 3 array, 4 either */
    void *host;
    CUdeviceptr device;
    CUarray array;
    void *context;
    size_t pitch, height;
};
struct byw_cu_copy {
    struct byw_cu_copy_side from, to;
    size_t width, height, depth; /* width: bytes */
};
struct byw_cu_box byw_cu_box_of(const struct byw_cu_copy *copy);

/* Declares and defines an API function, because no header of the toolkit is included. */
#define CU(name, ...)                                                                              \
    BYW_CU_API CUresult name(__VA_ARGS__);                                                         \
    CUresult name(__VA_ARGS__)

/* A second name of a function, for per-thread default streams (_ptsz) and older versions. */
#define CU_ALIAS(name, target)                                                                     \
    extern __typeof__(target) name BYW_CU_API __attribute__((alias(#target)))

#endif
