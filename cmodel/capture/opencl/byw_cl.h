/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl.h - objects of the OpenCL runtime, and functions that its API files share.
 *
 * A command runs when it is enqueued, on the calling thread, one at a time, so a capture sees one
 * order of launches; its event is complete when it is returned. Only a command that waits for an
 * unset user event is stored, and runs on the thread that sets the event. There is one platform
 * with one device, which matches every device type. An unsupported call returns the error that the
 * specification names for it and prints one sentence to stderr.
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
#pragma GCC visibility push(default) /* the library exports the API functions only */
#include <CL/cl.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/compile/byw_cl_compile.h"
#include "capture/run/byw_cl_process.h"
#include "common/byw_status.h"

#define BYW_CL_SHARED_OFFERED 0xc000u /* 48 KiB of scratchpad */
#define BYW_CL_SHARED_ALIGN 128ull /* bytes: the largest vector, and a GPU's unit of allocation */
#define BYW_CL_BUFFER_LIMIT (1ull << 32) /* bytes of one buffer or image */
#define BYW_CL_ADDRESS_ALIGN 1024u /* alignment of a sub-buffer's origin, in bits */
#define BYW_CL_IMAGE_SIDE 16384u /* texels, 1-D and 2-D images */
#define BYW_CL_IMAGE_SIDE_3D 2048u
#define BYW_CL_IMAGE_LAYERS 2048u

/* Identifies an object's kind: detects handles of another kind, and invalid ones. */
enum byw_cl_kind_of_object {
    BYW_CL_PLATFORM = 0x62797701,
    BYW_CL_DEVICE,
    BYW_CL_CONTEXT,
    BYW_CL_QUEUE,
    BYW_CL_MEM,
    BYW_CL_PROGRAM,
    BYW_CL_KERNEL,
    BYW_CL_EVENT,
    BYW_CL_SAMPLER
};

