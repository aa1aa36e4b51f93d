#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_bounds.sh - captures of some of a program's launches, and of programs that are ended from
# outside: launches that are not kept still run, and whatever ends a program, the trace has the
# finished launches. Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
program=$B/verif/opencl/cl_bounds
needs_built libOpenCL.so.1 "$B/byway" "$program"
tap_folder err got
export BYWAY_CACHE=$dir/cache

capture() { # capture [OPTION ...] -- PROGRAM; sets rc
    rm -f "$dir"/t.bwt*
    timeout 60 "$B/byway" trace capture -o "$dir/t.bwt" "$@" 2>"$dir/err" >"$dir/out"
    rc=$?
}
# Sends a signal to the capture once its program says "ready"; sets rc.
interrupt() { # interrupt SIGNAL PROGRAM
    rm -f "$dir"/t.bwt* "$dir/out"
    env --default-signal=INT,TERM "$B/byway" trace capture -o "$dir/t.bwt" -- "${@:2}" \
        2>"$dir/err" >"$dir/out" &
    for ((i = 0; i < 600; i++)); do
        grep -qs ready "$dir/out" && break
        sleep 0.05
    done
    sleep 0.3
    kill "-$1" $!
    wait $!
    rc=$?
}
rows() { # rows TRACE: kernel, CTAs, instructions, accesses and lines of each launch
    "$B/byway" trace info --rows 0 "$1" 2>>"$dir/err" |
        awk '$1 == "launch" { on = 1; next } on && NF == 0 { exit } on { $1 = ""; print }'
}
sound() { # sound ROWS: the trace is, and has these of the whole program's launches
    "$B/byway" trace check "$dir/t.bwt" >>"$dir/err" 2>&1 || return 1
    rows "$dir/t.bwt" >"$dir/got"
    sed -n "$1" "$dir/all" | cmp -s - "$dir/got"
}
total() { # total KEY of the trace
    "$B/byway" trace info --json "$dir/t.bwt" | sed -n "s/^  \"$1\": \([0-9]*\).*/\1/p" | head -1
}

capture -- "$program" 6
rows "$dir/t.bwt" >"$dir/all"
[ "$rc" = 0 ] && [ "$(awk '{ print $1 }' "$dir/all" | tr '\n' ' ')" = "add scale add scale add scale " ]
result $? "without bounds every launch is kept"
while read -r options; do
    read -r lines options <<<"$options"
    # shellcheck disable=SC2086
    capture $options -- "$program" 6
    [ "$rc" = 0 ] && grep -q right "$dir/out" && sound "$lines"
    result $? "$options keeps launches ${lines//p/}, and the program's results are right"
done <<'EOF'
2,3p --launches 2-3
4p --launches 4
5,6p --launches 5-
2p;4p;6p --kernels ^sc
1p;3p;5p --kernels d{2}
4p --kernels scale --launches 3-5
EOF
capture --instructions 1000 -- "$program" 6
most=$(awk 'NR == 1 { print 1000 + $5 / $4 }' "$dir/all")
[ "$rc" = 0 ] && grep -q right "$dir/out" && [ "$(total warp_instructions)" -ge 1000 ] &&
    [ "$(total warp_instructions)" -lt "$most" ]
result $? "--instructions ends the trace with a whole work-group, and the program's results are right"
capture --launches 1 -- "$program" 1 spin
[ "$rc" = 0 ] && sound 1p
result $? "a launch that is not kept has no log and may run 2^27 iterations"
capture --launches 7 -- "$program" 6
[ "$rc" = 0 ] && grep -q "the capture options select none of 6 launches" "$dir/err" && [ "$(total ctas)" = 0 ]
result $? "without a launch in the bounds the trace is empty, with a remark"
for bad in --launches=0 --launches=3-2 --launches=2:3 --launches=1-2-3 '--kernels=(' --instructions=0 --time=0; do
    capture "$bad" -- touch "$dir/started"
    [ "$rc" = 2 ] && grep -q -- "${bad%=*}" "$dir/err" && [ ! -e "$dir/started" ]
    result $? "$bad is refused before the program runs"
done

capture -- "$program" 3 kill
[ "$rc" = 1 ] && grep -q "killed by signal 9.*: 3 launches" "$dir/err" && sound 1,3p
result $? "SIGKILL of the program leaves its three launches, status 1"
for signal in INT TERM; do
    interrupt $signal "$program" 3 hang
    [ "$rc" = $((128 + $(kill -l $signal))) ] && grep -q ": 3 launches" "$dir/err" && sound 1,3p
    result $? "SIG$signal to byway leaves three launches, status 128 + its number"
done
interrupt TERM "$program" 2 long
[ "$rc" = 143 ] && grep -q "3 launches, of the last one only [1-9][0-9]* work-groups" "$dir/err" &&
    "$B/byway" trace check "$dir/t.bwt" >>"$dir/err" 2>&1 && [ "$(total ctas)" -gt 128 ] &&
    [ "$(total ctas)" -lt 1048704 ]
result $? "SIGTERM during a launch leaves its finished work-groups, too"
capture --time 2 -- "$program" 3 hang
[ "$rc" = 0 ] && grep -q "ended after 2 s.*: 3 launches" "$dir/err" && sound 1,3p
result $? "--time ends the program and keeps the finished launches, status 0"
capture --time 2 -- "$program" 3 deaf
[ "$rc" = 0 ] && sound 1,3p
result $? "--time ends a program that ignores SIGTERM"
capture --time 2 -- sh -c "$program 3 deaf & wait; true"
[ "$rc" = 0 ] && sound 1,3p
result $? "--time ends the program's children"
echo mine >"$dir/t.bwt"
"$B/byway" trace capture --time 1 -o "$dir/t.bwt" -- sleep 60 2>"$dir/err"
[ $? = 1 ] && grep -q "no launch was finished, no trace written" "$dir/err" && [ "$(cat "$dir/t.bwt")" = mine ]
result $? "without a finished launch the file is unchanged, status 1"
[ -z "$(find "$dir" -name '*.tmp-*')" ]
result $? "no temporary file remains"
finish
