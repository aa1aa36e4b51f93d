#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deps.sh run|test|all - makes sure that the packages for a purpose are there.
#
# Costs a few milliseconds and needs no network when nothing is missing.  Otherwise installs with
# apt-get when it may (as root, or by sudo without a password), else prints the line to type.
# Debian 12, Debian 13, Ubuntu 24.04.
#
# Some packages are needed to build at all.  Others a test needs (Verilator, the compiler of captured
# programs, ...): without them that test is skipped, so they are no reason to stop.
# Exit: 0 what is needed is there, 2 it is not.
set -u

purpose=${1:-test}
case $purpose in
run | test | all) ;;
*)
    echo "deps.sh: unknown purpose '$purpose'; expected run, test or all" >&2
    exit 2
    ;;
esac

# need PACKAGE CHECK...: notes the package unless the check passes; want: one that can be done without.
needed=
wanted=
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || needed="$needed $package"
}
want() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || wanted="$wanted $package"
}
have() {
    command -v "$1"
}
library() {
    pkg-config --exists "$1"
}
header() {
    echo "#include <$1>" | gcc -E -x c -
}
offered() {
    apt-cache show "$1" 2>/dev/null | grep -q '^Package:'
}
# Compiler, headers and libclc of captured programs, where opencl.mk looks for them: one LLVM's.
captures() {
    for v in 21 20 19 18 17 16 15 14; do
        have "clang-$v" && have "llvm-config-$v" && test -e "/usr/lib/llvm-$v/include/llvm-c/Core.h" &&
            for at in /usr/lib/clc /usr/share/clc "/usr/lib/llvm-$v/share/clc" "/usr/lib/llvm-$v/lib/clc"; do
                test -e "$at/nvptx64--.bc" && return 0
            done
    done
    return 1
}

need gcc have gcc
need g++ have g++
need libc6-dev header stdio.h
need make have make
need pkg-config have pkg-config
need libzstd-dev library libzstd
need libjansson-dev library jansson
need libxxhash-dev library libxxhash
if [ "$purpose" != run ]; then
    need libcmocka-dev library cmocka
    want liblzma-dev library liblzma
    want libsqlite3-dev library sqlite3
    want zlib1g-dev header zlib.h
    want verilator have verilator
    want iverilog have iverilog
    want yosys have yosys
    want patch have patch
    captures >/dev/null 2>&1 || wanted="$wanted LLVM"
    want opencl-c-headers header CL/cl.h
    want opencl-clhpp-headers test -e /usr/include/CL/opencl.hpp
fi
if [ "$purpose" = all ]; then
    want ocl-icd-opencl-dev library OpenCL
    want clang-format have clang-format
    want z3 have z3
    want chromium have chromium
    want nodejs have node
    PATH=$PATH:/usr/sbin:/sbin
    want slurm-wlm have slurmctld
    want munge have munged
    want oclgrind have oclgrind
    want nextpnr-ecp5 have nextpnr-ecp5
    want nextpnr-ice40 have nextpnr-ice40
    want fpga-trellis have ecppack
    want fpga-icestorm have icepack
fi
[ -z "$needed$wanted" ] && exit 0
library liblzma >/dev/null 2>&1 || case $wanted in *liblzma*) ;; *) wanted="$wanted liblzma-dev" ;; esac

as_root=
may=yes
if ! have apt-get >/dev/null; then
    may=
elif [ "$(id -u)" != 0 ]; then
    if have sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        may=
    fi
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    DEBIAN_FRONTEND=noninteractive $as_root apt-get "$@" >"$log" 2>&1 </dev/null
}
# Without packages that can be done without the tests go on; who asked for all of them is told by the status.
complete() {
    [ -z "$needed" ] && [ "$purpose" != all ]
    exit $(($? * 2))
}
# The lists of packages may be absent: a fresh container.
[ -z "$may" ] || ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || apt update

# libclc exists for one LLVM per release, and the runtime must match it.  Not every release has all.
chosen=
for package in $wanted; do
    if [ "$package" = LLVM ]; then
        for v in 19 18 14; do
            if offered "clang-$v" && offered "libclc-$v"; then
                chosen="$chosen clang-$v llvm-$v-dev libclc-$v"
                break
            fi
        done
    elif [ -z "$may" ] || offered "$package"; then
        chosen="$chosen $package"
    fi
done
line="apt-get install -y --no-install-recommends$needed$chosen"
if [ -z "$may" ]; then
    if ! have apt-get >/dev/null; then
        echo "byway needs these packages (Debian names):$needed$wanted" >&2
    elif [ -n "$needed" ]; then
        echo "Some packages are missing; type this line, then start again:" >&2
        echo "    sudo $line" >&2
    else
        echo "Tests that need other tools will be skipped; to run them, too, type:" >&2
        echo "    sudo $line" >&2
    fi
    complete
fi
[ -n "$needed$chosen" ] || exit 0
echo "installing:$needed$chosen" >&2
# The lists may be old: refresh them when the first try fails.
# shellcheck disable=SC2086 # lists of packages
if ! apt install -y --no-install-recommends $needed $chosen &&
    ! { apt update && apt install -y --no-install-recommends $needed $chosen; }; then
    tail -n 20 "$log" >&2
    echo "The installation failed; the line was: $line" >&2
    complete
fi
