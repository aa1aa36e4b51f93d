// SPDX-License-Identifier: Apache-2.0
// The charts of a page of runs: drawn here from the numbers in #data, nothing is loaded.
'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const at = {};
D.values.forEach((k, i) => { at[k] = i; });
const COLOURS = 8, WIDE = 300, ROW = 27, AXIS = 26;
const tip = document.getElementById('tip');
const app = document.getElementById('app');
const state = {machine: 0, scale: 'zoom', sort: 'class', find: '', off: new Set(), classes: new Set(), base: 0};
const runs = new Map();
D.runs.forEach(r => runs.set(r.m + '/' + r.w + '/' + r.p, r));

function el(tag, attributes, ...inside) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {}))
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v); else e.setAttribute(k, v);
  e.append(...inside);
  return e;
}
const escaped = t => String(t).replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';');
const run = (w, p) => runs.get(state.machine + '/' + w + '/' + p);
const value = (r, key) => r && !r.refused && at[key] !== undefined ? r.v[at[key]] : NaN;
const colour = p => 'var(--q' + p % COLOURS + ')';

// --- metrics: of a run, relative to the base policy's on the same workload where `of` says so
const per = (a, b) => b > 0 ? a / b : NaN;
const METRICS = [
  {name: 'IPC', ratio: true, get: r => value(r, 'ipc')},
  {name: 'L1 hit rate, all accesses', get: r => value(r, 'l1d.hit_rate_all')},
  {name: 'L2 reads', ratio: true, get: r => value(r, 'l2.reads')},
  {name: 'energy of the memory system', ratio: true, get: r => value(r, 'energy.total_nj')},
  {name: 'DRAM reads', ratio: true, get: r => value(r, 'dram.reads')},
  {name: 'cycles with a refused access', ratio: true, get: r => value(r, 'l1d.stall_cycles')},
  {name: 'L1 hit rate, not bypassed', get: r => value(r, 'l1d.hit_rate_cached')},
  {name: 'part of accesses bypassed', get: r => per(value(r, 'l1d.bypasses'), value(r, 'l1d.accesses'))},
  {name: 'part of evictions without reuse', get: r => per(value(r, 'l1d.zero_reuse_evictions'), value(r, 'l1d.evictions'))},
];
const title = m => m.name + (m.ratio ? ' relative to ' + D.policies[state.base].t : '');
function metric(m, w, p) {
  const x = m.get(run(w, p));
  return m.ratio ? per(x, m.get(run(w, state.base))) : x;
}
const shown = () => D.policies.map((_, p) => p).filter(p => !state.off.has(p));
const here = w => D.workloads[w].k[state.machine];
const classOf = w => D.workloads[w].c !== '-' ? D.workloads[w].c : here(w) !== '-' ? here(w) : 'other';
const CLASSES = ['CNF', 'CF', 'CI', 'other'];
function rows() {
  const text = state.find.trim().toLowerCase();
  const all = D.workloads.map((_, w) => w).filter(w => !state.classes.has(classOf(w)) &&
    (text === '' || D.workloads[w].n.toLowerCase().includes(text)) && D.policies.some((_, p) => run(w, p)));
  const by = state.sort;
  const order = (a, b) => CLASSES.indexOf(classOf(a)) - CLASSES.indexOf(classOf(b));
  if (by === 'name') all.sort((a, b) => D.workloads[a].n < D.workloads[b].n ? -1 : 1);
  else if (by === 'class') all.sort((a, b) => order(a, b) || a - b);
  else if (by.startsWith('p')) {
    const v = w => { const x = metric(METRICS[0], w, +by.slice(1)); return isNaN(x) ? -1 : x; };
    all.sort((a, b) => v(b) - v(a));
  }
  return all;
}
function mean(m, of, p) { // over the workloads that every shown policy ran
  let sum = 0, n = 0;
  for (const w of of) {
    if (shown().some(q => isNaN(metric(m, w, q)))) continue;
    const x = metric(m, w, p);
    if (m.ratio && !(x > 0)) continue;
    sum += m.ratio ? Math.log(x) : x;
    n++;
  }
  return n === 0 ? NaN : m.ratio ? Math.exp(sum / n) : sum / n;
}

