/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpcs.h - groups of SMs (GPCs of NVIDIA's GPUs): which SMs may share a read of the L2, and
 * which SMs get the CTAs of a launch that does not give each SM one more (gpu.gpcs).
 *
 * Crossbar ports number the SMs in the order in which they get CTAs: GPC by GPC, and in a GPC the
 * two SMs of a TPC one after the other.
 */
#ifndef BYW_GPCS_H
#define BYW_GPCS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"

enum { BYW_GPCS_MAX = 32, BYW_GPC_SMS_MAX = 512 };

struct byw_gpcs {
    uint32_t count; /* 0: gpu.gpcs is not given */
    uint32_t first[BYW_GPCS_MAX + 1]; /* first port of each GPC; then the number of ports */
    uint8_t of[BYW_GPC_SMS_MAX]; /* by port: its GPC */
};

/* Reads gpu.gpcs, up to sm.count SMs.  Returns false if it is not a list of sizes for that many
 * SMs. */
bool byw_gpcs_read(const struct byw_config *config, struct byw_gpcs *gpcs);

/* NULL, or the rule that the machine's keys break. */
const char *byw_gpcs_fault(const struct byw_config *config);

/* Sets takes[port] for the SMs that get one of `ctas` CTAs, fewer than SMs.  Measured on an H200
 * (doc/h200.md, Where CTAs go): GPCs of up to 4 SMs fill first; then each GPC in turn gets one CTA,
 * on its next TPC without one; once all TPCs have one, the same with their second SMs.  The ports
 * set get the CTAs in ascending order. */
void byw_gpcs_spread(const struct byw_gpcs *gpcs, uint32_t ctas, bool *takes);

#endif
