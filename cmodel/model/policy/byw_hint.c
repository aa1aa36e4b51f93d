/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_hint.h"

#include "common/byw_mech.h"

const struct byw_mech byw_mech_hint = {
    .name = "hint",
    .paper = "003",
    .sentence =
        "global loads carry the compiler's flags: nontemporal lines are evicted from the L2 first, "
        "volatile loads always miss in the L1D",
    .enable = "hint.loads",
    .on = "nontemporal|volatile",
    .unit = "hint",
};
