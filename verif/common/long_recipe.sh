#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_recipe.sh - cmodel/doc/add_a_mechanism.md, done on a copy of the tree: the files are written as
# the page shows them; lint, list, help, counters and results know the mechanism, and it behaves as
# in its worked example. Each check of .ci/registry.sh is seen to fail. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/common/recipe.sh
recipe_copy cmodel/traces
recipe_apply cmodel/doc/add_a_mechanism.md
recipe_files 4 2
recipe_build
(cd "$tree" && .ci/registry.sh && .ci/labels.sh) >"$dir/log" 2>&1
result $? "registry and labels are clean"
(cd "$tree" && verif/top/t_csr_files.sh && ${CC:-cc} -std=c11 -Icmodel -Icmodel/model -o gen verif/cosim/byw_gen_defs.c &&
    GEN=./gen verif/cosim/rtl_defs.sh && cmp rtl/doc/csr.md "$top/rtl/doc/csr.md") >"$dir/log" 2>&1
result $? "events, causes, registers and counters on the bus keep their numbers"
if command -v clang-format >/dev/null; then
    (cd "$tree" && clang-format --dry-run -Werror cmodel/model/comparator/byw_every.c) >"$dir/log" 2>&1
    result $? "the new files are formatted"
fi
"$byway" list mechanisms >"$dir/log" 2>&1 && grep -q '^every .*one load in every.n bypasses' "$dir/log"
result $? "byway list mechanisms"
"$byway" list policies >"$dir/log" 2>&1 && grep -A 1 '^every ' "$dir/log" | grep -q 'uses every; 5 bits per SM; C only'
result $? "byway list policies"
"$byway" list configs >"$dir/log" 2>&1 && grep -q 'every.n *= 32' "$dir/log"
result $? "byway list configs"
"$byway" list counters >"$dir/log" 2>&1 && grep -q 'policy_stats.every.bypasses' "$dir/log"
result $? "byway list counters"
run() { # run KEY=VALUE...: runs gaussian and stores the result in $dir/json
    local set=()
    for s in "$@"; do set+=(--set "$s"); done
    "$byway" run --workload gaussian --policy every "${set[@]}" --json "$dir/json" >"$dir/log" 2>&1
}
number() { # number MEMBER COUNTER: its value for the whole run, not for an SM
    sed '/"per_sm"/,$d' "$dir/json" | sed -n "/\"$1\": {/,/}/s/^ *\"$2\": \([0-9]*\),*\$/\1/p" | head -n 1
}
for every in 1 3 32; do
    run every.n=$every
    loads=$(number l1d loads)
    bypasses=$(number every bypasses)
    hits=$(number l1d hits)
    # An n-th load whose line is present hits instead of bypassing; each of 15 SMs may end with
    # fewer than n loads since its last n-th one.
    [ -n "$bypasses" ] && [ "$bypasses" -le $((loads / every)) ] &&
        [ "$bypasses" -ge $((loads / every - hits - 15)) ] && [ "$bypasses" -gt 0 ]
    result $? "a result of every.n = $every: $bypasses of $loads loads bypass, $hits hits"
done
grep -q '"policy.use": "every"' "$dir/json" && grep -q '"every.n": 32' "$dir/json"
result $? "the resolved configuration"
! grep -q '"every": {' <("$byway" run --workload gaussian --policy bl --json - 2>/dev/null)
result $? "a run without the mechanism has none of its counters"
run every.n=0
[ $? = 2 ] && grep -q 'every.n is .0.; expected a whole number from 1 to 1000000' "$dir/log"
result $? "a value out of its range"

# Lint detects missing parts.
faulty() { # faulty NAME MESSAGE FILE SED: the registry check prints MESSAGE after SED edits FILE
    cp "$tree/$3" "$dir/kept"
    sed -i "$4" "$tree/$3"
    ! "$top/.ci/registry.sh" "$tree" >"$dir/log" 2>&1 && grep -q "$2" "$dir/log"
    result $? "$1"
    cp "$dir/kept" "$tree/$3"
}
faulty "a mechanism without its sentence" "mechanism every has no .sentence" \
    cmodel/model/comparator/byw_every.c '/\.sentence/d'
faulty "a mechanism without its page" "mechanism every stands on no page" \
    cmodel/doc/mechanisms/baselines.md '/`every`/d'
faulty "a line of the registry without its mechanism" "byw_mech_evry is defined in ''" \
    cmodel/configs/byw_mechanisms.def 's/MECH(every)/MECH(evry)/'
faulty "a policy without its sentence" "every.cfg: no sentence" \
    cmodel/configs/policies/every.cfg '/policy.about/d'
finish
