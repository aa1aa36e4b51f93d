// SPDX-License-Identifier: Apache-2.0
//
// page.js CHROMIUM PAGE WIDTH SHOT - opens a page of runs in headless Chromium of that width and works its
// controls by mouse, keyboard and touch.  Prints TAP lines without numbers; SHOT: a picture of it, "-" none.
'use strict';
const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const [, , chromium, page, width, shot] = process.argv;
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
const child = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
  '--user-data-dir=' + home, '--remote-debugging-pipe', '--hide-scrollbars', 'about:blank'],
{stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
let next = 1, rest = '', failed = 0;
const waiting = new Map(), events = [];
child.stdio[4].on('data', d => {
  const parts = (rest + d).split('\0');
  rest = parts.pop();
  for (const p of parts) {
    const m = JSON.parse(p);
    if (m.id) { waiting.get(m.id)(m); waiting.delete(m.id); } else events.push(m);
  }
});
function send(method, params, sessionId) {
  const id = next++;
  child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
  return new Promise((done, bad) => waiting.set(id, m => m.error ? bad(new Error(method + ': ' + m.error.message)) : done(m.result)));
}
const nap = ms => new Promise(r => setTimeout(r, ms));
function check(good, name) {
  console.log((good ? 'ok' : 'not ok') + ' - ' + width + ' px: ' + name);
  if (!good) failed++;
}
async function main() {
  const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true});
  const call = (m, p) => send(m, p || {}, sessionId);
  const ask = async e => {
    const r = await call('Runtime.evaluate', {expression: '(' + e + ')', returnByValue: true, awaitPromise: true});
    if (r.exceptionDetails) throw new Error(e + ': ' + JSON.stringify(r.exceptionDetails.exception));
    return r.result.value;
  };
  for (const d of ['Page', 'Runtime', 'Network', 'Log']) await call(d + '.enable');
  const high = +width < 500 ? 740 : 900;
  await call('Emulation.setDeviceMetricsOverride', {width: +width, height: high, deviceScaleFactor: 1, mobile: +width < 500});
  await call('Emulation.setTouchEmulationEnabled', {enabled: true});
  await call('Page.navigate', {url: 'file://' + path.resolve(page)});
  for (let i = 0; i < 600 && !await ask('document.readyState === "complete" && !!document.querySelector("table.grid")'); i++) await nap(50);
  const paint = await ask('performance.getEntriesByType("paint").filter(p => p.name === "first-contentful-paint").map(p => p.startTime)[0] ?? performance.now()');
  const ready = await ask('performance.timing.loadEventEnd - performance.timing.navigationStart');
  console.log('# ' + width + ' px: first view after ' + Math.round(paint) + ' ms, all drawn after ' + Math.round(ready) + ' ms');
  await call('Performance.enable');
  check(ready < (+process.env.PAGE_MS || 5000), 'it is drawn within ' + (process.env.PAGE_MS || 5000) + ' ms');

  const centre = async css => ask('(e => { e.scrollIntoView({block: "center", inline: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })(document.querySelector(' + JSON.stringify(css) + '))');
  const means = {
    mouse: async css => {
      const [x, y] = await centre(css);
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) await call('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
    },
    touch: async css => {
      const [x, y] = await centre(css);
      await call('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
      await call('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
      await nap(60);
    },
    keyboard: async css => {
      await ask('document.querySelector(' + JSON.stringify(css) + ').focus()');
      await key(' ', 'Space', 32);
    },
  };
  async function key(k, code, n) {
    const text = k.length === 1 ? k : k === 'Enter' ? '\r' : undefined;
    await call('Input.dispatchKeyEvent', {type: 'keyDown', key: k, code, windowsVirtualKeyCode: n, text});
    await call('Input.dispatchKeyEvent', {type: 'keyUp', key: k, code, windowsVirtualKeyCode: n});
  }
  const marks = () => ask('document.querySelectorAll("table.grid tbody path").length');
  const loads = () => ask('document.querySelectorAll("tr.load").length');
  const names = () => ask('[...document.querySelectorAll("tr.load th.name button")].map(b => b.title).join()');
  const axis = () => ask('document.querySelector("thead th:nth-child(2) svg").textContent');
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
      check(left < all && await loads() === all, 'class ' + id.slice(2) + ' is taken out and put back by ' + how);
    }
    await press('#s-log');
    const log = await axis();
    await press('#s-linear');
    const linear = await axis();
    await press('#s-zoom');
    check(log !== linear && await axis() !== linear && /0\.9.*1\.1/.test(await axis()), 'the axis is logarithmic, from 0, and zoomed, by ' + how);
    await press('tr.load th.name button');
    check(await ask('document.querySelector("dialog").open && document.querySelectorAll("dialog svg").length >= 4 && location.hash.startsWith("#w=")'), 'a workload opens by ' + how);
    const text = await ask('document.querySelector("dialog").textContent');
    check(/Refused accesses/.test(text) && /scoreboard/.test(text) && /dram\.reads/.test(text) && /byway run -m/.test(text), 'it says why and how to repeat it');
    if (how === 'keyboard') await key('Escape', 'Escape', 27); else await press('dialog .close');
    check(!await ask('document.querySelector("dialog").open'), 'and closes');
    await press('thead th:nth-child(2) .tools button:nth-child(1)');
    check(/<svg xmlns/.test(await ask('(window.lastSaved || {}).text || ""')) && !/var\(/.test(await ask('lastSaved.text')), 'SVG by ' + how);
    await press('thead th:nth-child(2) .tools button:nth-child(2)');
    check((await ask('lastSaved.text')).trim().split('\n').length === all + 1, 'CSV by ' + how);
    await ask('(window.printed = 0, window.print = () => { window.printed++; })');
    await press('#c-print');
    check(await ask('printed') === 1, 'print by ' + how);
  }
  // Lists and the field: by keys as a user types them.
  const was = await names();
  await ask('document.querySelector("#c-order").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(await names() !== was && await names() === (await names()).split(',').sort().join(), 'sorted by name');
  await key('ArrowDown', 'ArrowDown', 40);
  await key('ArrowDown', 'ArrowDown', 40);
  check(await ask('document.querySelector("#c-order").value') === 'p1', 'sorted by a policy');
  const relative = await ask('document.querySelector("thead th:nth-child(2)").textContent');
  await ask('document.querySelector("#c-relative-to").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(relative !== await ask('document.querySelector("thead th:nth-child(2)").textContent'), 'relative to another policy');
  await ask('document.querySelector("#c-find").focus()');
  const one = (await names()).split(',')[0];
  await call('Input.insertText', {text: one});
  check((await names()).split(',').every(n => n.includes(one)), 'filtered by name');
  await ask('(f => { f.value = ""; f.dispatchEvent(new Event("input")); })(document.querySelector("#c-find"))');
  await ask('document.querySelector("tr.load th.name button").focus()');
  await key('ArrowDown', 'ArrowDown', 40);
  check(await ask('document.activeElement.title') === (await names()).split(',')[1], 'the arrows go from name to name');
  const left = () => ask('document.querySelector(".pane").scrollLeft');
  await ask('document.querySelector(".pane").scrollTo(0, 0)');
  const wide = await ask('document.querySelector(".pane").scrollWidth > document.querySelector(".pane").clientWidth + 10');
  await key('ArrowRight', 'ArrowRight', 39);
  await nap(300);
  check(!wide || await left() > 0, 'and scroll the charts');
  check(Math.abs(await ask('document.querySelector("tr.load th.name").getBoundingClientRect().left - document.querySelector(".pane").getBoundingClientRect().left')) < 3, 'names stay');
  await ask('document.querySelector(".pane").scrollTo(0, 400)');
  check(Math.abs(await ask('document.querySelector("thead th").getBoundingClientRect().top - document.querySelector(".pane").getBoundingClientRect().top')) < 3, 'so do the axes');
  await ask('document.querySelector(".pane").scrollTo(0, 0)');
  check(await ask('document.documentElement.scrollWidth <= innerWidth + 1'), 'the page itself does not scroll sideways');
  const small = await ask('[...document.querySelectorAll("body *")].filter(e => e.firstChild && e.firstChild.nodeType === 3 && e.firstChild.data.trim() && e.getClientRects().length && parseFloat(getComputedStyle(e).fontSize) < 11).map(e => e.tagName + " " + e.className + " " + e.textContent.slice(0, 30)).slice(0, 5).join()');
  check(small === '', 'text of 11 px and more ' + small);
  if (shot !== '-') {
    await ask('scrollTo(0, 0)');
    const png = await call('Page.captureScreenshot', {format: 'png'});
    fs.writeFileSync(shot, Buffer.from(png.data, 'base64'));
    await ask('document.querySelector("tr.load th.name button").click()');
    await nap(200);
    fs.writeFileSync(shot.replace(/\.png$/, '-why.png'), Buffer.from((await call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
  }
  const errors = events.filter(e => e.method === 'Runtime.exceptionThrown' || (e.method === 'Runtime.consoleAPICalled' && /error|warn/.test(e.params.type)) ||
    (e.method === 'Log.entryAdded' && /error|warning/.test(e.params.entry.level)));
  for (const e of errors) console.log('# ' + JSON.stringify(e.params).slice(0, 400));
  check(errors.length === 0, 'no error in the console');
  const requests = events.filter(e => e.method === 'Network.requestWillBeSent' && !/^(file|blob|data):/.test(e.params.request.url));
  const files = events.filter(e => e.method === 'Network.requestWillBeSent' && /^file:/.test(e.params.request.url));
  for (const e of requests) console.log('# ' + e.params.request.url);
  check(requests.length === 0 && files.length === 1, 'no request but for the page');
}
const limit = setTimeout(() => { check(false, 'the browser answers'); end(); }, 240000);
function end() {
  clearTimeout(limit);
  child.on('exit', () => { fs.rmSync(home, {recursive: true, force: true, maxRetries: 5}); process.exit(failed ? 1 : 0); });
  child.kill();
}
main().catch(e => { check(false, String(e).slice(0, 300)); }).then(end);
