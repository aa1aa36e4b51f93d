#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_ends.sh - captured programs that exit without releasing anything, fork, use threads and several
# contexts, or load the library late: each gives a sound trace of its finished launches, or one
# sentence and no trace. So does a full disk. t_bounds.sh covers interrupted programs. Prints TAP;
# exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
needs_built libOpenCL.so.1 "$B/byway" "$B/verif/opencl/cl_ends"
tap_folder err
export BYWAY_CACHE=$dir/cache
capture() {
    rm -f "$dir"/t.bwt*
    timeout 120 "$B/byway" trace capture -o "$dir/t.bwt" -- "$@" 2>"$dir/err" >"$dir/out"
}
# Expected exit status of the capture, and launches in its sound trace
complete() {
    [ "$1" = 0 ] && "$B/byway" trace check "$dir/t.bwt" >>"$dir/err" 2>&1 &&
        "$B/byway" trace info --json "$dir/t.bwt" | grep -q "^ \"launches\": $2,"
}
# Expected exit status and words of the sentence; no trace and no other file remains in the folder
without() {
    [ "$1" != 0 ] && [ "$1" -lt 124 ] && grep -q "$2" "$dir/err" &&
        [ -z "$(find "$dir" -maxdepth 1 -name 't.bwt*')" ]
}

while read -r mode launches; do
    capture "$B/verif/opencl/cl_ends" "$mode"
    complete $? "$launches"
    result $? "$mode: $launches launches"
done <<'EOF'
leave 1
fork 2
fork-launch 2
threads 40
contexts 40
running [12]
quick 1
EOF
capture "$B/verif/opencl/cl_ends" fork-launch
grep -q "was forked after the first launch" "$dir/err"
result $? "fork-launch: the child gets a message"
capture "$B/verif/opencl/cl_ends" small
complete $? 400 && ! grep -q "waited" "$dir/err"
result $? "small: 400 short launches"
capture "$B/verif/opencl/cl_ends" children
complete $? 1 && grep -q "2 of its processes wrote a trace" "$dir/err"
result $? "children: a trace, and a remark"
while read -r mode words; do
    capture "$B/verif/opencl/cl_ends" "$mode"
    without $? "$words"
    result $? "$mode: no trace"
done <<'EOF'
handler ended itself while a kernel was running
EOF
capture "$B/verif/opencl/cl_ends" _exit
complete $? 1 && grep -q "did not end by exit" "$dir/err"
result $? "_exit: its launch, and a remark"
capture "$B/verif/opencl/cl_ends" abort
[ $? = 1 ] && grep -q "killed by signal 6" "$dir/err" && complete 0 1
result $? "abort: its launch, and status 1"
capture "$B/verif/opencl/cl_late"
complete $? 1
result $? "dlopen: 1 launch"
capture "$B/verif/opencl/cl_late" ./no-such-library.so
without $? "made no OpenCL or CUDA call that reached byway"
result $? "no library: no trace"

# Files may not exceed 512 bytes; the kernel is already in the cache.
(
    trap '' XFSZ
    ulimit -f 1
    capture "$B/verif/opencl/cl_ends" threads
)
without $? "is the disk full"
result $? "no room for the trace"
finish
