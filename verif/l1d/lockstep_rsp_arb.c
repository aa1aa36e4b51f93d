/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_rsp_arb - byw_rsp_arb.v against byw_rsp_arb.c.  A source keeps its valid until it is
 * served.
 */
#include "cosim/lock.h"
#include "l1d/byw_rsp_arb.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    uint32_t rst = dut_port(l.dut, "rst_i"), valid_i = dut_port(l.dut, "valid_i");
    uint32_t ready_i = dut_port(l.dut, "rsp_ready_i"), valid_o = dut_port(l.dut, "rsp_valid_o");
    uint32_t turn_o = dut_port(l.dut, "turn_o");
    uint32_t valid = 0, rate = 50, ready_rate = 50, i;
    uint64_t served[BYW_SRC_COUNT] = {0};
    struct byw_rsp_arb arb;

    byw_rsp_arb_clear(&arb);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        bool reset = l.cycle == 0 || lock_below(&l, 5000) == 0, ready;

        if (l.cycle % 200 == 0) {
            rate = lock_below(&l, 101);
            ready_rate = lock_below(&l, 101);
        }
        if (reset)
            valid = 0;
        for (i = 0; i < BYW_SRC_COUNT; i++)
            valid |= (uint32_t)lock_chance(&l, rate) << i;
        ready = lock_chance(&l, ready_rate);
        dut_put(l.dut, rst, reset);
        dut_put(l.dut, valid_i, valid);
        dut_put(l.dut, ready_i, ready);
        dut_eval(l.dut);
        if (reset) {
            byw_rsp_arb_clear(&arb);
            valid = 0;
        } else {
            lock_same(&l, "rsp_valid", valid != 0, dut_get(l.dut, valid_o));
            for (i = 0; i < BYW_SRC_COUNT; i++)
                lock_same(&l, "turn", byw_rsp_arb_choose(&arb, valid | UINT32_C(1) << i) == i,
                          dut_get(l.dut, turn_o) >> i & 1);
            if (valid != 0) {
                uint32_t source = byw_rsp_arb_choose(&arb, valid);

                byw_rsp_arb_tick(&arb, source, ready);
                if (ready) {
                    served[source]++;
                    valid &= ~(UINT32_C(1) << source);
                }
            }
        }
        dut_tick(l.dut);
    }
    return lock_pass(&l, ", served %" PRIu64 " hits, %" PRIu64 " fills, %" PRIu64 " passes",
                     served[0], served[1], served[2]);
}
