/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_warps.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "trace/bwt/byw_trace_windows.h"

_Static_assert((int)BYW_STALL_WARPS == (int)BYW_WARP_SLOTS &&
                   (int)BYW_STALL_LOADS == (int)BYW_LOAD_SLOTS,
               "byw_stalls.h has room for every warp and load");

/* Records prefetched ahead of a warp.  One record ahead would be too late, because a step is
 * shorter than a memory access; what is prefetched earlier is evicted while the other SMs take
 * their turns. */
enum { AHEAD = 2 };

/* byw_warps.results */
enum { EXPECTED = 0xFF, TIME_SHIFT = 8 };

static uint64_t bit(uint32_t w)
{
    return (uint64_t)1 << w;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void byw_warps_init(struct byw_warps *warps, uint32_t slack)
{
    /* Initializes only the fields that are read before they are written; most of the rest may never
     * be used. */
    memset(warps, 0, offsetof(struct byw_warps, results));
    for (uint32_t i = 0; i < BYW_WHEEL; i++)
        warps->load_timer[i] = BYW_NO_LOAD;
    warps->loads = warps->fresh_loads = 0;
    warps->free_load = BYW_NO_LOAD;
    warps->window = NULL;
    warps->stalls = NULL;
    warps->slack = slack;
    byw_schedule_init(&warps->schedule);
    warps->status = BYW_OK;
}

/* Marks the wheel's slot for cycle `at`; returns its index. */
static uint32_t mark(struct byw_warps *warps, uint64_t at)
{
    uint32_t place = (uint32_t)(at % BYW_WHEEL);

    warps->turning[place / 64] |= (uint64_t)1 << place % 64;
    return place;
}

/* Puts warp w into the wheel for cycle `at` (after now).  If that is beyond the wheel's reach, the
 * warp is examined earlier and put in again. */
static void wake_at(struct byw_warps *warps, uint32_t w, uint64_t now, uint64_t at)
{
    uint64_t limit = now + BYW_WHEEL - 1;

    if (at > limit) {
        at = limit;
        warps->far |= bit(w);
    }
    warps->wheel[mark(warps, at)] |= bit(w);
}

/* Finds the lowest instruction number that waits for an outstanding load.  Completed loads are
 * noticed only when they matter. */
static void look_for_need(const struct byw_warps *warps, struct byw_warp *warp)
{
    warp->need = BYW_NO_INDEX;
    for (uint16_t i = warp->load; i != BYW_NO_LOAD; i = warps->load[i].next)
        warp->need = warps->load[i].need < warp->need ? warps->load[i].need : warp->need;
}

/* Whether the next instruction of w waits for a load; with machine code, for any barrier. */
static bool waits_for_load(const struct byw_warps *warps, uint32_t w, struct byw_warp *warp)
{
    if (byw_warps_machine(warps, w))
        return !byw_schedule_may_issue(byw_warps_next_inst(warps, w), warps->schedule.barrier[w], 0,
                                       0);
    if (warp->need <= warp->index)
        look_for_need(warps, warp);
    return warp->need <= warp->index;
}

/* Decides whether the next instruction of w has its operands. now: the current cycle; earliest: the
 * first cycle in which it may issue for other reasons. */
static void judge(struct byw_warps *warps, uint32_t w, uint64_t now, uint64_t earliest)
{
    struct byw_warp *warp = &warps->warp[w];
    uint64_t results = warps->results[w][warp->index % BYW_WARP_RING];
    uint64_t at = later(results >> TIME_SHIFT, earliest);

    if (warp->records == 0 || (warps->barrier & bit(w)) != 0)
        return;
    if (waits_for_load(warps, w, warp)) {
        warps->on_load |= bit(w);
        return;
    }
    if ((results & EXPECTED) != 0) {
        warps->on_result |= bit(w);
        return;
    }
    if (at <= now)
        warps->ready |= bit(w);
    else
        wake_at(warps, w, now, at);
}

static uint8_t lanes(uint64_t mask)
{
    if (mask == UINT32_MAX)
        return 32;
    return mask == UINT64_MAX ? 64 : (uint8_t)__builtin_popcountll(mask);
}

/* The warp reaches the record at warp->inst.  Prefetches later records: a warp reads its records in
 * sequence, but there are too many warps for the host's prefetcher. */
static void take_record(struct byw_warps *warps, uint32_t w)
{
    static const uint8_t unit[BYW_CLASS_COUNT] = {
#define X(code, name, is_memory) [code] = BYW_UNIT_OF(code, is_memory),
        BYW_CLASS_LIST(X)
#undef X
    };
    struct byw_warp *warp = &warps->warp[w];
    const struct byw_inst *inst = warp->inst;

    byw_prefetch(inst + AHEAD);
    warp->run = 0;
    warp->pc = inst->pc;
    warp->count = inst->count;
    warp->use = inst->use;
    warp->cls = inst->cls;
    warp->lanes = lanes(inst->mask);
    if (inst->form == BYW_FORM_LIST)
        byw_warps_prefetch_list(inst, warp->cta);
    warps->next[warp->unit] &= ~bit(w);
    warp->unit = unit[inst->cls];
    warps->next[warp->unit] |= bit(w);
    if (byw_warps_machine(warps, w))
        byw_schedule_next(&warps->schedule, w, byw_warps_next_inst(warps, w),
                          warp->unit == BYW_UNIT_LSU);
}

void byw_warps_prefetch(const struct byw_warps *warps, uint32_t w)
{
    enum { LINE = 64 / sizeof(warps->results[w][0]) };
    const struct byw_warp *warp = &warps->warp[w];

    byw_prefetch(&warps->results[w][warp->index % BYW_WARP_RING]);
    byw_prefetch(&warps->results[w][(warp->index + LINE) % BYW_WARP_RING]);
    byw_prefetch(warp->inst + 1);
    byw_prefetch((const char *)(warp->inst + AHEAD + 1) - 1);
}

/* Checks whether an ended warp has nothing in flight. */
static void check_drained(struct byw_warps *warps, uint32_t w)
{
    const struct byw_warp *warp = &warps->warp[w];

    if (warp->records == 0 && warp->load == BYW_NO_LOAD && warp->stores == 0)
        warps->drained |= bit(w);
}

static void end(struct byw_warps *warps, uint32_t w)
{
    warps->ended |= bit(w);
    check_drained(warps, w);
}

void byw_warps_place(struct byw_warps *warps, uint32_t slot, const struct byw_cta *cta,
                     const struct byw_warp_trace *trace, uint32_t cta_slot)
{
    struct byw_warp *warp = &warps->warp[slot];

    *warp = (struct byw_warp){
        .inst = &cta->inst[trace->first],
        .cta = cta,
        .records = trace->count,
        .need = BYW_NO_INDEX,
        .load = BYW_NO_LOAD,
        .unit = warp->unit,
        .cta_slot = (uint8_t)cta_slot,
    };
    for (uint32_t w = 0; w < BYW_WARP_SLOTS; w++)
        warps->older[w] &= ~bit(slot);
    memset(warps->results[slot], 0, sizeof(warps->results[slot]));
    warps->on_result &= ~bit(slot);
    warps->older[slot] = warps->live;
    warps->live |= bit(slot);
    warps->schedule.warps &= ~bit(slot);
    if (cta->machine && warps->schedule.machine != NULL) {
        warps->schedule.warps |= bit(slot);
        warps->schedule.barrier[slot] = 0;
    }
    if (trace->count == 0) {
        end(warps, slot);
        return;
    }
    warps->ready |= bit(slot);
    for (uint32_t i = 1; i < AHEAD; i++)
        byw_prefetch(warp->inst + i);
    take_record(warps, slot);
}

void byw_warps_hold(struct byw_warps *warps, uint32_t w, uint64_t now, uint64_t until)
{
    if (until <= now || warps->warp[w].records == 0)
        return;
    warps->ready &= ~bit(w);
    warps->results[w][warps->warp[w].index % BYW_WARP_RING] = until << TIME_SHIFT;
    if (warps->stalls != NULL)
        byw_stalls_until(warps->stalls, w, BYW_STALL_START, until);
    judge(warps, w, now, now + 1);
}

void byw_warps_remove(struct byw_warps *warps, uint32_t w)
{
    warps->live &= ~bit(w);
    warps->ended &= ~bit(w);
    warps->drained &= ~bit(w);
}

/* Removes a load from its warp's list; it is usually the head. */
static void take_off(struct byw_warps *warps, struct byw_warp *warp, uint16_t id)
{
    uint16_t before = BYW_NO_LOAD, *link = &warp->load;

    while (*link != id) {
        before = *link;
        link = &warps->load[before].next;
    }
    *link = warps->load[id].next;
    if (warp->last_load == id)
        warp->last_load = before;
}

/* The load has completed: checks whether its warp can issue. */
static void complete(struct byw_warps *warps, uint16_t id, uint64_t now)
{
    struct byw_load *load = &warps->load[id];
    uint32_t w = load->warp;
    struct byw_warp *warp = &warps->warp[w];
    bool goes_on;

    take_off(warps, warp, id);
    load->next = warps->free_load;
    warps->free_load = id;
    warps->loads--;
    byw_schedule_clear(&warps->schedule, w, load->barrier);
    goes_on = (warps->on_load & bit(w)) != 0 &&
              (load->need <= warp->index || load->barrier < BYW_MACHINE_BARRIERS) &&
              !waits_for_load(warps, w, warp);
    if (warps->stalls != NULL)
        byw_stalls_let_go(warps->stalls, id, w, goes_on, now);
    if (goes_on) {
        byw_prefetch(warp->inst + 1);
        warps->on_load &= ~bit(w);
        judge(warps, w, now, now);
    }
    check_drained(warps, w);
}

/* Cycles until the data of all earlier answers are usable. */
static int32_t cycles_left(const struct byw_load *load, uint64_t now)
{
    return (int32_t)(load->usable - (uint32_t)now);
}

static void set_timer(struct byw_warps *warps, uint16_t id, uint64_t now)
{
    int32_t left = cycles_left(&warps->load[id], now);

    byw_warps_load_after(warps, id, now, left < BYW_WHEEL ? (uint32_t)left : BYW_WHEEL - 1U);
}

void byw_warps_turn(struct byw_warps *warps, uint64_t now)
{
    uint32_t place = (uint32_t)(now % BYW_WHEEL);
    uint64_t *turning = &warps->turning[place / 64], due, far;

    if ((*turning >> place % 64 & 1) == 0)
        return;
    *turning &= ~((uint64_t)1 << place % 64);
    due = warps->wheel[place];
    far = due & warps->far;
    warps->wheel[place] = 0;
    warps->far &= ~far;
    /* Nothing that holds a warp back is added while it is in the wheel; only its own issue could.
     * So a warp whose time was within reach is ready without another check. */
    warps->ready |= due & ~far;
    for (; far != 0; far &= far - 1)
        judge(warps, (uint32_t)__builtin_ctzll(far), now, now);
    while (warps->load_timer[place] != BYW_NO_LOAD) {
        uint16_t id = warps->load_timer[place];

        warps->load_timer[place] = warps->load[id].timer;
        if (cycles_left(&warps->load[id], now) > 0) /* beyond the wheel's reach */
            set_timer(warps, id, now);
        else
            complete(warps, id, now);
    }
}

uint64_t byw_warps_next(const struct byw_warps *warps, uint64_t now)
{
    enum { WORDS = BYW_WHEEL / 64 };
    uint64_t from = now + 1;

    /* The rest of the word that contains the next cycle, the other words, then the start of the
     * first word. */
    for (uint32_t i = 0; i <= WORDS; i++) {
        uint64_t word = warps->turning[from / 64 % WORDS] >> from % 64;

        if (word != 0)
            return from + (uint32_t)__builtin_ctzll(word);
        from = (from / 64 + 1) * 64;
    }
    return UINT64_MAX;
}

uint8_t byw_warps_expect(struct byw_warps *warps, uint32_t w)
{
    const struct byw_warp *warp = &warps->warp[w];
    uint32_t place = (warp->index + warp->use) % BYW_WARP_RING;

    if (warp->use == 0 || warp->use >= BYW_WARP_RING)
        return BYW_NO_PLACE;
    warps->results[w][place]++;
    return (uint8_t)place;
}

void byw_warps_result(struct byw_warps *warps, uint32_t w, uint32_t place, uint64_t now,
                      uint32_t latency)
{
    uint64_t *results = &warps->results[w][place];
    uint64_t time = later(*results >> TIME_SHIFT, now + latency), left = *results & EXPECTED;
    bool waits = (warps->on_result & bit(w)) != 0;

    if (left == 0)
        return; /* the warp was cut short and is gone */
    *results = time << TIME_SHIFT | --left;
    if (left != 0 || !waits || warps->warp[w].index % BYW_WARP_RING != place)
        return;
    warps->on_result &= ~bit(w);
    judge(warps, w, now, now + 1);
}

/* Records that the result of the warp's next instruction is available `latency` cycles after
 * now. */
static void note_result(struct byw_warps *warps, uint32_t w, uint64_t now, uint32_t latency)
{
    const struct byw_warp *warp = &warps->warp[w];
    uint64_t *results = &warps->results[w][(warp->index + warp->use) % BYW_WARP_RING];

    *results = later(*results, (now + latency) << TIME_SHIFT | (*results & EXPECTED));
}

/* --- warps of long CTAs, whose records are available only in windows ----------------------- */

/* Loads the next window; its first `left` records are the last ones of the old window.  *more:
 * further windows exist. */
static void load_window(struct byw_warps *warps, struct byw_warp_window *window, uint32_t left,
                        bool *more)
{
    struct byw_diag diag;
    enum byw_status st =
        byw_windows_next(window->from, window->number, left, &window->cta, more, &diag);

    if (st != BYW_OK && warps->status == BYW_OK) {
        warps->status = st;
        warps->diag = diag;
    }
}

/* Loads the next window of warp w; the current record stays the next one. */
static void take_window(struct byw_warps *warps, uint32_t w)
{
    struct byw_warp_window *window = &warps->window[w];
    struct byw_warp *warp = &warps->warp[w];
    bool more = true;

    /* A window may be shorter than the required number of records. */
    while (more && warp->records <= BYW_WINDOW_REST) {
        load_window(warps, window, warp->records, &more);
        warp->records = window->cta.inst_count;
    }
    warp->inst = window->cta.inst;
    warp->low = more ? BYW_WINDOW_REST : 0;
}

void byw_warps_place_windowed(struct byw_warps *warps, uint32_t slot, const struct byw_cta *whole,
                              uint32_t number, uint32_t cta_slot)
{
    static const struct byw_cta none = {.inst = NULL};
    struct byw_warp_trace trace = {.first = 0};
    const struct byw_cta *cta = &none;
    bool more = false;

    if (warps->window == NULL)
        warps->window = calloc(BYW_WARP_SLOTS, sizeof(*warps->window));
    if (warps->window == NULL) {
        warps->status = byw_no_memory(&warps->diag, "a long CTA");
    } else {
        struct byw_warp_window *window = &warps->window[slot];

        window->from = whole->windows;
        window->number = number;
        load_window(warps, window, 0, &more);
        window->cta.machine = whole->machine;
        trace.count = window->cta.inst_count;
        cta = &window->cta;
    }
    byw_warps_place(warps, slot, cta, &trace, cta_slot);
    warps->warp[slot].windowed = true;
    warps->warp[slot].low = more && trace.count > BYW_WINDOW_REST ? BYW_WINDOW_REST : 0;
    if (more && trace.count <= BYW_WINDOW_REST)
        take_window(warps, slot);
}

void byw_warps_release_windows(struct byw_warps *warps)
{
    for (uint32_t w = 0; warps->window != NULL && w < BYW_WARP_SLOTS; w++)
        byw_cta_release(&warps->window[w].cta);
    free(warps->window);
    warps->window = NULL;
}

/* --- issue --------------------------------------------------------------------------------- */

/* Machine code: the next instruction of w waits for the stall count of this one. */
static void stall(struct byw_warps *warps, uint32_t w, uint64_t now)
{
    uint32_t place = (warps->warp[w].index + 1) % BYW_WARP_RING;

    warps->results[w][place] = (now + byw_schedule_stall(byw_warps_next_inst(warps, w)))
                               << TIME_SHIFT;
}

static bool is_jump(uint8_t op)
{
    return op == BYW_MACHINE_BRANCH || op == BYW_MACHINE_CALL || op == BYW_MACHINE_RETURN;
}

/* Machine code: warp w, now at its next instruction, has issued `last` at byte address `from`.  A
 * taken branch, a call that is followed and a return cost more than their stall counts. */
static void arrive(struct byw_warps *warps, uint32_t w, const struct byw_machine_inst *last,
                   uint32_t from)
{
    const struct byw_warp *warp = &warps->warp[w];

    if (is_jump(last->op) && warp->pc != from + BYW_MACHINE_INST_BYTES)
        warps->results[w][warp->index % BYW_WARP_RING] += (uint64_t)warps->schedule.taken
                                                          << TIME_SHIFT;
}

/* Warp w has issued `last`: notes the waits before its next instruction that the schedule fixes. */
static void note_next(struct byw_warps *warps, uint32_t w, const struct byw_machine_inst *last,
                      uint64_t now)
{
    const struct byw_warp *warp = &warps->warp[w];
    uint64_t results = warps->results[w][warp->index % BYW_WARP_RING];

    byw_stalls_next(warps->stalls, w, warp->pc / BYW_MACHINE_INST_BYTES + warp->run);
    byw_stalls_until(warps->stalls, w, BYW_STALL_SCHEDULE, now + byw_schedule_stall(last));
    byw_stalls_until(warps->stalls, w, BYW_STALL_BRANCH, results >> TIME_SHIFT);
}

/* Allocates a load's entry at the end of its warp's list. */
static struct byw_load *new_load(struct byw_warps *warps, uint32_t w, uint64_t now, uint16_t *id)
{
    struct byw_warp *warp = &warps->warp[w];
    struct byw_load *load;

    *id = warps->free_load;
    if (*id == BYW_NO_LOAD)
        *id = warps->fresh_loads++;
    load = &warps->load[*id];
    if (*id == warps->free_load)
        warps->free_load = load->next;
    warps->loads++;
    load->warp = (uint8_t)w;
    load->remaining = 0;
    load->usable = (uint32_t)now;
    load->need = BYW_NO_INDEX;
    load->barrier = BYW_MACHINE_NO_BARRIER;
    load->next = BYW_NO_LOAD;
    warps->story[*id] = (struct byw_load_story){.issued = now, .pc = warp->pc};
    if (warp->load == BYW_NO_LOAD)
        warp->load = *id;
    else
        warps->load[warp->last_load].next = *id;
    warp->last_load = *id;
    return load;
}

void byw_warps_hold_barrier(struct byw_warps *warps, uint32_t w, uint32_t barrier,
                            enum byw_holder what, uint64_t now, uint32_t cycles)
{
    struct byw_load *load;
    uint16_t id;

    if (barrier >= BYW_MACHINE_BARRIERS)
        return;
    load = new_load(warps, w, now, &id);
    load->barrier = (uint8_t)barrier;
    load->usable = (uint32_t)now + cycles;
    if (warps->stalls != NULL)
        byw_stalls_hold(warps->stalls, id, w, what, now);
    byw_schedule_hold(&warps->schedule, w, barrier);
    set_timer(warps, id, now);
}

void byw_warps_issue(struct byw_warps *warps, uint32_t w, uint64_t now, uint32_t latency)
{
    struct byw_warp *warp = &warps->warp[w];
    const struct byw_machine_inst *last = NULL;
    uint32_t from = warp->pc + warp->run * BYW_MACHINE_INST_BYTES;

    warps->results[w][warp->index % BYW_WARP_RING] = 0;
    if (byw_warps_machine(warps, w)) {
        last = byw_warps_next_inst(warps, w);
        stall(warps, w, now);
    }
    if (last == NULL && latency > 1 && warp->use != 0 && warp->use < BYW_WARP_RING)
        note_result(warps, w, now, latency);
    warp->index++;
    warps->ready &= ~bit(w);
    if (!byw_warps_machine(warps, w)) /* straight code is fetched ahead */
        warps->buffered &= ~((uint64_t)(--warp->buffered == 0) << w);
    if (++warp->run != warp->count) {
        if (byw_warps_machine(warps, w))
            byw_schedule_next(&warps->schedule, w, byw_warps_next_inst(warps, w), false);
    } else {
        warp->inst++;
        if (--warp->records == warp->low) {
            if (warp->low != 0)
                take_window(warps, w);
            if (warp->records == 0) {
                end(warps, w);
                return;
            }
        }
        take_record(warps, w);
        if (last != NULL)
            arrive(warps, w, last, from);
    }
    if (last != NULL && warps->stalls != NULL)
        note_next(warps, w, last, now);
    judge(warps, w, now, now + 1);
}

/* The record of the instruction `distance` after the first one of `inst`; NULL: not before `end`.
 */
static const struct byw_inst *inst_at(const struct byw_inst *inst, const struct byw_inst *end,
                                      uint32_t distance)
{
    for (; inst < end && distance >= inst->count; inst++)
        distance -= inst->count;
    return inst < end ? inst : NULL;
}

static bool is_float(const struct byw_inst *inst)
{
    return inst != NULL && (inst->cls == BYW_CLASS_FP || inst->cls == BYW_CLASS_DP);
}

/* Whether a float instruction uses the result of the warp's next one, a load, and its own result is
 * not compared or converted. */
static bool computes(const struct byw_warp *warp, uint32_t use)
{
    const struct byw_inst *end = warp->inst + warp->records, *at = inst_at(warp->inst, end, use);

    if (!is_float(at) || at->count != 1)
        return is_float(at);
    return at->use == 0 || is_float(inst_at(at, end, at->use));
}

/* Distance from instruction `use` to the one after the last load in its straight code, at most
 * `most`; 0: there is no load. */
static uint32_t past_loads(const struct byw_warp *warp, uint32_t use, uint32_t most)
{
    const struct byw_inst *end = warp->inst + warp->records;
    uint32_t last = 0;

    for (uint32_t i = 1; i < most; i++) {
        const struct byw_inst *at = inst_at(warp->inst, end, use + i);

        if (at == NULL || at->cls == BYW_CLASS_BARRIER || at->cls == BYW_CLASS_BRANCH)
            break;
        if (at->cls == BYW_CLASS_LOAD)
            last = i + 1;
    }
    return last;
}

/* Whether the warp's next instruction is a load whose result is only added, by integer
 * instructions, to a sum that the next iteration of the loop uses again. A result used as an
 * address or condition is needed at once. */
static bool accumulates(const struct byw_warp *warp, uint32_t use)
{
    enum { LONGEST = 4 }; /* instructions from a load to the sum, and one more */
    const struct byw_inst *inst = warp->inst, *end = inst + warp->records;
    uint32_t pc[LONGEST], in = use; /* in: distance from the first instruction of `inst` */

    for (uint32_t i = 0; i < LONGEST; i++) {
        for (; inst < end && in >= inst->count; inst++)
            in -= inst->count;
        if (inst >= end || inst->cls != BYW_CLASS_INT)
            return false;
        pc[i] = inst->pc + in * BYW_INST_BYTES;
        for (uint32_t j = 0; j < i; j++)
            if (pc[j] == pc[i])
                return true;
        if (inst->use == 0)
            return false;
        in += inst->use;
    }
    return false;
}

/* Whether the assembler moves loads across an instruction: not across stores, which may change what
 * is loaded, nor out of straight code. */
static bool is_plain(const struct byw_inst *inst)
{
    return inst->cls < BYW_CLASS_BRANCH || inst->cls == BYW_CLASS_CONST_LOAD ||
           inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_LOAD;
}

/* Instructions that a loop of straight code issues between a load and its use when the assembler
 * has unrolled it: a body per further iteration, at most `most`.  0: the warp's next instruction is
 * in no such loop. */
static uint32_t unrolled(const struct byw_warp *warp, uint32_t most)
{
    enum { UNROLLED = 2 };
    const struct byw_inst *inst = warp->inst, *end = inst + warp->records;
    uint32_t body = 0;

    for (; inst < end && is_plain(inst); inst++)
        body += inst->count;
    if (inst >= end || inst->cls != BYW_CLASS_BRANCH || ++inst >= end || inst->pc > warp->pc)
        return 0;
    for (body++; inst < end && inst->pc != warp->pc && is_plain(inst); inst++)
        body += inst->count;
    if (inst >= end || inst->pc != warp->pc)
        return 0;
    return body * (UNROLLED - 1) < most ? body * (UNROLLED - 1) : most;
}

/* Instructions by which the assembler moves the first use of a load further down (sm.load_slack);
 * the load is the warp's next instruction. In straight code the assembler also moves loads above a
 * scratchpad store of earlier loads' data. */
static uint32_t slack_of(const struct byw_warps *warps, const struct byw_warp *warp)
{
    const struct byw_inst *at;

    if (warps->slack == 0 || warp->use == 0 || warp->cls == BYW_CLASS_ATOMIC)
        return 0;
    if (computes(warp, warp->use))
        return warps->slack;
    at = inst_at(warp->inst, warp->inst + warp->records, warp->use);
    if (accumulates(warp, warp->use))
        return unrolled(warp, warps->slack);
    if (at == NULL || at->cls != BYW_CLASS_SHARED_STORE || warp->cls != BYW_CLASS_LOAD)
        return 0;
    return past_loads(warp, warp->use, warps->slack);
}

uint16_t byw_warps_load(struct byw_warps *warps, uint32_t w, uint64_t now)
{
    struct byw_warp *warp = &warps->warp[w];
    struct byw_load *load;
    uint32_t use;
    uint16_t id;

    load = new_load(warps, w, now, &id);
    if (byw_warps_machine(warps, w)) {
        load->barrier = byw_warps_next_inst(warps, w)->write_barrier;
        if (warps->stalls != NULL)
            byw_stalls_hold(warps->stalls, id, w, BYW_HOLDS_RESULT, now);
        byw_schedule_hold(&warps->schedule, w, load->barrier);
        return id;
    }
    use = warp->use + slack_of(warps, warp);
    if (use != 0)
        load->need = warp->index + use;
    if (load->need < warp->need)
        warp->need = load->need;
    return id;
}

bool byw_warps_load_answer(struct byw_warps *warps, uint16_t id, uint64_t now, uint32_t extra)
{
    struct byw_load *load = &warps->load[id];
    int32_t left = cycles_left(load, now);

    if (left < (int32_t)extra) {
        load->usable = (uint32_t)now + extra;
        left = (int32_t)extra;
    }
    if (--load->remaining != 0)
        return false;
    if (left > 0) {
        byw_warps_prefetch(warps, load->warp); /* the warp may issue then */
        byw_warps_load_after(warps, id, now, (uint32_t)left);
    } else {
        complete(warps, id, now);
    }
    return true;
}

void byw_warps_load_after(struct byw_warps *warps, uint16_t id, uint64_t now, uint32_t cycles)
{
    uint32_t place = mark(warps, now + cycles);

    warps->load[id].timer = warps->load_timer[place];
    warps->load_timer[place] = id;
}

void byw_warps_store_answer(struct byw_warps *warps, uint32_t w)
{
    warps->warp[w].stores--;
    check_drained(warps, w);
}

void byw_warps_release(struct byw_warps *warps, uint64_t set, uint64_t now, uint64_t until)
{
    warps->barrier &= ~set;
    while (set != 0) {
        uint32_t w = (uint32_t)__builtin_ctzll(set);
        uint64_t *results = &warps->results[w][warps->warp[w].index % BYW_WARP_RING];

        set &= set - 1;
        *results = later(*results, until << TIME_SHIFT | (*results & EXPECTED));
        if (warps->stalls != NULL)
            byw_stalls_until(warps->stalls, w, BYW_STALL_BARRIER, until);
        judge(warps, w, now, now + 1);
    }
}
