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
needs_built libOpenCL.so.1 "$B/verif/opencl/cl_sites"
tap_folder want got errors
read -r clang library < <(make -s --no-print-directory B="$B" opencl-tools)

# Prints KERNEL STACK ACCESSES for each kernel in PTX made with these options. Retries without the
# library where cosines remain, for which clang has no PTX.
in_ptx() {
    local front=(-x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-- -w -mllvm
        -inline-threshold=1000 "$@" -S -o "$dir/ptx")
    "$clang" "${front[@]}" -Xclang -mlink-bitcode-file -Xclang "$library" 2>"$dir/errors" ||
        "$clang" "${front[@]}" 2>"$dir/errors"
        awk '/\.entry/ { kernel = $NF; sub(/\(.*/, "", kernel); stack[kernel] = count[kernel] = 0 }
            /__local_depot[0-9]*\[/ { sub(/.*\[/, ""); stack[kernel] = $0 + 0 }
            /(ld|st)\.local/ { count[kernel]++ }
            END { for (k in count) print k, stack[k], count[k] }' "$dir/ptx" | sort
}

# Prints KERNEL ACCESSES for each kernel as byway compiles it.
as_captured() {
    rm -rf "$dir/cache"
    LD_LIBRARY_PATH=$B/lib BYWAY_CACHE=$dir/cache "$B/verif/opencl/cl_probe" "$1" \
        2>"$dir/errors" && "$B/verif/opencl/cl_sites" "$dir"/cache/*.so | sort
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # no blanks in their names
    set -- verif/opencl/private_arrays.cl $(grep -lE '^ +(u?int|float|double|u?char)[248]? [a-z_]+\[' \
        cmodel/workloads/*/*.cl)
fi
kernels=0 arrays=0
for file; do
    in_ptx -O2 "$file" >"$dir/plain"
    in_ptx -O3 -mllvm -unroll-threshold=2700 "$file" >"$dir/unrolled"
    join "$dir/plain" "$dir/unrolled" |
        awk '{ print $1, $4 < $2 ? $5 : $3 }' >"$dir/want"
    as_captured "$file" >"$dir/got"
    [ -s "$dir/want" ] && cmp -s "$dir/want" "$dir/got"
    result $? "$(basename "$file"): as many accesses of private arrays as in its PTX"
    kernels=$((kernels + $(wc -l <"$dir/got")))
    arrays=$((arrays + $(grep -vc ' 0$' "$dir/got")))
done
echo "# $kernels kernels, $arrays of them access private arrays"
if [ "$1" = verif/opencl/private_arrays.cl ]; then
    as_captured "$1" | sed -n '/^kept_/!s/ 0$//p' >"$dir/got"
    sed -n 's/^kernel void \([a-z]*\)(.*/\1/p' "$1" | sort >"$dir/want"
    cmp -s "$dir/want" "$dir/got"
    result $? "loops with constant bounds leave no private array, even in helper functions"
    as_captured "$1" | awk '/^kept_/ && $2 == 0' >"$dir/got"
    [ ! -s "$dir/got" ]
    result $? "arrays with an index known at run time stay in memory"
fi
finish
