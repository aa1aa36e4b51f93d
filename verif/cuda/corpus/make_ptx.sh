#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make_ptx.sh [NAME...] - compiles the kernels of the corpus to the PTX stored next to them; needs
# nvcc.
cd "$(dirname "$0")" || exit 1
[ $# != 0 ] || set -- *.cu
for f in "$@"; do
    n=${f%.cu}
    nvcc -arch=sm_90 -std=c++17 -O3 -lineinfo $(sed -n 's|^// nvcc: ||p' "$n.cu") -ptx -o - "$n.cu" |
        sed '/^\t*\.file/s|"[^"]*/|"|' >"$n.ptx" || exit 1
done
