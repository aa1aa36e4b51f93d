#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_correlate.sh - byway correlate: a table that the simulator itself would have measured is matched
# exactly; any -j and a resumed run give the same bytes; captured and given traces give the same
# results; rows without a trace and wrong tables are reported. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/probe" 7 40
head=program,kernel,variant,launch,grid,block,cycles,warp_instructions,loads,stores,load_sectors,load_hit_sectors
value() { # value FILE MEMBER: of the first launch's simulated counters
    sed -n "/\"simulated\": {/,/}/s/.*\"$2\": \([0-9.e+]*\),*$/\1/p" "$dir/$1" | head -n 1
}
figure() { # figure FILE ID: its value over all launches
    tr -d ' \n' <"$dir/$1" | grep -o "\"figures\":.*" | grep -o "\"id\":\"$2\"[^}]*" | head -n 1 | grep -o '"value":[^,]*' | cut -d: -f2
}

printf '%s\n' $head probe,probe,ca,1,40x1x1,64x1x1,1,1,1,1,1,1 probe,probe,cg,1,40x1x1,64x1x1,1,1,1,1,1,1 \
    probe,gone,ca,2,40x1x1,64x1x1,1,1,1,1,1,1 other,k,ca,1,1x1x1,1x1x1,1,1,1,1,1,1 >"$dir/one.csv"
by correlate one.csv -m v100 -s sm.count=2 --trace probe/kernelslist.g -j 1 --json one.json --html one.html --markdown one.md
[ $rc = 0 ] && [ "$(value one.json warp_instructions)" = 4880.0 ] && [ "$(value one.json loads)" = 1600.0 ] &&
    [ "$(value one.json stores)" = 400.0 ] && [ "$(value one.json load_sectors)" = 6400.0 ]
result $? "instructions, loads, stores and sectors are those of the trace"
grep -q 'no launch of the trace is gone launch 2, grid 40x1x1' "$dir/out" && grep -q 'no launch of the trace is k ' "$dir/out"
result $? "a row without a launch says so, and the others are compared"
grep -A 30 '"variant": "cg"' "$dir/one.json" | grep -q '"load_hit_sectors": 0.0' && [ "$(value one.json load_hit_sectors)" != 0.0 ]
result $? "loads of cg do not hit in the L1, those as compiled do"
grep -q '^| figure |' "$dir/one.md" && grep -q '"verdict":' "$dir/one.html" && ! grep -qE 'src=|@import|https?://' "$dir/one.html"
result $? "the page needs nothing else, and the figures come as Markdown"

# The table that this machine would have measured.
row=probe,probe,ca,1,40x1x1,64x1x1
for m in cycles warp_instructions loads stores load_sectors load_hit_sectors; do row=$row,$(value one.json $m); done
printf '%s\n' $head "$row" >"$dir/self.csv"
by correlate self.csv -m v100 -s sm.count=2 --trace probe -d self --json self.json
[ $rc = 0 ] && [ "$(figure self.json counts)" = 100.0 ] && [ "$(figure self.json l1_hit_distance)" = 0.0 ] &&
    [ "$(figure self.json cycles_all)" = 0.0 ]
result $? "its own counters are at distance 0"
awk -F, -v OFS=, 'NR > 1 { $7 *= 2; $9 *= 1.02 } 1' "$dir/self.csv" >"$dir/off.csv"
by correlate off.csv -m v100 -s sm.count=2 --trace probe -d self --json off.json
[ $rc = 0 ] && [ "$(figure off.json counts)" = 0.0 ] && [ "$(figure off.json cycles_all)" = 50.0 ]
result $? "twice the cycles are an error of 50 %, 2 % more loads are no agreement"


# --- sides, intervals, and where the cycles went
side() { # side NAME: of the second row
    grep '"side":' "$dir/$1.json" | sed -n 's/.*: "*\([a-z]*\)"*,*$/\1/p' | tail -n 1
}
ours=$(sed -n 's/^ *"variant_ratio_simulated": \([0-9.]*\),*$/\1/p' "$dir/one.json" | head -n 1)
read -r same other <<<"$(awk -v r="$ours" 'BEGIN { print (r > 1) ? "1.5 0.5" : "0.5 1.5" }')"
while read -r name cycles time; do # ratios of the variant
    printf '%s\n' program,kernel,variant,launch,grid,block,cycles,time_us probe,probe,ca,1,40x1x1,64x1x1,1000,10 \
        "probe,probe,cg,1,40x1x1,64x1x1,$(awk "BEGIN { print 1000 * $cycles }"),$(awk "BEGIN { print 10 * $time }")" >"$dir/$name.csv"
    by correlate "$name.csv" -m v100 -s sm.count=2 --trace probe -d sides --json "$name.json"
