// SPDX-License-Identifier: Apache-2.0
//
// many.js CHROMIUM PAGE WIDTH SHOT - the page of a sweep with more than 12 variants: ranges instead
// of marks, no numbers at marks, a filter by value, and marks again once few variants are left.
'use strict';
const {run, files, readable, shots} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector("#sweep-line svg")', async p => {
  const {ask, check, means} = p;
  const perRow = () => ask(
      'Math.max(...[...document.querySelectorAll(".pane tbody td svg")].map(s => s.querySelectorAll("path[transform]").length))');
  const numbers = () => ask(
      '[...document.querySelectorAll(".pane svg path + text, #sweep-line .lines path + text, .key path + text")].length');
  check(await ask('D.policies.length > 12 && crowded()'), 'more than 12 variants');
  check(await perRow() === 2, 'a row has marks for the fastest and the slowest alone');
  check(
      await ask(
          '[...document.querySelectorAll(".pane tr.mean td svg")].every(s => s.querySelectorAll("line[stroke-width]").length === 2)'),
      'a line over all variants, and one over the middle half');
  check(await numbers() === 0, 'no mark has a number');
  check(
      await ask(
          'D.policies[ends[0]].t === document.querySelector("#sweep-rank tbody td").textContent && document.querySelector("#crowd").textContent.includes(D.policies[ends[0]].t)'),
      'the fastest is the first by rank, and the legend names it');
  check(
      await ask(
          'document.querySelectorAll("#filter .bar").length >= varied.length && document.querySelectorAll("#filter button").length < D.policies.length'),
      'a filter with a button for each value');
  const all = await ask('shown().length'),
        first = await ask('document.querySelector("#filter button").id');
  await means.mouse('#' + first);
  check(await ask('shown().length') < all, 'a value is taken out');
  await means.mouse('#' + first);
  check(await ask('shown().length') === all, 'and put back');
  for (
      const id of await ask(
          '[...document.querySelector("#filter .bar:last-child").querySelectorAll("button")].slice(1).map(b => b.id)'))
    await means.keyboard('#' + id);
  check(
      await ask('shown().length <= 12 && !crowded()') && await perRow() > 2 &&
          await ask('document.querySelector("#crowd").textContent === ""'),
      'few variants have marks of their own');
  check(
      await ask(
          'document.querySelectorAll("tr.load th.name button")[0].click(), document.querySelector("dialog").open'),
      'a workload opens');
  await ask('document.querySelector("dialog").close()');
  await readable(p);
  await files(p, '#opening .tools');
  if (shot !== '-') await shots(p, shot);
});