struct byw_cl_object {
    const void *dispatch; /* for an ICD loader, which reads the first word; NULL: there is none */
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

enum { BYW_CL_PROPERTIES = 4 }; /* pairs that an object keeps */

struct _cl_command_queue {
    struct byw_cl_object object;
    cl_context context;
    cl_command_queue_properties properties;
    cl_queue_properties list[2 * BYW_CL_PROPERTIES + 1]; /* as given by the program */
    unsigned listed; /* elements */
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
    void *host; /* CL_MEM_USE_HOST_PTR: equal to `data` whenever no command runs */
    uint32_t maps;
    cl_mem_object_type type;
    bool listed; /* created with a list of properties, which is empty */
    cl_image_format format; /* from here on images only */
    cl_image_desc desc; /* as given by the program; pitches of the host memory */
    struct byw_cl_image image; /* what kernels read */
    struct byw_cl_destructor *destructors;
};

struct _cl_program {
    struct byw_cl_object object;
    cl_context context;
    char *source, *options, *log;
    char *frozen; /* options of a program that was created from a binary */
    cl_build_status status;
    struct byw_cl_object_code code; /* of clCompileProgram and clLinkProgram; data NULL: none */
    bool linked; /* a complete program, or a library */
    struct byw_cl_binary *binary;
    struct byw_cl_binary *plain; /* the same without the log, when a launch needs it */
    /* like `binary`, but not made from PTX; for launches with an offset */
    struct byw_cl_binary *moved;
    atomic_uint kernels; /* created from it and not yet released */
};

struct byw_cl_value {
    void *data; /* what run() reads; NULL until set */
    size_t size;
    cl_mem mem; /* referent of a pointer argument; NULL: none */
    bool set;
};

struct _cl_kernel {
    struct byw_cl_object object;
    cl_program program;
    const struct byw_cl_export_kernel *code;
    const struct byw_cl_arg *arg;
    struct byw_cl_value *value;
};

struct byw_cl_callback {
    cl_int type;
    void(CL_CALLBACK *call)(cl_event, cl_int, void *);
    void *data;
    struct byw_cl_callback *next;
};

struct _cl_event {
    struct byw_cl_object object;
    cl_context context;
    cl_command_queue queue;
    cl_command_type type;
    atomic_int status;
    cl_ulong queued, start, end;
    struct byw_cl_callback *callbacks;
};

struct _cl_sampler {
    struct byw_cl_object object;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties list[2 * BYW_CL_PROPERTIES + 1]; /* as given by the program */
    unsigned listed; /* elements */
};

/* The only platform and its only device. */
cl_platform_id byw_cl_platform(void);
cl_device_id byw_cl_device(void);
/* Sets a loader's table of functions in the platform, its device, and all objects created from now
 * on. */
void byw_cl_dispatch_by(const void *table);

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

/* For clCreate...: sets *error unless error is NULL.  Returns NULL, for use in `return`. */
void *byw_cl_error(cl_int *error, cl_int code);

/* A command: run() executes it; hold() acquires (true) or drops (false) references to the objects
 * that it uses, which matters only if it has to wait. NULL: it uses none. */
struct byw_cl_task {
    cl_command_type type;
    cl_int (*run)(void *data);
    void (*hold)(void *data, bool take);
    void *data; /* copied when the command has to wait */
    size_t size;
    bool blocking;
};

/* hold() of a command whose data begins with the cl_mem that it needs. */
void byw_cl_hold_mem(void *data, bool take);

/* Checks queue and wait list, then runs the command or keeps it until its events are complete. */
cl_int byw_cl_submit(cl_command_queue queue, const struct byw_cl_task *task, cl_uint count,
                     const cl_event *list, cl_event *event);
/* Waits for one event, or for all commands of a queue. */
void byw_cl_await(cl_event event);
void byw_cl_drain(cl_command_queue queue);
/* Sets an event's status, calls its callbacks, and runs the commands that are now ready. */
void byw_cl_settle(cl_event event, cl_int status);
/* False if the event is complete: the caller must then call the callback itself. */
bool byw_cl_add_callback(cl_event event, struct byw_cl_callback *callback);
cl_event byw_cl_event_create(cl_context context, cl_command_queue queue, cl_command_type type,
                             cl_int status);

/* For buffers that use host memory: copies the host's writes to the device, or the device's writes
 * back. */
void byw_cl_pull(cl_mem mem);
void byw_cl_push(cl_mem mem);
struct byw_cl_mapping {
    cl_mem mem;
    bool map;
};
cl_int byw_cl_run_mapping(void *data); /* a task that maps or unmaps */

/* One side of a copy: rows and slices of bytes. */
struct byw_cl_box {
    unsigned char *data;
    size_t origin[3], row, slice;
};
/* Submits a copy of region[] (bytes, rows, slices) between two boxes. from_mem, to_mem: the objects
 * that hold the boxes; NULL: host memory. */
cl_int byw_cl_copy(cl_command_queue queue, cl_command_type type, cl_mem from_mem, cl_mem to_mem,
                   const struct byw_cl_box *from, const struct byw_cl_box *to, const size_t *region,
                   bool blocking, cl_uint count, const cl_event *list, cl_event *event);
cl_int byw_cl_check_mem(cl_command_queue queue, cl_mem mem, bool image);
/* Checks that the object is valid and that its flags allow the host to read or write it. */
cl_int byw_cl_check_host(cl_command_queue queue, cl_mem mem, bool image, bool write);
/* The rows of an image in the program's memory (CL_MEM_USE_HOST_PTR). Layers of a one-dimensional
 * array are rows. */
struct byw_cl_rows {
    size_t row, slice; /* bytes from one to the next */
    size_t rows, slices;
};
struct byw_cl_rows byw_cl_host_rows(const struct _cl_mem *mem);
bool byw_cl_may_map(cl_mem mem, cl_map_flags flags); /* the object's flags allow it */
cl_int byw_cl_check_flags(cl_mem_flags flags, const void *host);
cl_mem byw_cl_mem_create(cl_context context, cl_mem_flags flags, size_t size, cl_int *error);
/* Takes ownership of `source` (malloced). */
cl_program byw_cl_program_create(cl_context context, char *source, cl_int *error);
/* Whether clang refused the build options rather than the program. */
bool byw_cl_program_odd_options(cl_program program);
/* The program without the log, compiled on first use; NULL if it does not compile. */
const struct byw_cl_binary *byw_cl_program_plain(cl_program program);
/* The program with the log, built from its bitcode instead of its PTX, likewise on first use. */
const struct byw_cl_binary *byw_cl_program_moved(cl_program program);

/* Stores options, log (taking ownership) and status of a build; true if the build succeeded. */
bool byw_cl_program_note(cl_program program, const char *options, char *log, enum byw_status status,
                         const struct byw_diag *diag);
uint32_t byw_cl_shared_bytes(cl_kernel kernel);
cl_uint byw_cl_sampler_bits(cl_sampler sampler);

#endif
