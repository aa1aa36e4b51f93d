/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: graphs and captured streams (byw_cu_graph.h).
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"

typedef CUresult result_t;
typedef CUdeviceptr address_t;
typedef CUstream stream_t;
typedef CUevent event_t;
typedef CUgraph graph_t;
typedef CUgraphNode node_t;
typedef const CUgraphNode *nodes_t;

#define CALL(name, ...) CU(cu##name, __VA_ARGS__)
#define RESULT(error) (error)
/* Defines a call and its second version, which has an argument for data of edges; it is ignored. */
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

/* CUDA_KERNEL_NODE_PARAMS, version 2; version 1 ends before `kernel`. */
typedef struct {
    struct byw_cu_kernel_node launch;
    CUfunction kernel; /* NULL: launch.function */
    CUcontext context;
} kernel_t;

/* CUDA_MEMCPY_NODE_PARAMS */
typedef struct {
    int flags, reserved;
    CUcontext context;
    struct byw_cu_copy params;
} copy_t;

static CUresult set_kernel_1(CUgraphNode node, const struct byw_cu_kernel_node *params)
{
    CUfunction function = (CUfunction)(uintptr_t)params->function;

    return function == NULL ? BYW_CU_INVALID_VALUE : byw_cu_node_set_kernel(node, function, params);
}

static CUresult set_kernel(CUgraphNode node, const kernel_t *params)
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

#include "capture/cuda/byw_cu_graph_calls.h"

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

CU(cuStreamGetCaptureInfo, CUstream stream, int *status, uint64_t *id)
{
    return capture_info(stream, status, id, NULL, NULL, NULL);
}

CU(cuStreamGetCaptureInfo_v2, CUstream stream, int *status, uint64_t *id, CUgraph *graph,
   nodes_t *after, size_t *count)
{
    return capture_info(stream, status, id, graph, after, count);
}

CU(cuStreamGetCaptureInfo_v3, CUstream stream, int *status, uint64_t *id, CUgraph *graph,
   nodes_t *after, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return capture_info(stream, status, id, graph, after, count);
}

CU(cuStreamUpdateCaptureDependencies, CUstream stream, nodes_t after, size_t count, unsigned flags)
{
    return depend(stream, after, count, flags);
}

CU(cuStreamUpdateCaptureDependencies_v2, CUstream stream, nodes_t after, const void *edges,
   size_t count, unsigned flags)
{
    (void)edges;
    return depend(stream, after, count, flags);
}

/* --- nodes --------------------------------------------------------------------------------------
 */

#define KERNEL_1 (const struct byw_cu_kernel_node *params)
#define KERNEL (const kernel_t *params)
ADD(GraphAddKernelNode, BYW_CU_NODE_KERNEL, KERNEL_1, set_kernel_1(*node, params))
SET(GraphKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL_1, set_kernel_1(*node, params))
SET_EXEC(GraphExecKernelNodeSetParams, BYW_CU_NODE_KERNEL, KERNEL_1, set_kernel_1(*node, params))
ADD(GraphAddKernelNode_v2, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET(GraphKernelNodeSetParams_v2, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))
SET_EXEC(GraphExecKernelNodeSetParams_v2, BYW_CU_NODE_KERNEL, KERNEL, set_kernel(*node, params))

CU(cuGraphKernelNodeGetParams, CUgraphNode node, struct byw_cu_kernel_node *out)
{
    if (node == NULL || node->kind != BYW_CU_NODE_KERNEL)
        return BYW_CU_INVALID_VALUE;
    *out = node->kernel;
    out->function = node->function;
    return BYW_CU_OK;
}

CU(cuGraphKernelNodeGetParams_v2, CUgraphNode node, kernel_t *out)
{
    out->kernel = NULL;
    out->context = NULL;
    return cuGraphKernelNodeGetParams(node, &out->launch);
}

#define COPY (const struct byw_cu_copy *params, CUcontext context)
ADD(GraphAddMemcpyNode, BYW_CU_NODE_COPY, COPY, ((void)context, set_copy(*node, params)))
SET(GraphMemcpyNodeSetParams, BYW_CU_NODE_COPY, (const struct byw_cu_copy *params),
    set_copy(*node, params))
SET_EXEC(GraphExecMemcpyNodeSetParams, BYW_CU_NODE_COPY, COPY,
         ((void)context, set_copy(*node, params)))
GET(GraphMemcpyNodeGetParams, BYW_CU_NODE_COPY, struct byw_cu_copy, node->copy)

#define FILL (const struct byw_cu_fill_node *params, CUcontext context)
ADD(GraphAddMemsetNode, BYW_CU_NODE_FILL, FILL, ((void)context, set_fill(*node, params)))
SET(GraphMemsetNodeSetParams, BYW_CU_NODE_FILL, (const struct byw_cu_fill_node *params),
    set_fill(*node, params))
SET_EXEC(GraphExecMemsetNodeSetParams, BYW_CU_NODE_FILL, FILL,
         ((void)context, set_fill(*node, params)))
GET(GraphMemsetNodeGetParams, BYW_CU_NODE_FILL, struct byw_cu_fill_node, node->fill)

/* --- executable graphs --------------------------------------------------------------------------
 */

CU(cuGraphInstantiate_v2, CUgraph *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t room)
{
    if (wrong != NULL)
        *wrong = NULL;
    if (log != NULL && room != 0)
        *log = '\0';
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}
CU_ALIAS(cuGraphInstantiate, cuGraphInstantiate_v2);

CU(cuGraphExecUpdate_v2, CUgraph exec, CUgraph graph, struct update *update)
{
    return update_exec(exec, graph, update);
}

CU(cuGraphExecUpdate, CUgraph exec, CUgraph graph, CUgraphNode *wrong, int *result)
{
    struct update update = {0, NULL, NULL};
    CUresult error = update_exec(exec, graph, &update);

    *wrong = update.wrong;
    *result = update.result;
    return error;
}
