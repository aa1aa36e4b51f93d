#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_outputs.sh - results that cannot be written: refused before the run if that is known in advance,
# otherwise an error at its end; and no files remain after a command is killed. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/a" 1 24
make_trace "$dir/long" 1 4000
shipped=$(realpath cmodel/traces)
mkdir "$dir/traces"
export BYWAY_TRACES=$dir/traces
"$byway" trace convert "$dir/a" -o "$dir/traces/a.bwt"
"$byway" trace convert "$dir/long" -o "$dir/traces/long.bwt"

# Expects exit 2 and one sentence about standard output, whatever the command prints.
loses() { # loses NAME REDIRECTION ARGS...
    local name=$1 to=$2
    shift 2
    case $to in
    full) (cd "$dir" && "$byway" "$@") >/dev/full 2>"$dir/err" </dev/null ;;
    closed) (cd "$dir" && "$byway" "$@") >&- 2>"$dir/err" </dev/null ;;
    esac
    [ $? = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q 'standard output' "$dir/err"
    result $? "$name, standard output $to"
}
for to in full closed; do
    loses "run" $to run --trace a
    loses "run --json -" $to run --trace a --json -
    loses "compare" $to compare -w a -p bl
    loses "compare --json -" $to compare -w a -p bl --json -
    loses "compare --html -" $to compare -w a -p bl --html -
    for what in machines policies workloads counters configs; do
        loses "list $what" $to list $what
        loses "list $what --json" $to list $what --json
    done
    loses "a template" $to list configs --template policy
    loses "trace info" $to trace info a
    loses "trace info --json" $to trace info a --json
    loses "trace info --sites" $to trace info a --sites
    loses "trace check" $to trace check a
    loses "--help" $to --help
    loses "--version" $to --version
    loses "run --help" $to run --help
done

# A command that prints nothing works without standard output, and its files get no stray bytes.
(cd "$dir" && "$byway" trace convert a -o quiet.bwt) >&- 2>"$dir/err" </dev/null
[ $? = 0 ] && "$byway" trace check "$dir/quiet.bwt" >"$dir/out" 2>&1
result $? "convert with standard output closed"

# Errors that can be known early are reported before the run, and before the trace is read.
before() { # before NAME ARGS...
    local name=$1
    shift
    refuses "$name" "missing/x: cannot be written" "$@"
}
echo text >"$dir/bad.bwt"
cp "$dir/bad.bwt" "$dir/traces/bad.bwt"
head -c -20 "$dir/traces/a.bwt" >"$dir/short.bwt"
before "run, JSON" run --trace bad.bwt --json missing/x
before "compare, JSON" compare -w bad --json missing/x
before "compare, page" compare -w bad --html missing/x
for format in bwt csv oracle ramulator; do
    before "conversion to $format" trace convert short.bwt --to $format -o missing/x
done
refuses "JSON and page on standard output" "expected one of them" \
    compare -w a --json - --html -

by run --trace a --json -
[ $rc = 0 ] && [ "$(head -c 1 "$dir/out")" = "{" ]
result $? "JSON on standard output is the only output"
by compare -w a -p bl --html -
[ $rc = 0 ] && head -n 1 "$dir/out" | grep -q '^<!DOCTYPE html>' && tail -n 1 "$dir/out" | grep -q '</html>$'
result $? "the page on standard output is the only output"

# kill -9: no file and no process remains.
mkdir "$dir/out.d"
killed() { # killed NAME ARGS...
    local name=$1 pid p runs left tries=0
    shift
    until kill_one "$@" || [ $((++tries)) = 5 ]; do rm -rf "${dir:?}/out.d"; mkdir "$dir/out.d"; done
    if ! grep -q '(deleted)$' "$dir/open" && [[ ! $(stat -f -c %T "$dir") =~ ^(tmpfs|ext|xfs|btrfs) ]]; then
        skip_check "$name, killed" "no unnamed files in $dir (O_TMPFILE); set TMPDIR to a folder on another file system"
        return
    fi
    for _ in $(seq 500); do
        left=
        for p in $runs; do
            [ ! -d /proc/$p ] || left=yes
        done
        [ -n "$left" ] || break
        sleep 0.01
    done
    [ -z "$left" ] || kill -9 $runs
    [ -z "$left" ] && [ -z "$(ls -A "$dir/out.d")" ]
    result $? "$name, killed: no file remains"
}
# Starts a command and kills it, sets pid and runs; fails if the command ended first, as on a busy
# machine.
kill_one() { # kill_one ARGS...
    runs=
    (cd "$dir/out.d" && exec "$byway" "$@" 9>&-) >/dev/null 2>&1 </dev/null &
    pid=$!
    for _ in $(seq 500); do # until it has opened a file there and started its runs
        runs=$(cat /proc/$pid/task/$pid/children 2>/dev/null)
        ls -l /proc/$pid/fd 2>/dev/null | grep "$dir/out.d/" >"$dir/open" &&
            { [ "$1" != compare ] || [ -n "$runs" ]; } && break
        sleep 0.01
    done
    [ -z "$runs" ] || kill -STOP $runs # they must not end by themselves
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ $? = 137 ]
}
# A trace that starts and never continues, so that there is time to kill its reader.
mkfifo "$dir/waits.traceg"
exec 9<>"$dir/waits.traceg"
head -c 8192 "$dir/long/kernel-1.traceg" >&9
killed "run" run --trace "$dir/waits.traceg" --json x.json
killed "compare" compare -w long -p bl,ball -j 2 --json x.json --html x.html
head -c 8192 "$dir/long/kernel-1.traceg" >&9
killed "convert" trace convert "$dir/waits.traceg" -o x.bwt

# An output path that cannot be written is refused before the runs.
for command in source advise; do
    refuses "$command: a page in no folder" no/p.html $command --html no/p.html -- touch ran
    [ ! -e "$dir/ran" ]
    result $? "$command: the program was not run for it"
done
refuses "source: a machine that times PTX" 'does not time machine code|h200' source -m fermi -- touch ran
[ ! -e "$dir/ran" ]
result $? "source: the program was not run for it"
printf 'program,kernel,variant,launch,grid,block,cycles\nown,k,ca,1,1x1x1,1x1x1,1000\n' >"$dir/gpu.csv"
for option in html json markdown; do
    refuses "correlate --$option in no folder" no/f correlate gpu.csv --$option no/f -- touch ran
    [ ! -e "$dir/ran" ]
    result $? "correlate --$option: the program was not run for it"
done
for option in html:no/f json:no/f markdown:no/d/e; do
    BYWAY_TRACES=$shipped refuses "reproduce --${option%:*} in no folder" "${option#*:}" reproduce 000 --claim 0.7 -d repro --${option/:/ }
    [ -z "$(ls "$dir/repro/runs" 2>/dev/null)" ]
    result $? "reproduce --${option%:*}: nothing was run for it"
done
refuses "an empty name" "the name of an output file is empty" run --trace a --json ''
head -c 8192 "$dir/long/kernel-1.traceg" >&9
(cd "$dir" && timeout 10 "$byway" trace info waits.traceg --html no/p.html) >"$dir/out" 2>"$dir/err" </dev/null
[ $? = 2 ] && grep -q no/p.html "$dir/err"
result $? "trace info: a page in no folder is refused before the trace is read"

finish
