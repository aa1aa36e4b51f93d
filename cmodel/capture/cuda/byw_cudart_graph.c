/* SPDX-License-Identifier: Apache-2.0
 *
 * Runtime API: graphs and captured streams (byw_cu_graph.h).  CUDA 13 gave calls that name
 * dependencies one more argument, the data of edges, of which there are none here; CUDA 12 has it
 * in separate calls.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart_copy.h"

typedef cudaError_t result_t;
typedef void *address_t;
typedef cudaStream_t stream_t;
typedef cudaEvent_t event_t;
typedef struct byw_cu_graph *graph_t;
typedef struct byw_cu_node *node_t;
typedef const node_t *nodes_t;

#define CALL(name, ...)                                                                            \
    BYW_CUDART(cudaError_t) cuda##name(__VA_ARGS__);                                               \
    cudaError_t cuda##name(__VA_ARGS__)
#define RESULT(error) byw_cudart_error(error)
#if BYW_CUDA_MAJOR >= 13
#define WITH_EDGES(name, before, after, result)                                                    \
    CALL(name, UNPACK before, const void *edges, UNPACK after)                                     \
    {                                                                                              \
        (void)edges;                                                                               \
        return result;                                                                             \
    }
#else
#define WITH_EDGES(name, before, after, result)                                                    \
    CALL(name, UNPACK before, UNPACK after)                                                        \
    {                                                                                              \
        return result;                                                                             \
    }                                                                                              \
    CALL(name##_v2, UNPACK before, const void *edges, UNPACK after)                                \
    {                                                                                              \
        (void)edges;                                                                               \
        return result;                                                                             \
    }
#endif

typedef struct byw_cu_kernel_node kernel_t;
/* cudaMemcpyNodeParams */
typedef struct {
    int flags, reserved[3];
    struct byw_cudart_copy params;
} copy_t;

static enum byw_cu_error set_kernel(node_t node, const struct byw_cu_kernel_node *params)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(params->function, &function);

    return error == BYW_CU_OK ? byw_cu_node_set_kernel(node, function, params) : error;
}

static enum byw_cu_error set_copy(node_t node, const struct byw_cudart_copy *params)
{
    node->box = byw_cudart_box(params);
    memcpy(node->copy, params, sizeof(*params));
    return BYW_CU_OK;
}

#include "capture/cuda/byw_cu_graph_calls.h"

/* --- capturing ----------------------------------------------------------------------------------
 */

CALL(StreamBeginCapture, cudaStream_t stream, int mode)
{
    (void)mode;
    return byw_cudart_error(byw_cu_capture_begin(stream, NULL, NULL, 0));
}

#if BYW_CUDA_MAJOR >= 13
CALL(StreamGetCaptureInfo, cudaStream_t stream, int *status, uint64_t *id, graph_t *graph,
     nodes_t *after, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return capture_info(stream, status, id, graph, after, count);
}

CALL(StreamUpdateCaptureDependencies, cudaStream_t stream, nodes_t after, const void *edges,
     size_t count, unsigned flags)
{
    (void)edges;
    return depend(stream, after, count, flags);
}
#else
CALL(StreamGetCaptureInfo, cudaStream_t stream, int *status, uint64_t *id)
{
    return capture_info(stream, status, id, NULL, NULL, NULL);
}

CALL(StreamGetCaptureInfo_v2, cudaStream_t stream, int *status, uint64_t *id, graph_t *graph,
     nodes_t *after, size_t *count)
{
    return capture_info(stream, status, id, graph, after, count);
}

CALL(StreamGetCaptureInfo_v3, cudaStream_t stream, int *status, uint64_t *id, graph_t *graph,
     nodes_t *after, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return capture_info(stream, status, id, graph, after, count);
}

CALL(StreamUpdateCaptureDependencies, cudaStream_t stream, nodes_t after, size_t count,
     unsigned flags)
{
    return depend(stream, after, count, flags);
}

CALL(StreamUpdateCaptureDependencies_v2, cudaStream_t stream, nodes_t after, const void *edges,
     size_t count, unsigned flags)
{
    (void)edges;
    return depend(stream, after, count, flags);
}
#endif

/* --- nodes --------------------------------------------------------------------------------------
 */

static struct byw_cudart_copy line(void *to, const void *from, size_t size, int kind)
{
    return (struct byw_cudart_copy){
        .from = {.data = (unsigned char *)(uintptr_t)from, .pitch = size, .height = 1},
        .to = {.data = to, .pitch = size, .height = 1},
        .extent = {size, 1, 1},
        .kind = kind};
}

static enum byw_cu_error set_line(node_t node, void *to, const void *from, size_t size, int kind)
{
    const struct byw_cudart_copy params = line(to, from, size, kind);

    return set_copy(node, &params);
}

