#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_constant.sh - where a trace reads buffers that are __constant arguments (BYWAY_CONSTANT): from the
# constant bank, or through the L1 like __global ones.  Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$B/byway" "$probe"
tap_folder out err
cat >"$dir/k.cl" <<'EOF'
constant int table[4] = {3, 1, 4, 1};
kernel void filter(global int *a, constant int *f, int n) {
  int i = get_global_id(0);
  a[i] = f[i % n] * table[i & 3];
}
EOF
# Captures into $dir/$1.bwt; $2: an environment assignment.
capture() {
    env "$2" "$B/byway" trace capture -o "$dir/$1.bwt" -- \
        "$probe" "$dir/k.cl" filter 64 32 - b:64 b:64 i:8 >"$dir/out" 2>"$dir/err"
}
count() { # count TRACE CLASS: instructions of that class
    "$B/byway" trace info "$dir/$1.bwt" | awk -v c="$2" '$1 == c { n = $2 } END { print n + 0 }'
}
capture bank X=1 && [ "$(count bank load)" = 0 ] && [ "$(count bank const_load)" = 4 ]
result $? "a constant buffer is in the constant bank by default, like a constant array"
capture same BYWAY_CONSTANT=bank && cmp -s "$dir/bank.bwt" "$dir/same.bwt"
result $? "BYWAY_CONSTANT=bank says the same"
capture global BYWAY_CONSTANT=global && [ "$(count global load)" = 2 ] && [ "$(count global const_load)" = 2 ]
result $? "with BYWAY_CONSTANT=global the buffer is read by loads, the array is not"
capture bad BYWAY_CONSTANT=elsewhere
[ $? = 2 ] && grep -qF "BYWAY_CONSTANT is 'elsewhere'; expected bank or global" "$dir/err"
result $? "other values are refused before the program starts"
finish
