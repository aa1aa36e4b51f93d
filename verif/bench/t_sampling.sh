#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sampling.sh - `make bench-sampling` reports a wrong folder of traces with exit 2 before it runs
# anything; exit 1 means that a run failed. TAP.
set -u
unset KEEP
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder out err
# Replaces the command: records its arguments, and fails.
printf '#!/bin/sh\necho "$@" >>"%s/asked"\nexit 3\n' "$dir" >"$dir/byway"
chmod +x "$dir/byway"
mkdir "$dir/empty" "$dir/one"
: >"$dir/one/w.bwt"

sampling() { # sampling WORDS...: leaves rc, out, err, and the command's arguments
    rm -f "$dir/asked"
    B=$dir verif/bench/sampling.sh "$@" >"$dir/out" 2>"$dir/err"
    rc=$?
}
refused() { # refused WORDS: exit 2, these words, nothing was run
    [ $rc = 2 ] && grep -q "$1" "$dir/err" && [ ! -s "$dir/out" ] && [ ! -e "$dir/asked" ]
}

sampling
refused 'where are the traces'
result $? "a call without a folder is refused"
sampling ''
refused 'where are the traces'
result $? "an empty folder name is refused, as from make without TRACES"
sampling "$dir/none"
refused "$dir/none is no folder"
result $? "a folder that does not exist is refused"
sampling "$dir/empty"
refused "no \*.bwt in $dir/empty"
result $? "a folder without a trace is refused"
sampling "$dir/one"
[ $rc = 1 ] && grep -q -- "-t $dir/one/w.bwt --sample 64" "$dir/asked"
result $? "a failed run gives exit 1"
finish
