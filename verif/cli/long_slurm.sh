#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_slurm.sh - byway sweep --engine slurm on a cluster of two nodes on this machine gives the
# results of the local pool, each exactly once, even if processes or nodes die. POINTS (default
# 200) runs in the main sweep.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
. verif/cli/slurm.sh

missing=$(slurm_missing)
if [ -n "$missing" ]; then
    echo "1..0 # SKIP no Slurm here (${missing% }); make deps-all, or apt-get install slurm-wlm munge"
    exit 77
fi
trap 'slurm_down; rm -rf "$dir"' EXIT
if ! slurm_up 1; then
    tail -n 3 "$slurm_dir"/start "$slurm_dir"/*.log 2>/dev/null | sed 's/^/# /'
    echo "1..0 # SKIP Slurm does not start here; the lines above are its own"
    exit 77
fi
make_trace "$dir/a" 1 700
make_trace "$dir/b" 2 900
mshrs=$(seq -s , 8 $((7 + ${POINTS:-200} / 8)))
grid=(-t a -t b -p bl,decoupled,ball,mrpb --set "l1d.mshrs=$mshrs")
points=$((${POINTS:-200} / 8 * 8))

says() { # says NAME RC TEXT: the last command exited with RC and printed TEXT
    [ $rc = "$2" ] && grep -qF -- "$3" "$dir/err"
    result $? "$1"
}
count() { # count DIR: number of results in it
    ls "$dir/$1/runs" 2>/dev/null | wc -l
}
start() { # start DIR ARGS: starts a sweep in the background; its pid is in $pid
    local at=$1
    shift
    (cd "$dir" && exec "$byway" sweep -d "$at" --engine slurm "$@") >"$dir/out" 2>"$dir/err" </dev/null &
    pid=$!
}
await() { # await DIR N: waits until DIR has N results
    for _ in $(seq 1000); do
        [ "$(count "$1")" -ge "$2" ] && return 0
        sleep 0.05
    done
    return 1
}
ends() { # ends: waits for the sweep in the background; its exit code is in $rc
    wait $pid
    rc=$?
}
plain() { # plain DIR: its results without provenance and times
    sed -s '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$dir/$1"/runs/*.json
}
jobs_of() { # jobs_of FILE: number of submitted job arrays
    grep -c '^slurm: job [0-9]*: ' "$dir/$1"
}

# --- cost: both engines with two processes, starting from nothing
now() {
    date +%s.%N
}
in_runs() { # in_runs DIR: total seconds that its runs took
    sed -n '/"sim": {/,/}/s/.*"seconds": \([0-9.e-]*\).*/\1/p' "$dir/$1"/runs/*.json | awk '{ sum += $1 } END { print sum }'
}
before=$(now)
by sweep -d pool "${grid[@]}" -j 2
pool_took=$(awk -v a="$before" -v b="$(now)" 'BEGIN { print b - a }')
[ $rc = 0 ] && [ "$(count pool)" = $points ]
result $? "the local pool: $points runs"
before=$(now)
start whole "${grid[@]}"
ends
slurm_took=$(awk -v a="$before" -v b="$(now)" 'BEGIN { print b - a }')
[ $rc = 0 ] && cmp "$dir/pool/results.csv" "$dir/whole/results.csv" >>"$dir/err"
result $? "two nodes give the same table"
awk -v p="$pool_took" -v s="$slurm_took" -v in_p="$(in_runs pool)" -v in_s="$(in_runs whole)" 'BEGIN {
    printf "# overhead: pool %.1f s (its runs %.1f s), Slurm %.1f s (its runs %.1f s): %+.1f %% in wall time, %+.1f %% where the runs take equally long\n",
        p, in_p, s, in_s, 100 * (s / p - 1), 100 * (s / in_s * in_p / p - 1) }'

