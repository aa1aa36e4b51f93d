#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_export_grammar.sh - exported traces, read by independent implementations of the target tools'
# rules: Accel-Sim's trace parser, libCacheSim's oracleGeneral reader, Ramulator 2's LoadStoreTrace
# and DRAMsim3's trace reader. Five shipped traces converted to Accel-Sim's format and back give the
# same figures, except source lines and arguments, which the format cannot hold. Prints TAP; uses
# $BYWAY (default build/byway).
set -u
cd "$(dirname "$0")/../.." || exit 1
byway=${BYWAY:-${B:-build}/byway}
. verif/common/tap.sh
[ -x "$byway" ] || skip_all "no $byway; make"
tap_folder err

# One .traceg: head, then blocks of warps of instructions
#   PC MASK DESTS R.. OPCODE SOURCES R.. WIDTH [MODE ADDRESS ..] IMMEDIATE
# IMMEDIATE: from tracer version 4 on.  MODE 0: one address per active lane; 1: base and stride,
# which the parser applies from the first active lane up to the first inactive one; 2: base and a
# distance for each further lane.
accelsim='
function bad(why) { print FILENAME ":" FNR ": " why ": " $0; wrong = 1; exit 1 }
function ones(mask,   i, sum) { sum = 0; for (i = 1; i <= length(mask); i++) sum += bits[substr(mask, i, 1)]; return sum }
function binary(mask,   i, text) { text = ""; for (i = 1; i <= length(mask); i++) text = text nibble[substr(mask, i, 1)]; return text }
function is_hex(word) { return word ~ /^0x[0-9a-f]+$/ }
function is_int(word) { return word ~ /^-?[0-9]+$/ }
BEGIN {
    split("0 1 2 3 4 5 6 7 8 9 a b c d e f", digit, " ")
    split("0 1 1 2 1 2 2 3 1 2 2 3 2 3 3 4", count, " ")
    split("0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", pattern, " ")
    for (i = 1; i <= 16; i++) { bits[digit[i]] = count[i]; nibble[digit[i]] = pattern[i] }
}
/^-/ {
    if (body) bad("head line after the head")
    if ($0 !~ /^-(kernel name|kernel id|grid dim|block dim|shmem|nregs|binary version|cuda stream id|shmem base_addr|local mem base_addr|nvbit version|accelsim tracer version|enable lineinfo) = [^ ]+$/)
        bad("not a line of the head")
    if (/^-grid/) { split($0, g, /[(),]/); blocks = g[2] * g[3] * g[4] }
    if (/^-accelsim/ && $NF != tracer) bad("version")
    heads++
    next
}
/^#traces format = / { body = 1; next }
/^#BEGIN_TB$/ { if (open || !body) bad("block begins in a block"); open = 1; begun++; next }
/^#END_TB$/ { if (!open || left != 0) bad("block ends early"); open = 0; next }
/^thread block = [0-9]+,[0-9]+,[0-9]+$/ || /^warp = [0-9]+$/ || /^$/ { if (!/^$/ && left != 0) bad("instructions missing"); next }
/^insts = [0-9]+$/ { left = $3; next }
{
    if (!open || left <= 0) bad("an instruction too many")
    left--
    if ($1 !~ /^[0-9a-f]+$/ || $2 !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/) bad("pc, mask")
    at = 3
    for (k = $(at++); k > 0; k--) if ($(at++) !~ /^R[0-9]+$/) bad("destination")
    if ($(at++) !~ /^[A-Z][A-Z0-9_.]*$/) bad("opcode")
    for (k = $(at++); k > 0; k--) if ($(at++) !~ /^R[0-9]+$/) bad("source")
    width = $(at++)
    if (width !~ /^(0|1|2|4|8|16)$/) bad("width")
    if (width > 0) {
        mode = $(at++)
        lanes = ones($2)
        if (mode == 0) { for (k = 0; k < lanes; k++) if (!is_hex($(at++))) bad("address") }
        else if (mode == 1) {
            if (!is_hex($(at++)) || !is_int($(at++))) bad("base, stride")
            if (lanes > 1 && binary($2) !~ /^0*1+0*$/) bad("stride over lanes with gaps")
        } else if (mode == 2) {
            if (!is_hex($(at++))) bad("base")
            for (k = 1; k < lanes; k++) if (!is_int($(at++))) bad("distance")
        } else bad("address mode")
        accesses++
    }
    if ((tracer >= 4 && !is_int($(at++))) || at != NF + 1) bad("immediate, or words after it")
}
END { if (!wrong && (open || left != 0 || begun != blocks || heads < 8)) { print FILENAME ": " begun " of " blocks " blocks, " heads " head lines"; exit 1 } exit wrong }'

