#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deps.sh run|test|all - ensures that the packages of packages.tsv for a purpose are installed.
#
# If nothing is missing, it takes milliseconds and needs no network.  Otherwise it installs with
# apt-get where it may (as root, or by sudo without a password), or prints the command to type.
# Debian 12, Debian 13, Ubuntu 24.04.
#
# Exit status 0 if the necessary packages are installed (for `all`: all of them), otherwise 2.
set -u

purpose=${1:-test}
case $purpose in
run | test | all) ;;
*)
    echo "deps.sh: unknown purpose '$purpose'; expected run, test or all" >&2
    exit 2
    ;;
esac
table=$(dirname "$0")/packages.tsv
PATH=$PATH:/usr/sbin:/sbin

has_command() {
    command -v "$1"
}
has_library() {
    pkg-config --exists "$1"
}
has_header() {
    echo "#include <$1>" | gcc -E -x c -
}
has_wheel() {
    "${BYWAY_PYTHON:-python3}" -c "import $1"
}
has_file() {
    test -e "$1"
}
# Compiler, headers and libclc of one LLVM version, where capture.mk looks for them.
has_captures() {
    for v in 21 20 19 18 17 16 15 14; do
        has_command "clang-$v" && has_command "llvm-config-$v" && test -e "/usr/lib/llvm-$v/include/llvm-c/Core.h" &&
            for at in /usr/lib/clc /usr/share/clc "/usr/lib/llvm-$v/share/clc" "/usr/lib/llvm-$v/lib/clc"; do
                test -e "$at/nvptx64--.bc" && return 0
            done
    done
    return 1
}
offered() {
    apt-cache show "$1" 2>/dev/null | grep -q '^Package:'
}

# missing stop|skip: the packages for this purpose whose check fails.
missing() {
    while IFS='	' read -r package for without check _; do
        case $purpose:$for in
        *:run | test:test | all:test | all:all) ;;
        *) continue ;;
        esac
        [ "$without" = "$1" ] || continue
        # shellcheck disable=SC2086 # kind and name
        has_$check >/dev/null 2>&1 || printf ' %s' "$package"
    done <<TABLE
$(grep -v '^#' "$table")
TABLE
}
needed=$(missing stop)
wanted=$(missing skip)
[ -z "$needed$wanted" ] && exit 0

as_root=
may=yes
if ! has_command apt-get >/dev/null; then
    may=
elif [ "$(id -u)" != 0 ]; then
    if has_command sudo >/dev/null && sudo -n true 2>/dev/null; then
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
# Tests run without the packages that only some of them need; `all` requires all packages.
complete() {
    [ -z "$needed" ] && [ "$purpose" != all ]
    exit $(($? * 2))
}
# In a fresh container there may be no package lists yet.
[ -z "$may" ] || ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || apt update

# Each release has libclc for one LLVM version, which clang must match.  Not every release has every
# package.
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
    if ! has_command apt-get >/dev/null; then
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
# The package lists may be outdated: updates them if the first attempt fails.
if ! apt install -y --no-install-recommends $needed $chosen &&
    ! { apt update && apt install -y --no-install-recommends $needed $chosen; }; then
    tail -n 20 "$log" >&2
    echo "The installation failed; the line was: $line" >&2
    complete
fi
