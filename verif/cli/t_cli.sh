#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_cli.sh - the `byway` command as its users see it: results, refusals, exit codes, files left
# behind. Prints TAP. Uses $BYWAY (default build/byway) and traces that it writes itself.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
configs=$(realpath cmodel/configs)

same() { # same NAME FILE FILE: both exist and are equal except for the member `sim`
    sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$2" >"$dir/left" && sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$3" >"$dir/right" &&
        [ -s "$dir/left" ] && diff "$dir/left" "$dir/right" >"$dir/out" 2>&1
    result $? "$1"
}

mkdir "$dir/traces"
make_trace "$dir/a" 1 400 # the first to start and the last to end, when runs share the processors
make_trace "$dir/b" 37 24
make_trace "$dir/c" 3 24

# --- traces -------------------------------------------------------------------------------------
succeeds "convert writes BWT1" trace convert a -o traces/alpha.bwt
succeeds "convert a second one" trace convert b --to=bwt -o traces/beta.bwt
cat "$dir/b/kernel-1.traceg" | (cd "$dir" && "$byway" trace convert /dev/stdin -o piped.bwt) 2>"$dir/err" &&
    cmp -s "$dir/piped.bwt" "$dir/traces/beta.bwt"
result $? "convert reads a kernel file from a pipe"
succeeds "convert a third one" trace convert c -o traces/gamma.bwt
succeeds "check accepts a sound trace" trace check traces/alpha.bwt
succeeds "info prints a summary" trace info traces/alpha.bwt
succeeds "info prints JSON" trace info traces/alpha.bwt --json
succeeds "info lists the static accesses" trace info traces/beta.bwt --sites --sms 4 --ctas 2
succeeds "convert writes one SM's requests" \
    trace convert traces/beta.bwt --to oracle --sms 4 --sm 3 -o beta.oracle
[ -s "$dir/beta.oracle" ]
result $? "convert's file has the requests"
refuses "an SM that does not exist" "expected" \
    trace convert traces/beta.bwt --to oracle --sms 4 --sm 4 -o x
head -c -20 "$dir/traces/beta.bwt" >"$dir/short.bwt"
refuses "truncated trace" "short.bwt" run -m fermi --trace short.bwt
refuses "truncated trace, check" "short.bwt" trace check short.bwt
size=$(stat -c %s "$dir/traces/beta.bwt")
cp "$dir/traces/beta.bwt" "$dir/bad.bwt"
byte=$(od -An -tu1 -j $((size / 2)) -N 1 "$dir/bad.bwt")
printf "\\x$(printf %x $(((byte + 1) % 256)))" |
    dd of="$dir/bad.bwt" bs=1 seek=$((size / 2)) conv=notrunc status=none
refuses "trace with one byte changed" "bad.bwt" run -m fermi --trace bad.bwt
echo "just text" >"$dir/text.bwt"
refuses "not a trace" "text.bwt" run -m fermi --trace text.bwt
: >"$dir/empty.bwt"
refuses "empty file" "empty.bwt" run -m fermi --trace empty.bwt
refuses "missing trace" "nowhere.bwt|No such file" run -m fermi --trace nowhere.bwt
refuses "misspelt format" "did you mean 'accelsim'?" trace convert a --to acelsim -o x
refuses "convert without output" "expected -o F" trace convert a
refuses "an action of trace as a command" "unknown command 'capture'; did you mean 'trace capture'?" capture -o x.bwt -- true
refuses "capture to standard output" "expected a file" trace capture -o - -- true
refuses "capture without program" "expected -- and the program" trace capture -o x.bwt
by trace capture -o x.bwt -- ./no-such-program # without the runtime, whose absence is reported first
[ $rc = 2 ] && grep -qE 'no-such-program|libOpenCL.so.1' "$dir/err"
result $? "capture without its program or runtime"
[ ! -e "$dir/x.bwt" ] && [ ! -e "$dir/x" ]
result $? "refused commands leave no output"

# --- configurations -------------------------------------------------------------------------------
refuses "policy typo" "unknown policy 'decopled'; did you mean 'decoupled'?" \
    run -m fermi --trace a --policy decopled
refuses "machine typo" "unknown machine 'ferm'; did you mean 'fermi'?" run --trace a --machine ferm
refuses "unknown key in --set" "--set|unknown key 'l1d.way'; did you mean 'l1d.ways'?" \
    run -m fermi --trace a --set l1d.way=8
refuses "value out of range" "l1d.ways is '0'; expected a whole number from 1" \
    run -m fermi --trace a --set l1d.ways=0
