#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_modes.sh - the modes by name are up to date, agree with the registers' page, and work in an
# instance. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log
gen=${B:-build}/cosim/byw_gen_modes
make -s B="${B:-build}" "$gen" >"$dir/log" 2>&1
result $? "the generator builds"
"$gen" | diff -u rtl/include/byw_modes.vh - >"$dir/log" 2>&1
result $? "byw_modes.vh is up to date with the policy files (make rtl-defs)"

# By hand from rtl/doc/csr.md: THRESHOLD 2 (bit 17), RC_INIT (13), three ages (10..8); MODE 1, with BYP_ON_HIT 1 at 2, and 2;
# STALL_BYPASS 1 (line) and 2 (any) at 22; TRIAL at 14; PC_PRED.ENABLE.
while read -r name value; do
    grep -q "^.define $name $value\$" rtl/include/byw_modes.vh
    result $? "$name is $value"
done <<'END'
BYW_MODE_BL 32'h00022700
BYW_MODE_BALL 32'h00022705
BYW_MODE_DECOUPLED 32'h00022702
BYW_MODE_DECOUPLED_FILTER_ON 1'h1
BYW_MODE_BL_FILTER_ON 1'h0
BYW_MODE_STALL_LINE 32'h00422700
BYW_MODE_STALL 32'h00822700
BYW_MODE_HYBRID_T 32'h00026700
BYW_MODE_STORE_UPDATE 32'h00000010
END
[ "$(sed -n 's/.*MODE_PC_PC_CFG 32.h0*\([0-9a-f]*\)/\1/p' rtl/include/byw_modes.vh | tail -c 2)" = 3 ]
result $? "BYW_MODE_PC_PC_CFG enables the predictor and its dueling"

if command -v iverilog >/dev/null; then
    cat >"$dir/user.v" <<'END'
`include "byw_modes.vh"
module user(output wire [31:0] cfg, pc_cfg, tl, window, output wire [29:0] period, output wire [30:0] bound, output wire on);
  assign cfg = `BYW_MODE_STALL_LINE | `BYW_MODE_STORE_UPDATE;
  assign pc_cfg = `BYW_MODE_PC_PC_CFG;
  assign tl = `BYW_MODE_TWO_LEVEL_TL_CFG;
  assign window = `BYW_MODE_TWO_LEVEL_TL_WINDOW;
  assign period = `BYW_MODE_TWO_LEVEL_TL_PERIOD;
  assign bound = `BYW_MODE_TWO_LEVEL_TL_BOUND;
  assign on = `BYW_MODE_DECOUPLED_FILTER_ON;
endmodule
END
    iverilog -g2005 -Wall -tnull -Irtl/include "$dir/user.v" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
    result $? "a module takes its settings by name"
fi
finish
