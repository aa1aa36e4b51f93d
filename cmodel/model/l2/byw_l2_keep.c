/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_keep.c - the registry entries of the two L2 policies without state (paper 004;
 * mechanisms/l2_policies.md 7.2).  Their code is in sim/byw_l2_mi.c.
 */
#include "common/byw_mech.h"

const struct byw_mech byw_mech_l2_keep = {
    .name = "l2_keep",
    .paper = "004",
    .sentence =
        "only loads, or nothing, allocate lines in the L2; the rest goes directly to memory",
    .enable = "l2_policy.cached",
    .on = "loads|none",
};

const struct byw_mech byw_mech_l2_allocation_bypass = {
    .name = "l2_allocation_bypass",
    .paper = "004",
    .sentence = "an access bypasses the L2 if all lines of its set wait for memory",
    .enable = "l2_policy.allocation_bypass",
    .on = "on",
};
