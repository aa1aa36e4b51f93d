/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: nodes, dependencies, copies, running and updating them.
 */
#include "capture/cuda/byw_cu_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_workshop.h"
#include "common/byw_array.h"

static bool append(struct byw_cu_nodes *list, struct byw_cu_node *node)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->node[i] == node)
            return true;
    if (!BYW_ARRAY_ROOM(list->node, list->room, list->count + 1))
        return false;
    list->node[list->count++] = node;
    return true;
}

static void drop(struct byw_cu_nodes *list, const struct byw_cu_node *node)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        if (list->node[i] != node)
            list->node[kept++] = list->node[i];
    list->count = kept;
}

static void free_node(struct byw_cu_node *node)
{
    free(node->after.node);
    free(node->kernel.args);
    byw_cu_graph_free(node->child);
    free(node);
}

struct byw_cu_graph *byw_cu_graph_create(void)
{
    return calloc(1, sizeof(struct byw_cu_graph));
}

void byw_cu_graph_free(struct byw_cu_graph *graph)
{
    for (size_t i = 0; graph != NULL && i < graph->nodes.count; i++)
        free_node(graph->nodes.node[i]);
    if (graph != NULL)
        free(graph->nodes.node);
    free(graph);
}

enum byw_cu_error byw_cu_graph_add(struct byw_cu_graph *graph, enum byw_cu_node_kind kind,
                                   struct byw_cu_node *const *after, size_t count,
                                   struct byw_cu_node **node)
{
    struct byw_cu_node *n;

    if (graph == NULL || (count != 0 && after == NULL))
        return BYW_CU_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (after[i] == NULL || after[i]->graph != graph)
            return BYW_CU_INVALID_VALUE;
    n = calloc(1, sizeof(*n));
    if (n == NULL)
        return BYW_CU_NO_MEMORY;
    n->kind = kind;
    n->graph = graph;
    for (size_t i = 0; i < count; i++)
        if (!append(&n->after, after[i])) {
            free_node(n);
            return BYW_CU_NO_MEMORY;
        }
    if (!append(&graph->nodes, n)) {
        free_node(n);
        return BYW_CU_NO_MEMORY;
    }
    if (node != NULL)
        *node = n;
    return BYW_CU_OK;
}

void byw_cu_graph_remove(struct byw_cu_node *node)
{
    struct byw_cu_graph *graph = node->graph;

    for (size_t i = 0; i < graph->nodes.count; i++)
        drop(&graph->nodes.node[i]->after, node);
    drop(&graph->nodes, node);
    free_node(node);
}

enum byw_cu_error byw_cu_graph_link(struct byw_cu_graph *graph, struct byw_cu_node *const *from,
                                    struct byw_cu_node *const *to, size_t count, bool add)
{
    for (size_t i = 0; i < count; i++) {
        if (from == NULL || to == NULL || from[i] == NULL || to[i] == NULL || from[i] == to[i] ||
            from[i]->graph != graph || to[i]->graph != graph)
            return BYW_CU_INVALID_VALUE;
        if (!add)
            drop(&to[i]->after, from[i]);
        else if (!append(&to[i]->after, from[i]))
            return BYW_CU_NO_MEMORY;
    }
    return BYW_CU_OK;
}

/* Stores element n of a list if the list has room for it. */
static void list_one(struct byw_cu_node **list, size_t room, size_t n, struct byw_cu_node *node)
{
    if (list != NULL && n < room)
        list[n] = node;
}

/* Ends a list with room for *count elements, of which there are n: clears the rest, and sets *count
 * to the number listed, or to n if there is no list. */
static void end_list(struct byw_cu_node **list, size_t n, size_t *count)
{
    for (size_t i = n; list != NULL && i < *count; i++)
        list[i] = NULL;
    if (list == NULL || n < *count)
        *count = n;
}

enum byw_cu_error byw_cu_graph_list(const struct byw_cu_graph *graph, bool roots,
                                    struct byw_cu_node **node, size_t *count)
{
    size_t n = 0;

