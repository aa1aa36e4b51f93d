/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_miss_queue - byw_miss_queue.v against byw_miss_queue.c: pools full and empty in all
 * combinations, pushes and pops in one cycle.
 */
#include "cosim/lock.h"
#include "l1d/byw_miss_queue.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    uint32_t rst = dut_port(l.dut, "rst_i"), miss_room = dut_port(l.dut, "miss_room_o");
    uint32_t bypass_room = dut_port(l.dut, "bypass_room_o");
    uint32_t push = dut_port(l.dut, "push_miss_i"), bypass = dut_port(l.dut, "push_bypass_i");
    uint32_t entry = dut_port(l.dut, "push_entry_i"), valid = dut_port(l.dut, "pop_valid_o");
    uint32_t ready = dut_port(l.dut, "pop_ready_i"), out_bypass = dut_port(l.dut, "pop_bypass_o");
    uint32_t out = dut_port(l.dut, "pop_entry_o");
    uint32_t push_rate = 50, pop_rate = 50, bypass_rate = 50;
    uint64_t pushed = 0, full = 0, empty = 0;
    struct byw_miss_queue q;

    if (byw_miss_queue_init(&q, P_MISS_DEPTH, P_BYPASS_DEPTH, 128, false) != BYW_OK)
        return 2;
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        bool reset = l.cycle == 0 || lock_below(&l, 20000) == 0;
        struct byw_mem_req req = {.line = byw_rng_next(&l.rng)};
        bool pushes, pops = lock_chance(&l, pop_rate);

        if (l.cycle % 200 == 0) {
            push_rate = lock_below(&l, 101);
            pop_rate = lock_below(&l, 101);
            bypass_rate = lock_below(&l, 101);
        }
        req.bypass = lock_chance(&l, bypass_rate);
        pushes = !reset && byw_miss_queue_room(&q, req.bypass ? BYW_POOL_BYPASS : BYW_POOL_MISS) &&
                 lock_chance(&l, push_rate);
        dut_put(l.dut, rst, reset);
        dut_put(l.dut, push, pushes && !req.bypass);
        dut_put(l.dut, bypass, pushes && req.bypass);
        dut_put(l.dut, entry, req.line);
        dut_put(l.dut, ready, pops);
        dut_eval(l.dut);
        if (l.cycle != 0) {
            const struct byw_mem_req *head = byw_miss_queue_head(&q);

            lock_same(&l, "miss_room", byw_miss_queue_room(&q, BYW_POOL_MISS),
                      dut_get(l.dut, miss_room));
            lock_same(&l, "bypass_room", byw_miss_queue_room(&q, BYW_POOL_BYPASS),
                      dut_get(l.dut, bypass_room));
            lock_same(&l, "pop_valid", head != NULL, dut_get(l.dut, valid));
            if (head != NULL) {
                lock_same(&l, "pop_bypass", head->bypass, dut_get(l.dut, out_bypass));
                lock_same(&l, "pop_entry", head->line, dut_get(l.dut, out));
            }
        }
        full += q.count == q.size;
        empty += q.count == 0;
        if (reset) {
            byw_miss_queue_clear(&q);
        } else {
            bool had = q.count != 0;

            if (pushes)
                byw_miss_queue_push(&q, &req);
            if (pops && had)
                byw_miss_queue_pop(&q);
        }
        pushed += pushes;
        dut_tick(l.dut);
    }
    lock_met(&l, "cycles with a full queue", full);
    lock_met(&l, "cycles with an empty queue", empty);
    byw_miss_queue_release(&q);
    return lock_pass(&l, ", %" PRIu64 " pushes, full in %" PRIu64, pushed, full);
}
