#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_protocol.sh - every rule of the checkers of rtl/check is reported by name when it is broken, and
# a sound run breaks none: protocol_tb.v under Icarus Verilog. The table of rtl/doc/checks.md is up
# to date. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v iverilog >/dev/null || skip_all "no Icarus Verilog; apt-get install iverilog"
tap_folder log

build() { # build NAME=VALUE...
    iverilog -g2005 -DBYW_ASSERT_SIM -Irtl/include -s protocol_tb -o "$dir/tb" "${@/#/-Pprotocol_tb.}" \
        rtl/check/*.v verif/check/protocol_tb.v >"$dir/log" 2>&1
}

sound() { # sound WORDS
    timeout 60 vvp -n "$dir/tb" +case=0 >"$dir/log" 2>&1 && grep -q '^PASS' "$dir/log"
    result $? "$1"
}

# breaks CASE RULE: the first message of that case names the rule.
seen=
breaks() {
    timeout 60 vvp -n "$dir/tb" +case="$1" >"$dir/log" 2>&1
    grep -m 1 '^FAIL' "$dir/log" | grep -q "\.$2\$"
    result $? "a fault is seen: ${2//_/ }"
    seen+=" $2"
}

build
sound "a run that keeps every rule passes"
while read -r number rule; do breaks "$number" "$rule"; done <<'END'
1 valid_stays_until_taken
2 payload_stays_until_taken
3 operation_exists
4 hint_exists
7 served_code_exists
8 load_is_answered_once
9 store_is_answered_once
10 maintenance_is_answered_once
11 maintenance_never_fails
12 idle_when_nothing_is_due
13 answer_within_bound
14 valid_stays_until_taken
15 payload_stays_until_taken
16 write_flag_fits_kind
17 bypass_flag_fits_kind
18 atomic_is_a_bypass
19 fill_asks_for_a_whole_sector
20 write_back_has_a_byte
21 number_is_not_in_use
25 idle_when_memory_owes_nothing
26 answer_was_asked_for
29 one_access_at_a_time
30 response_only_to_an_access
31 access_is_answered_within_bound
32 error_reads_0
33 valid_stays_until_taken
END
build FENCE=1 && breaks 5 fence_kind_exists
build SECTORS=2
sound "a run that keeps every rule passes, with sectors"
breaks 6 mask_within_a_sector
build ORDER=1
sound "a run that keeps every rule passes, with ORDER 1"
breaks 22 guarded_number_is_not_in_use
breaks 23 line_is_not_in_flight
build ORDER=2 && breaks 34 line_is_not_in_flight
build STORE_IDS=1 && breaks 24 numbered_stores_are_bounded
build && breaks 27 answer_was_asked_for
build BEAT_BYTES=8
sound "a run that keeps every rule passes, with beats"
breaks 28 beats_of_a_fill_stay_together

# Every rule is covered.
sed -n 's/.*`BYW_ASS[A-Z]*(\([a-z0-9_]*\),.*/\1/p' rtl/check/byw_{held,req_protocol,mem_protocol,csr_protocol}.v | sort -u >"$dir/rules"
tr ' ' '\n' <<<"$seen" | sort -u >"$dir/seen"
grep -vxF -f "$dir/seen" "$dir/rules" | sed 's/^/no fault for /' >"$dir/log"
[ ! -s "$dir/log" ]
result $? "every rule of the checkers has a fault"
sed -n '/^| module | guarantees/,$p' rtl/doc/checks.md | diff - <(verif/check/count.sh) >"$dir/log"
result $? "the table of rtl/doc/checks.md has the numbers of the RTL"
finish