// --- axes
function axisOf(m, of) {
  let low = Infinity, high = -Infinity;
  for (const w of of) for (const p of shown()) {
    const x = metric(m, w, p);
    if (!isNaN(x)) { low = Math.min(low, x); high = Math.max(high, x); }
  }
  if (!isFinite(low)) { low = 0; high = 1; }
  if (!m.ratio) return linear(0, Math.max(high, 0.01));
  if (state.scale === 'zoom') return linear(0.85, 1.15);
  if (state.scale === 'log') return logarithmic(Math.min(low, 0.9), Math.max(high, 1.1));
  return linear(0, Math.max(high, 1.1));
}
function scale(a, f, ticks, low, high) {
  return {low, high, ticks, x: v => 12 + (WIDE - 24) * (Math.min(Math.max(f(v), f(low)), f(high)) - f(low)) / (f(high) - f(low))};
}
function linear(low, high) {
  const raw = (high - low) / 5, ten = 10 ** Math.floor(Math.log10(raw));
  const step = ten * [1, 2, 5, 10].find(k => k * ten >= raw * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i++) ticks.push(+(i * step).toPrecision(6));
  return scale(null, v => v, ticks, low, high);
}
function logarithmic(low, high) {
  const all = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].filter(t => t >= low * 0.999 && t <= high * 1.001);
  return scale(null, v => Math.log(Math.max(v, 1e-4)), all, low, high);
}
// --- marks: eight colours, and for each of two policies with the same colour two shapes of four
const SHAPES = ['M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z', 'M0-5.2L5 4H-5z', 'M-4-4H4V4H-4z', 'M0-5.6L5.6 0L0 5.6L-5.6 0z'];
const shape = p => SHAPES[p % 2 + 2 * (Math.floor(p / COLOURS) % 2)];
const mark = (p, x, y) => '<path d="' + shape(p) + '" transform="translate(' + x.toFixed(1) + ' ' + y + ')" fill="' + colour(p) +
  '" stroke="var(--paper)" stroke-width="0.8"/>';
const keyMark = p => '<svg viewBox="-7 -7 14 14" aria-hidden="true">' + mark(p, 0, 0) + '</svg>';
function strip(m, axis, get) {
  const y = ROW / 2;
  let s = '';
  for (const t of axis.ticks) s += '<line class="grid" x1="' + axis.x(t) + '" x2="' + axis.x(t) + '" y1="0" y2="' + ROW + '"/>';
  if (m.ratio) s += '<line class="one" x1="' + axis.x(1) + '" x2="' + axis.x(1) + '" y1="0" y2="' + ROW + '"/>';
  // Marks that would hide each other stand above each other, on three levels.
  const last = [-99, -99, -99];
  for (const [p, v] of shown().map(p => [p, get(p)]).filter(e => !isNaN(e[1])).sort((a, b) => a[1] - b[1])) {
    const x = axis.x(v), level = [1, 0, 2].reduce((a, b) => x - last[a] >= 9 || last[a] <= last[b] ? a : b);
    last[level] = x;
    s += mark(p, x, 6 + 7.5 * level);
    if (v > axis.high * 1.0001) s += '<path d="M' + (WIDE - 4) + ' ' + (y - 4) + 'l4 4l-4 4" fill="none" stroke="' + colour(p) + '"/>';
    if (v < axis.low * 0.9999) s += '<path d="M4 ' + (y - 4) + 'l-4 4l4 4" fill="none" stroke="' + colour(p) + '"/>';
  }
  return s;
}
const ticks = (axis, y) => axis.ticks.map(t => '<text class="tick" style="text-anchor:middle" x="' + axis.x(t) + '" y="' + y + '">' + t + '</text>').join('');
const svg = (w, h, inside) => '<svg width="' + w + '" height="' + h + '" viewBox="0 0 ' + w + ' ' + h + '" aria-hidden="true">' + inside + '</svg>';

// --- what a row says
const digits = x => isNaN(x) ? '-' : Math.abs(x) >= 1000 ? Math.round(x).toLocaleString('en') : (+x.toPrecision(4)).toString();
function showTip(x, y, name, m, get) {
  tip.textContent = '';
  tip.append(el('b', {}, name), el('small', {}, title(m)));
  const list = shown().map(p => [p, get(p)]).sort((a, b) => (isNaN(b[1]) ? -1 : b[1]) - (isNaN(a[1]) ? -1 : a[1]));
  for (const [p, v] of list) {
    const line = el('span', {});
    line.innerHTML = keyMark(p);
    line.append(el('span', {}, D.policies[p].t), el('em', {}, digits(v)));
    tip.append(line);
  }
  tip.style.display = 'block';
  const r = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - r.width - 8)) + 'px';
  tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - r.height - 8)) + 'px';
}
const hideTip = () => { tip.style.display = 'none'; };