info() { "$byway" trace info --json "$1" | sed '/"trace"/d; /"format"/d; /"file_bytes"/d; /"bytes_per_access"/d; /"unknown/d; /"code"/d
    /"line":/d; /"argument":/d'; }
for name in pathfinder backprop gaussian fwsoft btree; do
    trace=cmodel/traces/$name.bwt
    info "$trace" >"$dir/native"
    for tracer in 3 4 5; do
        rm -rf "$dir/as"
        "$byway" trace convert "$trace" --to accelsim --tracer $tracer -o "$dir/as" 2>"$dir/err" &&
            diff <(cd "$dir/as" && ls kernel-*.traceg | sort -V) "$dir/as/kernelslist.g" >"$dir/err"
        result $? "$name, version $tracer: kernelslist.g names the launches in order"
        for file in "$dir"/as/*.traceg; do
            awk -v tracer=$tracer "$accelsim" "$file" || break
        done >"$dir/err" 2>&1
        [ ! -s "$dir/err" ]
        result $? "$name, version $tracer: Accel-Sim's grammar"
        diff "$dir/native" <(info "$dir/as") >"$dir/err"
        result $? "$name, version $tracer: the same figures from the text"
    done
done

# Packed records u32 time, u64 object, u32 size, i64 next; next is the number of the object's next
# request, counted from 1, or -1 if there is none.
"$byway" trace convert cmodel/traces/bfs.bwt --to oracle -o "$dir/oracle" 2>"$dir/err"
od -An -v -w24 -tu4 "$dir/oracle" | awk '
    NF != 6 { print NR ": not 24 bytes"; exit wrong = 1 }
    {
        object = $2 ":" $3
        next_ = $5 + $6 * 4294967296
        if ($1 < time) { print NR ": time goes back"; exit wrong = 1 }
        if ($4 != 128) { print NR ": size " $4; exit wrong = 1 }
        if (object in want && want[object] != NR) { print NR ": foretold for " want[object]; exit wrong = 1 }
        if (!(object in want) && object in seen) { print NR ": not foretold"; exit wrong = 1 }
        delete want[object]
        seen[object] = 1
        if ($6 != 4294967295) want[object] = next_
        time = $1
    }
    END { if (!wrong) for (o in want) { print "foretold and missing: " want[o]; exit 1 } exit wrong || NR == 0 }' >"$dir/err"
result $? "oracleGeneral: records, and the future as it comes"

# LoadStoreTrace: exactly two words, LD or ST, and an address that stoll accepts.
"$byway" trace convert cmodel/traces/pathfinder.bwt --to ramulator -o "$dir/ramulator" 2>"$dir/err"
awk 'NF != 2 || $1 !~ /^(LD|ST)$/ || $2 !~ /^0x[0-9a-f]+$/ || length($2) > 17 || $0 != $1 " " $2 { print NR ": " $0; exit bad = 1 }
    END { exit bad || NR == 0 }' "$dir/ramulator" >"$dir/err"
result $? "Ramulator 2: LoadStoreTrace"
"$byway" trace convert cmodel/traces/pathfinder.bwt --to dramsim -o "$dir/dramsim" 2>"$dir/err"
awk 'NF != 3 || $1 !~ /^0x[0-9a-f]+$/ || $2 !~ /^(READ|WRITE)$/ || $3 !~ /^[0-9]+$/ || $3 + 0 < last { print NR ": " $0; exit bad = 1 }
    { last = $3 + 0 } END { exit bad || NR == 0 }' "$dir/dramsim" >"$dir/err"
result $? "DRAMsim3: address, READ or WRITE, cycle"
finish
