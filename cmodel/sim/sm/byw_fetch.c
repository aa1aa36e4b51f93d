/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_fetch.h"

#include <stdlib.h>
#include <string.h>

enum {
    INST_BYTES = BYW_INST_BYTES,
    SASS_BYTES = 16 /* bytes of an instruction in Accel-Sim traces */
};

enum byw_status byw_fetch_init(struct byw_fetch *fetch, const struct byw_config *config)
{
    size_t n = (size_t)config->icache_sets * config->icache_ways;

    memset(fetch, 0, sizeof(*fetch));
    fetch->modelled = config->icache_on != 0;
    fetch->sets = config->icache_sets;
    fetch->ways = config->icache_ways;
    fetch->shift = (uint32_t)__builtin_ctz(config->icache_line);
    fetch->insts = config->sm_fetch_insts;
    fetch->behind = config->icache_behind != 0;
    fetch->merges = config->icache_merges != 0 ? config->icache_merges : BYW_WARP_SLOTS;
    fetch->in_order = config->icache_merges != 0;
    fetch->decoding = BYW_WARP_SLOTS;
    fetch->place = calloc(n, sizeof(*fetch->place));
    return fetch->place == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_fetch_release(struct byw_fetch *fetch)
{
    free(fetch->place);
}

static bool lookup(struct byw_fetch *fetch, struct byw_warp *warp, uint64_t line)
{
    uint32_t base;

    if (fetch->place[warp->fetched].tag == line + 1) { /* the usual case */
        fetch->place[warp->fetched].used = ++fetch->clock;
        return true;
    }
    base = (uint32_t)(line % fetch->sets) * fetch->ways;
    for (uint32_t i = base; i < base + fetch->ways; i++) {
        if (fetch->place[i].tag == line + 1) {
            fetch->place[i].used = ++fetch->clock;
            warp->fetched = i;
            return true;
        }
    }
    return false;
}

/* Registers warp w's wait for a line.  If there is no free entry, the warp asks again later. */
static void miss(struct byw_fetch *fetch, uint32_t w, uint64_t line)
{
    int place = -1;

    for (int i = 0; i < BYW_ICACHE_PENDING; i++) {
        if (fetch->pending[i].used && fetch->pending[i].line == line) {
            place = i;
            break;
        }
        if (!fetch->pending[i].used)
            place = i;
    }
    if (place < 0 || (fetch->pending[place].used && fetch->pending[place].held == fetch->merges))
        return;
    if (!fetch->pending[place].used) {
        fetch->pending[place].used = true;
        fetch->pending[place].sent = false;
        fetch->pending[place].line = line;
        fetch->pending[place].warps = 0;
        fetch->pending[place].held = 0;
        fetch->misses++;
        fetch->unsent++;
    }
    fetch->pending[place].warps |= (uint64_t)1 << w;
    fetch->pending[place].fetch[fetch->pending[place].held++] = (uint8_t)w;
    fetch->waiting |= (uint64_t)1 << w;
}

/* Instructions that a fetch can deliver to this warp: up to `insts`, but no more than it has
 * left. */
static uint32_t available(const struct byw_warp *warp, uint32_t insts)
{
    uint32_t n = warp->count - warp->run;

    if (n + warp->records > insts) /* every later record has at least one */
        return insts;
    for (uint32_t i = 1; n < insts && i < warp->records; i++)
        n += warp->inst[i].count;
    return (n < insts) ? n : insts;
}

static uint64_t hungry(const struct byw_fetch *fetch, const struct byw_warps *warps)
{
    uint64_t decoding = (fetch->decoding < BYW_WARP_SLOTS) ? (uint64_t)1 << fetch->decoding : 0;

    return warps->live & ~warps->ended & ~warps->buffered & ~fetch->waiting & ~decoding;
}

static uint64_t address(const struct byw_fetch *fetch, const struct byw_warp *warp)
{
    return fetch->code + warp->pc + (uint64_t)warp->run * INST_BYTES;
}

void byw_fetch_passed(struct byw_fetch *fetch, uint32_t w, const struct byw_warp *warp)
{
    uint64_t goes_on = -(uint64_t)(warp->cls != BYW_CLASS_EXIT);

    fetch->follows[w] = (address(fetch, warp) + SASS_BYTES) & goes_on;
}

/* The first warp whose fetched line has arrived; BYW_WARP_SLOTS: none. */
static uint32_t serve(struct byw_fetch *fetch, const struct byw_warps *warps)
{
    while (fetch->served != fetch->filled) {
        uint32_t w = fetch->ring[fetch->served++ % BYW_WARP_SLOTS];

        fetch->waiting &= ~((uint64_t)1 << w);
        if ((hungry(fetch, warps) >> w & 1) != 0) /* skips a warp that was cut short */
            return w;
    }
    return BYW_WARP_SLOTS;
}

void byw_fetch_step(struct byw_fetch *fetch, struct byw_warps *warps)
{
    uint64_t want, behind;
    uint32_t w;

    if (fetch->decoding < BYW_WARP_SLOTS) {
        struct byw_warp *warp = &warps->warp[fetch->decoding];

        warp->buffered = (uint8_t)available(warp, fetch->insts);
        warps->buffered |= (uint64_t)1 << fetch->decoding;
        fetch->decoding = BYW_WARP_SLOTS;
    }
    fetch->decoding = serve(fetch, warps);
    want = hungry(fetch, warps);
    if (fetch->decoding < BYW_WARP_SLOTS || want == 0)
        return;
    behind = (fetch->last < 63) ? want & (~(uint64_t)0 << (fetch->last + 1)) : 0;
    w = (uint32_t)__builtin_ctzll(behind != 0 ? behind : want);
    fetch->last = w;
    if (fetch->modelled) {
        uint64_t follows = fetch->behind ? fetch->follows[w] : 0;
        uint64_t line = (follows != 0 ? follows : address(fetch, &warps->warp[w])) >> fetch->shift;

        if (!lookup(fetch, &warps->warp[w], line)) {
            miss(fetch, w, line);
            return;
        }
    }
    fetch->decoding = w;
    byw_warps_prefetch(warps, w);
}

bool byw_fetch_asleep(const struct byw_fetch *fetch, const struct byw_warps *warps)
{
    return fetch->decoding == BYW_WARP_SLOTS && fetch->served == fetch->filled &&
           hungry(fetch, warps) == 0;
}

uint32_t byw_fetch_line(const struct byw_fetch *fetch, uint64_t *addr)
{
    uint32_t i = 0;

    while (!fetch->pending[i].used || fetch->pending[i].sent)
        i++;
    *addr = fetch->pending[i].line << fetch->shift;
    return i;
}

void byw_fetch_sent(struct byw_fetch *fetch, uint32_t number)
{
    fetch->pending[number].sent = true;
    fetch->unsent--;
}

void byw_fetch_fill(struct byw_fetch *fetch, uint32_t number)
{
    uint64_t line = fetch->pending[number].line;
    size_t base = (size_t)(line % fetch->sets) * fetch->ways, victim = base;

    for (uint32_t i = 0; i < fetch->ways; i++) {
        if (fetch->place[base + i].used < fetch->place[victim].used)
            victim = base + i;
    }
    fetch->place[victim].tag = line + 1;
    fetch->place[victim].used = ++fetch->clock;
    fetch->pending[number].used = false;
    if (!fetch->in_order) {
        fetch->waiting &= ~fetch->pending[number].warps;
        return;
    }
    for (uint32_t i = 0; i < fetch->pending[number].held; i++)
        fetch->ring[fetch->filled++ % BYW_WARP_SLOTS] = fetch->pending[number].fetch[i];
}
