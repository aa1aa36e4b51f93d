/* SPDX-License-Identifier: Apache-2.0
 *
 * Work-groups that are resident together because they wait for each other.
 *
 * The first group that waits opens the set. Other groups join it in grid order while there is room,
 * and run until they wait or end. Then all waiting groups take turns, in grid order. If no group
 * proceeds in a round, lanes behind waiting ones may run; if there is still no progress, the groups
 * wait forever. Traces are written in grid order: those of groups that end early are stored.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/run/byw_cl_runner.h"

/* Capacity of a device that a launch does not describe. */
#define SMS 15u
#define SM_GROUPS 8u
#define SM_ITEMS 1536u
#define SM_SHARED 0xc000u

/* Bytes of a resident group's trace in memory, at least; all together have those of one group. */
#define TRACE_BYTES (1ull << 20)

#define RESERVED_BYTES (BYW_CL_SHARED_SIZE - BYW_CL_SHARED_RESERVED)

struct held {
    uint64_t number;
    struct byw_cta cta;
    struct byw_cl_parked *parked; /* the whole group; NULL: it is in cta */
    struct held *next; /* in ascending order */
};

struct byw_cl_residents {
    uint32_t room, count;
    uint64_t groups, next, put; /* groups in the grid; the next to start; the next to write */
    struct byw_cl_park *park;
    struct byw_cl_runner *oldest; /* the oldest group of the last round */
    struct held *held;
    struct resident {
        struct byw_cl_runner *runner; /* NULL: free */
        unsigned char *shared; /* copy of its scratchpad while other groups run */
        bool live;
    } slot[]; /* `room` slots; slot 0 is the launch's own runner */
};

static uint32_t room_of(const struct byw_cl_runner *r)
{
    const uint32_t *block = r->launch->block;
    uint32_t items = (block[0] * block[1] * block[2] + r->warp_size - 1) / r->warp_size;
    uint32_t most = SM_ITEMS / (items * r->warp_size), shared = r->launch->shared_bytes;
    uint64_t groups = byw_cl_launch_groups(r->launch);

    if (r->settings.resident != 0)
        return (uint32_t)r->settings.resident;
    if (r->launch->resident != 0)
        return (uint32_t)(r->launch->resident < groups ? r->launch->resident : groups);
    if (shared != 0 && SM_SHARED / shared < most)
        most = SM_SHARED / shared;
    return SMS * (most > SM_GROUPS ? SM_GROUPS : most);
}

static enum byw_status fail(struct byw_cl_runner *r)
{
    return r->status = byw_diag_set(r->diag, BYW_ENOMEM,
                                    "out of memory for work-groups that wait for each other");
}

/* A runner of the same launch with separate memory. */
static struct byw_cl_runner *create_runner(struct byw_cl_runner *r)
{
    const uint32_t *block = r->launch->block;
    struct byw_cl_runner *s = malloc(sizeof(*s));

    if (s == NULL)
        return NULL;
    *s = *r;
    s->log = NULL;
    s->log_words = s->private_bytes = s->context_bytes = 0;
    s->private_space = s->context = NULL;
    s->fibers = NULL;
    s->residents = NULL;
    s->parked = NULL;
    memset(s->warp, 0, sizeof(s->warp));
    memset(s->ahead, 0, sizeof(s->ahead));
    byw_cta_init(&s->cta);
    if (byw_cl_runner_equip(s, block[0] * block[1] * block[2], false) != BYW_OK) {
        byw_cl_runner_strip(s);
        free(s);
        return NULL;
    }
    return s;
}

/* Finds a free slot; NULL: none is free, or r->status is set. */
static struct resident *find_slot(struct byw_cl_runner *r)
{
    struct byw_cl_residents *set = r->residents;
    uint32_t i = 0;

    while (i < set->count && set->slot[i].live)
        i++;
    if (i == set->room)
        return NULL;
    if (i == set->count) {
        set->slot[i].runner = create_runner(r);
        set->slot[i].shared = malloc(r->launch->shared_bytes + RESERVED_BYTES);
        set->count++;
        if (set->slot[i].runner == NULL || set->slot[i].shared == NULL) {
            fail(r);
            return NULL;
        }
    }
    return &set->slot[i];
}

/* Writes the stored traces that are next in grid order. */
static void put_held(struct byw_cl_runner *r)
{
    struct byw_cl_residents *set = r->residents;

    while (set->held != NULL && set->held->number == set->put && r->status == BYW_OK) {
        struct held *h = set->held;

        if (h->parked != NULL) {
            r->status = byw_cl_parts_unpark(r, &h->parked);
        } else {
            byw_cl_parts_count(r, &h->cta);
            r->status = byw_cl_spool_put(r->spool, &h->cta, NULL);
        }
        set->held = h->next;
        set->put++;
        byw_cta_release(&h->cta);
        byw_cl_parked_free(h->parked);
        free(h);
    }
}

/* A group has finished: writes its trace, or stores it until the groups before it have been
 * written. */
static void end_group(struct byw_cl_runner *r, struct resident *resident)
{
    struct byw_cl_residents *set = r->residents;
    struct byw_cl_runner *s = resident->runner;
    struct held *h, **at = &set->held;

    resident->live = false;
    if (r->writer == NULL)
        return;
    if (s->group_number == set->put) {
        r->status = byw_cl_parts_end(s);
        set->put++;
        put_held(r);
        return;
    }
    if (s->written != 0)
        r->status = byw_cl_parts_end(s);
    h = malloc(sizeof(*h));
    if (h == NULL) {
        fail(r);
        return;
    }
    while (*at != NULL && (*at)->number < s->group_number)
        at = &(*at)->next;
    *h = (struct held){s->group_number, s->cta, s->parked, *at};
    *at = h;
    s->parked = NULL;
    byw_cta_init(&s->cta);
}

