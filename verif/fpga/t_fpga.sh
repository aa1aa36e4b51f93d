#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_fpga.sh - the self-test of fpga/ gives the right verdict in simulation: a correct cache passes
# under Verilator and, with all outputs known for any RAM contents, under Icarus; each broken one
# fails. Skipped if both simulators are missing.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
tap_folder said
small="LINE_BYTES=32 SETS=8 DATA_WAYS=2 MSHRS=8 MERGES=4 LINE_W=20 LINES_W=7"

icarus= verilator=
command -v iverilog >/dev/null && icarus=yes
command -v verilator >/dev/null && verilator --help 2>/dev/null | grep -q -- '--binary' && verilator=yes
[ -n "$icarus$verilator" ] || skip_all "neither Icarus nor Verilator 5: the self-test is not run; apt-get install iverilog"

sound() { # sound NAME OPTION...
    local name=$1
    shift
    fpga/sim.sh "$@" >"$dir/said" 2>&1 && grep -q '^PASS' "$dir/said"
    result $? "$name"
}

# broken NAME FILE SED CODE [PARAMETER...]: the cache with one line of FILE changed fails.
broken() {
    rm -rf "$dir/rtl"
    cp -r rtl "$dir/rtl"
    sed -i "$3" "$dir/rtl/$2"
    if cmp -s "rtl/$2" "$dir/rtl/$2"; then
        echo "$2 has no such line: $3" >"$dir/said"
        result 1 "$1"
        return
    fi
    # shellcheck disable=SC2086 # parameters
    fpga/sim.sh -t icarus -n 8 -r "$dir/rtl" $small "${@:5}" >"$dir/said" 2>&1
    [ $? = 1 ] && grep -q "^FAIL $4" "$dir/said"
    result $? "$1"
}

if [ -n "$verilator" ]; then
    # shellcheck disable=SC2086
    sound "all mechanisms, Verilator" -n 9 $small
    # shellcheck disable=SC2086
    ! in_test_all || sound "all mechanisms, lines of 8 beats, Verilator" -n 9 "${small/LINE_BYTES=32/LINE_BYTES=64}" BEAT_BYTES=8 LOOK=1
fi
if [ -n "$icarus" ]; then
    # shellcheck disable=SC2086
    sound "all mechanisms, Icarus: no unknown output" -t icarus -n 8 $small
    broken "a store writes another bit" l1d/byw_data_store.v \
        's/wr_data = fill_write ? fill_data_i : store_data_i;/wr_data = fill_write ? fill_data_i : store_data_i ^ 2;/' 'code 1'
    broken "what a RAM held reaches an output" l1d/byw_miss_queue.v \
        's/assign miss_room_o .*/assign miss_room_o = (miss_q != MISS_DEPTH[MISS_W-1:0]) \&\& (u_rest.mem_q[LAST][0] || !u_rest.mem_q[LAST][0]);/' 'unknown'
    in_test_all || finish
    broken "dirty bytes stay behind" l1d/byw_data_store.v \
        's/wire  *dirty_store *= .*/wire dirty_store = store_i \&\& store_dirty_i \&\& (|store_mask_i) \&\& !store_mask_i[3];/' 'code [135]'
    broken "what is pushed as the last entry leaves the queue does not become its head" l1d/byw_miss_queue.v \
        's/wire *to_head *= .*/wire to_head = !pop_valid_o;/' ''
    while IFS='|' read -r name _ board _ parameters; do
        case $name$board in '' | '#'* | *long*) continue ;; esac
        # shellcheck disable=SC2086
        sound "$name, Icarus: no unknown output" -t icarus -n 9 $(rtl/config.sh expand byw_fpga_test "$parameters")
    done <fpga/configs.txt
    # shellcheck disable=SC2086
    sound "lines of 4 beats, Icarus: no unknown output" -t icarus -n 8 $small BEAT_BYTES=8
    broken "beats: a fill's beats stand in another order" l1d/byw_data_store.v \
        's/assign fill_word  = {fill_line, fill_beat_i};/assign fill_word  = {fill_line, ~fill_beat_i};/' 'code [13]' BEAT_BYTES=8
    broken "beats: a merged load gets the first beat" l1d/byw_fill.v \
        's/rd_addr_i({head_q, fill_beat_i})/rd_addr_i({head_q, {BEAT_PW{1'"'b0"'}}})/' 'code 1' BEAT_BYTES=8
    broken "beats: dirty bytes of the last one stay behind" l1d/byw_data_store.v \
        's/wire  *dirty_store *= .*/wire dirty_store = store_i \&\& store_dirty_i \&\& (|store_mask_i) \&\& !(\&store_beat_i);/' 'code [135]' BEAT_BYTES=8
fi
finish
