#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_loader.sh - programs with an ICD loader of their own reach byway by the variables of either
# loader (Khronos's, ocl-icd), and a program that uses OpenCL and CUDA writes one trace.
#
# Exit status 77 without the capture libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/opencl/cl_loader"
tap_folder out err
export BYWAY_CACHE=$dir/cache

for variable in OCL_ICD_FILENAMES OCL_ICD_VENDORS; do
    "$B/byway" trace capture -o "$dir/t.bwt" -- "$B/verif/opencl/cl_loader" "$variable" >"$dir/out" 2>"$dir/err" &&
        [ "$(cat "$dir/out")" = right ] && [ ! -s "$dir/err" ]
    result $? "a loader that reads $variable runs a kernel; then CUDA runs one"
done
"$B/byway" trace info "$dir/t.bwt" >"$dir/out" 2>"$dir/err" &&
    grep -qE '^kernels, launches +2, 2$' "$dir/out"
result $? "the trace has the kernels of OpenCL and of CUDA"

if in_test_all && python3 -c 'import pyopencl' 2>/dev/null; then
    "$B/byway" trace capture -o "$dir/t.bwt" -- python3 -c 'import pyopencl; print(pyopencl.get_platforms()[0].name)' >"$dir/out" 2>"$dir/err"
    grep -q byway "$dir/out"
    result $? "pyopencl has byway's platform"
fi
finish
