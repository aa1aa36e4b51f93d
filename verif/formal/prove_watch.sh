#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# prove_watch.sh [CYCLES] - bounded proof of verif/formal/l1d_watch.v with ABC (bmc3): the watched byte in every run of
# CYCLES cycles (10) from a reset, without and with the look stage, without and with local stores.
# Events whose absence must be refuted show that the environment's rules allow traffic; a fault in
# the RTL shows that the property can fail. SRC: the folder whose rtl is proved (default: this one).
# One line per run; exit 1 if one fails.
set -u
cd "$(dirname "$0")/../.." || exit 2
cycles=${1:-10}
watch=$PWD/verif/formal/l1d_watch.v
files=$(synth/files.sh byw_l1d)
dir=$(realpath -m "${B:-build}/formal")
mkdir -p "$dir"
abc=$(command -v berkeley-abc || command -v yosys-abc)
. verif/formal/lower.sh
cd "${SRC:-.}" || exit 2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0

# run NAME EXPECTED LOOK LOCAL PROPERTY [MARK]: EXPECTED are words of ABC's answer; MARK tells apart the files of two runs.
run() {
    local base=$dir/watch_$3$4$5${6:-}
    yosys -q -p "read_verilog -formal -Irtl/include $files $watch
        chparam -set LOOK $3 -set LOCAL $4 -set PROPERTY $5 l1d_watch
        hierarchy -check -top l1d_watch; proc; $lower flatten; opt -full; memory_map; opt -full
        setundef -undriven -anyseq; setundef -anyseq; opt -full; techmap; setundef -anyseq; opt -fast; dffunmap; setundef -anyseq; opt_clean
        aigmap; opt_clean; write_aiger -zinit $base.aig" >"$base.log" 2>&1
    "$abc" -q "read_aiger $base.aig; fold; strash; scorr; dc2; bmc3 -F $cycles -T ${LIMIT:-600}" >>"$base.log" 2>&1
    if grep -q "$2" "$base.log"; then
        echo "PASS $1"
    else
        echo "FAIL $1, see $base.log"
        failed=1
    fi
}

for set in "0 0" "1 0" "0 1" "1 1"; do
    # shellcheck disable=SC2086 # two words
    run "watched byte, LOOK and LOCAL $set: $cycles cycles" "No output asserted in $cycles frames" $set 0
done
run "a hit after a store is possible" "was asserted in frame" 0 0 1
run "a hit after a store is possible with LOOK" "was asserted in frame" 1 0 1
run "a fill after a store is possible" "was asserted in frame" 0 0 2
run "a bypass after a store is possible" "was asserted in frame" 0 0 3
run "a write-back is possible" "was asserted in frame" 0 1 4
cp -r rtl "$copy/rtl"
cd "$copy" || exit 2
sed -i 's/assign line_release_o  *= committed_i && !line_write_o/& \&\& !pending_i/' rtl/l1d/byw_write_decide.v
cmp -s rtl/l1d/byw_write_decide.v "$OLDPWD/rtl/l1d/byw_write_decide.v" && failed=1
run "a store that leaves the MSHR of its line attached is found" "was asserted in frame" 0 0 0 _fault
exit $failed
