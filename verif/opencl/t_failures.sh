#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_failures.sh - when byway itself fails, a capture exits with 1, its first line is the reason, and
# an older trace stays; what can be checked in advance is reported before the program starts.
# Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
ends=$PWD/$B/verif/opencl/cl_ends
device=$PWD/$B/verif/opencl/cl_device
needs_built libcuda.so.1 "$ends" "$device"
lib=$(realpath "$B/lib")
export BYWAY_CACHE=$dir/cache
unset BYWAY_DEVICE BYWAY_CLANG

# Captures a program that exits with 0 whatever fails.
capture() { # capture [NAME=VALUE...]
    rm -f "$dir/started"
    echo mine >"$dir/t.bwt"
    (cd "$dir" && env "$@" "$byway" trace capture -o t.bwt -- sh -c "echo started >started; $ends leave; exit 0") \
        >"$dir/out" 2>"$dir/err" </dev/null
    rc=$?
}
fails() { # fails NAME WORDS: exit 1, the reason first, the old trace is there
    [ $rc = 1 ] && head -n 1 "$dir/err" | grep -qF -- "$2" && [ "$(cat "$dir/t.bwt")" = mine ]
    result $? "$1: exit 1, its reason, and the old trace stays"
}
unstarted() { # and the program did not start
    fails "$1" "$2"
    [ ! -e "$dir/started" ] && [ "$(wc -l <"$dir/err")" = 1 ]
    result $? "$1: one line, before the program starts"
}
capture
[ $rc = 0 ] && [ ! -s "$dir/err" ] && "$byway" trace check "$dir/t.bwt" >/dev/null 2>&1
result $? "the program can be captured"

# --- known before ----------------------------------------------------------------------------------
capture BYWAY_CLANG=/nope
unstarted "no such clang" "/nope (BYWAY_CLANG): no such program"
capture BYWAY_CLANG=/bin/false
unstarted "a clang that fails" "/bin/false (BYWAY_CLANG): cannot be run, or is not clang"
capture BYWAY_CLANG=/bin/echo
unstarted "a clang that is another program" "/bin/echo (BYWAY_CLANG): cannot be run, or is not clang"
capture BYWAY_CLANG="$dir"
unstarted "a folder as clang" "(BYWAY_CLANG): no such program"
: >"$dir/file"
capture BYWAY_CACHE="$dir/file/x"
unstarted "a cache that cannot be made" "file/x: cannot be written"
capture BYWAY_CACHE="$dir/file"
unstarted "a file as cache" "file: is not a folder"
[ "$(id -u)" = 0 ] && capture BYWAY_CACHE=/proc/byway && unstarted "a cache in /proc" "/proc/byway: cannot be"
for bad in h300 "name=x;memory=1" H200X "memory=1Z" =; do
    capture BYWAY_DEVICE="$bad"
    unstarted "BYWAY_DEVICE=$bad" "BYWAY_DEVICE has '${bad#name=x;}'; expected"
done
capture BYWAY_DEVICE="h100;memory=16G"
[ $rc = 0 ]
result $? "a known device with a memory size"
capture BYWAY_STEPS=many
[ $rc = 2 ] && [ "$(cat "$dir/t.bwt")" = mine ] && [ ! -e "$dir/started" ]
result $? "a setting that is not a number is a wrong use"
mkdir "$dir/other"
echo "a library of another vendor" >"$dir/other/libOpenCL.so.1"
capture BYWAY_LIB="$dir/other"
unstarted "a folder with another OpenCL" "does not contain byway's libOpenCL.so.1"
cp "$lib/libOpenCL.so.1" "$dir/other"
capture BYWAY_LIB="$dir/other"
unstarted "a folder without the CUDA driver" "does not contain byway's libcuda.so.1"

# --- a full disk -----------------------------------------------------------------------------------
small() { # small SIZE COMMAND: with a disk of this size at $dir/small
    mkdir -p "$dir/small"
    unshare -m sh -c "mount -t tmpfs -o size=$1,mode=700 byway-test '$dir/small' && $2"
}
if [ "$(id -u)" != 0 ] || ! small 1m true 2>/dev/null; then
    skip_check "a full cache" "no right to mount; run as root"
else
    rm -f "$dir/started"
    echo mine >"$dir/t.bwt"
    small 1m "cd '$dir' && BYWAY_CACHE='$dir/small' '$byway' trace capture -o t.bwt -- sh -c 'echo started >started; $ends leave; exit 0'" \
        >"$dir/out" 2>"$dir/err"
    rc=$?
    unstarted "a full cache" "small: No space left on device"
    # The program itself fills the disk, so that the check before its start passes.
    echo mine >"$dir/t.bwt"
    small 12m "cd '$dir' && BYWAY_CACHE='$dir/small' '$byway' trace capture -o t.bwt -- sh -c 'cat /dev/zero >small/fill; $ends leave; exit 0'" \
        >"$dir/out" 2>"$dir/all"
    rc=$?
    grep '^byway: ' "$dir/all" >"$dir/err"
    fails "a cache that fills up" "o space left"
fi

# --- known when it happens -------------------------------------------------------------------------
# A clang that works until the program starts.
printf '#!/bin/sh\n[ "$1" = --version ] && exec %s --version\nexit 1\n' "$(make -s opencl-tools 2>/dev/null | cut -d" " -f1)" >"$dir/clang"
chmod +x "$dir/clang"
capture BYWAY_CLANG="$dir/clang"
fails "a clang that compiles nothing" ""
grep -q "launched no kernel: .*does not compile" "$dir/err"
result $? "the last line says what failed"
cat >"$dir/sass.c" <<'END'
#include <stddef.h>
#include <string.h>
int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int), cuModuleLoadData(void **, const void *);
int main(void)
{
    static unsigned char image[256] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0x33, 7}; /* a cubin */
    void *context, *module;
    int device;
    image[16] = 2, image[18] = 190;
    return cuInit(0) != 0 || cuDeviceGet(&device, 0) != 0 || cuCtxCreate_v2(&context, 0, device) != 0 ||
           cuModuleLoadData(&module, image) == 0;
}
END
${CC:-gcc} -o "$dir/sass" "$dir/sass.c" -L"$lib" -l:libcuda.so.1 -Wl,--allow-shlib-undefined >"$dir/out" 2>&1
echo mine >"$dir/t.bwt"
by trace capture -o t.bwt -- ./sass
fails "a program with machine code only" "machine code"
grep -q "./sass: launched no kernel: .*machine code.*no trace written" "$dir/err"
result $? "the last line says so"
finish
