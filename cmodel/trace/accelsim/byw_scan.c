/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim/byw_scan.h"

#define DECIMAL_DIGITS 19 /* always fit in a uint64_t */

/* Value + 1 of a hex digit; 0 for any other character. */
static const uint8_t hex_digit[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool byw_scan_hex(struct byw_scan *scan, uint64_t *value)
{
    const char *at, *end = scan->end, *first;
    uint64_t v = 0;

    byw_scan_blanks(scan);
    at = scan->at;
    if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
        at += 2;
    for (first = at; at < end; at++) {
        unsigned digit = hex_digit[(uint8_t)*at];

        if (digit == 0)
            break;
        if (v >> 60 != 0)
            return false;
        v = v << 4 | (digit - 1);
    }
    scan->at = at;
    *value = v;
    return at != first && byw_scan_at_break(scan);
}

bool byw_scan_decimal(struct byw_scan *scan, int64_t *value)
{
    const char *at, *end = scan->end, *first;
    uint64_t v = 0;
    bool negative;

    byw_scan_blanks(scan);
    at = scan->at;
    negative = at < end && *at == '-';
    at += negative;
    first = at;
    while (at < end && (uint8_t)(*at - '0') <= 9)
        v = v * 10 + (uint64_t)(*at++ - '0');
    scan->at = at;
    *value = negative ? -(int64_t)v : (int64_t)v;
    return at != first && at - first <= DECIMAL_DIGITS && v <= INT64_MAX && byw_scan_at_break(scan);
}

bool byw_scan_u32(struct byw_scan *scan, uint32_t *value)
{
    int64_t v;

    if (!byw_scan_decimal(scan, &v) || v < 0 || v > UINT32_MAX)
        return false;
    *value = (uint32_t)v;
    return true;
}
