#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# readme_isa.sh [-c] ASSEMBLER - writes the instruction table into README.md, between its two marks; -c: only
# checks that the table is up to date (exit 1 if not).
set -eu
check=
[ "$1" != -c ] || { check=yes; shift; }
asm=$1
page=$(dirname "$0")/README.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
    sed '/^<!-- instructions -->$/q' "$page"
    echo
    "$asm" -t md
    echo
    sed -n '/^<!-- end of instructions -->$/,$p' "$page"
} >"$new"
if [ -n "$check" ]; then
    cmp "$new" "$page"
else
    cat "$new" >"$page"
fi
