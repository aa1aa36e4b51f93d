/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_bypass_tracker - byw_bypass_tracker.v (with byw_id_pool) against byw_bypass_tracker.c:
 * answers in any order, all trackers taken, all free.
 */
#include "cosim/lock.h"
#include "l1d/byw_bypass_tracker.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    uint32_t rst = dut_port(l.dut, "rst_i"), free_o = dut_port(l.dut, "free_o");
    uint32_t take = dut_port(l.dut, "take_i"), id_i = dut_port(l.dut, "id_i");
    uint32_t taken = dut_port(l.dut, "take_tracker_o"), give = dut_port(l.dut, "give_i");
    uint32_t give_n = dut_port(l.dut, "give_tracker_i"), give_id = dut_port(l.dut, "give_id_o");
    uint32_t idle = dut_port(l.dut, "idle_o");
    uint32_t out[P_TRACKERS] = {0}, outs = 0, rate = 50;
    uint32_t given = 0; /* requester of the previous answer */
    uint64_t takes = 0, full = 0;
    bool any_given = false;
    struct byw_bypass_tracker bt;

    if (byw_bypass_tracker_init(&bt, P_TRACKERS) != BYW_OK)
        return 2;
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        bool reset = l.cycle == 0 || lock_below(&l, 20000) == 0, takes_now, gives;
        uint32_t id = lock_below(&l, 1 << 16), i, n = 0;

        if (l.cycle % 300 == 0)
            rate = lock_below(&l, 101);
        takes_now = !reset && byw_id_pool_any(&bt.pool) && lock_chance(&l, rate);
        gives = !reset && outs != 0 && lock_chance(&l, 100 - rate);
        i = gives ? lock_below(&l, outs) : 0;
        n = gives ? out[i] : lock_below(&l, P_TRACKERS);
        dut_put(l.dut, rst, reset);
        dut_put(l.dut, take, takes_now);
        dut_put(l.dut, id_i, id);
        dut_put(l.dut, give, gives);
        dut_put(l.dut, give_n, n);
        dut_eval(l.dut);
        if (any_given)
            lock_same(&l, "give_id", given, dut_get(l.dut, give_id));
        if (l.cycle != 0) {
            lock_same(&l, "free", byw_id_pool_any(&bt.pool), dut_get(l.dut, free_o));
            lock_same(&l, "idle", bt.pool.used == 0, dut_get(l.dut, idle));
        }
        full += !byw_id_pool_any(&bt.pool);
        if (takes_now) {
            uint32_t t = byw_bypass_tracker_take(&bt, id);

            lock_same(&l, "take_tracker", t, dut_get(l.dut, taken));
            out[outs++] = t;
            takes++;
        }
        if (gives) {
            given = byw_bypass_tracker_give(&bt, n);
            any_given = true;
            out[i] = out[--outs];
        }
        if (reset) {
            byw_bypass_tracker_clear(&bt);
            outs = 0;
        }
        dut_tick(l.dut);
    }
    lock_met(&l, "cycles without a free tracker", full);
    byw_bypass_tracker_release(&bt);
    return lock_pass(&l, ", %" PRIu64 " bypasses, none free in %" PRIu64, takes, full);
}
