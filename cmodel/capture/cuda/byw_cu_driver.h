/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_driver.h - the types of the driver API that byway's calls need; private to
 * byw_cu_api_*.c. Contexts, streams and events only keep state (byw_cu.h).
 */
#ifndef BYW_CU_DRIVER_H
#define BYW_CU_DRIVER_H

#include "capture/cuda/byw_cu.h"

typedef enum byw_cu_error CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct byw_cu_context *CUcontext;
typedef struct byw_cu_module *CUmodule;
typedef struct byw_cu_function *CUfunction;
typedef struct byw_cu_stream *CUstream;
typedef struct byw_cu_event *CUevent;

struct byw_cu_context {
    unsigned flags;
};
struct byw_cu_stream {
    unsigned flags;
    int priority;
};
struct byw_cu_event {
    uint64_t time; /* nanoseconds, 0 not recorded */
};

/* Declares and defines an API function, because no header of the toolkit is included. */
#define CU(name, ...)                                                                              \
    BYW_CU_API CUresult name(__VA_ARGS__);                                                         \
    CUresult name(__VA_ARGS__)

/* A second name of a function, for per-thread default streams (_ptsz) and older versions. */
#define CU_ALIAS(name, target)                                                                     \
    extern __typeof__(target) name BYW_CU_API __attribute__((alias(#target)))

#endif
