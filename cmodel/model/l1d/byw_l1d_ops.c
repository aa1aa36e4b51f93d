/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_l1d_ops.h"

const struct byw_l1d_ops byw_l1d_model = {
    .create = byw_l1d_create,
    .free = byw_l1d_free,
    .step = byw_l1d_step,
    .set_filter = byw_l1d_set_filter,
    .asleep = byw_l1d_asleep,
    .takes = byw_l1d_takes,
    .skip = byw_l1d_skip,
    .counters = byw_l1d_counters,
    .profiled = byw_l1d_profiled,
    .mech_state = byw_l1d_mech_state,
    .configure = byw_l1d_configure,
};
