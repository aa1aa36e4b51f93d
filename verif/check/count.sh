#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# count.sh - prints the table of rtl/doc/checks.md: assertions per module. Exit 1 if a module of
# rtl/byw.f has none; those of byw_l1d are in byw_l1d_rules.
set -u
cd "$(dirname "$0")/../.."
echo "| module | guarantees | assumptions |"
echo "|---|---|---|"
for f in $(grep -lE '^ *.BYW_(ASSERT|ASSUME|HOLDS)\(' rtl/*/*.v | sort); do
    echo "$f $(grep -cE '^ *.BYW_(ASSERT|HOLDS)\(' "$f") $(grep -cE '^ *.BYW_ASSUME\(' "$f")"
done | awk '{ name = $1; sub(/.*\//, "", name); sub(/\.v$/, "", name)
              print "| `" name "` | " $2 " | " $3 " |"; g += $2; a += $3 }
            END { print "| all | " g " | " a " |" }'
none=$(grep -v '^#' rtl/byw.f | grep -v /byw_l1d.v | xargs grep -LE '^ *.BYW_(ASSERT|HOLDS)\(')
[ -z "$none" ] || {
    echo "without a guarantee:" $none >&2
    exit 1
}
