/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_keep.c - what is known of the two L2 policies that keep no state (paper 004; MECHANISMS
 * 7.2); what they do is in sim/byw_l2_mi.c.
 */
#include "common/byw_mech.h"

const struct byw_mech byw_mech_l2_keep = {
    .name = "l2_keep",
    .paper = "004",
    .sentence = "only loads, or nothing, take lines of the L2; the rest goes through to memory",
    .enable = "l2_policy.cached",
    .on = "loads|none",
};

const struct byw_mech byw_mech_l2_allocation_bypass = {
    .name = "l2_allocation_bypass",
    .paper = "004",
    .sentence = "an access whose L2 set waits for memory with all its lines passes the L2",
    .enable = "l2_policy.allocation_bypass",
    .on = "on",
};
