/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_paths.h"

#include <stdlib.h>
#include <string.h>

#include "capture/path/byw_cl_walk.h"
#include "common/byw_array.h"
#include "common/byw_index.h"

#define PRIME ((1ull << 61) - 1)
#define FACTOR 0x0b5ad4eceda1ce2aull
#define BITS_MOST (256u << 20) /* bytes of remembered paths */

/* A sequence of parts, known by its hash modulo PRIME and its length. */
struct known {
    uint64_t hash;
    uint32_t steps;
    uint32_t bits;
    uint64_t first; /* index of the first byte of its path */
    uint8_t why; /* BYW_PATH_KNOWN: it has a path */
    uint32_t in_cta; /* 1 + number of the path in the CTA; valid for CTA number `cta` */
    uint64_t cta;
};

struct byw_cl_paths {
    const struct byw_cl_code *code;
    uint32_t identity; /* of the code: another program may be loaded at its address */
    const struct byw_cl_part *part;
    const uint32_t *mark; /* of the parts */
    struct byw_cl_anchors anchors;
    struct byw_cl_walker *walker;
    struct byw_machine machine;
    uint32_t *piece_of; /* per entry of mark: the PTX block */
    struct known *known;
    uint32_t count;
    size_t room;
    struct byw_index index;
    uint8_t *bit;
    uint64_t bits;
    size_t bit_room;
    uint64_t ctas; /* begun */
    uint32_t *piece; /* sequence being searched */
    size_t piece_room;
    struct byw_cl_slow *slow; /* slow paths taken in this sequence */
    size_t slows, slow_room;
    uint32_t *ran; /* per PTX block: its executions in the sequence so far */
    struct byw_cl_walk walk;
};

static uint32_t find_mark(const uint32_t *list, uint32_t count, uint32_t mark)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (list[middle] < mark)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == mark ? low : BYW_CL_NOWHERE;
}

static enum byw_status prepare(struct byw_cl_paths *p, const struct byw_cl_machine *m)
{
    const struct byw_cl_code *code = p->code;
    const uint32_t *known = byw_cl_code_at(code, m->known_at);
    uint32_t marks = 0;
    enum byw_status status;

    p->machine = (struct byw_machine){.arch = m->arch,
                                      .registers = m->registers,
                                      .unknown = m->unknown,
                                      .count = m->count,
                                      .inst = byw_cl_code_at(code, m->inst_at)};
    for (uint32_t i = 0; i < code->parts; i++)
        if (p->part[i].first_mark + p->part[i].marks > marks)
            marks = p->part[i].first_mark + p->part[i].marks;
    status = byw_cl_anchors_find(&p->anchors, &p->machine, known, m->known);
    if (status != BYW_OK)
        return status;
    p->walker = byw_cl_walker_create(&p->anchors);
    p->piece_of = calloc(marks + 1u, sizeof(*p->piece_of));
    p->ran = calloc(m->known + 1u, sizeof(*p->ran));
    if (p->walker == NULL || p->piece_of == NULL || p->ran == NULL)
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < marks; i++) /* a slow path belongs to the block of its instruction */
        p->piece_of[i] = BYW_CL_MARK_WAY(p->mark[i]) != 0
                             ? byw_cl_piece_at(known, m->known, BYW_CL_MARK_NUMBER(p->mark[i]))
                             : find_mark(known, m->known, p->mark[i]);
    return BYW_OK;
}

struct byw_cl_paths *byw_cl_paths_create(const struct byw_cl_code *code)
{
    struct byw_cl_paths *p = code->machine_at == 0 ? NULL : calloc(1, sizeof(*p));

    if (p == NULL)
        return NULL;
    p->code = code;
    p->identity = code->identity;
    p->part = byw_cl_code_at(code, code->part_at);
    p->mark = byw_cl_code_at(code, code->mark_at);
    if (prepare(p, byw_cl_code_at(code, code->machine_at)) == BYW_OK)
        return p;
    byw_cl_paths_free(p);
    return NULL;
}