#define KERNEL (const struct byw_cu_kernel_node *params)
ADD(GraphAddKernelNode, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET(GraphKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET_EXEC(GraphExecKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
GET(GraphKernelNodeGetParams, BYW_CU_NODE_KERNEL, struct byw_cu_kernel_node, node->kernel)

#define COPY (const struct byw_cudart_copy *params)
#define LINE (void *to, const void *from, size_t size, int kind)
ADD(GraphAddMemcpyNode, BYW_CU_NODE_COPY, COPY, set_copy(*node, params))
SET(GraphMemcpyNodeSetParams, BYW_CU_NODE_COPY, COPY, set_copy(*node, params))
SET_EXEC(GraphExecMemcpyNodeSetParams, BYW_CU_NODE_COPY, COPY, set_copy(*node, params))
GET(GraphMemcpyNodeGetParams, BYW_CU_NODE_COPY, struct byw_cudart_copy, node->copy)
ADD(GraphAddMemcpyNode1D, BYW_CU_NODE_COPY, LINE, set_line(*node, to, from, size, kind))
SET(GraphMemcpyNodeSetParams1D, BYW_CU_NODE_COPY, LINE, set_line(*node, to, from, size, kind))
SET_EXEC(GraphExecMemcpyNodeSetParams1D, BYW_CU_NODE_COPY, LINE,
         set_line(*node, to, from, size, kind))

/* Copies to and from variables of the program. */
static enum byw_cu_error set_to_symbol(node_t node, const void *symbol, const void *from,
                                       size_t size, size_t offset, int kind)
{
    enum byw_cu_error error;
    void *to = byw_cudart_part(symbol, offset, size, &error);

    return to != NULL ? set_line(node, to, from, size, kind) : error;
}

static enum byw_cu_error set_from_symbol(node_t node, void *to, const void *symbol, size_t size,
                                         size_t offset, int kind)
{
    enum byw_cu_error error;
    const void *from = byw_cudart_part(symbol, offset, size, &error);

    return from != NULL ? set_line(node, to, from, size, kind) : error;
}

#define TO_SYMBOL (const void *symbol, const void *from, size_t size, size_t offset, int kind)
#define FROM_SYMBOL (void *to, const void *symbol, size_t size, size_t offset, int kind)
ADD(GraphAddMemcpyNodeToSymbol, BYW_CU_NODE_COPY, TO_SYMBOL,
    set_to_symbol(*node, symbol, from, size, offset, kind))
SET(GraphMemcpyNodeSetParamsToSymbol, BYW_CU_NODE_COPY, TO_SYMBOL,
    set_to_symbol(*node, symbol, from, size, offset, kind))
SET_EXEC(GraphExecMemcpyNodeSetParamsToSymbol, BYW_CU_NODE_COPY, TO_SYMBOL,
         set_to_symbol(*node, symbol, from, size, offset, kind))
ADD(GraphAddMemcpyNodeFromSymbol, BYW_CU_NODE_COPY, FROM_SYMBOL,
    set_from_symbol(*node, to, symbol, size, offset, kind))
SET(GraphMemcpyNodeSetParamsFromSymbol, BYW_CU_NODE_COPY, FROM_SYMBOL,
    set_from_symbol(*node, to, symbol, size, offset, kind))
SET_EXEC(GraphExecMemcpyNodeSetParamsFromSymbol, BYW_CU_NODE_COPY, FROM_SYMBOL,
         set_from_symbol(*node, to, symbol, size, offset, kind))

#define FILL (const struct byw_cu_fill_node *params)
ADD(GraphAddMemsetNode, BYW_CU_NODE_FILL, FILL, set_fill(*node, params))
SET(GraphMemsetNodeSetParams, BYW_CU_NODE_FILL, FILL, set_fill(*node, params))
SET_EXEC(GraphExecMemsetNodeSetParams, BYW_CU_NODE_FILL, FILL, set_fill(*node, params))
GET(GraphMemsetNodeGetParams, BYW_CU_NODE_FILL, struct byw_cu_fill_node, node->fill)

/* --- executable graphs --------------------------------------------------------------------------
 */

CALL(GraphInstantiate, graph_t *exec, graph_t graph, uint64_t flags)
{
    return RESULT(byw_cu_graph_instantiate(graph, flags, exec));
}

CALL(GraphExecUpdate, graph_t exec, graph_t graph, struct update *update)
{
    return update_exec(exec, graph, update);
}

/* --- objects and memory -------------------------------------------------------------------------
 */

/* Objects that graphs may refer to. One is destroyed when the program releases its last
 * reference. */
struct user_object {
    void *data;
    void (*destroy)(void *);
    unsigned count;
};

CALL(UserObjectCreate, struct user_object **object, void *data, void (*destroy)(void *),
     unsigned count, unsigned flags)
{
    (void)flags;
    *object = malloc(sizeof(**object));
    if (*object == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    **object = (struct user_object){data, destroy, count};
    return 0;
}

CALL(UserObjectRetain, struct user_object *object, unsigned count)
{
    if (object == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    object->count += count;
    return 0;
}

CALL(UserObjectRelease, struct user_object *object, unsigned count)
{
    if (object == NULL || count > object->count)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    object->count -= count;
    if (object->count != 0)
        return 0;
    object->destroy(object->data);
    free(object);
    return 0;
}

/* A graph may be launched as long as the program exists, so it never releases its reference. */
CALL(GraphRetainUserObject, graph_t graph, struct user_object *object, unsigned count,
     unsigned flags)
{
    if (graph == NULL || object == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    if ((flags & 1) == 0) /* without this flag, the references are new, not the program's */
        object->count += count;
    return 0;
}

CALL(GraphReleaseUserObject, graph_t graph, struct user_object *object, unsigned count)
{
    (void)graph;
    return cudaUserObjectRelease(object, count);
}

CALL(DeviceGraphMemTrim, int device)
{
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}

CALL(DeviceGetGraphMemAttribute, int device, int attribute, void *value)
{
    const uint64_t used = byw_cu_taken();

    (void)attribute;
    memcpy(value, &used, sizeof(used));
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}

CALL(DeviceSetGraphMemAttribute, int device, int attribute, void *value)
{
    (void)attribute, (void)value;
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}
