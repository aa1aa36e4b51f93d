#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_source.sh - byway source: the table, the page's numbers against the JSON's and a plain run's, where source
# and PTX come from, messages; in a browser every control.  Prints TAP; exit status 77 without the runtime
# or ptxas.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
probe=$(realpath -m "$B/verif/opencl/cl_probe")
refuses "something to run" 'expected a trace, the name of a shipped workload, or -- and a program' source
refuses "one of both" 'expected a trace, the name of a shipped workload, or -- and a program' source kmeans -- true
needs_built libOpenCL.so.1 "$probe"
real=$(cuda_tool ptxas) || skip_all "no ptxas; make deps-cuda"
export BYWAY_PTXAS=$real BYWAY_CACHE=$dir/cache
cat >"$dir/k.cl" <<'K'
kernel void chase(global int *a, global const int *b, int n) {
  local int part[64];
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < i % 7 + 3; k++)
    sum += b[b[(i * 33 + k) % n] % n]; /* <b>&amp; */
  part[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = part[get_local_id(0) ^ 1] / (sum + 1);
}
K
program=("$probe" k.cl chase 1024 64 - b:4096 b:4096 i:1024)

by source --html p.html --json p.json -- "${program[@]}"
succeeded=$rc
cp "$dir/out" "$dir/table"
by source -- "${program[@]}"
[ $rc = 0 ] && grep -Eq '^chase: [0-9]+ cycles in 1 launch, [0-9]+ registers, ' "$dir/out" && grep -Eq '^ +5 +[0-9.]+ %  (dram|l2) +[0-9.]+ %  load of 5  \| sum \+= b' "$dir/out"
result $? "the table names the line that waits most, and what for"
[ "$succeeded" = 0 ] && grep -q '"ptx":\[{' "$dir/p.html" && grep -q 'sum += b\[b\[' "$dir/p.html" && grep -q 'Content-Security-Policy' "$dir/p.html" && [ -z "$(ls "$dir" | grep -v -e '^k.cl$' -e '^p\.' -e '^out$' -e '^err$' -e '^cache$' -e '^table$')" ]
result $? "a program's page has its source and PTX, and nothing else is left"

mkdir "$dir/kept"
BYWAY_PTX=$dir/kept by trace capture -o t.bwt -- "${program[@]}"
BYWAY_PTX=$dir/none refuses "a folder for PTX that does not exist" "BYWAY_PTX is '$dir/none'; expected a folder" \
    trace capture -o t.bwt -- "${program[@]}"
by source t.bwt --html bare.html --json bare.json
[ $rc = 0 ] && grep -q '"ptx_why":"no PTX was given"' "$dir/bare.html"
result $? "a trace has neither source nor PTX, and the page says so"
by source t.bwt --ptx kept/1.ptx --source k.cl --json given.json
[ $rc = 0 ] && cmp -s <(sed '/"sim": {/,/}/d; /"provenance": {/,/}/d; /"workload"/d' "$dir/p.json") <(sed '/"sim": {/,/}/d; /"provenance": {/,/}/d; /"workload"/d' "$dir/given.json")
result $? "--ptx and --source give what the program does"
sed 's/_Z\|mad/x/; s/add.s32/sub.s32/' "$dir/kept/1.ptx" | sed '/^\t\.loc/d' >"$dir/other.ptx"
by source t.bwt --ptx other.ptx --json other.json
[ $rc = 0 ] && grep -q '"ptx_why": "the PTX given is of another build"' "$dir/other.json"
result $? "PTX of another build is not shown"
refuses "PTX that is none" 'k.cl|PTX without .target' source t.bwt --ptx k.cl
refuses "a machine that times PTX" 'does not time machine code|h200' source t.bwt -m fermi
BYWAY_MACHINE=off by trace capture -o plain.bwt -- "${program[@]}"
refuses "a trace without machine code" 'no warp of it has machine code|doctor' source plain.bwt
by source t.bwt --kernels nothing
[ $rc = 2 ]
result $? "a pattern that no kernel matches is an error"
by run -m h200 -t t.bwt --stalls -j 2 --json run.json
printf '%s\n' program,kernel,variant,launch,grid,block,cycles,warp_instructions k,chase,ca,1,16x1x1,64x1x1,9000,13000 >"$dir/k.csv"
by correlate k.csv -m h200 --trace t.bwt --both -d cor --json cor.json --html cor.html
cycles() { sed -n "s/^ \"cycles\": \([0-9]*\),*$/\1/p" "$dir/$1.json"; }
by run -m h200 -t t.bwt -s sm.machine_code=off --json ptx.json
[ "$(sed -n 's/^ *"cycles": \([0-9]*\)\.0,*$/\1/p' "$dir/cor.json" | tr '\n' ' ')" = "9000 $(cycles run) $(cycles ptx) " ] && grep -q '"rule": "DRAM"' "$dir/cor.json" && grep -q '"figures_ptx":' "$dir/cor.html"
result $? "correlate --both has the cycles by machine code and by PTX, and where they went"
by advise t.bwt --runs 4 --source k.cl --json adv.json --html adv.html
grep -q '"waits": \[' "$dir/adv.json" && grep -Eq '<li>line 5: waited for at lines? 5(, [0-9?]+)*, [0-9.]+ % of the warp cycles: ' "$dir/adv.html"
result $? "advise names the load that is waited for, and where"

