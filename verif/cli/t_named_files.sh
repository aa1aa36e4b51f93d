#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_named_files.sh - no output replaces an input or another output: every command refuses before it
# starts, names both files, and leaves the input unchanged, even through symbolic links, hard links
# and other spellings of the path. A repeated option adds a value or is refused. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
BYWAY_CONFIGS=$(realpath cmodel/configs)
cp -r "$BYWAY_CONFIGS" "$dir/configs"
export BYWAY_CONFIGS=$dir/configs
make_trace "$dir/text" 1 24
mkdir "$dir/traces" "$dir/sub" "$dir/page"
export BYWAY_TRACES=$dir/traces
"$byway" trace convert "$dir/text" -o "$dir/m.bwt"
cp "$dir/m.bwt" "$dir/traces/m.bwt"
ln -s m.bwt "$dir/soft.bwt"
ln "$dir/m.bwt" "$dir/hard.bwt"
ln -s new.json "$dir/later.json"
cp "$dir/configs/machines/fermi.cfg" "$dir/own.cfg"
printf 'policies = bl\ntraces = m.bwt\n' >"$dir/grid.ini"
echo '* * bypass' >"$dir/hints.txt"
echo '__kernel void f(void) {}' >"$dir/k.cl"
cp /bin/true "$dir/prog"
cp /bin/true "$dir/sub/prog2"
PATH=$dir/sub:$PATH
by run -t m.bwt -o a.json
by run -t m.bwt -p ball -o b.json
by sweep grid.ini -d results
ln -s "results/runs/$(ls "$dir/results/runs" | grep -m 1 json)" "$dir/stored.json"
sums() { # checksums of all files that are read
    (cd "$dir" && find . -type f ! -name out ! -name err -exec cksum {} + | sort)
}
before=$(sums)

keeps() { # keeps NAME PARTS ARGS...: the command is refused, and no file is changed, added or removed
    refuses "$@"
    [ "$(sums)" = "$before" ]
    result $? "$1: nothing was written"
}
keeps "run --json over its trace" "--json would replace 'm.bwt'|--trace reads" run -t m.bwt --json m.bwt
keeps "run --json over its trace, through a symbolic link" "soft.bwt|--trace" run -t m.bwt --json soft.bwt
keeps "run from a symbolic link to the output" "m.bwt|--trace" run -t soft.bwt --json m.bwt
keeps "run --json over its trace, through a hard link" "hard.bwt|--trace" run -t m.bwt --json hard.bwt
keeps "run --json over its trace, spelled in another way" "m.bwt|--trace" run -t m.bwt --json "$dir/sub/../m.bwt"
keeps "run --waves over its trace" "--waves|m.bwt" run -t m.bwt --waves m.bwt
keeps "run --json over its hints" "--json|--advice" run -t m.bwt -a hints.txt --json hints.txt
keeps "run --json over its machine" "--json|--machine" run -t m.bwt -m own.cfg --json own.cfg
keeps "run --json over its machine, by name" "--json|--machine" \
    run -t m.bwt -m fermi --json configs/machines/fermi.cfg
keeps "run --json over a shipped trace" "is a trace" run -w m --json traces/m.bwt
keeps "run --json over a part of a text trace" "--json|--trace" run -t text --json text/kernel-1.traceg
keeps "run --json next to the list of a text trace" "--json|--trace" \
    run -t text/kernelslist.g --json text/kernel-1.traceg
keeps "run --json and --waves on one new file" "--json|--waves" run -t m.bwt --json new.vcd --waves sub/../new.vcd
keeps "run --json and --waves on one new file, through a link" "--json|--waves" \
    run -t m.bwt --json later.json --waves new.json
keeps "compare --json and --html on one file" "--json|--html" compare -t m.bwt -p bl --json f --html f
keeps "compare --html over one of two traces" "--html|--trace" compare -t text,m.bwt -p bl --html m.bwt
keeps "compare --html over one of two policies" "--html|--policies" \
    compare -t m.bwt -p bl,configs/policies/ball.cfg --html configs/policies/ball.cfg
keeps "compare --html over the index of its pages" "--html|--pages" \
    compare -t m.bwt -p bl --html page/index.html --pages page
