/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_graph.h - streams, events and graphs of the driver and of the runtime.
 *
 * A graph's nodes run one after another in an order that satisfies their dependencies, and nodes
 * that were added first run first.  A stream that is being captured adds nodes to a graph; an event
 * that is recorded in it passes the capture on to streams that wait for the event.
 */
#ifndef BYW_CU_GRAPH_H
#define BYW_CU_GRAPH_H

#include "capture/cuda/byw_cu.h"
#include "capture/cuda/byw_cu_texture.h"

/* CUgraphNodeType, which cudaGraphNodeType shares. */
enum byw_cu_node_kind {
    BYW_CU_NODE_KERNEL = 0,
    BYW_CU_NODE_COPY = 1,
    BYW_CU_NODE_FILL = 2,
    BYW_CU_NODE_HOST = 3,
    BYW_CU_NODE_GRAPH = 4,
    BYW_CU_NODE_EMPTY = 5,
    BYW_CU_NODE_WAIT = 6,
    BYW_CU_NODE_RECORD = 7,
    BYW_CU_NODE_ALLOC = 10,
    BYW_CU_NODE_FREE = 11
};

struct byw_cu_nodes {
    struct byw_cu_node **node;
    size_t count, room;
};

/* Position of a captured stream, or of an event recorded in it: the nodes that the next node
 * depends on. */
struct byw_cu_fork {
    struct byw_cu_capture *capture; /* NULL: none */
    struct byw_cu_nodes tail;
};

struct byw_cu_stream {
    unsigned flags;
    int priority;
    uint64_t id;
    struct byw_cu_fork fork;
};
enum { BYW_CU_UNTIMED = 2 };
struct byw_cu_event {
    uint64_t time; /* nanoseconds, 0 not recorded */
    unsigned flags; /* BYW_CU_UNTIMED */
    struct byw_cu_fork fork;
};

/* cudaKernelNodeParams; CUDA_KERNEL_NODE_PARAMS has the same layout, followed by more members. */
struct byw_cu_kernel_node {
    const void *function; /* of the driver, or the program's function */
    unsigned grid[3], block[3], shared;
    void **args, **extra;
};
/* cudaMemsetParams and CUDA_MEMSET_NODE_PARAMS. */
struct byw_cu_fill_node {
    unsigned char *to;
    size_t pitch;
    unsigned value, element; /* element: 1, 2 or 4 bytes */
    size_t width, height;
};
struct byw_cu_host_node {
    void (*call)(void *);
    void *data;
};
/* cudaMemAllocNodeParams and CUDA_MEM_ALLOC_NODE_PARAMS. */
struct byw_cu_alloc_node {
    unsigned char pool[88];
    const void *access;
    size_t accesses, size;
    void *address;
};
#define BYW_CU_COPY_ROOM 256u /* bytes of cudaMemcpy3DParms or CUDA_MEMCPY3D */

struct byw_cu_node {
    enum byw_cu_node_kind kind;
    struct byw_cu_graph *graph; /* that contains it */
    struct byw_cu_node *origin; /* in the graph of which this graph is a copy; NULL: none */
    struct byw_cu_nodes after; /* its dependencies */
    bool disabled, done;
    struct byw_cu_function *function; /* of a kernel; `kernel` is what the program passed */
    struct byw_cu_kernel_node kernel; /* args: copies */
    unsigned cluster[3]; /* of a kernel; 0: as it requires */
    struct byw_cu_box box;
    unsigned char copy[BYW_CU_COPY_ROOM]; /* what the program passed for `box` */
    struct byw_cu_fill_node fill;
    struct byw_cu_host_node host;
    struct byw_cu_graph *child;
    struct byw_cu_event *event;
    struct byw_cu_alloc_node alloc; /* of a node that frees: address */
};

struct byw_cu_graph {
    struct byw_cu_nodes nodes; /* in the order in which they were added */
    uint64_t flags; /* of its instantiation */
};

BYW_CU_API struct byw_cu_graph *byw_cu_graph_create(void); /* NULL: out of memory */
BYW_CU_API void byw_cu_graph_free(struct byw_cu_graph *graph); /* NULL is allowed */
/* A copy; each node's origin is the node that it copies. Executable graphs are copies. */
BYW_CU_API struct byw_cu_graph *byw_cu_graph_clone(const struct byw_cu_graph *graph);
/* The node of a copy that was made from `node`; NULL: none. */
BYW_CU_API struct byw_cu_node *byw_cu_graph_find(const struct byw_cu_graph *copy,
                                                 const struct byw_cu_node *node);

BYW_CU_API enum byw_cu_error byw_cu_graph_add(struct byw_cu_graph *graph,
                                              enum byw_cu_node_kind kind,
                                              struct byw_cu_node *const *after, size_t count,
                                              struct byw_cu_node **node);
BYW_CU_API void byw_cu_graph_remove(struct byw_cu_node *node);
/* Adds (or removes) the dependencies of to[i] on from[i], nodes of the graph. */
BYW_CU_API enum byw_cu_error byw_cu_graph_link(struct byw_cu_graph *graph,
                                               struct byw_cu_node *const *from,
                                               struct byw_cu_node *const *to, size_t count,
                                               bool add);
/* These fill lists of *count elements, unused ones with NULL, and set *count to the number listed.
 * A list may be NULL; then *count is the number of all. node: lists the nodes that depend on it, or
 * on which it depends; from, to: all dependencies. */
