#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_faults.sh - kernels that access memory outside their buffers, never end, diverge at barriers, or
# wait for something that no work-group does: each ends in one sentence that names the kernel and
# its source line, captured or not, and leaves no trace. An early return before a barrier is no
# fault. Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$B/byway" "$probe"
tap_folder err
cat >"$dir/k.cl" <<'EOF'
kernel void outside(global int *a, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    a[i * 1000 + k * 10] += i;
}
kernel void endless(global int *a, int n) {
  while (1)
    ;
}
kernel void spin(global int *a, int n) {
  volatile global int *f = a;
  if (get_group_id(0) == 0) {
    while (f[0] != 77)
      ;
  } else
    f[0] = 76;
}
kernel void skip(global int *a, int n) {
  if (get_local_id(0) < 16)
    barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 1;
}
kernel void two(global int *a, int n) {
  int i = get_local_id(0);
  if (i < 16) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = 2;
  } else
    barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void divide(global int *a, int n) {
  a[0] = a[1] / (n - 8);
}
kernel void early(global int *a, int n) {
  int i = get_local_id(0);
  if (i >= 20)
    return;
  a[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] += a[(i + 1) % 20];
}
kernel void crowd(global int *a, int n) {
  if (get_local_id(0) == 0) {
    atomic_inc(a);
    while (atomic_or(a, 0) < (int)get_num_groups(0))
      ;
  }
}
kernel void backoff(global int *a, int n) {
  for (int k = 0; atomic_or(a, 0) != 77; k = (k * 5 + 1) % 1024)
    a[1] = k;
}
kernel void beyond(global int *a, int n) {
  int i = get_global_id(0);
  a[i] = i & 1 ? a[i * 100000 + n] : a[i] + 3;
}
kernel void pile(global int *a, int n) {
  for (int k = 0; k < 1 << 26; k++)
    a[k & 63] += k;
}
EOF

# kernel, words of its message, work-items
fault() {
    local how rc items=${3:-64}
    for how in run capture; do
        rm -f "$dir/t.bwt"
        if [ $how = run ]; then
            LD_LIBRARY_PATH=$B/lib BYWAY_RESIDENT=3 BYWAY_STEPS=100000 timeout 60 "$probe" "$dir/k.cl" "$1" "$items" 32 - b:64 i:8
        else
            BYWAY_RESIDENT=3 BYWAY_STEPS=100000 timeout 60 "$B/byway" trace capture -o "$dir/t.bwt" -- \
                "$probe" "$dir/k.cl" "$1" "$items" 32 - b:64 i:8
        fi 2>"$dir/err" >/dev/null
        rc=$?
        [ $rc != 0 ] && [ $rc -lt 124 ] && grep -q "^byway: kernel $1, .*$2" "$dir/err" &&
            [ ! -e "$dir/t.bwt" ]
        result $? "$how: $1"
    done
}

fault outside 'line 4: access to 0x[0-9a-f]*, outside all buffers: [0-9]* bytes past the nearest buffer, argument 0 (a)'
fault endless 'more than 100000 loop iterations, now in the loop in line 7'
fault spin 'waits forever in a loop in line 13.* all 1 unfinished resident work-groups of 2'
fault crowd 'waits forever in a loop in line 45.* all 3 unfinished resident work-groups of 4' 128
fault backoff 'more than 100000 loop iterations, now in the loop in line 51.*another work-group'
fault skip 'waits at the barrier in line 20, which work-item (16,0,0) never reaches'
fault two 'waits at the barrier in line 26, but work-item (16,0,0) at the one in line 29'
fault beyond 'line 55: access to 0x[0-9a-f]*, outside all buffers'
fault divide 'line 32: integer division by zero'
"$B/byway" trace capture -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" early 64 32 - b:64 i:8 2>"$dir/err" &&
    "$B/byway" trace check "$dir/t.bwt" >"$dir/err" 2>&1
