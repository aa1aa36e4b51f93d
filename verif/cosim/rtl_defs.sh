#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rtl_defs.sh - the generated constants and widths of the RTL are those of the C headers.  GEN:
# byw_gen_defs.  TREE: whose files are looked at, this one unless said.
set -u
cd "${TREE:-$(dirname "$0")/../..}" || exit 2
"$GEN" | diff -u rtl/include/byw_defs.vh - && "$GEN" widths | diff -u rtl/include/byw_widths.vh - && exit
echo "rtl/include is stale: make rtl-defs"
exit 1