# --- a node fails during the sweep
start lost "${grid[@]}"
await lost $((points / 3))
slurm_kill_node n1
sleep 0.2
at=$(count lost)
echo "# node n1 was lost after $at of $points results"
[ "$at" -lt $points ] && [ -z "$(slurm_node_processes n1)" ]
result $? "a sweep survives the loss of a node"
ends
[ $rc = 0 ] && [ "$(ls "$dir/lost/runs")" = "$(ls "$dir/pool/runs")" ] &&
    [ "$(tail -n +2 "$dir/lost/results.csv" | cut -d, -f1 | sort | uniq -c | awk '$1 == 1' | wc -l)" = $points ]
result $? "every point is there, once"
cmp <(plain pool) <(plain lost) >>"$dir/err" && cmp "$dir/pool/results.csv" "$dir/lost/results.csv" >>"$dir/err"
result $? "results have the bytes of the local pool's"
[ "$(grep -l '"command": "byway sweep -d lost --engine slurm' "$dir"/lost/runs/*.json | wc -l)" = $points ] &&
    ! grep -q -- '--part' "$dir"/lost/runs/*.json
result $? "provenance has the command that was typed"
slurmd -N n1 -f "$SLURM_CONF" -L "$slurm_dir/slurmd.n1.log" >/dev/null 2>&1
for _ in $(seq 300); do
    [ "$(sinfo -h -N -o '%N %t' | grep -c ' idle$')" = 2 ] && break
    sleep 0.1
done

# --- tasks are lost
start taken "${grid[@]}"
await taken 10
scancel "$(cat "$dir/taken/slurm/job")"
ends
[ $rc = 0 ] && [ "$(jobs_of err)" -ge 2 ] && cmp -s "$dir/pool/results.csv" "$dir/taken/results.csv"
result $? "a cancelled job is submitted again"
start dead "${grid[@]}"
await dead 10
kill -9 $pid
wait $pid 2>/dev/null
start dead "${grid[@]}"
ends
[ $rc = 0 ] && [ "$(jobs_of err)" = 0 ] && cmp -s "$dir/pool/results.csv" "$dir/dead/results.csv"
result $? "after kill -9 the same command follows the running job"
start int "${grid[@]}" -j 1
await int 10
running=$(squeue -h -t running -j "$(cat "$dir/int/slurm/job")" | wc -l)
number=$(cat "$dir/int/slurm/job")
kill -INT $pid
ends
says "Ctrl-C ends the sweep and says what is stored" 1 "of $points runs are stored in int"
for _ in $(seq 100); do
    [ -z "$(squeue -h -j "$number" 2>/dev/null)" ] && break
    sleep 0.1
done
[ "$running" = 1 ] && [ -z "$(squeue -h -j "$number" 2>/dev/null)" ]
result $? "-j 1 runs one task at a time; Ctrl-C cancels the job"

# --- runs that fail, and options
head -c 300 "$dir/a/kernel-1.traceg" >"$dir/bad.traceg"
start bad -t a -t bad.traceg -p bl,ball
ends
says "a failed run stops no other and is reported" 1 "2 of 4 runs failed, the others are stored in bad"
[ "$(count bad)" = 2 ] && grep -q 'bad.traceg' "$dir/err" && [ "$(jobs_of err)" = 1 ]
result $? "a failed run is not repeated in the same sweep"
start opt -t a -p bl --sbatch --partition=none
ends
says "an option that sbatch refuses is reported" 2 "sbatch rejected the job"
start opt -t a -p bl --sbatch --comment=mine --sbatch --time=5
ends
[ $rc = 0 ] && [ "$(count opt)" = 1 ] && grep -qx '#SBATCH --comment=mine' "$dir/opt/slurm/job.sh"
result $? "options for sbatch"
mkdir "$dir/none"
PATH=$dir/none by sweep -d no -t a -p bl --engine slurm
says "a machine without Slurm" 2 "expected a Slurm cluster"
by sweep -d no -t a -p bl --engine sge
says "another engine" 2 "--engine is 'sge'; expected local or slurm"

finish
