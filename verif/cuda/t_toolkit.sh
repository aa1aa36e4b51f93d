#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_toolkit.sh - nvcc and ptxas of `make deps-cuda`, in cuda/bin beside byway, are found by the
# command and by the libraries that programs load. Scripts replace them. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
unset BYWAY_NVCC BYWAY_PTXAS CUDA_HOME
[ ! -e /usr/local/cuda/bin/nvcc ] || hide=yes
if [ -n "${hide:-}" ] && ! unshare -m true 2>/dev/null; then
    skip_all "no right to hide the toolkit in /usr/local/cuda; run as root"
fi
mkdir -p "$dir/byway/cuda/bin" "$dir/home/bin" "$dir/path"
cp "$byway" "$dir/byway/byway"
for where in byway/cuda/bin home/bin path; do
    for tool in nvcc ptxas; do
        printf '#!/bin/sh\necho ran %s of %s >>%q/ran\n' $tool $where "$dir" >"$dir/$where/$tool"
        chmod +x "$dir/$where/$tool"
    done
done
# Without the system's toolkit.
alone() { # alone COMMAND...
    : >"$dir/ran"
    if [ -n "${hide:-}" ]; then
        unshare -m sh -c 'mount -t tmpfs byway-test /usr/local/cuda && exec "$@"' sh "$@"
    else
        "$@"
    fi >"$dir/out" 2>"$dir/err" </dev/null
}
PATH=/usr/bin:/bin alone "$dir/byway/byway" nvcc a.cu
grep -qx "ran nvcc of byway/cuda/bin" "$dir/ran"
result $? "byway nvcc runs the nvcc beside it"
PATH=$dir/path:/usr/bin:/bin alone "$dir/byway/byway" nvcc a.cu
grep -qx "ran nvcc of path" "$dir/ran"
result $? "one on PATH goes first"
CUDA_HOME=$dir/home PATH=$dir/path:/usr/bin:/bin alone "$dir/byway/byway" nvcc a.cu
grep -qx "ran nvcc of home/bin" "$dir/ran"
result $? "and before it that of CUDA_HOME"
rm "$dir/byway/cuda/bin/nvcc"
PATH=/usr/bin:/bin alone "$dir/byway/byway" nvcc a.cu
[ $? = 2 ] && grep -q 'make deps-cuda' "$dir/err"
result $? "without any, the message names make deps-cuda"
if [ ! -e "$B/lib/libcuda.so.1" ] || [ ! -x "$B/verif/opencl/cl_ends" ]; then
    skip_check "the libraries find ptxas" "no $B/lib/libcuda.so.1: clang, llvm-dev or libclc is missing; make deps-all"
else
    cp -r "$B/lib" "$dir/byway/lib"
    export BYWAY_CACHE=$dir/cache
    PATH=/usr/bin:/bin alone "$dir/byway/byway" trace capture -o "$dir/t.bwt" -- "$PWD/$B/verif/opencl/cl_ends" leave
    grep -qx "ran ptxas of byway/cuda/bin" "$dir/ran"
    result $? "the libraries run the ptxas beside them"
fi
finish
