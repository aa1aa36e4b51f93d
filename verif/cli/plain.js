// SPDX-License-Identifier: Apache-2.0
//
// plain.js CHROMIUM PAGE WIDTH SHOT - opens any page of byway: it has no error, no request, no
// sideways scroll, and no text that is the remains of a missing number.
'use strict';
const {run, nap, readable, shots} = require('./browser.js');
const [, , chromium, page, width, shot] = process.argv;
run(chromium, page, width, '!!document.querySelector("h1")', async p => {
  await nap(100);
  p.check(
      await p.ask('!/\\b(nan|undefined|null|infinity)\\b/i.test(document.body.innerText)'),
      'every number has a value');
  p.check(
      await p.ask(
          '[...document.querySelectorAll("svg *")].every(e => [...e.attributes].every(a => !/NaN|undefined|Infinity/.test(a.value)))'),
      'every mark has a place');
  await readable(p);
  if (shot !== '-') await shots(p, shot);
});
