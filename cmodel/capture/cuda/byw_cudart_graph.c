/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: recorded launches and copies, which run in the order in which they were recorded or
 * added. This order satisfies all dependencies, because a node must exist before another can name
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart.h"

enum node_kind { NODE_EMPTY, NODE_KERNEL, NODE_COPY, NODE_FILL, NODE_CALL };

struct byw_cudart_node {
    enum node_kind kind;
    struct byw_cudart_node *next;
    /* NODE_KERNEL: args point into the memory behind the node */
    const void *host;
    struct dim3 grid, block;
    size_t shared;
    void **args;
    /* NODE_COPY and NODE_FILL */
    void *to;
    const void *from;
    size_t size;
    int value;
    /* NODE_CALL */
    void (*call)(void *);
    void *data;
};

struct byw_cudart_graph {
    struct byw_cudart_node *first, **end;
};

typedef struct byw_cudart_graph *cudaGraph_t;
typedef struct byw_cudart_node *cudaGraphNode_t;

static cudaGraph_t create(void)
{
    cudaGraph_t graph = calloc(1, sizeof(*graph));

    if (graph != NULL)
        graph->end = &graph->first;
    return graph;
}

static cudaError_t append(cudaGraph_t graph, struct byw_cudart_node *node)
{
    if (node == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    *graph->end = node;
    graph->end = &node->next;
    return 0;
}

/* Creates a node followed by `room` extra bytes. */
static struct byw_cudart_node *new_node(enum node_kind kind, size_t room)
{
    struct byw_cudart_node *node = calloc(1, sizeof(*node) + room);

    if (node != NULL)
        node->kind = kind;
    return node;
}

/* A launch with a copy of its arguments. */
static cudaError_t add_kernel(cudaGraph_t graph, const void *host, struct dim3 grid,
                              struct dim3 block, void **args, size_t shared,
                              struct byw_cudart_node **added)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = byw_cudart_kernel(host, &function);
    size_t bytes = 0, size;
    unsigned count = 0;
    struct byw_cudart_node *node;
    unsigned char *copy;

    if (error != BYW_CU_OK)
        return byw_cudart_error(error);
    while ((size = byw_cu_parameter(function, count, NULL)) != 0) {
        bytes += sizeof(void *) + (size + 15) / 16 * 16;
        count++;
    }
    node = new_node(NODE_KERNEL, bytes + 16);
    if (node == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    node->host = host;
    node->grid = grid;
    node->block = block;
    node->shared = shared;
    node->args = (void **)(void *)(node + 1);
    copy = (unsigned char *)(node->args + count);
    for (unsigned i = 0; i < count; i++) {
        size = byw_cu_parameter(function, i, NULL);
        memcpy(copy, args[i], size);
        node->args[i] = copy;
        copy += (size + 15) / 16 * 16;
    }
    if (added != NULL)
        *added = node;
    return append(graph, node);
}

bool byw_cudart_record_kernel(cudaStream_t stream, const void *host, struct dim3 grid,
                              struct dim3 block, void **args, size_t shared, cudaError_t *error)
{
    if (!byw_cudart_is_recording(stream))
        return false;
    *error = add_kernel(stream->graph, host, grid, block, args, shared, NULL);
    return true;
}

static cudaError_t add_copy(cudaGraph_t graph, void *to, const void *from, size_t size,
                            struct byw_cudart_node **added)
{
    struct byw_cudart_node *node = new_node(NODE_COPY, 0);

    if (node != NULL) {
        node->to = to;
        node->from = from;
        node->size = size;
    }
    if (added != NULL)
        *added = node;
    return append(graph, node);
}

bool byw_cudart_record_copy(cudaStream_t stream, void *to, const void *from, size_t size,
                            cudaError_t *error)
{
    if (!byw_cudart_is_recording(stream))
        return false;
    *error = add_copy(stream->graph, to, from, size, NULL);
    return true;
}

bool byw_cudart_record_fill(cudaStream_t stream, void *to, int value, size_t size,
                            cudaError_t *error)
{
    struct byw_cudart_node *node;

    if (!byw_cudart_is_recording(stream))
        return false;
    node = new_node(NODE_FILL, 0);
    if (node != NULL) {
        node->to = to;
        node->value = value;
        node->size = size;
    }
    *error = append(stream->graph, node);
    return true;
}

bool byw_cudart_record_call(cudaStream_t stream, void (*call)(void *), void *data,
                            cudaError_t *error)
{
    struct byw_cudart_node *node;

    if (!byw_cudart_is_recording(stream))
        return false;
    node = new_node(NODE_CALL, 0);
    if (node != NULL) {
        node->call = call;
        node->data = data;
    }
    *error = append(stream->graph, node);
    return true;
}

BYW_CUDART(cudaError_t) cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode)
{
    (void)mode;
    if (stream == NULL || (uintptr_t)stream <= 2 || stream->graph != NULL)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    stream->graph = create();
    return stream->graph != NULL ? 0 : byw_cudart_error(BYW_CU_NO_MEMORY);
}

