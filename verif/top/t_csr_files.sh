#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# t_csr_files.sh - the files generated from cmodel/model/top/byw_csr.def are up to date, and no two
# registers or fields overlap.
set -u
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
${CC:-cc} -std=c11 -Icmodel -Icmodel/model -o "$dir/gen" verif/top/byw_gen_csr.c || exit 1
for pair in vh:rtl/include/byw_csr.vh h:cmodel/model/top/byw_csr_map.h md:rtl/doc/csr.md; do
    "$dir/gen" "${pair%%:*}" | diff -u "${pair#*:}" - || {
        echo "${pair#*:} is stale: make csr"
        failed=1
    }
done
# Offsets: unique, multiples of 4. Fields: inside their register, without overlap.
"$dir/gen" h | awk '
    function bad(text) { print "byw_csr.def: " text; failed = 1 }
    function num(hex, i, v) {
        sub(/U$/, "", hex)
        if (hex !~ /^0x/) return hex + 0
        for (i = 3; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
        return v + 0
    }
    $1 != "#define" || NF < 3 { next }
    /_RESET/ { next }
    $2 ~ /_LSB$/ { name = $2; sub(/_LSB$/, "", name); lsb[name] = num($3); next }
    $2 ~ /_W$/ { name = $2; sub(/_W$/, "", name); width[name] = num($3); next }
    { if (seen[num($3)]++) bad($2 ": offset used twice"); if (num($3) % 4) bad($2 ": odd offset"); reg[$2] = 1 }
    END {
        for (f in lsb) {
            owner = ""
            for (r in reg)
                if (index(f, r "_") == 1 && length(r) > length(owner)) owner = r
            if (lsb[f] + width[f] > width[owner]) bad(f ": outside of " owner)
            for (b = lsb[f]; b < lsb[f] + width[f]; b++)
                if (taken[owner, b]++) bad(f ": bit " b " used twice")
        }
        exit failed
    }' || failed=1
[ "$failed" = 0 ] && echo "csr files: current"
exit $failed
