// SPDX-License-Identifier: Apache-2.0
//
// load.js CHROMIUM PAGE WIDTH SHOT - operates the page of one workload (byway compare --pages):
// charts, files, lists.
'use strict';
const {run, nap, files, readable, shots} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector(".charts .chart")', async p => {
  const {call, ask, key, means, check} = p;
  const count = css => ask('document.querySelectorAll(' + JSON.stringify(css) + ').length');
  const heads =
      await ask('[...document.querySelectorAll("h3, h4")].map(h => h.firstChild.data).join("|")');
  for (const part
           of ['Refused accesses', 'warp schedulers', 'Energy', 'Over time', 'L1 miss rate',
               'mode: share of SMs whose filter', 'mode: share of SMs that bypass',
               'occupancy: L1 lines', 'reuse count', 'reuse distance', 'stack distance',
               'Loads in the code', 'Kernels', 'Where the numbers come from'])
    check(heads.includes(part), 'it has: ' + part);
  check(
      await ask(
          'document.querySelector("#app").firstChild.firstChild.className === "verdict" && / is (cache-|the fastest)|: /.test(document.querySelector(".verdict").textContent)'),
      'the page begins with its verdict');
  check(
      await ask(
          '[...document.querySelectorAll(".chart svg")].every(e => e.textContent.includes("SM clock cycles"))'),
      'time has a unit');
  check(
      await ask(
          '[...document.querySelectorAll(".view svg, .bar button")].every(e => e.getBoundingClientRect().right <= innerWidth + 0.5)'),
      'no chart and no button is cut');
  const written = await ask(
      '[...document.querySelectorAll(".view h3, .view h4, .view .key, .view th, .view td:first-child")].map(e => e.textContent).join("|")');
  check(!/icnt|_nj|hit_pending|miss_queue|hit_rate|row_hits/.test(written), 'counters are words');
  check(
      await ask('/ on fermi$/.test(document.querySelector("h1").textContent)') &&
          await ask(
              'document.querySelectorAll(".toc a").length > 5 && [...document.querySelectorAll(".toc a")].every(a => document.getElementById(a.hash.slice(1)))'),
      'the page names its machine and begins with a table of contents');
  check(
      await ask(
          'D.policies.every((_, p) => (get => loadMisses(get) >= 0 && (D.policies[p].n !== "ball" || loadMisses(get) === 0))(k => value(run(0, p), k)))'),
      'stores are no misses: BALL has none');
  check(
      await ask(
          'D.policies.every((_, p) => PARTS[0].get(k => value(run(0, p), k)).reduce((a, v) => a + v, 0) === value(run(0, p), "l1d.accesses"))'),
      'the parts of the accesses are the accesses');
  check(
      await ask(
          'logarithmic(0.9, 1.37).ticks.length >= 3 && logarithmic(0.5, 2).ticks.includes(0.7)'),
      'a narrow logarithmic axis has ticks, too');
  check(
      await ask(
          '[[0.0005, 2], [0.01, 300], [0.05, 1.1], [0.3, 2]].every(([low, high]) => { const axis = logarithmic(low, high, 120);' +
          ' return axis.ticks.length > 1 && axis.ticks.every((t, i) => !i || axis.x(t) - axis.x(axis.ticks[i - 1]) > 7 * String(t).length); })'),
      'labels of a logarithmic axis do not overlap');
  check(
      await count('#loads tbody tr') > 0 && await count('.view details') > 0,
      'loads and kernels have rows');
  check(
      /byway run -m .* --timeline/.test(await ask('document.querySelector("pre.cmd").textContent')),
      'it says how to repeat a run');
  await files(p, '.tools');
  const lines = () => count('.chart svg path');
  for (const [how, press] of Object.entries(means)) {
    const before = await lines();
    await press('#p-1');
    check(await lines() < before, 'a policy is taken out by ' + how);
    await press('#p-1');
    check(await lines() === before, 'and put back');
    await press('.view details summary');
    const open = await ask('document.querySelector(".view details").open');
    await press('.view details summary');
    check(
        open !== await ask('document.querySelector(".view details").open'),
        'a kernel closes and opens by ' + how);
    await ask('(window.printed = 0, window.print = () => { window.printed++; })');
    await press('#c-print');
    check(await ask('printed') === 1, 'print by ' + how);
    if (how !== 'keyboard')
      await press('.chart');
    else {
      await ask('document.querySelector(".chart").focus()');
      await key('ArrowRight', 'ArrowRight', 39);
    }
    check(
        await ask('tip.style.display === "block" && /cycle [0-9]/.test(tip.textContent)'),
        'a chart tells its values by ' + how);
    const was = await ask('tip.textContent');
    await ask('document.querySelector(".chart").focus()');
    await key('ArrowRight', 'ArrowRight', 39);
    check(was !== await ask('tip.textContent'), 'and the next cycle\'s by key');
    await key('Escape', 'Escape', 27);
    check(await ask('tip.style.display') === 'none', 'Escape takes the box away');
  }
  const loads = () => ask('document.querySelector("#loads").textContent');
  const bl = await loads();
  await ask('document.querySelector("#c-policy").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  await nap(60);
  check(
      bl !== await loads() && await ask('document.activeElement.id') === 'c-policy',
      'loads of another policy, and the list keeps the focus');
  const all = await ask('document.querySelector(".view").textContent');
  await ask('document.querySelector("#c-relative-to").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(
      all !== await ask('document.querySelector(".view").textContent'),
      'relative to another policy');
  await readable(p);
  if (shot !== '-') await shots(p, shot);
});
