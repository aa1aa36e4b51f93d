/* SPDX-License-Identifier: Apache-2.0
 *
 * Work-groups that are resident together because they wait for each other.
 *
 * The first group that waits opens the set. Other groups join it in grid order while there is room,
 * and run until they wait or end. Then all waiting groups take turns, in grid order. If no group
 * proceeds in a round, lanes behind waiting ones may run; if there is still no progress, the groups
 * wait forever. Traces are written in grid order: those of groups that end early are stored.
 *
 * In a grid of clusters, groups start cluster by cluster: the next cluster starts when the one
 * before has ended, or when no group proceeds and one may be waiting for a group outside its
 * cluster.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/run/byw_cl_runner.h"
#include "capture/run/byw_cl_windows.h"

/* Capacity of a device that a launch does not describe. */
#define SMS 15u
#define SM_GROUPS 8u
#define SM_ITEMS 1536u
#define SM_SHARED 0xc000u

/* Least number of bytes of trace that a resident group may keep in memory; all groups share the
 * limit of one group. */
#define TRACE_BYTES (1ull << 20)

#define RESERVED_BYTES (BYW_CL_SHARED_SIZE - BYW_CL_SHARED_RESERVED)

struct held {
    uint64_t number;
    struct byw_cta cta;
    struct byw_cl_parked *parked; /* the group's parts on disk; NULL: the whole group is in `cta` */
    struct held *next; /* in ascending order */
};

struct byw_cl_residents {
    uint32_t room, count;
    uint32_t cluster; /* groups that start together and have neighbouring slots */
    struct byw_cl_windows *windows; /* of clusters; NULL: there are none */
    uint64_t groups, next, put; /* groups in the grid; the next to start; the next to write */
    struct byw_cl_park *park;
    struct byw_cl_runner *oldest; /* the oldest group of the last round */
    struct held *held;
    struct resident {
        struct byw_cl_runner *runner; /* NULL: free */
        /* copy of its scratchpad while other groups run; unused in clusters */
        unsigned char *shared;
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

/* Makes a slot usable. */
static bool equip(struct byw_cl_runner *r, struct resident *slot)
{
    if (slot->runner == NULL)
        slot->runner = create_runner(r);
    if (slot->shared == NULL && r->residents->windows == NULL)
        slot->shared = malloc(r->launch->shared_bytes + RESERVED_BYTES);
    return slot->runner != NULL && (slot->shared != NULL || r->residents->windows != NULL);
}

/* Finds free slots for the groups that start together; NULL: there are none, or r->status is set.
 */
static struct resident *find_slots(struct byw_cl_runner *r)
{
    struct byw_cl_residents *set = r->residents;
    uint32_t first = 0, live = 1;

