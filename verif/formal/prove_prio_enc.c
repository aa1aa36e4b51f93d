/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_prio_enc - byw_prio_enc.v equals byw_ctz64() for every input.
 */
#include "cosim/lock.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    uint32_t req = dut_port(l.dut, "req_i"), any = dut_port(l.dut, "any_o");
    uint32_t index = dut_port(l.dut, "index_o");

    for (l.cycle = 0; l.cycle < UINT64_C(1) << P_N; l.cycle++) {
        dut_put(l.dut, req, l.cycle);
        dut_eval(l.dut);
        lock_same(&l, "any", l.cycle != 0, dut_get(l.dut, any));
        lock_same(&l, "index", l.cycle != 0 ? byw_ctz64(l.cycle) : 0, dut_get(l.dut, index));
    }
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
