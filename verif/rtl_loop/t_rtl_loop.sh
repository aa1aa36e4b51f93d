#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_rtl_loop.sh [all|WORKLOAD...] - RTL in the loop: `byway run --l1d rtl` must give the JSON of
# `--l1d c`, cycles and every counter, except for the member `sim`.
#
# Shipped traces (default: a quick one, two in `make test-all`) x the shipped policies (POLICIES chooses), options that
# these do not set, and each refusal. Prints TAP; skips if byway-rtl (make rtl-sim) is missing or
# older than byway. At the end it prints the two simulation speeds.
set -u
cd "$(dirname "$0")/../.." || exit 1
byway=$(realpath "${BYWAY:-build/byway}")
. verif/common/tap.sh
# Paper 004's policies are for an L2 and for a machine with another L1. Mechanisms that exist in C
# only are refused (t_gaps.c); the RTL is built for LRU.
policies=${POLICIES:-$("$byway" list policies 2>/dev/null | awk '
    /^[a-z]/ { name[++n] = $1 }
    { said[n] = said[n] " " $0 }
    END { for (i = 1; i <= n; i++) if (said[i] !~ /C only/ && name[i] !~ /^mi_|srrip$/) print name[i] }')}
if [ ! -x "$byway-rtl" ] || [ "$byway-rtl" -ot "$byway" ]; then
    skip_all "no byway-rtl that is as new as byway; apt-get install verilator, then make rtl-sim"
fi
tap_folder why
seconds_c=0
seconds_rtl=0

seconds() { # of a result
    sed -n 's/^ *"seconds": \([0-9.]*\),*$/\1/p' "$1"
}
add() {
    awk -v a="$1" -v b="$2" 'BEGIN { print a + b }'
}
both() { # both WORKLOAD POLICY [OPTIONS]
    local l1d bad=0 run=("--workload" "$1" "--policy" "$2")
    shift 2
    for l1d in c rtl; do
        rm -f "$dir/$l1d.json"
        "$byway" run "${run[@]}" "$@" --l1d $l1d --json "$dir/$l1d.json" >"$dir/why" 2>&1 ||
            return 1
        sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$dir/$l1d.json" >"$dir/$l1d.rest"
        # Removes only the member `sim`.
        grep -q '"cycles": [1-9]' "$dir/$l1d.rest" && grep -q '"per_sm"' "$dir/$l1d.rest" || bad=1
    done
    seconds_c=$(add "$seconds_c" "$(seconds "$dir/c.json")")
    seconds_rtl=$(add "$seconds_rtl" "$(seconds "$dir/rtl.json")")
    diff "$dir/c.rest" "$dir/rtl.rest" >"$dir/why" && [ $bad = 0 ]
}
# Expects exit 2 and one sentence that contains every part (separated by |).
refuses() { # refuses NAME PARTS OPTIONS...
    local name=$1 parts=$2 good=0 part
    shift 2
    "$byway" run --workload fft --l1d rtl "$@" >"$dir/out" 2>"$dir/why"
    [ $? = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/why")" = 1 ] || good=1
    while IFS= read -r part; do
        grep -qF -- "$part" "$dir/why" || good=1
    done < <(tr '|' '\n' <<<"$parts")
    result $good "$name"
}

refuses "lines allocated on fill are refused" \
    "l1d.allocate = 0|asks for 1|make rtl-sim RTL_PARAMS=\"ALLOC=1 SECTORS=4\"" \
    --set l1d.allocate=on_fill --set l1d.sectors=4 --set coalescer.rule=sector
refuses "another geometry is refused" \
    "l1d.sets = 32|asks for 64|make rtl-sim RTL_PARAMS=\"SETS=64 MSHRS=16\"" \
    --set l1d.sets=64 --set l1d.mshrs=16
refuses "another predictor table is refused" \
    "pc.entries = 128|asks for 64|make rtl-sim RTL_PARAMS=\"PC_ENTRIES=64\"" \
    --policy pc --set pc.entries=64
refuses "other trials are refused" \
    "trial.rest = 4|asks for 8|make rtl-sim RTL_PARAMS=\"TRIAL_REST=8\"" \
    --policy hybrid_t --set trial.rest=8
if [ $# = 0 ]; then
    set -- spmv
    ! in_test_all || set -- fft spmv
elif [ "$1" = all ]; then
    set -- $(cd cmodel/traces && ls ./*.bwt | sed 's|^\./||; s|\.bwt$||')
fi
for workload; do
    for policy in $policies; do
        both "$workload" "$policy"
        result $? "$workload, $policy: the RTL gives the result of the C model"
    done
done
# Options that the shipped policies do not set, and windows that switch the filter often.
both spmv decoupled_duel --set duel.interval=20 --set duel.min_accesses=1 --set duel.margin_pct=1
result $? "spmv, dueling windows of 20 cycles"
both srad_v2 decoupled --set decoupled.bypass_on_rsfail=yes --set l1d.store_hit=update
result $? "srad_v2, a refused commit bypasses, stores update"
both srad_v2 two_level --set two_level.resample=periodic --set two_level.sample=100 \
    --set two_level.period=300 --set two_level.active_warps=last
result $? "srad_v2, two-level windows all the time, the last cycle's warps"
both spmv decoupled_duel --set two_level.enable=on --set two_level.resample=every_launch \
    --set two_level.sample=700 --set duel.interval=50 --set duel.min_accesses=1
result $? "spmv, two-level together with dueling"
both bfs pc --set pc.duel=off --set pc.sample=5 --set pc.threshold=2 --set pc.initial=1 \
    --set pc.invalidation_trains=yes
result $? "bfs, an eager PC predictor"
both bfs decoupled --set decoupled.rc_on_hit=yes --set decoupled.store_rc=yes \
    --set decoupled.lfu_victims=all --set policy.bypass_on_hit=evict
result $? "bfs, counting hits and stores, any victim"
both kmeans hybrid_t
result $? "kmeans, protecting and relieving after trials"
awk -v c="$seconds_c" -v r="$seconds_rtl" \
    'BEGIN { printf "# user seconds: C model %.1f, RTL %.1f, ratio %.0f\n", c, r, r / c }'
finish