refuses "--set without a value" "expected key=value" run -m fermi --trace a --set l1d.ways
refuses "rule over two keys" "l2.slices must be a multiple of dram.channels" \
    run -m fermi --trace a --set l2.slices=7
sed 's/^l1d.ways/l1d.wayz/' "$configs/machines/fermi.cfg" >"$dir/typo.cfg"
line=$(grep -n '^l1d.wayz' "$dir/typo.cfg" | cut -d: -f1)
refuses "unknown key in a file" "typo.cfg:$line: unknown key 'l1d.wayz'; did you mean 'l1d.ways'?" \
    run --trace a --machine typo.cfg
sed '/^l1d.ways/d' "$configs/machines/fermi.cfg" >"$dir/less.cfg"
refuses "missing key in a file" "less.cfg:|without key 'l1d.ways'" run --trace a --machine ./less.cfg
refuses "missing configuration file" "none.cfg|No such file" run -m fermi --trace a --policy none.cfg
refuses "policy file given as machine" "belongs in a policy file" \
    run --trace a --machine "$configs/policies/bl.cfg"
refuses "a template of another list" "expected \`byway list configs\`" list machines --template machine
refuses "a template as JSON" "without --json" list configs --template policy --json
by list configs --template machine
cp "$dir/out" "$dir/plain.cfg"
by list configs --template policy
cp "$dir/out" "$dir/plain_policy.cfg"
succeeds "the templates are valid files" run --trace a --machine plain.cfg --policy plain_policy.cfg
keys() {
    sed -n 's/^\([a-z][a-z0-9_.]*\) *=.*/\1/p' "$1"
}
for file in "$configs"/machines/*.cfg "$configs"/policies/*.cfg; do
    kind=$(basename "$(dirname "$file")")
    name=$(basename "$file" .cfg)
    [ "$kind" = machines ] && template=plain.cfg || template=plain_policy.cfg
    by list "$kind" "$name" # for a policy, with the machine key that it changes
    [ "$kind" = machines ] || sed -i '/^l1d[.]replacement/d' "$dir/out"
    if [ "$kind" = machines ] && ! grep -q '^base' "$file"; then
        diff <(keys "$dir/plain.cfg") <(keys "$file") >"$dir/diff"
        result $? "$name has the template's keys in its order"
    fi
    diff <(keys "$dir/$template") <(keys "$dir/out") >"$dir/diff"
    result $? "list $kind $name prints a file with every key"
done
for file in "$configs"/policies/*.cfg; do
    [[ "$(keys "$file" | head -n 3 | paste -sd' ')" =~ ^("policy.title policy.about policy.use"|"base policy.title policy.about")$ ]] &&
        succeeds "$(basename "$file") says what it does and uses" run -m fermi --trace a --policy "$file" \
            --set l2_policy.dbi_entries=96
done
printf '%s\n' 'policy.title = PC at 5' 'policy.about = as PC, sooner' 'policy.use = pc' 'pc.threshold = 5' >"$dir/short.cfg"
succeeds "a policy of a title, a sentence, a mechanism and a key" run -m fermi --trace a --policy short.cfg --json short.json
printf '%s\n' 'base = pc' 'policy.title = PC at 5' 'pc.threshold = 5' >"$dir/derived.cfg"
succeeds "a policy of three lines with a base" run -m fermi --trace a --policy ./derived.cfg --json derived.json
sed -i '/"policy.about"/d; /"policy": "/d; /"sim"/,/}/d' "$dir/short.json" "$dir/derived.json"
same "the two have one result" "$dir/short.json" "$dir/derived.json"
printf '%s\n' 'base = gcn_apu' 'machine.title = Small' 'l1d.sets = 16' >"$dir/small.cfg"
by list machines ./small.cfg
cp "$dir/out" "$dir/resolved.cfg"
by list machines gcn_apu
diff "$dir/out" "$dir/resolved.cfg" >"$dir/diff"
[ "$(grep -c '^>' "$dir/diff")" = 2 ] && grep -q '^> l1d.sets = 16 ' "$dir/diff"
result $? "list machines shows a derived file resolved"
printf '%s\n' 'base = gcn_ap' 'machine.title = Small' >"$dir/lost.cfg"
refuses "a base that does not exist" "lost.cfg:1: base 'gcn_ap' does not exist" run --trace a --machine lost.cfg
refuses "a resolved file of another list" "only machines NAME and policies NAME" list counters x
refuses "a resolved file as JSON" "without --json" list machines fermi --json

# --- advice per load ----------------------------------------------------------------------------------
echo '* * volatile' >"$dir/all.adv"
echo 'nobody pc:0x10 cache # a kernel of another trace' >"$dir/none.adv"
succeeds "advice on every load" run -m fermi --trace a --advice all.adv --json advised.json
succeeds "a flag for all loads" run -m fermi --trace a --set hint.loads=volatile --json flagged.json
grep -q '"advice": "all.adv"' "$dir/advised.json"
result $? "the result names the advice file"
sed -i '/"advice"/d; /"hint.loads"/d; /"policy.use"/d' "$dir/advised.json" "$dir/flagged.json"
same "the one is the other" "$dir/advised.json" "$dir/flagged.json"
refuses "advice that matches no load" "none.adv:1: matches no load of the trace" run -m fermi --trace a --advice none.adv
succeeds "unmatched advice is accepted in a partial run" run -m fermi --trace a --advice none.adv --max-cycles 10
refuses "advice in a folder" "traces: is a folder; expected an advice file" run -m fermi --trace a --advice traces
echo 'k pc:0x10' >"$dir/less.adv"
refuses "advice without a hint" "less.adv:1: expected three words" run -m fermi --trace a --advice less.adv

# --- usage --------------------------------------------------------------------------------------------
refuses "unknown command" "unknown command 'rn'; did you mean 'run'?" rn
refuses "unknown option" "unknown option '--polcy'; did you mean '--policy'?" run --polcy bl
refuses "option without its value" "'--trace' needs an argument; expected FILE" run --trace
refuses "neither trace nor workload" "expected one of --trace FILE and --workload W" run
refuses "both trace and workload" "expected one of" run -m fermi --trace a --workload nw
cp "$byway" "$dir/alone" # no byway-rtl in the same folder
(cd "$dir" && ./alone run -m fermi --trace a --l1d rtl) >"$dir/out" 2>"$dir/err" </dev/null
[ $? = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
    grep -q 'there is no .*/byway-rtl; build it with: make rtl-sim' "$dir/err"
