/* SPDX-License-Identifier: Apache-2.0
 *
 * Registration functions that nvcc's code calls at program start: modules, kernels and
 * variables. A module is loaded on first use of one of its kernels or variables.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart.h"

struct program {
    const void *image;
    struct byw_cu_module *module; /* NULL until loaded */
    enum byw_cu_error error; /* of loading it */
    bool tried;
    struct program *next;
};

struct byw_cudart_kernel {
    struct program *program;
    const void *host;
    const char *name;
    struct byw_cu_function *function;
    struct byw_cudart_kernel *next;
};

struct variable {
    struct program *program;
    const void *host;
    const char *name;
    void **managed; /* the host's pointer to a managed variable */
    struct variable *next;
};

/* One launch's <<<...>>>, kept between two calls that nvcc makes in a row. */
struct configuration {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

/* nvcc's calls take no context, so the process has one. */
static struct {
    pthread_mutex_t lock;
    struct program *programs;
    struct byw_cudart_kernel *kernels;
    struct variable *variables;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local struct configuration pushed;
static _Thread_local cudaError_t last;

cudaError_t byw_cudart_error(enum byw_cu_error error)
{
    if (byw_cu_broken() != BYW_CU_OK)
        error = byw_cu_broken();
    if (error != BYW_CU_OK)
        last = (cudaError_t)error;
    return (cudaError_t)error;
}

BYW_CUDART(cudaError_t) cudaGetLastError(void);
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = byw_cudart_error(BYW_CU_OK);

    if (error == 0)
        error = last;
    last = 0;
    return error;
}

BYW_CUDART(cudaError_t) cudaPeekAtLastError(void);
cudaError_t cudaPeekAtLastError(void)
{
    return byw_cu_broken() != BYW_CU_OK ? (cudaError_t)byw_cu_broken() : last;
}

BYW_CUDART(void **) __cudaRegisterFatBinary(const void *image);
void **__cudaRegisterFatBinary(const void *image)
{
    struct program *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return NULL;
    p->image = image;
    pthread_mutex_lock(&registry.lock);
    p->next = registry.programs;
    registry.programs = p;
    pthread_mutex_unlock(&registry.lock);
    return (void **)p;
}

BYW_CUDART(void) __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* Programs call this at exit, but other exit handlers may still use what was registered. */
BYW_CUDART(void) __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

static enum byw_cu_error load(struct program *p)
{
    if (!p->tried)
        p->error = byw_cu_load(p->image, &p->module);
    p->tried = true;
    return p->error;
}

BYW_CUDART(void)
__cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                       void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp)
{
    struct byw_cudart_kernel *k = calloc(1, sizeof(*k));

    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    if (k == NULL)
        return;
    *k =
        (struct byw_cudart_kernel){.program = (struct program *)handle, .host = host, .name = name};
    pthread_mutex_lock(&registry.lock);
    k->next = registry.kernels;
    registry.kernels = k;
    pthread_mutex_unlock(&registry.lock);
}

static void add_variable(void **handle, const void *host, const char *name, void **managed)
{
    struct variable *v = calloc(1, sizeof(*v));

    if (v == NULL)
        return;
    *v = (struct variable){
        .program = (struct program *)handle, .host = host, .name = name, .managed = managed};
    pthread_mutex_lock(&registry.lock);
    v->next = registry.variables;
    registry.variables = v;
    pthread_mutex_unlock(&registry.lock);
}

BYW_CUDART(void)
__cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                  size_t size, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t size, int constant, int global)
{
    (void)device, (void)external, (void)size, (void)constant, (void)global;
    add_variable(handle, host, name, NULL);
}

BYW_CUDART(void)
__cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external,
                         size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int external, size_t size, int constant, int global)
{
    (void)device, (void)external, (void)size, (void)constant, (void)global;
    add_variable(handle, host, name, host);
}

/* Loads a module whose managed variables the host is about to use. */
BYW_CUDART(char) __cudaInitModule(void **handle);
char __cudaInitModule(void **handle)
{
    struct program *p = (struct program *)handle;

    if (load(p) != BYW_CU_OK)
        return 0;
    for (struct variable *v = registry.variables; v != NULL; v = v->next) {
        size_t size;

        if (v->program == p && v->managed != NULL)
            byw_cu_find_variable(p->module, v->name, v->managed, &size);
    }
    return 1;
}

