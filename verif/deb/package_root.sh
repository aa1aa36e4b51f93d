#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# package_root.sh [--keep] [SUITE...] - the packages of `make deb` in fresh minimal Debian systems (default:
# bookworm trixie): installed by apt with what they depend on, used (a shipped workload, the capture of an OpenCL
# program, a page, a program built against the library), and removed to the last file. Needs root, debootstrap, the
# built packages and a Debian mirror. ROOTS names the folder for the roots (default /var/tmp/byway-packages); a root
# that --keep left is used again. TAP; the commands' outputs are in ROOTS/SUITE.log. Not part of `make test`.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/deb/roots.sh
keep=
[ "${1:-}" != --keep ] || { keep=yes; shift; }
[ $# -gt 0 ] || set -- bookworm trixie
debs=${B:-build}/deb
roots=${ROOTS:-/var/tmp/byway-packages}
ls "$debs"/byway_*.deb >/dev/null 2>&1 || { echo "package_root.sh: no packages in $debs; expected them from make deb" >&2; exit 2; }
trap leave EXIT

files() { # files ROOT: all but what apt and dpkg keep for themselves
    (cd "$1" && find . -xdev \( -path ./proc -o -path ./var -o -path ./tmp -o -path ./root -o -path ./etc/ld.so.cache \) -prune -o -print) | LC_ALL=C sort
}

step() { # step NAME COMMAND: runs it in the root
    echo "== $2" >>"$roots/$suite.log"
    in_root "$root" "$2" >"$roots/log" 2>&1
    local rc=$?
    cat "$roots/log" >>"$roots/$suite.log"
    [ $rc = 0 ]
    result $? "$suite: $1"
}

mkdir -p "$roots"
tap_logs=("$roots/log")
for suite in "$@"; do
    root=$roots/$suite
    : >"$roots/$suite.log"
    if [ ! -x "$root/bin/sh" ]; then
        debootstrap --variant=minbase "$suite" "$root" "$(mirror)" >"$roots/log" 2>&1
        result $? "$suite: a fresh root"
    fi
    mkdir -p "$root/debs"
    rm -rf "$root"/debs/*
    cp -R "$debs"/*.deb cmodel/doc/library.md verif/opencl/corpus "$root/debs/" || exit 2
    enter_root "$root" || exit 2
    step "apt knows the archive" "apt-get update"
    # Compiler and headers of the user's own programs come first: they are not part of the packages.
    step "a compiler" "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev pkg-config ocl-icd-opencl-dev"
    files "$root" >"$roots/before"
    step "apt installs the packages" "DEBIAN_FRONTEND=noninteractive apt-get install -y /debs/*.deb"
    step "the command finds what it needs" "byway --version && byway doctor"
    step "a shipped workload" "cd /tmp && byway compare -w bfs -p bl,decoupled --json r.json --html r.html && test -s r.html && grep -q decoupled r.json"
    step "an OpenCL program is captured" "cd /tmp && gcc -w -o own /debs/corpus/arguments.c -lOpenCL && byway trace capture -o own.bwt -- ./own && byway trace check own.bwt && byway run -t own.bwt"
    step "the page that a help text names" "byway cost --help | grep -q cmodel/doc/cost.md && test -s /usr/share/doc/byway/cmodel/doc/cost.md"
    step "the manual" "test -s /usr/share/man/man1/byway.1.gz && test -s /usr/share/bash-completion/completions/byway"
    step "a program against the library" "cd /tmp && sed -n '/^\`\`\`c two_loads[.]c\$/,/^\`\`\`\$/p' /debs/library.md | sed '1d;\$d' >two_loads.c &&
        gcc -o two_loads two_loads.c \$(pkg-config --cflags --libs byway) && ./two_loads | grep ."
    step "a program against the shared library" "cd /tmp && printf '#include <byway.h>\nint main(void) { return 0; }\n' >s.c && gcc -o s s.c \$(pkg-config --cflags --libs byway-l1) && ./s"
    step "the packages are removed" "DEBIAN_FRONTEND=noninteractive apt-get purge -y byway libbyway1 libbyway-dev byway-doc"
    step "and what came with them" "DEBIAN_FRONTEND=noninteractive apt-get autoremove --purge -y"
    files "$root" | LC_ALL=C diff "$roots/before" - | grep -E 'byway' >"$roots/log"
    [ ! -s "$roots/log" ]
    result $? "$suite: no file of byway is left"
    leave
    [ -n "$keep" ] || rm -rf --one-file-system "$root"
done
finish
