#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_rtl_defs.sh - the generated constants and widths of the RTL are up to date, and the check
# detects a stale one; no Verilog file defines widths or numbers itself. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log
export GEN=$PWD/${B:-build}/cosim/byw_gen_defs
make -s B="${B:-build}" "${B:-build}/cosim/byw_gen_defs" >"$dir/log" 2>&1
result $? "the generator builds"
verif/cosim/rtl_defs.sh >"$dir/log"
result $? "rtl/include is up to date with the C headers"
for stale in 'byw_defs.vh:s/BYW_EV_COUNT.*/BYW_EV_COUNT=26;/' 'byw_widths.vh:s/EV_W.27/EV_W.28/' \
    'byw_widths.vh:s/== 1) . 2/== 1) ? 3/' 'byw_defs.vh:$a localparam integer BYW_CFG_TRIAL_W = 1;'; do
    rm -rf "$dir/rtl"
    cp -R rtl "$dir/"
    sed -i "${stale#*:}" "$dir/rtl/include/${stale%%:*}"
    ! TREE=$dir verif/cosim/rtl_defs.sh >"$dir/log" 2>&1 && grep -q 'stale: make rtl-defs' "$dir/log"
    result $? "a stale ${stale%%:*} is detected: ${stale#*:}"
done
rm -rf "$dir/rtl"
cp -R rtl "$dir/"
sed -i 's/= |by_rule/= \&by_rule/' "$dir/rtl/policy/byw_rescue.v"
! TREE=$dir verif/cosim/rtl_defs.sh >"$dir/log" 2>&1 && grep -q 'byw_rescue.v is stale: make rescues' "$dir/log"
result $? "an edited byw_rescue.v is detected"
for name in $(sed -nE 's/^(`define|localparam( integer| \[[0-9]+:0\])?) (BYW_[A-Z0-9_]+(_W|_MAX)|BYW_DEFAULT_[A-Z0-9_]+)\b.*/\3/p' \
    rtl/include/byw_defs.vh rtl/include/byw_widths.vh); do
    [ "$(grep -rwho "$name" rtl fpga synth verif --include='*.v' --include='*.sv' --include='*.svh' --include='*.vh' | wc -l)" -gt 1 ] ||
        echo "$name"
done >"$dir/log"
[ ! -s "$dir/log" ]
result $? "no width, default or limit is unused"
! grep -nE "\[26:0\] *(events|policy)|\[16:0\] *(\w*events|pulses)|\*(27|17)\b|(27|17)'d|MSHRS += +[0-9]|REPL == [0-9]|byw_repl_(lru|srrip) #" \
    rtl/l1d/*.v rtl/policy/*.v rtl/top/*.v synth/*.v verif/rtl_loop/*.v |
    grep -vE '^rtl/l1d/byw_repl.v:|:module ' >"$dir/log"
result $? "no width of events or ranks, default of MSHRS or replacement policy is named in a module"
finish
