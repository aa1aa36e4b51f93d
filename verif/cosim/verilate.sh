#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# verilate.sh FOLDER TOP ARGUMENT... - Verilates module TOP with the C interface of dut.h, for one
# test program.
#
# The ARGUMENTs (sources, parameters, warnings) are passed to Verilator. Leaves FOLDER/VTOP__ALL.a,
# which holds the model and dut.cpp, and Verilator's log in FOLDER.log. On failure it prints that
# log and removes the archive.
#
# In `make test` compiling takes far longer than running, and much of that is reading headers.  So all
# generated files and dut.cpp are compiled as one unit, which begins with HEADER if that is given:
# `verilate.sh -header` compiles it, and what it includes, once for all models.  OPT is -Og by
# default: four times as fast as -O0 and a fifth slower than -O2, which takes twice as long to
# compile.  CXX is the compiler; ccache is used if installed.  COVER=1: the model counts what
# --coverage asks for, see dut.cpp.
set -u

root=/usr/share/verilator/include
cache=
! command -v ccache >/dev/null || cache=ccache
export CCACHE_SLOPPINESS=pch_defines,time_macros # otherwise it never reuses objects compiled with HEADER
compile() { # compile ARGUMENT...: with the options that HEADER and the models must share
    $cache ${CXX:-g++} -std=c++14 ${COVER:+-DVM_COVERAGE=1} "${OPT:--Og}" -w -faligned-new -fcf-protection=none -I"$root" -I"$root/vltstd" "$@"
}
if [ "$1" = -header ]; then
    compile -x c++-header "$HEADER" -o "$HEADER.gch"
    exit
fi
folder=$1
top=$2
shift 2
archive=$folder/V${top}__ALL.a

build() {
    verilator --cc --x-assign unique --x-initial unique --top-module "$top" --Mdir "$folder" "$@" &&
        # The RAMs of the data store's bytes, in the order of their bits; those of the keys, by way; and the two
        # of the records of byw_sector_store.
        sed -n 's/.*> \([a-z0-9A-Z_]*u_bytes__DOT__gen_group__BRA__[0-9]*__KET____DOT__mem_q\);$/BYTES(\1)/p
                s/.*> \([a-z0-9A-Z_]*u_tags__DOT__[a-z0-9A-Z_]*u_keys__DOT__gen_group__BRA__0__KET____DOT__mem_q\);$/KEYS(\1)/p
                s/.*> \([a-z0-9A-Z_]*u_[fs]_records__DOT__gen_group__BRA__0__KET____DOT__mem_q\);$/RECORDS(\1)/p' \
            "$folder/V${top}___024root.h" | LC_ALL=C sort -V >"$folder/bytes.h" &&
        sed -n 's/^ *VL_\(IN\|OUT\)[0-9W]*(&\([a-z0-9_]*\),.*/PORT(\2)/p' "$folder/V$top.h" >"$folder/ports.h" &&
        (cd "$folder" && printf '%s\n' V*.cpp | LC_ALL=C sort | sed 's/.*/#include "&"/' && echo '#include "dut.cpp"') \
            >"$folder/all.cpp" &&
        compile ${HEADER:+-include "$HEADER" -fpch-preprocess} -I"$folder" -Iverif/cosim \
            -DVTOP="V$top" -DVTOP_H="\"V$top.h\"" -DROOT_H="\"V${top}___024root.h\"" -DPORTS_H='"ports.h"' -DBYTES_H='"bytes.h"' -c "$folder/all.cpp" -o "$folder/all.o" &&
        ar rcs "$archive" "$folder/all.o"
}
rm -rf "$folder"
build "$@" >"$folder.log" 2>&1 && exit 0
cat "$folder.log"
rm -f "$archive"
exit 1
