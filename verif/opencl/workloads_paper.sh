#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# workloads_paper.sh - captures every workload of the registry, checks its result, and simulates it
# on the machine of its paper with the cache on (bl) and bypassed (ball).
#
#     verif/opencl/workloads_paper.sh [--size test|small|large|paper] [WORKLOAD ...]
#
# Size large: those of cmodel/workloads/large.txt, with the inputs given there. Machines: fermi for
# the groups cnf, ci, cf and poly; pascal_paper for twolevel; gcn_apu for pc and gcn_ml for mi, both
# with wavefronts of 64; rdna2 for mpache. A workload of several groups runs on each of their
# machines. Traces and results stay in $B/workloads-paper/SIZE: run the same command again to
# resume, or remove that folder to start afresh. Prints a table; exit status 1 if anything failed,
# 77 without the runtime.
set -u
B=${B:-build}
size=test
if [ "${1:-}" = --size ]; then
    size=$2
    shift 2
fi
registry=cmodel/workloads/workloads.def
if [ ! -e "$B/lib/libOpenCL.so.1" ] || [ ! -x "$B/byway" ]; then
    echo "workloads_paper: needs $B/byway and $B/lib/libOpenCL.so.1 (make opencl); skipped" >&2
    exit 77
fi
out=$B/workloads-paper/$size
mkdir -p "$out" || exit 1

# NAME|PROGRAM|OPTIONS|GROUPS, one line per workload.
lines() {
    awk '/^BYW_WORKLOAD/ { text = "" } /^BYW_WORKLOAD|^ / { text = text $0 }
        text ~ /\)$/ && text ~ /^BYW_WORKLOAD/ {
            of = text ~ /^BYW_WORKLOAD_OF/
            n = split(text, part, "\"")
            if (of) print part[2] "|" part[4] "|" part[6] "|" part[14]
            else print part[2] "|" part[2] "||" part[10]
            text = ""
        }' "$registry"
}
machines_of() {
    local group list=
    for group in $1; do
        case $group in
        cnf | ci | cf | poly) list="$list fermi:32" ;;
        twolevel) list="$list pascal_paper:32" ;;
        mpache) list="$list rdna2:32" ;;
        mi) list="$list gcn_ml:64" ;;
        pc) list="$list gcn_apu:64" ;;
        esac
    done
    echo "$list" | tr ' ' '\n' | sort -u
}
number() { # number FILE KEY: the first figure of that name
    sed -n "s/^ *\"$2\": *\([0-9.]*\).*/\1/p" "$1" | head -1
}

good=0
bad=0
trouble() {
    printf '%-14s %-13s FAILED: %s\n' "$1" "$2" "$3"
    bad=$((bad + 1))
}
printf '%-14s %-13s %4s %9s %11s %11s %7s %7s %9s\n' workload machine warp instrs "BL cycles" \
    "BALL cycles" "BL IPC" BALL "BALL/BL"
while IFS='|' read -r name program options groups; do
    [ $# -gt 0 ] && case " $* " in *" $name "*) ;; *) continue ;; esac
    input="--size $size"
    if [ "$size" = large ]; then
        input=$(sed -n "s/^$name /--size small /p" cmodel/workloads/large.txt)
        [ -n "$input" ] || continue
    fi
    for place in $(machines_of "$groups"); do
        machine=${place%:*}
        warp=${place#*:}
        trace=$out/$name.$warp.bwt
        if [ ! -e "cmodel/configs/machines/$machine.cfg" ]; then
            trouble "$name" "$machine" "no such machine"
            continue
        fi
        # shellcheck disable=SC2086 # options are several words
        if [ ! -s "$trace" ] && ! "$B/byway" trace capture --warp "$warp" -o "$trace" -- \
            "$B/workloads/$program" $input $options >"$out/log" 2>&1; then
            trouble "$name" "$machine" "capture: $(tail -1 "$out/log")"
            continue
        fi
        result=$out/$name.$machine
        for policy in bl ball; do
            [ -s "$result.$policy.json" ] && continue
            if "$B/byway" run --machine "$machine" --policy $policy --trace "$trace" \
                --json "$result.tmp" >"$out/log" 2>&1; then
                mv "$result.tmp" "$result.$policy.json"
            else
                trouble "$name" "$machine" "$policy: $(tail -1 "$out/log")"
                continue 2
            fi
        done
        good=$((good + 1))
        awk -v n="$name" -v m="$machine" -v w="$warp" -v i="$(number "$result.bl.json" warp_instructions)" \
            -v c="$(number "$result.bl.json" cycles)" -v d="$(number "$result.ball.json" cycles)" 'BEGIN {
            printf "%-14s %-13s %4d %9d %11d %11d %7.3f %7.3f %9.3f\n", n, m, w, i, c, d, i / c, i / d, c / d }'
    done
done < <(lines)
echo "$good simulated, $bad failed"
[ $bad -eq 0 ]
