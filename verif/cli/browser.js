// SPDX-License-Identifier: Apache-2.0
//
// browser.js - opens a page in headless Chromium and operates it by mouse, keyboard and touch.
'use strict';
const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const nap = ms => new Promise(r => setTimeout(r, ms));

// main(page) gets: call, ask (value of an expression), key, means.{mouse,touch,keyboard}(css),
// check(good, name), events. Ends the process: 1 if a check failed.
exports.run = function(chromium, file, width, ready, main) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
  const child = spawn(
      chromium,
      [
        '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
        '--no-first-run', '--user-data-dir=' + home, '--remote-debugging-pipe', '--hide-scrollbars',
        'about:blank'
      ],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
  let next = 1, rest = '', failed = 0;
  const waiting = new Map(), events = [];
  child.stdio[4].on('data', d => {
    const parts = (rest + d).split('\0');
    rest = parts.pop();
    for (const p of parts) {
      const m = JSON.parse(p);
      if (m.id) {
        waiting.get(m.id)(m);
        waiting.delete(m.id);
      } else
        events.push(m);
    }
  });
  function send(method, params, sessionId) {
    const id = next++;
    child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    return new Promise(
        (done, bad) => waiting.set(
            id, m => m.error ? bad(new Error(method + ': ' + m.error.message)) : done(m.result)));
  }
  function check(good, name) {
    console.log((good ? 'ok' : 'not ok') + ' - ' + width + ' px: ' + name);
    if (!good) failed++;
  }

  async function open() {
    const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true});
    const call = (m, p) => send(m, p || {}, sessionId);
    const ask = async e => {
      const r = await call(
          'Runtime.evaluate', {expression: '(' + e + ')', returnByValue: true, awaitPromise: true});
      if (r.exceptionDetails)
        throw new Error(e + ': ' + JSON.stringify(r.exceptionDetails.exception));
      return r.result.value;
    };
    for (const d of ['Page', 'Runtime', 'Network', 'Log']) await call(d + '.enable');
    const high = +width < 500 ? 740 : 900;
    await call(
        'Emulation.setDeviceMetricsOverride',
        {width: +width, height: high, deviceScaleFactor: 1, mobile: +width < 500});
    await call('Emulation.setTouchEmulationEnabled', {enabled: true});
    await call('Page.navigate', {url: 'file://' + path.resolve(file)});
    for (let i = 0; i < 600 && !await ask('document.readyState === "complete" && ' + ready); i++)
      await nap(50);

    const centre = async css => ask(
        '(e => { e.scrollIntoView({block: "center", inline: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })(document.querySelector(' +
        JSON.stringify(css) + '))');
    const means = {
      mouse: async css => {
        const [x, y] = await centre(css);
        for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
          await call('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
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
      await call(
          'Input.dispatchKeyEvent',
          {type: 'keyDown', key: k, code, windowsVirtualKeyCode: n, text});
      await call('Input.dispatchKeyEvent', {type: 'keyUp', key: k, code, windowsVirtualKeyCode: n});
    }
    return {call, ask, key, means, check, events};
  }
  const limit = setTimeout(() => {
    check(false, 'the browser answers');
    end();
  }, 240000);
  function end() {
    clearTimeout(limit);
    child.on('exit', () => {
      fs.rmSync(home, {recursive: true, force: true, maxRetries: 10, retryDelay: 200});
      process.exit(failed ? 1 : 0);
    });
    child.kill();
  }
  function quiet() {  // no error, and no request except for the page itself
    const errors = events.filter(
        e => e.method === 'Runtime.exceptionThrown' ||
            (e.method === 'Runtime.consoleAPICalled' && /error|warn/.test(e.params.type)) ||
            (e.method === 'Log.entryAdded' && /error|warning/.test(e.params.entry.level)));
    for (const e of errors) console.log('# ' + JSON.stringify(e.params).slice(0, 400));
    check(errors.length === 0, 'no error in the console');
    const requests = events.filter(
        e => e.method === 'Network.requestWillBeSent' &&
            !/^(file|blob|data):/.test(e.params.request.url));
    // A browser that starts on a busy machine reports its first request late, twice or not at all.
    const files = events.filter(
        e => e.method === 'Network.requestWillBeSent' && /^file:/.test(e.params.request.url) &&
            e.params.request.url !== 'file://' + path.resolve(file));
    for (const e of [...requests, ...files]) console.log('# ' + e.params.request.url);
    check(requests.length + files.length === 0, 'no request but for the page');
  }
  open()
      .then(main)
      .then(quiet)
      .catch(e => {
        check(false, String(e).slice(0, 300));
      })
      .then(end);
};
exports.nap = nap;

// Every chart of the page as SVG and CSV: well-formed and in its colours.
function badFiles(css) {  // in the page
  const good = ({name, text}) => {
    if (/NaN|undefined/.test(text)) return false;
    if (/svg$/.test(name))
      return !/var\(/.test(text) &&
          !new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror');
    return text.trim().split('\n').length > 1;
  };
  return [...document.querySelectorAll(css)]
      .flatMap(t => [...t.children].map(b => {
        b.click();
        return window.lastSaved;
      }))
      .filter(f => !good(f))
      .map(f => f.name)
      .join();
}
exports.files = async function({ask, check}, css) {
  const bad = await ask('(' + badFiles + ')(' + JSON.stringify(css) + ')');
  const many = await ask('document.querySelectorAll(' + JSON.stringify(css) + ').length');
  check(many > 0 && bad === '', many + ' charts as SVG and CSV ' + bad);
};
// Rules for every page: no sideways scroll, no small text.
exports.readable = async function({ask, check}) {
  check(
      await ask('document.documentElement.scrollWidth <= innerWidth + 1'),
      'the page itself does not scroll sideways');
  const small = await ask(
      '[...document.querySelectorAll("body *")].filter(e => e.firstChild && e.firstChild.nodeType === 3 && e.firstChild.data.trim() && e.getClientRects().length && parseFloat(getComputedStyle(e).fontSize) < 11).map(e => e.tagName + " " + e.className + " " + e.textContent.slice(0, 30)).slice(0, 5).join()');
  check(small === '', 'text of 11 px and more ' + small);
};
exports.shots = async function({call, ask}, shot) {
  await ask('scrollTo(0, 0)');
  fs.writeFileSync(
      shot, Buffer.from((await call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
};
