#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_grid.sh - `byway compare` on own traces and several machines, and what they refuse.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
configs=$(realpath cmodel/configs)
mkdir "$dir/traces" "$dir/mine" "$dir/empty"
export BYWAY_TRACES=$dir/traces
make_trace "$dir/mine/b" 37 8
make_trace "$dir/mine/a" 1 8
"$byway" trace convert "$dir/mine/a" -o "$dir/mine/c.bwt"
"$byway" trace convert "$dir/mine/b" -o "$dir/traces/a.bwt"
echo "no trace" >"$dir/mine/readme.txt"

# Names in the first column of the table on Fermi.
rows() {
    sed -n '/^IPC relative to .* on Fermi/,/^geo\|^all/p' "$dir/out" |
        sed '1,3d; /^---/,$d; s/ .*//' | sort | tr '\n' ' '
}
has() { # has RC PATTERN...: checks the exit code, and the output's lines (wrapped lines are joined)
    local want=$1
    shift
    [ $rc = "$want" ] || return 1
    for pattern in "$@"; do
        grep -qE -- "$pattern" <(sed -z 's/\n    \([^ ]\)/ \1/g' "$dir/out") || return 1
    done
}

by compare -m fermi -t mine/a -p bl,ball
has 0 && [ "$(rows)" = "a " ]
result $? "with --trace no shipped trace is compared"
by compare -m fermi --trace mine/a --trace=mine/c.bwt --trace mine/a -p bl,ball
has 0 && [ "$(rows)" = "a c " ]
result $? "a repeated trace is compared once"
by compare -m fermi -t mine -p bl,ball
has 0 && [ "$(rows)" = "a b c " ]
result $? "a folder with traces of both kinds"
by compare -m fermi -t mine/a -w a -p bl,ball
has 0 && [ "$(rows)" = "a mine/a " ]
result $? "a trace with the name of a shipped one"
by compare -w all -p bl,ball
has 0 && [ "$(rows)" = "a " ]
result $? "all means the shipped ones"
by compare -m fermi -t mine -p bl,ball
has 0 'geometric means by the class measured here' '^(CNF|CF|CI) \([123]\) +1\.000 '
result $? "a user's traces are grouped by measured class"
refuses "a folder without traces" "empty: a folder without traces; expected .bwt files" compare -m fermi -t empty
refuses "a missing trace" "nowhere: cannot be opened" compare -m fermi -t nowhere

# --- machines ---------------------------------------------------------------------------------------
by compare -m fermi,rdna2 --machine pascal_paper -t mine/a -p bl,ball --json m.json --html m.html
has 0 '^IPC relative to BL on Fermi$' '^rdna2 +1 ' '^pascal_paper +1 ' && grep -q 'id="machine2"' "$dir/m.html"
result $? "three machines"
sed 's/^machine.title.*/machine.title = Fermi/' "$configs/machines/rdna2.cfg" >"$dir/fermi.cfg"
by compare -m fermi,./fermi.cfg -t mine/a -p bl,ball
has 0 '^fermi +1 ' '^\./fermi\.cfg +1 '
result $? "two machines with one name"
cp "$configs/policies/ball.cfg" "$dir/mine.cfg"
by compare -m fermi -t mine/a -p bl,ball,mine.cfg
has 0 ' BL +ball +mine$'
result $? "two policies with one title"

# --- refusals ---------------------------------------------------------------------------------------
why='machine v100 refuses policy decoupled: .*\(here l1d.allocate = on_fill, policy.mode = decoupled\)'
by compare -m fermi,v100 -p bl,ball,decoupled -t mine/a -t mine/b --json gap.json --html gap.html
has 1 "^\\[1\\] $why$" ' 1\.000 +[0-9.]+ +- \[1\]$' '^v100 +2 +1\.000 +[0-9.]+ +-$' &&
    [ "$(cat "$dir/err")" = "charts: gap.html
byway: 2 of 12 runs were refused or failed; footnotes say why" ]
result $? "a policy that a machine refuses is a gap, exit code 1"
grep -q '"decoupled": null' "$dir/gap.json" && grep -qE "\"why\": \"$why\"" "$dir/gap.json" &&
    grep -qE "\\[1\\] $why</p>" "$dir/gap.html"
result $? "a refused policy is named in JSON and page, too"
by compare -m v100 -p decoupled,bl -t mine/a
has 1 "^\\[1\\] $why$" '- \[1\] +- \[1\]$'
result $? "if the reference is refused, ratios are gaps"
refuses "no run remains" "machine v100 refuses policy decoupled" compare -m v100 -p decoupled -t mine/a
sed 's/^-shmem = 0/-shmem = 40000/' "$dir/mine/a/kernel-1.traceg" >"$dir/large.traceg"
by compare -m fermi -t large.traceg -t mine/a -p bl,ball --set sm.shared_bytes=32768
has 1 '^\[1\] machine fermi refuses large: kernel probe .* 40000 bytes .*shared_bytes 32768' '^all \(1\)'
result $? "a kernel that does not fit is a gap"
refuses "no kernel fits" "machine fermi refuses large: kernel probe" \
    compare -m fermi -t large.traceg -p bl,ball --set sm.shared_bytes=32768
refuses "unknown machine among good ones" "unknown machine 'v1000'; did you mean 'v100'?" \
    compare -m fermi,v1000 -t mine/a
refuses "a wrong value for all" "l1d.ways is '0'" compare -m fermi -t mine/a --set l1d.ways=0
refuses "no policy" "--policies is empty; expected A,B,C" compare -m fermi -t mine/a -p ,

finish