void byw_cl_paths_free(struct byw_cl_paths *p)
{
    if (p == NULL)
        return;
    byw_cl_anchors_release(&p->anchors);
    byw_cl_walker_free(p->walker);
    byw_index_release(&p->index);
    free(p->piece_of);
    free(p->known);
    free(p->bit);
    free(p->piece);
    free(p->slow);
    free(p->ran);
    free(p->walk.bit);
    free(p);
}

bool byw_cl_paths_are_of(const struct byw_cl_paths *p, const struct byw_cl_code *code)
{
    return code == p->code && code->identity == p->identity;
}

__extension__ typedef unsigned __int128 wide;

static uint64_t multiply(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);

    return sum >= PRIME ? sum - PRIME : sum;
}

/* Adds what a mark says to the sequence; pieces have room. */
static bool add_mark(struct byw_cl_paths *p, uint32_t mark, uint32_t *count)
{
    uint32_t piece = p->piece_of[mark], way = BYW_CL_MARK_WAY(p->mark[mark]);

    if (piece == BYW_CL_NOWHERE || (way != 0 && p->ran[piece] == 0))
        return true;
    if (way == 0) {
        p->piece[(*count)++] = piece;
        p->ran[piece]++;
        return true;
    }
    if (!BYW_ARRAY_ROOM(p->slow, p->slow_room, p->slows + 1))
        return false;
    p->slow[p->slows++] = (struct byw_cl_slow){
        .number = BYW_CL_MARK_NUMBER(p->mark[mark]), .turn = p->ran[piece] - 1, .way = way};
    return true;
}

/* The sequence of one lane, as PTX blocks. */
static bool collect(struct byw_cl_paths *p, const struct byw_cl_steps *s, uint32_t lane,
                    uint32_t *count)
{
    *count = 0;
    p->slows = 0;
    memset(p->ran, 0, p->anchors.pieces * sizeof(*p->ran));
    for (uint32_t t = 0; t < s->turns; t++) {
        uint32_t end = t + 1 < s->turns ? s->turn[t + 1].step : s->count;

        if (!(s->turn[t].mask >> lane & 1))
            continue;
        for (uint32_t i = s->turn[t].step; i < end; i++) {
            const struct byw_cl_part *part = &p->part[s->part[i]];

            if (!BYW_ARRAY_ROOM(p->piece, p->piece_room, (size_t)*count + part->marks))
                return false;
            for (uint32_t k = 0; k < part->marks; k++)
                if (!add_mark(p, part->first_mark + k, count))
                    return false;
        }
    }
    return true;
}

static enum byw_status search(struct byw_cl_paths *p, const struct byw_cl_steps *s, uint32_t lane,
                              struct known *known)
{
    enum byw_path_why why = BYW_PATH_KNOWN;
    uint32_t count, bytes;
    enum byw_status status;

    if (!collect(p, s, lane, &count))
        return BYW_ENOMEM;
    byw_cl_slow_sort(p->slow, p->slows);
    byw_cl_walk_slow(p->walker, p->slow, p->slows);
    status = byw_cl_walk(p->walker, p->piece, count, &p->walk, &why);
    bytes = p->walk.bits / 8 + (p->walk.bits % 8 != 0);
    known->why = (uint8_t)why;
    if (status == BYW_OK && p->bits + bytes > BITS_MOST)
        known->why = BYW_PATH_MANY;
    if (known->why != BYW_PATH_KNOWN)
        return BYW_OK;
    if (!BYW_ARRAY_ROOM(p->bit, p->bit_room, p->bits + bytes + 1))
        return BYW_ENOMEM;
    if (bytes != 0)
        memcpy(p->bit + p->bits, p->walk.bit, bytes);
    known->first = p->bits;
    known->bits = p->walk.bits;
    p->bits += bytes;
    return BYW_OK;
}

