/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_driver.h - types of the driver API, as far as its calls need them; private to
 * byw_cu_api_*.c.  Contexts, streams and events keep books only (byw_cu.h).
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
    struct byw_cu_context *under; /* in the thread's stack */
};
struct byw_cu_stream {
    unsigned flags;
    int priority;
};
struct byw_cu_event {
    uint64_t time; /* nanoseconds, 0 not recorded */
};

/* A call of the API: declared, then defined, since no header of the toolkit is needed. */
#define CU(name, ...)                                                                              \
    BYW_CU_API CUresult name(__VA_ARGS__);                                                         \
    CUresult name(__VA_ARGS__)

/* A call under a second name, for streams of their own per thread (_ptsz) and older versions. */
#define CU_ALIAS(name, target)                                                                     \
    extern __typeof__(target) name BYW_CU_API __attribute__((alias(#target)))

#endif