BYW_CU_API enum byw_cu_error byw_cu_graph_list(const struct byw_cu_graph *graph, bool roots,
                                               struct byw_cu_node **node, size_t *count);
BYW_CU_API enum byw_cu_error byw_cu_graph_edges(const struct byw_cu_graph *graph,
                                                struct byw_cu_node **from, struct byw_cu_node **to,
                                                size_t *count);
BYW_CU_API enum byw_cu_error byw_cu_node_list(struct byw_cu_node *of, bool dependent,
                                              struct byw_cu_node **node, size_t *count);

/* Stores copies of a launch's arguments. */
BYW_CU_API enum byw_cu_error byw_cu_node_set_kernel(struct byw_cu_node *node,
                                                    struct byw_cu_function *function,
                                                    const struct byw_cu_kernel_node *params);
BYW_CU_API enum byw_cu_error byw_cu_node_set_child(struct byw_cu_node *node,
                                                   const struct byw_cu_graph *child);
BYW_CU_API enum byw_cu_error byw_cu_node_set_alloc(struct byw_cu_node *node, size_t size);

/* Makes a copy that can be launched; an error if dependencies form a cycle. */
BYW_CU_API enum byw_cu_error byw_cu_graph_instantiate(const struct byw_cu_graph *graph,
                                                      uint64_t flags, struct byw_cu_graph **exec);
/* Writes nodes and dependencies to a file in the language of Graphviz. */
BYW_CU_API enum byw_cu_error byw_cu_graph_print(const struct byw_cu_graph *graph, const char *path);

/* Runs all nodes, or makes them a node of the graph that the stream captures. */
BYW_CU_API enum byw_cu_error byw_cu_graph_launch(struct byw_cu_graph *exec,
                                                 struct byw_cu_stream *stream);
/* Copies the actions of the nodes of another graph, whose nodes must be of the same kinds, in the
 * same order and with the same dependencies; *wrong: a node that differs. */
BYW_CU_API enum byw_cu_error byw_cu_graph_update(struct byw_cu_graph *exec,
                                                 const struct byw_cu_graph *graph,
                                                 struct byw_cu_node **wrong);

/* Streams and events. Streams up to 2 are the program's and the thread's default streams. */
BYW_CU_API struct byw_cu_stream *byw_cu_stream_create(unsigned flags, int priority);
BYW_CU_API void byw_cu_stream_free(struct byw_cu_stream *stream);
BYW_CU_API void byw_cu_event_free(struct byw_cu_event *event);
BYW_CU_API void byw_cu_event_record(struct byw_cu_event *event, struct byw_cu_stream *stream);
/* Time between two recorded events, which must record times. */
BYW_CU_API enum byw_cu_error byw_cu_event_elapsed(const struct byw_cu_event *from,
                                                  const struct byw_cu_event *to,
                                                  float *milliseconds);
BYW_CU_API enum byw_cu_error byw_cu_stream_wait(struct byw_cu_stream *stream,
                                                struct byw_cu_event *event);
/* Captures into `graph`; NULL: into a new graph. */
BYW_CU_API enum byw_cu_error byw_cu_capture_begin(struct byw_cu_stream *stream,
                                                  struct byw_cu_graph *graph,
                                                  struct byw_cu_node *const *after, size_t count);
BYW_CU_API enum byw_cu_error byw_cu_capture_end(struct byw_cu_stream *stream,
                                                struct byw_cu_graph **graph);
/* The graph that a stream captures; NULL: none. */
BYW_CU_API struct byw_cu_graph *byw_cu_captured(const struct byw_cu_stream *stream);
/* Adds a node to the graph that the stream captures, after what the stream did before. */
BYW_CU_API enum byw_cu_error byw_cu_capture_add(struct byw_cu_stream *stream,
                                                enum byw_cu_node_kind kind,
                                                struct byw_cu_node **node);
/* Sets the nodes that the next one depends on, in addition to the present ones or instead. */
BYW_CU_API enum byw_cu_error byw_cu_capture_depend(struct byw_cu_stream *stream,
                                                   struct byw_cu_node *const *after, size_t count,
                                                   bool instead);

/* Allocates, frees, copies or fills at once, or adds a node to the graph that the stream captures.
 */
BYW_CU_API enum byw_cu_error byw_cu_stream_take(struct byw_cu_stream *stream, size_t size,
                                                void **memory);
BYW_CU_API enum byw_cu_error byw_cu_stream_give(struct byw_cu_stream *stream, void *memory);
BYW_CU_API enum byw_cu_error byw_cu_stream_copy(struct byw_cu_stream *stream,
                                                const struct byw_cu_box *box);
BYW_CU_API enum byw_cu_error byw_cu_stream_fill(struct byw_cu_stream *stream,
                                                const struct byw_cu_fill_node *fill);
BYW_CU_API enum byw_cu_error byw_cu_stream_call(struct byw_cu_stream *stream, void (*call)(void *),
                                                void *data);
/* function: the driver's handle of the kernel that `params` names. */
BYW_CU_API enum byw_cu_error byw_cu_stream_kernel(struct byw_cu_stream *stream,
                                                  struct byw_cu_function *function,
                                                  const struct byw_cu_kernel_node *params,
                                                  const unsigned cluster[3]);

#endif