    for (; live != 0 && first + set->cluster <= set->room; first += live != 0 ? set->cluster : 0) {
        live = 0;
        for (uint32_t i = first; i < first + set->cluster; i++)
            live += set->slot[i].live;
    }
    if (live != 0)
        return NULL;
    for (uint32_t i = first; i < first + set->cluster; i++)
        if (!equip(r, &set->slot[i])) {
            fail(r);
            return NULL;
        }
    if (set->count < first + set->cluster)
        set->count = first + set->cluster;
    return &set->slot[first];
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

/* Maps a group's scratchpad. */
static void show_shared(struct byw_cl_runner *r, const struct resident *resident)
{
    struct byw_cl_residents *set = r->residents;

    if (set->windows == NULL && resident->runner->begun)
        copy_shared(r, resident->shared, true);
    if (set->windows != NULL &&
        !byw_cl_windows_show(set->windows, (uint32_t)(resident - set->slot)))
        fail(r);
}

/* Lets a resident group run until it waits or ends. */
static void run(struct byw_cl_runner *r, struct resident *resident, uint64_t *item)
{
    struct byw_cl_runner *s = r->current = resident->runner;
    bool over;

    show_shared(r, resident);
    item[BYW_CL_BARRIER_ARG] = (uint64_t)(uintptr_t)s;
    s->first = s->group_number == r->residents->put;
    if (s->first && s->parked != NULL)
        r->status = byw_cl_parts_unpark(s, &s->parked);
    if (r->status != BYW_OK)
        return;
    over = byw_cl_group_run(s, item);
    if (r->residents->windows == NULL)
        copy_shared(r, resident->shared, false);
    if (s->status == BYW_OK && over)
        end_group(r, resident);
    else
        r->status = s->status;
    r->current = r;
}

/* The n-th group to start: in grid order, or cluster by cluster. */
static uint64_t group_at(const struct byw_cl_launch *launch, uint64_t n)
{
    uint64_t cluster = n / byw_cl_launch_cluster(launch), rank = n % byw_cl_launch_cluster(launch);
    uint64_t group = 0, row = 1;

    if (byw_cl_launch_cluster(launch) == 1)
        return n;
    for (int d = 0; d < 3; d++) {
        uint32_t size = launch->cluster[d], clusters = launch->grid[d] / size;

        group += (cluster % clusters * size + rank % size) * row;
        cluster /= clusters;
        rank /= size;
        row *= launch->grid[d];
    }
    return group;
}

/* Clears the state of the cluster's barrier, which is at the end of the groups' scratchpads. */
static void begin_cluster(struct byw_cl_runner *r, const struct resident *first)
{
    const uint32_t *block = r->launch->block;
    uint32_t groups = r->residents->cluster;

    for (uint32_t i = 0; i < groups && r->status == BYW_OK; i++) {
        show_shared(r, first + i);
        if (r->status == BYW_OK)
            memset((unsigned char *)BYW_CL_SHARED_BASE + BYW_CL_CLUSTER_PHASES, 0,
                   BYW_CL_SHARED_SIZE - BYW_CL_CLUSTER_PHASES);
    }
    if (r->status == BYW_OK)
        byw_cl_cluster_state()->items = groups * block[0] * block[1] * block[2];
}

static void start_groups(struct byw_cl_runner *r, uint64_t *item)
{
    struct byw_cl_residents *set = r->residents;
    struct resident *slot;

    while (set->next < set->groups && r->status == BYW_OK && (slot = find_slots(r)) != NULL) {
        for (uint32_t i = 0; i < set->cluster; i++) {
            byw_cl_group_place(slot[i].runner, group_at(r->launch, set->next++));
            slot[i].live = true;
        }
        if (set->windows != NULL)
            begin_cluster(r, slot);
        for (uint32_t i = 0; i < set->cluster && r->status == BYW_OK; i++)
            run(r, &slot[i], item);
        if (set->windows != NULL)
            return;
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
    uint32_t cluster = byw_cl_launch_cluster(r->launch), room = room_of(r) / cluster * cluster;
    struct byw_cl_residents *set;

    room = room < cluster ? cluster : room;
    set = r->residents = calloc(1, sizeof(*set) + room * sizeof(set->slot[0]));
    if (set == NULL)
        return false;
    set->room = room;
    set->cluster = cluster;
    set->groups = byw_cl_launch_groups(r->launch);
    set->slot[0].runner = r;
    set->park = r->park = byw_cl_park_create();
    r->part_bytes = r->byte_limit / room > TRACE_BYTES ? r->byte_limit / room : TRACE_BYTES;
    set->windows = cluster > 1 ? byw_cl_windows_create(cluster) : NULL;
    return set->park != NULL && (cluster == 1 || set->windows != NULL);
}

/* Whether the groups that cannot proceed may be waiting for another cluster. */
static bool needs_cluster(struct byw_cl_runner *r)
{
    const struct byw_cl_residents *set = r->residents;
    bool abroad = false;

    for (uint32_t i = 0; i < set->count; i++)
        abroad |= set->slot[i].live && set->slot[i].runner->goes_abroad;
    return abroad && set->next < set->groups && find_slots(r) != NULL;
}

void byw_cl_residents_clusters(struct byw_cl_runner *r, uint64_t *item)
{
    bool stalled = false, more = true, moved;
    uint32_t live;

    if (!open_set(r)) {
        fail(r);
        return;
    }
    while (r->status == BYW_OK) {
        if (more)
            start_groups(r, item);
        moved = take_turns(r, item, stalled, &live);
        if (r->status != BYW_OK || (live == 0 && r->residents->next == r->residents->groups))
            return;
        if (live != 0 && !moved && stalled)
            r->status = byw_cl_describe_wait(r->residents->oldest, live, r->residents->groups);
        more = live == 0 || (!moved && needs_cluster(r));
        stalled = !moved && !more;
    }
}

/* Opens the set with the launch's own group as its first member. */
static bool open_with_own(struct byw_cl_runner *r)
{
    struct byw_cl_residents *set;

    if (!open_set(r) || !equip(r, &r->residents->slot[0]))
        return false;
    set = r->residents;
    set->count = 1;
    set->put = r->group_number;
    set->next = r->group_number + 1;
    set->slot[0].live = true;
    copy_shared(r, set->slot[0].shared, false);
    return true;
}

void byw_cl_residents_run(struct byw_cl_runner *r, uint64_t *item)
{
    bool moved = true, stalled = false;
    uint32_t live = 1;

    if (!open_with_own(r)) {
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
    if (set != NULL) {
        byw_cl_park_free(set->park);
        byw_cl_windows_free(set->windows);
    }
    r->park = NULL;
    byw_cl_parked_free(r->parked);
    r->parked = NULL;
    free(set);
    r->residents = NULL;
}
