#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_guide.sh - the guide of cmodel/doc/cuda.md works as it is printed: its program is compiled,
# captured, listed, simulated and advised upon by the commands in it.
#
# Exit status 77 without nvcc or the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1
"$B/byway" nvcc --version >/dev/null 2>&1 || skip_all "no nvcc; make deps-cuda"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache PATH=$root/$B:$PATH
tap_logs=("$work/out" "$work/err")

sed -n '/^```cuda gather.cu$/,/^```$/p' cmodel/doc/cuda.md | sed '/^```/d' >"$work/gather.cu"
sed -n '/^```sh$/,/^```$/p' cmodel/doc/cuda.md | sed '/^```/d' >"$work/commands"
cd "$work" || exit 1
while read -r command; do
    # shellcheck disable=SC2086 # the words of a command of the page
    $command >"$work/out" 2>"$work/err"
    result $? "$command"
    case $command in
    *capture*)
        grep -q right "$work/out"
        result $? "the captured program finds its sums right"
        ;;
    *--sites*)
        line=$(grep -n 'v += table' gather.cu | cut -d: -f1)
        grep -E "^gather" "$work/out" | awk -v l="$line" '$3 == l && $5 == "load"' | grep -q .
        result $? "the sites name the line of the load in the .cu file"
        ;;
    esac
done <commands
finish
