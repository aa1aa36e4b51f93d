/* SPDX-License-Identifier: Apache-2.0
 *
 * Runtime API: graphs and captured streams (byw_cu_graph.h).  CUDA 13 gave calls that name
 * dependencies one more argument, the data of edges, of which there are none here; CUDA 12 has it
 * in calls of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart_copy.h"

typedef struct byw_cu_graph *cudaGraph_t;
typedef struct byw_cu_node *cudaGraphNode_t;
typedef const cudaGraphNode_t *nodes_t;

#define CALL(name, ...)                                                                            \
    BYW_CUDART(cudaError_t) name(__VA_ARGS__);                                                     \
    cudaError_t name(__VA_ARGS__)

/* --- capturing ----------------------------------------------------------------------------------
 */

CALL(cudaStreamBeginCapture, cudaStream_t stream, int mode)
{
    (void)mode;
    return byw_cudart_error(byw_cu_capture_begin(stream, NULL, NULL, 0));
}

CALL(cudaStreamBeginCaptureToGraph, cudaStream_t stream, cudaGraph_t graph, nodes_t after,
     const void *edges, size_t count, int mode)
{
    (void)edges, (void)mode;
    return byw_cudart_error(byw_cu_capture_begin(stream, graph, after, count));
}

CALL(cudaStreamEndCapture, cudaStream_t stream, cudaGraph_t *graph)
{
    return byw_cudart_error(byw_cu_capture_end(stream, graph));
}

CALL(cudaStreamIsCapturing, cudaStream_t stream, int *status)
{
    *status = byw_cu_captured(stream) != NULL;
    return 0;
}

CALL(cudaThreadExchangeStreamCaptureMode, int *mode)
{
    static _Thread_local int current;
    int before = current;

    current = *mode;
    *mode = before;
    return 0;
}

static cudaError_t capture_info(cudaStream_t stream, int *status, unsigned long long *id,
                                cudaGraph_t *graph, nodes_t *after, size_t *count)
{
    struct byw_cu_graph *captured = byw_cu_captured(stream);

    *status = captured != NULL;
    if (captured == NULL)
        return 0;
    if (id != NULL)
        *id = stream->id;
    if (graph != NULL)
        *graph = captured;
    if (after != NULL)
        *after = stream->fork.tail.node;
    if (count != NULL)
        *count = stream->fork.tail.count;
    return 0;
}

static cudaError_t depend(cudaStream_t stream, nodes_t after, size_t count, unsigned flags)
{
    return byw_cudart_error(byw_cu_capture_depend(stream, after, count, (flags & 1) != 0));
}

#if BYW_CUDA_MAJOR >= 13
CALL(cudaStreamGetCaptureInfo, cudaStream_t stream, int *status, unsigned long long *id,
     cudaGraph_t *graph, nodes_t *after, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return capture_info(stream, status, id, graph, after, count);
}

CALL(cudaStreamUpdateCaptureDependencies, cudaStream_t stream, nodes_t after, const void *edges,
     size_t count, unsigned flags)
{
    (void)edges;
    return depend(stream, after, count, flags);
}
#else
CALL(cudaStreamGetCaptureInfo, cudaStream_t stream, int *status, unsigned long long *id)
{
    return capture_info(stream, status, id, NULL, NULL, NULL);
}

CALL(cudaStreamGetCaptureInfo_v2, cudaStream_t stream, int *status, unsigned long long *id,
     cudaGraph_t *graph, nodes_t *after, size_t *count)
{
    return capture_info(stream, status, id, graph, after, count);
}

CALL(cudaStreamGetCaptureInfo_v3, cudaStream_t stream, int *status, unsigned long long *id,
     cudaGraph_t *graph, nodes_t *after, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return capture_info(stream, status, id, graph, after, count);
}

CALL(cudaStreamUpdateCaptureDependencies, cudaStream_t stream, nodes_t after, size_t count,
     unsigned flags)
{
    return depend(stream, after, count, flags);
}