// --- files
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const a = el('a', {href: url, download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  window.lastSaved = {name, text};
}
const quoted = t => /[",\n]/.test(t) ? '"' + t.replaceAll('"', '""') + '"' : t;
function csv(m) {
  const lines = [['workload', 'class', ...shown().map(p => D.policies[p].t)].map(quoted).join(',')];
  for (const w of rows()) lines.push([D.workloads[w].n, classOf(w), ...shown().map(p => { const v = metric(m, w, p); return isNaN(v) ? '' : v.toPrecision(8); })].map(quoted).join(','));
  return lines.join('\n') + '\n';
}
function chart(m) { // one metric as a picture of its own
  const of = rows(), axis = axisOf(m, of), left = 150, top = 46, keys = Math.ceil(shown().length / 4);
  const high = top + 16 * keys + ROW * of.length + AXIS;
  let s = '<text x="8" y="20" style="font-size:15px;font-weight:600">' + escaped(title(m)) + '</text>';
  shown().forEach((p, i) => {
    const x = 12 + i % 4 * 112, y = 38 + 16 * Math.floor(i / 4);
    s += mark(p, x, y) + '<text x="' + (x + 9) + '" y="' + (y + 4) + '">' + escaped(D.policies[p].t) + '</text>';
  });
  of.forEach((w, i) => {
    const y = top + 16 * keys + i * ROW;
    s += '<text x="' + (left - 6) + '" y="' + (y + 18) + '" style="text-anchor:end">' + escaped(D.workloads[w].n) + '</text><g transform="translate(' + left + ' ' + y + ')">' +
      strip(m, axis, p => metric(m, w, p)) + '</g>';
  });
  s += '<g transform="translate(' + left + ' ' + (high - AXIS) + ')">' + ticks(axis, 16) + '</g>';
  const css = getComputedStyle(document.documentElement);
  s = s.replace(/var\((--[a-z0-9]+)\)/g, (_, v) => css.getPropertyValue(v).trim());
  return '<svg xmlns="' + pane.querySelector('svg').namespaceURI + '" width="' + (left + WIDE + 10) + '" height="' + high + '" viewBox="0 0 ' + (left + WIDE + 10) + ' ' + high +
    '"><style>text{font:12px sans-serif;fill:#1c1f23}.grid{stroke:#dfe3e8}.one{stroke:#5b6470;stroke-dasharray:5 4}</style><rect width="100%" height="100%" fill="#fff"/>' + s + '</svg>\n';
}

// --- the grid of charts
const pane = el('div', {class: 'pane', tabindex: '0', role: 'region', 'aria-label': 'charts'});
function row(name, small, kind, gets, axes, open) {
  const tr = el('tr', {class: kind});
  const button = el('button', {type: 'button', title: name}, name);
  if (small) button.append(el('small', {}, small));
  if (open) button.addEventListener('click', open); else button.setAttribute('aria-disabled', 'true');
  button.addEventListener('focus', () => {
    const r = button.getBoundingClientRect();
    if (button.matches(':focus-visible')) showTip(r.right, r.top, name, METRICS[0], gets[0]);
  });
  button.addEventListener('blur', hideTip);
  tr.append(el('th', {class: 'name', scope: 'row'}, button));
  METRICS.forEach((m, i) => {
    const td = el('td');
    td.innerHTML = svg(WIDE, ROW, strip(m, axes[i], gets[i]));
    td.addEventListener('pointermove', e => { if (e.pointerType === 'mouse') showTip(e.clientX, e.clientY, name, m, gets[i]); });
    td.addEventListener('pointerleave', e => { if (e.pointerType === 'mouse') hideTip(); });
    td.addEventListener('click', e => showTip(e.clientX, e.clientY, name, m, gets[i]));
    tr.append(td);
  });
  return tr;
}
function draw() {
  hideTip();
  const of = rows(), axes = METRICS.map(m => axisOf(m, of));
  const head = el('tr', {}, el('th', {class: 'name', scope: 'col'}, of.length + ' workload' + (of.length === 1 ? '' : 's')));
  METRICS.forEach((m, i) => {
    const th = el('th', {scope: 'col'}, title(m));
    const tools = el('span', {class: 'tools'});
    tools.append(el('button', {type: 'button', onclick: () => save(m.name.replaceAll(/[^a-zA-Z0-9]+/g, '_') + '.svg', 'image/svg+xml', chart(m))}, 'SVG'),
      el('button', {type: 'button', onclick: () => save(m.name.replaceAll(/[^a-zA-Z0-9]+/g, '_') + '.csv', 'text/csv', csv(m))}, 'CSV'));
    th.append(tools);
    const box = el('div');
    box.innerHTML = svg(WIDE, AXIS - 6, ticks(axes[i], 14));
    th.append(box);
    head.append(th);
  });
  const body = el('tbody');
  for (const c of [...CLASSES, 'all']) {
    const some = c === 'all' ? of : of.filter(w => classOf(w) === c);
    if (some.length === 0 || (c === 'other' && some.length === of.length)) continue;
    body.append(row(c === 'all' ? 'mean of all' : 'mean ' + c, some.length + '', 'mean', METRICS.map(m => p => mean(m, some, p)), axes, null));
  }
  for (const w of of)
    body.append(row(D.workloads[w].n, classOf(w), 'load', METRICS.map(m => p => metric(m, w, p)), axes, () => openLoad(w)));
  pane.replaceChildren(el('table', {class: 'grid'}, el('thead', {}, head), body));
}
pane.addEventListener('keydown', e => {
  const names = [...pane.querySelectorAll('th.name button')], i = names.indexOf(document.activeElement);
  if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
    const next = names[Math.min(Math.max(i + (e.key === 'ArrowDown' ? 1 : -1), 0), names.length - 1)];
    if (next) { next.focus(); e.preventDefault(); }
  } else if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') {
    pane.scrollBy({left: e.key === 'ArrowRight' ? WIDE : -WIDE});
    e.preventDefault();
  }
});
document.addEventListener('keydown', e => { if (e.key === 'Escape') hideTip(); });
document.addEventListener('pointerdown', e => { if (!e.target.closest('td')) hideTip(); });
