#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_cbmc.sh [NAME...] - proves by CBMC, at full width, that decision functions of the C model equal the
# combinational RTL: Yosys writes a module as AIGER, aag2c.awk makes C of it, and a harness
# of verif/formal/cbmc compares all outputs for all inputs.  A changed gate must be found.  TAP.  CBMC
# is in Debian 13: `make cbmc-root` unpacks it into a private folder (CBMC_ROOT).
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
root=${CBMC_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/byway/cbmc-root}
libs=$root/usr/lib/x86_64-linux-gnu
if command -v cbmc >/dev/null; then
    cbmc=(cbmc)
elif [ -e "$root/complete" ]; then
    # Its own C library; the preprocessor that it calls is the one of this system.
    cbmc=("$libs/ld-linux-x86-64.so.2" --library-path "$libs:$root/usr/lib" "$root/usr/bin/cbmc")
else
    skip_all "no CBMC: C and RTL are not proved equal at full width; make cbmc-root"
fi
command -v yosys >/dev/null || skip_all "no Yosys; apt-get install yosys"
tap_folder yosys.log cbmc.log

# name|module|parameters|harness
table='
index_fermi32|byw_set_index|SETS=32 LINE_BYTES=128 LINE_W=33 INDEX=1|eq_index.c
index_fermi64|byw_set_index|SETS=64 LINE_BYTES=128 LINE_W=33 INDEX=1|eq_index.c
index_fold32|byw_set_index|SETS=32 LINE_BYTES=128 LINE_W=33 INDEX=2|eq_index.c
index_linear|byw_set_index|SETS=32 LINE_BYTES=128 LINE_W=33 INDEX=0|eq_index.c
lru_8|byw_repl|WAYS=8 REPL=0|eq_repl.c
lru_16|byw_repl|WAYS=16 REPL=0|eq_repl.c
srrip_16|byw_repl|WAYS=16 REPL=1|eq_repl.c
policy_4x8|byw_policy|TAG_WAYS=8 DATA_WAYS=4 RC_W=6 REPL=0|eq_policy.c
'

circuit() { # circuit MODULE PARAMETERS: writes $dir/dut.c
    local set="" p
    for p in $2; do set+=" -set ${p%%=*} ${p#*=}"; done
    yosys -q -p "read_verilog -Irtl/include $(synth/files.sh "$1"); chparam$set $1; hierarchy -check -top $1
        proc; flatten; opt -full; memory_map; techmap; setundef -undriven -zero; setundef -zero
        opt; aigmap; opt_clean; write_aiger -ascii -symbols $dir/dut.aag" >"$dir/yosys.log" 2>&1 &&
        awk -f verif/formal/cbmc/aag2c.awk "$dir/dut.aag" >"$dir/dut.c"
}
# The arrays of a record have the size of the parameters, because CBMC has no flexible arrays.
mkdir "$dir/record"
sed 's/\(BYW_TAG_WAYS_MAX =\) 128/\1 P_TAG_WAYS/; s/\(BYW_DATA_WAYS_MAX =\) 64/\1 P_DATA_WAYS/; s/tag\[\];/tag[P_TAG_WAYS];/' \
    cmodel/model/record/byw_set.h >"$dir/record/byw_set.h"
prove() { # prove PARAMETERS HARNESS: uses $dir/dut.c; every loop ends within 80 iterations
    local set="$1" sources=()
    [ "$2" = eq_policy.c ] && sources=(verif/formal/cbmc/defaults.c cmodel/model/policy/byw_{policy,locality}.c
        cmodel/model/record/byw_write_decide.c)
    case $set in
    *TAG_WAYS=*) ;;
    *) set+=" TAG_WAYS=$(ways "$1") DATA_WAYS=$(ways "$1")" ;;
    esac
    # shellcheck disable=SC2046,SC2086 # words
    timeout "${LIMIT:-1800}" "${cbmc[@]}" $(printf -- '-DP_%s ' $set) -Iverif/formal/cbmc -I"$dir" -Iverif -Icmodel/model -Icmodel \
        "verif/formal/cbmc/$2" "${sources[@]}" "$dir/dut.c" cmodel/model/record/byw_set.c cmodel/model/record/byw_repl*.c \
        --unwind 80 --unwinding-assertions --no-standard-checks >"$dir/cbmc.log" 2>&1
}
ways() { # ways PARAMETERS: the value of WAYS; 1 if there is none
    tr ' ' '\n' <<<"$1" | sed -n 's/^WAYS=//p' | grep . || echo 1
}

while IFS='|' read -r name module parameters harness; do
    [ -n "$name" ] || continue
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    circuit "$module" "$parameters" && prove "$parameters" "$harness" && grep -q '^VERIFICATION SUCCESSFUL' "$dir/cbmc.log"
    result $? "$name: C and RTL agree for all inputs"
    # Inverts the gate that drives the first output.
    sed -i '0,/ |= (uint32_t)(/s// |= (uint32_t)!(/' "$dir/dut.c"
    prove "$parameters" "$harness"
    [ $? = 10 ] && grep -q '^VERIFICATION FAILED' "$dir/cbmc.log"
    result $? "$name: an inverted output is found"
done <<<"$table"
finish
