/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_ccws.h"

#include <stdlib.h>
#include <string.h>

enum byw_status byw_ccws_init(struct byw_ccws *ccws, const struct byw_config *config)
{
    memset(ccws, 0, sizeof(*ccws));
    ccws->sets = config->l1d_sets;
    ccws->ways = config->l1d_ways;
    ccws->victims = config->ccws_victims;
    ccws->base = config->ccws_base;
    ccws->k = config->ccws_k;
    ccws->line = calloc((size_t)ccws->sets * ccws->ways, sizeof(*ccws->line));
    ccws->victim = calloc((size_t)BYW_WARP_SLOTS * ccws->victims, sizeof(*ccws->victim));
    return (ccws->line == NULL || ccws->victim == NULL) ? BYW_ENOMEM : BYW_OK;
}

void byw_ccws_release(struct byw_ccws *ccws)
{
    free(ccws->line);
    free(ccws->victim);
}

void byw_ccws_clear(struct byw_ccws *ccws)
{
    memset(ccws->line, 0, (size_t)ccws->sets * ccws->ways * sizeof(*ccws->line));
}

void byw_ccws_place(struct byw_ccws *ccws, uint32_t w)
{
    memset(&ccws->victim[(size_t)w * ccws->victims], 0, ccws->victims * sizeof(*ccws->victim));
    ccws->until[w] = 0;
}

/* The entry with this tag, or NULL; *oldest: the least recently used entry. */
static struct byw_ccws_line *find(struct byw_ccws_line *set, uint32_t ways, uint64_t tag,
                                  struct byw_ccws_line **oldest)
{
    *oldest = set;
    for (uint32_t i = 0; i < ways; i++) {
        if (set[i].tag == tag)
            return &set[i];
        if (set[i].used < (*oldest)->used)
            *oldest = &set[i];
    }
    return NULL;
}

static void remember(struct byw_ccws *ccws, const struct byw_ccws_line *evicted)
{
    struct byw_ccws_line *set = &ccws->victim[(size_t)evicted->owner * ccws->victims];
    struct byw_ccws_line *place, *known = find(set, ccws->victims, evicted->tag, &place);

    if (known != NULL)
        place = known;
    place->tag = evicted->tag;
    place->used = ccws->accesses;
}

/* Whether warp w lost this line earlier.  The entry is removed, because the line is being fetched
 * again. */
static bool recall(struct byw_ccws *ccws, uint32_t w, uint64_t tag)
{
    struct byw_ccws_line *oldest;
    struct byw_ccws_line *lost =
        find(&ccws->victim[(size_t)w * ccws->victims], ccws->victims, tag, &oldest);

    if (lost == NULL)
        return false;
    memset(lost, 0, sizeof(*lost));
    return true;
}

void byw_ccws_load(struct byw_ccws *ccws, uint32_t w, uint64_t line, uint64_t now,
                   uint64_t instructions, uint32_t active)
{
    struct byw_ccws_line *set = &ccws->line[(size_t)(line % ccws->sets) * ccws->ways];
    struct byw_ccws_line *oldest, *hit = find(set, ccws->ways, line + 1, &oldest);
    bool lost;

    ccws->accesses++;
    if (hit != NULL) {
        hit->used = ccws->accesses;
        return;
    }
    lost = recall(ccws, w, line + 1);
    if (oldest->tag != 0)
        remember(ccws, oldest);
    *oldest = (struct byw_ccws_line){line + 1, ccws->accesses, (uint8_t)w};
    if (lost) {
        uint64_t score = ++ccws->hits * ccws->k * ccws->base * active / (instructions + 1);

        if (score > ccws->base && now + score - ccws->base > ccws->until[w])
            ccws->until[w] = now + score - ccws->base;
        if (ccws->until[w] > ccws->quiet)
            ccws->quiet = ccws->until[w];
    }
}

uint64_t byw_ccws_score(const struct byw_ccws *ccws, uint32_t w, uint64_t now)
{
    return ccws->base + (ccws->until[w] > now ? ccws->until[w] - now : 0);
}

uint64_t byw_ccws_permitted(const struct byw_ccws *ccws, uint64_t active, uint64_t now)
{
    uint64_t cutoff = (uint64_t)ccws->base * (uint64_t)__builtin_popcountll(active);
    uint64_t permitted = 0, sum = 0;

    if (now >= ccws->quiet)
        return active;
    while (active != 0) {
        uint32_t best = (uint32_t)__builtin_ctzll(active);
        uint64_t score;

        for (uint64_t m = active & (active - 1); m != 0; m &= m - 1) {
            uint32_t w = (uint32_t)__builtin_ctzll(m);

            if (ccws->until[w] > now && ccws->until[w] > ccws->until[best])
                best = w;
        }
        score = byw_ccws_score(ccws, best, now);
        if (permitted != 0 && sum + score > cutoff)
            break;
        sum += score;
        permitted |= (uint64_t)1 << best;
        active &= ~((uint64_t)1 << best);
    }
    return permitted;
}

/* --- as a throttle ---------------------------------------------------------------------------- */

static enum byw_status create(const struct byw_config *config, void **self)
{
    struct byw_ccws *ccws = malloc(sizeof(*ccws));

    if (ccws == NULL)
        return BYW_ENOMEM;
    if (byw_ccws_init(ccws, config) != BYW_OK) {
        byw_ccws_release(ccws);
        free(ccws);
        return BYW_ENOMEM;
    }
    *self = ccws;
    return BYW_OK;
}

static void release(void *self)
{
    byw_ccws_release(self);
    free(self);
}

static void launch(void *self)
{
    byw_ccws_clear(self);
}

static void place(void *self, uint32_t w)
{
    byw_ccws_place(self, w);
}

static void loaded(void *self, const struct byw_throttle_load *load, uint64_t now)
{
    byw_ccws_load(self, load->warp, load->line, now, load->instructions, load->active);
}

static uint64_t loads(const void *self, uint64_t active, uint64_t now)
{
    return byw_ccws_permitted(self, active, now);
}

static uint64_t quiet(const void *self)
{
    return ((const struct byw_ccws *)self)->quiet;
}

const struct byw_throttle_ops byw_throttle_ccws = {
    .name = "ccws",
    .paper = "cache-conscious wavefront scheduling, MICRO 2012, compared in paper 000",
    .create = create,
    .release = release,
    .launch = launch,
    .place = place,
    .loaded = loaded,
    .loads = loads,
    .quiet = quiet,
};
