#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_arguments.sh - fpga/sim.sh and synth/files.sh refuse wrong arguments with exit 2 and one sentence
# before they start a tool: Icarus would ignore an unknown parameter and pass.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
. verif/common/tap.sh
tap_logs=("$dir/out" "$dir/err")

refuses() { # refuses PATTERN COMMAND...
    local pattern=$1
    shift
    "$@" >"$dir/out" 2>"$dir/err"
    [ $? = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q -- "$pattern" "$dir/err"
    result $? "$*: refused"
}
refuses "expected a configuration" fpga/sim.sh
refuses "configs.txt has no ecp6; it has .*ecp5_base" fpga/sim.sh ecp6
refuses "no simulator iverilog; expected verilator or icarus" fpga/sim.sh -t iverilog SETS=8
for few in 0 7 21 x ""; do
    refuses "-n is $few; expected 8 to 20" fpga/sim.sh -t icarus -n "$few" SETS=8
done
refuses "no parameter SET$" fpga/sim.sh -t icarus SETS=8 SET=8
refuses "SETS=x: expected NAME=NUMBER" fpga/sim.sh -t icarus SETS=x
refuses "SETS=: expected NAME=NUMBER" fpga/sim.sh -t icarus SETS=
refuses "MODULE" synth/files.sh
refuses "MODULE" synth/files.sh -f
refuses "MODULE" synth/files.sh byw_l1d byw_sm_l1
refuses "no module 'byw_l1'" synth/files.sh -f byw_l1

# Icarus is replaced by a command that fails, so that only the arguments are checked.
mkdir "$dir/bin"
printf '#!/bin/sh\necho elaborated\nexit 1\n' >"$dir/bin/iverilog"
chmod +x "$dir/bin/iverilog"
for name in $(grep -v '^#' fpga/configs.txt | cut -d'|' -f1); do
    [ "$(PATH=$dir/bin:$PATH fpga/sim.sh -t icarus "$name" 2>&1)" = elaborated ]
    result $? "$name: its parameters are accepted"
done
finish
