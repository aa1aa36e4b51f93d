/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_min_tree - byw_min_tree.v finds the lowest numbered smallest valid key for every input.
 */
#include "cosim/lock.h"

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    uint32_t valid = dut_port(l.dut, "valid_i"), key = dut_port(l.dut, "key_i");
    uint32_t any = dut_port(l.dut, "any_o"), index = dut_port(l.dut, "index_o");
    uint32_t bits = P_N * (P_KEY_W + 1), i;

    for (l.cycle = 0; l.cycle < UINT64_C(1) << bits; l.cycle++) {
        uint64_t in = l.cycle & byw_mask64(P_N), keys = l.cycle >> P_N;
        uint64_t best = UINT64_MAX;
        uint32_t want = 0;

        for (i = 0; i < P_N; i++) {
            uint64_t k = keys >> i * P_KEY_W & byw_mask64(P_KEY_W);

            if ((in >> i & 1) != 0 && k < best) {
                best = k;
                want = i;
            }
        }
        dut_put(l.dut, valid, in);
        dut_put(l.dut, key, keys);
        dut_eval(l.dut);
        lock_same(&l, "any", in != 0, dut_get(l.dut, any));
        if (in != 0)
            lock_same(&l, "index", want, dut_get(l.dut, index));
    }
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