done <<<"agree $same $same
opposite $other $other
apart $same 1.0
small 1.04 1.04"
awk -v r="$ours" 'BEGIN { exit !(r > 1.03 || r < 0.97) }' && [ "$(side agree)" = right ] && [ "$(side opposite)" = wrong ] && [ "$(side apart)" = undecided ] && [ "$(side small)" = null ]
result $? "a side is judged where cycles and times agree: right, wrong, undecided, none ($ours)"
[ "$(figure agree.json cg_side)" = 100.0 ] && [ "$(figure opposite.json cg_side)" = 0.0 ] && [ "$(figure apart.json cg_side)" = null ] &&
    awk -v r="$ours" -v s="$same" -v e="$(figure agree.json cg_effect)" 'BEGIN { d = log(r) / log(s) - e; exit !(d < 1e-6 && d > -1e-6) }'
result $? "undecided launches have no side in the figure; the effect's size is over the measured one"
printf '%s\n' "workload	launch	kernel	grid	block	ca_median_us	cg_median_us" "probe	1	probe	40,1,1	64,1,1	10	10" >"$dir/times.tsv"
by correlate agree.csv times.tsv -m v100 -s sm.count=2 --trace probe -d sides --json twin.json
[ $rc = 0 ] && [ "$(grep -c '"side": "undecided"' "$dir/twin.json")" = 1 ] && [ "$(grep -c '"side": "' "$dir/twin.json")" = 1 ]
result $? "times of another table decide, and are not judged themselves"
awk -v n=40 'BEGIN { print "program,kernel,variant,launch,grid,block,cycles"; for (i = 1; i <= n; i++) print "probe" i ",probe,ca,1,40x1x1,64x1x1," 4000 + 100 * i }' >"$dir/many.csv"
by correlate many.csv -m v100 -s sm.count=2 --trace probe/kernelslist.g -d sides --json many.json
by correlate many.csv -m v100 -s sm.count=2 --trace probe/kernelslist.g -d sides --json many2.json
interval() { tr -d ' \n' <"$dir/many.json" | grep -o '"figures":.*' | grep -o '"id":"cycles_all"[^}]*' | head -n 1 | grep -o '"value":[^,]*,"low":[^,]*,"high":[^,]*' | tr -d 'a-z":' ; }
cmp -s "$dir/many.json" "$dir/many2.json" && interval | awk -F, '{ exit !($2 < $1 && $1 < $3 && $3 - $2 > 0.1 * $1 && $3 - $2 < $1) }'
result $? "figures have an interval around them, the same in every run: $(interval)"
tr -d ' \n' <"$dir/many.json" | grep -o '"spent":[^]]*' | head -n 1 | grep -o '"share":[0-9.e-]*' | awk -F: '{ s += $2 } END { exit !(s > 0.999 && s < 1.001) }'
result $? "the rules that a launch's cycles went to have all of them"
refuses "a machine that times PTX only has one mode" "--both|sm.machine_code" correlate agree.csv -m v100 --both --trace probe

# --- L2 sectors: neither atomics nor loads from local memory are reads of the L2; writes have a figure
make_trace "$dir/mixed" 7 40
awk '{ print } /^0020/ && ++n % 2 == 0 {
    sub("0020", "0060"); sub("LDG.E.SYS", n % 4 == 0 ? "LDL" : "ATOMG.E.ADD"); sub("0x7fc0", n % 4 == 0 ? "0x7f4e" : "0x7fc2"); print
}' "$dir/mixed/kernel-1.traceg" | sed 's/^insts = 61$/insts = 71/' >"$dir/mixed/new" && mv "$dir/mixed/new" "$dir/mixed/kernel-1.traceg"
printf '%s\n' $head,l2_read_sectors,l2_write_sectors probe,probe,ca,1,40x1x1,64x1x1,1,1,1,1,1,1,1,1600 >"$dir/l2.csv"
by correlate l2.csv -m v100 -s sm.count=2 -p ball --trace mixed/kernelslist.g -d l2 --json l2.json --html l2.html --markdown l2.md
[ $rc = 0 ] && [ "$(value l2.json load_sectors)" = 6400.0 ] && [ "$(value l2.json l2_read_sectors)" = 6400.0 ]
result $? "atomics and loads from local memory are no reads of the L2"
[ "$(figure l2.json l2_writes)" = 100.0 ] && grep -q '^| L2 write sectors within 5 % | 100 |' "$dir/l2.md" &&
    grep -q 'L2 writes' "$dir/l2.html" && grep -q 'L2wr' "$dir/out"
