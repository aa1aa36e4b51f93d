// SPDX-License-Identifier: Apache-2.0
//
// The commands of gallery.sh that need JavaScript:
//
// gallery.js table LINEAR.json HASHED.json
//     the table of the results page, on standard output
//
// gallery.js means LINEAR.json HASHED.json
//     README's table: its last rows
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
// cell has both, "linear / hashed".  Rows are sorted and averaged by their class in the paper,
// which does not depend on the index.
const CLASSES = ['CNF', 'CF', 'CI'];
function read(files) {
  const both = files.map(f => JSON.parse(fs.readFileSync(f))), linear = both[0];
  return {both, linear, others: linear.policies.slice(1), from: linear.runs[0].provenance};
}
const print = cells => console.log('| ' + cells.join(' | ') + ' |');
function head(d, columns) {
  const title = p => d.linear.runs.find(r => r.policy === p).config['policy.title'];
  print([...columns, ...d.others.map(p => title(p).replace('Decoupled+', '+ '))]);
  console.log(
      '|' +
      '---|'.repeat(columns.length) + '--:|'.repeat(d.others.length));
}
function means(d, columns) {
  const text = (v, sd) => v.toFixed(3) + ' ± ' + sd.toFixed(3).replace(/^0/, '');
  for (const name of CLASSES) {
    const of = c => c.geomean_ipc_by_paper_class[name];
    if (!of(d.linear).workloads) continue;
    print([
      '**' + name + ' (' + of(d.linear).workloads + ')**', ...Array(columns - 1).fill(''),
      ...d.others.map(p => d.both.map(c => text(of(c)[p], of(c).sd[p])).join(' / '))
    ]);
  }
}
const both_machines = d => 'linear set index of `' + d.linear.machine + '` / with the hashed\n' +
    'one of `' + d.both[1].machine + '`';
function table(files) {
  const d = read(files), of = (c, name) => c.workloads.find(w => w.workload === name);
  // ~: differs from 1 by at most two standard deviations of one run, as in byway compare.
  const value = (v, sd) => v.toFixed(2) + (sd > 0 && Math.abs(v - 1) <= 2 * sd ? '~' : '');
  console.log(
      'IPC over BL with the ' + both_machines(d) + ': means of ' + d.linear.repeats +
      ' runs with noise.\n~: differs from 1 by at most two standard deviations of one run. ' +
      'Rows are sorted and averaged by the\nclass in the paper; measured: with each index.\n');
  head(d, ['class', 'workload', 'measured']);
  const rows = [...d.linear.workloads].sort(
      (a, b) => CLASSES.indexOf(a.class_in_paper) - CLASSES.indexOf(b.class_in_paper) ||
          (a.workload < b.workload ? -1 : 1));
  for (const {workload, class_in_paper} of rows)
    print([
      class_in_paper, workload, d.both.map(c => of(c, workload).class_here).join(' / '),
      ...d.others.map(
          p => d.both.map(c => of(c, workload))
                   .map(w => value(w.relative_ipc[p], w.relative_ipc_sd[p]))
                   .join(' / '))
    ]);
  means(d, 3);
  console.log(
      '\nLast rows: geometric means, ± standard deviation of one run. Made by `make gallery`,\n' +
      d.from.started.slice(0, 10) + ', byway ' + d.from.version + ' (' +
      d.from.commit.slice(0, 12) + ').');
}
function summary(files) {
  const d = read(files);
  head(d, ['geometric mean of']);
  means(d, 1);
  console.log(
      '\nIPC over BL, which caches every load, with the ' + both_machines(d) +
      '; ±: standard deviation of one run of ' + d.linear.repeats + '. Classes are the paper\'s.');
}
const open = (browser, page, main) =>
    run(browser, page, 1280, '!!document.querySelector("#app").lastChild.firstChild', main);
if (what === 'table')
  table(args);
else if (what === 'means')
  summary(args);
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
