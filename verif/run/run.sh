#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [-j N] TEST... - runs test programs and scripts, N at a time, and adds up their checks.
#
# A test prints TAP ("ok 1 - name", "not ok 2 - name", "# SKIP why"; cmocka programs do when asked
# through CMOCKA_MESSAGE_OUTPUT) and exits non-zero when a check fails.  A test that prints none of
# these lines counts as one check: exit 0 passed, 77 skipped, anything else failed.  For a test that
# failed its name, its rerun line and its output are printed.
#
# First it prints how long this will take; then its progress, on a terminal in one line, otherwise
# every 20 tests.
#
# A skipped check prints a line "# SKIP why; what to do" ("1..0 # SKIP ..." for a whole test), which
# is repeated at the end.  A skip without a reason is a failure.
#
# B (build folder) and BYWAY (the command under test) are passed to the tests.  Exit 0 if nothing
# failed.
set -u

export B=${B:-build}
export BYWAY=${BYWAY:-$B/byway}
export CMOCKA_MESSAGE_OUTPUT=TAP
export BYWAY_PTXAS=${BYWAY_PTXAS-off} # traces do not depend on the machine's CUDA toolkit
export BYWAY_KEPT=off # tests leave no decoded traces in the cache (byw_trace_kept.h)
BYWAY_REFERENCE=$(verif/common/recorded.sh) && export BYWAY_REFERENCE
limit=${TEST_SECONDS:-600}

# Runs one test; its output goes to NAME.log, its counts to NAME.count.
one() {
    local test=$1 name log rc start pass fail skip why
    name=${test#"$B"/}
    name=${name#verif/}
    log=$B/test/${name//\//_}
    start=$SECONDS
    case $test in
    */*) ;;
    *) test=./$test ;;
    esac
    TIMEFORMAT='%U %S'
    { time timeout "$limit" "$test" >"$log.log" 2>&1 </dev/null; } 2>"$log.cpu"
    rc=$?
    read -r pass fail skip why < <(awk '
        /^(not )?ok .*# SKIP/ { skip++; next } # cmocka says "not ok" of a skipped one, too
        /^(1\.\.0 )?# SKIP ./ { why++ }
        /^ok [0-9]/ { pass++ }
        /^not ok [0-9]/ { fail++ }
        END { print pass + 0, fail + 0, (skip > why ? skip : why) + 0, why + 0 }' "$log.log")
    if [ $rc = 77 ] && [ "$fail" = 0 ]; then
        skip=$((skip + (pass + skip == 0)))
    elif [ $rc != 0 ] && [ "$fail" = 0 ]; then
        fail=1 # crashed, was killed, or failed outside any named check
    elif [ $((pass + fail + skip)) = 0 ]; then
        pass=1
    fi
    if [ "$skip" != 0 ] && [ "$why" = 0 ]; then
        echo "skipped without a reason: expected a line '# SKIP why; what to do'" >>"$log.log"
        fail=$((fail + 1))
    fi
    sed -nE "s|^(1\.\.0 )?# SKIP |SKIP ${test#./}: |p" "$log.log" | sort -u >"$log.skip"
    echo "$pass $fail $skip $((SECONDS - start)) $rc $test" >"$log.count"
    flock "$B/test/.lock" "$0" --progress
    if [ "$fail" != 0 ]; then
        {
            echo "FAIL $test (exit $rc, $fail failed); again: B=$B BYWAY=$BYWAY $test"
            grep -v '^ok ' "$log.log" | tail -n 60 | sed 's/^/    /'
        } >"$log.say"
        flock "$B/test/.lock" cat "$log.say"
        rm -f "$log.say"
    elif [ -n "${V:-}" ]; then
        echo "ok   $test ($pass passed, $((SECONDS - start)) s)"
    fi
}

# Called while holding the lock. Arguments: tests that ended, their failures, and the time since the
# first began.
progress() {
    local began total counts ended failed
    read -r began total <"$B/test/.began"
    counts=("$B"/test/*.count)
    ended=${#counts[@]}
    failed=$(awk '{ n += $2 } END { print n + 0 }' "${counts[@]}")
    local line="$ended of $total tests, $failed failed checks, $(($(date +%s) - began)) s"
    if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
        printf '\r%s\033[K' "$line" >&2
        [ "$ended" != "$total" ] || printf '\r\033[K' >&2
    elif [ $((ended % 20)) = 0 ]; then
        echo "  $line" >&2
    fi
}

case ${1:-} in
--one)
    one "$2"
    exit 0
    ;;
--progress)
    progress
    exit 0
    ;;
esac
jobs=1
if [[ ${1:-} =~ ^-j[0-9]+$ ]]; then
    jobs=${1#-j}
    shift
elif [ "${1:-}" = -j ]; then
    jobs=$2
    shift 2
fi
rm -rf "$B/test"
mkdir -p "$B/test"
echo "$(date +%s) $#" >"$B/test/.began"
[ $# = 0 ] || printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" "$0" --one
sort -u "$B"/test/*.skip 2>/dev/null
cat "$B"/test/*.count 2>/dev/null | awk -v want=$# '
    { pass += $1; fail += $2; skip += $3; seen++ }
    END {
        if (seen != want) { printf "%d of %d tests left no result\n", want - seen, want; fail++ }
        printf "%d passed, %d failed, %d skipped\n", pass, fail, skip
        exit fail != 0
    }'
