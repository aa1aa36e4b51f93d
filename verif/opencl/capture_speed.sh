#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# capture_speed.sh - speed and memory use of capturing kernels.
#
#     verif/opencl/capture_speed.sh [KERNEL ...]
#
# The fastest of RUNS (3) captures counts, each with its kernel compiled beforehand. Its time is
# that of the whole command; its processor time is printed as well, since a busy machine lengthens
# only the former. "memory" is the peak without the program's buffers. Compute kernels must reach
# LANES (200) million lane-instructions per second, memory-bound ones ACCESSES (1) million warp
# accesses per second, both by the smaller of the two times, and stay below MEMORY (300) MB. Exit
# status 1 otherwise, 77 if something is missing.
set -u
B=${B:-build}
RUNS=${RUNS:-3} LANES=${LANES:-200} ACCESSES=${ACCESSES:-1} MEMORY=${MEMORY:-300}
probe=$B/verif/opencl/cl_probe
if [ ! -e "$B/lib/libOpenCL.so.1" ] || [ ! -x "$B/byway" ] || [ ! -x "$probe" ]; then
    echo "capture_speed: needs $B/lib/libOpenCL.so.1 (make opencl), $B/byway and $probe; skipped" >&2
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
cat >"$work/k.cl" <<'EOF_KERNELS'
/* Converged, no barriers: arithmetic only, then two operands through the cache. */
kernel void polynomial(global float *a, int n) {
  int i = get_global_id(0);
  float x = a[i], y = 0.5f;
  for (int k = 0; k < n; k++)
    y = fma(y, x, 0.25f) - y * y * 0.125f + (float)k;
  a[i] = y;
}
kernel void product(global float *a, global float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
/* Converged, two barriers for every 16 steps. */
kernel void tiles(global float *a, global float *b, global float *c, int n) {
  local float p[16][16], q[16][16];
  int x = get_local_id(0), y = get_local_id(1), i = get_global_id(0), j = get_global_id(1);
  float s = 0;
  for (int t = 0; t < n; t += 16) {
    p[y][x] = a[j * n + t + x];
    q[y][x] = b[(t + y) * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
      s += p[y][k] * q[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[j * n + i] = s;
}
/* Memory bound: whole lines; 32 lines per load; 32 lines that step alike; 32 lines anywhere. */
kernel void stream(global float *a, global float *b, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < 16; k++, i += n)
    b[i] = a[i] * 2.0f;
}
kernel void column(global float *a, global float *b, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k];
  b[i] = s;
}
kernel void gather(global int *a, global int *b, int mask) {
  int i = get_global_id(0), sum = 0;
  uint s = i * 2654435761u;
  for (int k = 0; k < 128; k++) {
    s = s * 1664525u + 1013904223u;
    sum += a[(s >> 8) & mask];
  }
  b[i] = sum;
}
kernel void scatter(global int *a, global int *b, int mask) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < 128; k++) {
    uint s = i * 128u + k;
    s = (s ^ s >> 16) * 0x7feb352du;
    s = (s ^ s >> 15) * 0x846ca68bu;
    sum += a[(s ^ s >> 16) & mask];
  }
  b[i] = sum;
}
EOF_KERNELS

machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
echo "machine: ${machine:-$(uname -m)}, $(nproc) processors, load$(uptime | sed 's/.*load average//'), $(uname -sr)"
printf '%-11s %9s %9s %7s %7s %9s %9s %8s %7s\n' kernel "M lanes" "M access" "wall s" "cpu s" \
    "M lane/s" "M acc/s" "B/access" "MB"
bad=0
want=" ${*:-polynomial product tiles stream column gather scatter} "
# limit kind, megabytes of buffers, then the arguments of cl_probe
measure() {
    local kind=$1 buffers=$2 name=$3 best="" line
    shift 2
    case $want in *" $name "*) ;; *) return ;; esac
    "$B/byway" trace capture -o "$work/t.bwt" -- "$probe" "$work/k.cl" "$@" >/dev/null || exit 1
    for ((r = 0; r < RUNS; r++)); do
        # Only the captured program takes time and memory: the command waits for it.
        line=$({ TIMEFORMAT='%R %U %S'; time "$B/byway" trace capture -o "$work/t.bwt" -- \
            "$probe" "$work/k.cl" "$@"; } 2>&1 | tail -1)
        best=$(printf '%s\n%s\n' "$best" "$line" | awk 'NF == 3' | sort -n | head -1)
    done
    peak=$(peak_of "$@")
    "$B/byway" trace info --json "$work/t.bwt" | awk -v t="$best" -v n="$name" -v kind="$kind" \
        -v lanes="$LANES" -v accesses="$ACCESSES" -v memory="$MEMORY" -v peak="$peak" -v buffers="$buffers" '
        /"thread_instructions"/ && !l { gsub(/[^0-9]/, ""); l = $0 / 1e6 }
        /"accesses"/ && !a { gsub(/[^0-9]/, ""); a = $0 / 1e6 }
        /"bytes_per_access"/ { sub(/.*: /, ""); b = $0 + 0 }
        END {
            split(t, s, " ")
            cpu = s[2] + s[3]
            least = s[1] < cpu ? s[1] : cpu
            mb = peak - buffers
            low = kind == "lanes" ? l / least < lanes : a / least < accesses
            printf "%-11s %9.1f %9.3f %7.2f %7.2f %9.0f %9.2f %8.3f %7.0f%s%s\n", n, l, a, s[1], cpu,
                l / least, a / least, b, mb, (low) ? "  too slow" : "", (mb > memory) ? "  too much memory" : ""
            exit low || mb > memory
        }' || bad=1
}

# Peak resident memory of the captured program in MB, as the kernel reports it at its end.
peak_of() {
    BYWAY_TRACE=$work/m.bwt LD_LIBRARY_PATH=$B/lib python3 - "$probe" "$work/k.cl" "$@" <<'EOF_PEAK'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
EOF_PEAK
}

measure lanes 1 polynomial 262144 256 - f:262144 i:500
measure lanes 3 product 512,512 32,8 - f:262144 f:262144 f:262144 i:512
measure lanes 3 tiles 512,512 16,16 - f:262144 f:262144 f:262144 i:512
measure accesses 128 stream 1048576 256 - f:16777216 f:16777216 i:1048576
measure accesses 64 column 16384 256 - f:16777216 f:16384 i:1024
measure accesses 17 gather 262144 256 - b:4194304 b:262144 i:4194303
measure accesses 17 scatter 262144 256 - b:4194304 b:262144 i:4194303
exit $bad
