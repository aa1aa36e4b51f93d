#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_coverage.sh - rtl/doc/coverage.md has each module of rtl/byw.f and each functional bin, a bin without a hit has a reason, and
# coverage.py finds what is lost: on made-up counts in a copy of the tree's sources. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v python3 >/dev/null || skip_all "no python3; apt-get install python3"
tap_folder log
tool=verif/coverage/coverage.py

$tool page rtl/doc/coverage.md >"$dir/log"
result $? "the page has each module, bin and reason (make coverage rewrites it)"

# A tree of one module with two lines and two bits, and one bin.
tree=$dir/tree
mkdir -p "$tree/rtl/l1d" "$tree/verif/coverage" "$tree/counts/counts"
cp $tool "$tree/$tool"
echo rtl/l1d/byw_one.v >"$tree/rtl/byw.f"
printf '%s\n' 'module byw_one (' ');' '  always @* if (a) b = c;' '  `BYW_ASSERT(name, a,' '              b)' '`ifdef BYW_CHECKED' '  always @* if (c) d = a;' '`endif' endmodule >"$tree/rtl/l1d/byw_one.v"
printf '%s\n' 'module byw_any_bins (' '  // ---- Group' '  `BIN(first, a) // what it means' >"$tree/verif/coverage/byw_l1d_bins.sv"

# counts LINE IF TOGGLE_0 TOGGLE_1 ON_MISS ON_FILL: of one program
counts() {
    cat >"$tree/counts/counts/one.json" <<EOF
{"line rtl/l1d/byw_one.v 3:3 block": $1, "line rtl/l1d/byw_one.v 3:13 if": $2, "line rtl/l1d/byw_one.v 4:3 if": 0,
 "line rtl/l1d/byw_one.v 7:13 if": 0,
 "toggle rtl/l1d/byw_one.v 1:1 a[0]": $3, "toggle rtl/l1d/byw_one.v 1:1 a[1]": $4,
 "bin on_miss.first": $5, "bin on_fill.first": $6}
EOF
}
reasons() { printf '%b' "$1" >"$tree/verif/coverage/reasons.tsv"; }
run() { "$tree/$tool" "$1" "$tree/counts" "$tree/page.md" >"$dir/log"; }
# says TEXT NAME: the last run printed TEXT
says() {
    grep -qF -- "$1" "$dir/log"
    result $? "$2"
}

reasons ''
counts 5 1 2 2 7 9
run write && grep -q '^| l1d/byw_one | 2 | 2 | 2 | 2 | 100.0 |$' "$tree/page.md" && grep -q '^| on_fill.first | 9 | what it means |$' "$tree/page.md"
result $? "lines, bits and bins are counted, assertions are not"
run check
result $? "the same counts pass"
counts 5 0 2 2 7 9
run check
says 'no program reaches l1d/byw_one.v: always @* if (a) b = c; [if]' "a line that no program reaches fails"
counts 5 1 2 1 7 9
run check
says 'l1d/byw_one: 50.0 % of its bits toggle, 100.0 % on the page' "a bit that only rises does not toggle, and a lost share fails"
counts 5 1 2 2 7 0
run check
says 'bin on_fill.first is not hit any more' "a bin that loses its last hit fails"
reasons 'on_fill.first\tit cannot be\n'
run write
result $? "a bin without a hit may have a reason"
counts 5 1 2 2 7 3
run check
says 'bin on_fill.first was hit 3 times; reasons.tsv says: it cannot be' "a hit of a bin that cannot be hit fails"
reasons 'on_fill.other\tit cannot be\n'
run check
says 'reasons.tsv: on_fill.other is no bin' "a reason for nothing fails"
finish
