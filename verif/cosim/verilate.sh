#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# verilate.sh FOLDER TOP ARGUMENT... - Verilates module TOP with the C interface of dut.h, for one
# test program.
#
# The ARGUMENTs (sources, parameters, warnings) are passed to Verilator. Leaves FOLDER/VTOP__ALL.a,
# which holds the model and dut.o, and Verilator's log in FOLDER.log. On failure it prints that log
# and removes the archive.
#
# In `make test` compiling takes far longer than running. Code that runs every cycle is compiled
# with OPT (default -Og: four times as fast as -O0 and a fifth slower than -O2, which takes twice as
# long to compile), code that runs once with -O0. CXX is the compiler; ccache is used if installed.
set -u

folder=$1
top=$2
shift 2
root=/usr/share/verilator/include
cache=
! command -v ccache >/dev/null || cache=ccache
archive=$folder/V${top}__ALL.a

compile() { # compile OPT FILE OBJECT
    $cache ${CXX:-g++} -std=c++14 "$1" -w -faligned-new -fcf-protection=none -I"$folder" -I"$root" -I"$root/vltstd" \
        -Iverif/cosim -DVTOP="V$top" -DVTOP_H="\"V$top.h\"" -DPORTS_H='"ports.h"' -c "$2" -o "$folder/$3"
}

# Files named *Slow* run once. One file of each kind, so that g++ reads Verilator's headers twice
# instead of a dozen times.
collect() { # collect FILE [-v]: includes the generated files whose names contain Slow (or do not)
    (cd "$folder" && printf '%s\n' V*.cpp | LC_ALL=C sort | grep ${2:-} Slow | sed 's/.*/#include "&"/') >"$folder/$1"
}

build() {
    verilator --cc --x-assign unique --x-initial unique --top-module "$top" --Mdir "$folder" "$@" &&
        sed -n 's/^ *VL_\(IN\|OUT\)[0-9W]*(&\([a-z0-9_]*\),.*/PORT(\2)/p' "$folder/V$top.h" >"$folder/ports.h" &&
        { collect slow.cpp && collect fast.cpp -v; } &&
        compile "${OPT:--Og}" "$folder/fast.cpp" fast.o &&
        compile -O0 "$folder/slow.cpp" slow.o &&
        compile "${OPT:--Og}" verif/cosim/dut.cpp dut.o &&
        ar rcs "$archive" "$folder/fast.o" "$folder/slow.o" "$folder/dut.o"
}
rm -rf "$folder"
build "$@" >"$folder.log" 2>&1 && exit 0
cat "$folder.log"
rm -f "$archive"
exit 1
