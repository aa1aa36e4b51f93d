/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_index - byw_set_index.v equals byw_set_index() and byw_set_key(), and byw_set_line() finds the
 * line again, for every line address of LINE_W bits.
 */
#include "cosim/lock.h"

int main(void)
{
    const struct byw_geometry geo = {.sets = P_SETS,
                                     .set_bits = byw_clog2(P_SETS),
                                     .line_bits = byw_clog2(P_LINE_BYTES),
                                     .index = P_INDEX};
    struct lock l = lock_start(0, NULL, 0);
    uint64_t line = nondet_uint64() & byw_mask64(P_LINE_W);
    uint64_t set, key;

    dut_put(l.dut, dut_port(l.dut, "line_i"), line);
    dut_eval(l.dut);
    set = dut_get(l.dut, dut_port(l.dut, "set_o"));
    key = dut_get(l.dut, dut_port(l.dut, "key_o"));
    lock_same(&l, "set", byw_set_index(&geo, line), set);
    lock_same(&l, "key", byw_set_key(&geo, line), key);
    lock_same(&l, "line back", line, byw_set_line(&geo, (uint32_t)set, key));
    return 0;
}
