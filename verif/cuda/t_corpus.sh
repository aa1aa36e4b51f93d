#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_corpus.sh - every CUDA program of the corpus computes what plain C++ does, run as it is and
# captured, and two captures of one program have the same bytes.
#
# The programs' PTX is stored next to them (ptx.tar.gz), so that no toolkit is needed.  Exit status 77 without
# the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
corpus=$B/verif/cuda/cu_corpus
needs_built libcuda.so.1 "$corpus"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/plain" "$work/traced")

LD_LIBRARY_PATH=$B/lib "$corpus" "$B/verif/cuda/corpus" >"$work/plain" 2>&1
"$B/byway" trace capture -o "$work/t.bwt" -- "$corpus" "$B/verif/cuda/corpus" >"$work/traced" 2>&1
for f in verif/cuda/corpus/*.cu; do
    name=$(basename "$f" .cu)
    grep -qx "ok $name" "$work/plain"
    result $? "$name is right"
    grep -qx "ok $name" "$work/traced"
    result $? "$name is right when it is captured"
done
"$B/byway" trace check "$work/t.bwt" >/dev/null
result $? "the trace of the corpus can be read through"
"$B/byway" trace capture -o "$work/again.bwt" -- "$corpus" "$B/verif/cuda/corpus" >/dev/null 2>&1
cmp -s "$work/t.bwt" "$work/again.bwt"
result $? "a second capture gives the same bytes"
mkdir "$work/bin"
printf '#!/bin/sh\ncase "$*" in *-lgcc*) exec %s "$@" ;; esac\nexit 1\n' "$(command -v ld)" >"$work/bin/ld"
chmod +x "$work/bin/ld"
PATH=$work/bin:$PATH BYWAY_CACHE=$work/again LD_LIBRARY_PATH=$B/lib "$corpus" "$B/verif/cuda/corpus" saxpy >"$work/plain" 2>&1
result $? "a kernel that needs the compiler's library is linked by clang"
finish
