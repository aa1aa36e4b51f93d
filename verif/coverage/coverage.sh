#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# coverage.sh write | check - runs the counting programs of `make coverage` and merges what they
# counted: write rewrites rtl/doc/coverage.md, check fails if something on that page is lost.
#
# Each program runs with SEED (1), the caches for L1D_CYCLES (150000). B/coverage/merged.json keeps
# all counts, B/coverage/missing.txt every line and bit that no program reached. JOBS: programs at a
# time.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
dir=$B/coverage
seed=${SEED:-1}
unset SEED

one() { # one PROGRAM: its counts into dir/counts/NAME.N
    local name cycles=
    name=$(basename "$1")
    case $name in l1d_*) cycles=${L1D_CYCLES:-150000} ;; esac
    # shellcheck disable=SC2086 # no argument where there are no cycles
    BYW_COVERAGE=$dir/counts/$name "$1" "$seed" $cycles >"$dir/counts/$name.log" 2>&1 ||
        { echo "$name failed, see $dir/counts/$name.log" >&2; return 1; }
    verif/coverage/coverage.py merge "$dir/counts/$name" || return 1
}
if [ "${1:-}" = --one ]; then
    one "$2"
    exit
fi
case ${1:-} in
write | check) ;;
*) echo "usage: coverage.sh write | check" >&2 && exit 2 ;;
esac
rm -rf "$dir/counts"
mkdir -p "$dir/counts"
export B L1D_CYCLES SEED="$seed"
find "$dir/cosim" -maxdepth 1 -type f -perm -u+x | LC_ALL=C sort |
    xargs -P "${JOBS:-2}" -n 1 "$0" --one || { echo "a program failed, or its counts cannot be read" >&2; exit 1; }
verif/coverage/coverage.py "$1" "$dir" rtl/doc/coverage.md
