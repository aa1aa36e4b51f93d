/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_graph_calls.h - the calls for graphs and captured streams that the driver's API and the
 * runtime's share: cuGraphClone and cudaGraphClone are GraphClone here.
 *
 * byw_cu_api_graph.c and byw_cudart_graph.c include this once each, and define before:
 *   CALL(name, ...)   defines the call of the API with that name
 *   RESULT(error)     what the call returns for an enum byw_cu_error, of type result_t
 *   WITH_EDGES(...)   defines a call that names dependencies, with and without data of edges
 *   result_t, address_t, kernel_t, copy_t (a copy's part of ...GraphNodeParams), set_kernel() and
 *   set_copy()        where the arguments differ
 */
#ifndef BYW_CU_GRAPH_CALLS_H
#define BYW_CU_GRAPH_CALLS_H

#include "capture/cuda/byw_cu_graph.h"

#define UNPACK(...) __VA_ARGS__

/* --- capturing ----------------------------------------------------------------------------------
 */

CALL(StreamBeginCaptureToGraph, stream_t stream, graph_t graph, nodes_t after, const void *edges,
     size_t count, int mode)
{
    (void)edges, (void)mode;
    return RESULT(byw_cu_capture_begin(stream, graph, after, count));
}

CALL(StreamEndCapture, stream_t stream, graph_t *graph)
{
    return RESULT(byw_cu_capture_end(stream, graph));
}

CALL(StreamIsCapturing, stream_t stream, int *status)
{
    *status = byw_cu_captured(stream) != NULL;
    return RESULT(BYW_CU_OK);
}

CALL(ThreadExchangeStreamCaptureMode, int *mode)
{
    static _Thread_local int current;
    int before = current;

    current = *mode;
    *mode = before;
    return RESULT(BYW_CU_OK);
}

static result_t capture_info(stream_t stream, int *status, uint64_t *id, graph_t *graph,
                             nodes_t *after, size_t *count)
{
    graph_t captured = byw_cu_captured(stream);

    *status = captured != NULL;
    if (captured == NULL)
        return RESULT(BYW_CU_OK);
    if (id != NULL)
        *id = stream->id;
    if (graph != NULL)
        *graph = captured;
    if (after != NULL)
        *after = stream->fork.tail.node;
    if (count != NULL)
        *count = stream->fork.tail.count;
    return RESULT(BYW_CU_OK);
}

static result_t depend(stream_t stream, nodes_t after, size_t count, unsigned flags)
{
    return RESULT(byw_cu_capture_depend(stream, after, count, (flags & 1) != 0));
}

/* --- graphs -------------------------------------------------------------------------------------
 */

CALL(GraphCreate, graph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = byw_cu_graph_create();
    return RESULT(*graph != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY);
}

CALL(GraphDestroy, graph_t graph)
{
    byw_cu_graph_free(graph);
    return RESULT(BYW_CU_OK);
}

CALL(GraphClone, graph_t *copy, graph_t graph)
{
    if (graph == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    *copy = byw_cu_graph_clone(graph);
    return RESULT(*copy != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY);
}

CALL(GraphNodeFindInClone, node_t *node, node_t original, graph_t copy)
{
    *node = byw_cu_graph_find(copy, original);
    return RESULT(*node != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE);
}

CALL(GraphDestroyNode, node_t node)
{
    if (node == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    byw_cu_graph_remove(node);
    return RESULT(BYW_CU_OK);
}

CALL(GraphGetNodes, graph_t graph, node_t *list, size_t *count)
{
    return RESULT(byw_cu_graph_list(graph, false, list, count));
}

CALL(GraphGetRootNodes, graph_t graph, node_t *list, size_t *count)
{
    return RESULT(byw_cu_graph_list(graph, true, list, count));
}

CALL(GraphNodeGetType, node_t node, int *type)
{
    if (node == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    *type = (int)node->kind;
    return RESULT(BYW_CU_OK);
}

CALL(GraphDebugDotPrint, graph_t graph, const char *path, unsigned flags)
{
    (void)flags;
    return RESULT(byw_cu_graph_print(graph, path));
}

WITH_EDGES(GraphAddDependencies, (graph_t graph, nodes_t from, nodes_t to), (size_t count),
           RESULT(byw_cu_graph_link(graph, from, to, count, true)))
WITH_EDGES(GraphRemoveDependencies, (graph_t graph, nodes_t from, nodes_t to), (size_t count),
           RESULT(byw_cu_graph_link(graph, from, to, count, false)))
WITH_EDGES(GraphGetEdges, (graph_t graph, node_t *from, node_t *to), (size_t * count),
           RESULT(byw_cu_graph_edges(graph, from, to, count)))
WITH_EDGES(GraphNodeGetDependencies, (node_t node, node_t *list), (size_t * count),
           RESULT(byw_cu_node_list(node, false, list, count)))
WITH_EDGES(GraphNodeGetDependentNodes, (node_t node, node_t *list), (size_t * count),
           RESULT(byw_cu_node_list(node, true, list, count)))

/* --- nodes --------------------------------------------------------------------------------------
 */

static enum byw_cu_error set_fill(node_t node, const struct byw_cu_fill_node *params)
{
    if (params->element != 1 && params->element != 2 && params->element != 4)
        return BYW_CU_INVALID_VALUE;
    node->fill = *params;
    return BYW_CU_OK;
}

static enum byw_cu_error set_host(node_t node, const struct byw_cu_host_node *params)
{
    node->host = *params;
    return BYW_CU_OK;
}

static enum byw_cu_error set_event(node_t node, event_t event)
{
    if (event == NULL)
        return BYW_CU_INVALID_VALUE;
    node->event = event;
    return BYW_CU_OK;
}

/* Memory has its address when the node is added, as the program expects. */
static enum byw_cu_error set_alloc(node_t node, struct byw_cu_alloc_node *params)
{
    enum byw_cu_error error;

    node->alloc = *params;
    error = byw_cu_node_set_alloc(node, params->size);
    params->address = node->alloc.address;
    return error;
}

static enum byw_cu_error set_free(node_t node, address_t address)
{
    node->alloc.address = (void *)(uintptr_t)address;
    return BYW_CU_OK;
}

/* Removes a new node that could not be set, so that no launch meets it. */
static enum byw_cu_error keep(node_t node, enum byw_cu_error error)
{
    if (error != BYW_CU_OK)
        byw_cu_graph_remove(node);
    return error;
}

/* The node of an executable graph that was made from `node`; NULL: there is none of that kind. */
static node_t in_exec(graph_t exec, node_t node, enum byw_cu_node_kind kind)
{
    node_t found = byw_cu_graph_find(exec, node);

    return found != NULL && found->kind == kind ? found : NULL;
}

/* GraphAdd...Node, Graph...NodeSetParams, GraphExec...NodeSetParams and Graph...NodeGetParams of
 * one kind.  The setter names the node `*node`. */
#define ADD(name, kind, parameters, setter)                                                        \
    CALL(name, node_t *node, graph_t graph, nodes_t after, size_t count, UNPACK parameters)        \
    {                                                                                              \
        enum byw_cu_error error = byw_cu_graph_add(graph, kind, after, count, node);               \
        return RESULT(error == BYW_CU_OK ? keep(*node, setter) : error);                           \
    }
#define SET(name, kind_of_node, parameters, setter)                                                \
    CALL(name, node_t target, UNPACK parameters)                                                   \
    {                                                                                              \
        node_t *node = &target;                                                                    \
        if (target == NULL || target->kind != (kind_of_node))                                      \
            return RESULT(BYW_CU_INVALID_VALUE);                                                   \
        return RESULT(setter);                                                                     \
    }
#define SET_EXEC(name, kind, parameters, setter)                                                   \
    CALL(name, graph_t exec, node_t original, UNPACK parameters)                                   \
    {                                                                                              \
        node_t found = in_exec(exec, original, kind), *node = &found;                              \
        return RESULT(found == NULL ? BYW_CU_INVALID_VALUE : (setter));                            \
    }
#define GET(name, kind_of_node, type, from)                                                        \
    CALL(name, node_t node, type *out)                                                             \
    {                                                                                              \
        if (node == NULL || node->kind != (kind_of_node))                                          \
            return RESULT(BYW_CU_INVALID_VALUE);                                                   \
        memcpy(out, &(from), sizeof(*out));                                                        \
        return RESULT(BYW_CU_OK);                                                                  \
    }

#define HOST (const struct byw_cu_host_node *params)
ADD(GraphAddHostNode, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
SET(GraphHostNodeSetParams, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
SET_EXEC(GraphExecHostNodeSetParams, BYW_CU_NODE_HOST, HOST, set_host(*node, params))
GET(GraphHostNodeGetParams, BYW_CU_NODE_HOST, struct byw_cu_host_node, node->host)

ADD(GraphAddChildGraphNode, BYW_CU_NODE_GRAPH, (graph_t child), byw_cu_node_set_child(*node, child))
SET_EXEC(GraphExecChildGraphNodeSetParams, BYW_CU_NODE_GRAPH, (graph_t child),
         byw_cu_node_set_child(*node, child))
GET(GraphChildGraphNodeGetGraph, BYW_CU_NODE_GRAPH, graph_t, node->child)

#define EVENT (event_t event)
ADD(GraphAddEventRecordNode, BYW_CU_NODE_RECORD, EVENT, set_event(*node, event))
SET(GraphEventRecordNodeSetEvent, BYW_CU_NODE_RECORD, EVENT, set_event(*node, event))
SET_EXEC(GraphExecEventRecordNodeSetEvent, BYW_CU_NODE_RECORD, EVENT, set_event(*node, event))
GET(GraphEventRecordNodeGetEvent, BYW_CU_NODE_RECORD, event_t, node->event)
ADD(GraphAddEventWaitNode, BYW_CU_NODE_WAIT, EVENT, set_event(*node, event))
SET(GraphEventWaitNodeSetEvent, BYW_CU_NODE_WAIT, EVENT, set_event(*node, event))
SET_EXEC(GraphExecEventWaitNodeSetEvent, BYW_CU_NODE_WAIT, EVENT, set_event(*node, event))
GET(GraphEventWaitNodeGetEvent, BYW_CU_NODE_WAIT, event_t, node->event)

ADD(GraphAddMemAllocNode, BYW_CU_NODE_ALLOC, (struct byw_cu_alloc_node * params),
    set_alloc(*node, params))
GET(GraphMemAllocNodeGetParams, BYW_CU_NODE_ALLOC, struct byw_cu_alloc_node, node->alloc)
ADD(GraphAddMemFreeNode, BYW_CU_NODE_FREE, (address_t address), set_free(*node, address))
GET(GraphMemFreeNodeGetParams, BYW_CU_NODE_FREE, address_t, node->alloc.address)

CALL(GraphAddEmptyNode, node_t *node, graph_t graph, nodes_t after, size_t count)
{
    return RESULT(byw_cu_graph_add(graph, BYW_CU_NODE_EMPTY, after, count, node));
}

/* CUgraphNodeParams, cudaGraphNodeParams */
struct any {
    int type, reserved[3];
    union {
        kernel_t kernel;
        copy_t copy;
        struct byw_cu_fill_node fill;
        struct byw_cu_host_node host;
        graph_t child;
        event_t event;
        struct byw_cu_alloc_node alloc;
        address_t address;
    } of;
};

static enum byw_cu_error set_any(node_t node, struct any *params)
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

static result_t add_any(node_t *node, graph_t graph, nodes_t after, size_t count,
                        struct any *params)
{
    enum byw_cu_error error =
        byw_cu_graph_add(graph, (enum byw_cu_node_kind)params->type, after, count, node);

    return RESULT(error == BYW_CU_OK ? keep(*node, set_any(*node, params)) : error);
}
WITH_EDGES(GraphAddNode, (node_t * node, graph_t graph, nodes_t after),
           (size_t count, struct any *params), add_any(node, graph, after, count, params))

static result_t set_node(node_t node, struct any *params)
{
    return RESULT(node == NULL || (int)node->kind != params->type ? BYW_CU_INVALID_VALUE
                                                                  : set_any(node, params));
}

CALL(GraphNodeSetParams, node_t node, struct any *params)
{
    return set_node(node, params);
}

CALL(GraphExecNodeSetParams, graph_t exec, node_t node, struct any *params)
{
    return set_node(byw_cu_graph_find(exec, node), params);
}

CALL(GraphNodeSetEnabled, graph_t exec, node_t node, unsigned enabled)
{
    node_t found = byw_cu_graph_find(exec, node);

    if (found == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    found->disabled = enabled == 0;
    return RESULT(BYW_CU_OK);
}

CALL(GraphNodeGetEnabled, graph_t exec, node_t node, unsigned *enabled)
{
    node_t found = byw_cu_graph_find(exec, node);

    if (found == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    *enabled = !found->disabled;
    return RESULT(BYW_CU_OK);
}

/* Attributes of kernel nodes (priority, access policies) change nothing here, except the size of
 * clusters. */
CALL(GraphKernelNodeSetAttribute, node_t node, int id, const void *value)
{
    if (node == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    if (id == BYW_CU_ATTRIBUTE_CLUSTER)
        memcpy(node->cluster, value, sizeof(node->cluster));
    return RESULT(BYW_CU_OK);
}

CALL(GraphKernelNodeGetAttribute, node_t node, int attribute, void *value)
{
    memset(value, 0, 64);
    if (node != NULL && attribute == BYW_CU_ATTRIBUTE_CLUSTER)
        memcpy(value, node->cluster, sizeof(node->cluster));
    return RESULT(BYW_CU_OK);
}

CALL(GraphKernelNodeCopyAttributes, node_t to, node_t from)
{
    if (to == NULL || from == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    memcpy(to->cluster, from->cluster, sizeof(to->cluster));
    return RESULT(BYW_CU_OK);
}

/* --- executable graphs --------------------------------------------------------------------------
 */

CALL(GraphInstantiateWithFlags, graph_t *exec, graph_t graph, uint64_t flags)
{
    return RESULT(byw_cu_graph_instantiate(graph, flags, exec));
}

struct instantiation {
    uint64_t flags;
    stream_t upload;
    node_t wrong;
    int result; /* 0: success, 1: error */
};

CALL(GraphInstantiateWithParams, graph_t *exec, graph_t graph, struct instantiation *params)
{
    enum byw_cu_error error = byw_cu_graph_instantiate(graph, params->flags, exec);

    params->wrong = NULL;
    params->result = error != BYW_CU_OK;
    return RESULT(error);
}

CALL(GraphExecGetFlags, graph_t exec, uint64_t *flags)
{
    if (exec == NULL)
        return RESULT(BYW_CU_INVALID_VALUE);
    *flags = exec->flags;
    return RESULT(BYW_CU_OK);
}

CALL(GraphUpload, graph_t exec, stream_t stream)
{
    (void)stream;
    return RESULT(exec != NULL ? BYW_CU_OK : BYW_CU_INVALID_VALUE);
}

CALL(GraphLaunch, graph_t exec, stream_t stream)
{
    return RESULT(byw_cu_graph_launch(exec, stream));
}

CALL(GraphExecDestroy, graph_t exec)
{
    byw_cu_graph_free(exec);
    return RESULT(BYW_CU_OK);
}

/* CUgraphExecUpdateResultInfo, cudaGraphExecUpdateResultInfo */
struct update {
    int result; /* 0: success, 2: the topology changed */
    node_t wrong, from;
};

static result_t update_exec(graph_t exec, graph_t graph, struct update *update)
{
    node_t wrong = NULL;
    enum byw_cu_error error = exec == NULL || graph == NULL
                                  ? BYW_CU_INVALID_VALUE
                                  : byw_cu_graph_update(exec, graph, &wrong);

    if (update != NULL)
        *update = (struct update){error == BYW_CU_OK ? 0 : 2, wrong, NULL};
    return RESULT(error);
}

#endif
