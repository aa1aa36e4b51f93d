#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# arrows.sh [TREE] - every #include of the rooms of cmodel goes where the table of rooms in
# cmodel/doc/architecture.md lets it go, and that table has no circle.  Exit 1 when one does not.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
page=cmodel/doc/architecture.md
table=$(mktemp)
trap 'rm -f "$table"' EXIT

# Rows are "| `room` | what it is | `room`, `room` |"; here "room room room", the first knows the others.
sed -n '/^## Rooms/,/^## /p' "$page" | sed -nE 's/^\| `([a-z0-9]+)` \|[^|]*\|([^|]*)\|$/\1\2/p' |
    tr -d '`,' >"$table"
[ -s "$table" ] || { echo "$page: no table of rooms below \"## Rooms\""; exit 1; }

bad=0
# shellcheck disable=SC2086 # one word per name
pairs=$(while read -r room knows; do for k in $knows; do echo "$room $k"; done; done <"$table")
echo "$pairs" | tsort >/dev/null 2>&1 || { echo "$page: the arrows of the table make a circle"; bad=1; }
for dir in cmodel/*/; do
    room=$(basename "$dir")
    case $room in doc | traces) continue ;; esac
    grep -qE "^$room( |\$)" "$table" || { echo "$page: the table of rooms has no row for $dir"; bad=1; }
done
find cmodel -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | xargs awk '
    FILENAME == table {
        room = $1; $1 = ""; sub(/^ /, "")
        knows[room] = " " $0 " "
        next
    }
    /^#[ \t]*include[ \t]+"[^"]*\// {
        split(FILENAME, at, "/")
        to = $0; sub(/^[^"]*"/, "", to); sub(/".*/, "", to)
        room = to; sub(/\/.*/, "", room)
        if (room == at[2] || index(knows[at[2]], " " room " ")) next
        list = knows[at[2]]; gsub(/^ | $/, "", list); gsub(/ /, ", ", list)
        print FILENAME ":" FNR ": " at[2] " includes " to "; it may know " (list == "" ? "no other room" : list)
        bad = 1
    }
    END { exit bad }' table="$table" "$table" || bad=1
exit $bad
