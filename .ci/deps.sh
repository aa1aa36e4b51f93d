#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deps.sh run|test|all - makes sure that the packages for a purpose are there.
#
# Costs a few milliseconds and needs no network when nothing is missing.  Otherwise installs with
# apt-get when it may (as root, or by sudo without a password), else prints the line to type.
# Debian 12, Debian 13, Ubuntu 24.04.  Exit: 0 all there, 2 something is missing.
set -u

purpose=${1:-test}

# need PACKAGE CHECK...: notes the package unless the check passes.
missing=
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
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

need gcc have gcc
need g++ have g++
need libc6-dev header stdio.h
need make have make
need pkg-config have pkg-config
need libzstd-dev library libzstd
need libjansson-dev library jansson
need libxxhash-dev library libxxhash
case $purpose in
run) ;;
test | all)
    need libcmocka-dev library cmocka
    ;;
*)
    echo "deps.sh: unknown purpose '$purpose'; expected run, test or all" >&2
    exit 2
    ;;
esac
# Optional: .xz traces are refused without it.  Never a reason to need the network.
optional=
library liblzma >/dev/null 2>&1 || optional=" liblzma-dev"

if [ "$purpose" = all ]; then
    missing="$missing$optional"
    # libclc exists for one LLVM per release, and the runtime must match it.
    llvm=14
    apt-cache show libclc-19 >/dev/null 2>&1 && llvm=19
    [ "$llvm" = 14 ] && apt-cache show libclc-18 >/dev/null 2>&1 && llvm=18
    need "clang-$llvm" have "clang-$llvm"
    need "llvm-$llvm-dev" have "llvm-config-$llvm"
    need "libclc-$llvm" test -e /usr/lib/clc/nvptx64--.bc
    need opencl-c-headers test -e /usr/include/CL/cl.h
    need ocl-icd-opencl-dev library OpenCL
    need clang-format have clang-format
    need verilator have verilator
    need yosys have yosys
    need iverilog have iverilog
    need z3 have z3
    for tool in chromium oclgrind; do # not in every release
        if apt-cache show "$tool" >/dev/null 2>&1; then
            need "$tool" have "$tool"
        fi
    done
fi
[ -z "$missing" ] && exit 0
[ "$purpose" = all ] || missing="$missing$optional"

line="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "byway needs these packages (Debian names):$missing" >&2
    exit 2
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        echo "Some packages are missing; type this line, then start again:" >&2
        echo "    sudo $line" >&2
        exit 2
    fi
fi
echo "installing:$missing" >&2
log=$(mktemp)
# The lists may be absent (a fresh container) or old: refresh them when the first try fails.
if ! DEBIAN_FRONTEND=noninteractive $as_root $line >"$log" 2>&1 </dev/null; then
    if ! { $as_root apt-get update && DEBIAN_FRONTEND=noninteractive $as_root $line; } \
        >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "The installation failed; the line was: $line" >&2
        exit 2
    fi
fi
rm -f "$log"
