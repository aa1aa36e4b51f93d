// SPDX-License-Identifier: Apache-2.0
//
// page.js CHROMIUM PAGE WIDTH SHOT - opens a page of runs in headless Chromium at that width and
// operates its controls by mouse, keyboard and touch. Prints TAP lines without numbers; SHOT: file
// for a screenshot, "-" for none.
'use strict';
const fs = require('fs');
const {run, nap, files, readable} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector("table.grid")', async page_ => {
  const {call, ask, key, means, check} = page_;
  const paint = await ask(
      'performance.getEntriesByType("paint").filter(p => p.name === "first-contentful-paint").map(p => p.startTime)[0] ?? performance.now()');
  const drawn = () => ask('performance.timing.loadEventEnd - performance.timing.navigationStart');
  const limit = +process.env.PAGE_MS || 5000;
  let ready = await drawn();
  for (let again = 0; again < 2 && ready >= limit;
       again++) {  // waits longer, because the machine may be busy
    await call('Page.reload');
    await nap(1000);
    for (let i = 0; i < 600 &&
         !await ask('document.readyState === "complete" && !!document.querySelector("table.grid")');
         i++)
      await nap(50);
    ready = Math.min(ready, await drawn());
  }
  console.log(
      '# ' + width + ' px: first view after ' + Math.round(paint) + ' ms, all drawn after ' +
      Math.round(ready) + ' ms');
  await call('Performance.enable');
  check(ready < limit, 'it is drawn within ' + limit + ' ms');

  const marks = () => ask('document.querySelectorAll("table.grid tbody path").length');
  const loads = () => ask('document.querySelectorAll("tr.load").length');
  const names = () =>
      ask('[...document.querySelectorAll("tr.load th.name button")].map(b => b.title).join()');
  const axis = () => ask('document.querySelector(".grid thead th:nth-child(2) svg").textContent');
  const first = await ask('document.querySelector(".seg [aria-pressed=true]").id');
  const all = await loads();
  check(all > 0 && await marks() > 0, 'charts are drawn');
  for (const [how, press] of Object.entries(means)) {
    const before = await marks();
    await press('#p-1');
    check(await marks() < before, 'a policy is taken out by ' + how);
    await press('#p-1');
    check(await marks() === before, 'and put back');
    for (const id of await ask('[...document.querySelectorAll("[id^=k-]")].map(e => e.id)')) {
      await press('#' + id);
      const left = await loads();
      await press('#' + id);
      check(
          left < all && await loads() === all,
          'class ' + id.slice(2) + ' is taken out and put back by ' + how);
    }
    await press('#s-log');
    const log = await axis();
    await press('#s-linear');
    const linear = await axis();
    await press('#s-zoom');
    check(
        log !== linear && await axis() !== linear && /0\.9.*1\.1/.test(await axis()),
        'the axis is logarithmic, from 0, and zoomed, by ' + how);
    await press('#s-data');
    check(
        first === 's-data' &&
            await ask('document.querySelectorAll("tr.load td path:not([transform])").length') === 0,
        'the first axes are those of the data: no mark is an arrow at an edge');
    check(
        await ask('document.querySelectorAll("#class-chart path[transform]").length') > 0,
        'the page opens with the means of the classes');
    await press('tr.load th.name button');
    check(
        await ask(
            'document.querySelector("dialog").open && document.querySelectorAll("dialog svg").length >= 4 && location.hash.startsWith("#w=")'),
        'a workload opens by ' + how);
    const text = await ask('document.querySelector("dialog").textContent');
    check(
        /Refused accesses/.test(text) && /waits for an operand/.test(text) &&
            /DRAM reads/.test(text) && /byway run -m/.test(text),
        'it says why and how to repeat it');
    if (how === 'keyboard')
      await key('Escape', 'Escape', 27);
    else
      await press('dialog .close');
    check(!await ask('document.querySelector("dialog").open'), 'and closes');
    await press('thead th:nth-child(2) .tools button:nth-child(1)');
    check(
        /<svg xmlns/.test(await ask('(window.lastSaved || {}).text || ""')) &&
            !/var\(/.test(await ask('lastSaved.text')),
        'SVG by ' + how);
    await press('thead th:nth-child(2) .tools button:nth-child(2)');
    check((await ask('lastSaved.text')).trim().split('\n').length === all + 1, 'CSV by ' + how);
    await ask('(window.printed = 0, window.print = () => { window.printed++; })');
    await press('#c-print');
    check(await ask('printed') === 1, 'print by ' + how);
  }
  // Lists and the input field, by keyboard as a user types.
  const was = await names();
  await ask('document.querySelector("#c-order").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(
      await names() !== was && await names() === (await names()).split(',').sort().join(),
      'sorted by name');
  await key('ArrowDown', 'ArrowDown', 40);
  await key('ArrowDown', 'ArrowDown', 40);
  check(await ask('document.querySelector("#c-order").value') === 'p1', 'sorted by a policy');
  const relative = await ask('document.querySelector(".grid thead th:nth-child(2)").textContent');
  await ask('document.querySelector("#c-relative-to").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(
      relative !== await ask('document.querySelector(".grid thead th:nth-child(2)").textContent'),
      'relative to another policy');
  await ask('document.querySelector("#c-find").focus()');
  const one = (await names()).split(',')[0];
  await call('Input.insertText', {text: one});
  check((await names()).split(',').every(n => n.includes(one)), 'filtered by name');
  await ask(
      '(f => { f.value = ""; f.dispatchEvent(new Event("input")); })(document.querySelector("#c-find"))');
  await ask('document.querySelector("tr.load th.name button").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(
      await ask('document.activeElement.title') === (await names()).split(',')[1],
      'the arrows go from name to name');
  check(
      Math.abs(await ask(
          'document.querySelector("tr.load th.name").getBoundingClientRect().left - document.querySelector(".pane").getBoundingClientRect().left')) <
          3,
      'names stay');
  await ask('document.querySelector(".pane").scrollTo(0, 400)');
  check(
      Math.abs(await ask(
          'document.querySelector(".grid thead th").getBoundingClientRect().top - document.querySelector(".pane").getBoundingClientRect().top')) <
          3,
      'so do the axes');
  check(
      await ask(
          '[...document.querySelectorAll(".pane td svg, .pane thead svg, th.name button")].every(e => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth + 0.5; })'),
      'nothing of the charts is cut');
  check(
      await ask(
          '[...document.querySelectorAll("th.name button")].every(e => e.scrollWidth <= e.clientWidth + 1)'),
      'nor a name');
  check(
      await ask('METRICS.length === document.querySelectorAll(".grid thead th:not(.name)").length'),
      'every quantity has a chart');
  check(
      await ask('new Set(M.map(String)).size === D.policies.length'),
      'no two policies have the same mark');
  check(
      await ask('document.querySelector("#app").firstChild.firstChild.className') === 'verdict' &&
          /^[^.]*(fastest|No policy is faster)/.test(
              await ask('document.querySelector(".verdict").textContent')),
      'the page opens with its conclusion');
  check(
      await ask(
          '/by class \\((measured here|in the paper)\\)$/.test(document.querySelector("#opening h2").textContent)'),
      'and its classes, with what they are based on');
  const counts = await ask(
      '[...document.querySelectorAll("#opening th")].map(e => e.textContent).filter(t => /^C/.test(t)).join()');
  check(
      counts ===
              await ask(
                  'CLASSES.slice(0, 3).map(c => [c, rows().filter(w => classOf(w) === c).length]).filter(x => x[1] > 0).map(x => x[0] + " (" + x[1] + ")").join()') &&
          counts !== '',
      'table and charts count the same classes');
  await files(page_, '.tools');
  await readable(page_);
  if (shot !== '-') {
    await ask('scrollTo(0, 0)');
    const png = await call('Page.captureScreenshot', {format: 'png'});
    fs.writeFileSync(shot, Buffer.from(png.data, 'base64'));
    await ask('document.querySelector("tr.load th.name button").click()');
    await nap(200);
    fs.writeFileSync(
        shot.replace(/\.png$/, '-why.png'),
        Buffer.from((await call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
  }
});
