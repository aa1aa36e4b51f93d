#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_four_state.sh - in a four-state simulator nothing unknown reaches an output of byw_l1d, at the
# parameters of its lock-step programs: four_state_tb.v under Icarus Verilog, with the checkers of
# rtl/check, flags of sets in RAM and in flip-flops by turns. `make test` runs every
# second small configuration, `make test-all` all configurations with two seeds each.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v iverilog >/dev/null || skip_all "no Icarus Verilog; apt-get install iverilog"
tap_folder log
mapfile -t files < <(grep -v '^[#+]' rtl/byw_l1d.f)

# run RTL CYCLES SEED NAME=VALUE...: stores the test bench's output in $dir/log.
run() {
    local rtl=$1 cycles=$2 seed=$3
    shift 3
    echo "rerun: iverilog -g2012 -DBYW_ASSERT_SIM -DBYW_LUT_RAM=$ram -I$rtl/include -s four_state_tb ${*/#/-Pfour_state_tb.}; vvp +seed=$seed" >"$dir/log"
    iverilog -g2012 -DBYW_ASSERT_SIM -DBYW_LUT_RAM="$ram" -I"$rtl/include" -s four_state_tb -o "$dir/tb" "${@/#/-Pfour_state_tb.}" \
        "${files[@]/#rtl/$rtl}" rtl/check/*.v verif/l1d/four_state_tb.v >>"$dir/log" 2>&1 &&
        vvp -n "$dir/tb" +seed="$seed" +cycles="$cycles" >>"$dir/log" 2>&1 && grep -q '^PASS' "$dir/log"
}

# Names the configuration by the parameters that matter.
name_of() {
    local word out=
    for word in "$@"; do
        case $word in
        ALLOC=1 | LOOK=1 | SETS=* | DATA_WAYS=* | LINE_BYTES=* | ORDER=* | BEAT_BYTES=* | FENCE=* | STORE_IDS=* | PARITY=1 | REPL=[1-9]*) out+=" $word" ;;
        esac
    done
    echo "${out# }"
}

seeds=1 cycles=1200 ram=0
if in_test_all; then
    seeds="1 2" cycles=3000
fi
sets=$(make --no-print-directory -s cosim-sets | tr ' ' '\n' | grep '^byw_l1d:' | cut -d: -f2-)
[ -n "$sets" ]
result $? "the lock-step programs have parameter sets of byw_l1d"
small=0
for set in $sets; do
    case $set in
    *:SETS=512:*) in_test_all || continue ;;
    *LINE_BYTES=8:* | *SETS=[1-4]:*LINE_BYTES=32:*)
        small=$((small + 1))
        in_test_all || [ $((small % 2)) = 1 ] || continue
        ;;
    *) in_test_all || continue ;;
    esac
    mapfile -t values < <(tr : '\n' <<<"$set")
    for seed in $seeds; do
        ram=$((1 - ram))
        run rtl $cycles "$seed" "${values[@]}"
        result $? "nothing unknown leaves the cache with $(name_of "${values[@]}") LUT_RAM=$ram, seed $seed"
    done
done

# Proves that the test can fail: an unknown set number that spreads into the dirty bits is found, at a
# handshake or by an assertion about these bits.
cp -r rtl "$dir/rtl"
sed -i 's/if (next_set_i == query_set_i) same_set = 1.b1;/same_set = next_set_i == query_set_i; if (1) ;/; s/else                           same_set = 1.b0;//' \
    "$dir/rtl/l1d/byw_data_store.v"
! cmp -s rtl/l1d/byw_data_store.v "$dir/rtl/l1d/byw_data_store.v" && ! run "$dir/rtl" 2000 1 LOOK=1 &&
    grep -Eq '^(unknown handshake|FAIL .*u_lines[.])' "$dir/log"
result $? "an unknown set number that spreads is detected"
finish
