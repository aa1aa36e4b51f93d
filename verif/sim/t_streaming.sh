#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_streaming.sh - memory use does not grow with the trace: a trace listed twice and forty times;
# one CTA whose warps are twice and four times as long; and every shipped machine stays below 200 MB
# on a shipped workload. Prints TAP. Uses $BYWAY (default build/byway) and the shipped traces.
set -u
cd "$(dirname "$0")/../.." || exit 1
byway=$(realpath "${BYWAY:-${B:-build}/byway}")
BYWAY_CONFIGS=$(realpath cmodel/configs)
export BYWAY_CONFIGS
traces=$(realpath cmodel/traces)
# The address sanitizer keeps freed memory, which would count.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

. verif/common/tap.sh
tap_logs=("$dir/err")
number() { # number KEY: its value in the result of the last run
    sed -n 's/.*"'"$1"'": *\([0-9]*\).*/\1/p' "$dir/out.json" | head -n 1
}
run() {
    "$byway" run "$@" -o "$dir/out.json" >/dev/null 2>"$dir/err" </dev/null
}

"$byway" trace convert "$traces/hotspot.bwt" --to accelsim -o "$dir/text" >/dev/null 2>"$dir/err"
result $? "a shipped trace is written as text"
# Listed at least twice: a launch is read while the previous one runs, so a single launch needs less
# memory.
listed() { # listed TIMES FOLDER
    cp -R "$dir/text" "$dir/$2"
    for _ in $(seq $(($1 - 1))); do cat "$dir/text/kernelslist.g"; done >>"$dir/$2/kernelslist.g"
}
listed 2 short
listed 40 long
run -t "$dir/short"
result $? "it runs twice over"
short=$(number peak_rss_mb) insts=$(number warp_instructions)
run -t "$dir/long"
result $? "it runs forty times over"
long=$(number peak_rss_mb)
[ "$(number warp_instructions)" = $((20 * insts)) ]
result $? "twenty times the instructions"
[ "$long" -le $((short + short / 8 + 1)) ]
result $? "in $long MB, $short MB for two"

# Writes a trace of one CTA of 8 warps, each of which runs LOOPS iterations of a load, a sum and a
# branch.
long_warps() { # long_warps FOLDER LOOPS
    mkdir -p "$1"
    echo kernel-1.traceg >"$1/kernelslist.g"
    awk -v loops="$2" 'BEGIN {
        print "-kernel name = long"; print "-kernel id = 1"; print "-grid dim = (1,1,1)"
        print "-block dim = (256,1,1)"; print "-shmem = 0"; print "-nregs = 16"
        print "-binary version = 70"; print "-cuda stream id = 0"
        print "-shmem base_addr = 0x00007f5000000000"
        print "-local mem base_addr = 0x00007f4e00000000"
        print "-nvbit version = 1.5.5"; print "-accelsim tracer version = 5"
        print "-enable lineinfo = 0"; print ""; print "#BEGIN_TB"; print ""
        print "thread block = 0,0,0"
        for (w = 0; w < 8; w++) {
            print ""; print "warp = " w; print "insts = " 3 * loops + 1
            for (i = 0; i < loops; i++) {
                printf "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f%06x00 4\n", (i * 8 + w) % 4096
                print "0010 ffffffff 1 R3 FADD 2 R2 R3 0"
                print "0020 ffffffff 0 BRA 0 0"
            }
            print "0030 ffffffff 0 EXIT 0 0"
        }
        print ""; print "#END_TB" }' >"$1/kernel-1.traceg"
}
first=0 text=0
for loops in 30000 60000 120000; do
    long_warps "$dir/cta" $loops
    "$byway" trace convert "$dir/cta" -o "$dir/cta.bwt" >/dev/null 2>"$dir/err" &&
        run -t "$dir/cta.bwt" && [ "$(number warp_instructions)" = $((8 * (3 * loops + 1))) ]
    result $? "a CTA of 8 warps with $loops loops each runs"
    peak=$(number peak_rss_mb) cycles=$(number cycles)
    [ $first != 0 ] || first=$peak
    [ "$peak" -le $((first + first / 8 + 1)) ]
    result $? "in $peak MB, $first MB for the shortest"
    run -t "$dir/cta" && [ "$(number cycles)" = "$cycles" ]
    result $? "as text it takes the same $cycles cycles"
    peak=$(number peak_rss_mb)
    [ $text != 0 ] || text=$peak
    [ "$peak" -le $((text + text / 8 + 1)) ]
    result $? "in $peak MB, $text MB for the shortest"
done

for cfg in cmodel/configs/machines/*.cfg; do
    machine=$(basename "$cfg" .cfg)
    run -m "$machine" -w streamcluster && [ "$(number peak_rss_mb)" -lt 200 ]
    result $? "streamcluster on $machine in less than 200 MB ($(number peak_rss_mb))"
done
finish
