// SPDX-License-Identifier: Apache-2.0
// The first script of every page: its data, its main element, and the creation of elements.
'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const app = document.getElementById('app');

// A kernel's name as its programmer wrote it; the data has its symbol.
const kernelName = symbol => (D.names || {})[symbol] || symbol;
// A long name with its middle left out.
const shortName = (name, most) => name.length <= most ?
    name :
    name.slice(0, Math.ceil(most * 0.6)) + '…' + name.slice(1 - Math.floor(most * 0.4));
// The short name of a kernel; the whole one is its title.
function kernelText(symbol, most) {
  const whole = kernelName(symbol), text = shortName(whole, most || 40);
  return text === symbol ?
      text :
      el('span', {title: whole === symbol ? whole : whole + ' (' + symbol + ')'}, text);
}

// An element with attributes (onNAME: a listener of event NAME) and content.
function el(tag, attributes, ...inside) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {}))
    if (k.startsWith('on'))
      e.addEventListener(k.slice(2), v);
    else
      e.setAttribute(k, v);
  e.append(...inside);
  return e;
}
