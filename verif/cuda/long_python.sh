#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_python.sh - unmodified Python programs with kernels of Triton, Numba and CuPy are captured and
# compute what numpy does.  BYWAY_PYTHON names a Python that has the packages (default: python3).
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
B=${B:-build}
. verif/common/tap.sh
needs_built libbyway-audit.so
python=${BYWAY_PYTHON:-python3}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache TRITON_CACHE_DIR=$work/triton TRITON_DEFAULT_FP_FUSION=1 PYTHONDONTWRITEBYTECODE=1
tap_logs=("$work/out" "$work/err")

# programs MODULE REMEDY CHECKS: runs MODULE_kernels.py on the device that BYWAY_DEVICE names (default:
# an H200); it prints "ok NAME" per check
programs() {
    if ! "$python" -c "import $1, numpy" 2>/dev/null; then
        echo "# SKIP $python has no $1; $2, and name that Python with BYWAY_PYTHON"
        return
    fi
    "$root/$B/byway" trace capture -o "$work/$1.bwt" -- "$python" "verif/cuda/python/$1_kernels.py" >"$work/out" 2>"$work/err"
    result $? "$1${BYWAY_DEVICE:+ ($BYWAY_DEVICE)}: the program is captured to its end"
    while read -r status name; do
        [ "$status" = ok ]
        result $? "$1${BYWAY_DEVICE:+ ($BYWAY_DEVICE)}: $name"
    done < <(sed 's/^not ok/not_ok/' "$work/out")
    [ "$(grep -c . "$work/out")" = "$3" ]
    result $? "$1${BYWAY_DEVICE:+ ($BYWAY_DEVICE)}: all kernels were checked"
    "$B/byway" trace check "$work/$1.bwt" >/dev/null
    result $? "$1${BYWAY_DEVICE:+ ($BYWAY_DEVICE)}: the trace can be read through"
}
BYWAY_DEVICE=a100 programs triton "pip install triton numpy" 6
programs triton "pip install triton numpy" 8
if [ -e "$work/triton.bwt" ]; then
    line=$(grep -n 'tl.store(z' verif/cuda/python/triton_kernels.py | cut -d: -f1)
    "$B/byway" trace info --sites "$work/triton.bwt" |
        awk -v l="$line" '$1 == "add" && $3 == l && $5 == "store"' | grep -q .
    result $? "triton: sites name lines of the Python source"
fi
programs numba "pip install numba-cuda numpy, and the CUDA toolkit" 4
programs cupy "pip install cupy-cuda13x, and the CUDA toolkit" 4
finish
