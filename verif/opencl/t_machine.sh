#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_machine.sh - machine code in traces: every warp of a kernel with loops, divergence and a barrier has a
# walk, a long CTA is timed by it, too, and BYWAY_MACHINE=off turns it off.  Prints TAP; exit status 77 without the runtime or ptxas.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$B/byway" "$probe"
real=$(cuda_tool ptxas) || skip_all "no ptxas; make deps-cuda"
export BYWAY_PTXAS=$real
tap_folder out err
cat >"$dir/k.cl" <<'K'
kernel void walk(global int *a, global const int *b, int n) {
  local int part[64];
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < i % 7 + 3; k++)
    sum += b[(i + k) % n];
  if (i & 1)
    sum += b[i / 2];
  part[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = part[get_local_id(0) ^ 1];
}
K
cat >"$dir/long.cl" <<'K'
kernel void walk(global int *a, global const int *b, int n) {
  int i = get_global_id(0), at = i;
  for (int k = 0; k < 5000; k++)
    at = b[at % n] + k;
  a[i] = at;
}
K
cat >"$dir/early.cl" <<'K'
kernel void early(global int *a, int n) {
  int i = get_local_id(0);
  if (i >= n)
    return;
  a[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i + 32] = a[(i + 1) % n] + 1;
}
K
capture() { # capture NAME: into $dir/NAME.bwt
    "$B/byway" trace capture -o "$dir/$1.bwt" -- "$probe" "$dir/k.cl" walk 128 64 - b:512 b:512 i:128 >"$dir/out" 2>"$dir/err"
}
field() { "$B/byway" trace info --json "$dir/$1.bwt" | sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" | tail -1; }
number() { sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" "$dir/long.json" | head -1; }
capture on && [ "$(field on machine_instructions)" -gt 20 ] && [ "$(field on machine_warps)" = 4 ]
result $? "all warps of a kernel with loops, divergence and a barrier have a walk"
"$B/byway" trace check "$dir/on.bwt" >/dev/null
result $? "the walks fit the machine code"
"$B/byway" trace convert "$dir/on.bwt" --to bwt -o "$dir/copy.bwt" && cmp -s "$dir/on.bwt" "$dir/copy.bwt"
result $? "a converted trace keeps them, byte by byte"
# 5,000 loads per warp are more than the 96 KB of records from which on a CTA is read in windows.
"$B/byway" trace capture -o "$dir/long.bwt" -- "$probe" "$dir/long.cl" walk 64 64 - b:512 b:512 i:128 >"$dir/out" 2>"$dir/err" &&
    "$B/byway" run -m h200 -t "$dir/long.bwt" -o "$dir/long.json" >"$dir/out" 2>"$dir/err" &&
    [ "$(number warp_instructions)" -gt 10000 ] &&
    [ "$(number machine_instructions)" = "$(number warp_instructions)" ]
result $? "a CTA with 5,000 loads per warp is timed by machine code"
"$B/byway" trace capture -o "$dir/early.bwt" -- "$probe" "$dir/early.cl" early 32 32 "$dir/dump" b:64 i:20 >"$dir/out" 2>"$dir/err" &&
    [ "$(od -An -td4 -w8 -j204 -N8 "$dir/dump" | tr -s ' ')" = ' 2 52' ]
result $? "an early return before a barrier is no fault in PTX either"
BYWAY_MACHINE=off capture off && [ "$(field off machine_instructions)" = 0 ] && [ "$(od -An -tu4 -j8 -N4 "$dir/off.bwt" | tr -d ' ')" = 2 ]
result $? "BYWAY_MACHINE=off leaves machine code out, in version 2 of the format"
lines=$("$B/byway" trace info --sites "$dir/on.bwt" | awk '$1 == "walk" { print $3 }' | sort -nu | tr '\n' ' ')
[ "$lines" = '5 7 10 ' ]
result $? "accesses have their lines in the source: $lines"
mkdir "$dir/ptx"
BYWAY_PTX=$dir/ptx capture on && [ "$(ls "$dir/ptx")" = 1.ptx ] && grep -q 'entry walk' "$dir/ptx/1.ptx" && BYWAY_PTX=$dir/ptx capture on && [ "$(ls "$dir/ptx")" = 1.ptx ]
result $? "BYWAY_PTX stores the PTX once, although the kernel is in the cache"
without() { sed '/^ "sim": {/,/^ }/d; /"provenance": {/,/}/d' "$dir/$1.json"; }
for j in 1 2; do
    "$B/byway" run -t "$dir/on.bwt" --stalls -j $j -o "$dir/$j.json" >"$dir/out" 2>"$dir/err" || break
done
cmp -s <(without 1) <(without 2) && grep -q '"waits_for"' "$dir/1.json" && grep -q '"source": 5' "$dir/1.json"
result $? "run --stalls names what instructions wait for, and does not depend on -j"
"$B/byway" run -t "$dir/on.bwt" -o "$dir/plain.json" >"$dir/out" 2>"$dir/err"
cmp -s <(without plain) <(without 1 | awk '/^ "stalls": {/ { skip = 1 } !skip; skip && /^ }/ { skip = 0 }')
result $? "counting stalls changes no other member of the result"
cat >"$dir/c.cl" <<'K'
kernel void filter(global int *a, constant int *f, int n) {
  a[get_global_id(0)] = f[get_global_id(0) % n];
}
K
echo '* * bypass' >"$dir/all"
"$B/byway" trace capture -o "$dir/c.bwt" -- "$probe" "$dir/c.cl" filter 128 64 - b:512 b:512 i:128 >"$dir/out" 2>"$dir/err" &&
    "$B/byway" run -m h200 -t "$dir/c.bwt" -a "$dir/all" -o "$dir/c.json" >"$dir/out" 2>"$dir/err"
grep -q '"machine_instructions": [1-9]' "$dir/c.json" && [ "$(sed -n '/^ "l1d": {/,/^ }/s/^  "bypasses": \([0-9]*\),*/\1/p' "$dir/c.json")" = 0 ]
result $? "loads of __constant buffers take no hint with machine code, either"
finish
