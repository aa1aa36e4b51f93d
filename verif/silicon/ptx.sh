#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ptx.sh DIR [WORKLOAD...] - compiles byway's workloads to PTX for an NVIDIA GPU: DIR/WORKLOAD.{ca,cg,na}.ptx
# (variant.sh).  Needs clang and libclc (nvptx64--nvidiacl.bc); CLANG and LIBCLC name others.
# Prints the workloads that it skips.  Exit 77: a tool is missing.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:?usage: ptx.sh DIR [WORKLOAD...]}
shift
for c in ${CLANG:-clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang}; do
    command -v "$c" >/dev/null && clang=$c && break
done
for f in ${LIBCLC:-/usr/lib/clc/nvptx64--nvidiacl.bc /usr/share/clc/nvptx64--nvidiacl.bc}; do
    [ -e "$f" ] && libclc=$f && break
done
if [ -z "${clang:-}" ] || [ -z "${libclc:-}" ]; then
    echo "no clang, or no nvptx64--nvidiacl.bc of libclc; make deps-all" >&2
    exit 77
fi
mkdir -p "$out"
[ $# -gt 0 ] || mapfile -t all < <(basename -a cmodel/workloads/*/)
[ $# -gt 0 ] || set -- "${all[@]}"
for w in "$@"; do
    [ -e "cmodel/workloads/$w/$w.cl" ] || continue
    # The libclc of Debian 12 lacks functions that fft, lrn and rnn call; that of Debian 13 has them.
    if ! "$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-nvidia-nvcl -Xclang -target-cpu \
        -Xclang sm_75 -O2 -fgnu89-inline -mllvm -inline-threshold=1000000 -Xclang -mlink-bitcode-file -Xclang "$libclc" \
        -w -S -o "$out/$w.ptx" "cmodel/workloads/$w/$w.cl" 2>"$out/$w.log"; then
        echo "left out: $w ($(grep -m1 error "$out/$w.log"))"
        continue
    fi
    for v in ca cg na; do
        verif/silicon/variant.sh $v <"$out/$w.ptx" >"$out/$w.$v.ptx" || echo "$w: no variant $v"
    done
done
