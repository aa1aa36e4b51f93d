/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_warp_fifos - byw_warp_fifos.v against byw_warp_fifos.c, driven as the L1 of an SM does
 * (top/byw_sm_l1.c): in every cycle whether a request is accepted, and what is output. Phases vary
 * how often a request arrives, may wait and is taken, and the number of warps.
 */
#include "comparator/byw_warp_fifos.h"
#include "cosim/lock.h"

struct ports {
    uint32_t rst, in_valid, in_ready, in_waits, in_warp, in_entry;
    uint32_t out_valid, out_ready, out_waited, out_entry, waits;
};

struct phase {
    uint32_t left, valid, waits, ready, warps;
    bool round; /* warps take turns */
};

struct met {
    uint64_t waited, passed, through, refused, full;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .in_valid = dut_port(d, "in_valid_i"),
        .in_ready = dut_port(d, "in_ready_o"),
        .in_waits = dut_port(d, "in_waits_i"),
        .in_warp = dut_port(d, "in_warp_i"),
        .in_entry = dut_port(d, "in_entry_i"),
        .out_valid = dut_port(d, "out_valid_o"),
        .out_ready = dut_port(d, "out_ready_i"),
        .out_waited = dut_port(d, "out_waited_o"),
        .out_entry = dut_port(d, "out_entry_o"),
        .waits = dut_port(d, "waits_o"),
    };
}

static void reset(struct lock *l, const struct ports *p, struct byw_warp_fifos *f)
{
    dut_put(l->dut, p->rst, 1);
    dut_put(l->dut, p->in_valid, lock_below(l, 2));
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, p->rst, 0);
    byw_warp_fifos_clear(f);
}

static void one_cycle(struct lock *l, const struct ports *p, struct byw_warp_fifos *f,
                      const struct phase *ph, const struct byw_req *req, bool *held,
                      struct met *met)
{
    bool valid = *held || lock_chance(l, ph->valid), waits = lock_chance(l, ph->waits);
    bool ready = lock_chance(l, ph->ready), empty = f->filled == 0;
    bool room = byw_warp_fifos_room(f, req), enters = valid && waits && room, pushes;
    const struct byw_req *out = empty ? req : byw_warp_fifos_choose(f);

    dut_put(l->dut, p->in_valid, valid);
    dut_put(l->dut, p->in_waits, waits);
    dut_put(l->dut, p->in_warp, req->warp);
    dut_put(l->dut, p->in_entry, req->line);
    dut_put(l->dut, p->out_ready, ready);
    dut_eval(l->dut);
    lock_same(l, "in_ready", enters || (empty && ready), dut_get(l->dut, p->in_ready));
    lock_same(l, "out_valid", !empty || valid, dut_get(l->dut, p->out_valid));
    lock_same(l, "out_waited", !empty, dut_get(l->dut, p->out_waited));
    if (!empty || valid)
        lock_same(l, "out_entry", out->line, dut_get(l->dut, p->out_entry));
    pushes = enters && !(empty && ready);
    lock_same(l, "waits", pushes, dut_get(l->dut, p->waits));
    dut_tick(l->dut);
    if (ready && !empty) {
        met->passed += byw_warp_fifos_passes(f);
        byw_warp_fifos_pop(f);
    }
    if (pushes)
        byw_warp_fifos_push(f, req);
    met->waited += pushes;
    met->through += valid && empty && ready;
    met->refused += valid && waits && !room;
    met->full += f->filled == P_QUEUES * P_DEPTH;
    *held = valid && !enters && !(empty && ready);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 300000);
    struct ports p = find_ports(l.dut);
    const struct byw_config config = {.l1d_line = 128};
    const struct byw_mech_setup setup = {.config = &config};
    struct byw_warp_fifos f;
    struct phase ph = {0};
    struct met met = {0};
    struct byw_req req = {0};
    bool held = false;

    if (byw_warp_fifos_init(&f, &setup, P_QUEUES, P_DEPTH) != BYW_OK)
        return 2;
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (l.cycle == 0 || lock_below(&l, 20000) == 0) {
            reset(&l, &p, &f);
            held = false;
        }
        if (ph.left-- == 0)
            ph = (struct phase){.left = 1 + lock_below(&l, 400),
                                .valid = lock_below(&l, 101),
                                .waits = lock_chance(&l, 50) ? 100 : lock_below(&l, 101),
                                .ready = lock_chance(&l, 20) ? 0 : lock_below(&l, 101),
                                .warps = 1 + lock_below(&l, 1 << P_WARP_W),
                                .round = lock_chance(&l, 30)};
        if (!held)
            req = (struct byw_req){.line = byw_rng_next(&l.rng) & byw_mask64(P_ENTRY_W),
                                   .warp = (uint8_t)(ph.round ? (req.warp + 1U) % (1U << P_WARP_W)
                                                              : lock_below(&l, ph.warps))};
        one_cycle(&l, &p, &f, &ph, &req, &held, &met);
    }
    lock_met(&l, "requests that wait", met.waited);
    lock_met(&l, "requests that go through", met.through);
    lock_met(&l, "full FIFOs", met.refused);
    if (P_QUEUES > 1)
        lock_met(&l, "requests that pass others", met.passed);
    lock_met(&l, "all FIFOs full", met.full);
    byw_warp_fifos_release(&f);
    return lock_pass(&l, ", %" PRIu64 " waited, %" PRIu64 " passed others", met.waited, met.passed);
}
