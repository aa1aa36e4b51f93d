#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# faults.sh [NAME...] - `make mutate-faults`: each patch of verif/mutate/faults (or those named),
# applied to a copy of the tree, must make the test fail that it names.
#
# A patch begins with "Fault: what is wrong then" and "Killed by: TEST"; TEST is the path of a test
# of `make test` without its suffix, or cosim/PROGRAM, a lock-step program. A fault in a rule that
# RTL and C model share changes both alike, so that their lock step cannot detect it.
#
# The copy, B/faults/tree, starts with the objects of B, so a fault compiles only what it changes. A
# killed fault is not tried again until the sources, the tests or the patch change, so a run that
# was stopped resumes. A patch that does not apply exactly (with fuzz it could change another place)
# or does not build is a failure. JOBS: of make. ALIKE=1 also checks that the two sides of each RTL
# patch are alike: the small L1D stays in lock step (a minute each; needs Verilator). Last line "N
# passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
jobs=${JOBS:-2}
dir=$B/faults
tree=$dir/tree
seconds=120 # longer than any of the tests takes
sources=(Makefile .ci cmodel fpga rtl synth verif)
command -v patch >/dev/null || { echo "make mutate-faults needs patch; apt-get install patch" >&2; exit 2; }

# Makes the copy equal to the tree; changed files get a new time stamp, so that they are recompiled.
refresh() {
    local file
    if [ ! -e "$tree/Makefile" ]; then
        mkdir -p "$tree/build"
        tar cf - --exclude=cmodel/traces "${sources[@]}" | tar xf - -C "$tree"
        tar cf - -C "$B" --exclude=./faults --exclude=./asan --exclude=./mutate --exclude=./soak \
            --exclude=./test . | tar xf - -C "$tree/build"
        ln -s "$PWD/cmodel/traces" "$tree/cmodel/traces"
    fi
    while IFS= read -r file; do
        cmp -s "$file" "$tree/$file" || { mkdir -p "$(dirname "$tree/$file")" && cp "$file" "$tree/$file"; }
    done < <(find "${sources[@]}" -path cmodel/traces -prune -o -type f -print)
    (cd "$tree" && find "${sources[@]}" -type f) | while IFS= read -r file; do
        [ -e "$file" ] || rm -f "$tree/$file"
    done
}

build_and_run() { # build_and_run TEST LOG: 0 passed, 1 failed, 2 did not build
    local program=build/$1 runs=("") run
    case $1 in
    cosim/l1d_*) runs=("1 320000" "2 320000" "3 320000" "4 320000") ;; # seed and cycles, as in `make test`
    cosim/*) runs=(1 2 3 4) ;;
    *) [ ! -e "$1.sh" ] || program=build/byway ;;
    esac
    make -C "$tree" -s -j"$jobs" B=build WERROR= "$program" >"$2" 2>&1 || return 2
    [ ! -e "$1.sh" ] || program=$1.sh
    for run in "${runs[@]}"; do
        # shellcheck disable=SC2086 # arguments, where there are any
        (cd "$tree" && B=build BYWAY=build/byway timeout "$seconds" "./$program" $run) >>"$2" 2>&1 </dev/null ||
            return 1
    done
}

head_of() { # head_of FILE NAME: the value of one of the header lines
    sed -n "1,5s/^$2: //p" "$1"
}

try() { # try FILE: prints its result; 0 killed
    local fault=$1 name test log file start=$SECONDS verdict
    name=$(basename "$fault" .patch)
    test=$(head_of "$fault" "Killed by")
    log=$dir/$name.log
    if ! patch -p1 -F0 -s -f --no-backup-if-mismatch -r - -d "$tree" <"$fault" >"$log" 2>&1; then
        verdict="does not apply any more, see $log"
    else
        build_and_run "$test" "$log"
        case $? in
        0) verdict="survived $test" ;;
        1) verdict=killed ;;
        *) verdict="does not build, see $log" ;;
        esac
        if [ -n "${ALIKE:-}" ] && grep -q '^+++ b/rtl/' "$fault" && ! build_and_run cosim/l1d_small "$log"; then
            verdict="RTL and C model differ, see $log"
        fi
    fi
    sed -n 's|^+++ b/||p' "$fault" | while IFS= read -r file; do
        cp "$file" "$tree/$file"
    done
    printf '%s %s: %s (%d s)\n' "$progress" "$name" "$verdict" $((SECONDS - start))
    [ "$verdict" = killed ]
}

mkdir -p "$dir"
faults=(verif/mutate/faults/*.patch)
[ $# = 0 ] || faults=("${@/#/verif/mutate/faults/}")
[ $# = 0 ] || faults=("${faults[@]/%/.patch}")
key=$(find "${sources[@]}" -path cmodel/traces -prune -o -path verif/mutate -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 cat | cksum)
refresh

n=0
passed=0
failed=0
clean=" "
for fault in "${faults[@]}"; do
    n=$((n + 1))
    progress="[$n/${#faults[@]}]"
    stamp=$dir/$(basename "$fault" .patch).killed
    test=$(head_of "$fault" "Killed by")
    if [ -z "$test" ] || [ -z "$(head_of "$fault" Fault)" ]; then
        echo "$progress $fault: expected a line 'Fault: ...' and a line 'Killed by: ...' at its head"
        failed=$((failed + 1))
        continue
    fi
    if [ -z "${ALIKE:-}" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key $(cksum <"$fault")" ]; then
        echo "$progress $(basename "$fault" .patch): killed, as before"
        passed=$((passed + 1))
        continue
    fi
    case $clean in
    *" $test "*) ;;
    *)
        if ! build_and_run "$test" "$dir/clean.log"; then
            echo "$progress $test fails without a fault, see $dir/clean.log"
            failed=$((failed + 1))
            continue
        fi
        clean="$clean$test "
        ;;
    esac
    if try "$fault"; then
        echo "$key $(cksum <"$fault")" >"$stamp"
        passed=$((passed + 1))
    else
        rm -f "$stamp"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
