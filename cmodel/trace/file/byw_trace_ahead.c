/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/file/byw_trace_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace/byw_trace_format.h"

enum item_kind { ITEM_KERNEL, ITEM_CTA, ITEM_END };

/* An item that the thread has read: a launch, one CTA, or the end or error. */
struct item {
    enum item_kind kind;
    struct byw_cta cta;
    uint64_t bytes; /* bytes of the CTA */
    struct byw_kernel kernel;
    struct byw_site *site; /* copy of the kernel's sites */
    enum byw_status status; /* for an end: BYW_END or the error */
    bool in_launch; /* the end is an error inside a launch */
    struct byw_diag diag;
    struct byw_trace_note note; /* up to and including this item */
};

/* All fields below `lock` are shared.  The thread fills the item at first + count without the lock,
 * because no thread reads it before `count` is incremented. */
struct ahead {
    struct byw_trace trace;
    struct byw_trace_ops ops;
    struct byw_trace *inner; /* used only by the thread while it runs */
    struct byw_cta last; /* used only by the thread, too; the last CTA: only its counts are valid */
    struct byw_kernel kernel; /* the kernel as returned to the reader */
    struct byw_site *site;
    struct byw_trace_note note;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, taken;
    struct item ring[BYW_AHEAD_CTAS];
    uint32_t first, count;
    uint64_t bytes; /* bytes of the CTAs in the ring */
    uint32_t launches; /* put into the ring by the thread */
    uint32_t wanted; /* launches requested; CTAs of earlier ones are no longer needed */
    uint32_t entered; /* the last launch of which a CTA was requested, from 1 */
    bool resting; /* the ring was full, and more than half of its CTAs are left */
    bool quit;
    struct byw_cta spare[BYW_AHEAD_CTAS]; /* arrays to be reused */
    uint32_t spares;
    uint64_t spare_bytes;
};

static uint64_t cta_bytes(size_t insts, size_t addrs)
{
    return (uint64_t)insts * sizeof(struct byw_inst) + (uint64_t)addrs * sizeof(uint64_t);
}

/* --- arrays, with the lock held ----------------------------------------------------------- */

static void put_spare(struct ahead *a, struct byw_cta *cta)
{
    uint64_t bytes;

    byw_cta_clear(cta);
    bytes = cta_bytes(cta->inst_room, cta->addr_room);
    if (a->spares == BYW_AHEAD_CTAS || a->spare_bytes + bytes > BYW_AHEAD_BYTES) {
        byw_cta_release(cta);
        return;
    }
    a->spare[a->spares++] = *cta;
    a->spare_bytes += bytes;
    byw_cta_init(cta);
}

static void get_spare(struct ahead *a, struct byw_cta *cta)
{
    if (a->spares == 0 || cta->warp != NULL) /* the item kept its arrays when a launch ended */
        return;
    *cta = a->spare[--a->spares];
    a->spare_bytes -= cta_bytes(cta->inst_room, cta->addr_room);
}

/* --- the thread --------------------------------------------------------------------------- */

static bool full(const struct ahead *a)
{
    return a->count == BYW_AHEAD_CTAS || (a->count > 0 && a->bytes >= BYW_AHEAD_BYTES);
}

/* The item to fill next, once there is room.  NULL: the reader is gone or, within a launch,
 * requests a later one. */
static struct item *next_item(struct ahead *a, bool in_launch)
{
    struct item *item = NULL;

    pthread_mutex_lock(&a->lock);
    a->resting = full(a);
    while (!a->quit && !(in_launch && a->wanted > a->launches) &&
           (a->resting || (in_launch && a->entered < a->launches)))
        pthread_cond_wait(&a->taken, &a->lock);
    if (!a->quit && !(in_launch && a->wanted > a->launches)) {
        item = &a->ring[(a->first + a->count) % BYW_AHEAD_CTAS];
        if (in_launch)
            get_spare(a, &item->cta);
    }
    pthread_mutex_unlock(&a->lock);
    return item;
}

static void publish(struct ahead *a, struct item *item, enum item_kind kind)
{
    byw_trace_get_note(a->inner, &item->note);
    item->kind = kind;
    item->bytes = kind == ITEM_CTA ? cta_bytes(item->cta.inst_count, item->cta.addr_count) : 0;
    pthread_mutex_lock(&a->lock);
    a->launches += kind == ITEM_KERNEL;
    a->bytes += item->bytes;
    a->count++;
    pthread_cond_signal(&a->filled);
    pthread_mutex_unlock(&a->lock);
}

static enum byw_status read_kernel(struct ahead *a, struct item *item)
{
    const struct byw_kernel *kernel;
    enum byw_status st = byw_trace_next_kernel(a->inner, &kernel, &item->diag);
    size_t bytes;

    if (st != BYW_OK)
        return st;
    item->kernel = *kernel;
    item->site = NULL;
    bytes = kernel->site_count * sizeof(*item->site);
    if (kernel->site != NULL && bytes != 0) {
        item->site = malloc(bytes);
        if (item->site == NULL)
            return byw_no_memory(&item->diag, "reading the trace");
        memcpy(item->site, kernel->site, bytes);
        item->kernel.site = item->site;
    }
    return BYW_OK;
}

static void end(struct ahead *a, struct item *item, enum byw_status st, bool in_launch)
{
    item->status = st;
    item->in_launch = in_launch;
    publish(a, item, ITEM_END);
}

