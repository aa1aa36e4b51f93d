#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_soc.sh - the SoC example of fpga/soc: a RISC-V core sorts through byw_sm_l1 and AXI4 and flushes; RAM holds what it must.
# Three faults are found (`make test-all`): dirty lines that are dropped, a FLUSH that is not sent, bytes that the bus loses. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v verilator >/dev/null || skip_all "no Verilator; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] || skip_all "a build with sanitizers, and the bench is C++"
tap_folder log
synth/files.sh -f byw_sm_l1 >"$dir/files" && synth/files.sh -f byw_axi4_mem >>"$dir/files"
awk '!seen[$0]++' "$dir/files" >"$dir/list"
at=$PWD

# run NAME ROOT: builds and runs the bench with the sources of folder ROOT; what it says is in the log.
run() {
    sed "s,$at/,$2/," "$dir/list" >"$dir/$1.list"
    verilator --binary -O3 --x-assign fast -Wno-fatal -Wno-lint -Wno-style -CFLAGS -O1 --Mdir "$dir/$1" --top-module soc_tb \
        -f "$dir/$1.list" "$2"/fpga/soc/*.v verif/fpga/soc_tb.v >"$dir/log" 2>&1 &&
        timeout 60 "$dir/$1/Vsoc_tb" >"$dir/log" 2>&1
}
run sound "$at"
grep -q '^PASS soc: [0-9]* cycles, [1-9][0-9]* reads, [1-9][0-9]* writes$' "$dir/log"
result $? "the program ends with code 1 and RAM holds the sorted words: $(grep -m1 PASS "$dir/log")"

fpga/soc/program.sh >"$dir/hex" 2>"$dir/log"
case $? in
77) skip_check "program.hex is program.S, assembled" "no clang with RISC-V; apt-get install clang" ;;
*)
    diff "$dir/hex" fpga/soc/program.hex >"$dir/log"
    result $? "program.hex is program.S, assembled"
    ;;
esac

fault() { # fault FILE SED WORDS
    rm -rf "$dir/tree" "$dir/faulty"
    mkdir -p "$dir/tree/fpga"
    cp -r rtl "$dir/tree/rtl"
    cp -r fpga/adapters fpga/soc "$dir/tree/fpga/"
    sed -i "$2" "$dir/tree/$1"
    run faulty "$dir/tree"
    ! cmp -s "$1" "$dir/tree/$1" && grep -q '^FAIL' "$dir/log"
    result $? "$3"
}
in_test_all || finish
fault fpga/soc/byw_rv32_soc.v 's/flush ? BYW_OP_FLUSH/flush ? BYW_OP_INVALIDATE/' "dirty lines that are dropped instead of written back are found"
fault rtl/l1d/byw_data_store.v "s/(mask_is_stale ? {BEAT_BYTES{1'b0}} : rd_mask_o)/{BEAT_BYTES{1'b0}}/" "a dirty mask that forgets older bytes is found"
fault fpga/adapters/byw_axi4_mem.v 's/from, {BEAT_OFFW/{BEAT_IW{1'"'b0"'}}, {BEAT_OFFW/' "a burst that starts at the wrong beat is found"
finish
