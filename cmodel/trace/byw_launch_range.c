/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_launch_range.h"

#include <ctype.h>
#include <stdlib.h>

/* Reads a number from 1 at *at and moves past it; false if there is none or it is too large. */
static bool take_number(const char **at, uint32_t *number)
{
    char *end;
    unsigned long long n;

    if (!isdigit((unsigned char)**at))
        return false;
    n = strtoull(*at, &end, 10);
    if (n == 0 || n > UINT32_MAX || end - *at > 10)
        return false;
    *number = (uint32_t)n - 1;
    *at = end;
    return true;
}

/* A, A-B or A-, followed by a comma or the end. */
static bool take_range(const char **at, struct byw_launch_range *range)
{
    if (!take_number(at, &range->first))
        return false;
    range->last = range->first;
    if (**at == '-') {
        ++*at;
        range->last = UINT32_MAX;
        if (**at != ',' && **at != '\0' && !take_number(at, &range->last))
            return false;
    }
    return range->last >= range->first && (**at == ',' || **at == '\0');
}

enum byw_status byw_launch_ranges_read(const char *what, const char *text,
                                       struct byw_launch_ranges *ranges, struct byw_diag *diag)
{
    const char *at = text;

    for (ranges->count = 0; ranges->count < BYW_LAUNCH_RANGES_MAX; at++) {
        if (!take_range(&at, &ranges->range[ranges->count]))
            break;
        ranges->count++;
        if (*at == '\0')
            return BYW_OK;
    }
    ranges->count = 0;
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s is '%s'; expected A, A-B or A-, separated by commas, counted from 1, "
                        "at most %d of them; --kernels selects by name",
                        what, text, BYW_LAUNCH_RANGES_MAX);
}

bool byw_launch_ranges_have(const struct byw_launch_range *range, size_t count, uint64_t launch)
{
    for (size_t i = 0; i < count; i++)
        if (launch >= range[i].first && launch <= range[i].last)
            return true;
    return false;
}
