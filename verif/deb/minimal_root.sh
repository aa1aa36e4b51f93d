#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# minimal_root.sh [--keep] [--write] [SUITE...] - both README commands in fresh minimal Debian
# systems.
#
# For each suite (default: trixie bookworm) creates a root with debootstrap that has only make, git
# and certificates, and clones this repository's last commit into it. There it runs `make run`,
# which must install what it needs by itself, then again from clean to measure its time, then `make
# test`, which must do the same, simulate the RTL and capture a program. For each command it prints
# time, processor time and the last line; for `make test` also what was skipped. Needs root,
# debootstrap and a Debian mirror: the one this system's apt uses, with its proxy. Not part of `make
# test`. --keep leaves the roots; ROOTS names the folder for them (default /var/tmp/byway-roots).
# --write stores the results in verif/deb/fresh.txt, from which .ci/readme.sh fills README. Exit 0
# if everything passed.
set -u
cd "$(dirname "$0")/../.." || exit 2

keep=
write=
while :; do
    case ${1:-} in
    --keep) keep=yes ;;
    --write) write=yes ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || set -- trixie bookworm
roots=${ROOTS:-/var/tmp/byway-roots}
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "minimal_root.sh: expected to run as root with debootstrap installed" >&2
    exit 2
fi

. verif/deb/roots.sh
enter() { # enter ROOT COMMAND: in its clone
    in_root "$1" "cd /byway && $2"
}
trap leave EXIT

clear_root() { # clear_root ROOT: removes what an earlier run left, which has mounts if that was killed
    awk -v root="$1/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount || return 1
    rm -rf --one-file-system "$1"
}

make_root() { # make_root SUITE ROOT: creates the root
    clear_root "$2" || return 1
    mkdir -p "$2"
    debootstrap --variant=minbase --include=make,git,ca-certificates "$1" "$2" "$(mirror)" \
        >"$2.log" 2>&1 || return 1
    git clone --quiet --no-hardlinks . "$2/byway" || return 1
    enter_root "$2"
}

timed() { # timed ROOT NAME COMMAND: runs it, stores its output in ROOT.log, prints time and outcome
    local start=$SECONDS rc TIMEFORMAT='%U %S' cpu
    cpu=$({ time enter "$1" "$3" >"$1.$2.log" 2>&1; } 2>&1; exit $?)
    rc=$?
    printf '%-10s %-26s %4d s, %4.0f s of processor time  %s\n' "$(basename "$1")" "$3" $((SECONDS - start)) \
        "$(tail -n 1 <<<"$cpu" | awk '{ print $1 + $2 }')" \
        "$([ $rc = 0 ] && tail -n 1 "$1.$2.log" || echo "exit $rc, see $1.$2.log")" | tee -a "$seen"
    return $rc
}

tested() { # tested ROOT: prints what was skipped, and checks that the RTL ran and that programs were captured
    local logs=$1/byway/build/test
    grep '^SKIP' "$1.test.log" | sed 's/^/    /' | tee -a "$seen"
    grep -q '^ok .* l1d_fermi seed' "$logs/cosim_t_cosim.sh.log" &&
        grep -q '^ok .*RTL gives the result' "$logs/rtl_loop_t_rtl_loop.sh.log" &&
        grep -q '^t_corpus: [1-9][0-9]* programs alike, 0 not' "$logs/opencl_t_corpus.sh.log" && return
    echo "$(basename "$1"): make test simulated no RTL or captured no program; see $logs" >&2
    return 1
}

bad=0
mkdir -p "$roots"
seen=$roots/seen.txt
: >"$seen"
for suite in "$@"; do
    root=$roots/$suite
    if ! make_root "$suite" "$root"; then
        echo "$suite: the root could not be made; see $root.log" >&2
        tail -n 3 "$root.log" >&2
        bad=1
        continue
    fi
    # Users without root rights must be told the command to type, not shown a compiler error.
    if enter "$root" "chown -R 65534:65534 . && exec setpriv --reuid=65534 --regid=65534 \
            --clear-groups make run" >"$root.user.log" 2>&1; then
        echo "$suite: make run succeeded without rights and without packages?" >&2
        bad=1
    fi
    grep -q 'apt-get install' "$root.user.log" || bad=1
    enter "$root" "chown -R 0:0 ."
    timed "$root" first "make run" || bad=1
    timed "$root" again "make clean && make run" || bad=1
    timed "$root" test "make test" || bad=1
    tested "$root" || bad=1
    leave
    [ -n "$keep" ] || rm -rf "$root"
done
if [ -n "$write" ] && [ $bad = 0 ]; then
    {
        echo "Fresh minimal Debian, commit $(git rev-parse --short HEAD), $(date -u +%F), $(nproc) processors:"
        cat "$seen"
    } >verif/deb/fresh.txt
fi
exit $bad
