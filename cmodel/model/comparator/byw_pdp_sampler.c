/* SPDX-License-Identifier: Apache-2.0 */
#include "comparator/byw_pdp_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"

enum { TAG_BITS = 16 };

static uint32_t sampled(uint32_t sets, uint32_t every)
{
    return (sets + every - 1) / every;
}

enum byw_status byw_pdp_sampler_init(struct byw_pdp_sampler *sampler, uint32_t sets, uint32_t every,
                                     uint32_t ways)
{
    *sampler = (struct byw_pdp_sampler){
        .set_bits = byw_clog2(sets), .every = every, .ways = ways, .fifos = sampled(sets, every)};
    sampler->fifo = calloc(sampler->fifos, sizeof(*sampler->fifo));
    return sampler->fifo == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_pdp_sampler_release(struct byw_pdp_sampler *sampler)
{
    free(sampler->fifo);
    sampler->fifo = NULL;
}

void byw_pdp_sampler_clear(struct byw_pdp_sampler *sampler)
{
    byw_pdp_sampler_forget_lines(sampler);
    byw_pdp_sampler_restart(sampler);
}

void byw_pdp_sampler_forget_lines(struct byw_pdp_sampler *sampler)
{
    memset(sampler->fifo, 0, sampler->fifos * sizeof(*sampler->fifo));
}

void byw_pdp_sampler_restart(struct byw_pdp_sampler *sampler)
{
    memset(sampler->count, 0, sizeof(sampler->count));
    sampler->entered = 0;
    sampler->full = false;
}

static void count_distance(struct byw_pdp_sampler *s, uint32_t distance)
{
    uint32_t range = (distance - 1) / BYW_PDP_RANGE;

    if (s->full)
        return;
    s->count[range]++;
    s->full = s->count[range] == UINT16_MAX;
}

static void enter(struct byw_pdp_sampler *s, struct byw_pdp_fifo *f, uint16_t tag)
{
    memmove(f->tag + 1, f->tag, sizeof(f->tag) - sizeof(f->tag[0]));
    f->tag[0] = tag;
    f->valid = f->valid << 1 | 1;
    f->since = 0;
    s->entered += !s->full;
}

void byw_pdp_sampler_load(struct byw_pdp_sampler *sampler, uint32_t set, uint64_t line)
{
    uint16_t tag = (uint16_t)(line >> sampler->set_bits);
    struct byw_pdp_fifo *f;
    uint32_t n;

    if (set % sampler->every != 0)
        return;
    f = &sampler->fifo[set / sampler->every];
    f->since++;
    for (n = 0; n < BYW_PDP_ENTRIES; n++)
        if ((f->valid >> n & 1) != 0 && f->tag[n] == tag)
            break;
    if (n < BYW_PDP_ENTRIES) {
        count_distance(sampler, n * BYW_PDP_INTERVAL + f->since);
        f->valid &= ~(UINT32_C(1) << n);
    }
    if (f->since == BYW_PDP_INTERVAL)
        enter(sampler, f, tag);
}

/* E(d) estimates the hits per load and way if lines were protected for d loads. It is the number of
 * lines reused within d, divided by the loads during which the lines occupy a way: until their
 * reuse if that is within d, else for d plus the time to evict a line. */
uint32_t byw_pdp_sampler_best(const struct byw_pdp_sampler *sampler)
{
    uint64_t hits = 0, until = 0, best_hits = 0, best_time = 1;
    uint32_t best = 0;

    for (uint32_t i = 0; i < BYW_PDP_RANGES; i++) {
        uint32_t d = (i + 1) * BYW_PDP_RANGE;
        uint64_t time;

        hits += sampler->count[i];
        until += (uint64_t)sampler->count[i] * d;
        time = until;
        if (sampler->entered > hits)
            time += (sampler->entered - hits) * (d + sampler->ways);
        if (hits * best_time > best_hits * time) {
            best = d;
            best_hits = hits;
            best_time = time;
        }
    }
    return best;
}

uint64_t byw_pdp_sampler_bits(uint32_t sets, uint32_t every)
{
    uint64_t fifo = BYW_PDP_ENTRIES * (TAG_BITS + 1) + byw_clog2(BYW_PDP_INTERVAL);

    return sampled(sets, every) * fifo + BYW_PDP_RANGES * 16 + 32;
}
