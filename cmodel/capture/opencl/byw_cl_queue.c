/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands, and the queue of those that must wait.
 *
 * A command whose events are complete runs at once, unless its queue is in order and holds waiting
 * commands. The others are stored in one list in order of arrival; a thread that completes an event
 * runs the commands that have become ready.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

struct waiting {
    struct byw_cl_task task;
    cl_event event; /* its own */
    cl_event *wait;
    cl_uint waits;
    bool orders; /* a marker or barrier without a wait list: it waits for all earlier commands */
    bool running;
    struct waiting *next;
};

/* Waiting commands of all queues: completing one event may release commands of several queues. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct waiting *first;
} backlog = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool is_in_order(cl_command_queue queue)
{
    return (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

static bool is_ordering(cl_command_type type)
{
    return type == CL_COMMAND_MARKER || type == CL_COMMAND_BARRIER;
}

/* Whether a command must not overtake an earlier one of its queue. */
static bool must_follow(const struct waiting *earlier, cl_command_queue queue, bool orders)
{
    return earlier->event->queue == queue &&
           (is_in_order(queue) || orders || earlier->task.type == CL_COMMAND_BARRIER);
}

static bool is_held(cl_command_queue queue, bool orders, const struct waiting *end)
{
    for (const struct waiting *w = backlog.first; w != end; w = w->next)
        if (must_follow(w, queue, orders))
            return true;
    return false;
}

