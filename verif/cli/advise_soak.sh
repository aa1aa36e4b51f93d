#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# advise_soak.sh [WORKLOAD...] - compares `byway advise` with every assignment of hints, load by
# load, and with its own patch, captured and simulated again. One row per workload (default: ten
# whose kernels have at most ten loads). Fails if the search misses the fewest cycles, takes over
# two minutes, or a patch gains less than 80 % of the prediction. `make advise-soak`
set -u
cd "$(dirname "$0")/../.." || exit 1
byway=${B:-build}/byway
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
[ $# != 0 ] || set -- spmv kmeans bfs srad_v2 gesummv atax bicg mvt hotspot gaussian
failed=0
number() { # number FILE KEY: its first value
    sed -n "s/^ *\"$2\": //p" "$1" | head -n 1 | tr -d '",'
}
timed() { # timed COMMAND...: its seconds in $seconds
    local start=$EPOCHREALTIME
    "$@" >"$dir/out" 2>"$dir/err" || { cat "$dir/err"; failed=1; }
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
}

echo "| workload | loads of a kernel | cycles | advise | every assignment | runs | seconds, -j 2 | default advice | seconds | predicted | measured |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for w; do
    how="--by load --hints bypass --least 0 -j 2"
    # shellcheck disable=SC2086
    timed "$byway" advise -m fermi "$w" $how --json "$dir/climb.json"
    climb=$seconds
    # shellcheck disable=SC2086
    timed "$byway" advise -m fermi "$w" $how --every --runs 5000 --json "$dir/every.json"
    loads=$("$byway" trace info --sites "cmodel/traces/$w.bwt" |
        awk '$5 == "load" && !seen[$1 $2]++ { n[$1]++ } END { for (k in n) if (n[k] > m) m = n[k]; print m }')
    found=$(number "$dir/climb.json" advised_cycles)
    best=$(number "$dir/every.json" advised_cycles)
    timed "$byway" advise -m fermi "$w" -j 2 --json "$dir/usual.json"
    usual=$seconds
    predicted=- measured=-
    if [ -x "${B:-build}/workloads/$w" ]; then
        timed "$byway" advise -m fermi -j 2 --patch "$dir/diff" --json "$dir/patch.json" -- "${B:-build}/workloads/$w" --size small
        predicted=$(number "$dir/patch.json" predicted)
        measured=$(number "$dir/patch.json" measured)
    fi
    verdict=$(awk -v f="$found" -v b="$best" -v s="$climb" -v u="$usual" -v p="$predicted" -v m="$measured" \
        'BEGIN { if (f > b || s > 120 || u > 120 || (p != "-" && p > 0 && m < 0.8 * p)) print " **fails**" }')
    [ -z "$verdict" ] || failed=1
    printf '| %s%s | %s | %s | %s | %s | %s, %s | %s | %.1f %% | %s | %.1f %% | %.1f %% |\n' "$w" "$verdict" "$loads" \
        "$(number "$dir/climb.json" cycles)" "$found" "$best" "$(number "$dir/climb.json" runs)" \
        "$(number "$dir/every.json" runs)" "$climb" "$(number "$dir/usual.json" gain)" "$usual" \
        "${predicted/-/nan}" "${measured/-/nan}"
done
exit $failed