enum byw_cu_error byw_cudart_kernel(const void *host, struct byw_cu_function **function)
{
    struct byw_cudart_kernel *k;
    enum byw_cu_error error = BYW_CU_INVALID_FUNCTION;

    pthread_mutex_lock(&registry.lock);
    k = registry.kernels;
    while (k != NULL && k->host != host && k != host)
        k = k->next;
    if (k != NULL)
        error = k->program == NULL ? BYW_CU_OK : load(k->program);
    if (error == BYW_CU_OK && k->function == NULL &&
        byw_cu_find_function(k->program->module, k->name, &k->function) != BYW_CU_OK)
        error = BYW_CU_INVALID_FUNCTION;
    pthread_mutex_unlock(&registry.lock);
    if (error == BYW_CU_OK)
        *function = k->function;
    return error;
}

enum byw_cu_error byw_cudart_variable(const void *host, void **address, size_t *size)
{
    struct variable *v;
    enum byw_cu_error error = BYW_CU_INVALID_SYMBOL;

    pthread_mutex_lock(&registry.lock);
    v = registry.variables;
    while (v != NULL && v->host != host)
        v = v->next;
    if (v != NULL)
        error = load(v->program);
    if (error == BYW_CU_OK &&
        byw_cu_find_variable(v->program->module, v->name, address, size) != BYW_CU_OK)
        error = BYW_CU_INVALID_SYMBOL;
    pthread_mutex_unlock(&registry.lock);
    return error;
}

BYW_CUDART(unsigned)
__cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                            cudaStream_t stream);
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     cudaStream_t stream)
{
    pushed = (struct configuration){grid, block, shared, stream};
    return 0;
}

BYW_CUDART(cudaError_t)
__cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                           cudaStream_t *stream);
cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       cudaStream_t *stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *stream = pushed.stream;
    return 0;
}

enum byw_cu_error byw_cudart_adopt(struct byw_cu_function *function)
{
    struct byw_cudart_kernel *k;

    pthread_mutex_lock(&registry.lock);
    k = registry.kernels;
    while (k != NULL && k->host != function)
        k = k->next;
    if (k == NULL && (k = calloc(1, sizeof(*k))) != NULL) {
        *k = (struct byw_cudart_kernel){.host = function,
                                        .name = byw_cu_function_name(function),
                                        .function = function,
                                        .next = registry.kernels};
        registry.kernels = k;
    }
    pthread_mutex_unlock(&registry.lock);
    return k != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

/* The name of a registered kernel. */
static const char *name_of(const void *host)
{
    const struct byw_cudart_kernel *k;

    pthread_mutex_lock(&registry.lock);
    k = registry.kernels;
    while (k != NULL && k->host != host && k != host)
        k = k->next;
    pthread_mutex_unlock(&registry.lock);
    return k == NULL ? "?" : k->name;
}

enum byw_cu_error byw_cudart_launch(const void *host, struct dim3 grid, struct dim3 block,
                                    const unsigned *cluster, void **args, size_t shared,
                                    cudaStream_t stream)
{
    const struct byw_cu_kernel_node params = {
        host, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, (unsigned)shared, args, NULL};
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);

    if (error != BYW_CU_OK && error != BYW_CU_INVALID_FUNCTION)
        byw_cu_skip_launch(name_of(host), "its module could not be loaded");
    return error == BYW_CU_OK ? byw_cu_stream_kernel(stream, function, &params, cluster) : error;
}

/* Returns a kernel's handle; later calls find the kernel faster by it than by the host function. */
BYW_CUDART(cudaError_t) __cudaGetKernel(cudaKernel_t *kernel, const void *host);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    struct byw_cudart_kernel *k;

    pthread_mutex_lock(&registry.lock);
    k = registry.kernels;
    while (k != NULL && k->host != host)
        k = k->next;
    pthread_mutex_unlock(&registry.lock);
    *kernel = k;
    return k != NULL ? 0 : byw_cudart_error(BYW_CU_INVALID_FUNCTION);
}