result $? "capture: early return"
for how in run capture; do
    rm -f "$dir/t.bwt"
    if [ $how = run ]; then
        LD_LIBRARY_PATH=$B/lib BYWAY_BOUNDS=warn "$probe" "$dir/k.cl" beyond 64 32 "$dir/dump" b:64 i:8
    else
        BYWAY_BOUNDS=warn "$B/byway" trace capture -o "$dir/t.bwt" -- \
            "$probe" "$dir/k.cl" beyond 64 32 "$dir/dump" b:64 i:8
    fi 2>"$dir/err" >/dev/null &&
        grep -q '^byway: 32 out-of-bounds reads returned zeros, the first in kernel beyond, line 55$' "$dir/err" &&
        [ "$(od -An -td4 -w16 -N16 "$dir/dump" | tr -s ' ')" = ' 3 0 5 0' ]
    result $? "$how: BYWAY_BOUNDS=warn lets out-of-bounds reads return zeros"
done
BYWAY_BOUNDS=warn "$B/byway" trace capture -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" outside 64 32 - b:64 i:8 \
    >/dev/null 2>"$dir/err"
[ $? != 0 ] && grep -q "kernel outside, .* line 4: access to 0x" "$dir/err"
result $? "capture: out-of-bounds writes are always errors"
BYWAY_MEMORY=1 "$B/byway" trace capture -o "$dir/t.bwt" -- "$probe" "$dir/k.cl" pile 64 32 - b:64 i:8 \
    >/dev/null 2>"$dir/err"
grep -q "kernel pile, .*takes more than 1 MB" "$dir/err"
result $? "capture: the memory of a work-group's trace is limited"
# What a kernel uses that byway does not support is named in words.
while IFS='|' read -r words source; do
    echo "$source" >"$dir/refused.cl"
    CL_PROBE_OPTIONS=-cl-std=CL2.0 LD_LIBRARY_PATH=$B/lib "$probe" "$dir/refused.cl" k 1 1 - b:64 >/dev/null 2>"$dir/err"
    [ $? = 3 ] && grep -qF "kernel k $words; the kernel is omitted" "$dir/err"
    result $? "a kernel that $words is omitted"
done <<'EOF'
calls fill_pipe, which the program declares but does not define|int fill_pipe(int a); kernel void k(global int *o) { o[0] = fill_pipe(3); }
calls f, which the program declares but does not define|int f(int a); kernel void k(global int *o) { o[0] = f(3); }
uses a pipe (__read_pipe_2), which byway does not support|kernel void k(read_only pipe int p, global int *o) { int v; read_pipe(p, &v); o[0] = v; }
uses a queue on the device (get_default_queue), which byway does not support|kernel void k(global int *o) { enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ o[0] = 1; }); }
EOF
# An unknown setting is refused before the program starts, or by the runtime inside it.
for setting in STEPS=abc STEPS=10x STEPS=-1 STEPS=0 MEMORY=1G RESIDENT=70000 LEVEL=99 BOUNDS=wran WARP=48; do
    rm -f "$dir/t.bwt"
    env "BYWAY_$setting" LD_LIBRARY_PATH="$B/lib" "$probe" "$dir/k.cl" early 64 32 - b:64 i:8 >/dev/null 2>"$dir/err"
    [ $? != 0 ] && grep -q "^byway: BYWAY_${setting%%=*} is '${setting#*=}'; expected" "$dir/err"
    result $? "run: BYWAY_$setting is refused"
    [ "$setting" != WARP=48 ] || continue # --warp sets it
    env "BYWAY_$setting" "$B/byway" trace capture -o "$dir/t.bwt" -- touch "$dir/started" >/dev/null 2>"$dir/err"
    [ $? = 2 ] && [ ! -e "$dir/started" ] && [ ! -e "$dir/t.bwt" ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
        grep -q "^byway: BYWAY_${setting%%=*} is '${setting#*=}'; expected" "$dir/err"
    result $? "capture: BYWAY_$setting is refused"
done
finish
