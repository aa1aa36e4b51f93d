#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_workloads.sh - nvdisasm judges the machine code of the OpenCL workloads, as clang compiles them
# to PTX.  Prints TAP; exit status 77 without ptxas, nvdisasm, clang or libclc.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
[ "${BYWAY_PTXAS:-}" != off ] || unset BYWAY_PTXAS # run.sh keeps it out of other tests
judge=${B:-build}/verif/machine/judge
[ -x "$judge" ] || skip_all "$judge is not built; make tests"
tap_folder said
"$judge" 90 >"$dir/said"
[ $? != 77 ] || skip_all "$(cat "$dir/said")"
read -r clang library _ < <(make -s --no-print-directory opencl-tools B="${B:-build}" 2>/dev/null | tail -1)
library=${library%--.bc}--nvidiacl.bc
[ -x "${clang:-}" ] && [ -e "$library" ] || skip_all "no clang or libclc; make deps-all"
# fft, lrn and rnn use functions that this clang has no PTX for without byway's prelude.
for f in cmodel/workloads/*/*.cl; do
    "$clang" -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -target nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_75 \
        -O2 -gline-tables-only -w -Xclang -mlink-bitcode-file -Xclang "$library" -S -o "$dir/$(basename "$f" .cl).ptx" "$f" 2>/dev/null ||
        rm -f "$dir/$(basename "$f" .cl).ptx"
done
texts=("$dir"/*.ptx)
[ "${#texts[@]}" -ge 40 ]
result $? "clang compiles at least 40 workloads to PTX"
for arch in 90 80; do
    "$judge" $arch "${texts[@]}" >"$dir/said"
    result $? "sm_$arch: $(grep compared "$dir/said")"
done
finish