/* Copies the scratchpad of a group, and the system's part of it, to or from where it is kept. */
static void copy_shared(const struct byw_cl_runner *r, unsigned char *kept, bool back)
{
    unsigned char *shared = (unsigned char *)BYW_CL_SHARED_BASE;
    unsigned char *reserved = shared + BYW_CL_SHARED_RESERVED;
    size_t bytes = r->launch->shared_bytes;

    memcpy(back ? shared : kept, back ? kept : shared, bytes);
    memcpy(back ? reserved : kept + bytes, back ? kept + bytes : reserved, RESERVED_BYTES);
}

/* Lets a resident group run until it waits or ends. */
static void run(struct byw_cl_runner *r, struct resident *resident, uint64_t *item)
{
    struct byw_cl_runner *s = r->current = resident->runner;
    bool over;

    if (s->begun)
        copy_shared(r, resident->shared, true);
    item[BYW_CL_BARRIER_ARG] = (uint64_t)(uintptr_t)s;
    s->first = s->group_number == r->residents->put;
    if (s->first && s->parked != NULL)
        r->status = byw_cl_parts_unpark(s, &s->parked);
    if (r->status != BYW_OK)
        return;
    over = byw_cl_group_run(s, item);
    copy_shared(r, resident->shared, false);
    if (s->status == BYW_OK && over)
        end_group(r, resident);
    else
        r->status = s->status;
    r->current = r;
}

static void start_groups(struct byw_cl_runner *r, uint64_t *item)
{
    struct byw_cl_residents *set = r->residents;
    struct resident *free_one;

    while (set->next < set->groups && r->status == BYW_OK && (free_one = find_slot(r)) != NULL) {
        byw_cl_group_place(free_one->runner, set->next++);
        free_one->live = true;
        run(r, free_one, item);
    }
}

/* Runs one round of all waiting groups, in grid order; *live: their number. */
static bool take_turns(struct byw_cl_runner *r, uint64_t *item, bool stalled, uint32_t *live)
{
    struct byw_cl_residents *set = r->residents;
    uint64_t from = 0;
    bool moved = false;

    *live = 0;
    for (;;) {
        struct resident *best = NULL;

        for (uint32_t i = 0; i < set->count; i++)
            if (set->slot[i].live && set->slot[i].runner->group_number >= from &&
                (best == NULL || set->slot[i].runner->group_number < best->runner->group_number))
                best = &set->slot[i];
        if (best == NULL || r->status != BYW_OK)
            return moved;
        from = best->runner->group_number + 1;
        best->runner->moved = false;
        best->runner->stalled = stalled;
        if (*live == 0)
            set->oldest = best->runner;
        run(r, best, item);
        moved |= best->runner->moved;
        ++*live;
    }
}

static bool open_set(struct byw_cl_runner *r)
{
    uint32_t room = room_of(r);
    struct byw_cl_residents *set = calloc(1, sizeof(*set) + room * sizeof(set->slot[0]));

    r->residents = set;
    if (set == NULL)
        return false;
    set->room = room;
    set->count = 1;
    set->groups = (uint64_t)r->launch->grid[0] * r->launch->grid[1] * r->launch->grid[2];
    set->put = r->group_number;
    set->next = r->group_number + 1;
    set->slot[0].runner = r;
    set->park = r->park = byw_cl_park_create();
    r->part_bytes = r->byte_limit / room > TRACE_BYTES ? r->byte_limit / room : TRACE_BYTES;
    set->slot[0].shared = malloc(r->launch->shared_bytes + RESERVED_BYTES);
    set->slot[0].live = true;
    if (set->slot[0].shared == NULL || set->park == NULL)
        return false;
    copy_shared(r, set->slot[0].shared, false);
    return true;
}

void byw_cl_residents_run(struct byw_cl_runner *r, uint64_t *item)
{
    bool moved = true, stalled = false;
    uint32_t live = 1;

    if (!open_set(r)) {
        fail(r);
        return;
    }
    while (r->status == BYW_OK) {
        start_groups(r, item);
        moved = take_turns(r, item, stalled, &live);
        if (live == 0)
            return;
        if (!moved && stalled && r->status == BYW_OK)
            r->status = byw_cl_describe_wait(r->residents->oldest, live, r->residents->groups);
        stalled = !moved;
    }
}

void byw_cl_residents_free(struct byw_cl_runner *r)
{
    struct byw_cl_residents *set = r->residents;

    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        free(set->slot[i].shared);
        if (i == 0 || set->slot[i].runner == NULL)
            continue;
        byw_cl_parked_free(set->slot[i].runner->parked);
        byw_cl_runner_strip(set->slot[i].runner);
        free(set->slot[i].runner);
    }
    while (set != NULL && set->held != NULL) {
        struct held *h = set->held;

        set->held = h->next;
        byw_cta_release(&h->cta);
        byw_cl_parked_free(h->parked);
        free(h);
    }
    if (set != NULL)
        byw_cl_park_free(set->park);
    r->park = NULL;
    byw_cl_parked_free(r->parked);
    r->parked = NULL;
    free(set);
    r->residents = NULL;
}