BYW_CUDART(cudaError_t) cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (!byw_cudart_is_recording(stream))
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    *graph = stream->graph;
    stream->graph = NULL;
    return 0;
}

BYW_CUDART(cudaError_t) cudaStreamIsCapturing(cudaStream_t stream, int *status);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status)
{
    *status = byw_cudart_is_recording(stream);
    return 0;
}

BYW_CUDART(cudaError_t) cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = create();
    return *graph != NULL ? 0 : byw_cudart_error(BYW_CU_NO_MEMORY);
}

struct kernel_params {
    const void *host;
    struct dim3 grid, block;
    unsigned shared;
    void **args, **extra;
};

BYW_CUDART(cudaError_t)
cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                       size_t count, const struct kernel_params *params);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct kernel_params *params)
{
    (void)after, (void)count;
    return add_kernel(graph, params->host, params->grid, params->block, params->args,
                      params->shared, node);
}

BYW_CUDART(cudaError_t)
cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                         size_t count, void *to, const void *from, size_t size, int kind);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t size, int kind)
{
    (void)after, (void)count, (void)kind;
    return add_copy(graph, to, from, size, node);
}

BYW_CUDART(cudaError_t)
cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                      size_t count);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    (void)after, (void)count;
    *node = new_node(NODE_EMPTY, 0);
    return append(graph, *node);
}

/* An executable graph is the graph itself, so the graph must outlive it; programs ensure this. */
BYW_CUDART(cudaError_t) cudaGraphInstantiate(cudaGraph_t *exec, cudaGraph_t graph, uint64_t flags);
cudaError_t cudaGraphInstantiate(cudaGraph_t *exec, cudaGraph_t graph, uint64_t flags)
{
    (void)flags;
    *exec = calloc(1, sizeof(**exec));
    if (*exec == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    (*exec)->first = graph->first;
    return 0;
}

BYW_CUDART(cudaError_t)
cudaGraphInstantiateWithFlags(cudaGraph_t *exec, cudaGraph_t graph, uint64_t flags);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraph_t *exec, cudaGraph_t graph, uint64_t flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

static cudaError_t run(const struct byw_cudart_node *n)
{
    switch (n->kind) {
    case NODE_KERNEL:
        return byw_cudart_error(byw_cudart_launch(n->host, n->grid, n->block, n->args, n->shared));
    case NODE_COPY:
        memmove(n->to, n->from, n->size);
        return 0;
    case NODE_FILL:
        memset(n->to, n->value, n->size);
        return 0;
    case NODE_CALL:
        n->call(n->data);
        return 0;
    default:
        return 0;
    }
}

BYW_CUDART(cudaError_t) cudaGraphLaunch(cudaGraph_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraph_t exec, cudaStream_t stream)
{
    cudaError_t error = 0;

    (void)stream;
    for (const struct byw_cudart_node *n = exec->first; n != NULL && error == 0; n = n->next)
        error = run(n);
    return error;
}

BYW_CUDART(cudaError_t) cudaGraphExecDestroy(cudaGraph_t exec);
cudaError_t cudaGraphExecDestroy(cudaGraph_t exec)
{
    free(exec);
    return 0;
}

/* The nodes are kept, because executable graphs share them. */
BYW_CUDART(cudaError_t) cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    free(graph);
    return 0;
}
