// SPDX-License-Identifier: Apache-2.0
//
// paper.js CHROMIUM PAGE WIDTH SHOT - operates the page of a paper (byway report CLAIMS.json):
// claims, figures, runs.
'use strict';
const {run, files, readable, shots} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector("section table.grid")', async p => {
  const {ask, key, means, check} = p;
  const text = await ask('document.querySelector("main").textContent');
  check(
      /Claims: 1 reproduced, 1 partly, 0 not/.test(text) && /because of that/.test(text),
      'claims with verdicts and reasons');
  check(
      /1\.34 ± 0\.02/.test(text) && /reproduced/.test(text),
      'a number of repeated runs has its deviation and its verdict');
  check(
      await ask('document.querySelectorAll("section path.error").length') === 2,
      'repeated runs have error bars, where they differ');
  check(
      await ask('document.querySelectorAll("section tr.load").length') === 4,
      'a row per row of the figures');
  await files(p, '.tools');
  const marks = () => ask('document.querySelectorAll("section tbody path").length');
  const axis = () => ask('document.querySelector("section thead svg").textContent');
  for (const [how, press] of Object.entries(means)) {
    const before = await marks(), toggle = '[id="p-000-F8-1"]';
    await press(toggle);
    check(await marks() < before, 'a column is taken out by ' + how);
    await press(toggle);
    check(await marks() === before, 'and put back');
    await press('#s-log');
    const log = await axis();
    await press('#s-linear');
    const linear = await axis();
    await press('#s-zoom');
    check(
        log !== linear && /0\.9.*1\.1/.test(await axis()),
        'the axis is logarithmic, from 0, and zoomed, by ' + how);
    for (const [css, what] of [
             ['button.runs', 'a number of a claim'],
             ['tr.load th.name button', 'a row of a figure']]) {
      await press(css);
      const open = await ask(
          'document.querySelector("dialog").open && document.querySelector("dialog").textContent');
      check(
          /runs\/0123/.test(open) && /byway sweep/.test(open) && /byway reproduce/.test(open),
          what + ' leads to its run and the command, by ' + how);
      if (how === 'keyboard')
        await key('Escape', 'Escape', 27);
      else
        await press('dialog .close');
      check(!await ask('document.querySelector("dialog").open'), 'and closes');
    }
    if (how !== 'keyboard') {
      await press('section tr.load td');
      check(
          await ask('tip.style.display === "block" && /in the paper/.test(tip.textContent)'),
          'a row tells its values by ' + how);
    }
    await ask('(window.printed = 0, window.print = () => { window.printed++; })');
    await press('#c-print');
    check(await ask('printed') === 1, 'print by ' + how);
  }
  await readable(p);
  if (shot !== '-') await shots(p, shot);
});