command -v node >/dev/null || {
    skip_check "the page's numbers" "no node to read the page; apt-get install nodejs"
    finish
}
node -e '
    const fs = require("fs"), read = f => JSON.parse(fs.readFileSync(process.argv[1] + "/" + f));
    const page = JSON.parse(/id="data">([^]*?)<\/script>/.exec(fs.readFileSync(process.argv[1] + "/p.html", "utf8"))[1]);
    const bad = why => { console.log(why); process.exitCode = 1; };
    const bare = k => { const { texts, ptx, ptx_why, text_why, ...rest } = k; return JSON.stringify(rest); };
    const a = page.stalls, b = read("p.json").stalls, c = read("run.json").stalls;
    if (JSON.stringify(a) !== JSON.stringify(b)) bad("the page is not the JSON");
    if (a.kernels.length !== 1 || c.kernels.map(bare).join() !== a.kernels.map(bare).join()) bad("not what run --stalls counts");
    for (const k of a.kernels) {
        const sum = {};
        for (const i of k.instructions) {
            for (const [n, x] of Object.entries({ ...i.cycles, issued: i.issued || 0 })) sum[n] = (sum[n] || 0) + x;
            const held = ["l1", "l2", "dram", "shared", "constant", "result", "operands"].reduce((s, n) => s + ((i.cycles || {})[n] || 0), 0);
            const waited = (i.waits_for || []).reduce((s, w) => s + w.cycles, 0);
            if (held !== waited) bad("instruction " + i.index + ": " + held + " cycles at barriers, " + waited + " for others");
            if ((i.by_l1 || 0) + (i.by_l2 || 0) + (i.by_dram || 0) > (i.issued || 0)) bad("more answers than loads");
            if (i.op === "load" && i.requests && (i.hits || 0) + (i.fills || 0) + (i.bypasses || 0) !== i.requests) bad("requests without an answer");
        }
        const by_line = {}, report = read("adv.json").kernels[0].waits;
        for (const i of k.instructions) for (const w of i.waits_for || [])
            if (k.instructions[w.index].op === "load" && w.cause !== "operands") by_line[k.instructions[w.index].source] = (by_line[k.instructions[w.index].source] || 0) + w.cycles;
        for (const w of report) {
            if (Math.abs(w.share - by_line[w.line] / k.warp_cycles) > 1e-9) bad("advise: line " + w.line);
            if (Math.abs(w.at.reduce((s, a) => s + a.share, 0) - w.share) > 1e-9 || w.l1 + w.l2 + w.dram > w.share + 1e-9) bad("advise: parts");
        }
        if (report.length === 0) bad("advise: no load is waited for");
        const total = Object.values(sum).reduce((s, x) => s + x, 0);
        if (total !== k.warp_cycles) bad("the causes do not add up: " + total + " " + k.warp_cycles);
        for (const [n, x] of Object.entries(sum)) if (x !== (k.cycles_by_cause[n] || 0)) bad(n);
        if (sum.issued !== k.machine_instructions || k.machine_instructions !== k.warp_instructions) bad("issues");
        if (!k.instructions.some(i => i.cycles && i.cycles.barrier) || !k.instructions.some(i => i.cycles && i.cycles.shared)) bad("no barrier or scratchpad");
    }' "$dir" >"$dir/out" 2>"$dir/err"
result $? "the page, the JSON and run --stalls have the same numbers, which add up"
. verif/cli/browser.sh
browse source.js "$dir/p.html" source 12
finish
