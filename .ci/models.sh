#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# models.sh DIR >PAGE.md - the page "What the L1 does for machine-learning kernels": the workloads of @ml on h200.
#
# Traces are those of the CUDA twins with the inputs of large.txt and with machine code. Each is run three times
# with noise by each policy, with the two carve-outs, and searched for advice. Traces and runs are kept in DIR; the same
# command resumes.  B is the build folder (default build); JOBS runs at a time (default 2).
set -eu
cd "$(dirname "$0")/.."
B=${B:-build}
dir=$1
byway=$B/byway
policies=(ball two_level pc hybrid_t)
mkdir -p "$dir/traces" "$dir/runs"
registry() { # NAME PROGRAM OPTIONS of each workload
    sed -n -e 's/^BYW_WORKLOAD("\([^"]*\)", "[^"]*", "[^"]*", "none", 0, "ml".*/\1 \1/p' \
        -e 's/^BYW_WORKLOAD_OF("\([^"]*\)", "\([^"]*\)", "\([^"]*\)", "[^"]*", "[^"]*", "none", 0, "ml".*/\1 \2 \3/p' \
        cmodel/workloads/workloads.def
}
capture() { # capture NAME PROGRAM OPTIONS
    local name=$1 program=$2
    shift 2
    [ ! -e "$dir/traces/$name.bwt" ] || return 0
    tar xzOf cmodel/workloads/twins/ptx.tar.gz "$program.ptx" | verif/silicon/variant.sh ca >"$dir/$program.ca.ptx"
    # shellcheck disable=SC2046 # words
    LD_LIBRARY_PATH=$B/silicon:$B/lib BYW_SILICON_PTX=$dir/$program BYW_SILICON_LAUNCHES=0 BYWAY_TRACE=$dir/$name.new \
        "$B/workloads/$program" --size small "$@" $(sed -n "s/^$name //p" cmodel/workloads/large.txt) >&2
    mv "$dir/$name.new" "$dir/traces/$name.bwt"
}
kept() { # kept OUT COMMAND...: runs it unless its result is there
    local out=$1
    shift
    [ -e "$out" ] || "$@" -o "$out" >/dev/null 2>"$out.err" || { cat "$out.err" >&2 && return 1; }
}
runs() { # runs NAME PROGRAM CARVEOUT POLICY: cycles, three seeds
    local trace=$dir/traces/$1.bwt set=sm.carveout=$3
    case $4 in
    na) kept "$dir/runs/$1.na.$3.json" "$byway" run -m h200 -t "$trace" -a "$dir/na.advice" -s "$set" --repeat 3 ;;
    advice) kept "$dir/runs/$1.advice.$3.json" "$byway" advise "$trace" -m h200 --hints bypass --runs 8 --repeat 3 -s "$set" -j 1 \
        --source "cmodel/workloads/twins/$2.cu" ;;
    *) kept "$dir/runs/$1.$4.$3.json" "$byway" run -m h200 -t "$trace" -p "$4" -s "$set" --repeat 3 ;;
    esac
}
export -f kept runs
export byway dir
echo '* * bypass' >"$dir/na.advice"
while read -r name program options; do
    # shellcheck disable=SC2086 # words
    capture "$name" "$program" $options
done < <(registry)
for policy in bl "${policies[@]}" na advice; do
    while read -r name program _; do echo "$name $program auto $policy"; done < <(registry)
done >"$dir/list"
for policy in bl ball na; do # papers' mechanisms with 20 KB are on the page of today's GPUs
    while read -r name program _; do echo "$name $program largest $policy"; done < <(registry)
done >>"$dir/list"
xargs -P "${JOBS:-2}" -L 1 bash -c 'set -eu; runs "$0" "$1" "$2" "$3"' <"$dir/list"
node .ci/models.js "$dir" "$(registry | cut -d ' ' -f 1 | tr '\n' ' ')"
