#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [-j N] [-k FOLDER] [-t] "SEEDS" PROGRAM... - runs every lock-step program with every seed,
# N at a time.
#
#   -k   records passed pairs of program and seed in FOLDER: a pair that has passed since the program
#        was built is not run again, so a run that was stopped resumes
#   -t   prints TAP, for `make test`; else one line for each run
#
# L1D_CYCLES: length of the runs of the L1D (default 600000); the other programs choose theirs. The
# line before the last one, "N passed, N failed", says how many requests the caches (l1d_*)
# accepted. Exit 1 if one failed.
set -u

cycles_of() { # a program's argument, if it is not to choose itself
    case $1 in l1d_*) echo "${L1D_CYCLES:-600000}" ;; esac
}

# One run: writes "PASS|FAIL|KEPT program seed" and its output to a file of its own.
one() {
    local program=$1 seed=$2 folder=$3 name log
    name=$(basename "$program")
    log=$folder/$name.$seed
    if [ -f "$log.passed" ] && [ "$log.passed" -nt "$program" ]; then
        echo "KEPT $program $seed $log.passed"
        return
    fi
    rm -f "$log.passed"
    # shellcheck disable=SC2046 # no argument where there are no cycles
    if "$program" "$seed" $(cycles_of "$name") >"$log" 2>&1; then
        mv "$log" "$log.passed"
        echo "PASS $program $seed $log.passed"
    else
        echo "FAIL $program $seed $log"
    fi
}
if [ "${1:-}" = --one ]; then
    one "$2" "$3" "$4"
    exit 0
fi

jobs=1
keep=
tap=
while getopts j:k:t option; do
    case $option in
    j) jobs=$OPTARG ;;
    k)
        keep=$OPTARG
        export BYW_SOAK=1 # see lock_met() in lock.h
        ;;
    t) tap=1 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
read -ra seeds <<<"$1"
shift
folder=$keep
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"

total=$(($# * ${#seeds[@]}))
n=0
passed=0
failed=0
requests=0
show() { # verdict, program, seed, log
    if [ -n "$tap" ]; then
        [ "$1" != FAIL ] || tail -n 30 "$4"
        echo "$([ "$1" != FAIL ] || echo 'not ')ok $n - $(basename "$2") seed $3"
    else
        [ -n "$keep" ] && printf '[%d/%d] ' $n "$total"
        [ "$1" = KEPT ] && printf 'kept: '
        cat "$4"
    fi
}
while read -r verdict program seed log; do
    n=$((n + 1))
    show "$verdict" "$program" "$seed" "$log"
    if [ "$verdict" = FAIL ]; then
        failed=$((failed + 1))
        continue
    fi
    passed=$((passed + 1))
    case $(basename "$program") in l1d_*)
        requests=$((requests + $(sed -n 's/.* \([0-9]*\) requests.*/\1/p' "$log"))) ;;
    esac
done < <(for seed in "${seeds[@]}"; do
    for program in "$@"; do printf '%s\0' "$program" "$seed" "$folder"; done
done | xargs -0 -n 3 -P "$jobs" "$0" --one)

if [ -n "$tap" ]; then
    echo "1..$total"
else
    sets=$(printf '%s\n' "$@" | grep -c '/l1d_')
    [ $requests = 0 ] || echo "L1D: $requests requests in lock step over $sets parameter sets"
    echo "$passed passed, $failed failed"
fi
[ "$failed" = 0 ] && [ $n = $total ]
