/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bypass_bit.h - BypassBit: one bit per L2 line that verifies the L1s' bypass predictions
 * (paper 002; mechanisms/pc_pred.md 5.1).
 *
 *   load misses the L2                   bit := 1 if an L1 predictor bypassed it, else 0
 *   load finds the line, bit is 1        the bypassed line was reused: the response says
 *                                        `mispredict`; bit := as above
 *   load finds the line, bit is 0        bit := 1 if an L1 predictor bypassed it
 *   other access that allocates a line   bit := 0
 *   other access that finds the line     nothing
 *
 * A line whose fetch is outstanding counts as found.  The bit does not record which L1 set it: the
 * first touch by another SM looks like a reuse (the paper leaves this open).
 */
#ifndef BYW_BYPASS_BIT_H
#define BYW_BYPASS_BIT_H

#include <stdbool.h>
#include <stdint.h>

/* An access to a line with this bit. found: the line is present or in flight. load: global or local
 * read. predicted: bypassed by an L1's predictor.  Returns true for a misprediction. */
static inline bool byw_bypass_bit(uint8_t *bit, bool found, bool load, bool predicted)
{
    bool mispredict = found && load && *bit != 0;

    if (!found || mispredict || (load && predicted))
        *bit = load && predicted;
    return mispredict;
}

#endif