result $? "RTL caches without byway-rtl"
refuses "misspelt cache kind" "expected c or rtl" run -m fermi --trace a --l1d verilog
refuses "no such list" "did you mean 'counters'?" list conters
refuses "wrong number of jobs" "--jobs is 'two'" compare -j two
refuses "unknown set" "unknown set '@cfn'" compare --workloads @cfn
export BYWAY_TRACES=$dir/traces
refuses "unknown workload" "unknown workload 'alhpa'; did you mean 'alpha'?" run --workload alhpa
BYWAY_TRACES=$(dirname "$configs")/traces refuses "a list of names that is cut ends with dots" "unknown workload 'nope'|, ...)" run -w nope
refuses "unknown workload in a list" "did you mean 'beta'?" compare --workloads alpha,bata
BYWAY_CONFIGS=$dir/nowhere refuses "no configuration folder" "BYWAY_CONFIGS" run -m fermi --trace a
for c in run compare list trace; do
    succeeds "$c --help" "$c" --help
done
succeeds "--version" --version
for what in machines policies workloads papers counters configs; do
    succeeds "list $what" list $what
    by list $what --json
    [ $rc = 0 ] && [ "$(head -c 1 "$dir/out")" = "[" ]
    result $? "list $what --json"
done

# --- results --------------------------------------------------------------------------------------------
succeeds "run writes JSON" run --workload alpha --policy decoupled --set l1d.mshrs=16 --json one.json
grep -q '"l1d.mshrs": 16' "$dir/one.json" && grep -q '"schema": "byway.run/1"' "$dir/one.json"
result $? "the JSON holds its schema and what --set changed"
by run --workload alpha --policy decoupled --set l1d.mshrs=16 --json -
cp "$dir/out" "$dir/two.json"
same "two runs, file and stdout: the same JSON" "$dir/one.json" "$dir/two.json"
by run -m fermi --trace a --policy decoupled --set l1d.mshrs=16 --json three.json
sed -i '/"trace_format"/d; /"workload"/d' "$dir/one.json" "$dir/three.json"
same "Accel-Sim trace and its BWT1: the same JSON" "$dir/one.json" "$dir/three.json"
succeeds "compare, one process" compare --workloads all -j 1 --json j1.json --html j1.html
succeeds "compare, two processes" compare --workloads all -j2 --json j2.json
same "any -j: the same JSON" "$dir/j1.json" "$dir/j2.json"
! grep -qE 'https?://|src=|@import|url\(' "$dir/j1.html" && grep -q '<svg' "$dir/j1.html"
result $? "the page is drawn and refers to nothing outside itself"
by compare --workloads alpha,beta --policies bl,decoupled
[ $rc = 0 ] && grep -q '^alpha .* 1\.000 ' "$dir/out" && grep -q '^all (2)' "$dir/out"
result $? "compare prints a table"
by run --workload beta --max-cycles 100 --json part.json
[ $rc = 0 ] && grep -q '"partial": true' "$dir/part.json"
result $? "--max-cycles gives a partial result that says so"
by run --workload beta --max-insts 1 --json part.json
[ $rc = 0 ] && grep -q '"partial": true' "$dir/part.json"
result $? "--max-insts gives a partial result that says so"
succeeds "--launches with all launches" run --workload beta --launches 1,2-5 --json chosen.json
succeeds "a run of all launches" run --workload beta --json whole.json
same "a choice of all launches changes nothing" "$dir/chosen.json" "$dir/whole.json"
for list in 9-3 1,,2 4294967296 a; do
    refuses "launches $list" "--launches is '$list'; expected A, A-B or A-" \
        run --workload beta --launches $list
