#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# cycles.sh [-a] [BUILD [TREE]] - checks how files of cmodel use each other's symbols:
#   no two files need each other, directly or through others;
#   a file uses only layers that the table in cmodel/doc/architecture.md allows.
#
# File A uses file B when A refers to a function or variable that B defines, as nm finds it in the
# objects below BUILD (default build).  Includes would show less: several files share a header, but
# a call has one direction.  Objects that are older than their source in TREE (default: this one),
# or have none there, are ignored. Prints the files of each cycle, and each use of an upper layer.
# Exit status 1 if there are any, 2 if there are no objects. -a: also names each source without an
# object, other than programs (workloads) and what becomes bitcode (capture/cuda/device).
set -u
all=
if [ "${1:-}" = -a ]; then
    all=1
    shift
fi
build=$(realpath -m "${1:-build}")
cd "${2:-$(dirname "$0")/..}" || exit 2
tree=$PWD
page=cmodel/doc/architecture.md
edges=$(mktemp)
table=$(mktemp)
trap 'rm -f "$edges" "$table"' EXIT

# Of several objects of a source, the newest one is read.
objects=$(cd "$build" && find cmodel pic/cmodel cuda*/cmodel -name '*.o' -printf '%T@ %p\n' 2>/dev/null | sort -rn |
    while read -r _ object; do
        source=cmodel/${object#*cmodel/}
        source=${source%.o}.c
        [ -f "$tree/$source" ] && ! [ "$tree/$source" -nt "$object" ] && echo "$source $object"
    done | awk '!seen[$1]++ { print $2 }' | LC_ALL=C sort)
[ -n "$objects" ] || {
    echo "cycles.sh: no objects below $build; run make first" >&2
    exit 2
}
# shellcheck disable=SC2086 # paths without blanks
(cd "$build" && nm -A -g $objects 2>/dev/null) | sed -E "s#^([a-z0-9]+/)?(cmodel/.*)\.o:#\2 #" | awk '
    { symbol = $NF; kind = $(NF - 1) }
    kind == "U" { uses[$1 " " symbol]; next }
    { owner[symbol] = $1 }
    END {
        for (u in uses) {
            split(u, part, " ")
            if (part[2] in owner && owner[part[2]] != part[1]) print part[1], owner[part[2]], part[2]
        }
    }' | LC_ALL=C sort -u >"$edges"

bad=0
if [ -n "$all" ]; then
    missing=$(comm -23 <(cd "$tree" && find cmodel -name '*.c' ! -path 'cmodel/workloads/*' ! -path 'cmodel/capture/cuda/device/*' |
        LC_ALL=C sort) <(sed -E 's#^([a-z0-9]+/)?(cmodel/.*)[.]o$#\2.c#' <<<"$objects" | LC_ALL=C sort))
    [ -z "$missing" ] || { sed 's#$#: no object of it; its uses are not checked#' <<<"$missing"; bad=1; }
fi
awk '
    # Strongly connected components (Tarjan).
    function visit(v,    n, i, next_ones, w, members, size) {
        index_of[v] = low[v] = ++counter
        stack[++top] = v
        on[v] = 1
        n = split(to[v], next_ones, " ")
        for (i = 1; i <= n; i++) {
            w = next_ones[i]
            if (!(w in index_of)) {
                visit(w)
                if (low[w] < low[v]) low[v] = low[w]
            } else if (on[w] && index_of[w] < low[v])
                low[v] = index_of[w]
        }
        if (low[v] != index_of[v]) return
        size = 0
        do {
            w = stack[top--]
            on[w] = 0
            members = members " " w
            size++
        } while (w != v)
        if (size > 1) {
            print "cycle of " size " files:" members
            bad = 1
        }
    }
    { if (!seen[$1 " " $2]++) to[$1] = to[$1] " " $2; nodes[++count] = $1 }
    END {
        for (k = 1; k <= count; k++) if (!(nodes[k] in index_of)) visit(nodes[k])
        exit bad
    }' "$edges" || bad=1

sed -n '/^## Layers/,/^## /p' "$page" | sed -nE 's/^\| `([a-z0-9/]+)` \|[^|]*\|([^|]*)\|$/\1\2/p' |
    tr -d '`,' >"$table"
awk '
    function layer_of(path) { # the longest row that is a prefix of the path
        sub(/^cmodel\//, "", path)
        while (path != "" && !(path in uses)) if (!sub(/\/[^\/]*$/, "", path)) path = ""
        return path
    }
    FILENAME == table { layer = $1; $1 = ""; sub(/^ /, ""); uses[layer] = " " $0 " "; next }
    {
        from = layer_of($1); to = layer_of($2)
        if (from == to || index(uses[from], " " to " ")) next
        if (from == "workloads" && $3 ~ /^cl[A-Z]/) next # programs, which link with any OpenCL
        list = uses[from]; gsub(/^ | $/, "", list); gsub(/ /, ", ", list)
        print $1 ".c: " from " uses " $3 " of " $2 ".c; it may use " (list == "" ? "no other layer" : list)
        bad = 1
    }
    END { exit bad }' table="$table" "$table" "$edges" || bad=1
exit $bad
