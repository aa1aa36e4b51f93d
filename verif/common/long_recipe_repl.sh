#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_recipe_repl.sh - cmodel/doc/add_a_replacement.md, done on a copy of the tree: BRRIP8 in C and
# RTL in at most eight files. Lint, list and results know it; the RTL equals its C twin. Then the
# copy's BRRIP8 is changed to use the set and the PC as well, and whole caches run in lock step:
# both sides pass a policy the same inputs. Without Verilator, only the C half runs. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/common/recipe.sh
recipe_copy cmodel/traces
mkdir -p "$tree/build/cosim"
cp -p "$build"/cosim/verilated*.o "$tree/build/cosim/" 2>/dev/null
recipe_apply cmodel/doc/add_a_replacement.md
(cd "$tree" && make -s rtl-defs) >"$dir/log" 2>&1
result $? "make rtl-defs"
recipe_files 8 2
recipe_build
(cd "$tree" && git add -A && .ci/layers.sh && .ci/labels.sh && make -s mirror) >"$dir/log" 2>&1
result $? "rooms, labels and mirror are clean"
if command -v clang-format >/dev/null; then
    (cd "$tree" && clang-format --dry-run -Werror cmodel/model/record/byw_repl_brrip8.c) >"$dir/log" 2>&1
    result $? "the new files are formatted"
fi
(cd "$tree" && make -s WERROR=1 OPT="${OPT:--O1}" build/verif/record/t_repl && build/verif/record/t_repl) >"$dir/log" 2>&1
result $? "table and key agree"
"$byway" list configs >"$dir/log" 2>&1 && grep -q 'lru|srrip|brrip8|brrip' "$dir/log"
result $? "byway list configs"
run() { # run POLICY: runs bfs and stores the result in $dir/POLICY.json
    "$byway" run --workload bfs --policy bl --set "l1d.replacement=$1" --json "$dir/$1.json" >"$dir/log" 2>&1
}
hits() { sed '/"per_sm"/,$d' "$dir/$1.json" | sed -n '/"l1d": {/,/}/s/^ *"hits": \([0-9]*\),*$/\1/p' | head -n 1; }
run brrip8 && run srrip && run lru && grep -q '"l1d.replacement": "brrip8"' "$dir/brrip8.json"
result $? "results name the policy"
[ "$(hits brrip8)" != "$(hits srrip)" ] && [ "$(hits brrip8)" -gt 0 ]
result $? "hits of bfs: lru $(hits lru), srrip $(hits srrip), brrip8 $(hits brrip8)"
run random
[ $? = 2 ] && grep -q 'brrip8' "$dir/log"
result $? "an unknown value is refused with the list of known ones"

in_test_all || finish # the remaining checks build Verilated caches
why=
command -v verilator >/dev/null || why="no Verilator; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] || why="a build with sanitizers; make test runs it"
if [ -n "$why" ]; then
    skip_check "the recipe's RTL in lock step with its C twin" "$why"
    finish
fi
lock() { # lock PROGRAM...: builds and runs lock-step programs
    for p in "$@"; do
        (cd "$tree" && make -s OPT="${OPT:--O1}" VL_OPT=-O0 "build/cosim/$p" && "build/cosim/$p" 1) \
            >"$dir/log" 2>&1
        result $? "RTL and C in lock step: $(grep '^PASS' "$dir/log" || echo "$p")"
    done
}
lock all_brrip8_4
sed -i 's/at->random %/(at->random ^ at->pc ^ (at->set \& 1)) %/' "$tree/cmodel/model/record/byw_repl_brrip8.c"
sed -i 's/random_i\[2:0\]/random_i[2:0] ^ {pc_i[2:1], pc_i[0] ^ set_i[0]}/' "$tree/rtl/l1d/byw_repl_brrip8.v"
[ "$(git -C "$tree" diff --name-only | wc -l)" = 2 ]
result $? "the copy's BRRIP8 looks at set and PC too"
lock policy_brrip8 install_brrip8 l1d_brrip8 l1d_fill_brrip8
finish
