#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# cycles.sh [BUILD] - no two files of cmodel need each other, directly or by way of others.
#
# Reads the symbols of the objects below BUILD (default build): file A needs file B when A uses a function
# or a variable that B defines.  Includes show less: a header is shared, a call goes one way.
# Prints each cycle as the files that are in it.  Exit 1 when there is one, 2 without objects.
set -u
cd "$(dirname "$0")/.."
build=${1:-build}
objects=$(find "$build/cmodel" "$build/pic/cmodel" -name '*.o' 2>/dev/null | LC_ALL=C sort)
[ -n "$objects" ] || {
    echo "cycles.sh: no objects below $build; run make first" >&2
    exit 2
}
# shellcheck disable=SC2086 # paths without blanks
nm -A -g $objects 2>/dev/null | sed -E "s#^$build/(pic/)?(.*)\.o:#\2 #" | awk '
    { symbol = $NF; kind = $(NF - 1) }
    kind == "U" { uses[$1 " " symbol]; next }
    { owner[symbol] = $1; file[$1] }
    END {
        for (u in uses) {
            split(u, part, " ")
            if (part[2] in owner && owner[part[2]] != part[1]) print part[1], owner[part[2]], part[2]
        }
    }' | LC_ALL=C sort -u | awk '
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
    }'