done
refuses "launches that do not exist" "none of the chosen launches is in the trace; it has " \
    run --workload beta --launches 2-9
by run --workload beta --waves w.vcd --waves-sm 1 --waves-at 5 --waves-cycles 20 --json -
[ $rc = 0 ] && grep -q 'scope module sm1' "$dir/w.vcd" && grep -q '^#5$' "$dir/w.vcd" &&
    [ "$(tail -n 1 "$dir/w.vcd")" = "#25" ]
result $? "--waves writes the window"
refuses "waveform of another kind" "w.txt: expected a name that ends in .vcd, .fst or .html" \
    run --workload beta --waves w.txt
refuses "waveform of an SM that does not exist" "there is no SM 15; expected 0 to 14" \
    run --workload beta --waves w.vcd --waves-sm 15
by compare --workloads alpha,short -j 2 --json none.json
cp "$dir/short.bwt" "$dir/traces/short.bwt"
by compare --workloads alpha,short,beta -j 2 --json none.json --html none.html
[ $rc = 1 ] && grep -q 'short failed on fermi: .*short.bwt' "$dir/out"
result $? "a broken trace among good ones is a gap"
rm "$dir/traces/short.bwt"
[ -s "$dir/none.json" ] && [ -s "$dir/none.html" ]
result $? "results of the good traces are written"

# --- output files ------------------------------------------------------------------------------------------
mkdir "$dir/empty"
by run -m fermi --trace a --json /dev/full
[ $rc = 2 ] && grep -q '/dev/full' "$dir/err"
result $? "full device: exit 2 and a sentence"
by run -m fermi --trace a --json missing/x.json
[ $rc = 2 ] && grep -q 'missing/x.json' "$dir/err"
result $? "missing folder: exit 2 and a sentence"
echo old >"$dir/empty/kept.json"
(
    trap '' XFSZ
    ulimit -f 1
    by run -m fermi --trace a --json empty/kept.json
    exit $rc
)
[ $? = 2 ] && [ "$(cat "$dir/empty/kept.json")" = old ] && [ "$(ls "$dir/empty")" = kept.json ]
result $? "a write that fails in between leaves the old file and nothing else"
by compare --workloads alpha --html /dev/full
[ $rc = 2 ] && grep -q '/dev/full' "$dir/err"
result $? "full device, page: exit 2 and a sentence"

# --- the bar -----------------------------------------------------------------------------------------
# A progress bar fits its terminal; a dumb terminal, a file and CI get none.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    for columns in 80 30; do
        (cd "$dir" && env -u CI -u BYWAY_TRACES TERM=xterm script -qec "stty cols $columns; '$byway' sweep -d bar$columns -w @cnf -p bl,pc -j 2" bar >/dev/null 2>&1 </dev/null)
        tr '\r' '\n' <"$dir/bar" | sed -n 's/\x1b\[K$//p' >"$dir/bars"
        [ "$(grep -c '/14 runs' "$dir/bars")" -gt 1 ] && [ "$(wc -L <"$dir/bars")" -lt $columns ]
        result $? "the bar fits $columns columns"
    done
    (cd "$dir" && env -u CI -u BYWAY_TRACES TERM=dumb script -qec "'$byway' compare -w nw -p bl --json bar.json" bar >/dev/null 2>&1 </dev/null)
    ! grep -q $'\x1b' "$dir/bar" && grep -q '^IPC relative' "$dir/bar"
    result $? "a dumb terminal has no progress bar"
else
    skip_check "the progress bar on a terminal" "no pseudo-terminal opens here; mount -t devpts devpts /dev/pts"
fi

finish
