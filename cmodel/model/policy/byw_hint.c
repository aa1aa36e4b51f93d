/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_hint.h"

#include <stddef.h>
#include <string.h>

#include "common/byw_mech.h"

enum byw_hint byw_hint_ptx(const char *operator_name)
{
    static const struct {
        const char *name;
        enum byw_hint hint;
    } table[] = {
        {"ca", BYW_HINT_CACHE},  {"cg", BYW_HINT_BYPASS},   {"cs", BYW_HINT_STREAM},
        {"lu", BYW_HINT_STREAM}, {"cv", BYW_HINT_VOLATILE},
    };
    size_t i;

    for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (strcmp(operator_name, table[i].name) == 0)
            return table[i].hint;
    return BYW_HINT_NONE;
}

const struct byw_mech byw_mech_hint = {
    .name = "hint",
    .paper = "003",
    .sentence =
        "global loads carry the compiler's flags: nontemporal lines are evicted from the L2 first, "
        "volatile loads always miss in the L1D",
    .enable = "hint.loads",
    .on = "nontemporal|volatile",
    .unit = "hint",
};
