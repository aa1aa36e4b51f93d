/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bypass_bit.h - BypassBit: one bit per L2 line that verifies the L1s' bypass predictions
 * (paper 002; MECHANISMS 5.1).
 *
 *   load misses the L2                   bit := 1 if an L1 bypassed it by prediction, else 0
 *   load finds the line, bit is 1        the bypassed line was needed again: the answer says
 *                                        `mispredict`; bit := as above
 *   load finds the line, bit is 0        bit := 1 if bypassed by prediction
 *   other access that brings a line in   bit := 0
 *   other access that finds it           nothing
 *
 * A line whose fetch is outstanding counts as found.  The bit does not say which L1 set it: the
 * first touch by another SM looks like a reuse (the paper leaves this open).
 */
#ifndef BYW_BYPASS_BIT_H
#define BYW_BYPASS_BIT_H

#include <stdbool.h>
#include <stdint.h>

/* An access to a line with this bit.  found: the line is there, or on its way.  load: global or
 * local read.  predicted: bypassed by an L1's predictor.  True for a misprediction. */
static inline bool byw_bypass_bit(uint8_t *bit, bool found, bool load, bool predicted)
{
    bool mispredict = found && load && *bit != 0;

    if (!found || mispredict || (load && predicted))
        *bit = load && predicted;
    return mispredict;
}

#endif
