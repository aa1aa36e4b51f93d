#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_synth_loops.sh - no register that is routed has a synchronous reset that depends on itself, no module infers a
# latch: the cache with the look stage and every mechanism, and the units outside it.  A module with such a register
# is found and named.  Skipped without Yosys.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys: loops through resets are not sought; apt-get install yosys"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/said")
sound() { # sound MODULE PARAMETERS
    synth/loops.sh "$1" "$2" >"$dir/said" 2>&1
    result $? "$1 ${2:-as it is}"
}
cat >"$dir/byw_counts.v" <<'END'
module byw_counts (input clk, input [7:0] top, output reg [7:0] count_q);
  wire last = count_q == top;
  always @(posedge clk) if (last) count_q <= 8'd0; else count_q <= count_q + 8'd1;
endmodule
END
said=$(SYNTH_EXTRA=$dir/byw_counts.v synth/loops.sh byw_counts 2>"$dir/said")
[ "$?:$said" = 1:byw_counts/count_q ]
result $? "a counter that its own value resets is named: $said"
sed -i "s/if (last) .* else \(.*\);/\1 \& {8{!last}};/" "$dir/byw_counts.v"
SYNTH_EXTRA=$dir/byw_counts.v synth/loops.sh byw_counts >"$dir/said" 2>&1
result $? "as gates it is none"
! in_test_all || sound byw_synth_l1 "LOOK=1 BEAT_BYTES=8"
sound byw_csr ""
sound byw_lane_coalescer ""
sound byw_dbi ""
sound byw_l2_pc_bypass ""
finish
