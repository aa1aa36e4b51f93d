/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_swl.h - statically limited warps (GPGPU-Sim's warp_limiting; mechanisms/baselines.md 2.6). Of
 * each scheduler's warps, only the sm.warp_limit oldest ones that are not at a barrier issue; warps
 * at a barrier wait for the others.
 */
#ifndef BYW_SWL_H
#define BYW_SWL_H

#include "sim/sm/byw_throttle.h"

extern const struct byw_throttle_ops byw_throttle_swl;

#endif
