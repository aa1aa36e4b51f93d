// SPDX-License-Identifier: Apache-2.0
//
// sweep.js CHROMIUM PAGE WIDTH SHOT - operates the page of a sweep of two parameters in which some
// variants are refused.
'use strict';
const {run, files, readable, shots} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector("#sweep-line svg")', async p => {
  const {ask, key, check} = p;
  const count = css => ask('document.querySelectorAll(' + JSON.stringify(css) + ').length');
  check(
      /^Sweep of .*l1d\.allocate \(on_fill, on_miss\).*l1d\.mshrs \(16, 32, 64\).*: BL, Decoupled on 2 workloads, fermi$/
          .test(await ask('document.querySelector("h1").textContent')),
      'the title says what was swept');
  const has = (css, text) =>
      ask('document.querySelector(' + JSON.stringify(css) + ').textContent.includes(' +
          JSON.stringify(text) + ')');
  check(
      await has('#sweep-line', 'against l1d.mshrs') && await has('#sweep-line .lines', '64'),
      'a chart against the parameter with most values');
  check(
      await count('#sweep-line .lines path[transform]') ===
          await ask('D.policies.filter((_, p) => !isNaN(variantValue(rows(), p))).length'),
      'with a mark for each variant that ran');
  check(
      await ask(
          'D.policies.some((_, p) => isNaN(variantValue(rows(), p))) && shown().filter(p => !isNaN(variantValue(rows(), p))).length === 9'),
      'refused variants do not blank the means of the others');
  check(
      await has('#sweep-line', 'refused') && await count('table.heat td.gap') === 3,
      'and are gaps of their own');
  check(
      await count('table.heat') === 2 && await count('table.heat td') === 12,
      'a map of two parameters for each policy');
  check(
      await ask(
          '[...document.querySelectorAll("table.heat td:not(.gap)")].every(e => { const of = k => getComputedStyle(e)[k].match(/[0-9]+/g).slice(0, 3).map(Number);' +
          ' return contrast(of("color"), of("backgroundColor")) >= 4.5; })'),
      'numbers of a map have a contrast of 4.5');
  const ranks = await ask(
      '[...document.querySelectorAll("#sweep-rank tbody tr")].map(r => [r.children[1].textContent, r.children[2].textContent])');
  const known = ranks.filter(r => r[0] !== '-');
  check(
      ranks.length === 12 &&
          known.every((r, i) => +r[0] === i + 1 && (i === 0 || +r[1] <= +known[i - 1][1])),
      'the variants by rank');
  check(
      ranks.filter(r => r[0] === '-').every(r => /refused on 2 of 2: /.test(r[1])),
      'a refused one with the reason');
  check(
      await ask('new Set(M.map(String)).size === D.policies.length'),
      'no two variants have the same mark');
  check(
      await ask(
          'D.policies.every((a, i) => D.policies.every((b, j) => a.n !== b.n || M[i][0] === M[j][0]))'),
      'variants of a policy have its colour');
  const line = () => ask('document.querySelector("#sweep-line").textContent');
  let was = await line();
  for (const id of ['c-against', 'c-of', 'c-metric']) {
    await ask('document.querySelector("#' + id + '").focus()');
    await (id === 'c-against' ? key('ArrowUp', 'ArrowUp', 38) : key('ArrowDown', 'ArrowDown', 40));
    check(
        was !== await line() && await ask('document.activeElement.id') === id,
        'another choice in ' + id + ', which keeps the focus');
    was = await line();
  }
  await files(p, '#opening .tools');
  await readable(p);
  if (shot !== '-') await shots(p, shot);
});
