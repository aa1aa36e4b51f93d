#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_systemverilog.sh - toy.sv: byw_sm_l1 behind structs, driven by agents made of classes, with the DPI-C scoreboard
# bound to it; Verilator.  The same with a fault in the Verilog, which the scoreboard must find.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
command -v verilator >/dev/null || skip_all "no Verilator; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] || skip_all "a build with sanitizers, and the toy is C++ in part; make test-all runs it"
tap_folder log
make -s B="$B" "$B/libbyway.a" "$B/cosim/verilated.o" "$B/cosim/verilated_threads.o" >"$dir/log" 2>&1 || exit 1

# build NAME RTL: the toy with the sources of folder RTL.
build() {
    local files
    mapfile -t files < <(sed "/^[#+]/d; s,^rtl,$2," rtl/byw_sm_l1.f)
    OPT=-O1 verif/cosim/verilate.sh "$dir/$1" toy --language 1364-2005 +1800-2012ext+sv -Irtl/include -Irtl/sv -Wno-fatal \
        rtl/sv/byw_pkg.sv rtl/sv/byw_sm_l1_sv.sv rtl/sv/byw_sm_l1_scoreboard.sv rtl/sv/byw_sm_l1_scoreboard_bind.sv \
        "${files[@]}" verif/integration/byw_agent.sv verif/integration/toy.sv >"$dir/log" 2>&1 &&
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -Icmodel -Icmodel/model -Iverif -c verif/integration/toy.c -o "$dir/$1.o" 2>>"$dir/log" &&
        ${CXX:-g++} -o "$dir/$1.run" "$dir/$1.o" "$dir/$1/Vtoy__ALL.a" "$B"/cosim/verilated{,_threads}.o "$B/libbyway.a" \
            -latomic -lz -pthread -lm 2>>"$dir/log"
}

build sound rtl
result $? "the toy builds: structs, classes and DPI-C"
for seed in 1 2 3; do
    timeout 300 "$dir/sound.run" $seed >"$dir/log" 2>&1 && grep -q '^toy: 5000 answers, [1-9].* 0 wrong$' "$dir/log"
    result $? "agents and scoreboard agree with the cache, seed $seed"
done
cp -r rtl "$dir/rtl"
# A fault that the bench must find: a store leaves the MSHR of its pending line attached.
sed -i 's/assign line_release_o  *= committed_i && !line_write_o/& \&\& !pending_i/' "$dir/rtl/l1d/byw_write_decide.v"
cmp -s rtl/l1d/byw_write_decide.v "$dir/rtl/l1d/byw_write_decide.v" && echo "not ok 0 - no fault was made"
build faulty "$dir/rtl"
{ timeout 300 "$dir/faulty.run" 1; } >"$dir/log" 2>&1 # in braces, so that bash says "Aborted" into the log
[ $? != 0 ] && grep -q 'u_scoreboard.* cycle [0-9]*: [a-z_]*_o bit [0-9]*: C model [01], RTL [01]' "$dir/log"
result $? "the scoreboard names the first differing bit of a faulty cache"
finish
