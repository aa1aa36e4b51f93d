#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_nvcc.sh - byway nvcc passes its options to nvcc and adds what a capture needs.  A script
# replaces nvcc, so that no toolkit is needed.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
printf '#!/bin/sh\necho "$@"\nexit 3\n' >"$work/nvcc"
chmod +x "$work/nvcc"
export BYWAY_NVCC=$work/nvcc
tap_logs=("$work/got" "$work/want")

# OPTIONS = WHAT NVCC GETS
while IFS== read -r -d '|' options want; do
    # shellcheck disable=SC2086 # words
    "$B/byway" nvcc $options >"$work/got"
    status=$?
    echo "$want" | xargs >"$work/want"
    cmp -s "$work/got" "$work/want" && [ $status = 3 ]
    result $? "byway nvcc $(echo "$options" | xargs)"
done < <(tr '\n' ' ' <<'EOF' | sed 's/;/|/g; s/ = /=/g'
a.cu = a.cu -cudart shared -lineinfo;
-G a.cu = -G a.cu -cudart shared;
-lineinfo a.cu = -lineinfo a.cu -cudart shared;
-cudart static a.cu = a.cu -cudart shared -lineinfo;
-gencode arch:compute_80,code:sm_80 a.cu = -gencode arch:compute_80,code:sm_80 a.cu -cudart shared -lineinfo;
EOF
)
"$B/byway" nvcc --cudart=static -gencode arch=compute_80,code=sm_80 a.cu >"$work/got"
echo "-gencode arch=compute_80,code=sm_80 a.cu -cudart shared -lineinfo -gencode arch=compute_80,code=compute_80" >"$work/want"
cmp -s "$work/got" "$work/want"
result $? "machine code only: PTX is added"
"$B/byway-nvcc" -gencode arch=compute_90,code=[sm_90,compute_90] a.cu >"$work/got"
echo "-gencode arch=compute_90,code=[sm_90,compute_90] a.cu -cudart shared -lineinfo" >"$work/want"
cmp -s "$work/got" "$work/want"
result $? "byway-nvcc is the same in one word; PTX that is asked for is not added again"
BYWAY_NVCC=$work/none "$B/byway" nvcc a.cu 2>"$work/got"
[ $? = 2 ] && grep -q "make deps-cuda. gets one without root, or name yours with BYWAY_NVCC" "$work/got"
result $? "without nvcc the message says what to do"
finish
