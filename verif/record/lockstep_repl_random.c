/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_repl_random - byw_repl_random.v against byw_repl_placed() and byw_repl_reset().
 */
#include "cosim/lock.h"
#include "record/byw_repl.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 100000);
    uint32_t rst = dut_port(l.dut, "rst_i"), step = dut_port(l.dut, "step_i");
    uint32_t random = dut_port(l.dut, "random_o");
    struct byw_geometry geo = {.sets = 1, .tag_ways = 1, .data_ways = 1};
    struct byw_repl_side side;
    uint64_t steps = 0, resets = 0;

    if (byw_repl_init(&side, &byw_repl_lru, &geo) != BYW_OK)
        return 2;
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        bool reset = l.cycle == 0 || lock_below(&l, 5000) == 0, steps_now = lock_chance(&l, 60);

        dut_put(l.dut, rst, reset);
        dut_put(l.dut, step, steps_now);
        dut_eval(l.dut);
        if (l.cycle != 0)
            lock_same(&l, "random", side.random, dut_get(l.dut, random));
        if (reset)
            byw_repl_reset(&side);
        else if (steps_now)
            byw_repl_placed(&side);
        resets += reset;
        steps += !reset && steps_now;
        dut_tick(l.dut);
    }
    lock_met(&l, "resets", resets);
    byw_repl_release(&side);
    return lock_pass(&l, ", %" PRIu64 " numbers", steps);
}
