/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_stall_bypass - byw_stall_bypass.v equals byw_stall_bypass() for every input, including
 * codes without a meaning.
 */
#include "cosim/lock.h"
#include "policy/byw_stall_bypass.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    uint32_t when = dut_port(l.dut, "when_i"), reason = dut_port(l.dut, "reason_i");
    uint32_t bypass = dut_port(l.dut, "bypass_o");

    for (l.cycle = 0; l.cycle < 4 * 8; l.cycle++) {
        dut_put(l.dut, when, l.cycle / 8);
        dut_put(l.dut, reason, l.cycle % 8);
        dut_eval(l.dut);
        lock_same(&l, "bypass", byw_stall_bypass((uint32_t)l.cycle / 8, (uint8_t)(l.cycle % 8)),
                  dut_get(l.dut, bypass));
    }
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
