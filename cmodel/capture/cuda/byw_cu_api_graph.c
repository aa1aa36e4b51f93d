/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: graphs and captured streams (byw_cu_graph.h).
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"

typedef const CUgraphNode *nodes_t;

/* --- capturing ----------------------------------------------------------------------------------
 */

CU(cuStreamBeginCapture_v2, CUstream stream, int mode)
{
    (void)mode;
    return byw_cu_capture_begin(stream, NULL, NULL, 0);
}

CU(cuStreamBeginCapture, CUstream stream)
{
    return byw_cu_capture_begin(stream, NULL, NULL, 0);
}

CU(cuStreamBeginCaptureToGraph, CUstream stream, CUgraph graph, nodes_t after, const void *edges,
   size_t count, int mode)
{
    (void)edges, (void)mode;
    return byw_cu_capture_begin(stream, graph, after, count);
}

CU(cuStreamEndCapture, CUstream stream, CUgraph *graph)
{
    return byw_cu_capture_end(stream, graph);
}

CU(cuStreamIsCapturing, CUstream stream, int *status)
{
    *status = byw_cu_captured(stream) != NULL;
    return BYW_CU_OK;
}

CU(cuThreadExchangeStreamCaptureMode, int *mode)
{
    static _Thread_local int current;
    int before = current;

    current = *mode;
    *mode = before;
    return BYW_CU_OK;
}

CU(cuStreamGetCaptureInfo_v2, CUstream stream, int *status, uint64_t *id, CUgraph *graph,
   nodes_t *after, size_t *count)
{
    CUgraph captured = byw_cu_captured(stream);

    *status = captured != NULL;
    if (captured == NULL)
        return BYW_CU_OK;
    if (id != NULL)
        *id = stream->id;
    if (graph != NULL)
        *graph = captured;
    if (after != NULL)
        *after = stream->fork.tail.node;
    if (count != NULL)
        *count = stream->fork.tail.count;
    return BYW_CU_OK;
}

CU(cuStreamGetCaptureInfo, CUstream stream, int *status, uint64_t *id)
{
    return cuStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}

CU(cuStreamGetCaptureInfo_v3, CUstream stream, int *status, uint64_t *id, CUgraph *graph,
   nodes_t *after, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return cuStreamGetCaptureInfo_v2(stream, status, id, graph, after, count);
}

CU(cuStreamUpdateCaptureDependencies, CUstream stream, nodes_t after, size_t count, unsigned flags)
{
    return byw_cu_capture_depend(stream, after, count, (flags & 1) != 0);
}

CU(cuStreamUpdateCaptureDependencies_v2, CUstream stream, nodes_t after, const void *edges,
   size_t count, unsigned flags)
{
    (void)edges;
    return cuStreamUpdateCaptureDependencies(stream, after, count, flags);
}

/* --- graphs -------------------------------------------------------------------------------------
 */