result $? "L2 writes have a figure in report, page, JSON and Markdown"
sed 's/,1600$/,1500/' "$dir/l2.csv" >"$dir/l2off.csv"
by correlate l2off.csv -m v100 -s sm.count=2 --trace mixed/kernelslist.g -d l2 --json l2off.json
[ $rc = 0 ] && [ "$(figure l2off.json l2_writes)" = 0.0 ]
result $? "6 % more written sectors are no agreement"

# --- a program with the name of a workload's folder
mkdir -p "$dir/own"
"$byway" trace convert "$dir/probe/kernelslist.g" --to bwt -o "$dir/own/rnn.bwt" >/dev/null
printf '%s\n' $head rnn,probe,ca,1,40x1x1,64x1x1,1,1,1,1,1,1 >"$dir/folder.csv"
by correlate folder.csv -m v100 -s sm.count=2 --traces own -d own/runs --json folder.json
[ $rc = 0 ] && [ "$(value folder.json loads)" = 1600.0 ]
result $? "a program that is named like a workload's folder is found"

# --- the same bytes
by correlate one.csv -m v100 -s sm.count=2 --trace probe/kernelslist.g -j 4 -d again --json four.json --html four.html
cmp -s "$dir/one.json" "$dir/four.json" && cmp -s "$dir/one.html" "$dir/four.html"
result $? "results are the same for -j 1 and -j 4"
victim=$(ls "$dir"/again/runs/*.json | head -n 1)
ls --full-time "$dir/again/runs" | grep -vF "${victim##*/}" | grep json >"$dir/before"
rm "$victim"
by correlate one.csv -m v100 -s sm.count=2 --trace probe/kernelslist.g -d again --json resumed.json
ls --full-time "$dir/again/runs" | grep -vF "${victim##*/}" | grep json >"$dir/after"
cmp -s "$dir/one.json" "$dir/resumed.json" && [ -e "$victim" ] && cmp -s "$dir/before" "$dir/after"
result $? "a resumed run makes what is missing alone and gives the same bytes"

# --- wrong input
printf '%s\n' $head probe,probe,ca,one,40x1x1,64x1x1,1,1,1,1,1,1 >"$dir/bad.csv"
refuses "a wrong value is refused with file and line" "bad.csv:2: column 4 is 'one'; expected a number" correlate bad.csv
refuses "no table is no table" "expected a table of counters" correlate
refuses "a table that is not there is named" "gone.csv" correlate gone.csv
refuses "an unknown variant is refused" "'cs'; expected ca, cg or na" correlate one.csv -v cs
refuses "programs that the table lacks select no row" "no row of the table is selected" correlate one.csv -w nw
refuses "traces of none of the programs are reported" "no launch of the table has a trace" correlate one.csv --traces .

# --- captured and given
lib=${B:-build}/lib/libOpenCL.so.1
if [ ! -e "$lib" ] || [ ! -x "${B:-build}/workloads/bfs" ]; then
    skip_check "captured and given traces give the same results" "no $lib or no workloads; make opencl workloads"
    finish
    exit
fi
printf '%s\n' $head bfs,bfs_visit,ca,1,32x1x1,256x1x1,9894,18304,273,64,273,10 \
    bfs,bfs_visit,ca,3,32x1x1,256x1x1,10763,18504,302,82,302,26 >"$dir/bfs_small.csv"
by correlate bfs_small.csv -m v100 -d captured --json captured.json
[ $rc = 0 ] && [ -e "$dir/captured/traces/small/bfs.bwt" ]
result $? "a workload of the registry is captured at the size that the file's name has"
mkdir -p "$dir/given"
cp cmodel/traces/bfs.bwt "$dir/given/"
by correlate bfs_small.csv -m v100 -d given/runs --traces given --json given.json
cmp -s "$dir/captured.json" "$dir/given.json"
result $? "captured and given traces give the same results"
sed 's/^\([a-z]*\),\(.*\),1,32x1x1/\1,\2,1,32x1x1/; s/,launch,/,number,/' "$dir/bfs_small.csv" >"$dir/bfs_named.csv"
by correlate bfs_named.csv -m v100 -d prog --json prog.json -- "$PWD/${B:-build}/workloads/bfs" --size small
[ $rc = 0 ] && [ -e "$dir/prog/program.bwt" ] && [ "$(value prog.json cycles)" = "$(value captured.json cycles)" ]
result $? "a program after -- is captured, and launches without a number are matched by their kernel's name"
finish
