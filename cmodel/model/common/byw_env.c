/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_env.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum byw_status byw_env_number(const char *variable, uint64_t lowest, uint64_t highest,
                               uint64_t *value, struct byw_diag *diag)
{
    const char *text = getenv(variable);
    unsigned long long number;
    char *end;

    if (text == NULL || text[0] == '\0')
        return BYW_OK;
    errno = 0;
    number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || number < lowest ||
        number > highest)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s is '%s'; expected a whole number from %llu to %llu", variable, text,
                            (unsigned long long)lowest, (unsigned long long)highest);
    *value = number;
    return BYW_OK;
}
