#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_scope.sh - the page of one set (byway run --waves F.html): its steps agree with the counters,
# each shows the record that its rule produces, and every control works by mouse, keyboard and
# touch. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/t" 0 60 # every load of a warp reads one line
whole=(-m fermi -t t --set l1d.sets=1 --set sm.count=1 --set l1d.ways=32 --set decoupled.tag_ways=64 --waves-cycles 1000000)
for p in bl decoupled pc mrpb; do
    by run "${whole[@]}" -p $p --waves $p.html --json $p.json
    [ $rc = 0 ] && grep -q '"frames":\[' "$dir/$p.html" && tail -n 1 "$dir/$p.html" | grep -q '</html>$'
    result $? "$p: a page is written"
    by run "${whole[@]:0:12}" -p $p --json plain.json
    cmp -s <(sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$dir/plain.json") <(sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$dir/$p.json")
    result $? "$p: observing changes no result"
done
by run -m fermi -t t -p bl --waves x.html --waves-set 4096
[ $rc = 2 ] && grep -q -- '--waves-set 4096: no such set; expected 0 to 31' "$dir/err" && [ ! -e "$dir/x.html" ]
result $? "no such set"
by run -m fermi -t t -p bl --waves x.html --waves-at 900000000
[ $rc = 2 ] && [ ! -e "$dir/x.html" ]
result $? "no such cycle"
by run -m fermi -t t -p bl --waves missing/x.html
[ $rc = 2 ] && grep -q 'missing/x.html' "$dir/err"
result $? "a path that cannot be written"

skip() {
    skip_check "the page's steps" "$1"
    finish
    exit
}
command -v node >/dev/null || skip "no node to read the page; apt-get install nodejs"
for p in bl decoupled pc mrpb; do
    node -e '
        const fs = require("fs"), [page, json] = process.argv.slice(1);
        const D = JSON.parse(/id="data">([^]*?)<\/script>/.exec(fs.readFileSync(page, "utf8"))[1]);
        const l1d = JSON.parse(fs.readFileSync(json)).per_sm[0].l1d, config = JSON.parse(fs.readFileSync(json)).config;
        const bad = (why, f) => { console.log(why, JSON.stringify(f)); process.exitCode = 1; };
        const count = [0, 0, 0, 0];
        let refused = 0, atomics = 0, fills = 0, before = null;
        for (const f of D.frames) {
            const e = D.events.filter((_, i) => f.e >>> i & 1), tag = f.a && f.t.find(t => t[0] === f.a && t[1] !== 0);
            if (before && f.c <= before.c) bad("time", f);
            if (f.n) refused += f.n;
            if (f.n && before && JSON.stringify(f.t) !== JSON.stringify(before.t)) bad("a refusal changes the record", f);
            if (f.o !== undefined) { if (f.op === 2) atomics++; else count[f.o]++; }
            if (f.l) fills++;
            if (f.o === 0 && f.op === 0 && !(tag && tag[1] === 2 && f.d[tag[3]][0] >= 0)) bad("a hit without a line", f);
            if (e.includes("new_tags") && f.o === 3 && !(tag && tag[1] === 1 && tag[2] === config["decoupled.rc_init"])) bad("a new tag is no candidate", f);
            if (e.includes("commits") && f.o === 2 && !(tag && tag[1] === 2 && f.d[tag[3]][3] === 1)) bad("a commit has no pending line", f);
            for (const [i, t] of f.t.entries()) if (t[1] === 2 && f.d[t[3]][0] !== i) bad("Position and owner", f);
            before = f;
        }
        const r = l1d.reservation_fails, sum = r.line + r.mshr + r.merge + r.miss_queue + r.icnt;
        const want = [l1d.hits, l1d.hit_pending, l1d.misses, l1d.bypasses];
        if (D.frames.length === 0 || count.join() !== want.join() || refused !== sum || atomics !== l1d.atomics || fills !== l1d.fills)
            bad("counters", [count, want, refused, sum, atomics, l1d.atomics, fills, l1d.fills]);
        console.log("# " + D.frames.length + " steps, " + count + ", " + refused + " refusals");' "$dir/$p.html" "$dir/$p.json" >"$dir/out" 2>"$dir/err"
    result $? "$p: the steps agree with the counters, and each shows the record its rule leaves"
    head -n 1 "$dir/out" | grep '^# '
done
. verif/cli/browser.sh
browse scope.js "$dir/decoupled.html" scope 20
finish