CALL(cudaStreamUpdateCaptureDependencies_v2, cudaStream_t stream, nodes_t after, const void *edges,
     size_t count, unsigned flags)
{
    (void)edges;
    return depend(stream, after, count, flags);
}
#endif

/* --- graphs -------------------------------------------------------------------------------------
 */

CALL(cudaGraphCreate, cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = byw_cu_graph_create();
    return *graph != NULL ? 0 : byw_cudart_error(BYW_CU_NO_MEMORY);
}

CALL(cudaGraphDestroy, cudaGraph_t graph)
{
    byw_cu_graph_free(graph);
    return 0;
}

CALL(cudaGraphClone, cudaGraph_t *copy, cudaGraph_t graph)
{
    *copy = byw_cu_graph_clone(graph);
    return *copy != NULL ? 0 : byw_cudart_error(BYW_CU_NO_MEMORY);
}

CALL(cudaGraphNodeFindInClone, cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t copy)
{
    *node = byw_cu_graph_find(copy, original);
    return *node != NULL ? 0 : byw_cudart_error(BYW_CU_INVALID_VALUE);
}

CALL(cudaGraphDestroyNode, cudaGraphNode_t node)
{
    if (node == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    byw_cu_graph_remove(node);
    return 0;
}

CALL(cudaGraphGetNodes, cudaGraph_t graph, cudaGraphNode_t *list, size_t *count)
{
    return byw_cudart_error(byw_cu_graph_list(graph, false, list, count));
}

CALL(cudaGraphGetRootNodes, cudaGraph_t graph, cudaGraphNode_t *list, size_t *count)
{
    return byw_cudart_error(byw_cu_graph_list(graph, true, list, count));
}

CALL(cudaGraphNodeGetType, cudaGraphNode_t node, int *type)
{
    if (node == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *type = (int)node->kind;
    return 0;
}

/* Defines a call with the data of edges, which is ignored. */
#if BYW_CUDA_MAJOR >= 13
#define WITH_EDGES(name, before, after, body_call)                                                 \
    CALL(name, UNPACK before, EDGE_TYPE edges, UNPACK after)                                       \
    {                                                                                              \
        (void)edges;                                                                               \
        return body_call;                                                                          \
    }
#else
#define WITH_EDGES(name, before, after, body_call)                                                 \
    CALL(name, UNPACK before, UNPACK after)                                                        \
    {                                                                                              \
        return body_call;                                                                          \
    }                                                                                              \
    CALL(name##_v2, UNPACK before, EDGE_TYPE edges, UNPACK after)                                  \
    {                                                                                              \
        (void)edges;                                                                               \
        return body_call;                                                                          \
    }
#endif
#define UNPACK(...) __VA_ARGS__
#define EDGE_TYPE const void *

WITH_EDGES(cudaGraphAddDependencies, (cudaGraph_t graph, nodes_t from, nodes_t to), (size_t count),
           ((void)graph, byw_cudart_error(byw_cu_graph_link(from, to, count, true))))
WITH_EDGES(cudaGraphRemoveDependencies, (cudaGraph_t graph, nodes_t from, nodes_t to),
           (size_t count),
           ((void)graph, byw_cudart_error(byw_cu_graph_link(from, to, count, false))))
WITH_EDGES(cudaGraphGetEdges, (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to),
           (size_t * count), byw_cudart_error(byw_cu_graph_edges(graph, from, to, count)))
WITH_EDGES(cudaGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *list),
           (size_t * count), byw_cudart_error(byw_cu_node_list(node, false, list, count)))
WITH_EDGES(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t node, cudaGraphNode_t *list),
           (size_t * count), byw_cudart_error(byw_cu_node_list(node, true, list, count)))

/* --- nodes --------------------------------------------------------------------------------------
 */

static enum byw_cu_error set_kernel(cudaGraphNode_t node, const struct byw_cu_kernel_node *params)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(params->function, &function);

    return error == BYW_CU_OK ? byw_cu_node_set_kernel(node, function, params) : error;
}