/* The entry for a sequence; NULL: out of memory. */
static struct known *look_up(struct byw_cl_paths *p, const struct byw_cl_steps *s, uint32_t lane,
                             uint64_t hash, uint32_t steps)
{
    uint32_t short_hash = (uint32_t)(hash ^ hash >> 32), n;
    struct known *known;

    for (uint32_t at = 0; (n = byw_index_next(&p->index, short_hash, &at)) != BYW_INDEX_END;)
        if (p->known[n].hash == hash && p->known[n].steps == steps)
            return &p->known[n];
    if (!BYW_ARRAY_ROOM(p->known, p->room, p->count + 1u) ||
        !byw_index_add(&p->index, short_hash, p->count))
        return NULL;
    known = &p->known[p->count++];
    *known = (struct known){.hash = hash, .steps = steps};
    return search(p, s, lane, known) == BYW_OK ? known : NULL;
}

/* Hash and length of each lane's sequence: a sum over runs of steps with the same lanes. */
static void hash_lanes(const struct byw_cl_steps *s, uint64_t *hash, uint32_t *steps)
{
    memset(hash, 0, BYW_CL_LANES * sizeof(*hash));
    memset(steps, 0, BYW_CL_LANES * sizeof(*steps));
    for (uint32_t t = 0; t < s->turns; t++) {
        uint32_t end = t + 1 < s->turns ? s->turn[t + 1].step : s->count;
        uint64_t run = 0, power = 1;

        for (uint32_t i = s->turn[t].step; i < end; i++) {
            run = (multiply(run, FACTOR) + s->part[i] + 1) % PRIME;
            power = multiply(power, FACTOR);
        }
        for (uint64_t mask = s->turn[t].mask; mask != 0; mask &= mask - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(mask);

            hash[lane] = (multiply(hash[lane], power) + run) % PRIME;
            steps[lane] += end - s->turn[t].step;
        }
    }
}

/* The path's number in the CTA. */
static bool place(struct byw_cl_paths *p, struct known *known, struct byw_cta *cta, uint64_t number)
{
    if (known->cta == number)
        return true;
    if (!byw_cta_add_path(cta, p->bit + known->first, known->bits))
        return false;
    known->cta = number;
    known->in_cta = cta->path_count - 1;
    return true;
}

enum byw_status byw_cl_paths_add(struct byw_cl_paths *p, const struct byw_cl_warp *warp,
                                 struct byw_cta *cta, uint64_t number)
{
    const struct byw_cl_steps *s = &warp->steps;
    uint64_t hash[BYW_CL_LANES], all = 0, mask[BYW_CL_LANES];
    uint32_t steps[BYW_CL_LANES], path[BYW_CL_LANES], groups = 0;

    cta->warp[cta->warp_count - 1].why = s->broken ? BYW_PATH_LONG : BYW_PATH_NONE;
    if (s->broken || s->turns == 0)
        return BYW_OK;
    for (uint32_t t = 0; t < s->turns; t++)
        all |= s->turn[t].mask;
    hash_lanes(s, hash, steps);
    while (all != 0) {
        uint32_t lane = (uint32_t)__builtin_ctzll(all);
        struct known *known = look_up(p, s, lane, hash[lane], steps[lane]);

        if (known == NULL)
            return BYW_ENOMEM;
        cta->warp[cta->warp_count - 1].why = known->why;
        if (known->why != BYW_PATH_KNOWN)
            return BYW_OK;
        if (!place(p, known, cta, number))
            return BYW_ENOMEM;
        path[groups] = known->in_cta;
        mask[groups] = 0;
        for (uint32_t l = lane; l < BYW_CL_LANES; l++)
            if ((all >> l & 1) && hash[l] == hash[lane] && steps[l] == steps[lane])
                mask[groups] |= 1ull << l;
        all &= ~mask[groups++];
    }
    for (uint32_t g = 0; g < groups; g++)
        if (!byw_cta_add_lanes(cta, mask[g], path[g]))
            return BYW_ENOMEM;
    return BYW_OK;
}

uint64_t byw_cl_paths_begin(struct byw_cl_paths *p)
{
    return ++p->ctas;
}
