#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_corpus.sh - unmodified OpenCL programs print the same when captured as under PoCL, and their
# traces are sound.
#
#     verif/opencl/t_corpus.sh [--record] [PROGRAM ...]
#
# Programs are verif/opencl/corpus/*.c, *.cc (C++98) and *.cpp (C++17). `make test` uses the output
# in corpus/expected/; `make test-all`, and this command with named programs, run PoCL, and use the
# stored output only where PoCL is missing or fails. --record stores PoCL's. A program that
# does not end under PoCL in CORPUS_REFERENCE_SECONDS (20) counts as one that fails there. Programs
# that say they are "Not for PoCL" always use it: their output was worked out by hand. "Capture with
# OPTIONS" says how. Those with barriers must print the same untraced, too. Exit status 77 without
# the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
corpus=verif/opencl/corpus
record=0
if [ "${1:-}" = --record ]; then
    record=1
    shift
fi
needs_built libOpenCL.so.1 "$B/byway"
tap_folder
pocl=0
if in_test_all || [ $record = 1 ] || [ $# -gt 0 ]; then
    [ -e /etc/OpenCL/vendors/pocl.icd ] && [ -z "${CORPUS_STORED:-}" ] && pocl=1
fi
export POCL_MAX_PTHREAD_COUNT=1
reference_seconds=${CORPUS_REFERENCE_SECONDS:-20}

build() {
    case $1 in
    *.cc) ${CXX:-g++} -std=gnu++98 -O1 -w -o "$2" "$1" -L"$B/lib" -l:libOpenCL.so.1 \
        -Wl,--allow-shlib-undefined ;;
    *.cpp) ${CXX:-g++} -std=c++17 -O1 -o "$2" "$1" -L"$B/lib" -l:libOpenCL.so.1 \
        -Wl,--allow-shlib-undefined ;;
    *) ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -w -o "$2" "$1" -L"$B/lib" -l:libOpenCL.so.1 \
        -Wl,--allow-shlib-undefined -pthread -lm ;;
    esac
}

pass=0
fail=0
for source in "$corpus"/*.c "$corpus"/*.cc "$corpus"/*.cpp; do
    name=$(basename "${source%.*}")
    [ -e "$source" ] || continue
    [ $# -gt 0 ] && case " $* " in *" $name "*) ;; *) continue ;; esac
    if grep -q CL/opencl.hpp "$source" && [ ! -e /usr/include/CL/opencl.hpp ]; then
        echo "# SKIP $name: no CL/opencl.hpp; apt-get install opencl-clhpp-headers"
        continue
    fi
    expected=$corpus/expected/$name.txt
    why=
    if ! build "$source" "$dir/$name" 2>"$dir/.errors"; then
        why="does not compile: $(head -1 "$dir/.errors")"
    else
        if [ $pocl = 1 ] && ! grep -q 'Not for PoCL' "$source"; then
            # The output of a program that PoCL itself cannot run is compared with the stored
            # output.
            if { (cd $corpus && exec timeout -k 2 $reference_seconds "$dir/$name") >"$dir/pocl"; } 2>/dev/null; then
                [ $record = 1 ] && mkdir -p "$corpus/expected" && cp "$dir/pocl" "$expected"
                expected=$dir/pocl
            else
                echo "# $name: PoCL cannot run it (exit code $?); its output is held to $expected"
            fi
        fi
        options=$(sed -n 's/^ \* Capture with \([-a-z0-9 ]*[a-z0-9]\).*/\1/p' "$source")
        here=$PWD
        case $B in /*) run=$B ;; *) run=$here/$B ;; esac
        if ! (cd $corpus && "$run/byway" trace capture -o "$dir/t.bwt" $options -- "$dir/$name") \
            >"$dir/out" 2>"$dir/.errors"; then
            why="capture: $(tail -2 "$dir/.errors" | tr '\n' ' ')"
        elif ! cmp -s "$expected" "$dir/out"; then
            why="prints something else: $(diff "$expected" "$dir/out" | head -3 | tr '\n' ' ')"
        elif ! "$B/byway" trace check "$dir/t.bwt" >"$dir/.errors" 2>&1; then
            why="trace check: $(tail -1 "$dir/.errors")"
        elif grep -qE 'barrier\(|sub_group_' "$source" && ! grep -q 'Capture with' "$source"; then
            # Without a trace, other code runs: loops over work-items.
            (cd $corpus && LD_LIBRARY_PATH=$run/lib exec "$dir/$name") >"$dir/out" 2>"$dir/.errors"
            cmp -s "$expected" "$dir/out" ||
                why="prints something else untraced: $(diff "$expected" "$dir/out" | head -3 | tr '\n' ' ')"
        fi
    fi
    rm -f "$dir/t.bwt"
    if [ -z "$why" ]; then
        pass=$((pass + 1))
    else
        echo "t_corpus: $name: $why"
        fail=$((fail + 1))
    fi
done
echo "t_corpus: $pass programs alike, $fail not"
[ $fail -eq 0 ]
