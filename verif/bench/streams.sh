#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# streams.sh - the table of cmodel/doc/streams.md: IPC of BALL over BL (± standard deviation of one run) on streams, whose
# lines are never used again, by trackers, DRAM and write policy; row hits of DRAM in percent, BL and BALL.  sum only
# loads, triad has two loads for a store, copy one.  REPEAT (5) runs of each.  Needs jq.
set -eu
cd "$(dirname "$0")/../.."
byway=$(realpath "${BYWAY:-${B:-build}/byway}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# A grid of 120 CTAs of 8 warps; in iteration k a warp loads one line of each input and stores one
# of the output; the next iteration continues behind the lines of the whole grid. $1 name, $2
# inputs, $3 outputs.
make_stream() {
    mkdir "$dir/$1"
    echo kernel-1.traceg >"$dir/$1/kernelslist.g"
    awk -v name="$1" -v inputs="$2" -v outputs="$3" 'BEGIN {
        print "-kernel name = " name "\n-kernel id = 1\n-grid dim = (120,1,1)\n-block dim = (256,1,1)"
        print "-shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0"
        print "-shmem base_addr = 0x00007f5000000000\n-local mem base_addr = 0x00007f4e00000000"
        print "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n"
        for (cta = 0; cta < 120; cta++) {
            printf "#BEGIN_TB\n\nthread block = %d,0,0\n\n", cta
            for (warp = 0; warp < 8; warp++) {
                printf "warp = %d\ninsts = %d\n", warp, 16 * (2 + inputs + outputs) + 1
                for (k = 0; k < 16; k++) {
                    at = (k * 960 + cta * 8 + warp) * 128
                    printf "0010 ffffffff 1 R2 IMAD 1 R0 0 0 \n"
                    for (i = 0; i < inputs; i++)
                        printf "00%d0 ffffffff 1 R%d LDG.E.SYS 1 R2 4 1 0x7fc%d%08x 4 0 \n", 2 + i, 4 + i, i, at
                    printf "0050 ffffffff 1 R9 FFMA 2 R4 R%d 0 0 \n", 3 + inputs
                    if (outputs) printf "0060 ffffffff 0 STG.E.SYS 2 R2 R9 4 1 0x7fc4%08x 4 0 \n", at
                }
                print "0070 ffffffff 0 EXIT 0 0 0 \n"
            }
            print "#END_TB\n"
        }
    }' >"$dir/$1/kernel-1.traceg"
    "$byway" trace convert "$dir/$1" -o "$dir/$1.bwt" 2>/dev/null
}
make_stream sum 1 0
make_stream triad 2 1
make_stream copy 1 1

row() { # row TEXT SETTINGS: one row, BALL over BL with deviation, and row hits of both
    local text=$1 sets=()
    shift
    for s in "$@"; do sets+=(--set "$s"); done
    "$byway" compare -m fermi -t "$dir/sum.bwt" -t "$dir/triad.bwt" -t "$dir/copy.bwt" -p bl,ball --repeat "${REPEAT:-5}" \
        -j "${JOBS:-1}" ${sets[@]+"${sets[@]}"} --json "$dir/row.json" >/dev/null
    jq -r --arg text "$text" '
        def ratio($w): .workloads[] | select(.workload == $w) | [.relative_ipc.ball, .relative_ipc_sd.ball];
        def hits($w; $p): .runs[] | select(.workload == $w and .policy == $p).dram | 100 * .row_hits / ([.requests, 1] | max) | round;
        "| \($text) | \([ratio("sum", "triad", "copy")[]] | map(tostring) | join(" ")) | \(hits("triad"; "bl")), \(hits("triad"; "ball")) | \(
            hits("copy"; "bl")), \(hits("copy"; "ball")) |"' "$dir/row.json" |
        awk -F'|' '{ split($3, v, " "); printf "|%s|", $2
            for (i = 1; i < 6; i += 2) printf " %.3f ± %s |", v[i], substr(sprintf("%.3f", v[i + 1]), 2)
            print $4 "|" $5 "|" }'
}
echo '| | sum | triad | copy | row hits, triad | row hits, copy |'
echo '|---|--:|--:|--:|--:|--:|'
row '`fermi`: 64 trackers, 32 MSHRs, FR-FCFS, queue 16, write misses fetch'
for n in 16 32 128 1024; do row "\`l1d.bypass_trackers = $n\`" l1d.bypass_trackers=$n; done
row '`dram.scheduler = fcfs`' dram.scheduler=fcfs
row '`dram.queue = 64`' dram.queue=64
row '`dram.ideal = on`' dram.ideal=on
row '`l2.write_miss = lazy`' l2.write_miss=lazy
row 'both' dram.ideal=on l2.write_miss=lazy

# The second table, without noise, as Accel-Sim ran them: its own figures are on the page.
"$byway" compare -m fermi_gpgpusim -t "$dir/sum.bwt" -t "$dir/triad.bwt" -t "$dir/copy.bwt" -p bl,ball --json "$dir/row.json" >/dev/null
echo
jq -r 'def cycles($w; $p): .runs[] | select(.workload == $w and .policy == $p).cycles;
    ("sum", "triad", "copy") as $w | "| `fermi_gpgpusim` | \($w) | \(cycles($w; "bl")) | \(cycles($w; "ball")) | \(
        cycles($w; "bl") / cycles($w; "ball") * 1000 | round / 1000) |"' "$dir/row.json"
