#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_environment.sh - environment variables: the device's name and memory size (BYWAY_DEVICE), and
# the folder for compiled kernels. Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
program=$PWD/$B/verif/opencl/cl_device
[ -x "$program" ] || program=$B/verif/opencl/cl_device
needs_built libOpenCL.so.1 "$program"
tap_folder out err
export LD_LIBRARY_PATH=$B/lib

run() { # run [NAME=VALUE ...]: runs the program with this environment; sets rc
    env -u BYWAY_CACHE -u XDG_CACHE_HOME "$@" "$program" >"$dir/out" 2>"$dir/err"
    rc=$?
}
says() { # says LINE ...: the program printed exactly these lines, and no message
    printf '%s\n' "$@" | cmp -s - "$dir/out" && [ ! -s "$dir/err" ]
}
home=HOME=$dir
run "$home"
says byway byway 8589934592 4294967296
result $? "without BYWAY_DEVICE: byway with 8 GiB"
run "$home" "BYWAY_DEVICE=name=NVIDIA H200;vendor=NVIDIA Corporation;memory=141G"
says "NVIDIA H200" "NVIDIA Corporation" 151397597184 "$(sed -n 4p "$dir/out")" && [ "$rc" = 0 ]
result $? "name, vendor and memory follow BYWAY_DEVICE"
run "$home" BYWAY_DEVICE=memory=512M
says byway byway 536870912 536870912
result $? "no buffer may be larger than the memory"
for bad in memory=10 memory=2T memory=1X memory= nam=x name 'name='; do
    run "$home" "BYWAY_DEVICE=vendor=me;$bad"
    [ "$rc" = 0 ] && grep -qF "BYWAY_DEVICE has '$bad'; expected name=, vendor= or memory=" "$dir/err" &&
        [ "$(sed -n 1,2p "$dir/out" | tr '\n' ' ')" = "byway me " ]
    result $? "$bad in BYWAY_DEVICE is reported and ignored"
done

kept() { # kept FOLDER: the run stored a compiled kernel in it
    [ "$rc" = 0 ] && [ -n "$(find "$1" -name '*.so' 2>/dev/null)" ]
}
mkdir "$dir/home" "$dir/xdg" "$dir/tmp" && : >"$dir/file"
run HOME="$dir/home" XDG_CACHE_HOME="$dir/xdg" BYWAY_CACHE="$dir/own/deep"
kept "$dir/own/deep"
result $? "BYWAY_CACHE is created and used"
run HOME="$dir/home" XDG_CACHE_HOME="$dir/xdg"
kept "$dir/xdg/byway"
result $? "without BYWAY_CACHE, XDG_CACHE_HOME is used"
run HOME="$dir/home"
kept "$dir/home/.cache/byway"
result $? "without both, ~/.cache is used"
run HOME="$dir/file" TMPDIR="$dir/tmp"
kept "$dir/tmp/byway-$(id -u)"
result $? "with an unwritable home, a folder in TMPDIR is used"
[ "$(stat -c %a "$dir/tmp/byway-$(id -u)")" = 700 ]
result $? "only the user may enter the folder in TMPDIR"
rm -rf "$dir/tmp/byway-$(id -u)" && mkdir -m 777 "$dir/tmp/byway-$(id -u)" && chmod 777 "$dir/tmp/byway-$(id -u)"
run HOME="$dir/file" TMPDIR="$dir/tmp"
[ "$rc" = 0 ] && grep -q "private folder: .*byway-[0-9]*: others can write there" "$dir/err" && ! kept "$dir/tmp"
result $? "a cache folder that others may write is not used, because its files run as code"
run BYWAY_CACHE="$dir/file/x" HOME="$dir/home"
[ "$rc" != 0 ] && grep -q "file/x: cannot be written .* BYWAY_CACHE" "$dir/err"
result $? "a BYWAY_CACHE that cannot be written is an error"
finish
