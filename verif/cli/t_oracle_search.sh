#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_oracle_search.sh - `byway oracle` as a command: its table and JSON, the search for advice
# compared with every assignment, resuming a search, and `byway compare --oracle`. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh

# CTAs of two warps with three loads in a loop: a stream (0x20), a table that the SMs reuse (0x40)
# and one that fits as well if the stream bypasses (0x60).
mkdir "$dir/three"
echo kernel-1.traceg >"$dir/three/kernelslist.g"
awk 'BEGIN {
    print "-kernel name = three\n-kernel id = 1\n-grid dim = (60,1,1)\n-block dim = (64,1,1)"
    print "-shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0"
    print "-shmem base_addr = 0x00007f5000000000\n-local mem base_addr = 0x00007f4e00000000"
    print "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n"
    for (cta = 0; cta < 60; cta++) {
        printf "#BEGIN_TB\n\nthread block = %d,0,0\n\n", cta
        for (warp = 0; warp < 2; warp++) {
            printf "warp = %d\ninsts = 121\n", warp
            for (i = 0; i < 30; i++) {
                n = (cta * 2 + warp) * 30 + i
                printf "0020 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7fc0%08x 4 0 \n", n * 128
                printf "0040 ffffffff 1 R5 LDG.E.SYS 1 R2 4 1 0x7fc1%08x 4 0 \n", i % 20 * 128
                printf "0060 ffffffff 1 R6 LDG.E.SYS 1 R2 4 1 0x7fc2%08x 4 0 \n", n * 7 % 100 * 128
                print "0070 ffffffff 1 R7 FADD 3 R4 R5 R6 0 0 "
            }
            print "0080 ffffffff 0 EXIT 0 0 0 \n"
        }
        print "#END_TB\n"
    }
}' >"$dir/three/kernel-1.traceg"
number() { # number FILE KEY [SECTION] : the first one, behind that section's name
    sed -n "/\"${3:-schema}\"/,\$p" "$dir/$1" | sed -n "s/^ *\"$2\": //p" | head -n 1 | tr -d '",'
}

succeeds "a table" oracle -m fermi -t three
[ "$(grep -c '^  SM ' "$dir/out")" = 15 ] && grep -qE '^three +10800 ' "$dir/out"
result $? "the loads, and every SM of a single workload"
succeeds "JSON" oracle -m fermi -t three --json o.json
[ ! -s "$dir/err" ] && [ "$(number o.json schema)" = byway.oracle/1 ] &&
    [ "$(number o.json loads oracle)" = 10800 ] &&
    [ "$(number o.json hits oracle)" = "$(number o.json lru_hits oracle)" ]
result $? "the JSON has the counts"

# The cycles of each of the eight assignments, from runs that obey advice files.
least=
for bits in 000 001 010 011 100 101 110 111; do
    : >"$dir/try.advice"
    for i in 0 1 2; do
        [ "${bits:$i:1}" = 0 ] || echo "three pc:0x$((2 * i + 2))0 bypass" >>"$dir/try.advice"
    done
    by run -m fermi -t three --advice try.advice --json try.json
    cycles=$(number try.json cycles)
    [ -n "$least" ] && [ "$least" -le "$cycles" ] || least=$cycles
done
succeeds "a search" oracle -m fermi -t three --search s -j 2 --json s.json
[ "$least" -gt 0 ] && [ "$(number s.json cycles bound)" = "$least" ] &&
    [ "$least" -lt "$(number s.json keep_all bound)" ] &&
    [ "$least" -lt "$(number s.json bypass_all bound)" ] &&
    [ "$(number s.json complete bound)" = true ] &&
    [ "$(number s.json loads bound)" = 3 ]
result $? "the search finds the fewest cycles, which neither extreme has"
by run -m fermi -t three --advice s/three.advice --json again.json
[ "$(number again.json cycles)" = "$least" ] && [ ! -s "$dir/err" ]
result $? "byway run --advice obeys the search's file, to the cycle"

# A search that --runs stops and that is resumed writes the same file, even with one process.
by oracle -m fermi -t three --search part --runs 3 -j 1 --json part.json
[ $rc = 0 ] && [ "$(number part.json complete bound)" = false ] &&
    [ "$(number part.json runs bound)" = 3 ]
result $? "a search of three runs"
by oracle -m fermi -t three --search part -j 1
cmp -s "$dir/part/three.advice" "$dir/s/three.advice"
result $? "the same command resumes to the same file"
cp "$dir/s/three.advice" "$dir/before"
by oracle -m fermi -t three --search s
cmp -s "$dir/before" "$dir/s/three.advice"
result $? "a complete search has nothing to do"

refuses "a file of another search" "s/three.advice: belongs to another search" oracle -m fermi -t three --search s -p ball
sed -i 's/^# tried .*/# tried x 5/' "$dir/part/three.advice"
refuses "a damaged file" "part/three.advice|# tried x 5" oracle -m fermi -t three --search part
refuses "nothing to run" "oracle: nothing to run" oracle
refuses "an unknown option" "--serach" oracle -m fermi -t three --serach s
refuses "a machine whose L1D has no fixed size" "expected sm.unified_kb = 0" oracle -m h200 -t three

succeeds "a comparison with an oracle" compare -m fermi -t three -p bl,ball --oracle s.json --json c.json
succeeds "a comparison with an oracle has its tables" compare -m fermi -t three -p bl,ball --oracle s.json
grep -q '^Loads found, as a fraction of the most that hindsight could find' "$dir/out" &&
    grep -q '^Fewest cycles found with advice per load, as a fraction of the run.s' "$dir/out"
result $? "the tables have both shares"
by run -m fermi -t three --json bl.json
awk -v least="$least" -v all="$(number bl.json cycles)" -v loads="$(number c.json bl found_of_best)" \
    -v cycles="$(number c.json bl bound_of_cycles)" 'BEGIN {
    d = cycles - least / all
    exit !(d < 1e-6 && d > -1e-6 && loads > 0 && loads <= 1) }' &&
    awk -v loads="$(number c.json ball found_of_best)" 'BEGIN { exit !(loads == 0) }'
result $? "the shares have the right values"
succeeds "without an oracle" compare -m fermi -t three -p bl --json plain.json
! grep -q 'of_best\|bound_of' "$dir/plain.json"
result $? "a comparison without an oracle has no shares"
succeeds "an oracle of another machine" compare -t three -p bl -m v100 --oracle s.json --json plain.json
! grep -q 'of_best\|bound_of' "$dir/plain.json"
result $? "an oracle of another machine is not used"
refuses "a JSON that is not an oracle's" "c.json: expected a JSON with the schema byway.oracle/1" compare -m fermi -t three -p bl --oracle c.json
finish