static enum byw_cu_error set_copy(cudaGraphNode_t node, const struct byw_cudart_copy *params)
{
    node->box = byw_cudart_box(params);
    memcpy(node->copy, params, sizeof(*params));
    return BYW_CU_OK;
}

static struct byw_cudart_copy line(void *to, const void *from, size_t size, int kind)
{
    return (struct byw_cudart_copy){
        .from = {.data = (unsigned char *)(uintptr_t)from, .pitch = size, .height = 1},
        .to = {.data = to, .pitch = size, .height = 1},
        .extent = {size, 1, 1},
        .kind = kind};
}

static enum byw_cu_error set_line(cudaGraphNode_t node, void *to, const void *from, size_t size,
                                  int kind)
{
    const struct byw_cudart_copy params = line(to, from, size, kind);

    return set_copy(node, &params);
}

static enum byw_cu_error set_fill(cudaGraphNode_t node, const struct byw_cu_fill_node *params)
{
    if (params->element != 1 && params->element != 2 && params->element != 4)
        return BYW_CU_INVALID_VALUE;
    node->fill = *params;
    return BYW_CU_OK;
}

static enum byw_cu_error set_host(cudaGraphNode_t node, const struct byw_cu_host_node *params)
{
    node->host = *params;
    return BYW_CU_OK;
}

