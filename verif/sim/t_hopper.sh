#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_hopper.sh - the microbenchmarks behind h200.cfg: the simulated GPU reproduces measurements of an
# H200, and each key has the effect that it was added for.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh

# Writes a trace of one kernel. $1 name, $2 CTAs, $3 warps per CTA, $4 awk statements that print the
# instructions of warp w of CTA c before its EXIT, each by inst(PC, MASK, TEXT).
trace() {
    mkdir -p "$dir/$1"
    echo kernel-1.traceg >"$dir/$1/kernelslist.g"
    awk -v ctas="$2" -v warps="$3" '
    function inst(pc, mask, text) { line[n++] = sprintf("%04x %s %s ", pc, mask, text) }
    BEGIN {
        print "-kernel name = probe\n-kernel id = 1\n-grid dim = (" ctas ",1,1)"
        print "-block dim = (" 32 * warps ",1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 70"
        print "-cuda stream id = 0\n-shmem base_addr = 0x00007f5000000000"
        print "-local mem base_addr = 0x00007f4e00000000\n-nvbit version = 1.5.5"
        print "-accelsim tracer version = 5\n-enable lineinfo = 0\n"
        for (c = 0; c < ctas; c++) {
            printf "#BEGIN_TB\n\nthread block = %d,0,0\n\n", c
            for (w = 0; w < warps; w++) {
                n = 0
                '"$4"'
                inst(4096, "ffffffff", "0 EXIT 0 0 0")
                printf "warp = %d\ninsts = %d\n", w, n
                for (i = 0; i < n; i++) print line[i]
            }
            print "#END_TB\n"
        }
    }' >"$dir/$1/kernel-1.traceg"
}
# A pointer chase by one lane: $2 rounds over $3 lines.
chase() {
    trace "$1" 1 1 'for (r = 0; r < '"$2"'; r++) for (l = 0; l < '"$3"'; l++)
        inst(16, "00000001", sprintf("1 R2 LDG.E.64 1 R2 8 1 0x7fc0%08x 8", l * 128))'
}
number() { sed -n "s/^ *\"$1\": //p" "$dir/r.json" | head -n 1 | tr -d '",'; }
# Prints the cycles of a trace; further arguments are passed to the command.
cycles() {
    by run -m h200 -t "$1" --json r.json "${@:2}"
    number cycles
}
# Prints the cycles per load, computed from two traces; the second has $3 more loads.
per_load() { echo $((($(cycles "$2" "${@:4}") - $(cycles "$1" "${@:4}")) / $3)); }
between() { # between NAME LOWEST VALUE HIGHEST
    [ "$2" -le "$3" ] && [ "$3" -le "$4" ]
    result $? "$1: $3, expected $2 to $4"
}

chase l1_2 2 32
chase l1_34 34 32
between "cycles of a hit in the L1" 31 "$(per_load l1_2 l1_34 1024)" 33

chase l2_1 1 4096
chase l2_2 2 4096
between "cycles of a hit in the L2" 273 "$(per_load l2_1 l2_2 4096)" 284
echo '* * bypass' >"$dir/cg"
between "cycles of a load past the L1 that hits in the L2" 273 "$(per_load l2_1 l2_2 4096 --advice cg)" 284
chase dram 1 256
chase none 1 1
between "cycles of a load from DRAM" 586 "$(per_load none dram 255)" 656

# At the largest carve-out 20 KB fit in the L1 and 40 KB do not; by default both do.
chase kb20_1 1 160
chase kb20_9 9 160
chase kb40_1 1 320
chase kb40_9 9 320
between "20 KB at the largest carve-out" 31 \
    "$(per_load kb20_1 kb20_9 1280 -s sm.carveout=largest)" 33
between "40 KB at the largest carve-out" 250 \
    "$(per_load kb40_1 kb40_9 2560 -s sm.carveout=largest)" 284
between "40 KB at the default one" 31 "$(per_load kb40_1 kb40_9 2560)" 33
by run -m h200 -t kb20_1 --json r.json
between "scratchpad of a kernel of one warp, KB" 32 "$(number shared_kb)" 32

# 32 warps that load 32 words, `stride` bytes apart, from lines in the L1.
for stride in 32 128; do
    for rounds in 2 10; do
        trace "rate_${stride}_$rounds" 1 32 'for (r = 0; r < '"$rounds"'; r++) for (l = 0; l < 4; l++)
            inst(16 + 16 * l, "ffffffff", sprintf("1 R%d LDG.E 1 R2 4 1 0x7fc0%08x %d", 4 + l,
                (w % 4 * 32) * '"$stride"', '"$stride"'))'
    done
done
between "cycles per load of 8 lines of 4 sectors" 8 \
    "$(per_load rate_32_2 rate_32_10 $((32 * 4 * 8)))" 9
