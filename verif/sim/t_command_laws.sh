#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_command_laws.sh - the metamorphic laws on the `byway` command: every shipped machine runs a shipped
# trace.  Prints TAP.  Uses $BYWAY (default build/byway).
set -u
cd "$(dirname "$0")/../.." || exit 1
byway=$(realpath "${BYWAY:-build/byway}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

. verif/common/tap.sh
tap_logs=("$dir/err")
run() { # run NAME ARGS...: stores a result without the request and the time
    local name=$1
    shift
    "$byway" run -m "$machine" -w "$workload" "$@" --json "$dir/$name.json" >"$dir/out" 2>"$dir/err" ||
        return 1
    sed '/"config": {/,/^ }/d; /"sim": {/,/^ }/d; /"provenance": {/,/^ }/d' "$dir/$name.json" >"$dir/$name"
}
same() { cmp -s "$dir/$1" "$dir/$2"; }
value() { # value NAME KEY: value of the first such member
    sed -n "s/.*\"$2\": \([0-9.]*\).*/\1/p" "$dir/$1.json" | head -n 1
}
work() { # prints counts that do not depend on timing
    grep -E '"(warp|thread)_instructions": |"(loads|stores|atomics|transactions)": ' "$dir/$1" | head -n 6
}
holds() { # holds NAME COMMAND...
    local name=$1
    shift
    "$@"
    result $? "$machine: $name"
}

doubled_clocks() { # energy excepted, because leakage depends on time
    local set=() clock name
    for clock in core icnt l2 dram; do
        set+=(--set "clock.${clock}_mhz=$((2 * $(value base "clock.${clock}_mhz")))")
    done
    run doubled "${set[@]}" || return 1
    for name in base doubled; do
        sed '/"energy": {/,/^ }/d' "$dir/$name" >"$dir/$name.rest"
    done
    same base.rest doubled.rest &&
        awk -v one="$(value base l1_leakage_nj)" -v half="$(value doubled l1_leakage_nj)" \
            'BEGIN { exit !(one > 0 && (2 * half - one) / one < 1e-8 && (one - 2 * half) / one < 1e-8) }'
}
policy_off() {
    run off --set decoupled.threshold=9 --set duel.interval=77 --set two_level.sample=100 \
        --set pc.entries=512 --set pc.threshold=3 --set l2_policy.dbi_entries=64 && same base off
}
ideal_memory() {
    run ideal --set dram.ideal=on && [ "$(value ideal cycles)" -le "$(value base cycles)" ]
}
other_timing() {
    run other --set l2.rop_latency=31 --set icnt.eject_latency=9 --set dram.queue=5 --set l1d.mshrs=9 \
        --set l1d.miss_queue=3 --set sm.scheduler=lrr --set sm.writeback=5 --set dram.t_rcd=40 &&
        [ "$(value other cycles)" != "$(value base cycles)" ] && [ -n "$(work other)" ] &&
        [ "$(work other)" = "$(work base)" ]
}
configuration_echoed() { # every key is echoed with the value that was set
    local keys
    keys=$("$byway" list configs --template machine | grep -c '^[a-z0-9_.]* = ')
    keys=$((keys + $("$byway" list configs --template policy | grep -c '^[a-z0-9_.]* = ')))
    [ "$(sed -n '/"config": {/,/^ }/p' "$dir/other.json" | grep -c '": ')" = $((keys + 1)) ] &&
        grep -q '"l2.rop_latency": 31' "$dir/other.json" && grep -q '"sm.scheduler": "lrr"' "$dir/other.json"
}

for file in cmodel/configs/machines/*.cfg; do
    machine=$(basename "$file" .cfg)
    workload=bh
    "$byway" list machines "$machine" | grep -q "^sm.warp_lanes = 64" && workload=bfs # also shipped in warps of 64
    holds "runs" run base
    holds "a second run is the first" run again
    holds "and equal" same base again
    holds "all clocks doubled: the same cycles, half the time" doubled_clocks
    holds "a policy that is off changes nothing" policy_off
    holds "an ideal memory is a lower bound" ideal_memory
    holds "work does not depend on timing" other_timing
    holds "the resolved configuration is in the result" configuration_echoed
done
finish
