#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_slow_paths.sh - the machine code of a division or root calls a function for unusual operands: walks go
# through it for the lanes that have such operands, and through functions that are always called.  Prints
# TAP; exit status 77 without the runtime or ptxas.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$B/byway" "$probe"
real=$(cuda_tool ptxas) || skip_all "no ptxas; make deps-cuda"
export BYWAY_PTXAS=$real
tap_folder
# One CTA of two warps.  x, y: bits of the operands; the lanes of `odd` that are odd have x = 0.
cat >"$dir/k.cl" <<'K'
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define IN int i = get_global_id(0); int u = odd && (i & 1) ? 0 : x
kernel void divide(global float *a, int x, int y, int odd) { IN; a[i] = as_float(u) / as_float(y + (i & 1)); }
kernel void root(global float *a, int x, int y, int odd) { IN; a[i] = sqrt(as_float(u + (i & 1))); }
kernel void divide2(global double *a, int x, int y, int odd) {
  IN;
  a[i] = as_double((long)u << 32) / as_double((long)(y + (i & 1)) << 32);
}
kernel void root2(global double *a, int x, int y, int odd) { IN; a[i] = sqrt(as_double((long)(u + (i & 1)) << 32)); }
kernel void whole(global ulong *a, int x, int y, int odd) { IN; a[i] = ((ulong)u << 32) / (y + i); }
K
count() { # count KERNEL X Y ODD: machine instructions of both warps
    "$B/byway" trace capture -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" "$1" 64 64 - b:512 "i:$(($2))" "i:$(($3))" "i:$4" >"$dir/out" 2>&1 &&
        "$B/byway" run -t "$dir/t.bwt" -m h200 -o "$dir/t.json" >"$dir/out" 2>&1 &&
        sed -n 's/.*"machine_instructions": \([0-9]*\).*/\1/p' "$dir/t.json" | tail -1
}
one=0x3f800000 three=0x40400000 small=0x0c800000 tiny=0x00800000 big=0x7d800000
usual=$(count divide $one $three 0) zero=$(count divide 0 $three 0) under=$(count divide $tiny $three 0)
[ "${usual:-0}" -gt 20 ] && [ "$((zero - usual))" -ge 40 ] && [ "$((under - zero))" -ge 40 ]
result $? "a division of zero calls a function, one with a subnormal quotient takes a longer way: $usual, $zero, $under"
[ "$(count divide $small $three 0)" = "$usual" ] && [ "$(count divide $((small - 1)) $three 0)" -gt "$usual" ]
result $? "the dividend may be 2^-102, but not less"
[ "$(count divide $one $big 0)" = "$usual" ] && [ "$(count divide $one $((big + 0x800000)) 0)" -gt "$usual" ]
result $? "the divisor may be 2^124, but not 2^125"
half=$(count divide $one $three 1)
[ "$half" = $((zero + 2)) ]
result $? "one slow lane makes its warp wait: each warp meets twice, $half of $zero + 2"
usual=$(count root $one 0 0) zero=$(count root 0 0 0)
[ "$((zero - usual))" -gt 0 ] && [ "$(count root $((0x80000000 | one)) 0 0)" -gt "$usual" ]
result $? "roots of zero and of negative numbers: $usual, $zero"
usual=$(count divide2 0x3ff00000 0x40080000 0) zero=$(count divide2 0 0x40080000 0)
[ "${usual:-0}" -gt 20 ] && [ "$((zero - usual))" -ge 60 ] && [ "$(count divide2 0x03600000 0x40080000 0)" = "$usual" ] &&
    [ "$(count divide2 0x035fffff 0x40080000 0)" -gt "$usual" ]
result $? "divisions of doubles: $usual, $zero"
usual=$(count root2 0x3ff00000 0 0) small=$(count root2 0x00200000 0 0)
[ "$((small - usual))" -ge 10 ]
result $? "roots of doubles: $usual, $small"
whole=$(count whole 5 3 0)
[ "${whole:-0}" -ge 180 ]
result $? "a 64-bit division is a call of some 70 instructions: $whole in two warps"
"$B/byway" trace check "$dir/t.bwt" >/dev/null
result $? "the walks fit the machine code"
finish