    if (graph == NULL || count == NULL)
        return BYW_CU_INVALID_VALUE;
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!roots || graph->nodes.node[i]->after.count == 0)
            list_one(node, *count, n++, graph->nodes.node[i]);
    end_list(node, n, count);
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_graph_edges(const struct byw_cu_graph *graph, struct byw_cu_node **from,
                                     struct byw_cu_node **to, size_t *count)
{
    size_t n = 0, room;

    if (graph == NULL || count == NULL)
        return BYW_CU_INVALID_VALUE;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct byw_cu_node *node = graph->nodes.node[i];

        for (size_t k = 0; k < node->after.count; k++) {
            list_one(from, *count, n, node->after.node[k]);
            list_one(to, *count, n++, node);
        }
    }
    room = *count;
    end_list(from, n, &room);
    end_list(to, n, count);
    *count = room < *count ? room : *count;
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_node_list(struct byw_cu_node *of, bool dependent,
                                   struct byw_cu_node **node, size_t *count)
{
    size_t n = 0;

    if (of == NULL || count == NULL)
        return BYW_CU_INVALID_VALUE;
    for (size_t i = 0; !dependent && i < of->after.count; i++)
        list_one(node, *count, n++, of->after.node[i]);
    for (size_t i = 0; dependent && i < of->graph->nodes.count; i++) {
        struct byw_cu_node *other = of->graph->nodes.node[i];

        for (size_t k = 0; k < other->after.count; k++)
            if (other->after.node[k] == of)
                list_one(node, *count, n++, other);
    }
    end_list(node, n, count);
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_node_set_kernel(struct byw_cu_node *node, struct byw_cu_function *function,
                                         const struct byw_cu_kernel_node *params)
{
    size_t bytes = 0, size, offset;
    unsigned count = 0;
    unsigned char *copy;
    const unsigned char *packed = NULL;
    void **args;

    for (void **extra = params->extra; extra != NULL && *extra != NULL; extra += 2)
        if ((uintptr_t)*extra == 1) /* CU_LAUNCH_PARAM_BUFFER_POINTER */
            packed = extra[1];
    while ((size = byw_cu_parameter(function, count, &offset)) != 0) {
        bytes += sizeof(void *) + (size + 15) / 16 * 16;
        count++;
    }
    if (count != 0 && params->args == NULL && packed == NULL)
        return BYW_CU_INVALID_VALUE;
    args = malloc(bytes + 16);
    if (args == NULL)
        return BYW_CU_NO_MEMORY;
    copy = (unsigned char *)(args + count);
    for (unsigned i = 0; i < count; i++) {
        size = byw_cu_parameter(function, i, &offset);
        memcpy(copy, params->args != NULL ? params->args[i] : packed + offset, size);
        args[i] = copy;
        copy += (size + 15) / 16 * 16;
    }
    free(node->kernel.args);
    node->function = function;
    node->kernel = *params;
    node->kernel.args = args;
    node->kernel.extra = NULL;
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_node_set_child(struct byw_cu_node *node, const struct byw_cu_graph *child)
{
    struct byw_cu_graph *copy = child == NULL ? NULL : byw_cu_graph_clone(child);

    if (copy == NULL)
        return child == NULL ? BYW_CU_INVALID_VALUE : BYW_CU_NO_MEMORY;
    byw_cu_graph_free(node->child);
    node->child = copy;
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_node_set_alloc(struct byw_cu_node *node, size_t size)
{
    node->alloc.size = size;
    node->alloc.address = byw_cu_take(size);
    return node->alloc.address != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

/* Replaces what a node does by what `from` does; its dependencies stay. */
static enum byw_cu_error take_over(struct byw_cu_node *to, const struct byw_cu_node *from)
{
    struct byw_cu_nodes after = to->after;
    struct byw_cu_graph *graph = to->graph, *child = to->child;
    void **args = to->kernel.args;
    bool disabled = to->disabled;

    *to = *from;
    to->after = after;
    to->graph = graph;
    to->origin = (struct byw_cu_node *)(uintptr_t)from;
    to->disabled = disabled;
    to->kernel.args = args;
    to->child = child;
    if (from->kind == BYW_CU_NODE_KERNEL)
        return byw_cu_node_set_kernel(to, from->function, &from->kernel);
    return from->kind == BYW_CU_NODE_GRAPH ? byw_cu_node_set_child(to, from->child) : BYW_CU_OK;
}

struct byw_cu_node *byw_cu_graph_find(const struct byw_cu_graph *copy,
                                      const struct byw_cu_node *node)
{
    for (size_t i = 0; copy != NULL && i < copy->nodes.count; i++)
        if (copy->nodes.node[i]->origin == node)
            return copy->nodes.node[i];
    return NULL;
}

struct byw_cu_graph *byw_cu_graph_clone(const struct byw_cu_graph *graph)
{
    struct byw_cu_graph *copy = byw_cu_graph_create();
    bool good = copy != NULL;

    for (size_t i = 0; good && i < graph->nodes.count; i++) {
        const struct byw_cu_node *from = graph->nodes.node[i];
        struct byw_cu_node *to;

        good = byw_cu_graph_add(copy, from->kind, NULL, 0, &to) == BYW_CU_OK &&
               take_over(to, from) == BYW_CU_OK;
    }
    for (size_t i = 0; good && i < graph->nodes.count; i++) {
        const struct byw_cu_nodes *after = &graph->nodes.node[i]->after;

        for (size_t k = 0; good && k < after->count; k++)
            good = append(&copy->nodes.node[i]->after, byw_cu_graph_find(copy, after->node[k]));
    }
    if (good)
        return copy;
    byw_cu_graph_free(copy);
    return NULL;
}

/* Fills each row: writes its first element, then doubles the filled part by copying it. */
static void fill(const struct byw_cu_fill_node *f)
{
    size_t bytes = f->width * f->element;

    for (size_t y = 0; y < f->height && bytes != 0; y++) {
        unsigned char *row = f->to + y * f->pitch;

        memcpy(row, &f->value, f->element);
        for (size_t done = f->element; done < bytes; done *= 2)
            memcpy(row + done, row, done < bytes - done ? done : bytes - done);
    }
}

static enum byw_cu_error run(struct byw_cu_node *n)
{
    switch (n->kind) {
    case BYW_CU_NODE_KERNEL:
        return byw_cu_launch(n->function, n->kernel.grid, n->kernel.block, n->cluster,
                             n->kernel.shared, n->kernel.args);
    case BYW_CU_NODE_COPY:
        byw_cu_copy_box(&n->box);
        break;
    case BYW_CU_NODE_FILL:
        fill(&n->fill);
        break;
    case BYW_CU_NODE_HOST:
        n->host.call(n->host.data);
        break;
    case BYW_CU_NODE_GRAPH:
        return byw_cu_graph_launch(n->child, NULL);
    case BYW_CU_NODE_RECORD:
        n->event->time = byw_cu_now();
        break;
    case BYW_CU_NODE_ALLOC:
        return byw_cu_take_again(n->alloc.address, n->alloc.size);
    default:
        break; /* a free node: the memory remains mapped, so that a relaunch can use it */
    }
    return BYW_CU_OK;
}

static bool is_ready(const struct byw_cu_node *node)
{
    for (size_t i = 0; i < node->after.count; i++)
        if (!node->after.node[i]->done)
            return false;
    return !node->done;
}

/* Visits all nodes in an order that satisfies their dependencies; runs them if asked to. */
static enum byw_cu_error visit(struct byw_cu_graph *exec, bool runs)
{
    enum byw_cu_error error = BYW_CU_OK;
    size_t left = exec->nodes.count;
    bool moved = true;

    for (size_t i = 0; i < exec->nodes.count; i++)
        exec->nodes.node[i]->done = false;
    while (moved && error == BYW_CU_OK) {
        moved = false;
        for (size_t i = 0; i < exec->nodes.count && error == BYW_CU_OK; i++) {
            struct byw_cu_node *node = exec->nodes.node[i];

            if (!is_ready(node))
                continue;
            error = !runs || node->disabled ? BYW_CU_OK : run(node);
            node->done = moved = true;
            left--;
        }
    }
    return error != BYW_CU_OK || left == 0 ? error : BYW_CU_INVALID_VALUE; /* there is a cycle */
}

enum byw_cu_error byw_cu_graph_instantiate(const struct byw_cu_graph *graph, uint64_t flags,
                                           struct byw_cu_graph **exec)
{
    struct byw_cu_graph *copy;
    enum byw_cu_error error;

    if (graph == NULL)
        return BYW_CU_INVALID_VALUE;
    copy = byw_cu_graph_clone(graph);
    if (copy == NULL)
        return BYW_CU_NO_MEMORY;
    copy->flags = flags;
    error = visit(copy, false);
    if (error == BYW_CU_OK)
        *exec = copy;
    else
        byw_cu_graph_free(copy);
    return error;
}

enum byw_cu_error byw_cu_graph_launch(struct byw_cu_graph *exec, struct byw_cu_stream *stream)
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (exec == NULL)
        return BYW_CU_INVALID_VALUE;
    if (byw_cu_captured(stream) == NULL)
        return visit(exec, true);
    error = byw_cu_capture_add(stream, BYW_CU_NODE_GRAPH, &node);
    return error == BYW_CU_OK ? byw_cu_node_set_child(node, exec) : error;
}

static size_t number_of(const struct byw_cu_nodes *list, const struct byw_cu_node *node)
{
    size_t i = 0;

    while (i < list->count && list->node[i] != node)
        i++;
    return i;
}

/* Whether the n-th nodes of two graphs are of the same kind and depend on nodes with the same
 * numbers. Both graphs have the same number of nodes. */
static bool are_alike(const struct byw_cu_nodes *a, const struct byw_cu_nodes *b, size_t n)
{
    const struct byw_cu_node *x = a->node[n], *y = b->node[n];
    bool same = x->kind == y->kind && x->after.count == y->after.count;

    for (size_t i = 0; same && i < y->after.count; i++) {
        const struct byw_cu_node *before = a->node[number_of(b, y->after.node[i])];

        same = number_of(&x->after, before) < x->after.count;
    }
    return same;
}

enum byw_cu_error byw_cu_graph_update(struct byw_cu_graph *exec, const struct byw_cu_graph *graph,
                                      struct byw_cu_node **wrong)
{
    enum byw_cu_error error = BYW_CU_OK;

    *wrong = NULL;
    if (exec->nodes.count != graph->nodes.count)
        return BYW_CU_UPDATE_FAILED;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        if (are_alike(&exec->nodes, &graph->nodes, i))
            continue;
        *wrong = graph->nodes.node[i];
        return BYW_CU_UPDATE_FAILED;
    }
    for (size_t i = 0; i < graph->nodes.count && error == BYW_CU_OK; i++)
        error = take_over(exec->nodes.node[i], graph->nodes.node[i]);
    return error;
}

static const char *title_of(const struct byw_cu_node *node)
{
    static const char *const kinds[] = {"kernel", "copy",   "fill", "host", "graph", "empty",
                                        "wait",   "record", "",     "",     "alloc", "free"};

    return node->kind == BYW_CU_NODE_KERNEL ? byw_cu_function_name(node->function)
                                            : kinds[node->kind];
}

enum byw_cu_error byw_cu_graph_print(const struct byw_cu_graph *graph, const char *path)
{
    struct byw_diag diag = {""};
    char *text = NULL;
    size_t length = 0;
    FILE *out = graph == NULL || path == NULL ? NULL : open_memstream(&text, &length);
    enum byw_status status;

    if (out == NULL)
        return BYW_CU_INVALID_VALUE;
    fprintf(out, "digraph {\n");
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct byw_cu_node *node = graph->nodes.node[i];

        fprintf(out, "    %zu [label=\"%zu: %s\"];\n", i, i, title_of(node));
        for (size_t k = 0; k < node->after.count; k++)
            fprintf(out, "    %zu -> %zu;\n", number_of(&graph->nodes, node->after.node[k]), i);
    }
    fprintf(out, "}\n");
    if (fclose(out) != 0) {
        free(text);
        return BYW_CU_NO_MEMORY;
    }
    status = byw_cl_write_file(path, text, length, &diag);
    free(text);
    if (status != BYW_OK)
        byw_cu_say("%s", diag.text);
    return status == BYW_OK ? BYW_CU_OK : BYW_CU_OPERATING_SYSTEM;
}

/* --- streams, events, capturing -----------------------------------------------------------------
 */

/* Streams and events hold their capture, which may end before them. */
struct byw_cu_capture {
    struct byw_cu_graph *graph; /* NULL: ended */
    unsigned holders;
};

static void leave(struct byw_cu_fork *fork)
{
    if (fork->capture != NULL && --fork->capture->holders == 0)
        free(fork->capture);
    free(fork->tail.node);
    *fork = (struct byw_cu_fork){NULL, {NULL, 0, 0}};
}

/* Joins a fork with another one of the same capture; if it has no capture yet, it gets the
 * other's. */
static enum byw_cu_error join(struct byw_cu_fork *fork, const struct byw_cu_fork *other)
{
    if (fork->capture == NULL) {
        fork->capture = other->capture;
        fork->capture->holders++;
    }
    if (fork->capture != other->capture)
        return BYW_CU_INVALID_VALUE;
    for (size_t i = 0; i < other->tail.count; i++)
        if (!append(&fork->tail, other->tail.node[i]))
            return BYW_CU_NO_MEMORY;
    return BYW_CU_OK;
}

struct byw_cu_stream *byw_cu_stream_create(unsigned flags, int priority)
{
    static _Atomic uint64_t last = 2;
    struct byw_cu_stream *stream = calloc(1, sizeof(*stream));

