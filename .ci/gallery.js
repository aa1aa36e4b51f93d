// SPDX-License-Identifier: Apache-2.0
//
// gallery.js table LINEAR.json HASHED.json          README's table, on standard output
// gallery.js chart CHROMIUM PAGE.html OUT.svg       the first chart of a page of runs, on a
// logarithmic axis gallery.js shot CHROMIUM PAGE.html OUT.png HIGH CSS   a picture of a page from
// that element on gallery.js why CHROMIUM PAGE.html OUT.png WORKLOAD   a picture of the page with
// that workload open
'use strict';
const fs = require('fs');
const {run, nap} = require('../verif/cli/browser.js');
const [, , what, ...args] = process.argv;

// Two comparisons of the same policies and workloads on machines that differ in the set index.
function table(files) {
  const [linear, hashed] = files.map(f => JSON.parse(fs.readFileSync(f)));
  const others = linear.policies.slice(1), from = linear.runs[0].provenance;
  const title = p => linear.runs.find(r => r.policy === p).config['policy.title'];
  const row = cells => console.log('| ' + cells.join(' | ') + ' |');
  const spread = (v, sd) => v.toFixed(2) + (sd === undefined ? '' : ' ± ' + sd.toFixed(2));
  const cell = (list, get) => list.map(get).join(' / ');
  const both = w => [w, hashed.workloads.find(h => h.workload === w.workload)];
  const all = [linear, hashed].map(d => d.geomean_ipc_by_measured_class.all);
  console.log(
      'IPC over BL with the linear set index of `' + linear.machine +
      '` / with the hashed one of `' + hashed.machine + '`, which no paper states' +
      (linear.repeats > 1 ?
           ';\nmean ± standard deviation of one of ' + linear.repeats + ' runs with noise' :
           '') +
      '. Class: measured.\n');
  row(['workload', 'class', ...others.map(p => title(p).replace('Decoupled+', '+ '))]);
  console.log(
      '|---|---|' +
      '--:|'.repeat(others.length));
  for (const w of linear.workloads)
    row([
      w.workload, cell(both(w), d => d.class_here),
      ...others.map(
          p => cell(
              both(w), d => spread(d.relative_ipc[p], d.relative_ipc_sd && d.relative_ipc_sd[p])))
    ]);
  row([
    '**geometric mean**', '', ...others.map(p => cell(all, d => spread(d[p], d.sd && d.sd[p])))
  ]);
  console.log(
      '\nMade by `make gallery`, ' + from.started.slice(0, 10) + ', byway ' + from.version + ' (' +
      from.commit.slice(0, 12) + ').');
}
const open = (browser, page, main) =>
    run(browser, page, 1280, '!!document.querySelector("#app").lastChild.firstChild', main);
if (what === 'table')
  table(args);
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
