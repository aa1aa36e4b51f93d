// SPDX-License-Identifier: Apache-2.0
// A page of runs: every workload a row, every quantity a column, every policy a mark.
const at = {};
D.values.forEach((k, i) => { at[k] = i; });
const state = {machine: 0, scale: 'zoom', sort: 'class', find: '', off: new Set(), classes: new Set(), base: 0};
const runs = new Map();
D.runs.forEach(r => runs.set(r.m + '/' + r.w + '/' + r.p, r));

const run = (w, p) => runs.get(state.machine + '/' + w + '/' + p);
const value = (r, key) => r && !r.refused && at[key] !== undefined ? r.v[at[key]] : NaN;

// --- metrics: of a run, relative to the base policy's on the same workload where `of` says so
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

// Where a third of the ratios of IPC would lie beyond the ends of the zoomed axis, the first look is logarithmic.
function firstScale() {
  const all = rows().flatMap(w => shown().filter(p => p !== state.base).map(p => metric(METRICS[0], w, p))).filter(v => !isNaN(v));
  return all.filter(v => v < ZOOM[0] || v > ZOOM[1]).length * 3 > all.length ? 'log' : 'zoom';
}
state.scale = firstScale();

const axisOf = (m, of) => axisFor(of.flatMap(w => shown().map(p => metric(m, w, p))), m.ratio, state.scale);
const marks = get => shown().map(p => [p, get(p)]);
const showTip = (x, y, name, m, get) => showBox(x, y, name, title(m), highest(shown().map(p => [keyMark(p), D.policies[p].t, get(p)])));

// --- one metric as files
const lines = m => [['workload', 'class', ...shown().map(p => D.policies[p].t)],
  ...rows().map(w => [D.workloads[w].n, classOf(w), ...shown().map(p => metric(m, w, p))])];
const drawing = m => rowsDrawing({title: title(m), names: D.policies.map(p => p.t), shown: shown(), ratio: m.ratio,
  rows: rows().map(w => ({n: D.workloads[w].n, values: marks(p => metric(m, w, p))}))}, axisOf(m, rows()));

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
    td.innerHTML = svg(WIDE, ROW, strip(axes[i], m.ratio, marks(gets[i])));
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
    th.append(tools(m.name, () => drawing(m), () => lines(m)));
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
