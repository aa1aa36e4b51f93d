#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_export.sh - `byway trace info` and `convert` with the options of the simulators' formats.
# Prints TAP.  Uses $BYWAY (default build/byway) and a trace it writes itself.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
byway=$(realpath "${BYWAY:-build/byway}")
BYWAY_CONFIGS=$(realpath cmodel/configs)
export BYWAY_CONFIGS
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

. verif/common/tap.sh
tap_logs=("$dir/err")
by() {
    (cd "$dir" && "$byway" "$@") >"$dir/out" 2>"$dir/err" </dev/null
}
refuses() { # refuses WORDS ARGS...
    local words=$1
    shift
    by trace "$@"
    [ $? = 2 ] && [ ! -s "$dir/out" ] && grep -qF -- "$words" "$dir/err"
    result $? "refused: trace $*"
}

# 30 CTAs of one warp; each loads its own line, starting at 0x10000, and the line at 0x4000.
mkdir "$dir/t"
echo kernel-1.traceg >"$dir/t/kernelslist.g"
{
    printf '%s\n' '-kernel name = walk' '-kernel id = 1' '-grid dim = (30,1,1)' \
        '-block dim = (32,1,1)' '-shmem = 0' '-nregs = 16' '-binary version = 20' \
        '-cuda stream id = 0' '-nvbit version = 1.5.5' '-accelsim tracer version = 5' \
        '-enable lineinfo = 0' ''
    for cta in $(seq 0 29); do
        printf '#BEGIN_TB\n\nthread block = %d,0,0\n\nwarp = 0\ninsts = 3\n' "$cta"
        printf '0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x%x 4\n' $((0x10000 + cta * 128))
        printf '0010 ffffffff 1 R3 LDG.E 1 R2 4 1 0x4000 4\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n\n'
    done
} >"$dir/t/kernel-1.traceg"

by trace info t
grep -q '^requests, lines      60, 45 ' "$dir/out"
result $? "info counts reuse in 15 SMs"
by trace info t --sms 1
grep -q '^requests, lines      60, 31 ' "$dir/out"
result $? "info counts reuse in one SM"
by trace info t --sites
grep -Eq '^walk +0x10 .* load +4 +30 +32\.00 +1\.00 +4\.00$' "$dir/out"
result $? "info lists sites"
by trace convert t --to oracle -o sm0
[ "$(stat -c %s "$dir/sm0")" = 96 ]
result $? "oracle: the four requests of SM 0 of 15"
by trace convert t --to oracle --sms 2 --sm 1 --ctas 3 -o sm1
[ "$(stat -c %s "$dir/sm1")" = 720 ]
result $? "oracle: the thirty requests of SM 1 of 2"
for policy in bl ball; do
    by trace convert t --to ramulator -m fermi --policy $policy -o $policy.ramulator
    by trace convert t --to dramsim -m fermi --policy $policy -o $policy.dramsim
    lines=$(grep -cE '^LD 0x(40[04]0|1[0-9a-f]{4})$' "$dir/$policy.ramulator")
    [ "$lines" = 62 ] && ! grep -qvE '^(LD|ST) 0x[0-9a-f]+$' "$dir/$policy.ramulator"
    result $? "ramulator, $policy: 31 lines are read in halves"
    awk '{ if ($3 < last || NF != 3) exit 1; last = $3; print ($2 == "READ" ? "LD " : "ST ") $1 }' \
        "$dir/$policy.dramsim" | cmp -s - "$dir/$policy.ramulator"
    result $? "dramsim, $policy: the same requests, cycles ascend"
done
cmp -s "$dir/bl.dramsim" "$dir/ball.dramsim"
[ $? = 1 ]
result $? "the policy makes a difference"
refuses "did you mean 'dramsim'?" convert t --to dramsm -o x
refuses "unknown machine" convert t --to dramsim --machine fremi -o x
refuses "unknown policy" convert t --to ramulator --policy bll -o x
refuses "expected 0 to 3" convert t --to oracle --sms 4 --sm 4 -o x
refuses "--sms" info t --sms 0
refuses "--ctas" info t --ctas 65
[ ! -e "$dir/x" ]
result $? "no file remains"

# To text and back: the cycles stay the same, so instructions keep their addresses.
for w in hotspot nw; do
    by trace convert "$root/cmodel/traces/$w.bwt" --to accelsim -o $w
    by trace convert $w -o $w.bwt
    by run -m fermi -t $w.bwt && grep '^  cycles' "$dir/out" >"$dir/back"
    by run -m fermi -t "$root/cmodel/traces/$w.bwt" && grep '^  cycles' "$dir/out" | cmp -s - "$dir/back" && [ -s "$dir/back" ]
    result $? "accelsim and back: $w takes as many cycles"
done

finish