keeps "advise --html over its trace" "--html|the command reads" advise m.bwt --html m.bwt
keeps "advise --html over the source" "--html|--source" advise m.bwt --source k.cl --html k.cl
keeps "advise --patch over the source" "--patch|--source" advise m.bwt --source k.cl --patch k.cl
keeps "advise --advice and --dot on one file" "--advice|--dot" advise m.bwt --mpache --advice x --dot x
keeps "advise --json over the program" "--json|the program after --" advise --json prog -- ./prog
keeps "trace capture over the program" "--output|the program after --" trace capture -o ./prog -- ./prog
keeps "trace capture over the program on PATH" "--output|the program after --" \
    trace capture -o sub/prog2 -- prog2
keeps "trace capture over a file that the program is given" "--output|the program after --" \
    trace capture -o k.cl -- ./prog k.cl
keeps "trace convert onto itself" "--output|the command reads" trace convert m.bwt -o hard.bwt
keeps "trace convert of a text trace into its folder" "--output|the command reads" \
    trace convert text/kernelslist.g --to accelsim -o text
keeps "trace convert of a folder into itself" "--output|the command reads" \
    trace convert text --to accelsim -o ./text/
keeps "diff --html over a result" "--html|the command reads" diff a.json b.json --html b.json
keeps "report --html over the result" "--html|the command reads" report a.json --html a.json
run=results/runs/$(ls "$dir/results/runs" | grep -m 1 json)
keeps "merge --csv over a run of the sweep" "--csv would replace '$run'|a run of a sweep" merge results --csv "$run"
keeps "compare --json over a run of a sweep, through a link" "a run of a sweep" compare -t m.bwt -p bl --json stored.json
keeps "merge --csv and --sqlite on one file" "--csv|--sqlite" merge results --csv x --sqlite ./x
keeps "oracle --json over its trace" "--json|--trace" oracle -t m.bwt --json m.bwt
keeps "tune --json over its policy" "--json|--policy" tune -p configs/policies/ball.cfg --json configs/policies/ball.cfg
keeps "reproduce --json and --html on one file" "--json|--html" reproduce 001 --json r --html r
keeps "cost --json over its policy" "--json|--policy" cost -m fermi -p ball --json configs/policies/ball.cfg

# Files whose names merely look alike are written.
succeeds "an output with the name of an action" trace convert m.bwt -o convert
succeeds "a command may overwrite its own output" trace convert m.bwt -o convert
succeeds "a result next to the traces of a folder" compare -t traces -p bl --json traces/all.json
succeeds "the same output file again" compare -t traces -p bl --json traces/all.json
succeeds "two results into a device" compare -t m.bwt -p bl --json /dev/null --html /dev/null

# --- options that are given twice --------------------------------------------------------------
refuses "a trace given twice" "--trace is given twice, as 'm.bwt' and as 'text'" run -t m.bwt -t text
refuses "a workload given twice" "--workload is given twice" run -w m -w m
refuses "a policy given twice, once by its letter" "--policy is given twice" run -t m.bwt -p bl --policy=ball
refuses "a number given twice" "--max-cycles is given twice, as '10' and as '20'" \
    run -t m.bwt --max-cycles 10 --max-cycles 20
refuses "a flag given twice" "--loads is given twice" run -t m.bwt --loads --loads
refuses "a list of launches given twice" "--launches is given twice" run -t m.bwt --launches 1 --launches 2
refuses "an expression given twice" "--kernels is given twice" run -t m.bwt -k a -k b
refuses "one key set twice" "--set gives l1d.ways twice, as '2' and as '8'" run -t m.bwt -s l1d.ways=2 -s l1d.ways=8
refuses "one key set twice to one value" "l1d.ways twice" compare -t m.bwt -s l1d.ways=2 -s l1d.ways=2
refuses "--sample and its key" "sample.period twice" run -t m.bwt --sample 64 -s sample.period=32
succeeds "keys of which one begins like the other" run -t m.bwt -s dram.t_rc=44 -s dram.t_rcd=15
by sweep -t m.bwt -p bl --set l1d.ways=2 --set l1d.mshrs=16 --set l1d.ways=4,8 -d twice -n
grep -q '3 runs, 0 done, 3 to do' "$dir/err"
result $? "sweep: --set of one key twice adds its values"
[ ! -e "$dir/twice" ]
result $? "sweep -n makes no folder"
by compare -p bl -t m.bwt -p ball -t text -o both.json
[ "$(grep -o '"policy": "[a-z]*"' "$dir/both.json" | sort -u | wc -l)" = 2 ]
result $? "compare: --policies and --trace twice add"
finish