/* State of a wait list: 1 some events are pending, negative one failed, 0 all are complete. */
static cl_int state_of(cl_uint count, const cl_event *list)
{
    cl_int state = CL_SUCCESS;

    for (cl_uint i = 0; i < count; i++) {
        cl_int status = atomic_load(&list[i]->status);

        if (status > CL_COMPLETE)
            return 1;
        if (status < 0)
            state = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return state;
}

static struct waiting *find_ready(void)
{
    for (struct waiting *w = backlog.first; w != NULL; w = w->next)
        if (!w->running && state_of(w->waits, w->wait) <= 0 &&
            !is_held(w->event->queue, w->orders, w))
            return w;
    return NULL;
}

static void release_waiting(struct waiting *w)
{
    if (w->task.hold != NULL)
        w->task.hold(w->task.data, false);
    for (cl_uint i = 0; i < w->waits; i++)
        clReleaseEvent(w->wait[i]);
    clReleaseEvent(w->event);
    free(w->task.data);
    free(w->wait);
    free(w);
}

static void finish_waiting(struct waiting *w, cl_int code)
{
    pthread_mutex_lock(&backlog.lock);
    for (struct waiting **p = &backlog.first; *p != NULL; p = &(*p)->next)
        if (*p == w) {
            *p = w->next;
            break;
        }
    w->event->end = byw_cl_now();
    pthread_mutex_unlock(&backlog.lock);
    byw_cl_settle(w->event, code == CL_SUCCESS ? CL_COMPLETE : code);
    release_waiting(w);
}

/* Runs all commands that are ready. */
static void advance(void)
{
    for (;;) {
        struct waiting *w;
        cl_int code;

        pthread_mutex_lock(&backlog.lock);
        w = find_ready();
        if (w != NULL)
            w->running = true;
        pthread_mutex_unlock(&backlog.lock);
        if (w == NULL)
            return;
        code = state_of(w->waits, w->wait);
        w->event->start = byw_cl_now();
        if (code == CL_SUCCESS && w->task.run != NULL)
            code = w->task.run(w->task.data);
        finish_waiting(w, code);
    }
}

void byw_cl_settle(cl_event event, cl_int status)
{
    struct byw_cl_callback *list;

    clRetainEvent(event);
    pthread_mutex_lock(&backlog.lock);
    atomic_store(&event->status, status);
    list = event->callbacks;
    event->callbacks = NULL;
    pthread_cond_broadcast(&backlog.changed);
    pthread_mutex_unlock(&backlog.lock);
    while (list != NULL) {
        struct byw_cl_callback *next = list->next;

        list->call(event, status < 0 ? status : list->type, list->data);
        free(list);
        list = next;
    }
    advance();
    clReleaseEvent(event);
}

bool byw_cl_add_callback(cl_event event, struct byw_cl_callback *callback)
{
    struct byw_cl_callback **p = &event->callbacks;
    bool open;

    pthread_mutex_lock(&backlog.lock);
    open = atomic_load(&event->status) > CL_COMPLETE;
    while (*p != NULL)
        p = &(*p)->next;
    if (open)
        *p = callback;
    pthread_mutex_unlock(&backlog.lock);
    return open;
}

void byw_cl_await(cl_event event)
{
    pthread_mutex_lock(&backlog.lock);
    while (atomic_load(&event->status) > CL_COMPLETE)
        pthread_cond_wait(&backlog.changed, &backlog.lock);
    pthread_mutex_unlock(&backlog.lock);
}

void byw_cl_drain(cl_command_queue queue)
{
    for (;;) {
        cl_event event = NULL;

        pthread_mutex_lock(&backlog.lock);
        for (struct waiting *w = backlog.first; w != NULL && event == NULL; w = w->next)
            if (w->event->queue == queue)
                event = w->event;
        if (event != NULL)
            clRetainEvent(event);
        pthread_mutex_unlock(&backlog.lock);
        if (event == NULL)
            return;
        byw_cl_await(event);
        clReleaseEvent(event);
    }
}

static cl_int check_list(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    if ((count == 0) != (list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++) {
        if (!byw_cl_is(list[i], BYW_CL_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
        if (list[i]->context != queue->context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

static struct waiting *make_waiting(cl_command_queue queue, const struct byw_cl_task *task,
                                    cl_uint count, const cl_event *list)
{
    struct waiting *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->task = *task;
    w->task.data = malloc(task->size + 1);
    w->wait = calloc(count + (size_t)1, sizeof(*w->wait));
    w->event = byw_cl_event_create(queue->context, queue, task->type, CL_QUEUED);
    if (w->task.data == NULL || w->wait == NULL || w->event == NULL) {
        if (w->event != NULL)
            clReleaseEvent(w->event);
        free(w->task.data);
        free(w->wait);
        free(w);
        return NULL;
    }
    if (task->size != 0)
        memcpy(w->task.data, task->data, task->size);
    if (task->hold != NULL)
        task->hold(w->task.data, true);
    w->waits = count;
    for (cl_uint i = 0; i < count; i++) {
        w->wait[i] = list[i];
        clRetainEvent(list[i]);
    }
    w->orders = is_ordering(task->type) && count == 0;
    w->event->queued = byw_cl_now();
    return w;
}

/* Keeps a command for later. */
static cl_int keep(cl_command_queue queue, const struct byw_cl_task *task, cl_uint count,
                   const cl_event *list, cl_event *event)
{
    struct waiting *w = make_waiting(queue, task, count, list), **p = &backlog.first;
    cl_event own;
    cl_int status;

    if (w == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    own = w->event;
    clRetainEvent(own);
    pthread_mutex_lock(&backlog.lock);
    while (*p != NULL)
        p = &(*p)->next;
    *p = w;
    pthread_mutex_unlock(&backlog.lock);
    advance(); /* another thread may have set the event just now */
    if (task->blocking)
        byw_cl_await(own);
    status = atomic_load(&own->status);
    if (event != NULL)
        *event = own;
    else
        clReleaseEvent(own);
    return task->blocking && status < 0 ? status : CL_SUCCESS;
}

cl_int byw_cl_submit(cl_command_queue queue, const struct byw_cl_task *task, cl_uint count,
                     const cl_event *list, cl_event *event)
{
    cl_ulong start = byw_cl_now();
    cl_int code = check_list(queue, count, list);
    bool held;

    if (code != CL_SUCCESS)
        return code;
    pthread_mutex_lock(&backlog.lock);
    held = backlog.first != NULL && is_held(queue, is_ordering(task->type) && count == 0, NULL);
    pthread_mutex_unlock(&backlog.lock);
    code = state_of(count, list);
    if (held || code == 1)
        return keep(queue, task, count, list, event);
    if (code < 0 && task->blocking)
        return code;
    if (code == CL_SUCCESS && task->run != NULL) {
        code = task->run(task->data);
        if (code != CL_SUCCESS)
            return code;
    }
    if (event == NULL)
        return CL_SUCCESS;
    *event = byw_cl_event_create(queue->context, queue, task->type,
                                 code == CL_SUCCESS ? CL_COMPLETE : code);
    if (*event == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    (*event)->queued = (*event)->start = start;
    (*event)->end = byw_cl_now();
    return CL_SUCCESS;
}
