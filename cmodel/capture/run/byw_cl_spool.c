/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_spool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#define SLOTS 256u
#define BATCH 128u /* for fewer CTAs, waking a thread does not pay off */
#define BATCH_BYTES (1u << 20)
#define WAITING_BYTES (16u << 20)
#define KEPT_BYTES (48u << 20) /* memory of written CTAs that the slots retain */

struct byw_cl_spool {
    struct byw_trace_writer *writer;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work, room;
    bool threaded, ending;
    bool idle, blocked; /* the thread waits for work; the runner waits for room */
    uint32_t first, count; /* slots that hold a CTA */
    uint64_t bytes; /* of memory in these slots */
    uint64_t kept; /* bytes of memory in the other slots */
    enum byw_status status;
    struct byw_diag diag;
    struct byw_cta slot[SLOTS];
    struct byw_cl_spool_part part[SLOTS]; /* warps 0: the slot has a whole CTA */
};

static uint64_t room_of(const struct byw_cta *cta)
{
    return (uint64_t)cta->inst_room * sizeof(*cta->inst) +
           (uint64_t)cta->addr_room * sizeof(*cta->addr);
}

struct byw_cl_spool *byw_cl_spool_create(void)
{
    struct byw_cl_spool *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->room, NULL);
    for (uint32_t i = 0; i < SLOTS; i++)
        byw_cta_init(&s->slot[i]);
    return s;
}

void byw_cl_spool_free(struct byw_cl_spool *spool)
{
    if (spool == NULL)
        return;
    for (uint32_t i = 0; i < SLOTS; i++)
        byw_cta_release(&spool->slot[i]);
    pthread_cond_destroy(&spool->room);
    pthread_cond_destroy(&spool->work);
    pthread_mutex_destroy(&spool->lock);
    free(spool);
}

void byw_cl_spool_begin(struct byw_cl_spool *spool, struct byw_trace_writer *writer)
{
    spool->writer = writer;
    spool->status = BYW_OK;
    spool->ending = false;
}

/* Writes the i-th waiting CTA. */
static enum byw_status write_one(struct byw_cl_spool *s, uint32_t i)
{
    const struct byw_cta *cta = &s->slot[(s->first + i) % SLOTS];
    const struct byw_cl_spool_part *part = &s->part[(s->first + i) % SLOTS];

    if (part->warps == 0)
        return byw_trace_cta(s->writer, cta, &s->diag);
    return byw_trace_cta_part(s->writer, cta, part->first_warp, part->warps, part->last, &s->diag);
}

/* Frees the first slot. */
static void give_back(struct byw_cl_spool *s)
{
    struct byw_cta *cta = &s->slot[s->first];

    s->bytes -= byw_cta_bytes(cta);
    if (s->kept + room_of(cta) > KEPT_BYTES) {
        byw_cta_release(cta);
        byw_cta_init(cta);
    }
    s->kept += room_of(cta);
    s->first = (s->first + 1) % SLOTS;
    s->count--;
}

/* Writes a batch of the first CTAs. The lock is released while writing, because slots change only
 * at the ends of the queue. */
static void write_batch(struct byw_cl_spool *s)
{
    enum byw_status status = s->status;
    uint64_t bytes = 0;
    uint32_t n = 0;

    while (n < s->count && n < BATCH && bytes < BATCH_BYTES)
        bytes += byw_cta_bytes(&s->slot[(s->first + n++) % SLOTS]);
    pthread_mutex_unlock(&s->lock);
    for (uint32_t i = 0; i < n && status == BYW_OK; i++)
        status = write_one(s, i);
    pthread_mutex_lock(&s->lock);
    s->status = status;
    while (n-- > 0)
        give_back(s);
}

static void *write_all(void *argument)
{
    struct byw_cl_spool *s = argument;

    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (s->count < BATCH && s->bytes < BATCH_BYTES && !s->ending) {
            s->idle = true;
            pthread_cond_wait(&s->work, &s->lock);
        }
        s->idle = false;
        if (s->count == 0)
            break;
        while (s->count != 0) {
            write_batch(s);
            if (s->blocked && s->count <= SLOTS / 2 && s->bytes < WAITING_BYTES / 2)
                pthread_cond_signal(&s->room);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* The program's signals must not reach this thread. */
static void start_thread(struct byw_cl_spool *s)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    s->threaded = pthread_create(&s->thread, NULL, write_all, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool is_full(const struct byw_cl_spool *s)
{
    return s->count == SLOTS || s->bytes >= WAITING_BYTES;
}

enum byw_status byw_cl_spool_put(struct byw_cl_spool *spool, struct byw_cta *cta,
                                 const struct byw_cl_spool_part *part)
{
    struct byw_cl_spool *s = spool;
    struct byw_cta *slot, empty;
    enum byw_status status;

    pthread_mutex_lock(&s->lock);
    slot = &s->slot[(s->first + s->count) % SLOTS];
    s->part[(s->first + s->count) % SLOTS] =
        part != NULL ? *part : (struct byw_cl_spool_part){.warps = 0};
    empty = *slot;
    s->kept -= room_of(slot);
    *slot = *cta;
    *cta = empty;
    byw_cta_clear(cta);
    s->count++;
    s->bytes += byw_cta_bytes(slot);
    if (!s->threaded && (s->count >= BATCH || s->bytes >= BATCH_BYTES))
        start_thread(s);
    if (s->threaded && s->idle && (s->count >= BATCH || s->bytes >= BATCH_BYTES))
        pthread_cond_signal(&s->work);
    while (s->threaded && is_full(s)) {
        s->blocked = true;
        pthread_cond_wait(&s->room, &s->lock);
    }
    s->blocked = false;
    while (is_full(s)) /* there is no thread */
        write_batch(s);
    status = s->status;
    pthread_mutex_unlock(&s->lock);
    return status;
}

enum byw_status byw_cl_spool_end(struct byw_cl_spool *spool, struct byw_diag *diag)
{
    struct byw_cl_spool *s = spool;

    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_cond_signal(&s->work);
    while (!s->threaded && s->count != 0)
        write_batch(s);
    pthread_mutex_unlock(&s->lock);
    if (s->threaded)
        pthread_join(s->thread, NULL);
    s->threaded = false;
    if (s->status != BYW_OK)
        *diag = s->diag;
    return s->status;
}
