#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_advise_repeat.sh - byway advise --repeat N: which runs it makes, how it computes gains, and that
# it advises nothing whose gain is within the noise.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
command -v node >/dev/null || skip_all "no node, which reads the results; apt-get install nodejs"

# of FILE EXPRESSION: a JavaScript expression of the report d; run(n): cycles of run n.json.
of() {
    node -e '
        const read = f => JSON.parse(require("fs").readFileSync(f)), d = read(process.argv[1]);
        const run = n => read("'"$dir"'/" + n + ".json").cycles;
        const mean = v => v.reduce((a, b) => a + b) / v.length;
        const sd = v => Math.sqrt(v.map(x => (x - mean(v)) ** 2).reduce((a, b) => a + b) / (v.length - 1));
        const near = (a, b) => Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(b));
        const places = d.kernels.flatMap(k => k.places);
        const gains = d.repeat && d.repeat.cycles.map((c, k) => 100 * (c - d.repeat.advised_cycles[k]) / c);
        console.log(JSON.stringify('"$2"'))' "$dir/$1"
}

succeeds "a repeated search" advise -m fermi hotspot --hints bypass --repeat 2 -j 2 -d kept --json two.json --html two.html --advice two.advice
cp "$dir/out" "$dir/table"
for k in 1 2; do
    by run -m fermi -w hotspot --set noise.seed=$k --json $k.json
    by run -m fermi -w hotspot --set noise.seed=$k --advice two.advice --json a$k.json
done
[ "$(of two.json '[d.repeat.seeds, d.repeat.cycles, d.repeat.advised_cycles]')" = \
    "$(of two.json '[[1, 2], [run(1), run(2)], [run("a1"), run("a2")]]')" ]
result $? "its runs are those of noise.seed 1 and 2, without and with the advice"
succeeds "repeated runs obey advice" run -m fermi -w hotspot --advice two.advice --repeat 2 --json both.json
[ "$(of two.json '(r => [r.cycles].concat(r.repeat.others.map(o => o.cycles)))(read("'"$dir"'/both.json"))')" = "$(of two.json d.repeat.advised_cycles)" ]
result $? "and take the cycles that the search had"
echo '* pc:0x7770 bypass' >"$dir/none.advice"
refuses "repeated runs with advice that matches no load" "none.advice:1: matches no load" \
    run -m fermi -w hotspot --advice none.advice --repeat 2
[ "$(of two.json 'near(d.gain, mean(gains)) && near(d.gain_sd, sd(gains)) && d.gain_sd > 0 && !d.within_noise')" = true ]
result $? "the gain is the mean of the gains within a seed, with their deviation"
[ "$(of two.json 'near(d.cycles, Math.round(mean(d.repeat.cycles)))')" = true ]
result $? "cycles are means"
[ "$(of two.json 'places.filter(p => p.rank).length >= 1 && places.filter(p => p.rank).every(p => p.gain_with_above_sd >= 0)')" = true ]
result $? "an advised place has the deviation of its gain"
[ "$(of two.json 'places.every(p => { const e = p.alone.bypass;
    return e.within_noise === (e.gain_sd > 0 && Math.abs(e.gain) <= 2 * e.gain_sd); })')" = true ]
result $? "a hint within two deviations of 0 is within the noise, any other one is not"
grep -q '^hotspot on fermi with bl: [0-9]* places\? to change, [0-9.]* ± [0-9.]* % fewer cycles$' "$dir/table" &&
    grep -q '^Each assignment ran 2 times with different noise' "$dir/table" && grep -q ' +[0-9.]*±[0-9.]*$' "$dir/table"
result $? "the table has deviations and says what they are"
grep -q '<span class="gain">+[0-9.]* ± [0-9.]* %' "$dir/two.html" && grep -q 'Each assignment ran 2 times' "$dir/two.html"
result $? "so has the page"
grep -q 'with it, means of 2 runs\.$' "$dir/two.advice"
result $? "the file of advice says that its cycles are means"
by advise -m fermi hotspot --hints bypass --repeat 2 -j 1 --json one.json
[ "$(of one.json '({...d, provenance: 0})')" = "$(of two.json '({...d, provenance: 0})')" ]
result $? "neither -j nor a folder of runs changes the answer"

# Without a limit, a single run would advise a change that saves a seventh of a percent by chance.
by advise -m fermi pathfinder --hints bypass --least 0 --json single.json
by advise -m fermi pathfinder --hints bypass --least 0 --repeat 3 --json noise.json --html noise.html --advice noise.advice
[ "$(of single.json 'places.filter(p => p.rank).length')" -ge 1 ] && [ "$(of noise.json 'places.filter(p => p.rank).length')" = 0 ] &&
    ! grep -q '^[^#]' "$dir/noise.advice"
result $? "a place whose gain is within the noise is not advised"
[ "$(of noise.json 'places.filter(p => p.noise).length >= 1 && places.filter(p => p.noise).every(p => p.noise.gain > 0 && p.noise.gain <= 2 * p.noise.gain_sd)')" = true ]
result $? "it is reported with its gain, which is at most two deviations"
grep -q 'is not advised: +[0-9.]* ± [0-9.]*% is within the noise$' "$dir/out" && grep -q 'is within the noise</span>' "$dir/noise.html"
result $? "table and page say so at the place"
[ "$(cat "$dir/table" "$dir/out" | LC_ALL=C.UTF-8 wc -L)" -le 80 ]
result $? "the table fits 80 columns"
[ "$(of single.json '["repeat" in d, "gain_sd" in d, "within_noise" in d.kernels[0]]')" = '[false,false,false]' ]
result $? "without --repeat the report says nothing of noise"

cp cmodel/traces/hotspot.bwt "$dir/other.bwt"
by advise -m fermi hotspot --hints bypass --repeat 2 -d kept --also other.bwt --json also.json
[ "$(of also.json 'd.also.map(a => [a.gain, a.gain_sd, a.within_noise])')" = "$(of two.json '[[d.gain, d.gain_sd, d.within_noise]]')" ]
result $? "another trace is repeated, too"
stored=$(ls "$dir/kept/runs" | wc -l)
by advise -m fermi hotspot --hints bypass --repeat 2 -d kept --also other.bwt --json again.json
[ "$stored" -gt 0 ] && [ $((stored % 2)) = 0 ] && [ "$stored" = "$(ls "$dir/kept/runs" | wc -l)" ]
result $? "each of the $stored runs is stored once and reused"
refuses "Mpache with --repeat is refused" "--mpache and --repeat: expected one of them" advise spmv --mpache --repeat 2
refuses "--repeat 101 is too many" "100" advise hotspot --repeat 101
finish