    if (stream == NULL)
        return NULL;
    stream->flags = flags;
    stream->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    stream->id = ++last;
    return stream;
}

static bool is_own(const struct byw_cu_stream *stream)
{
    return (uintptr_t)stream > 2;
}

void byw_cu_stream_free(struct byw_cu_stream *stream)
{
    if (!is_own(stream))
        return;
    leave(&stream->fork);
    free(stream);
}

void byw_cu_event_free(struct byw_cu_event *event)
{
    if (event != NULL)
        leave(&event->fork);
    free(event);
}

struct byw_cu_graph *byw_cu_captured(const struct byw_cu_stream *stream)
{
    return is_own(stream) && stream->fork.capture != NULL ? stream->fork.capture->graph : NULL;
}

void byw_cu_event_record(struct byw_cu_event *event, struct byw_cu_stream *stream)
{
    leave(&event->fork);
    if (byw_cu_captured(stream) != NULL)
        join(&event->fork, &stream->fork);
    else
        event->time = byw_cu_now();
}

enum byw_cu_error byw_cu_event_elapsed(const struct byw_cu_event *from,
                                       const struct byw_cu_event *to, float *milliseconds)
{
    if (from == NULL || to == NULL || from->time == 0 || to->time == 0 ||
        ((from->flags | to->flags) & BYW_CU_UNTIMED) != 0)
        return BYW_CU_INVALID_HANDLE;
    *milliseconds = (float)(((double)to->time - (double)from->time) * 1e-6);
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_stream_wait(struct byw_cu_stream *stream, struct byw_cu_event *event)
{
    if (event == NULL)
        return BYW_CU_INVALID_HANDLE;
    if (event->fork.capture == NULL || event->fork.capture->graph == NULL || !is_own(stream))
        return BYW_CU_OK;
    if (byw_cu_captured(stream) == NULL)
        leave(&stream->fork);
    return join(&stream->fork, &event->fork);
}

enum byw_cu_error byw_cu_capture_begin(struct byw_cu_stream *stream, struct byw_cu_graph *graph,
                                       struct byw_cu_node *const *after, size_t count)
{
    struct byw_cu_capture *capture;

    if (!is_own(stream) || byw_cu_captured(stream) != NULL)
        return BYW_CU_INVALID_VALUE;
    leave(&stream->fork);
    capture = calloc(1, sizeof(*capture));
    if (capture == NULL)
        return BYW_CU_NO_MEMORY;
    capture->holders = 1;
    capture->graph = graph != NULL ? graph : byw_cu_graph_create();
    stream->fork.capture = capture;
    if (capture->graph == NULL) {
        leave(&stream->fork);
        return BYW_CU_NO_MEMORY;
    }
    return byw_cu_capture_depend(stream, after, count, true);
}

enum byw_cu_error byw_cu_capture_end(struct byw_cu_stream *stream, struct byw_cu_graph **graph)
{
    *graph = byw_cu_captured(stream);
    if (*graph == NULL)
        return BYW_CU_INVALID_VALUE;
    stream->fork.capture->graph = NULL;
    leave(&stream->fork);
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_capture_add(struct byw_cu_stream *stream, enum byw_cu_node_kind kind,
                                     struct byw_cu_node **node)
{
    struct byw_cu_nodes *tail = &stream->fork.tail;
    enum byw_cu_error error =
        byw_cu_graph_add(byw_cu_captured(stream), kind, tail->node, tail->count, node);

    if (error != BYW_CU_OK)
        return error;
    tail->count = 0;
    return append(tail, *node) ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

enum byw_cu_error byw_cu_capture_depend(struct byw_cu_stream *stream,
                                        struct byw_cu_node *const *after, size_t count,
                                        bool instead)
{
    if (byw_cu_captured(stream) == NULL)
        return BYW_CU_INVALID_VALUE;
    if (instead)
        stream->fork.tail.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!append(&stream->fork.tail, after[i]))
            return BYW_CU_NO_MEMORY;
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_stream_copy(struct byw_cu_stream *stream, const struct byw_cu_box *box)
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (byw_cu_captured(stream) == NULL) {
        byw_cu_copy_box(box);
        return byw_cu_broken();
    }
    error = byw_cu_capture_add(stream, BYW_CU_NODE_COPY, &node);
    if (error == BYW_CU_OK)
        node->box = *box;
    return error;
}

enum byw_cu_error byw_cu_stream_fill(struct byw_cu_stream *stream,
                                     const struct byw_cu_fill_node *what)
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (byw_cu_captured(stream) == NULL) {
        fill(what);
        return byw_cu_broken();
    }
    error = byw_cu_capture_add(stream, BYW_CU_NODE_FILL, &node);
    if (error == BYW_CU_OK)
        node->fill = *what;
    return error;
}

enum byw_cu_error byw_cu_stream_take(struct byw_cu_stream *stream, size_t size, void **memory)
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (byw_cu_captured(stream) == NULL) {
        *memory = byw_cu_take(size);
        return *memory != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
    }
    error = byw_cu_capture_add(stream, BYW_CU_NODE_ALLOC, &node);
    if (error == BYW_CU_OK)
        error = byw_cu_node_set_alloc(node, size);
    if (error == BYW_CU_OK)
        *memory = node->alloc.address;
    return error;
}

enum byw_cu_error byw_cu_stream_give(struct byw_cu_stream *stream, void *memory)
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (byw_cu_captured(stream) == NULL)
        return byw_cu_give(memory);
    error = byw_cu_capture_add(stream, BYW_CU_NODE_FREE, &node);
    if (error == BYW_CU_OK)
        node->alloc.address = memory;
    return error;
}

enum byw_cu_error byw_cu_stream_call(struct byw_cu_stream *stream, void (*call)(void *), void *data)
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (byw_cu_captured(stream) == NULL) {
        call(data);
        return BYW_CU_OK;
    }
    error = byw_cu_capture_add(stream, BYW_CU_NODE_HOST, &node);
    if (error == BYW_CU_OK)
        node->host = (struct byw_cu_host_node){call, data};
    return error;
}

enum byw_cu_error byw_cu_stream_kernel(struct byw_cu_stream *stream,
                                       struct byw_cu_function *function,
                                       const struct byw_cu_kernel_node *params,
                                       const unsigned cluster[3])
{
    struct byw_cu_node *node;
    enum byw_cu_error error;

    if (byw_cu_captured(stream) == NULL)
        return byw_cu_launch(function, params->grid, params->block, cluster, params->shared,
                             params->args);
    error = byw_cu_capture_add(stream, BYW_CU_NODE_KERNEL, &node);
    if (error == BYW_CU_OK && cluster != NULL)
        memcpy(node->cluster, cluster, sizeof(node->cluster));
    return error == BYW_CU_OK ? byw_cu_node_set_kernel(node, function, params) : error;
}
