// SPDX-License-Identifier: Apache-2.0
//
// The commands of gallery.sh that need JavaScript:
//
// gallery.js table LINEAR.json HASHED.json
//     README's table, on standard output
//
// gallery.js chart CHROMIUM PAGE.html OUT.svg
//     the first chart of a page of runs, on a logarithmic axis
//
// gallery.js shot CHROMIUM PAGE.html OUT.png HIGH CSS
//     a picture of a page from that element on
//
// gallery.js why CHROMIUM PAGE.html OUT.png WORKLOAD
//     a picture of the page with that workload open
'use strict';
const fs = require('fs');
const {run, nap} = require('../verif/cli/browser.js');
const [, , what, ...args] = process.argv;

// Two comparisons of the same policies and workloads on machines that differ in the set index: each
// cell has both, "linear / hashed".
function table(files) {
  const both = files.map(f => JSON.parse(fs.readFileSync(f))), linear = both[0];
  const others = linear.policies.slice(1), from = linear.runs[0].provenance;
  const title = p => linear.runs.find(r => r.policy === p).config['policy.title'];
  const row = cells => console.log('| ' + cells.join(' | ') + ' |');
  const cell = get => both.map(get).join(' / ');
  // ~: differs from 1 by at most two standard deviations of one run, as in byway compare.
  const value = (v, sd) => v.toFixed(2) + (sd > 0 && Math.abs(v - 1) <= 2 * sd ? '~' : '');
  const mean = (v, sd) => v.toFixed(3) + ' ± ' + sd.toFixed(3).replace(/^0/, '');
  const of = (d, name) => d.workloads.find(w => w.workload === name);
  console.log(
      'IPC over BL with the linear set index of `' + linear.machine +
      '` / with the hashed one of `' + both[1].machine + '`:\nmeans of ' + linear.repeats +
      ' runs with noise. ~: differs from 1 by at most two standard deviations of one run.\n' +
      'Class: as measured with each index.\n');
  row(['workload', 'class', ...others.map(p => title(p).replace('Decoupled+', '+ '))]);
  console.log(
      '|---|---|' +
      '--:|'.repeat(others.length));
  for (const {workload} of linear.workloads)
    row([
      workload, cell(d => of(d, workload).class_here),
      ...others.map(
          p =>
              cell(d => value(of(d, workload).relative_ipc[p], of(d, workload).relative_ipc_sd[p])))
    ]);
  for (const name of ['CNF', 'CF', 'CI']) {
    const means = d => d.geomean_ipc_by_paper_class[name];
    if (!means(linear).workloads) continue;
    row([
      '**' + name + ' in the paper (' + means(linear).workloads + ')**', '',
      ...others.map(p => cell(d => mean(means(d)[p], means(d).sd[p])))
    ]);
  }
  console.log(
      '\nLast rows: geometric means, ± standard deviation of one run. Made by `make gallery`,\n' +
      from.started.slice(0, 10) + ', byway ' + from.version + ' (' + from.commit.slice(0, 12) +
      ').');
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
