/* SPDX-License-Identifier: Apache-2.0
 *
 * toy - clocks verif/integration/toy.sv until it is done: toy [seed].  Exit 0: every answer was
 * right.
 */
#include <stdio.h>

#include "cosim/lock.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 1000000);
    uint32_t done = dut_port(l.dut, "done_o"), failed = dut_port(l.dut, "failed_o");

    do {
        dut_eval(l.dut);
        dut_tick(l.dut);
        l.cycle++;
    } while (!dut_get(l.dut, done) && !dut_get(l.dut, failed) && l.cycle < l.cycles);
    lock_same(&l, "done_o", 1, dut_get(l.dut, done));
    lock_same(&l, "failed_o", 0, dut_get(l.dut, failed));
    return lock_pass(&l, "");
}
