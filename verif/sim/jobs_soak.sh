#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# jobs_soak.sh - the result of a run does not depend on its number of threads: runs every shipped
# trace on every machine under every policy with -j 2 to 8 and compares with -j 1, byte by byte
# except for the members sim and provenance.
#
#     verif/sim/jobs_soak.sh [-c CYCLES] [-m "MACHINE ..."] [-p "POLICY ..."] [-w "WORKLOAD ..."] [-j "N ..."] [-s N]
#
# -c CYCLES: ends each run after CYCLES with a partial result; without it, all runs together take
# days. -s N: runs only every Nth case. Choose a prime that divides none of the numbers of machines,
# policies, traces and threads, so that the sample covers all of them; `make jobs-soak-sample` uses
# -s 499.
#
# Each pass runs every trace on every machine under every policy with one number of threads; the
# number changes from pass to pass, so the first pass already covers all combinations. Finished
# comparisons are recorded in $B/jobs-soak/done: run the same command again to resume, and remove
# that folder after a change of the code. Combinations that a machine refuses (warp width of the
# trace, policy) are not counted. Prints one line per pass and machine. Exit status 1: some result
# differed; the line that repeats the case is printed.
set -u
B=${B:-build}
dir=$B/jobs-soak
mkdir -p "$dir" || exit 1
touch "$dir/done"

names() { "$B/byway" list "$1" --json | sed -n 's/^ *"name": "\([^"]*\)".*/\1/p'; }

machines= policies= workloads= threads="2 3 4 5 6 7 8" each=1 cycles=
while getopts c:m:p:w:j:s: option; do
    case $option in
    c) cycles=$OPTARG ;;
    m) machines=$OPTARG ;;
    p) policies=$OPTARG ;;
    w) workloads=$OPTARG ;;
    j) threads=$OPTARG ;;
    s) each=$OPTARG ;;
    *) exit 2 ;;
    esac
done
machines=${machines:-$(names machines)}
policies=${policies:-$(names policies)}
workloads=${workloads:-$(cd cmodel/traces && ls ./*.bwt | sed 's|.*/||; s|\.bwt$||')}
read -ra threads <<<"$threads"
limit=${cycles:+--max-cycles $cycles}

# The checksum of a result, or "refused" if the run is not valid.
sum() { # sum MACHINE POLICY WORKLOAD N
    # shellcheck disable=SC2086 # an option and its value
    "$B/byway" run -m "$1" -p "$2" -w "$3" -j "$4" $limit -o - >"$dir/result.$$" 2>"$dir/error.$$"
    case $? in
    0) awk '/^ "(sim|provenance)": \{$/ { skip = 1 }
            !skip { print }
            /^ \},?$/ { skip = 0 }' "$dir/result.$$" | cksum | tr ' ' ':' ;;
    2) echo refused ;;
    *) echo "failed: $(head -1 "$dir/error.$$")" ;;
    esac
}
trap 'rm -f "$dir/result.$$" "$dir/error.$$"' EXIT

# Results so far, keyed by MACHINE POLICY WORKLOAD N CYCLES. Value for one thread: checksum or
# "refused"; for more threads: "same".
declare -A known
while read -r m p w j c what; do known[$m $p $w $j $c]=$what; done <"$dir/done"
note() { # note MACHINE POLICY WORKLOAD N WHAT
    known[$1 $2 $3 $4 ${cycles:-all}]=$5
    echo "$1 $2 $3 $4 ${cycles:-all} $5" >>"$dir/done"
}

# Runs one case and counts it as same, none or differ.
compare() { # compare MACHINE POLICY WORKLOAD N
    local one=${known[$1 $2 $3 1 ${cycles:-all}]-} got
    if [ -z "$one" ]; then
        one=$(sum "$1" "$2" "$3" 1)
        [ "${one#failed}" = "$one" ] && note "$1" "$2" "$3" 1 "$one"
    fi
    if [ "$one" = refused ]; then
        none=$((none + 1))
        return
    fi
    if [ -z "${known[$1 $2 $3 $4 ${cycles:-all}]-}" ]; then
        got=$(sum "$1" "$2" "$3" "$4")
        if [ "$got" != "$one" ] || [ "${one#failed}" != "$one" ]; then
            differ=$((differ + 1))
            echo "DIFFERS -j 1: $one, -j $4: $got; repeat: $B/byway run -m $1 -p $2 -w $3 -j $4 $limit"
            return
        fi
        note "$1" "$2" "$3" "$4" same
    fi
    same=$((same + 1))
}

differ=0 number=0 looked=0 compared=0
for pass in $(seq ${#threads[@]}); do
    triple=$pass
    for m in $machines; do
        same=0 none=0
        for p in $policies; do
            for w in $workloads; do
                number=$((number + 1)) triple=$((triple + 1))
                [ $((number % each)) = 0 ] || continue
                looked=$((looked + 1))
                compare "$m" "$p" "$w" "${threads[triple % ${#threads[@]}]}"
            done
        done
        compared=$((compared + same))
        [ $((same + none)) = 0 ] && continue
        echo "pass $pass of ${#threads[@]}, $m: $same runs the same, $none refused, $differ different so far"
    done
done
echo "$looked of $number cases looked at, $compared the same, $differ different"
[ "$differ" = 0 ] || exit 1
[ "$compared" != 0 ] || { echo "nothing was compared; expected traces that $B/byway run -w finds" >&2; exit 1; }
