#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_races.sh - `byway trace capture --races` on OpenCL: a race between warps in local memory and in global
# memory is named with lines and bytes, and the same kernel with a barrier has none; atomic accesses and equal
# stores are no races. Prints TAP.
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
        [ $rc = 0 ] && grep -qx 'byway: 0 races in scratchpad and global memory' "$dir/out"
        result $? "with a barrier there is none"
    fi
done

# judge KERNEL BODY: captures a kernel of two work-groups of four warps that writes out[i] and w[0].
judge() {
    printf '__kernel void %s(__global int *out, __global int *w)\n{\nint i = get_global_id(0), l = get_local_id(0), at = i - l + (l + 64) %% 128;\n%s\n}\n' \
        "$1" "$2" >"$dir/k.cl"
    "$B/byway" trace capture --races -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" "$1" 256 128 - b:256 b:256 >"$dir/out" 2>&1
}
! judge raw $'out[i] = i;\nint v = out[at];\nbarrier(CLK_GLOBAL_MEM_FENCE);\nw[i] = v;' &&
    grep -q '^race in kernel raw: line 4 writes and line 5 reads in another warp, bytes 0x[0-9a-f]* to 0x[0-9a-f]* of global memory' "$dir/out"
result $? "a byte of global memory that one warp writes and another reads"
judge fenced $'out[i] = i;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nint v = out[at];\nw[i] = v;'
result $? "with a barrier in between there is no race"
! judge waw $'out[i] = i;\nout[at] = -i;' && grep -q 'line 4 writes and line 5 writes in another warp' "$dir/out"
result $? "two lines that write one byte in different warps"
judge flag $'out[i] = i;\nw[0] = 1;'
result $? "one line that writes one byte in all warps is taken to write one value"
judge count $'atomic_add(&w[0], 1);\nout[i] = w[0];'
result $? "a byte with atomic accesses is not judged"
finish
