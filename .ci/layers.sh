#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# layers.sh [TREE] - checks that the table of layers in cmodel/doc/architecture.md allows every
# #include in cmodel, and that the table has no cycle.  Prints each include that it does not allow;
# exit status 1 if there are any.
#
# A layer is a folder below cmodel with those of its subfolders that are not layers themselves.  Each
# folder with code, and each of its subfolders, has a row.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
page=cmodel/doc/architecture.md
table=$(mktemp)
trap 'rm -f "$table"' EXIT

# Rows are "| `layer` | what it holds | `layer`, `layer` |"; here "layer layer layer": the first may include the others.
sed -n '/^## Layers/,/^## /p' "$page" | sed -nE 's/^\| `([a-z0-9/]+)` \|[^|]*\|([^|]*)\|$/\1\2/p' |
    tr -d '`,' >"$table"
[ -s "$table" ] || { echo "$page: no table of layers below \"## Layers\""; exit 1; }

bad=0
# shellcheck disable=SC2086 # one word per name
pairs=$(while read -r layer uses; do for k in $uses; do echo "$layer $k"; done; done <"$table")
echo "$pairs" | tsort >/dev/null 2>&1 || { echo "$page: the table of layers has a cycle"; bad=1; }
# Programs of workloads are no layers; below capture/cuda are the libraries of CUDA, which share its row.
find cmodel -mindepth 1 -maxdepth 2 -type d ! -path 'cmodel/workloads/*' | LC_ALL=C sort | while read -r dir; do
    [ -n "$(find "$dir" -maxdepth 1 -name '*.[ch]' -o -maxdepth 1 -name '*.def')" ] || continue
    grep -qE "^${dir#cmodel/}( |\$)" "$table" || echo "$page: the table of layers has no row for $dir/"
done | grep . && bad=1
find cmodel -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | xargs awk '
    function layer_of(path) { # the longest row that is a prefix of the path
        while (path != "" && !(path in uses)) if (!sub(/\/[^\/]*$/, "", path)) path = ""
        return path
    }
    FILENAME == table {
        layer = $1; $1 = ""; sub(/^ /, "")
        uses[layer] = " " $0 " "
        next
    }
    /^#[ \t]*include[ \t]+"[^"]*\// {
        from = FILENAME; sub(/^cmodel\//, "", from); from = layer_of(from)
        header = $0; sub(/^[^"]*"/, "", header); sub(/".*/, "", header)
        to = layer_of(header)
        if (to == "") to = layer_of("model/" header) # -Icmodel/model
        if (to == from || index(uses[from], " " to " ")) next
        list = uses[from]; gsub(/^ | $/, "", list); gsub(/ /, ", ", list)
        print FILENAME ":" FNR ": " from " includes " header "; it may use " (list == "" ? "no other layer" : list)
        bad = 1
    }
    END { exit bad }' table="$table" "$table" || bad=1
exit $bad
