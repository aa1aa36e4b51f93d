#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_recipe_rule.sh - cmodel/doc/add_a_rule.md, done on a copy of the tree: a bypass mechanism in C
# and RTL in at most six files written by hand. First only the declaration: the skeletons that `make
# rescues` writes pass lock step. Then the whole page: the mechanism has its key, register field and
# registry entry, the rule, the decision and a whole cache pass lock step, the rule is proved, and a
# fault in C or RTL alone is found. Checks that need Verilator or Yosys are skipped without them.
# TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/common/recipe.sh
began=$SECONDS
recipe_copy cmodel/traces
mkdir -p "$tree/build/cosim"
cp -p "$build"/cosim/verilated*.o "$tree/build/cosim/" 2>/dev/null
missing=
for tool in verilator yosys; do command -v $tool >/dev/null || missing+=" $tool"; done
[[ ${MAKEFLAGS-} != *fsanitize* ]] || missing=" a build without sanitizers"
lock() { # lock PROGRAM...: builds and runs lock-step programs of the copy
    if [ -n "$missing" ]; then
        skip_check "RTL and C in lock step: $*" "no$missing; apt-get install verilator yosys"
        return
    fi
    for p in "$@"; do
        (cd "$tree" && make -s OPT="${OPT:--O1}" VL_OPT=-O0 "build/cosim/$p" && "build/cosim/$p" 1) >"$dir/log" 2>&1
        result $? "RTL and C in lock step: $(grep '^PASS' "$dir/log" || echo "$p")"
    done
}

# Only a declaration, of another rule than that of the page.
cp "$tree/cmodel/configs/byw_rescues.def" "$dir/rescues.def"
cat >>"$tree/cmodel/configs/byw_rescues.def" <<'END'
RESCUE(stall_begun, STALL_BEGUN, 2, stall_begun, "stall.begun", "off|some|more|all", "all|some", "000", "a rule, as begun", "a begun rule")
END
(cd "$tree" && make -s rescues && make -s rescues | grep begun) >"$dir/log" 2>&1
[ "$(grep -c '^begun:' "$dir/log")" = 3 ] && [ "$(cd "$tree" && grep -c byw_stall_begun.v rtl/byw.f)" = 1 ] &&
    [ "$(grep -c '^byw_stall_begun@' "$tree/verif/formal/units.txt")" = 1 ] && [ "$(grep -c '^stall_begun|' "$tree/verif/mutate/units.txt")" = 1 ]
result $? "a declaration begins three files, once"
lock stall_begun
git -C "$tree" checkout -q . && git -C "$tree" clean -qfd cmodel rtl verif

# The whole page.
cp "$tree/cmodel/doc/add_a_rule.md" "$dir/page.md"
sed -n '1,/^## 2/p' "$dir/page.md" >"$dir/declaration.md"
recipe_apply "$dir/declaration.md"
(cd "$tree" && make -s rescues) >"$dir/log" 2>&1
result $? "make rescues"
git -C "$tree" add -A
git -C "$tree" -c user.name=t -c user.email=t@t commit -qm generated
sed '/^## 1/,/^## 2/d' "$dir/page.md" >"$dir/rest.md"
recipe_apply "$dir/rest.md"
# Four files besides the declaration are written by hand; `make rescues` has created all but one of
# them.
recipe_files 4 1
recipe_build
(cd "$tree" && make -s rescues && git diff --quiet -- rtl/policy/byw_rescue.v cmodel/model/top rtl/byw.f) >"$dir/log" 2>&1
result $? "make rescues again changes none of them"
(cd "$tree" && git add -A && .ci/registry.sh && .ci/layers.sh && .ci/labels.sh && .ci/links.sh && make -s mirror) >"$dir/log" 2>&1
result $? "registry, layers, labels, links and mirror are clean"
(cd "$tree" && verif/top/t_csr_files.sh && grep 'STALL_STREAM.*stall.stream' rtl/doc/csr.md &&
    grep -w 'BYW_CSR_POLICY_STALL_STREAM_LSB = 24;' rtl/include/byw_csr.vh && grep -w 'BYW_CSR_POLICY_W = 25;' rtl/include/byw_csr.vh &&
    grep -w 'BYW_CFG_STALL_STREAM_LSB = 24;' rtl/include/byw_defs.vh) >"$dir/log" 2>&1
result $? "the register POLICY has the field, in its next free bit"
if command -v clang-format >/dev/null; then
    (cd "$tree" && clang-format --dry-run -Werror cmodel/model/policy/byw_stall_stream.c) >"$dir/log" 2>&1
    result $? "the new file is formatted"
fi
"$byway" list mechanisms >"$dir/log" 2>&1 && grep -q '^stall_stream .*a streamed load that would be refused' "$dir/log"
result $? "byway list mechanisms"
"$byway" list policies >"$dir/log" 2>&1 && grep -A 2 '^stall_stream ' "$dir/log" | grep -q 'uses stall_stream; 0 bits per SM$'
result $? "byway list policies: it has hardware"
"$byway" run -w bfs -p stall_stream --json "$dir/json" >"$dir/log" 2>&1 && grep -q '"stall.stream": "on"' "$dir/json"
result $? "a run with the policy"
lock stall_stream rescue policy_4x8 sectored_3x2 l1d_small

if [ -n "$missing" ]; then
    skip_check "the proof of the rule" "no$missing; apt-get install verilator yosys"
else
    (cd "$tree" && verif/formal/prove_units.sh byw_stall_stream byw_rescue) >"$dir/log" 2>&1 &&
        (cd "$tree" && verif/formal/prove_units.sh -f byw_stall_stream) >>"$dir/log" 2>&1
    result $? "off, the rule does nothing: proved, and a fault is refuted"
    # A fault in the C model only must be found.
    sed -i 's/hint == BYW_HINT_STREAM/hint == BYW_HINT_CACHE/' "$tree/cmodel/model/policy/byw_stall_stream.c"
    for p in stall_stream policy_4x8; do
        ! (cd "$tree" && make -s OPT="${OPT:--O1}" VL_OPT=-O0 "build/cosim/$p" && "build/cosim/$p" 1) >"$dir/log" 2>&1 && grep -q '^FAIL' "$dir/log"
        result $? "$p finds a rule that differs"
    done
fi
echo "# $((SECONDS - began)) s"
finish
