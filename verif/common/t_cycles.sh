#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_cycles.sh - .ci/cycles.sh passes on this build, and reports cycles of files and upward
# references in a small tree with the layers of this one.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder out
tree=$dir/tree

file() { # file PATH TEXT: adds a source, and its object, to the small tree
    mkdir -p "$tree/$(dirname "$1")" "$dir/build/$(dirname "$1")"
    printf '%s\n' "$2" >"$tree/$1.c"
    "${CC:-cc}" -c -o "$dir/build/$1.o" "$tree/$1.c"
}
small_tree() {
    rm -rf "$tree" "$dir/build"
    mkdir -p "$tree/cmodel/doc"
    cp cmodel/doc/architecture.md "$tree/cmodel/doc"
    file cmodel/model/common/text 'int text(void) { return 1; }'
    file cmodel/model/policy/filter 'int text(void); int filter(void) { return text(); }'
    file cmodel/model/l1d/cache 'int filter(void); int text(void); int cache(void) { return filter() + text(); }'
    file cmodel/sim/gpu/gpu 'int cache(void); int gpu(void) { return cache(); }'
}
check() { # check STATUS: runs cycles.sh on the small tree and expects STATUS
    .ci/cycles.sh "$dir/build" "$tree" >"$dir/out" 2>&1
    [ $? = "$1" ]
}
says() { # says LINE...: it printed these lines, and no others
    printf '%s\n' "$@" | diff - "$dir/out" >>"$dir/out.diff"
}

.ci/cycles.sh "${B:-build}" >"$dir/out" 2>&1
result $? "no two files of this build need each other, and none uses a layer above it"

small_tree
check 0 && [ ! -s "$dir/out" ]
result $? "files that use layers below them pass"

file cmodel/model/common/text 'int shape(void); int text(void) { return shape(); }'
file cmodel/model/common/shape 'int text(void); int shape(void) { return text(); }'
check 1 && says 'cycle of 2 files: cmodel/model/common/text cmodel/model/common/shape'
result $? "two files of one folder that call each other are named"

small_tree
file cmodel/sim/gpu/clock 'int gpu_wait; int gpu_lane(void); int clock_step(void) { return gpu_lane(); }'
file cmodel/sim/gpu/lane 'int gpu_end(void); int gpu_lane(void) { return gpu_end(); }'
file cmodel/sim/gpu/end 'extern int gpu_wait; int gpu_end(void) { return gpu_wait; }'
check 1 && [[ $(cat "$dir/out") == "cycle of 3 files: "* ]]
result $? "a cycle of three files, closed by a variable, is named"

small_tree
file cmodel/model/policy/filter 'int gpu(void); int filter(void) { return gpu(); }'
check 1 && grep -qxF 'cmodel/model/policy/filter.c: model/policy uses gpu of cmodel/sim/gpu/gpu.c; it may use model/record, model/common, configs' "$dir/out"
result $? "a policy that calls the simulator is named, with what it may use"

small_tree
file cmodel/model/common/text 'extern int table; int text(void) { return table; }'
file cmodel/model/l2/table 'int table = 1;'
check 1 && says 'cmodel/model/common/text.c: model/common uses table of cmodel/model/l2/table.c; it may use configs'
result $? "a variable of a layer above is refused without a cycle"

small_tree
file cmodel/model/common/old 'int filter(void); int old(void) { return filter(); }'
rm "$tree/cmodel/model/common/old.c"
check 0
result $? "the object of a source that is gone is ignored"

small_tree
file cmodel/model/common/late 'int filter(void); int late(void) { return filter(); }'
touch -d '+1 minute' "$tree/cmodel/model/common/late.c"
check 0
result $? "an object that is older than its source is ignored"

.ci/cycles.sh -a "$dir/build" "$tree" >"$dir/out" 2>&1
[ $? = 1 ] && says 'cmodel/model/common/late.c: no object of it; its uses are not checked'
result $? "with -a it is named"

rm -rf "$dir/build"
mkdir "$dir/build"
check 2 && grep -q 'run make first' "$dir/out"
result $? "without objects the message says what to do"
finish
