// SPDX-License-Identifier: Apache-2.0
//
// models.js DIR "NAME ..." - prints the page about machine-learning kernels from the results that
// models.sh keeps in DIR/runs: NAME.POLICY.CARVEOUT.json of byway run --repeat,
// NAME.advice.CARVEOUT.json of byway advise --repeat.
'use strict';
const fs = require('fs');
const dir = process.argv[2], names = process.argv[3].trim().split(' ');
// What models.sh ran with the driver's carve-out and with the largest one.
const LEAST = 0.005;
const MECHANISMS = ['two_level', 'pc', 'hybrid_t'];
const policies = {
  auto: ['ball', 'na', 'two_level', 'pc', 'hybrid_t'],
  largest: ['ball', 'na']
};
const read = (name, what, carveout) =>
    JSON.parse(fs.readFileSync(`${dir}/runs/${name}.${what}.${carveout}.json`));

const cyclesOf = (run) => [run, ...run.repeat.others].map((r) => r.cycles);
function stats(values) {
  const mean = values.reduce((s, v) => s + v, 0) / values.length;
  const squares = values.reduce((s, v) => s + (v - mean) ** 2, 0);
  return {mean, sd: Math.sqrt(squares / Math.max(1, values.length - 1))};
}
// Cycles over those of bl with the same seed.  decided: further from 1 than two deviations of one
// run, and than a tenth of a percent, which only says that the runs are not identical.
function ratio(run, base) {
  const of = cyclesOf(base), r = stats(cyclesOf(run).map((c, i) => c / of[i]));
  r.decided = Math.abs(r.mean - 1) > Math.max(2 * r.sd, LEAST);
  return r;
}
// The advised cycles over those without advice: 1 if nothing is gained.
function best(name) {
  const a = read(name, 'advice', 'auto');
  const of = a.repeat.cycles, r = stats(a.repeat.advised_cycles.map((c, i) => c / of[i]));
  r.decided = r.mean < 1 - Math.max(2 * r.sd, LEAST);
  r.places = a.kernels.reduce((s, k) => s + k.taken, 0);
  return r;
}
const shown = (r) =>
    r.mean.toFixed(3) + (r.decided ? '' : '~') + (r.places > 0 ? ` (${r.places})` : '');
const percent = (share) => (100 * share).toFixed(1);

// One row per kernel: what the L1 finds, and the ratio of each choice.
function measure(carveout) {
  return names.map((name) => {
    const bl = read(name, 'bl', carveout), l1 = bl.l1d;
    const row = {name, cycles: stats(cyclesOf(bl)).mean, hit: l1.hits / l1.accesses, ratio: {}};
    row.pending = l1.hit_pending / l1.accesses;
    for (const p of policies[carveout]) row.ratio[p] = ratio(read(name, p, carveout), bl);
    if (carveout === 'auto') row.best = best(name);
    return row;
  });
}
const geometric = (rows, of) => Math.exp(stats(rows.map((r) => Math.log(of(r).mean))).mean);

function table(rows, carveout) {
  const of = policies[carveout], last = rows[0].best ? [(r) => r.best] : [];
  const columns = [...of.map((p) => (r) => r.ratio[p]), ...last];
  const heads = [
    'kernel', 'cycles', 'hit %', 'in flight %', ...of.map((p) => '`' + p + '`'),
    ...last.map(() => 'hindsight')
  ];
  console.log(`| ${heads.join(' | ')} |\n|---|${'--:|'.repeat(heads.length - 1)}`);
  for (const r of rows)
    console.log(`| ${r.name} | ${Math.round(r.cycles)} | ${percent(r.hit)} | ${
        percent(r.pending)} | ${columns.map((c) => shown(c(r))).join(' | ')} |`);
  console.log(
      `| **mean** | | | | ${columns.map((c) => geometric(rows, c).toFixed(3)).join(' | ')} |\n`);
}

// "19.9 % (gemv8), 19.5 % (gemv4)"
const list = (rows, of) => rows.length === 0 ?
    'none' :
    rows.map((r) => `${Math.abs(100 * (of(r).mean - 1)).toFixed(1)} % (${r.name})`).join(', ');
function split(rows, of) {
  const decided = rows.filter((r) => of(r).decided);
  return {
    slower: decided.filter((r) => of(r).mean > 1).sort((a, b) => of(b).mean - of(a).mean),
    faster: decided.filter((r) => of(r).mean < 1).sort((a, b) => of(a).mean - of(b).mean),
    open: rows.length - decided.length
  };
}

function loads(name) {
  const a = read(name, 'advice', 'auto');
  for (const k of a.kernels)
    for (const p of k.places) {
      const text = (p.text || 'line ' + p.line).replace(/\|/g, '\\|').slice(0, 70),
            alone = p.alone.bypass;
      const gain = !alone ?
          'not tried' :
          (alone.gain >= 0 ? '+' : '') + alone.gain.toFixed(1) + (alone.within_noise ? '~' : '');
      console.log(`| ${name} | ${k.name.replace(/__ca$/, '')} | \`${text}\` | ${p.accesses} | ${
          p.lines_per_access.toFixed(
              1)} | ${percent(p.hit_rate)} | ${percent(p.reuse)} | ${gain} |`);
    }
}

