#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make_ptx.sh [NAME...] - compiles the kernels of the corpus to PTX, which is stored next to them in
# ptx.tar.gz (saxpy.ptx, the example of a page, as it is); needs nvcc.  The build unpacks the archive.
set -eu
cd "$(dirname "$0")"
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
tar xzf ptx.tar.gz -C "$new"
[ $# != 0 ] || set -- *.cu
for f in "$@"; do
    n=${f%.cu}
    nvcc $(grep -q "^// nvcc:.*-arch" "$n.cu" || echo -arch=sm_90) -std=c++17 -O3 -lineinfo $(sed -n 's|^// nvcc: ||p' "$n.cu") -ptx -o "$new/whole" "$n.cu"
    sed '/^\t*\.file/s|"[^"]*/|"|' "$new/whole" >"$new/$n.ptx"
done
rm -f "$new/whole"
[ ! -e "$new/saxpy.ptx" ] || mv "$new/saxpy.ptx" .
(cd "$new" && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf - -- *.ptx) | gzip -9n >ptx.tar.gz
