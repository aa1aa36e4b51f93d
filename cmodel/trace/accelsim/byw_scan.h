/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_scan.h - numbers in the text of an Accel-Sim trace.
 *
 * Calls skip blanks, return false if there is no number, and otherwise stop after it.  A number
 * must end at a separator: "12x" is not a number.
 */
#ifndef BYW_SCAN_H
#define BYW_SCAN_H

#include <stdbool.h>
#include <stdint.h>

struct byw_scan {
    const char *at, *end;
};

bool byw_scan_hex(struct byw_scan *scan, uint64_t *value); /* with or without 0x */
bool byw_scan_decimal(struct byw_scan *scan, int64_t *value);
bool byw_scan_u32(struct byw_scan *scan, uint32_t *value);

static inline void byw_scan_blanks(struct byw_scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r'))
        scan->at++;
}

/* Whether a number or name may end here. */
static inline bool byw_scan_at_break(const struct byw_scan *scan)
{
    return scan->at >= scan->end || *scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' ||
           *scan->at == ',' || *scan->at == ')';
}

#endif
