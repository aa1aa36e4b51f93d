#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_assertions.sh - a fault in byw_l1d triggers the assertion that states the broken rule: random
# traffic of four_state_tb.v under Icarus Verilog on the RTL with one change. `make test` uses some
# of the faults, `make test-all` all of them. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v iverilog >/dev/null || skip_all "no Icarus Verilog; apt-get install iverilog"
tap_folder log
mapfile -t files < <(grep -v '^[#+]' rtl/byw_l1d.f)
small="SETS=4 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=8 MSHRS=2 MERGES=2 MISS_DEPTH=2 BYPASS_DEPTH=1 TRACKERS=2 PC_ENTRIES=8 PC_BITS=2"

# breaks FILE SED ASSERTION [NAME=VALUE...]
breaks() {
    local set=($small "${@:4}")
    rm -rf "$dir/rtl"
    cp -r rtl "$dir/rtl"
    sed -i "$2" "$dir/rtl/$1"
    if cmp -s "rtl/$1" "$dir/rtl/$1"; then
        echo "$1 has no such line: $2" >"$dir/log"
        result 1 "$3"
        return
    fi
    iverilog -g2012 -DBYW_ASSERT_SIM -Irtl/include -s four_state_tb -o "$dir/tb" "${set[@]/#/-Pfour_state_tb.}" \
        "${files[@]/#rtl/$dir/rtl}" rtl/check/*.v verif/l1d/four_state_tb.v >"$dir/log" 2>&1 &&
        timeout 120 vvp -n "$dir/tb" +seed=1 +cycles=6000 >>"$dir/log" 2>&1
    grep -m 1 '^FAIL four_state_tb' "$dir/log" | grep -q "\.$3\$"
    result $? "a fault in ${1##*/} is seen: ${3//_/ }"
}

ctrl=l1d/byw_l1d_ctrl.v
breaks $ctrl 's/wire s2_active  *= s2_valid_i && !kernel_start_i/wire s2_active = s2_valid_i/' kernel_start_decides_nothing
breaks $ctrl 's/assign s2_accept_o  *= s2_decides && req_can_leave_i/assign s2_accept_o  = s2_decides/' a_refusal_changes_nothing
breaks $ctrl 's/|| store_held;/;/' fill_and_store_never_together
breaks common/byw_id_pool.v 's/ring_q\[tail_q\] <= give_id_i/ring_q[tail_q] <= ~give_id_i/' number_to_take_is_free
breaks l1d/byw_rsp_arb.v 's/assign turn_o = held_q ? choice_q : first/assign turn_o = first/' shown_source_stays
in_test_all || finish
breaks $ctrl 's/= access_counted && req_bypass_i;/= 1'"'b0"';/' an_accepted_access_has_one_outcome
breaks $ctrl 's/(s2_is_load || ((s2_op_i == BYW_OP_ATOMIC) && !s2_is_atomic))/1'"'b0"'/' only_an_access_has_an_outcome
breaks $ctrl 's/assign store_send_o  *= store_accept && store_to_mem/assign store_send_o   = store_accept/' what_is_sent_is_accepted
breaks $ctrl 's/assign line_wr_o  *= store_accept && line_store_i/assign line_wr_o  = s2_valid_i \&\& line_store_i \&\& !store_held/' a_store_writes_when_accepted
breaks $ctrl 's/= (s2_accept_o && line_evict_i) ||$/=/' an_install_counts_what_it_evicts
breaks l1d/byw_l1d_rsp.v 's/fill_take_i(beat_taken_i)/fill_take_i(beat_taken_i || (fill_valid_o \&\& !fill_ready_o))/' fill_needs_a_buffer MSHRS=4 MERGES=4
breaks $ctrl 's/assign beat_taken_o  *= mem_rsp_valid_i && rsp_is_fill && fill_ready_i/assign beat_taken_o    = mem_rsp_valid_i \&\& rsp_is_fill/' response_taken_is_offered_and_free MSHRS=4 MERGES=4
breaks $ctrl "s/wire direct_free = .*/wire direct_free = 1'b1;/" response_needs_path_2
breaks l1d/byw_l1d_rsp.v 's/of_fill    = turn_o.BYW_SRC_FILL. && /of_fill    = /' one_source_is_shown
breaks l1d/byw_l1d_decide.v 's/\.req_bypass_o(req_bypass_o)/.req_bypass_o()/' one_outcome_at_most
breaks l1d/byw_l1d_lines.v 's/any_dirty_o(any_dirty_o)/any_dirty_o(any)/; s/  wire .*walk_set, walk_ahead;/  wire any; assign any_dirty_o = any \&\& s2_walks_i;&/' \
    dirty_line_is_counted
breaks common/byw_id_pool.v 's/none_q <= take_i && (head_after == tail_q)/none_q <= take_i/' ready_while_a_number_is_free
breaks common/byw_id_pool.v 's/all_q  <= give_i && (tail_after == head_q)/all_q  <= give_i/' all_free_when_none_is_used
breaks l1d/byw_miss_queue.v 's/any_q  *<= push_miss_i || push_bypass_i || (any_q && !(one && pop))/any_q <= push_miss_i || push_bypass_i || any_q/' valid_while_not_empty
breaks l1d/byw_miss_queue.v 's/assign miss_room_o   = !miss_full_q/assign miss_room_o   = 1'"'b1"'/' room_is_a_credit
breaks l1d/byw_rsp_arb.v 's/assign turn_o = held_q ? choice_q : first/assign turn_o = held_q ? choice_q : 3'"'b111"'/' one_valid_source_is_shown
breaks l1d/byw_mshr.v 's/assign list_room_o  *= match_count != FULL/assign list_room_o = 1'"'b1"'/' list_within_merges ALLOC=1 MERGES=1
breaks l1d/byw_mshr.v 's/assign mshr_match_o  *= |match;/assign mshr_match_o = 1'"'b0"';/' one_register_per_line ALLOC=1 MSHRS=4
breaks l1d/byw_order.v 's/(!busy_q\[next_q\] && !conflict)/!conflict/' guarded_number_is_not_in_use ORDER=1 IN_FLIGHT=2
breaks l1d/byw_order.v 's/(!busy_q\[next_q\] && !conflict)/!busy_q[next_q]/' line_is_not_in_flight ORDER=1 IN_FLIGHT=4
breaks l1d/byw_data_store.v 's/any_dirty_q  *<= !clean_i ? any_dirty_o : .*/any_dirty_q <= any_dirty_o;/' any_dirty_when_the_count_is_not_0
finish
