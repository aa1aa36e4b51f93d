#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rtl_defs.sh - the generated constants and widths of the RTL are up to date with the C headers
# and have no constant that no source uses.
# GEN: byw_gen_defs. TREE: the tree to check, this one by default.
set -u
used=$(realpath "$(dirname "$0")/rtl_used.sh")
cd "${TREE:-$(dirname "$0")/../..}" || exit 2
"$GEN" rescue | diff -u rtl/policy/byw_rescue.v - || {
    echo "rtl/policy/byw_rescue.v is stale: make rescues"
    exit 1
}
"$GEN" | "$used" | diff -u rtl/include/byw_defs.vh - &&
    "$GEN" widths | "$used" | diff -u rtl/include/byw_widths.vh - && exit
echo "rtl/include is stale: make rtl-defs"
exit 1