/* Reads the CTAs of a launch; false after an end or error. */
static bool read_launch(struct ahead *a)
{
    for (;;) {
        struct item *item = next_item(a, true);
        enum byw_status st;

        if (item == NULL) /* a later launch is requested, or the reader is gone */
            return true;
        byw_cta_reserve(&item->cta, &a->last); /* neighbors are mostly alike */
        st = byw_trace_next_cta(a->inner, &item->cta, &item->diag);
        if (st == BYW_END)
            return true;
        if (st != BYW_OK) {
            end(a, item, st, true);
            return false;
        }
        a->last = item->cta;
        publish(a, item, ITEM_CTA);
    }
}

static void *read_ahead(void *argument)
{
    struct ahead *a = argument;

    for (;;) {
        struct item *item = next_item(a, false);
        enum byw_status st;

        if (item == NULL)
            return NULL;
        st = read_kernel(a, item);
        if (st != BYW_OK) {
            end(a, item, st, false);
            return NULL;
        }
        publish(a, item, ITEM_KERNEL);
        if (!read_launch(a))
            return NULL;
    }
}

/* --- the reader --------------------------------------------------------------------------- */

/* The oldest item; call with the lock held. */
static struct item *oldest(struct ahead *a)
{
    while (a->count == 0)
        pthread_cond_wait(&a->filled, &a->lock);
    return &a->ring[a->first];
}

static void drop_oldest(struct ahead *a)
{
    struct item *item = &a->ring[a->first];

    a->note = item->note;
    a->bytes -= item->bytes;
    if (item->kind == ITEM_CTA)
        put_spare(a, &item->cta);
    a->first = (a->first + 1) % BYW_AHEAD_CTAS;
    a->count--;
    if (a->resting && a->count <= BYW_AHEAD_CTAS / 2 && a->bytes < BYW_AHEAD_BYTES) {
        a->resting = false;
        pthread_cond_signal(&a->taken);
    }
}

static enum byw_status ended(struct ahead *a, const struct item *item, struct byw_diag *diag)
{
    a->note = item->note;
    if (item->status != BYW_END && diag != NULL)
        *diag = item->diag;
    return item->status;
}

static enum byw_status ahead_next_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                         struct byw_diag *diag)
{
    struct ahead *a = (struct ahead *)trace;
    enum byw_status st = BYW_OK;
    struct item *item;

    pthread_mutex_lock(&a->lock);
    a->wanted++;
    pthread_cond_signal(&a->taken);
    while ((item = oldest(a))->kind == ITEM_CTA)
        drop_oldest(a);
    if (item->kind == ITEM_END) {
        st = ended(a, item, diag);
    } else {
        free(a->site);
        a->site = item->site;
        a->kernel = item->kernel;
        item->site = NULL;
        *kernel = &a->kernel;
        drop_oldest(a);
    }
    pthread_mutex_unlock(&a->lock);
    return st;
}

static enum byw_status ahead_next_cta(struct byw_trace *trace, struct byw_cta *cta,
                                      struct byw_diag *diag)
{
    struct ahead *a = (struct ahead *)trace;
    enum byw_status st = BYW_OK;
    struct item *item;

    byw_cta_clear(cta);
    pthread_mutex_lock(&a->lock);
    if (a->entered != a->wanted) {
        a->entered = a->wanted;
        pthread_cond_signal(&a->taken);
    }
    item = (a->wanted == 0) ? NULL : oldest(a);
    if (item == NULL || item->kind == ITEM_KERNEL || (item->kind == ITEM_END && !item->in_launch)) {
        st = BYW_END;
    } else if (item->kind == ITEM_END) {
        st = ended(a, item, diag);
    } else {
        struct byw_cta old = *cta;

        *cta = item->cta;
        item->cta = old;
        drop_oldest(a);
    }
    pthread_mutex_unlock(&a->lock);
    return st;
}

static void ahead_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    *note = ((const struct ahead *)trace)->note;
}

static void ahead_close(struct byw_trace *trace)
{
    struct ahead *a = (struct ahead *)trace;

    pthread_mutex_lock(&a->lock);
    a->quit = true;
    pthread_cond_signal(&a->taken);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    for (uint32_t i = 0; i < BYW_AHEAD_CTAS; i++) {
        byw_cta_release(&a->ring[i].cta);
        free(a->ring[i].site);
    }
    for (uint32_t i = 0; i < a->spares; i++)
        byw_cta_release(&a->spare[i]);
    byw_trace_close(a->inner); /* after the windows of its CTAs */
    free(a->site);
    pthread_cond_destroy(&a->filled);
    pthread_cond_destroy(&a->taken);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

struct byw_trace *byw_trace_ahead(struct byw_trace *trace)
{
    struct ahead *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return trace;
    a->ops = (struct byw_trace_ops){trace->ops->name, ahead_next_kernel, ahead_next_cta, NULL,
                                    ahead_note,       ahead_close};
    a->trace.ops = &a->ops;
    a->inner = trace;
    byw_trace_get_note(trace, &a->note);
    for (uint32_t i = 0; i < BYW_AHEAD_CTAS; i++)
        byw_cta_init(&a->ring[i].cta);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->filled, NULL);
    pthread_cond_init(&a->taken, NULL);
    if (pthread_create(&a->thread, NULL, read_ahead, a) == 0)
        return &a->trace;
    pthread_cond_destroy(&a->filled);
    pthread_cond_destroy(&a->taken);
    pthread_mutex_destroy(&a->lock);
    free(a);
    return trace;
}
