/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_ranges.h"

#include <ctype.h>
#include <stdlib.h>

/* Reads a number at *at and moves past it; false if there is none or it is too large. */
static bool take_number(const char **at, uint32_t *number)
{
    char *end;
    unsigned long long n;

    if (!isdigit((unsigned char)**at))
        return false;
    n = strtoull(*at, &end, 10);
    if (n > UINT32_MAX || end - *at > 10)
        return false;
    *number = (uint32_t)n;
    *at = end;
    return true;
}

enum byw_status byw_cli_ranges(const char *what, const char *text, struct byw_launch_range *range,
                               size_t *count, struct byw_diag *diag)
{
    const char *at = text;

    for (*count = 0; *count < BYW_RANGES_MAX; at++) {
        struct byw_launch_range *r = &range[(*count)++];

        if (!take_number(&at, &r->first))
            break;
        r->last = r->first;
        if (*at == '-' && (at++, !take_number(&at, &r->last)))
            break;
        if (r->last < r->first)
            break;
        if (*at == '\0')
            return BYW_OK;
        if (*at != ',')
            break;
    }
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s is '%s'; expected numbers and ranges like 3,7-9, at most %d of them",
                        what, text, BYW_RANGES_MAX);
}
