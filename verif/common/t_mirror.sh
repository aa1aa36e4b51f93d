#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# t_mirror.sh - `make mirror` passes on the tree, and detects each part that is removed from a copy.
# TAP.
set -u
cd "$(dirname "$0")/../.."
tests=$(make -s --no-print-directory cosim-tests)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
failed=0
report() { # report STATUS NAME
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$dir/log"
        failed=1
    fi
}
copy() {
    rm -rf "$dir/tree"
    mkdir -p "$dir/tree/cmodel/model" "$dir/tree/verif"
    cp -R rtl synth "$dir/tree/"
    for d in common record l1d policy l2 top; do cp -R "cmodel/model/$d" "$dir/tree/cmodel/model/"; done
    for t in $tests verif/mutate/units.txt verif/*/lockstep_*.c; do
        mkdir -p "$dir/tree/$(dirname "$t")"
        cp "$t" "$dir/tree/$t"
    done
}
faulty() { # faulty NAME MESSAGE COMMAND: COMMAND breaks the copy, and the message must contain MESSAGE
    name=$1
    message=$2
    shift 2
    copy
    (cd "$dir/tree" && "$@")
    if MIRROR_ROOT=$dir/tree verif/common/mirror.sh check $tests >"$dir/log"; then
        report 1 "$name"
    else
        grep -q "$message" "$dir/log"
        report $? "$name"
    fi
}
without() { grep -v "$2" "$1" >"$1.new" && mv "$1.new" "$1"; }

verif/common/mirror.sh check $tests >"$dir/log"
report $? "every unit has its RTL, twin, test and page"
faulty "a unit without its RTL" "names rtl/l2/byw_dbi.v" rm rtl/l2/byw_dbi.v
faulty "a unit without its twin" "names cmodel/model/l2/byw_dbi.c" rm cmodel/model/l2/byw_dbi.c
faulty "a unit without its page" "names rtl/doc/dbi.md" rm rtl/doc/dbi.md
faulty "a unit without its test" "names verif/l2/lockstep_dbi.c" rm verif/l2/lockstep_dbi.c
faulty "RTL that is not in the registry" "byw_new.v is in no line" cp rtl/l2/byw_dbi.v rtl/l2/byw_new.v
faulty "a page and a test without RTL" "rtl/doc/dbi.md is the page of no" \
    without rtl/byw.f 'rtl/l2/byw_dbi'
faulty "a part of a seam that its page does not name" "repl.md does not name byw_repl_srrip" \
    without rtl/doc/repl.md byw_repl_srrip
faulty "a header that names no page" "rtl/l2/byw_dbi.v: its header names no page" \
    without rtl/l2/byw_dbi.v 'rtl/doc'
faulty "an index that is not up to date" "README.md is stale" sh -c 'echo >>rtl/doc/README.md'
tests=$(echo "$tests" | sed 's#verif/l2/lockstep_dbi.c##')
faulty "a test that no program is made of" "verif/l2/lockstep_dbi.c is built into no" true
echo "1..$n"
exit $failed
