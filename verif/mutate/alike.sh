#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# alike.sh [FIRST [LAST]] - `make mutate-alike`: the two sides of every drawn fault (draw.awk) are alike:
# with the fault in RTL and C model, the lock step of the units that have it still passes.
#
# All faults are put into one copy of the tree, B/alike/tree; byw_fault, which is BYW_FAULT of the
# environment, chooses one at run time, so every lock-step program is built once.  A fault may also
# break a rule that a program states without the twin, or end the program: such runs are listed as
# "stopped" and say nothing about the cycles after that.  FIRST, LAST: numbers of faults, by default
# all.  EXCLUDED=1: only the faults that pairs.txt excludes (only, except), which should differ; prints
# those that do not, and their counts.  CYCLES, SEED: of a run (3000, 1).  KEEP=1: reuses the last run's copy.  Prints the faults
# that differ; last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
jobs=${JOBS:-2}
dir=$B/alike
tree=$dir/tree
cycles=${CYCLES:-3000}
seed=${SEED:-1}
# Rules that the programs check on one side alone.
rules='cycles until the cache is idle|requests of one line in flight that must not be|memory when idle|lanes answered twice or not asked|an invariant of the C model|leaders want'
mkdir -p "$dir"
draw() { awk "$@" -f verif/mutate/draw.awk verif/mutate/pairs.txt; }
whole=${EXCLUDED:+-v whole=1}
# shellcheck disable=SC2086 # nothing, or two words
draw $whole >"$dir/faults" && draw >"$dir/drawn" || exit 2

programs_of() { # programs_of RTL: lock-step programs that reach all its pairs
    case $1 in
    */byw_install.v) echo install_3x2 ;;
    */byw_order.v) echo order_writes order_all ;;
    */byw_repl_*.v) echo policy_4x8 policy_3x5 ;;
    */byw_l1d_decide.v) echo l1d_beat16_order l1d_beat8_look_fence l1d_fill_order sm_l1_trial ;;
    */byw_l1d_*.v | */byw_mshr_drain.v) echo l1d_beat16_order l1d_beat8_look_fence l1d_fill_order ;;
    */byw_sectored.v) echo sectored_3x2 l1d_fill_order ;;
    */byw_protection_rule.v) echo protection_small ;;
    */byw_sm_duel.v) echo sm_duel ;;
    */byw_cross_duel.v) echo cross_duel_5 ;;
    */byw_pc_*.v) echo pc_pred_small pc_pred_look ;;
    */byw_trials.v | */byw_trial_rule.v) echo trials_small ;;
    */byw_two_level.v) echo two_level ;;
    */byw_mrmu.v | */byw_womu.v | */byw_bdu.v | */byw_csr.v | */byw_stats.v) basename "$1" .v | sed s/byw_// ;;
    */byw_sm_trial.v) echo sm_l1_trial ;;
    */byw_cluster.v) echo cluster_4sm ;;
    */byw_warp_fifos.v) echo warp_fifos_3x5 ;;
    */byw_lane_coalescer.v) echo lane_coalescer_4 ;;
    */byw_lanes.v) echo lanes_4x8 ;;
    */byw_dbi*.v) echo dbi_4x3 ;;
    */byw_l2_*.v) echo l2_pc_bypass_64x3 ;;
    *) echo policy_4x8 policy_3x5 l1d_beat8_look_fence ;;
    esac
}

# The copy, with the objects of B.  Assertions are off: a faulty unit may break its own.
copy() {
    rm -rf "$tree"
    mkdir -p "$tree/build"
    tar cf - --exclude=cmodel/traces Makefile .ci cmodel fpga rtl synth verif | tar xf - -C "$tree"
    tar cf - -C "$B" --exclude=./alike --exclude=./cosim --exclude=./draw --exclude=./faults --exclude=./asan \
        --exclude=./mutate --exclude=./soak --exclude=./test --exclude=./formal . | tar xf - -C "$tree/build"
    # shellcheck disable=SC2086
    draw $whole -v all=1 -v out="$tree" || exit 2
    sed -i 's/-DBYW_ASSERT_SIM//; s/-Werror-UNOPTFLAT/-Wno-UNOPTFLAT/; /^VL_CHECK/s/\$(CHECK_SRC)//' "$tree/verif/cosim/cosim.mk"
    echo 'int byw_fault = std::getenv("BYW_FAULT") ? std::atoi(std::getenv("BYW_FAULT")) : 0;' >>"$tree/verif/cosim/dut.cpp"
}

# verdict NUMBER RTL: "alike", or the program with its first line of difference, or how it stopped.
verdict() {
    local program log=$dir/log.$1 status said=alike
    for program in $(programs_of "$2"); do
        (ulimit -t 5 -c 0; BYW_SOAK=1 BYW_FAULT=$1 "$tree/build/cosim/$program" "$seed" "$cycles") >"$log" 2>&1
        status=$?
        [ $status = 0 ] && continue
        if grep '^FAIL' "$log" | grep -qvE ": ($rules)"; then
            echo "differs: $(grep -m1 '^FAIL' "$log")"
            return
        fi
        said="stopped: $(grep -m1 '^FAIL' "$log" || echo "$program, exit code $status")"
    done
    echo "$said"
    rm -f "$log"
}

worker() { # worker K: each fault whose number is K modulo jobs
    local n=0 v c name fault
    while IFS=$'\t' read -r v c name fault; do
        n=$((n + 1))
        [ $((n % jobs)) = "$1" ] && [ $n -ge "$first" ] && [ $n -le "$last" ] || continue
        [ -z "$whole" ] || ! grep -qxF "$v"$'\t'"$c"$'\t'"$name"$'\t'"$fault" "$dir/drawn" || continue
        echo "$n|${v##*/}|${c##*/}|$name|$fault|$(verdict $n "$v" 2>/dev/null)"
    done <"$dir/faults"
}

first=${1:-1}
last=${2:-$(wc -l <"$dir/faults")}
[ -n "${KEEP:-}" ] && [ -d "$tree" ] || copy
targets=$(cut -f1 "$dir/faults" | sed -n "$first,${last}p" | sort -u | while read -r v; do programs_of "$v"; done | tr ' ' '\n' | sort -u)
# shellcheck disable=SC2086 # several targets
make -C "$tree" -s -k -j"$jobs" B=build WERROR= $(printf 'build/cosim/%s ' $targets) >"$dir/make.log" 2>&1 ||
    { echo "the lock-step programs with all faults do not build, see $dir/make.log" >&2; exit 2; }
for program in $targets; do
    BYW_SOAK=1 "$tree/build/cosim/$program" "$seed" "$cycles" >"$dir/log" 2>&1 ||
        { echo "$program fails without a fault, see $dir/log" >&2; exit 2; }
done
for ((k = 0; k < jobs; k++)); do worker $k >"$dir/verdicts.$k" & done
wait
cat "$dir"/verdicts.? | sort -n >"$dir/verdicts"
if [ -n "$whole" ]; then
    grep -v '|differs: ' "$dir/verdicts"
    echo "$(wc -l <"$dir/verdicts") excluded faults: $(grep -c '|differs: ' "$dir/verdicts") differ," \
        "$(grep -c '|stopped: ' "$dir/verdicts") stopped, $(grep -c '|alike$' "$dir/verdicts") alike"
    exit
fi
grep '|differs: ' "$dir/verdicts"
differ=$(grep -c '|differs: ' "$dir/verdicts")
total=$(wc -l <"$dir/verdicts")
echo "$total faults, $(grep -c '|stopped: ' "$dir/verdicts") stopped"
echo "$((total - differ)) passed, $differ failed"
[ "$differ" = 0 ]