const measured = Object.fromEntries(Object.keys(policies).map((c) => [c, measure(c)]));
const rows = measured.auto, ball = split(rows, (r) => r.ratio.ball),
      na = split(rows, (r) => r.ratio.na);
const gains = split(rows, (r) => r.best);
// Kernels that a mechanism speeds up.
const found = rows.filter((r) => MECHANISMS.some((p) => r.ratio[p].decided && r.ratio[p].mean < 1))
                  .map((r) => r.name);
// Lines of at most 140 characters; a number stays with its percent sign.
const wrap = (text) => text.replace(/ %/g, '\u00a0%')
                           .replace(/(.{1,140})( |$)/g, '$1\n')
                           .replace(/\u00a0/g, ' ')
                           .trimEnd();
const named = (rows, of) => rows.length === 0 ? '' : ': ' + list(rows.slice(0, 3), of);
console.log(`# What the L1 does for machine-learning kernels

${
    wrap(`**Of ${rows.length} kernels of today's models on \`h200\`, bypassing every load makes ${
        ball.slower.length} slower${named(ball.slower, (r) => r.ratio.ball)}, and ${
        ball.faster.length} faster${named(ball.faster, (r) => r.ratio.ball)}; ${
        ball.open} stay within the noise or half a percent.** **With hindsight, bypassing chosen loads speeds up ${
        gains.faster.length} of the ${rows.length}${
        named(gains.faster, (r) => r.best)}; the mechanisms speed up ${found.length}${
        found.length ? ': ' + found.join(', ') : ''}.**`)}

For readers who ask whether [bypassing still pays](today.md) in inference and training. The kernels are byway's
[workloads](../../workloads/README.md) \`@ml\`; the model that each size is from is in their [table](../../workloads/TABLE.md). Traces are of the [CUDA
twins](../twins.md), with the inputs of \`large.txt\` and with machine code. \`make models\` makes this page again (${
    read(names[0], 'bl', 'auto').provenance?.started.slice(0, 10)}).

Cycles are relative to the plain cache (\`bl\`) with the same seed: below 1 is faster. Each value is the mean of three runs with
[noise](../noise.md). \`~\`: undecided; it differs from 1 by at most two standard deviations, or by at most half a percent. Simulated gains of
hints were within 21 % of those of a GPU in nine launches of ten ([how far to trust \`h200\`](../h200.md)). attn_prefill multiplies without tensor
cores, unlike libraries, so memory matters less in it than there.

| column | choice |
|---|---|
| \`ball\` | every load bypasses the L1 |
| \`na\` | every load is \`L1::no_allocate\` |
| \`two_level\`, \`pc\` | mechanisms of the papers; their filter by tag (\`decoupled\`) needs a cache that reserves lines on a miss ([today](today.md)) |
| \`hybrid_t\` | byway's own policy |
| hindsight | the best bypasses of source lines that \`byway advise\` found in eight assignments per kernel, in brackets how many lines |
| hit, in flight | share of the L1's accesses that find their data, or find it on its way from the L2 |

## By kernel, the driver's carve-out
`);
table(measured.auto, 'auto');
console.log(`## By kernel, the largest carve-out

20 KB of L1.
`);
table(measured.largest, 'largest');
// Over all loads of a workload: the share of requests that found their data, and that an unlimited
// L1 would find.
function totals(name) {
  const places = read(name, 'advice', 'auto').kernels.flatMap((k) => k.places);
  const sum = (of) => places.reduce((s, p) => s + p.transactions * of(p), 0), all = sum(() => 1);
  return {name, found: sum((p) => p.hit_rate) / all, most: sum((p) => p.reuse) / all};
}
const other = split(measured.largest, (r) => r.ratio.ball);
console.log(`${
    wrap(`Bypassing every load, with the largest carve-out: slower ${
        list(other.slower, (r) => r.ratio.ball)}; faster ${
        list(other.faster, (r) => r.ratio.ball)}.`)}

## What each load reuses

Driver's carve-out. *found*: share of the load's requests that find their data, present or in flight; *reuse*: share whose sector the same SM
loads again in the launch, the most that a cache could find; *bypassed*: cycles that bypassing this load alone saves, in percent.
${
    wrap(`Over all loads of a workload, the L1 finds ${
        names.map(totals)
            .map((t) => `${percent(t.found)} of ${percent(t.most)} % (${t.name})`)
            .join(', ')}.`)}

| workload | kernel | load | accesses | lines | found % | reuse % | bypassed |
|---|---|---|--:|--:|--:|--:|--:|`);
for (const name of names) loads(name);