static enum byw_cu_error set_event(cudaGraphNode_t node, cudaEvent_t event)
{
    node->event = event;
    return event != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

static enum byw_cu_error set_free(cudaGraphNode_t node, void *address)
{
    node->alloc.address = address;
    return BYW_CU_OK;
}

/* The node of an executable graph that was made from `node`; NULL with an error: there is none. */
static cudaGraphNode_t in_exec(cudaGraph_t exec, cudaGraphNode_t node, enum byw_cu_node_kind kind)
{
    cudaGraphNode_t found = byw_cu_graph_find(exec, node);

    return found != NULL && found->kind == kind ? found : NULL;
}

/* cudaGraphAdd...Node, ...NodeSetParams and cudaGraphExec...NodeSetParams of one kind. */
#define ADD(name, kind, parameters, setter)                                                        \
    CALL(name, cudaGraphNode_t *node, cudaGraph_t graph, nodes_t after, size_t count,              \
         UNPACK parameters)                                                                        \
    {                                                                                              \
        enum byw_cu_error error = byw_cu_graph_add(graph, kind, after, count, node);               \
        return byw_cudart_error(error == BYW_CU_OK ? (setter) : error);                            \
    }
#define SET(name, kind_of_node, parameters, setter)                                                \
    CALL(name, cudaGraphNode_t target, UNPACK parameters)                                          \
    {                                                                                              \
        cudaGraphNode_t *node = &target;                                                           \
        if (target == NULL || target->kind != (kind_of_node))                                      \
            return byw_cudart_error(BYW_CU_INVALID_VALUE);                                         \
        return byw_cudart_error(setter);                                                           \
    }
#define SET_EXEC(name, kind, parameters, setter)                                                   \
    CALL(name, cudaGraph_t exec, cudaGraphNode_t original, UNPACK parameters)                      \
    {                                                                                              \
        cudaGraphNode_t found = in_exec(exec, original, kind), *node = &found;                     \
        return byw_cudart_error(found == NULL ? BYW_CU_INVALID_VALUE : (setter));                  \
    }
#define GET(name, kind_of_node, type, from)                                                        \
    CALL(name, cudaGraphNode_t node, type *out)                                                    \
    {                                                                                              \
        if (node == NULL || node->kind != (kind_of_node))                                          \
            return byw_cudart_error(BYW_CU_INVALID_VALUE);                                         \
        memcpy(out, &(from), sizeof(*out));                                                        \
        return 0;                                                                                  \
    }

#define KERNEL (const struct byw_cu_kernel_node *params)
ADD(cudaGraphAddKernelNode, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET(cudaGraphKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET_EXEC(cudaGraphExecKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
GET(cudaGraphKernelNodeGetParams, BYW_CU_NODE_KERNEL, struct byw_cu_kernel_node, node->kernel)

#define COPY (const struct byw_cudart_copy *params)
#define LINE (void *to, const void *from, size_t size, int kind)
ADD(cudaGraphAddMemcpyNode, BYW_CU_NODE_COPY, COPY, set_copy(*node, params))
SET(cudaGraphMemcpyNodeSetParams, BYW_CU_NODE_COPY, COPY, set_copy(*node, params))
SET_EXEC(cudaGraphExecMemcpyNodeSetParams, BYW_CU_NODE_COPY, COPY, set_copy(*node, params))
GET(cudaGraphMemcpyNodeGetParams, BYW_CU_NODE_COPY, struct byw_cudart_copy, node->copy)
ADD(cudaGraphAddMemcpyNode1D, BYW_CU_NODE_COPY, LINE, set_line(*node, to, from, size, kind))
SET(cudaGraphMemcpyNodeSetParams1D, BYW_CU_NODE_COPY, LINE, set_line(*node, to, from, size, kind))
SET_EXEC(cudaGraphExecMemcpyNodeSetParams1D, BYW_CU_NODE_COPY, LINE,
         set_line(*node, to, from, size, kind))

/* Copies to and from variables of the program. */
static enum byw_cu_error set_to_symbol(cudaGraphNode_t node, const void *symbol, const void *from,
                                       size_t size, size_t offset, int kind)
{
    void *address;
    size_t room;
    enum byw_cu_error error = byw_cudart_variable(symbol, &address, &room);

    if (error == BYW_CU_OK && (offset > room || size > room - offset))
        return BYW_CU_INVALID_VALUE;
    return error == BYW_CU_OK ? set_line(node, (char *)address + offset, from, size, kind) : error;
}

static enum byw_cu_error set_from_symbol(cudaGraphNode_t node, void *to, const void *symbol,
                                         size_t size, size_t offset, int kind)
{
    void *address;
    size_t room;
    enum byw_cu_error error = byw_cudart_variable(symbol, &address, &room);

    if (error == BYW_CU_OK && (offset > room || size > room - offset))
        return BYW_CU_INVALID_VALUE;
    return error == BYW_CU_OK ? set_line(node, to, (char *)address + offset, size, kind) : error;
}

#define TO_SYMBOL (const void *symbol, const void *from, size_t size, size_t offset, int kind)
#define FROM_SYMBOL (void *to, const void *symbol, size_t size, size_t offset, int kind)
ADD(cudaGraphAddMemcpyNodeToSymbol, BYW_CU_NODE_COPY, TO_SYMBOL,
    set_to_symbol(*node, symbol, from, size, offset, kind))
SET(cudaGraphMemcpyNodeSetParamsToSymbol, BYW_CU_NODE_COPY, TO_SYMBOL,
    set_to_symbol(*node, symbol, from, size, offset, kind))
SET_EXEC(cudaGraphExecMemcpyNodeSetParamsToSymbol, BYW_CU_NODE_COPY, TO_SYMBOL,
         set_to_symbol(*node, symbol, from, size, offset, kind))
ADD(cudaGraphAddMemcpyNodeFromSymbol, BYW_CU_NODE_COPY, FROM_SYMBOL,
    set_from_symbol(*node, to, symbol, size, offset, kind))
SET(cudaGraphMemcpyNodeSetParamsFromSymbol, BYW_CU_NODE_COPY, FROM_SYMBOL,
    set_from_symbol(*node, to, symbol, size, offset, kind))
SET_EXEC(cudaGraphExecMemcpyNodeSetParamsFromSymbol, BYW_CU_NODE_COPY, FROM_SYMBOL,
         set_from_symbol(*node, to, symbol, size, offset, kind))

#define FILL (const struct byw_cu_fill_node *params)
ADD(cudaGraphAddMemsetNode, BYW_CU_NODE_FILL, FILL, set_fill(*node, params))
SET(cudaGraphMemsetNodeSetParams, BYW_CU_NODE_FILL, FILL, set_fill(*node, params))
SET_EXEC(cudaGraphExecMemsetNodeSetParams, BYW_CU_NODE_FILL, FILL, set_fill(*node, params))
GET(cudaGraphMemsetNodeGetParams, BYW_CU_NODE_FILL, struct byw_cu_fill_node, node->fill)

#define HOST (const struct byw_cu_host_node *params)
ADD(cudaGraphAddHostNode, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
SET(cudaGraphHostNodeSetParams, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
SET_EXEC(cudaGraphExecHostNodeSetParams, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
GET(cudaGraphHostNodeGetParams, BYW_CU_NODE_HOST, struct byw_cu_host_node, node->host)

ADD(cudaGraphAddChildGraphNode, BYW_CU_NODE_GRAPH, (cudaGraph_t child),
    byw_cu_node_set_child(*node, child))
SET_EXEC(cudaGraphExecChildGraphNodeSetParams, BYW_CU_NODE_GRAPH, (cudaGraph_t child),
         byw_cu_node_set_child(*node, child))
GET(cudaGraphChildGraphNodeGetGraph, BYW_CU_NODE_GRAPH, cudaGraph_t, node->child)

ADD(cudaGraphAddEventRecordNode, BYW_CU_NODE_RECORD, (cudaEvent_t event), set_event(*node, event))
SET(cudaGraphEventRecordNodeSetEvent, BYW_CU_NODE_RECORD, (cudaEvent_t event),
    set_event(*node, event))
SET_EXEC(cudaGraphExecEventRecordNodeSetEvent, BYW_CU_NODE_RECORD, (cudaEvent_t event),
         set_event(*node, event))
GET(cudaGraphEventRecordNodeGetEvent, BYW_CU_NODE_RECORD, cudaEvent_t, node->event)
ADD(cudaGraphAddEventWaitNode, BYW_CU_NODE_WAIT, (cudaEvent_t event), set_event(*node, event))
SET(cudaGraphEventWaitNodeSetEvent, BYW_CU_NODE_WAIT, (cudaEvent_t event), set_event(*node, event))
SET_EXEC(cudaGraphExecEventWaitNodeSetEvent, BYW_CU_NODE_WAIT, (cudaEvent_t event),
         set_event(*node, event))
GET(cudaGraphEventWaitNodeGetEvent, BYW_CU_NODE_WAIT, cudaEvent_t, node->event)

CALL(cudaGraphAddEmptyNode, cudaGraphNode_t *node, cudaGraph_t graph, nodes_t after, size_t count)
{
    return byw_cudart_error(byw_cu_graph_add(graph, BYW_CU_NODE_EMPTY, after, count, node));
}

/* Memory has its address when the node is added, as the program expects. */
static enum byw_cu_error set_alloc(cudaGraphNode_t node, struct byw_cu_alloc_node *params)
{
    enum byw_cu_error error;

    node->alloc = *params;
    error = byw_cu_node_set_alloc(node, params->size);
    params->address = node->alloc.address;
    return error;
}
ADD(cudaGraphAddMemAllocNode, BYW_CU_NODE_ALLOC, (struct byw_cu_alloc_node * params),
    set_alloc(*node, params))
GET(cudaGraphMemAllocNodeGetParams, BYW_CU_NODE_ALLOC, struct byw_cu_alloc_node, node->alloc)
ADD(cudaGraphAddMemFreeNode, BYW_CU_NODE_FREE, (void *address), set_free(*node, address))
GET(cudaGraphMemFreeNodeGetParams, BYW_CU_NODE_FREE, void *, node->alloc.address)

/* cudaGraphNodeParams */
struct any {
    int type, reserved[3];
    union {
        struct byw_cu_kernel_node kernel;
        struct {
            int flags, reserved[3];
            struct byw_cudart_copy params;
        } copy;
        struct byw_cu_fill_node fill;
        struct byw_cu_host_node host;
        cudaGraph_t child;
        cudaEvent_t event;
        struct byw_cu_alloc_node alloc;
        void *address;
    } of;
};

static enum byw_cu_error set_any(cudaGraphNode_t node, struct any *params)
{
    switch (params->type) {
    case BYW_CU_NODE_KERNEL:
        return set_kernel(node, &params->of.kernel);
    case BYW_CU_NODE_COPY:
        return set_copy(node, &params->of.copy.params);
    case BYW_CU_NODE_FILL:
        return set_fill(node, &params->of.fill);
    case BYW_CU_NODE_HOST:
        return set_host(node, &params->of.host);
    case BYW_CU_NODE_GRAPH:
        return byw_cu_node_set_child(node, params->of.child);
    case BYW_CU_NODE_EMPTY:
        return BYW_CU_OK;
    case BYW_CU_NODE_WAIT:
    case BYW_CU_NODE_RECORD:
        return set_event(node, params->of.event);
    case BYW_CU_NODE_ALLOC:
        return set_alloc(node, &params->of.alloc);
    case BYW_CU_NODE_FREE:
        return set_free(node, params->of.address);
    default:
        byw_cu_say("nodes of graphs of type %d (conditional nodes, semaphores of other APIs ...) "
                   "are not supported",
                   params->type);
        return BYW_CU_NOT_SUPPORTED;
    }
}

static cudaError_t add_any(cudaGraphNode_t *node, cudaGraph_t graph, nodes_t after, size_t count,
                           struct any *params)
{
    enum byw_cu_error error =
        byw_cu_graph_add(graph, (enum byw_cu_node_kind)params->type, after, count, node);

    if (error != BYW_CU_OK)
        return byw_cudart_error(error);
    error = set_any(*node, params);
    if (error != BYW_CU_OK)
        byw_cu_graph_remove(*node);
    return byw_cudart_error(error);
}
WITH_EDGES(cudaGraphAddNode, (cudaGraphNode_t * node, cudaGraph_t graph, nodes_t after),
           (size_t count, struct any *params), add_any(node, graph, after, count, params))

CALL(cudaGraphNodeSetParams, cudaGraphNode_t node, struct any *params)
{
    if (node == NULL || (int)node->kind != params->type)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return byw_cudart_error(set_any(node, params));
}

CALL(cudaGraphExecNodeSetParams, cudaGraph_t exec, cudaGraphNode_t node, struct any *params)
{
    return cudaGraphNodeSetParams(byw_cu_graph_find(exec, node), params);
}

CALL(cudaGraphNodeSetEnabled, cudaGraph_t exec, cudaGraphNode_t node, unsigned enabled)
{
    cudaGraphNode_t found = byw_cu_graph_find(exec, node);

    if (found == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    found->disabled = enabled == 0;
    return 0;
}

CALL(cudaGraphNodeGetEnabled, cudaGraph_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    cudaGraphNode_t found = byw_cu_graph_find(exec, node);

    if (found == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *enabled = !found->disabled;
    return 0;
}

/* Attributes of kernel nodes (priority, access policies) change nothing here. */
CALL(cudaGraphKernelNodeSetAttribute, cudaGraphNode_t node, int attribute, const void *value)
{
    (void)node, (void)attribute, (void)value;
    return 0;
}

CALL(cudaGraphKernelNodeGetAttribute, cudaGraphNode_t node, int attribute, void *value)
{
    (void)node, (void)attribute;
    memset(value, 0, 64);
    return 0;
}

CALL(cudaGraphKernelNodeCopyAttributes, cudaGraphNode_t to, cudaGraphNode_t from)
{
    (void)to, (void)from;
    return 0;
}

/* --- executable graphs --------------------------------------------------------------------------
 */

CALL(cudaGraphInstantiate, cudaGraph_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    if (graph == NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *exec = byw_cu_graph_clone(graph);
    if (*exec == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    (*exec)->flags = flags;
    return 0;
}

CALL(cudaGraphInstantiateWithFlags, cudaGraph_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

struct instantiation {
    unsigned long long flags;
    cudaStream_t upload;
    cudaGraphNode_t wrong;
    int result;
};

CALL(cudaGraphInstantiateWithParams, cudaGraph_t *exec, cudaGraph_t graph,
     struct instantiation *params)
{
    params->wrong = NULL;
    params->result = 0;
    return cudaGraphInstantiate(exec, graph, params->flags);
}

CALL(cudaGraphExecGetFlags, cudaGraph_t exec, unsigned long long *flags)
{
    *flags = exec->flags;
    return 0;
}

CALL(cudaGraphUpload, cudaGraph_t exec, cudaStream_t stream)
{
    (void)stream;
    return exec != NULL ? 0 : byw_cudart_error(BYW_CU_INVALID_VALUE);
}

CALL(cudaGraphLaunch, cudaGraph_t exec, cudaStream_t stream)
{
    return byw_cudart_error(byw_cu_graph_launch(exec, stream));
}

CALL(cudaGraphExecDestroy, cudaGraph_t exec)
{
    byw_cu_graph_free(exec);
    return 0;
}

struct update {
    int result;
    cudaGraphNode_t wrong, from;
};

CALL(cudaGraphExecUpdate, cudaGraph_t exec, cudaGraph_t graph, struct update *update)
{
    struct byw_cu_node *wrong = NULL;
    enum byw_cu_error error = exec == NULL || graph == NULL
                                  ? BYW_CU_INVALID_VALUE
                                  : byw_cu_graph_update(exec, graph, &wrong);

    if (update != NULL)
        *update =
            (struct update){error == BYW_CU_OK ? 0 : 2 /* the topology changed */, wrong, NULL};
    return byw_cudart_error(error);
}

CALL(cudaGraphDebugDotPrint, cudaGraph_t graph, const char *path, unsigned flags)
{
    (void)graph, (void)path, (void)flags;
    byw_cu_say("cudaGraphDebugDotPrint writes nothing");
    return 0;
}

/* Objects whose life a graph shares: destroyed with their last reference of the program. */
struct user_object {
    void *data;
    void (*destroy)(void *);
    unsigned count;
};

CALL(cudaUserObjectCreate, struct user_object **object, void *data, void (*destroy)(void *),
     unsigned count, unsigned flags)
{
    (void)flags;
    *object = malloc(sizeof(**object));
    if (*object == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    **object = (struct user_object){data, destroy, count};
    return 0;
}

CALL(cudaUserObjectRetain, struct user_object *object, unsigned count)
{
    object->count += count;
    return 0;
}

CALL(cudaUserObjectRelease, struct user_object *object, unsigned count)
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

/* A graph may be launched as long as the program exists, so that it never gives its reference
 * back. */
CALL(cudaGraphRetainUserObject, cudaGraph_t graph, struct user_object *object, unsigned count,
     unsigned flags)
{
    (void)graph;
    if ((flags & 1) == 0) /* not the program's own references */
        object->count += count;
    return 0;
}

CALL(cudaGraphReleaseUserObject, cudaGraph_t graph, struct user_object *object, unsigned count)
{
    (void)graph;
    return cudaUserObjectRelease(object, count);
}

CALL(cudaDeviceGraphMemTrim, int device)
{
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}

CALL(cudaDeviceGetGraphMemAttribute, int device, int attribute, void *value)
{
    const uint64_t used = byw_cu_taken();

    (void)attribute;
    memcpy(value, &used, sizeof(used));
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}

CALL(cudaDeviceSetGraphMemAttribute, int device, int attribute, void *value)
{
    (void)attribute, (void)value;
    return byw_cudart_error(device == 0 ? BYW_CU_OK : BYW_CU_INVALID_DEVICE);
}
