#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_hazards.sh - the search for stores that overwrite what other warps have yet to read
# (byw_cl_hazards.c) takes linear time in kernels whose addresses use each value twice; such stores
# are found behind as many operations as before.  Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$probe"
tap_folder err
export BYWAY_CACHE=$dir/cache LD_LIBRARY_PATH=$B/lib
{
    echo 'kernel void squares(global int *a, local int *l) {'
    echo '  unsigned x = get_local_id(0);'
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        echo '  x *= x; x *= x;' # the search follows 24 operations
    done
    echo '  l[get_local_id(0)] = a[get_local_id(0)];'
    echo '  int v = l[x & 63];'
    echo '  l[x >> 7 & 63] = v + l[x >> 3 & 63];'
    echo '  a[get_local_id(0)] = v;'
    echo '}'
    echo 'kernel void shift(global int *a, local int *l) {'
    echo '  int i = get_local_id(0);'
    echo '  l[i] = a[i];'
    echo '  barrier(CLK_LOCAL_MEM_FENCE);'
    echo '  int v = i < 96 ? l[i + 32] : 0;'
    echo '  l[i] = v;'
    echo '  barrier(CLK_LOCAL_MEM_FENCE);'
    echo '  a[i] = l[i];'
    echo '}'
} >"$dir/k.cl"
timeout 30 "$probe" "$dir/k.cl" squares 64 64 - b:64 l:256 >"$dir/err" 2>&1
result $? "a kernel with chains of squares is compiled within 30 s"
"$probe" "$dir/k.cl" shift 128 128 "$dir/dump" b:128 l:512 >"$dir/err" 2>&1 &&
    [ "$(od -An -td4 -w4 -v "$dir/dump" | awk '$1 != (NR <= 96 ? NR + 31 : 0)' | wc -l)" = 0 ]
result $? "a store that overwrites what the warp before has yet to read waits for it"
finish
