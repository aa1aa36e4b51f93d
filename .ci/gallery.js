// SPDX-License-Identifier: Apache-2.0
//
// gallery.js table COMPARE.json                     README's table, on standard output
// gallery.js chart CHROMIUM PAGE.html OUT.svg       the first chart of a page of runs, on a
// logarithmic axis gallery.js shot CHROMIUM PAGE.html OUT.png HIGH CSS   a picture of a page from
// that element on gallery.js why CHROMIUM PAGE.html OUT.png WORKLOAD   a picture of the page with
// that workload open
'use strict';
const fs = require('fs');
const {run, nap} = require('../verif/cli/browser.js');
const [, , what, ...args] = process.argv;

function table(file) {
  const {policies, runs} = JSON.parse(fs.readFileSync(file)),
                   by = new Map(runs.map(r => [r.workload + '/' + r.policy, r]));
  const list = [...new Set(runs.map(r => r.policy))],
        loads = [...new Set(runs.map(r => r.workload))], from = runs[0].provenance;
  const title = p => runs.find(r => r.policy === p).config['policy.title'];
  const ratio = (w, p) => by.get(w + '/' + p).ipc / by.get(w + '/' + list[0]).ipc;
  const here = w => {
    const x = ratio(w, 'ball');
    return x > 1.02 ? 'CNF' : x < 0.98 ? 'CF' : 'CI';
  };
  const mean = p =>
      Math.exp(loads.reduce((s, w) => s + Math.log(ratio(w, p)), 0) / loads.length).toFixed(3);
  const others = list.slice(1), row = cells => console.log('| ' + cells.join(' | ') + ' |');
  console.log('On `fermi`. Column BL: thread instructions per cycle; class: measured.\n');
  row(['workload', 'class', 'BL', ...others.map(p => title(p).replace('Decoupled+', '+ '))]);
  console.log(
      '|---|---|--:|' +
      '--:|'.repeat(others.length));
  for (const w of loads)
    row([
      w, here(w), by.get(w + '/' + list[0]).ipc.toFixed(2),
      ...others.map(p => ratio(w, p).toFixed(3))
    ]);
  row(['**geometric mean**', '', '', ...others.map(mean)]);
  console.log(
      '\nMade by `make gallery`, ' + from.started.slice(0, 10) + ', byway ' + from.version + ' (' +
      from.commit.slice(0, 12) + ').');
}
const open = (browser, page, main) =>
    run(browser, page, 1280, '!!document.querySelector("#app").lastChild.firstChild', main);
if (what === 'table')
  table(args[0]);
else if (what === 'chart')
  open(args[0], args[1], async ({ask}) => {
    await ask('document.querySelector("#s-log").click()');
    await ask('document.querySelector("thead .tools button").click()');
    fs.writeFileSync(args[2], await ask('lastSaved.text'));
  });
else if (what === 'why')
  open(args[0], args[1], async ({call, ask}) => {
    await ask('document.querySelector("tr.load th.name button[title=' + args[3] + ']").click()');
    await nap(300);
    fs.writeFileSync(
        args[2],
        Buffer.from((await call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
  });
else
  open(args[0], args[1], async ({call, ask}) => {
    await nap(300);
    const y = await ask(
        'document.querySelector(' + JSON.stringify(args[4]) +
        ').getBoundingClientRect().top + scrollY - 40');
    const clip = {x: 0, y, width: 1280, height: +args[3], scale: 1};
    fs.writeFileSync(
        args[2],
        Buffer.from(
            (await call(
                 'Page.captureScreenshot', {format: 'png', captureBeyondViewport: true, clip}))
                .data,
            'base64'));
  });
