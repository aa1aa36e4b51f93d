/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu.h - declarations shared by the driver library (libcuda.so.1) and the runtime library
 * (libcudart.so).
 *
 * All calls complete before they return, in program order: streams and events only keep state.
 * Device memory is host memory at fixed addresses.  Error codes are CUresult's, which the
 * runtime's cudaError_t shares.
 */
#ifndef BYW_CU_H
#define BYW_CU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYW_CU_API __attribute__((visibility("default")))

enum byw_cu_error {
    BYW_CU_OK = 0,
    BYW_CU_INVALID_VALUE = 1,
    BYW_CU_NO_MEMORY = 2,
    BYW_CU_NOT_INITIALIZED = 3,
    BYW_CU_INVALID_CONFIGURATION = 9, /* of the runtime; the driver returns INVALID_VALUE */
    BYW_CU_INVALID_SYMBOL = 13, /* runtime */
    BYW_CU_INVALID_COPY = 21, /* runtime: direction */
    BYW_CU_INVALID_FUNCTION = 98, /* runtime: not a kernel of the program */
    BYW_CU_TOO_DEEP = 65, /* of kernels: launches nest too deep */
    BYW_CU_TOO_MANY = 69, /* of kernels: more pending launches than the limit */
    BYW_CU_NO_DEVICE = 100,
    BYW_CU_INVALID_DEVICE = 101,
    BYW_CU_INVALID_IMAGE = 200,
    BYW_CU_INVALID_CONTEXT = 201,
    BYW_CU_NO_BINARY = 209,
    BYW_CU_INVALID_PTX = 218,
    BYW_CU_FILE_NOT_FOUND = 301,
    BYW_CU_OPERATING_SYSTEM = 304,
    BYW_CU_INVALID_HANDLE = 400,
    BYW_CU_NOT_FOUND = 500,
    BYW_CU_NOT_READY = 600,
    BYW_CU_PEER_NOT_ENABLED = 705,
    BYW_CU_ASSERT = 710, /* an assertion has failed in a kernel */
    BYW_CU_ALREADY_REGISTERED = 712,
    BYW_CU_NOT_REGISTERED = 713,
    BYW_CU_LAUNCH_FAILED = 719,
    BYW_CU_TOO_LARGE = 720, /* a cooperative grid that the device cannot hold */
    BYW_CU_NOT_SUPPORTED = 801,
    BYW_CU_INVALID_CLUSTER = 912, /* a launch with clusters that the kernel or device cannot have */
    BYW_CU_UPDATE_FAILED = 910 /* an executable graph has another topology */
};

/* The device a program sees; BYWAY_DEVICE chooses it. */
struct byw_cu_device {
    const char *name;
    unsigned major, minor;
    unsigned sms, threads_per_sm, blocks_per_sm;
    unsigned clock_khz, memory_clock_khz, bus_bits;
    uint64_t memory, l2;
    unsigned shared_per_sm, shared_per_block, shared_optin; /* bytes */
};
BYW_CU_API const struct byw_cu_device *byw_cu_device(void);
/* A CUdevice_attribute, which cudaDeviceAttr shares. */
BYW_CU_API enum byw_cu_error byw_cu_device_attribute(int attribute, int *value);

struct byw_cu_module;
struct byw_cu_function;

/* Loads PTX, or the PTX of a fat binary.  Messages go to stderr. */
BYW_CU_API enum byw_cu_error byw_cu_load(const void *image, struct byw_cu_module **module);
/* As byw_cu_load(), for an image of `size` bytes. */
enum byw_cu_error byw_cu_load_sized(const void *image, size_t size, struct byw_cu_module **module);
BYW_CU_API void byw_cu_unload(struct byw_cu_module *module);

/* Finds a kernel by name, even one that cannot run (its launch then fails). */
BYW_CU_API enum byw_cu_error byw_cu_find_function(struct byw_cu_module *module, const char *name,
                                                  struct byw_cu_function **function);
BYW_CU_API enum byw_cu_error byw_cu_find_variable(struct byw_cu_module *module, const char *name,
                                                  void **address, size_t *size);

struct byw_cu_attributes {
    unsigned shared_bytes, local_bytes, registers, most_threads, parameters;
    unsigned dynamic_most; /* shared bytes that a launch may ask for */
    unsigned target; /* of the PTX: 90 for sm_90 */
    unsigned cluster[3]; /* blocks of a cluster that the kernel requires, 0 none */
    bool clustered; /* launches must have clusters */
    bool large_clusters; /* of more than 8 blocks are allowed */
};
BYW_CU_API struct byw_cu_attributes byw_cu_attributes(struct byw_cu_function *function);
/* Function n of a module; NULL: there are fewer. */
BYW_CU_API struct byw_cu_function *byw_cu_function(struct byw_cu_module *module, unsigned n);
BYW_CU_API struct byw_cu_module *byw_cu_function_module(const struct byw_cu_function *function);
BYW_CU_API const char *byw_cu_function_name(const struct byw_cu_function *function);
BYW_CU_API enum byw_cu_error byw_cu_allow_dynamic(struct byw_cu_function *function, unsigned bytes);
BYW_CU_API void byw_cu_allow_large_clusters(struct byw_cu_function *function, bool allow);
/* Size of parameter n, 0 if it does not exist; *offset (may be NULL): its offset in the buffer. */
BYW_CU_API size_t byw_cu_parameter(const struct byw_cu_function *function, unsigned n,
                                   size_t *offset);

