// SPDX-License-Identifier: Apache-2.0
// The first script of every page: its data, its main element, and the creation of elements.
'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const app = document.getElementById('app');

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
