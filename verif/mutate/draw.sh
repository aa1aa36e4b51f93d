#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# draw.sh [N [SEED]] - `make mutate-drawn`: draws N (default 20) of the faults that draw.awk finds, puts each into
# the RTL and its C twin alike, and runs the tests of the C model: what lives is a rule that no test states.
# `draw.sh -l` lists the faults.
#
# A survivor needs a line in verif/mutate/drawn.txt, which says why it may live; lines that no fault has any more are
# told.  Patches, logs and the list of survivors are in B/draw.  Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
dir=$B/draw
mkdir -p "$dir"
mapfile -t rtl < <(grep '^rtl/\(l1d\|policy\|top\)/' rtl/byw.f)
mapfile -t twins < <(ls cmodel/model/{l1d,policy,top,record}/*.c)
tests="verif/l1d/t_l1d_conditions verif/l1d/t_l1d_rules verif/l1d/t_l1d verif/l1d/t_l1d_whole verif/l1d/t_l1d_bypass
    verif/l1d/t_l1d_look verif/l1d/t_l1d_fill verif/l1d/t_l1d_fill_whole verif/l1d/t_l1d_contract verif/l1d/t_l1d_order
    verif/l1d/t_l1d_port verif/l1d/t_l1d_pc verif/l1d/t_l1d_beats verif/l1d/t_l1d_beats_write_back verif/l1d/t_l1d_random
    verif/top/t_cluster_idle verif/top/t_cluster_duel verif/top/t_lane_coalescer verif/policy/t_pc_pred verif/policy/t_sm_duel"
awk -f verif/mutate/draw.awk "${rtl[@]}" "${twins[@]}" >"$dir/all"
if [ "${1:-}" = -l ]; then
    cat "$dir/all"
    exit 0
fi

rm -rf "$dir/patches"
mkdir -p "$dir/patches"
shuf -n "${1:-20}" --random-source=<(yes "${2:-1}") "$dir/all" >"$dir/drawn"
n=0
while IFS=$'\t' read -r v c name fault; do
    n=$((n + 1))
    mkdir -p "$dir/new/${v%/*}" "$dir/new/${c%/*}"
    awk -v pick="$name $fault" -v out="$dir/new" -f verif/mutate/draw.awk "$v" "$c"
    {
        printf 'Fault: %s %s %s\nKilled by: %s\n\n' "${v##*/}" "$name" "$fault" "$(echo $tests)"
        diff -u --label "a/$v" --label "b/$v" "$v" "$dir/new/$v"
        diff -u --label "a/$c" --label "b/$c" "$c" "$dir/new/$c"
    } >"$dir/patches/$(printf %03d $n).patch"
done <"$dir/drawn"
FAULTS=$dir/patches verif/mutate/faults.sh | tee "$dir/log"

# What survived, and whether it may.
grep -o '[0-9]*: survived' "$dir/log" | cut -d: -f1 | while read -r n; do
    sed -n 's/^Fault: //p' "$dir/patches/$n.patch"
done >"$dir/survivors"
new=$(grep -vxF -f <(grep -v '^#' verif/mutate/drawn.txt | cut -d'|' -f1) "$dir/survivors")
[ -z "$new" ] || echo "$new" | sed 's/^/not killed: /'
grep -v '^#' verif/mutate/drawn.txt | cut -d'|' -f1 | while read -r v name fault; do
    awk -F'\t' -v v="$v" -v k="$name $fault" '$3 " " $4 == k && substr($1, length($1) - length(v) + 1) == v { found = 1 }
        END { exit !found }' "$dir/all" || echo "drawn.txt: no such fault any more: $v $name $fault"
done
others=$(grep -cE ': (does not|RTL and C)|fails without' "$dir/log")
failed=$(($(printf '%s' "$new" | grep -c .) + others))
echo "$(wc -l <"$dir/drawn") drawn of $(wc -l <"$dir/all"), $(wc -l <"$dir/survivors") survived"
echo "$(($(wc -l <"$dir/drawn") - failed)) passed, $failed failed"
[ "$failed" = 0 ]
