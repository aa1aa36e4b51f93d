#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_recipe_workload.sh - cmodel/doc/add_a_workload.md, done on a copy of the tree: the program is built, checks its
# result, is captured, and its trace runs by name.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/common/recipe.sh
[ -e "$build/lib/libOpenCL.so.1" ] || skip_all "no $build/lib/libOpenCL.so.1: clang, llvm-dev or libclc is missing; make deps-all"
recipe_copy 'verif/(mutate|scenario)'
recipe_apply cmodel/doc/add_a_workload.md
recipe_files 3 2
mkdir -p "$tree/build"
cp -Rp "$build/lib" "$tree/build/"
touch "$tree"/build/lib/* # the copy's sources are as old as this test
recipe_build
export BYWAY_TRACES=$tree/cmodel/traces BYWAY_CACHE=$dir/cache
(cd "$tree" && make -s -o build/lib/libOpenCL.so.1 WERROR=1 build/workloads/transpose) >"$dir/log" 2>&1
result $? "the program builds without a warning"
for size in test small; do
    (cd "$tree" && LD_LIBRARY_PATH=build/lib build/workloads/transpose --size $size) >"$dir/log" 2>&1 && grep -q "^PASS transpose $size" "$dir/log"
    result $? "the result is right at size $size"
done
(cd "$tree" && build/byway trace capture -o cmodel/traces/transpose.bwt -- build/workloads/transpose --size small) >"$dir/log" 2>&1 &&
    [ "$(wc -c <"$tree/cmodel/traces/transpose.bwt")" -lt 300000 ]
result $? "the trace is small enough to ship"
"$byway" list workloads >"$dir/log" 2>&1 && grep -A 1 '^transpose .*shipped' "$dir/log" | grep -q 'columns written; 512 x 256 matrix'
result $? "byway list workloads"
"$byway" compare -w @poly,transpose -p bl,ball -j 2 >"$dir/log" 2>&1 && grep -q '^transpose ' "$dir/log"
result $? "the workload runs by name and in its set"
(cd "$tree" && make -s -o build/byway workload-table && grep -q '^| transpose | transposition of a matrix' cmodel/workloads/TABLE.md) >"$dir/log" 2>&1
result $? "make workload-table lists the workload"
if command -v clang-format >/dev/null; then
    (cd "$tree" && clang-format --dry-run -Werror cmodel/workloads/transpose/transpose.c) >"$dir/log" 2>&1
    result $? "the new files are formatted"
fi
finish
