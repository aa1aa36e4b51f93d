/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_protection - byw_protection_rule.v gives the same outputs and the same next state as
 * byw_protection.c for every set and load.
 */
#include "comparator/byw_protection.h"
#include "cosim/lock.h"

enum {
    DIST_BITS = P_STEPS > 3 ? 3 : 2, /* for up to 7 steps */
    KINDS = 1 + 2 * P_WAYS, /* kinds of loads: without a line; for each way, a use or a
                               replacement */
};

struct ports {
    uint32_t dist, since, used, pending, full, spare, use, place, way, dist_o, since_o;
};

static void take(struct byw_protection *c, uint64_t dists, uint32_t since, const uint32_t *place)
{
    for (uint32_t way = 0; way < P_WAYS; way++) {
        c->distance[way] = (uint8_t)(dists >> way * DIST_BITS & byw_mask64(DIST_BITS));
        c->place[way] = (uint8_t)place[way];
    }
    c->since[0] = since;
}

static uint64_t distances(const struct byw_protection *c)
{
    uint64_t dists = 0;

    for (uint32_t way = 0; way < P_WAYS; way++)
        dists |= (uint64_t)c->distance[way] << way * DIST_BITS;
    return dists;
}

/* kind 0: a load without a line; then, for each way: its line is used; its line is replaced. */
static void prove_load(struct lock *l, const struct ports *p, struct byw_protection *c,
                       uint32_t kind)
{
    uint32_t way = kind == 0 ? 0 : (kind - 1) / 2;
    bool use = kind != 0 && kind % 2 != 0, place = kind != 0 && kind % 2 == 0;

    dut_put(l->dut, p->use, use);
    dut_put(l->dut, p->place, place);
    dut_put(l->dut, p->way, way);
    dut_eval(l->dut);
    if (use)
        byw_protection_use(c, way, P_STEPS);
    byw_protection_age(c, 0);
    if (place)
        byw_protection_use(c, way, P_STEPS);
    lock_same(l, "distances", distances(c), dut_get(l->dut, p->dist_o));
    lock_same(l, "since", c->since[0], dut_get(l->dut, p->since_o));
}

static void prove(struct lock *l, const struct ports *p, struct byw_protection *c, uint64_t dists,
                  uint32_t since, uint32_t places)
{
    uint32_t place[P_WAYS], used = 0, pending = 0;

    for (uint32_t way = 0; way < P_WAYS; way++, places /= 3) {
        place[way] = places % 3;
        used |= (uint32_t)(place[way] != BYW_BLOCK_FREE) << way;
        pending |= (uint32_t)(place[way] == BYW_BLOCK_COMING) << way;
    }
    take(c, dists, since, place);
    dut_put(l->dut, p->dist, dists);
    dut_put(l->dut, p->since, since);
    dut_put(l->dut, p->used, used);
    dut_put(l->dut, p->pending, pending);
    dut_eval(l->dut);
    lock_same(l, "full", byw_protection_is_full(c, 0, false), dut_get(l->dut, p->full));
    lock_same(l, "spare", byw_protection_spare(c, 0, used & ~pending), dut_get(l->dut, p->spare));
    for (uint32_t kind = 0; kind < KINDS; kind++, l->cycle++) {
        take(c, dists, since, place);
        prove_load(l, p, c, kind);
    }
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    const struct byw_config config = {.l1d_alloc = BYW_ALLOC_ON_MISS};
    const struct byw_mech_setup setup = {
        .config = &config, .sets = 1, .ways = P_WAYS, .blocks = P_WAYS, .mshrs = P_WAYS};
    const struct ports p = {
        .dist = dut_port(l.dut, "dist_i"),
        .since = dut_port(l.dut, "since_i"),
        .used = dut_port(l.dut, "used_i"),
        .pending = dut_port(l.dut, "pending_i"),
        .full = dut_port(l.dut, "full_o"),
        .spare = dut_port(l.dut, "spare_o"),
        .use = dut_port(l.dut, "use_i"),
        .place = dut_port(l.dut, "place_i"),
        .way = dut_port(l.dut, "way_i"),
        .dist_o = dut_port(l.dut, "dist_o"),
        .since_o = dut_port(l.dut, "since_o"),
    };
    struct byw_protection c;
    uint32_t all = 1;

    if (byw_protection_init(&c, &setup, P_STEP) != BYW_OK)
        return 2;
    for (uint32_t way = 0; way < P_WAYS; way++)
        all *= 3;
    for (uint64_t dists = 0; dists < UINT64_C(1) << P_WAYS * DIST_BITS; dists++)
        for (uint32_t since = 0; since < P_STEP; since++)
            for (uint32_t places = 0; places < all; places++)
                prove(&l, &p, &c, dists, since, places);
    byw_protection_release(&c);
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
