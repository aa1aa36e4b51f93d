/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl.h - objects of the OpenCL runtime and what its API files share.
 *
 * Every command runs when it is enqueued, on the calling thread, one at a time, so that a capture
 * sees one order of launches; events are complete when they are returned.  There is one platform
 * with one device, which answers to every device type.  A call that byway does not have returns the
 * error the specification names for it and says so in one sentence on stderr.
 */
#ifndef BYW_CL_H
#define BYW_CL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#pragma GCC visibility push(default) /* the API functions are all that the library exports */
#include <CL/cl.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "opencl/byw_cl_compile.h"
#include "opencl/byw_cl_run.h"

#define BYW_CL_SHARED_OFFERED 0xc000u /* 48 KiB of scratchpad */

/* First word of every object: a handle of the wrong kind, or none, is told by it. */
enum byw_cl_kind_of_object {
    BYW_CL_PLATFORM = 0x62797701,
    BYW_CL_DEVICE,
    BYW_CL_CONTEXT,
    BYW_CL_QUEUE,
    BYW_CL_MEM,
    BYW_CL_PROGRAM,
    BYW_CL_KERNEL,
    BYW_CL_EVENT
};

struct byw_cl_object {
    uint32_t kind;
    atomic_uint count;
};

struct _cl_platform_id {
    struct byw_cl_object object;
};
struct _cl_device_id {
    struct byw_cl_object object;
};

struct _cl_context {
    struct byw_cl_object object;
    cl_context_properties properties[16];
    size_t property_count;
};

struct _cl_command_queue {
    struct byw_cl_object object;
    cl_context context;
    cl_command_queue_properties properties;
};

struct byw_cl_destructor {
    void(CL_CALLBACK *call)(cl_mem, void *);
    void *data;
    struct byw_cl_destructor *next;
};

struct _cl_mem {
    struct byw_cl_object object;
    cl_context context;
    cl_mem_flags flags;
    size_t size, offset;
    cl_mem parent; /* of a sub-buffer */
    unsigned char *data; /* device address, which is a host address here */
    void *host; /* CL_MEM_USE_HOST_PTR */
    uint32_t maps;
    struct byw_cl_destructor *destructors;
};

struct _cl_program {
    struct byw_cl_object object;
    cl_context context;
    char *source, *options, *log;
    cl_build_status status;
    struct byw_cl_binary *binary;
};

struct byw_cl_value {
    void *data; /* what run() reads; NULL until set */
    size_t size;
    bool set;
};

struct _cl_kernel {
    struct byw_cl_object object;
    cl_program program;
    const struct byw_cl_export_kernel *code;
    const struct byw_cl_arg *arg;
    struct byw_cl_value *value;
};

struct _cl_event {
    struct byw_cl_object object;
    cl_context context;
    cl_command_queue queue;
    cl_command_type type;
    atomic_int status;
    cl_ulong queued, end;
};

/* The process: the only state behind the API that belongs to no object. */
struct byw_cl_process;

cl_platform_id byw_cl_platform(void);
cl_device_id byw_cl_device(void);
bool byw_cl_tracing(void);

/* Buffer memory at reproducible addresses, zeroed; NULL when there is none. */
void *byw_cl_arena_take(size_t size);
void byw_cl_arena_give(void *data, size_t size);

/* Notes that a context exists (byw_capture.h). */
void byw_cl_note_context(void);

/* Runs a launch, traced if this process is captured.  A kernel that faults ends the process: its
 * memory is not to be trusted. */
cl_int byw_cl_execute(struct byw_cl_launch *launch);

/* Prints "byway: ..." on stderr. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void byw_cl_say(const char *format, ...);

static inline bool byw_cl_is(const void *handle, enum byw_cl_kind_of_object kind)
{
    return handle != NULL && ((const struct byw_cl_object *)handle)->kind == (uint32_t)kind;
}

void byw_cl_object_init(struct byw_cl_object *object, enum byw_cl_kind_of_object kind);
cl_int byw_cl_retain(void *handle, enum byw_cl_kind_of_object kind, cl_int error);

/* Drops a reference; true when it was the last and the caller must free the object. */
bool byw_cl_drop(struct byw_cl_object *object);

/* clGet...Info: copies `data` as the specification says. */
cl_int byw_cl_info(const void *data, size_t size, size_t room, void *value, size_t *size_ret);
cl_int byw_cl_info_string(const char *text, size_t room, void *value, size_t *size_ret);

/* For clCreate...: sets *error if there is one to set; returns NULL for use in `return`. */
void *byw_cl_error(cl_int *error, cl_int code);

/* Checks a wait list, and makes the event of a command that is complete. */
cl_int byw_cl_check_wait(cl_uint count, const cl_event *list);
cl_int byw_cl_finish_command(cl_command_queue queue, cl_command_type type, cl_ulong queued,
                             cl_event *event);
cl_ulong byw_cl_now(void);

#endif
