#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# files.sh MODULE - prints the source files of MODULE and its submodules, in one line.  Synthesis reads only these,
# so that a change elsewhere cannot affect its figures.
set -u
cd "$(dirname "$0")/.."
awk -v top="$1" '
    FNR == 1 {
        name = FILENAME
        sub(/.*\//, "", name)
        sub(/\.v$/, "", name)
        path[name] = FILENAME
    }
    {
        sub(/\/\/.*/, "")
        while (match($0, /byw_[a-z0-9_]+/)) {
            used[name, substr($0, RSTART, RLENGTH)] = 1
            $0 = substr($0, RSTART + RLENGTH)
        }
    }
    END {
        if (!(top in path)) exit 2
        list[n = 1] = top
        taken[top] = 1
        for (i = 1; i <= n; i++)
            for (m in path)
                if (((list[i], m) in used) && !(m in taken)) {
                    taken[m] = 1
                    list[++n] = m
                }
        for (i = 1; i <= n; i++) print path[list[i]]
    }' $(sed "/^#/d;s,^rtl/,${RTL:-rtl}/," rtl/byw.f) synth/byw_synth_l1.v ${SYNTH_EXTRA:-} | sort | tr '\n' ' '
