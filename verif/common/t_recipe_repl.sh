#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_recipe_repl.sh - cmodel/doc/add_a_replacement.md, done on a copy of the tree: BRRIP8 in C and RTL in at
# most eight files.  Lint, list and results know it; the RTL equals its C twin.  Then the copy's BRRIP8 is
# made to look at the set and the PC as well, and whole caches run in lock step: what the seam tells a policy
# is the same on both sides.  Without Verilator the C half only.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
top=$PWD
build=${B:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")
tree=$dir/tree
mkdir -p "$tree"
git ls-files -co --exclude-standard 2>/dev/null | while read -r f; do [ -f "$f" ] && echo "$f"; done |
    grep -vE '^(cmodel/traces|verif/scenario)/' >"$dir/files"
[ -s "$dir/files" ] || skip_all "no git checkout; the test copies what git knows"
tar -cf - -T "$dir/files" | tar -xf - -C "$tree"
(cd "$tree" && git init -q && git add -A && git -c user.name=t -c user.email=t@t commit -qm before)

# What is built already need not be built again; time stamps of what the recipe writes are newer.
mkdir -p "$tree/build/cosim"
for part in cmodel fast fst gen; do
    [ ! -d "$build/$part" ] || cp -Rp "$build/$part" "$tree/build/"
done
cp -p "$build"/cosim/verilated*.o "$tree/build/cosim/" 2>/dev/null

# Applies the page: a fence names its file, and if it exists the line that its text goes below, above or
# instead of, by the start of that line without leading blanks.
awk -v tree="$tree" '
    /^```[a-z]+ (cmodel|rtl)\// {
        file = tree "/" $2
        where = $3
        line = $0
        sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", line)
        text = ""
        on = 1
        next
    }
    /^```$/ && on {
        on = 0
        if (where != "") {
            new = text
            text = ""
            found = 0
            while ((getline old < file) > 0) {
                start = old
                gsub(/ /, "", start)
                wanted = line
                gsub(/ /, "", wanted)
                hit = index(start, wanted) == 1
                found += hit
                if (hit && where == "above") text = text new
                text = text (hit && where == "instead" ? new : old "\n")
                if (hit && where == "below") text = text new
            }
            close(file)
            if (found != 1) print file ": " found " lines begin with " line > "/dev/stderr"
        }
        printf "%s", text > file
        close(file)
        next
    }
    on { text = text $0 "\n" }' cmodel/doc/add_a_replacement.md 2>"$dir/log"
[ ! -s "$dir/log" ]
result $? "every place that the page names is there, once"
(cd "$tree" && make -s rtl-defs) >"$dir/log" 2>&1
result $? "make rtl-defs"
git -C "$tree" status --porcelain >"$dir/changed"
[ "$(wc -l <"$dir/changed")" -le 8 ] && [ "$(grep -c '^??' "$dir/changed")" = 2 ]
result $? "the recipe changes $(wc -l <"$dir/changed") files, $(grep -c '^??' "$dir/changed") of them new"

(cd "$tree" && make -s WERROR=1 OPT="${OPT:--O1}" build/byway) >"$dir/log" 2>&1
result $? "it builds without a warning"
byway=$tree/build/byway
export BYWAY_CONFIGS=$tree/cmodel/configs BYWAY_TRACES=$top/cmodel/traces
(cd "$tree" && git add -A && .ci/layers.sh && .ci/labels.sh && make -s mirror) >"$dir/log" 2>&1
result $? "rooms, labels and mirror are clean"
if command -v clang-format >/dev/null; then
    (cd "$tree" && clang-format --dry-run -Werror cmodel/model/record/byw_repl_brrip8.c) >"$dir/log" 2>&1
    result $? "it is formatted"
fi
(cd "$tree" && make -s WERROR=1 OPT="${OPT:--O1}" build/verif/record/t_repl && build/verif/record/t_repl) >"$dir/log" 2>&1
result $? "table and key agree"
"$byway" list configs >"$dir/log" 2>&1 && grep -q 'lru|srrip|brrip8|brrip' "$dir/log"
result $? "byway list configs"
run() { # POLICY: one run of bfs into $dir/POLICY.json
    "$byway" run --workload bfs --policy bl --set "l1d.replacement=$1" --json "$dir/$1.json" >"$dir/log" 2>&1
}
hits() { sed '/"per_sm"/,$d' "$dir/$1.json" | sed -n '/"l1d": {/,/}/s/^ *"hits": \([0-9]*\),*$/\1/p' | head -n 1; }
run brrip8 && run srrip && run lru && grep -q '"l1d.replacement": "brrip8"' "$dir/brrip8.json"
result $? "results name it"
[ "$(hits brrip8)" != "$(hits srrip)" ] && [ "$(hits brrip8)" -gt 0 ]
result $? "hits of bfs: lru $(hits lru), srrip $(hits srrip), brrip8 $(hits brrip8)"
run random
[ $? = 2 ] && grep -q 'brrip8' "$dir/log"
result $? "a value that there is not is refused with those that there are"

in_test_all || finish # the rest builds Verilated caches
why=
command -v verilator >/dev/null || why="no Verilator; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] || why="a build with sanitizers; make test runs it"
if [ -n "$why" ]; then
    echo "ok $((++n)) - the recipe's RTL in lock step with its C twin # SKIP $why"
    finish
fi
lock() { # PROGRAM...: builds and runs lock-step programs
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
