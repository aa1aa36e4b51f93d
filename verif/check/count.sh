#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# count.sh - prints the table of rtl/doc/checks.md: assertions per module.
set -u
cd "$(dirname "$0")/../.."
echo "| module | guarantees | assumptions |"
echo "|---|---|---|"
for f in $(grep -lE '^ *.BYW_(ASSERT|ASSUME)\(' rtl/*/*.v | sort); do
    echo "$f $(grep -cE '^ *.BYW_ASSERT\(' "$f") $(grep -cE '^ *.BYW_ASSUME\(' "$f")"
done | awk '{ name = $1; sub(/.*\//, "", name); sub(/\.v$/, "", name)
              print "| `" name "` | " $2 " | " $3 " |"; g += $2; a += $3 }
            END { print "| all | " g " | " a " |" }'
