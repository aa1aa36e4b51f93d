#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_loops.sh - kernels that are not traced run as loops over the work-items of a group, with the
# same results as when they are traced; those that cannot be cut at their barriers run as fibers.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$B/byway" "$probe"
tap_folder plain.err traced.err
export BYWAY_CACHE=$dir/cache
cat >"$dir/k.cl" <<'END'
kernel void leave(global int *a, local int *s, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  if (i >= n) return;
  s[l] = a[i];
  for (int k = 0; k < 5; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = s[(l * 7 + k) % 20];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = v + l;
    if (v % 64 == l) return;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = s[l];
}
kernel void prints(global int *a, local int *s, int n) {
  int l = get_local_id(0);
  printf("before %d\n", l);
  s[l] = l;
  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);
  printf("behind %d\n", s[l ^ 1]);
}
kernel void tells(global int *a, local int *s, int n) {
  for (int k = 0; k < n; k++)
    if ((get_local_id(0) + k) % 5 == 0) printf("item %d round %d\n", (int)get_local_id(0), k);
}
kernel void takes_numbers(global int *a, local int *s, int n) {
  for (int k = 0; k < n; k++) a[8 + get_global_id(0) * n + k] = atomic_inc(a);
}
kernel void past(global int *a, local int *s, int n) {
  int l = get_local_id(0);
  s[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[s[l] * 1000 * n] = 1;
}
kernel void endless(global int *a, local int *s, int n) {
  for (int k = 1; a[0] < k; k = k < 100 ? k + 1 : 1) {
    s[get_local_id(0)] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
kernel void stuck(global int *a, local int *s, int n) {
  s[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = get_local_id(0); k != 77; k = k * 3 & 63) s[get_local_id(0)] += k;
  a[get_global_id(0)] = s[0];
}
kernel void parts(global int *a, local int *s, int n) {
  if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 1;
}
kernel void halves(global int *a, local int *s, int n) {
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)] + l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16)
    for (int k = 16; k > 0; k /= 2) s[l] += s[l + k];
  if (l == 0) a[get_group_id(0) * n] = s[0];
}
#if __OPENCL_C_VERSION__ >= 200
kernel void trades(global int *a, local int *s, int n) {
  int i = get_global_id(0), v = a[i] + i;
  for (int k = 0; k < 3; k++)
    v += sub_group_shuffle_xor(v, 1 << k) * sub_group_scan_inclusive_add(v);
  a[i * n] = v + sub_group_any(v % 5 == 0);
}
#endif
END

# alike KERNEL GLOBAL LOCAL N: untraced and traced runs write and print the same.
alike() {
    local kernel=$1 args=("$2" "$3")
    LD_LIBRARY_PATH=$B/lib "$probe" "$dir/k.cl" "$kernel" "${args[@]}" "$dir/plain" b:4096 l:1024 "i:$4" \
        >"$dir/plain.out" 2>"$dir/plain.err" || return 1
    "$B/byway" trace capture -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" "$kernel" "${args[@]}" "$dir/traced" \
        b:4096 l:1024 "i:$4" >"$dir/traced.out" 2>"$dir/traced.err" || return 1
    cmp -s "$dir/plain" "$dir/traced" && cmp -s "$dir/plain.out" "$dir/traced.out"
}

# says KERNEL PATTERN [GLOBAL LOCAL N]: an untraced run fails with a sentence that matches.
says() {
    LD_LIBRARY_PATH=$B/lib "$probe" "$dir/k.cl" "$1" "${3:-64}" "${4:-64}" - b:4096 l:1024 "i:${5:-4}" \
        >"$dir/plain.out" 2>"$dir/plain.err" && return 1
    grep -qE "$2" "$dir/plain.err"
}

alike leave 256 64 250
result $? "barriers do not wait for work-items that have left"
alike leave 256 64 0
result $? "a group ends when all its work-items have left"
alike prints 64 64 8
result $? "text printed around a barrier has the order of the traced run"
alike tells 64 32 7
result $? "text printed in a loop has the order of the traced run"
alike takes_numbers 256 64 9
result $? "atomics in a loop give each work-item the values of the traced run"
# A fault in a loop over work-items cannot name its work-item; a fault in a fiber can.
says past 'kernel past, work-group \(0,0,0\), line 33: .*outside all buffers'
result $? "a kernel with barriers runs as loops, and a bad address is reported with group and line"
alike halves 256 64 1
result $? "lanes that sleep while others meet have the results of the traced run"
says halves 'kernel halves, work-group \(1,0,0\), line 57: .*outside all buffers' 128 64 99999999
result $? "warp-synchronous lanes of which some sleep run as loops"
export CL_PROBE_OPTIONS=-cl-std=CL2.0
alike trades 240 80 1
result $? "shuffles and reductions of sub-groups have the results of the traced run"
says trades 'kernel trades, work-group \(0,0,0\), line 64: .*outside all buffers' 80 80 9999999
result $? "a kernel with shuffles runs as loops"
unset CL_PROBE_OPTIONS
BYWAY_STEPS=100000 says endless 'kernel endless.*line 3[678]'
result $? "an endless loop with a barrier is detected"
BYWAY_STEPS=100000 says stuck 'kernel stuck.*work-item \(0,0,0\).*line 4[34]'
result $? "an endless loop of one work-item is reported with its number"
says parts 'kernel parts'
result $? "a barrier that only some work-items reach is an error"

# Launches that a capture does not keep run as loops, too; nothing is compiled for tracing before it
# is needed.
"$B/byway" trace capture --kernels leave -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" leave 256 64 "$dir/traced" \
    b:4096 l:1024 i:250 2>"$dir/traced.err"
"$B/byway" trace capture --kernels none -o "$dir/u.bwt" -- "$probe" "$dir/k.cl" leave 256 64 "$dir/plain" \
    b:4096 l:1024 i:250 2>"$dir/plain.err"
cmp -s "$dir/plain" "$dir/traced"
result $? "a launch that is not kept has the results of a traced one"
rm -rf "$BYWAY_CACHE"
"$B/byway" trace capture --kernels leave -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" leave 256 64 - \
    b:4096 l:1024 i:250 2>"$dir/traced.err"
kept=$(find "$BYWAY_CACHE" -name '*.so' | wc -l)
[ "$kept" = 1 ]
result $? "code without the log is compiled only when a launch needs it"
finish
