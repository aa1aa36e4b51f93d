#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_races.sh - `byway trace capture --races` on OpenCL: a race between warps in local memory is named
# with lines and bytes, and the same kernel with a barrier has none. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$probe"
tap_folder out
export BYWAY_CACHE=$dir/cache
for barrier in '' 'barrier(CLK_LOCAL_MEM_FENCE);'; do
    cat >"$dir/k.cl" <<EOF
__kernel void shift(__global int *out)
{
    __local int t[256];
    int i = get_local_id(0);
    t[i] = i;
    $barrier
    out[get_global_id(0)] = t[(i + 64) % 256];
}
EOF
    "$B/byway" trace capture --races -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" shift 512 256 - b:512 >"$dir/out" 2>&1
    rc=$?
    if [ -z "$barrier" ]; then
        [ $rc = 1 ] && grep -q '^race in kernel shift: line 7 reads and line 5 writes in another warp, bytes 256 to 1023 of scratchpad' "$dir/out"
        result $? "a race is named with its lines and bytes"
    else
        [ $rc = 0 ] && grep -qx 'byway: 0 races in scratchpad' "$dir/out"
        result $? "with a barrier there is none"
    fi
done
finish