between "cycles per load of 32 lines of 1 sector" 32 \
    "$(per_load rate_128_2 rate_128_10 $((32 * 4 * 8)))" 33

# An empty launch costs gpu.launch_start; CTAs start at gpu.cta_rate.
trace one 1 1 ''
between "cycles of an empty launch" 3400 "$(cycles one)" 3450
between "the same without its cost" 1 "$(cycles one -s gpu.launch_start=0)" 50
trace many 2000 1 ''
between "cycles from the first of 2000 CTAs to the last" 2560 \
    "$(($(cycles many) - $(cycles one)))" 2620

# All SMs read four lines together: 35 reads of the L2 per line, as on an H200, where at most four SMs
# of a GPC share one.
trace shared 132 4 'inst(16, "ffffffff", sprintf("1 R5 LDG.E 1 R2 4 1 0x7fc0%08x 4", w * 128))'
per_line() { # reads of the L2 per line; arguments of the run
    by run -m h200 -t shared --json r.json "$@"
    echo $((132 - $(number joined_bytes) / 4 / 128))
}
between "reads of the L2 for a line that all SMs read" 35 "$(per_line -s gpu.cta_rate=0)" 35
between "the same if SMs share no reads" 132 "$(per_line -s l2.join_cycles=0)" 132
between "the same if all SMs are one GPC" 33 "$(per_line -s gpu.cta_rate=0 -s gpu.gpcs=132)" 33

# The last CTAs of a launch go to SMs of different TPCs; threads do not change which.
for ctas in 70 202; do
    trace "grid$ctas" "$ctas" 1 'for (l = 0; l < 40; l++)
        inst(16, "00000001", sprintf("1 R2 LDG.E.64 1 R2 8 1 0x7fc0%08x 8", l * 128))'
    for j in 1 2; do
        by run -m h200 -t "grid$ctas" --json r.json -j "$j"
        grep -vE '"(seconds|kips|kcps|peak_rss_mb|command|started)"' "$dir/r.json" >"$dir/of$j"
    done
    cmp -s "$dir/of1" "$dir/of2"
    result $? "$ctas CTAs give the same result with one thread and with two"
done

# A barrier of n warps takes 14 + 2 n cycles.
for warps in 1 32; do
    for count in 8 72; do
        trace "barriers$count" 1 "$warps" 'for (i = 0; i < '"$count"'; i++) inst(16, "ffffffff", "0 BAR.SYNC 0 0 0")'
    done
    between "cycles of a barrier of $warps warps" $((13 + 2 * warps)) "$(per_load barriers8 barriers72 64)" $((15 + 2 * warps))
done

# Stores make their sectors present, so all later loads hit.
trace stored 1 1 'for (l = 0; l < 64; l++)
        inst(16, "ffffffff", sprintf("0 STG.E 2 R2 R4 4 1 0x7fc0%08x 4", l * 128))
    for (l = 0; l < 64; l++)
        inst(32, "ffffffff", sprintf("1 R5 LDG.E 1 R2 4 1 0x7fc0%08x 4", l * 128))'
by run -m h200 -t stored --json r.json
between "sectors read below after stores to them" 0 "$(number mem_reads)" 0
by run -m h200 -t stored --json r.json -s l1d.store_miss=through
between "the same if stores allocate nothing" 256 "$(number mem_reads)" 256

# Three stores of a warp write 12 bytes per lane: 12 sectors, each by up to three stores.
trace triples 4 8 'for (k = 0; k < 3; k++) inst(16 + 16 * k, "ffffffff",
    sprintf("0 STG.E 2 R2 R%d 4 1 0x7fc0%08x 12", 4 + k, (c * warps + w) * 384 + 4 * k))'
writes() {
    by run -m h200 -t triples --json r.json "$@"
    sed -n '/"l2": {/,/}/s/^ *"writes": \([0-9]*\).*/\1/p' "$dir/r.json" | head -n 1
}
between "writes of the L2 (64 bytes each) by stores that share sectors" 192 "$(writes)" 200
between "the same if each store writes on its own" 576 "$(writes -s l1d.merge_sectors=0)" 576

# Caches are emptied before each launch, as for Nsight Compute's counters.
echo kernel-1.traceg >>"$dir/kb20_1/kernelslist.g"
by run -m h200 -t kb20_1 --json r.json
dram=$(sed -n '/"dram": {/,/}/s/^ *"reads": \([0-9]*\).*/\1/p' "$dir/r.json" | head -n 1)
between "DRAM reads of a launch whose data an earlier one left in the L2" 160 "$dram" 160
by run -m h200 -t kb20_1 --json r.json -s l2.launch_start=empty
dram=$(sed -n '/"dram": {/,/}/s/^ *"reads": \([0-9]*\).*/\1/p' "$dir/r.json" | head -n 1)
between "the same with the L2 emptied before each launch" 320 "$dram" 320
finish
