#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_stopped.sh - `byway correlate` and `byway advise` that are stopped print the results so
# far, and exit with 1. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
export BYWAY_KEPT=off
traces=$PWD/cmodel/traces

# Waits until a folder has some files; then ends the process.
stop_at() { # stop_at PID FOLDER COUNT
    for _ in $(seq 3000); do
        [ "$(find "$2" -name '*.json' 2>/dev/null | wc -l)" -ge "$3" ] && break
        kill -0 "$1" 2>/dev/null || break
        sleep 0.01
    done
    kill -TERM "$1"
    wait "$1"
}

# Waits until the process is byway (before exec it is a shell, which may catch the signal, too) and
# catches SIGTERM; then sends it.
stop_early() { # stop_early PID
    local key value caught=0
    while [ $caught = 0 ] && kill -0 "$1" 2>/dev/null; do
        [ "/proc/$1/exe" -ef "$byway" ] || continue
        while read -r key value; do
            [ "$key" = SigCgt: ] && caught=$((0x$value & 1 << (15 - 1)))
        done <"/proc/$1/status"
    done 2>/dev/null
    kill -TERM "$1"
    wait "$1"
}

# One row for each launch of a trace that has many.
{
    echo program,kernel,variant,launch,grid,block,cycles,warp_instructions,loads,stores,load_sectors,load_hit_sectors
    "$byway" trace info "$traces/gaussian.bwt" --rows 0 |
        sed -n 's/^ *\([0-9][0-9]*\) \(gauss_[a-z]*\)  *\([0-9x]*\)  *\([0-9x]*\)  *.*/\1 \2 \3 \4/p' |
        awk '{ print "gaussian," $2 ",ca," NR "," $3 "," $4 ",1,1,1,1,1,1" }'
} >"$dir/table.csv"
[ "$(wc -l <"$dir/table.csv")" -gt 20 ] || skip_all "the trace's launches cannot be listed; make"
(cd "$dir" && exec "$byway" correlate table.csv --trace "$traces/gaussian.bwt" -j 1 -d runs) >"$dir/out" 2>"$dir/err" </dev/null &
stop_at $! "$dir/runs/runs" 2
[ $? = 1 ] && grep -q 'interrupted; ' "$dir/err" && grep -q 'not simulated yet' "$dir/out"
result $? "correlate prints the figures of the launches so far, and names the others"

# The advice of a search that was stopped: what was tried, that it was stopped, and the same files.
(cd "$dir" && exec "$byway" advise -m fermi kmeans -d kept -j 1 --json a.json --html a.html --advice a.advice) \
    >"$dir/out" 2>"$dir/err" </dev/null &
stop_at $! "$dir/kept/runs" 5
rc=$?
[ $rc = 1 ] && grep -q '^byway: interrupted; .*run the same command again' "$dir/err" &&
    head -n 1 "$dir/out" | grep -qE '^Stopped after [3-9] of about [0-9]+ assignments' &&
    grep -qE '^kmeans_.*: [0-9]+ cycles in' "$dir/out" && grep -qE ' [+-][0-9.]+%' "$dir/out"
result $? "advise prints the assignments so far, and that it was stopped"
grep -q '"stopped"' "$dir/a.json" && grep -q 'Stopped after' "$dir/a.html" && grep -q '^# Stopped after' "$dir/a.advice"
result $? "its files say so, too"
best=$(awk -F'[ ,:]+' '/"best_cycles"/ { print $3; exit }' "$dir/a.json")
[ "${best:-0}" -gt 0 ] && grep -q "^  .*-> [0-9]* cycles" "$dir/out"
result $? "the best so far is advised"
by advise -m fermi kmeans -d kept -j 1 --json whole.json
[ "$rc" = 0 ] && ! grep -q stopped "$dir/whole.json" && ! grep -q 'Stopped' "$dir/out"
result $? "the same command completes the search"
(cd "$dir" && exec "$byway" advise -m fermi kmeans -j 1) >"$dir/out" 2>"$dir/err" </dev/null &
stop_early $!
[ $? = 1 ] && [ ! -s "$dir/out" ] && grep -q '^byway: interrupted' "$dir/err"
result $? "before the first assignment there is nothing to print"
finish
