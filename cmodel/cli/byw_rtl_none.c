/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rtl_none.c - the command without Verilated caches; in `byway-rtl` (make rtl-sim)
 * verif/rtl_loop/byw_rtl_l1d.c replaces this file.
 */
#include "cli/byw_cli.h"

const struct byw_l1d_ops *byw_cli_rtl_l1d(void)
{
    return NULL;
}