/* cluster: blocks of a cluster; NULL or zeros: as the kernel requires.  args: the address of each
 * parameter's value. */
BYW_CU_API enum byw_cu_error byw_cu_launch(struct byw_cu_function *function, const unsigned grid[3],
                                           const unsigned block[3], const unsigned cluster[3],
                                           size_t dynamic, void *const *args);
/* Whether a grid's blocks are resident together, as a cooperative launch requires. */
BYW_CU_API bool byw_cu_fits(struct byw_cu_function *function, const unsigned grid[3],
                            const unsigned block[3], size_t dynamic);
/* Reports and counts a launch of a kernel that cannot run. */
BYW_CU_API void byw_cu_skip_launch(const char *kernel, const char *why);
#define BYW_CU_ATTRIBUTE_CLUSTER 4 /* CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION */
/* An attribute of a launch: CUlaunchAttribute, which cudaLaunchAttribute shares. */
struct byw_cu_attribute {
    int id;
    unsigned value[17]; /* from byte 8 on: value[1] ... */
};
/* The size of a cluster in blocks, from the attributes of a launch; zeros if they name none. Other
 * attributes are ignored. */
BYW_CU_API void byw_cu_find_cluster(const struct byw_cu_attribute *list, unsigned count,
                                    unsigned cluster[3]);
/* Clusters that are resident at a time. */
BYW_CU_API enum byw_cu_error byw_cu_cluster_occupancy(struct byw_cu_function *function,
                                                      const unsigned block[3],
                                                      const unsigned cluster[3], size_t dynamic,
                                                      int *clusters);
/* The most blocks that a cluster of the kernel may have. */
BYW_CU_API unsigned byw_cu_cluster_most(struct byw_cu_function *function);
/* Blocks of a function that fit an SM. */
BYW_CU_API unsigned byw_cu_occupancy(struct byw_cu_function *function, unsigned threads,
                                     size_t dynamic);

/* Allocates zeroed device memory; NULL: there is not enough. */
BYW_CU_API void *byw_cu_take(size_t size);
/* Allocates freed memory again at the same address; does nothing if it is still allocated. */
BYW_CU_API enum byw_cu_error byw_cu_take_again(void *memory, size_t size);
BYW_CU_API enum byw_cu_error byw_cu_give(void *memory);
BYW_CU_API size_t byw_cu_taken(void); /* bytes in use */
/* Finds the allocation that contains an address; false if there is none. */
BYW_CU_API bool byw_cu_find_memory(const void *address, void **base, size_t *size);

/* Kinds of memory, as programs are told (cudaMemoryType). */
enum byw_cu_memory { BYW_CU_UNKNOWN, BYW_CU_HOST, BYW_CU_DEVICE, BYW_CU_MANAGED };
/* byw_cu_take for host or managed memory; byw_cu_give frees it. */
BYW_CU_API void *byw_cu_take_as(enum byw_cu_memory kind, size_t size, unsigned flags);
/* _mark notes that memory is not plain device memory (false: out of memory), _forget removes the
 * note, and _marked finds it. */
BYW_CU_API bool byw_cu_mark(const void *memory, enum byw_cu_memory kind, size_t size,
                            unsigned flags);
BYW_CU_API void byw_cu_forget(const void *memory);
BYW_CU_API enum byw_cu_memory byw_cu_marked(const void *address, void **base, size_t *size);
/* Memory of the program that becomes page-locked on a GPU. */
BYW_CU_API enum byw_cu_error byw_cu_register(void *memory, size_t size, unsigned flags);
BYW_CU_API enum byw_cu_error byw_cu_unregister(void *memory);
/* The flags that host memory was allocated or registered with; false: it is not host memory. */
BYW_CU_API bool byw_cu_host_flags(const void *memory, unsigned *flags);
/* The kind of the memory at an address and its bounds, which UNKNOWN leaves unchanged. */
BYW_CU_API enum byw_cu_memory byw_cu_memory_of(const void *address, void **base, size_t *size);

/* The error of a kernel that has failed, which all later calls return; BYW_CU_OK: none. */
BYW_CU_API enum byw_cu_error byw_cu_broken(void);
BYW_CU_API void byw_cu_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
BYW_CU_API uint64_t byw_cu_now(void); /* nanoseconds */

BYW_CU_API const char *byw_cu_error_name(int error, bool runtime);
BYW_CU_API const char *byw_cu_error_text(int error);

#endif
