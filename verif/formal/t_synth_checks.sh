#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_synth_checks.sh - what `make synth` refuses: each fault, put into a separate module, must fail the
# run, and the sound module must not.  A whole cache's line is the median of its orders, which have the same
# cells.  Skipped where Yosys is missing.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys: what synthesis refuses is not checked; apt-get install yosys"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
case_of() { # case_of NAME PORTS BODY EXPECTED CHECK: EXPECTED is PASS or words of the failure
    printf 'module byw_case_%s (%s);\n%s\nendmodule\n' "$1" "$2" "$3" >"$dir/byw_case_$1.v"
    echo "$1|byw_case_$1||ecp5|$5" >"$dir/units.txt"
    said=$(B=$dir/b UNITS_TXT=$dir/units.txt SYNTH_EXTRA=$dir/byw_case_$1.v synth/one.sh "$1" ecp5 2>&1)
    case "$4:$said" in
    PASS:FAIL* | PASS:) verdict=1 ;;
    PASS:*) verdict=0 ;;
    *) verdict=1; case "$said" in FAIL*"$4"*) verdict=0 ;; esac ;;
    esac
    [ $verdict = 0 ] && return
    echo "FAIL $1: expected $4, got: $said"
    failed=1
}
io='input clk, input s, input [7:0] a, input [7:0] b, output reg [7:0] q'
case_of sound "$io" 'always @(posedge clk) if (s) q <= a + b;' PASS ''
case_of latch "$io" 'always @* if (s) q = a;' 'elaboration' ''
case_of two_drivers 'input [7:0] a, input [7:0] b, output [7:0] q' 'assign q = a; assign q = b;' 'elaboration' ''
case_of no_driver 'input [7:0] a, output [7:0] q' 'wire [7:0] w; assign q = a ^ w;' 'elaboration' ''
case_of multiplies "$io" 'always @(posedge clk) q <= a * b;' 'elaboration' ''
case_of divides "$io" 'always @(posedge clk) q <= a / b;' 'elaboration' ''
case_of remainder "$io" 'always @(posedge clk) q <= a % b;' 'elaboration' ''
case_of by_a_constant "$io" 'always @(posedge clk) q <= a * 8;' PASS ''
case_of loop 'input s, input a, output q' 'wire w; assign w = s ? a : ~(w ^ q); assign q = w;' 'elaboration' ''
memory='reg [15:0] m [0:511]; reg [15:0] r; always @(posedge clk) begin if (we) m[wa] <= d;'
mio='input clk, input we, input [8:0] wa, input [8:0] ra, input [15:0] d, output [15:0] q'
case_of block_ram "$mio" "$memory r <= m[ra]; end assign q = r;" PASS bram
case_of read_at_once "$mio" "$memory r <= d; end assign q = m[ra] ^ r;" 'no block RAM inferred' bram
# A unit whose five orders have different LUTs, so that the smallest and the first are not the median.
echo 'l1_five|byw_pc_pred||ecp5|' >"$dir/units.txt"
said=$(B=$dir/b UNITS_TXT=$dir/units.txt synth/one.sh l1_five ecp5 2>&1)
orders=$(for o in 1 2 3 4 5; do cut -d' ' -f3 "$dir/b/synth/l1_five.ecp5.$o.txt"; done | sort -n)
middle=$(echo "$orders" | sed -n 3p)
{ [ "$(echo "$orders" | wc -l)" = 5 ] && [ "$(echo "$orders" | head -n 1)" -lt "$middle" ] &&
    [ "$middle" = "$(echo "$said" | cut -d' ' -f3)" ]; } || {
    echo "FAIL l1_five: expected the median of five orders that differ, got: $said of" $orders
    failed=1
}
il=$dir/b/synth/l1_five.ecp5.il
for seed in 1 2; do awk -v seed=$seed -f synth/shuffle.awk "$il" >"$dir/order$seed"; done
{ [ "$(sort "$dir/order1")" = "$(sort "$il")" ] && ! cmp -s "$dir/order1" "$dir/order2"; } || {
    echo "FAIL shuffle.awk: expected the same lines in two orders"
    failed=1
}
[ $failed = 0 ] && echo "PASS"
exit $failed
