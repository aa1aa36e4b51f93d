#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_private_arrays.sh - accesses to private arrays in captured kernels equal those in clang's PTX:
# none where unrolled loops leave registers.
#
#     verif/opencl/t_private_arrays.sh [FILE.cl ...]
#
# Files: by default private_arrays.cl and the kernels of all workloads that declare a private array;
# any kernel in OpenCL C 1.2 is accepted. PTX is made twice, with -O2 and with loops unrolled as far
# as amdgcn's thresholds for private arrays allow; the one with the smaller stack is the reference.
# Exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
if [ ! -e "$B/lib/libOpenCL.so.1" ] || [ ! -x "$B/verif/opencl/cl_sites" ]; then
    skip_all "no $B/lib/libOpenCL.so.1: clang, llvm-dev or libclc is missing; make deps-all"
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
tap_logs=("$work/want" "$work/got" "$work/errors")
read -r clang library < <(make -s --no-print-directory B="$B" opencl-tools)

# Prints KERNEL STACK ACCESSES for each kernel in PTX made with these options. Retries without the
# library where cosines remain, for which clang has no PTX.
in_ptx() {
    local front=(-x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-- -w -mllvm
        -inline-threshold=1000 "$@" -S -o "$work/ptx")
    "$clang" "${front[@]}" -Xclang -mlink-bitcode-file -Xclang "$library" 2>"$work/errors" ||
        "$clang" "${front[@]}" 2>"$work/errors"
        awk '/\.entry/ { kernel = $NF; sub(/\(.*/, "", kernel); stack[kernel] = count[kernel] = 0 }
            /__local_depot[0-9]*\[/ { sub(/.*\[/, ""); stack[kernel] = $0 + 0 }
            /(ld|st)\.local/ { count[kernel]++ }
            END { for (k in count) print k, stack[k], count[k] }' "$work/ptx" | sort
}

# Prints KERNEL ACCESSES for each kernel as byway compiles it.
as_captured() {
    rm -rf "$work/cache"
    LD_LIBRARY_PATH=$B/lib BYWAY_CACHE=$work/cache "$B/verif/opencl/cl_probe" "$1" \
        2>"$work/errors" && "$B/verif/opencl/cl_sites" "$work"/cache/*.so | sort
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # no blanks in their names
    set -- verif/opencl/private_arrays.cl $(grep -lE '^ +(u?int|float|double|u?char)[248]? [a-z_]+\[' \
        cmodel/workloads/*/*.cl)
fi
kernels=0 arrays=0
for file; do
    in_ptx -O2 "$file" >"$work/plain"
    in_ptx -O3 -mllvm -unroll-threshold=2700 "$file" >"$work/unrolled"
    join "$work/plain" "$work/unrolled" |
        awk '{ print $1, $4 < $2 ? $5 : $3 }' >"$work/want"
    as_captured "$file" >"$work/got"
    [ -s "$work/want" ] && cmp -s "$work/want" "$work/got"
    result $? "$(basename "$file"): as many accesses of private arrays as in its PTX"
    kernels=$((kernels + $(wc -l <"$work/got")))
    arrays=$((arrays + $(grep -vc ' 0$' "$work/got")))
done
echo "# $kernels kernels, $arrays of them access private arrays"
if [ "$1" = verif/opencl/private_arrays.cl ]; then
    as_captured "$1" | sed -n '/^kept_/!s/ 0$//p' >"$work/got"
    sed -n 's/^kernel void \([a-z]*\)(.*/\1/p' "$1" | sort >"$work/want"
    cmp -s "$work/want" "$work/got"
    result $? "loops with constant bounds leave no private array, also through helpers"
    as_captured "$1" | awk '/^kept_/ && $2 == 0' >"$work/got"
    [ ! -s "$work/got" ]
    result $? "arrays with an index known at run time stay in memory"
fi
finish
