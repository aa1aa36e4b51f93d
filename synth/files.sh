#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# files.sh [-f] MODULE - prints the source files of MODULE, of rtl/ or fpga/adapters, and its submodules, in one line.
# Synthesis reads only these, so that a change elsewhere cannot affect its figures.
#
#   -f   as a file list for any folder: the include folder and the files with absolute paths, one a line, submodules first, for
#        verilator -f, iverilog -c, slang -f and others
#
# Exit 2 if there is no such module.
set -u
form=line
[ "${1:-}" = -f ] && form=list && shift
[ $# = 1 ] || { sed -n '4p' "$0" | cut -c3- >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 2
found=$(awk -v top="$1" '
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
    }' $(sed "/^#/d;s,^rtl/,${RTL:-rtl}/," rtl/byw.f) $(sed '/^#/d' fpga/adapters/adapters.f) \
    synth/byw_synth_l1.v ${SYNTH_EXTRA:-}) || {
    echo "files.sh: no module '${1:-}'; expected one of rtl/byw.f or fpga/adapters/adapters.f, for example byw_sm_l1" >&2
    exit 2
}
if [ $form = list ]; then
    echo "+incdir+$PWD/rtl/include"
    sed '/^#/d' rtl/byw.f fpga/adapters/adapters.f | grep -xF "$found" | sed "s,^,$PWD/,"
else
    echo "$found" | sort | tr '\n' ' '
fi
