#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_streaming.sh - memory does not grow with the trace: a trace listed once and twenty times over,
# and every shipped machine below 200 MB on a shipped workload.
# Prints TAP.  Uses $BYWAY (default build/byway) and the shipped traces.
set -u
cd "$(dirname "$0")/../.." || exit 1
byway=$(realpath "${BYWAY:-${B:-build}/byway}")
BYWAY_CONFIGS=$(realpath cmodel/configs)
export BYWAY_CONFIGS
traces=$(realpath cmodel/traces)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
failed=0

result() { # result STATUS NAME
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        failed=1
        sed 's/^/# stderr: /' "$dir/err" | head -n 5
    fi
}
number() { # number KEY: from the result of the last run
    sed -n 's/.*"'"$1"'": *\([0-9]*\).*/\1/p' "$dir/out.json" | head -n 1
}
run() {
    "$byway" run "$@" -o "$dir/out.json" >/dev/null 2>"$dir/err" </dev/null
}

"$byway" trace convert "$traces/hotspot.bwt" --to accelsim -o "$dir/text" >/dev/null 2>"$dir/err"
result $? "a shipped trace is written as text"
cp -R "$dir/text" "$dir/long"
for _ in $(seq 19); do cat "$dir/text/kernelslist.g"; done >>"$dir/long/kernelslist.g"

run -t "$dir/text"
result $? "it runs"
short=$(number peak_rss_mb) insts=$(number warp_instructions)
run -t "$dir/long"
result $? "it runs twenty times over"
long=$(number peak_rss_mb)
[ "$(number warp_instructions)" = $((20 * insts)) ]
result $? "twenty times the instructions"
[ "$long" -le $((short + short / 8 + 1)) ]
result $? "in $long MB, $short MB for one"

for cfg in cmodel/configs/machines/*.cfg; do
    machine=$(basename "$cfg" .cfg)
    run -m "$machine" -w streamcluster && [ "$(number peak_rss_mb)" -lt 200 ]
    result $? "streamcluster on $machine in less than 200 MB ($(number peak_rss_mb))"
done
echo "1..$n"
exit $failed
