#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prove_l1d.sh - proves verif/formal/l1d_safety.v for all time by induction: ABC shows that the
# properties and the lemmas of l1d_lemmas.in hold in the first FRAMES cycles, from arbitrary
# registers and RAMs before the first reset, and that they hold in any cycle after FRAMES cycles in
# which they held. Properties that must be refuted show that the environment's rules allow traffic;
# faults in the RTL show that the properties can fail. SRC: the folder whose rtl is proved (default:
# this one). One line per proof; exit 1 if one fails.
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=${B:-build}/formal
mkdir -p "$dir"
dir=$(realpath "$dir")
formal=$PWD/verif/formal
# The assumptions of byw_data_store, under which prove_bytes.sh proves it, are proved here with the rest.
files=$(synth/files.sh byw_l1d | tr ' ' '\n' | grep -v /byw_data_store.v | tr '\n' ' ')
abc=$(command -v berkeley-abc || command -v yosys-abc)
. verif/formal/lower.sh
cd "${SRC:-.}" || exit 2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0
frames=8
# "tap" lines become wires that flatten connects to the net of that name.
sed -E 's/^ *tap (\[[^ ]+ )?([a-z0-9_]+) = ([^;]+);$/  (* hierconn *) wire \1\\u_l1d.\3 ; wire \1\2 = \\u_l1d.\3 ;/' \
    "$formal/l1d_lemmas.in" >"$dir/l1d_lemmas.vh"

# to_aiger NAME PROPERTIES [OPTION]: memory_map comes before flatten, so that taps reach the words of RAMs.
# BYW_LUT_RAM 0: the flags of the sets are registers.
to_aiger() {
    yosys -q -p "read_verilog -formal -DBYW_ASSERT_FORMAL -DBYW_LUT_RAM=0 -Irtl/include rtl/l1d/byw_data_store.v
        verilog_defines -reset
        read_verilog -formal ${3:-} -DBYW_LUT_RAM=0 -I$dir -Irtl/include $files $2
        hierarchy -check -top l1d_safety; proc; memory_map; flatten; opt_clean; $lower opt -full
        setundef -undriven -anyseq; setundef -anyseq; opt -full; techmap; setundef -anyseq; opt -fast; dffunmap
        setundef -anyseq; opt_clean; aigmap; opt_clean; write_aiger -zinit $dir/$1.aig" >"$dir/$1.log" 2>&1
}

verdict() { # GOOD NAME WORDS
    if [ "$1" = 0 ]; then
        echo "PASS $2: $3"
    else
        echo "FAIL $2: $3, see $dir/$2.log"
        failed=1
    fi
}

prove() { # NAME PROPERTIES WORDS
    to_aiger "$1" "$2" -DL1D_LEMMAS
    "$abc" -q "read_aiger $dir/$1.aig; fold; strash; orpos; bmc3 -F $frames -T ${LIMIT:-300}; ind -F $frames -C 0 -T ${LIMIT:-300}" \
        >>"$dir/$1.log" 2>&1
    grep -q "No output asserted in $frames frames" "$dir/$1.log" && grep -q "Networks are equivalent" "$dir/$1.log"
    verdict $? "$1" "$3"
}

refute() { # NAME PROPERTIES WORDS
    to_aiger "$1" "$2"
    "$abc" -q "read_aiger $dir/$1.aig; fold; strash; orpos; scorr; dc2; bmc3 -F 40 -T ${LIMIT:-300}" >>"$dir/$1.log" 2>&1
    grep -q "asserted in frame" "$dir/$1.log"
    verdict $? "$1" "$3"
}

variant() { # NAME SED: the properties, changed
    sed "$2" "$formal/l1d_safety.v" >"$dir/$1.v"
    ! cmp -s "$formal/l1d_safety.v" "$dir/$1.v" || verdict 1 "$1" "the change applies"
}

fault() { # NAME FILE SED WORDS: a fault in a copy of the RTL is found
    rm -rf "$copy/rtl"
    cp -r rtl "$copy/rtl"
    sed -i "$3" "$copy/$2"
    ! cmp -s "$2" "$copy/$2" || verdict 1 "$1" "the fault applies"
    cd "$copy" || exit 2
    refute "$1" "$formal/l1d_safety.v" "$4"
    cd "$OLDPWD" || exit 2
}

prove l1d_safety "$formal/l1d_safety.v" "answers, idle, leaks, numbers, stable, assumptions of the data store: all time (ABC ind)"
variant l1d_refuted 's/if (rsp_valid) assert (due\[rsp_id\]);/assert (!told_fill);/'
refute l1d_refuted "$dir/l1d_refuted.v" "a fill does come (the rules leave room for traffic)"
variant l1d_hasty 's/QUIET = 4/QUIET = 3/'
refute l1d_hasty "$dir/l1d_hasty.v" "not all is answered after 3 quiet cycles"
fault l1d_forgets rtl/l1d/byw_rsp_arb.v 's/held_q   <= !rsp_ready_i/held_q   <= 1'"'"'b0/' \
    "an arbiter that forgets a shown response is found"
fault l1d_leaks rtl/l1d/byw_fill.v 's/fill_drained  *= drain_i && drain_last_i/& \&\& !fill_error_o/' \
    "a fill buffer lost with each error is found"
fault l1d_cleans rtl/l1d/byw_l1d_ctrl.v 's/assign wb_load_o  *= wb_possible && line_must_clean_o/assign wb_load_o   = wb_possible \&\& s2_active/' \
    "a write-back of a clean line breaks an assumption of the data store"
exit $failed
