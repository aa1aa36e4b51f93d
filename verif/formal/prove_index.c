/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_index - byw_set_index.v equals byw_set_index() and byw_set_key() for every line address of
 * LINE_W bits.
 */
#include "common/byw_config.h"
#include "cosim/lock.h"
#include "record/byw_set.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    uint32_t line = dut_port(l.dut, "line_i"), set = dut_port(l.dut, "set_o");
    uint32_t key = dut_port(l.dut, "key_o");
    struct byw_geometry geo = {.sets = P_SETS,
                               .set_bits = byw_clog2(P_SETS),
                               .line_bits = byw_clog2(P_LINE_BYTES),
                               .index = P_INDEX};

    for (l.cycle = 0; l.cycle < UINT64_C(1) << P_LINE_W; l.cycle++) {
        dut_put(l.dut, line, l.cycle);
        dut_eval(l.dut);
        lock_same(&l, "set", byw_set_index(&geo, l.cycle), dut_get(l.dut, set));
        lock_same(&l, "key", byw_set_key(&geo, l.cycle), dut_get(l.dut, key));
        lock_same(&l, "line back", l.cycle,
                  byw_set_line(&geo, (uint32_t)dut_get(l.dut, set), dut_get(l.dut, key)));
    }
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
