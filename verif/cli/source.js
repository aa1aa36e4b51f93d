// SPDX-License-Identifier: Apache-2.0
//
// source.js CHROMIUM PAGE WIDTH SHOT - operates the page of byway source as scope.js does for that
// of a set, and compares the numbers it shows with its data.
'use strict';
const fs = require('fs');
const {run, nap, readable} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
// The shares that the rows of a side show, and those that the data give; runs in the page.
function differences(side) {
  const k = K, list = k.instructions, expected = new Map();
  const keyOf = i => {
    const p = (k.ptx || []).find(p => p.number === list[i].ptx);
    return side === 'machine' ? i : side === 'ptx' ? list[i].ptx : p && p.file >= 0 ? p.line : 0;
  };
  list.forEach((inst, i) => {
    const all = Object.values(inst.cycles || {}).reduce((a, b) => a + b, 0) + (inst.issued || 0);
    expected.set(keyOf(i), (expected.get(keyOf(i)) || 0) + all);
  });
  const bad = [];
  for (const tr of document.querySelectorAll('.list.' + side + ' tbody tr[tabindex]')) {
    const shown = tr.querySelector('.pc').textContent,
          percent =
              100 * (expected.get(+tr.querySelector('.num').textContent) || 0) / k.warp_cycles;
    const want = percent === 0 ? '' : percent < 0.1 ? '<0.1' : percent.toFixed(1);
    if (shown !== want) bad.push(tr.textContent + ' ' + want);
  }
  return bad.slice(0, 3).join('; ');
}
run(chromium, page, width, '!!document.querySelector(".list.machine tbody tr")', async all => {
  const {call, ask, key, means, check} = all;
  for (const side of ['source', 'ptx', 'machine']) {
    const bad = await ask('(' + differences + ')("' + side + '")');
    check(bad === '', 'shares of the rows: ' + side + ' ' + bad);
  }
  const chosen = () => ask('document.querySelector("tr.sel .num").textContent');
  const shown = side =>
      ask('document.querySelector(".list.' + side + '").getBoundingClientRect().width > 0');
  check(
      await ask('document.querySelectorAll("table.hot tbody tr").length') > 3 &&
          await ask('document.querySelector("table.hot td").textContent') === await chosen(),
      'it opens on the line that waits most');
  check(
      /^[\d.]+\s% of the warp cycles pass at line \d+, which mostly waits for/.test(
          await ask('document.querySelector(".verdict").textContent')),
      'a sentence says where and what for');
  const narrow = +width <= 900;
  check(
      await shown('source') && await shown('machine') === !narrow,
      narrow ? 'one side at a time' : 'three sides');
  for (const [how, press] of Object.entries(means)) {
    await press('table.hot tbody tr:nth-child(2)');
    const does = 'document.querySelectorAll("table.hot td")[4].textContent === ' +
        'document.querySelector("tr.sel .num").textContent && ' +
        'document.querySelectorAll(".list.machine tr.on").length > 0';
    for (let i = 0; i < 40 && !await ask(does); i++) await nap(50);
    check(await ask(does), 'a row of the table chooses its line and marks its code, by ' + how);
  }
  await ask('document.querySelector(".list tr.sel").focus()');
  const before = +await chosen();
  await key('ArrowDown', 'ArrowDown', 40);
  check(+await chosen() === before + 1, 'the arrow keys move the choice');
  await key('ArrowUp', 'ArrowUp', 38);
  await key('ArrowRight', 'ArrowRight', 39);
  check(
      await ask('document.activeElement.closest(".list.ptx") !== null') && await shown('ptx'),
      'and change the side');
  await key('n', 'KeyN', 78);
  await key('p', 'KeyP', 80);
  check(await ask('document.activeElement.closest(".list.ptx") !== null'), 'n and p: the hottest');
  await ask(
      '[...document.querySelectorAll(".detail button.jump")].forEach((b, i) => b.id = "j" + i)');
  await means.keyboard('#j0');
  check(
      await ask('document.activeElement.closest(".list.machine") !== null') &&
          /machine instruction/.test(await ask('document.querySelector(".detail h3").textContent')),
      'what is waited for can be followed');
  const sum = () => ask('Math.round(rows.machine.reduce((a, r) => a + r.all, 0))');
  const total = await sum();
  await ask(
      '[...document.querySelectorAll("[aria-label^=count] button")]' +
      '.forEach((b, i) => b.id = "m" + i)');
  await means.mouse('#m1');
  check(
      await sum() === total && await ask('K.warp_cycles') === total &&
          await ask('rows.machine.filter(r => r.inst.op === "load").some(r => r.causes.dram > 0)'),
      'waits counted at what is waited for add up to the same');
  await means.mouse('#m0');
  check(
      await ask('document.documentElement.scrollWidth') <= +width + 1,
      'the page does not scroll sideways');
  await readable(all);
  if (shot !== '-') {
    await ask('scrollTo(0, 0)');
    fs.writeFileSync(
        shot,
        Buffer.from(
            (await call('Page.captureScreenshot', {format: 'png', captureBeyondViewport: true}))
                .data,
            'base64'));
  }
});