CU(cuGraphCreate, CUgraph *graph, unsigned flags)
{
    (void)flags;
    *graph = byw_cu_graph_create();
    return *graph != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

CU(cuGraphDestroy, CUgraph graph)
{
    byw_cu_graph_free(graph);
    return BYW_CU_OK;
}

CU(cuGraphClone, CUgraph *copy, CUgraph graph)
{
    *copy = graph == NULL ? NULL : byw_cu_graph_clone(graph);
    return *copy != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuGraphNodeFindInClone, CUgraphNode *node, CUgraphNode original, CUgraph copy)
{
    *node = byw_cu_graph_find(copy, original);
    return *node != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuGraphDestroyNode, CUgraphNode node)
{
    if (node == NULL)
        return BYW_CU_INVALID_VALUE;
    byw_cu_graph_remove(node);
    return BYW_CU_OK;
}

CU(cuGraphGetNodes, CUgraph graph, CUgraphNode *list, size_t *count)
{
    return byw_cu_graph_list(graph, false, list, count);
}

CU(cuGraphGetRootNodes, CUgraph graph, CUgraphNode *list, size_t *count)
{
    return byw_cu_graph_list(graph, true, list, count);
}

CU(cuGraphNodeGetType, CUgraphNode node, int *type)
{
    if (node == NULL)
        return BYW_CU_INVALID_VALUE;
    *type = (int)node->kind;
    return BYW_CU_OK;
}

/* A call, and its second version, which has the data of edges; there are none here. */
#define UNPACK(...) __VA_ARGS__
#define WITH_EDGES(name, edge, before, after, result)                                              \
    CU(name, UNPACK before, UNPACK after)                                                          \
    {                                                                                              \
        return result;                                                                             \
    }                                                                                              \
    CU(name##_v2, UNPACK before, edge edges, UNPACK after)                                         \
    {                                                                                              \
        (void)edges;                                                                               \
        return result;                                                                             \
    }
typedef const void *edges_t;

WITH_EDGES(cuGraphAddDependencies, edges_t, (CUgraph graph, nodes_t from, nodes_t to),
           (size_t count), ((void)graph, byw_cu_graph_link(from, to, count, true)))
WITH_EDGES(cuGraphRemoveDependencies, edges_t, (CUgraph graph, nodes_t from, nodes_t to),
           (size_t count), ((void)graph, byw_cu_graph_link(from, to, count, false)))
WITH_EDGES(cuGraphGetEdges, edges_t, (CUgraph graph, CUgraphNode *from, CUgraphNode *to),
           (size_t * count), byw_cu_graph_edges(graph, from, to, count))
WITH_EDGES(cuGraphNodeGetDependencies, edges_t, (CUgraphNode node, CUgraphNode *list),
           (size_t * count), byw_cu_node_list(node, false, list, count))
WITH_EDGES(cuGraphNodeGetDependentNodes, edges_t, (CUgraphNode node, CUgraphNode *list),
           (size_t * count), byw_cu_node_list(node, true, list, count))

/* --- nodes --------------------------------------------------------------------------------------
 */

/* CUDA_KERNEL_NODE_PARAMS, version 2; version 1 ends before `kernel`. */
struct kernel_node {
    struct byw_cu_kernel_node launch;
    CUfunction kernel; /* NULL: launch.function */
    CUcontext context;
};

static CUresult set_kernel_1(CUgraphNode node, const struct byw_cu_kernel_node *params)
{
    CUfunction function = (CUfunction)(uintptr_t)params->function;

    return function == NULL ? BYW_CU_INVALID_VALUE : byw_cu_node_set_kernel(node, function, params);
}

static CUresult set_kernel(CUgraphNode node, const struct kernel_node *params)
{
    struct byw_cu_kernel_node launch = params->launch;

    if (launch.function == NULL)
        launch.function = params->kernel;
    return set_kernel_1(node, &launch);
}

static CUresult set_copy(CUgraphNode node, const struct byw_cu_copy *params)
{
    node->box = byw_cu_box_of(params);
    memcpy(node->copy, params, sizeof(*params));
    return BYW_CU_OK;
}

static CUresult set_fill(CUgraphNode node, const struct byw_cu_fill_node *params)
{
    if (params->element != 1 && params->element != 2 && params->element != 4)
        return BYW_CU_INVALID_VALUE;
    node->fill = *params;
    return BYW_CU_OK;
}

static CUresult set_host(CUgraphNode node, const struct byw_cu_host_node *params)
{
    node->host = *params;
    return BYW_CU_OK;
}

static CUresult set_event(CUgraphNode node, CUevent event)
{
    node->event = event;
    return event != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

static CUresult set_alloc(CUgraphNode node, struct byw_cu_alloc_node *params)
{
    CUresult error;

    node->alloc = *params;
    error = byw_cu_node_set_alloc(node, params->size);
    params->address = node->alloc.address;
    return error;
}

static CUresult set_free(CUgraphNode node, CUdeviceptr address)
{
    node->alloc.address = (void *)(uintptr_t)address;
    return BYW_CU_OK;
}

/* cuGraphAdd...Node, ...NodeSetParams, cuGraphExec...NodeSetParams and ...GetParams of a kind. */
#define ADD(name, kind, parameters, setter)                                                        \
    CU(name, CUgraphNode *node, CUgraph graph, nodes_t after, size_t count, UNPACK parameters)     \
    {                                                                                              \
        CUresult error = byw_cu_graph_add(graph, kind, after, count, node);                        \
        return error == BYW_CU_OK ? (setter) : error;                                              \
    }
#define SET(name, kind_of_node, parameters, setter)                                                \
    CU(name, CUgraphNode target, UNPACK parameters)                                                \
    {                                                                                              \
        CUgraphNode *node = &target;                                                               \
        if (target == NULL || target->kind != (kind_of_node))                                      \
            return BYW_CU_INVALID_VALUE;                                                           \
        return setter;                                                                             \
    }
#define SET_EXEC(name, kind_of_node, parameters, setter)                                           \
    CU(name, CUgraph exec, CUgraphNode original, UNPACK parameters)                                \
    {                                                                                              \
        CUgraphNode found = byw_cu_graph_find(exec, original), *node = &found;                     \
        if (found == NULL || found->kind != (kind_of_node))                                        \
            return BYW_CU_INVALID_VALUE;                                                           \
        return setter;                                                                             \
    }
#define GET(name, kind_of_node, type, from)                                                        \
    CU(name, CUgraphNode node, type *out)                                                          \
    {                                                                                              \
        if (node == NULL || node->kind != (kind_of_node))                                          \
            return BYW_CU_INVALID_VALUE;                                                           \
        memcpy(out, &(from), sizeof(*out));                                                        \
        return BYW_CU_OK;                                                                          \
    }

#define KERNEL_1 (const struct byw_cu_kernel_node *params)
#define KERNEL (const struct kernel_node *params)
ADD(cuGraphAddKernelNode, BYW_CU_NODE_KERNEL, KERNEL_1, set_kernel_1(*node, params))
SET(cuGraphKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL_1, set_kernel_1(*node, params))
SET_EXEC(cuGraphExecKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL_1, set_kernel_1(*node, params))
ADD(cuGraphAddKernelNode_v2, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET(cuGraphKernelNodeSetParams_v2, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET_EXEC(cuGraphExecKernelNodeSetParams_v2, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))

CU(cuGraphKernelNodeGetParams, CUgraphNode node, struct byw_cu_kernel_node *out)
{
    if (node == NULL || node->kind != BYW_CU_NODE_KERNEL)
        return BYW_CU_INVALID_VALUE;
    *out = node->kernel;
    out->function = node->function;
    return BYW_CU_OK;
}

CU(cuGraphKernelNodeGetParams_v2, CUgraphNode node, struct kernel_node *out)
{
    out->kernel = NULL;
    out->context = NULL;
    return cuGraphKernelNodeGetParams(node, &out->launch);
}

#define COPY (const struct byw_cu_copy *params, CUcontext context)
ADD(cuGraphAddMemcpyNode, BYW_CU_NODE_COPY, COPY, ((void)context, set_copy(*node, params)))
SET(cuGraphMemcpyNodeSetParams, BYW_CU_NODE_COPY, (const struct byw_cu_copy *params),
    set_copy(*node, params))
SET_EXEC(cuGraphExecMemcpyNodeSetParams, BYW_CU_NODE_COPY, COPY,
         ((void)context, set_copy(*node, params)))
GET(cuGraphMemcpyNodeGetParams, BYW_CU_NODE_COPY, struct byw_cu_copy, node->copy)

#define FILL (const struct byw_cu_fill_node *params, CUcontext context)
ADD(cuGraphAddMemsetNode, BYW_CU_NODE_FILL, FILL, ((void)context, set_fill(*node, params)))
SET(cuGraphMemsetNodeSetParams, BYW_CU_NODE_FILL, (const struct byw_cu_fill_node *params),
    set_fill(*node, params))
SET_EXEC(cuGraphExecMemsetNodeSetParams, BYW_CU_NODE_FILL, FILL,
         ((void)context, set_fill(*node, params)))
GET(cuGraphMemsetNodeGetParams, BYW_CU_NODE_FILL, struct byw_cu_fill_node, node->fill)

#define HOST (const struct byw_cu_host_node *params)
ADD(cuGraphAddHostNode, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
SET(cuGraphHostNodeSetParams, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
SET_EXEC(cuGraphExecHostNodeSetParams, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
GET(cuGraphHostNodeGetParams, BYW_CU_NODE_HOST, struct byw_cu_host_node, node->host)

ADD(cuGraphAddChildGraphNode, BYW_CU_NODE_GRAPH, (CUgraph child),
    byw_cu_node_set_child(*node, child))
SET_EXEC(cuGraphExecChildGraphNodeSetParams, BYW_CU_NODE_GRAPH, (CUgraph child),
         byw_cu_node_set_child(*node, child))
GET(cuGraphChildGraphNodeGetGraph, BYW_CU_NODE_GRAPH, CUgraph, node->child)

#define EVENT (CUevent event)
ADD(cuGraphAddEventRecordNode, BYW_CU_NODE_RECORD, EVENT, set_event(*node, event))
SET(cuGraphEventRecordNodeSetEvent, BYW_CU_NODE_RECORD, EVENT, set_event(*node, event))
SET_EXEC(cuGraphExecEventRecordNodeSetEvent, BYW_CU_NODE_RECORD, EVENT, set_event(*node, event))
GET(cuGraphEventRecordNodeGetEvent, BYW_CU_NODE_RECORD, CUevent, node->event)
ADD(cuGraphAddEventWaitNode, BYW_CU_NODE_WAIT, EVENT, set_event(*node, event))
SET(cuGraphEventWaitNodeSetEvent, BYW_CU_NODE_WAIT, EVENT, set_event(*node, event))
SET_EXEC(cuGraphExecEventWaitNodeSetEvent, BYW_CU_NODE_WAIT, EVENT, set_event(*node, event))
GET(cuGraphEventWaitNodeGetEvent, BYW_CU_NODE_WAIT, CUevent, node->event)

ADD(cuGraphAddMemAllocNode, BYW_CU_NODE_ALLOC, (struct byw_cu_alloc_node * params),
    set_alloc(*node, params))
GET(cuGraphMemAllocNodeGetParams, BYW_CU_NODE_ALLOC, struct byw_cu_alloc_node, node->alloc)
ADD(cuGraphAddMemFreeNode, BYW_CU_NODE_FREE, (CUdeviceptr address), set_free(*node, address))
GET(cuGraphMemFreeNodeGetParams, BYW_CU_NODE_FREE, CUdeviceptr, node->alloc.address)

CU(cuGraphAddEmptyNode, CUgraphNode *node, CUgraph graph, nodes_t after, size_t count)
{
    return byw_cu_graph_add(graph, BYW_CU_NODE_EMPTY, after, count, node);
}

/* CUgraphNodeParams */
struct any {
    int type, reserved[3];
    union {
        struct kernel_node kernel;
        struct {
            int flags, reserved;
            CUcontext context;
            struct byw_cu_copy params;
        } copy;
        struct byw_cu_fill_node fill;
        struct byw_cu_host_node host;
        CUgraph child;
        CUevent event;
        struct byw_cu_alloc_node alloc;
        CUdeviceptr address;
    } of;
};

static CUresult set_any(CUgraphNode node, struct any *params)
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

static CUresult add_any(CUgraphNode *node, CUgraph graph, nodes_t after, size_t count,
                        struct any *params)
{
    CUresult error =
        byw_cu_graph_add(graph, (enum byw_cu_node_kind)params->type, after, count, node);

    if (error != BYW_CU_OK)
        return error;
    error = set_any(*node, params);
    if (error != BYW_CU_OK)
        byw_cu_graph_remove(*node);
    return error;
}
WITH_EDGES(cuGraphAddNode, edges_t, (CUgraphNode * node, CUgraph graph, nodes_t after),
           (size_t count, struct any *params), add_any(node, graph, after, count, params))

CU(cuGraphNodeSetParams, CUgraphNode node, struct any *params)
{
    return node == NULL || (int)node->kind != params->type ? BYW_CU_INVALID_VALUE
                                                           : set_any(node, params);
}

CU(cuGraphExecNodeSetParams, CUgraph exec, CUgraphNode node, struct any *params)
{
    return cuGraphNodeSetParams(byw_cu_graph_find(exec, node), params);
}

CU(cuGraphNodeSetEnabled, CUgraph exec, CUgraphNode node, unsigned enabled)
{
    CUgraphNode found = byw_cu_graph_find(exec, node);

    if (found == NULL)
        return BYW_CU_INVALID_VALUE;
    found->disabled = enabled == 0;
    return BYW_CU_OK;
}

CU(cuGraphNodeGetEnabled, CUgraph exec, CUgraphNode node, unsigned *enabled)
{
    CUgraphNode found = byw_cu_graph_find(exec, node);

    if (found == NULL)
        return BYW_CU_INVALID_VALUE;
    *enabled = !found->disabled;
    return BYW_CU_OK;
}

/* Attributes of kernel nodes (priority, access policies) change nothing here. */
CU(cuGraphKernelNodeSetAttribute, CUgraphNode node, int attribute, const void *value)
{
    (void)node, (void)attribute, (void)value;
    return BYW_CU_OK;
}

CU(cuGraphKernelNodeGetAttribute, CUgraphNode node, int attribute, void *value)
{
    (void)node, (void)attribute;
    memset(value, 0, 64);
    return BYW_CU_OK;
}

CU(cuGraphKernelNodeCopyAttributes, CUgraphNode to, CUgraphNode from)
{
    (void)to, (void)from;
    return BYW_CU_OK;
}

/* --- executable graphs --------------------------------------------------------------------------
 */

CU(cuGraphInstantiateWithFlags, CUgraph *exec, CUgraph graph, uint64_t flags)
{
    if (graph == NULL)
        return BYW_CU_INVALID_VALUE;
    *exec = byw_cu_graph_clone(graph);
    if (*exec == NULL)
        return BYW_CU_NO_MEMORY;
    (*exec)->flags = flags;
    return BYW_CU_OK;
}

CU(cuGraphInstantiate_v2, CUgraph *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t room)
{
    if (wrong != NULL)
        *wrong = NULL;
    if (log != NULL && room != 0)
        *log = '\0';
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}
CU_ALIAS(cuGraphInstantiate, cuGraphInstantiate_v2);

struct instantiation {
    uint64_t flags;
    CUstream upload;
    CUgraphNode wrong;
    int result;
};

CU(cuGraphInstantiateWithParams, CUgraph *exec, CUgraph graph, struct instantiation *params)
{
    params->wrong = NULL;
    params->result = 0;
    return cuGraphInstantiateWithFlags(exec, graph, params->flags);
}

CU(cuGraphExecGetFlags, CUgraph exec, uint64_t *flags)
{
    *flags = exec->flags;
    return BYW_CU_OK;
}

CU(cuGraphUpload, CUgraph exec, CUstream stream)
{
    (void)stream;
    return exec != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

CU(cuGraphLaunch, CUgraph exec, CUstream stream)
{
    return byw_cu_graph_launch(exec, stream);
}

CU(cuGraphExecDestroy, CUgraph exec)
{
    byw_cu_graph_free(exec);
    return BYW_CU_OK;
}

struct update {
    int result;
    CUgraphNode wrong, from;
};

CU(cuGraphExecUpdate_v2, CUgraph exec, CUgraph graph, struct update *update)
{
    CUgraphNode wrong = NULL;
    CUresult error = exec == NULL || graph == NULL ? BYW_CU_INVALID_VALUE
                                                   : byw_cu_graph_update(exec, graph, &wrong);

    if (update != NULL)
        *update =
            (struct update){error == BYW_CU_OK ? 0 : 2 /* the topology changed */, wrong, NULL};
    return error;
}

CU(cuGraphExecUpdate, CUgraph exec, CUgraph graph, CUgraphNode *wrong, int *result)
{
    struct update update = {0, NULL, NULL};
    CUresult error = cuGraphExecUpdate_v2(exec, graph, &update);

    *wrong = update.wrong;
    *result = update.result;
    return error;
}
