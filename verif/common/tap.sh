# SPDX-License-Identifier: Apache-2.0
#
# tap.sh - TAP from a shell test. Source it; then call `result STATUS NAME` after each check, and
# `finish` at the end. A failed check prints the first lines of the files in tap_logs. `skip_check
# NAME WHY` stands for a check that cannot run, `skip_all WHY` ends such a test; WHY: what is
# missing, and how to get it. `in_test_all` is true under
# `make test-all`, which also runs checks that take long or need heavy tools. `tap_folder NAME...`
# creates the folder $dir, which is removed at the end, with the files NAME for tap_logs.
# `needs_built LIBRARY FILE...` ends a test unless the capture runtime's LIBRARY and FILEs are built.
n=0
failed=0
tap_logs=()

result() { # result STATUS NAME
    local log
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
        return
    fi
    echo "not ok $n - $2"
    failed=1
    for log in "${tap_logs[@]}"; do
        [ ! -e "$log" ] || head -n 12 "$log" | sed "s/^/# ${log##*/}: /"
    done
}

skip_check() { # skip_check NAME "WHY; WHAT TO DO"
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
    echo "# SKIP $2" # repeated by run.sh at the end
}

skip_all() { # skip_all "WHY; WHAT TO DO"
    echo "1..0 # SKIP $1"
    exit 77
}

in_test_all() {
    [ "${BYWAY_TESTS:-}" = all ]
}

finish() {
    echo "1..$n"
    exit "$failed"
}

tap_folder() { # tap_folder NAME...
    dir=$(mktemp -d) || exit 1
    trap 'rm -rf "$dir"' EXIT
    tap_logs=("${@/#/$dir/}")
}

needs_built() { # needs_built LIBRARY FILE...
    local lib=${B:-build}/lib/$1 f
    shift
    for f in "$lib" "$@"; do
        [ -e "$f" ] || skip_all "no $lib: clang, llvm-dev or libclc is missing; make deps-all"
    done
}

# cuda_tool NAME: prints the path of a program of the CUDA toolkit, found as byway finds it
# (byw_toolkit.h): /usr/local/cuda, PATH, or what `make deps-cuda` got. Fails if there is none.
cuda_tool() {
    local at=/usr/local/cuda/bin/$1
    [ "$1" != nvcc ] || [ -z "${BYWAY_NVCC:-}" ] || at=$BYWAY_NVCC
    [ -x "$at" ] || at=$(command -v "$1") || at=$(realpath "${B:-build}/cuda/bin/$1" 2>/dev/null)
    [ -x "$at" ] && echo "$at"
}
