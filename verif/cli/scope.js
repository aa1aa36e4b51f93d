// SPDX-License-Identifier: Apache-2.0
//
// scope.js CHROMIUM PAGE WIDTH SHOT - operates the page of a set (byw_scope.h) as page.js does for
// pages of runs.
'use strict';
const fs = require('fs');
const {run, nap} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector("#where")', async ({
                                                                   call,
                                                                   ask,
                                                                   key,
                                                                   means,
                                                                   check
                                                                 }) => {
  const where = () => ask('document.querySelector("#where").textContent');
  const step = async () => +/step (\d+)/.exec(await where())[1];
  const most = await ask('F.length');
  check(
      await step() ===
          1 +
              await ask(
                  'F.findIndex(f => f.o !== undefined || f.n !== undefined || f.l !== undefined)'),
      'it opens on the first event');
  check(
      /: \S+ on fermi with decoupled$/.test(await ask('document.querySelector("h1").textContent')),
      'the title names workload, machine and policy');
  check(
      await ask('document.querySelectorAll("#legend i").length') === 5,
      'the colours of the steps have a legend');
  check(
      /^byway run .*--waves /.test(await ask('document.querySelector("#command").textContent')) &&
          !/\.\.\./.test(await ask('document.querySelector("pre").textContent')),
      'commands are whole');
  const text = () => ask('document.querySelector(".two").textContent');
  for (const [how, press] of Object.entries(means)) {
    await press('#first');
    const first = await text();
    for (let i = 0; i < 6; i++) await press('#forward');
    check(await step() === 7 && await text() !== first, 'forwards by ' + how);
    for (let i = 0; i < 6; i++) await press('#back');
    check(await step() === 1 && await text() === first, 'and backwards, to the same');
    await press('#last');
    check(await step() === most, 'to the end');
    await press('#first');
    await press('#following');
    check(await ask('document.querySelector(".say").classList.contains("hit")'), 'to the next hit');
    await press('#play');
    await nap(1000);
    await press('#play');
    const at = await step();
    await nap(600);
    check(at > 2 && await step() === at, 'plays and pauses');
    if (how === 'keyboard') continue;
    await press('#strip');
    check(Math.abs(await step() - most / 2) < most / 10 + 2, 'a point of the strip');
  }
  await ask('document.activeElement.blur()');
  await key('Home', 'Home', 36);
  await key('ArrowRight', 'ArrowRight', 39);
  check(await step() === 2, 'arrow keys');
  check(
      /^cycle \d+/.test(await where()) &&
          /--waves-at \d+/.test(await ask('document.querySelector("pre").textContent')),
      'the cycle, and the command for its waveform');
  check(
      await ask('!!document.querySelector(".say a[href*=mechanisms], .say span")'),
      'the rule has its page');
  check(
      await ask('document.documentElement.scrollWidth') <= +width + 1,
      'the page does not scroll sideways');
  if (shot !== '-')
    fs.writeFileSync(
        shot, Buffer.from((await call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
});
