// SPDX-License-Identifier: Apache-2.0
// A page of runs: one row per workload, one column per quantity, one mark per policy.
const at = {};
D.values.forEach((k, i) => {
  at[k] = i;
});
const state = {
  machine: 0,
  scale: 'data',
  sort: 'class',
  find: '',
  off: new Set(),
  classes: new Set(),
  values: new Set(),  // KEY=VALUE and policies of a sweep that the reader has hidden
  base: 0
};
// Splits the runs into the first of each kind, and all by seed: repeated runs differ only in
// noise.seed.
const runs = new Map(), draws = new Map();
D.runs.forEach(r => {
  const key = r.m + '/' + r.w + '/' + r.p;
  if (!runs.has(key)) {
    runs.set(key, r);
    draws.set(key, new Map());
  }
  draws.get(key).set(r.n || 0, r);
});
const SEEDS = [...new Set(D.runs.map(r => r.n || 0))];

const words = key => at[key] === undefined ? key : D.words[at[key]];
const run = (w, p) => runs.get(state.machine + '/' + w + '/' + p);
const value = (r, key) => r && !r.refused && at[key] !== undefined ? r.v[at[key]] : NaN;

// --- metrics: of a run; if `of` says so, relative to the base policy's on the same workload
const METRICS = [
  {name: 'IPC', ratio: true, get: r => value(r, 'ipc')},
  {name: 'L1 hit rate, all accesses', get: r => value(r, 'l1d.hit_rate_all')},
  {name: 'L2 reads', ratio: true, get: r => value(r, 'l2.reads')},
  {name: 'energy of the memory system', ratio: true, get: r => value(r, 'energy.total_nj')},
  {name: 'DRAM reads', ratio: true, get: r => value(r, 'dram.reads')},
  {name: 'cycles with a refused access', ratio: true, get: r => value(r, 'l1d.stall_cycles')},
  {name: 'L1 hit rate, not bypassed', get: r => value(r, 'l1d.hit_rate_cached')},
  {
    name: 'share of accesses bypassed',
    get: r => per(value(r, 'l1d.bypasses'), value(r, 'l1d.accesses'))
  },
  {
    name: 'share of evictions without reuse',
    get: r => per(value(r, 'l1d.zero_reuse_evictions'), value(r, 'l1d.evictions'))
  },
];
const title = m => m.name + (m.ratio ? ' relative to ' + D.policies[state.base].t : '');
const drawOf = (w, p, seed) =>
    (draws.get(state.machine + '/' + w + '/' + p) || new Map()).get(seed);
function metricOf(m, w, p, seed) {
  const x = m.get(drawOf(w, p, seed));
  return m.ratio ? per(x, m.get(drawOf(w, state.base, seed))) : x;
}
// Mean and standard deviation of one run over the seeds that have a value; ratios and means of
// workloads are formed within a seed.
function spread(of) {
  const all = SEEDS.map(of).filter(v => !isNaN(v)), n = all.length,
        mean = n === 0 ? NaN : all.reduce((a, b) => a + b) / n;
  return {
    mean,
    sd: n < 2 ? undefined : Math.sqrt(all.reduce((a, v) => a + (v - mean) ** 2, 0) / (n - 1))
  };
}
const metricSpread = (m, w, p) => spread(seed => metricOf(m, w, p, seed));
const metric = (m, w, p) => metricSpread(m, w, p).mean;
// The variants of a sweep: for each series its values, {key: text}; empty if nothing was varied.
const settings = D.policies.map(
    P => Object.fromEntries(P.s.trim().split(' ').filter(x => x).map(x => x.split('='))));
const varied = [...new Set(settings.flatMap(s => Object.keys(s)))];
const policyOf = p => D.policies[p].t.replace(D.policies[p].s, '').trim();
// The settings by which a reader can hide a variant: its policy and its keys.
const partsOf = p => [policyOf(p), ...Object.entries(settings[p]).map(([k, v]) => k + '=' + v)];
// If there are many series, only the fastest and the slowest have marks.
function chooseEnds(of) {
  LOOKS.clear();
  if (!crowded()) return [];
  const ends = highest(shown().map(p => ['', p, mean(METRICS[0], of, p)]))
                   .filter(e => !isNaN(e[2]))
                   .map(e => e[1]);
  if (ends.length === 0) return [];
  LOOKS.set(ends[0], [6, 0, 0]).set(ends[ends.length - 1], [3, 4, 0]);
  return [ends[0], ends[ends.length - 1]];
}
let ends = [];
// Shortens a long list in the box with values to its first and last lines.
const some = list => list.length <= MANY ?
    list :
    [...list.slice(0, 6), ['', (list.length - 9) + ' between', ''], ...list.slice(-3)];
const shown = () =>
    D.policies.map((_, p) => p)
        .filter(p => !state.off.has(p) && !partsOf(p).some(t => state.values.has(t)));
// More series do not fit in one row, chart or list of buttons; policies have colours of their own,
// the variants of one policy do not.
const MANY = Object.values(settings).some(s => Object.keys(s).length > 0) ? 12 : 24;
const crowded = () => shown().length > MANY;
// Classes of one kind, which `bases` names: measured here, or those in the paper (byw_compare.h).
const classOf = w =>
    D.workloads[w].k[state.machine] === '-' ? 'other' : D.workloads[w].k[state.machine];
const CLASSES = ['CNF', 'CF', 'CI', 'other'];
const CLASS_WORDS = {
  CNF: 'cache-unfriendly',
  CF: 'cache-friendly',
  CI: 'cache-insensitive',
  other: 'without a class'
};
function rows() {
  const text = state.find.trim().toLowerCase();
  const all = D.workloads.map((_, w) => w)
                  .filter(
                      w => !state.classes.has(classOf(w)) &&
                          (text === '' || D.workloads[w].n.toLowerCase().includes(text)) &&
                          D.policies.some((_, p) => run(w, p)));
  const by = state.sort;
  const order = (a, b) => CLASSES.indexOf(classOf(a)) - CLASSES.indexOf(classOf(b));
  if (by === 'name')
    all.sort((a, b) => D.workloads[a].n < D.workloads[b].n ? -1 : 1);
  else if (by === 'class')
    all.sort((a, b) => order(a, b) || a - b);
  else if (by.startsWith('p')) {
    const v = w => {
      const x = metric(METRICS[0], w, +by.slice(1));
      return isNaN(x) ? -1 : x;
    };
    all.sort((a, b) => v(b) - v(a));
  }
  return all;
}
// The workloads over which means are taken: those run by every shown policy that ran any. In a
// sweep: those that the base ran; a variant with a gap has no mean and does not affect the others.
function complete(m, of) {
  if (varied.length > 0) return of.filter(w => !isNaN(metric(m, w, state.base)));
  const some = shown().filter(q => of.some(w => !isNaN(metric(m, w, q))));
  return of.filter(w => some.every(q => !isNaN(metric(m, w, q))));
}
function meanOf(m, its, p, seed) {
  let sum = 0, n = 0;
  for (const w of its) {
    const x = metricOf(m, w, p, seed);
    if (isNaN(x)) return NaN;
    if (m.ratio && !(x > 0)) continue;
    sum += m.ratio ? Math.log(x) : x;
    n++;
  }
  return n === 0 ? NaN : m.ratio ? Math.exp(sum / n) : sum / n;
}
function meanSpread(m, of, p) {
  const its = complete(m, of);
  return spread(seed => meanOf(m, its, p, seed));
}
const mean = (m, of, p) => meanSpread(m, of, p).mean;

const axisOf = (m, of) =>
    axisFor(of.flatMap(w => shown().map(p => metric(m, w, p))), m.ratio, state.scale);
// get: the spread of a policy.
const marks = get => {
  const list = shown().map(p => {
    const v = get(p);
    return [p, v.mean, v.sd];
  });
  if (crowded()) list.ends = ends;
  return list;
};
const showTip = (x, y, name, m, get) =>
    showBox(x, y, name, title(m), some(highest(shown().map(p => {
              const v = get(p);
              return [
                crowded() && !ends.includes(p) ? '' : keyMark(p),
                D.policies[p].t + (v.sd === undefined ? '' : ' ± ' + digits(v.sd)), v.mean
              ];
            }))));

// --- one metric as files
const lines = m => [
    ['workload', 'class', ...shown().map(p => D.policies[p].t)],
    ...rows().map(w => [D.workloads[w].n, classOf(w), ...shown().map(p => metric(m, w, p))])];
const drawing = m => rowsDrawing(
    {
      title: title(m),
      names: D.policies.map(p => p.t),
      shown: crowded() ? ends : shown(),
      ratio: m.ratio,
      rows: rows().map(w => ({n: D.workloads[w].n, values: marks(p => metricSpread(m, w, p))}))
    },
    axisOf(m, rows()));

// --- the conclusion, and the classes
const times = x => isNaN(x) ? '-' : x.toFixed(3);
const timesOf = v => times(v.mean) + (v.sd === undefined ? '' : ' ± ' + v.sd.toFixed(3));
const listed = all =>
    all.length < 2 ? all.join('') : all.slice(0, -1).join(', ') + ' and ' + all[all.length - 1];
// "Decoupled+dueling is best: 1.239 times the IPC of BL, the geometric mean of 58 workloads; ..."
function conclusion(of) {
  const others = shown().filter(p => p !== state.base), base = D.policies[state.base].t;
  const best = others.map(p => [mean(METRICS[0], of, p), p])
                   .filter(x => !isNaN(x[0]))
                   .sort((a, b) => b[0] - a[0])[0];
  if (!best) return '';
  const [value, p] = best, n = complete(METRICS[0], of).length;
  const each = of.map(w => [metric(METRICS[0], w, p), D.workloads[w].n])
                   .filter(x => !isNaN(x[0]))
                   .sort((a, b) => a[0] - b[0]);
  const losses = each.filter(x => x[0] < 0.98).length;
  if (value < 1)
    return 'No policy is faster than ' + base + ': the best, ' + D.policies[p].t + ', has ' +
        times(value) + ' of its IPC (geometric mean of ' + n + ' workload' + (n === 1 ? '' : 's') +
        ').';
  return D.policies[p].t + ' is the fastest: ' + times(value) + ' times the IPC of ' + base +
      (n > 1 ? ', the geometric mean of ' + n + ' workloads, from ' + times(each[0][0]) + ' (' +
               each[0][1] + ') to ' + times(each[each.length - 1][0]) + ' (' +
               each[each.length - 1][1] + '); it loses more than 2 % on ' +
               (losses === 0 ? 'no workload' :
                               losses + (losses === 1 ? ' workload' : ' workloads')) :
               ' on ' + each[0][1]) +
      '.';
}
// Largest number of policies in a small chart; of more, the fastest are shown.
const CHARTED = 12;
const fastest = (kinds, policies) =>
    highest(policies.map(p => ['', p, mean(METRICS[0], kinds[0][1], p)]))
        .slice(0, CHARTED)
        .map(e => e[1])
        .sort((a, b) => a - b);
// The geometric mean of each class by policy, over a thin line from the lowest to the highest
// workload and a thick one around the middle half of them.
function classChart(kinds, policies) {
  const m = METRICS[0], ps = policies.length <= CHARTED ? policies : fastest(kinds, policies),
        left = 72, top = 8, each = 15, gap = 10, wide = Math.min(640, room() - 24);
  const all = kinds
                  .flatMap(([c, some]) => ps.map(p => {
                    const its =
                        some.map(w => metric(m, w, p)).filter(v => !isNaN(v)).sort((a, b) => a - b);
                    return {c, p, count: some.length, its, mean: mean(m, some, p)};
                  }))
                  .filter(r => r.its.length > 0 && !isNaN(r.mean));
  if (all.length === 0) return [];
  const axis = axisFor(all.flatMap(r => r.its), true, 'data', wide - left - 12),
        x = v => left + axis.x(v), F1 = v => v.toFixed(1);
  let s = '', y = top, last = null;
  const rows_ = all.map(r => {
    if (last !== null && r.c !== last) y += gap;
    const first = r.c !== last;
    last = r.c;
    y += each;
    return {...r, y: y - each / 2, first};
  });
  const bottom = y + 4;
  for (const t of axis.ticks)
    s += '<line class="grid" x1="' + F1(x(t)) + '" x2="' + F1(x(t)) + '" y1="' + top + '" y2="' +
        bottom + '"/>' + label(F1(x(t)), bottom + 14, brief(t), 'text-anchor:middle');
  s += '<line x1="' + F1(x(1)) + '" x2="' + F1(x(1)) + '" y1="' + top + '" y2="' + bottom +
      '" stroke="var(--soft)"/>';
  for (const r of rows_) {
    const bar = (from, to, thick) => '<line x1="' + F1(x(from)) + '" x2="' + F1(x(to)) + '" y1="' +
        F1(r.y) + '" y2="' + F1(r.y) + '" stroke="' + colour(r.p) +
        '" stroke-opacity="0.55" stroke-width="' + thick + '"/>';
    if (r.first) s += label(4, F1(r.y + 4), r.c + ' (' + r.count + ')', 'font-weight:600');
    s += bar(r.its[0], r.its[r.its.length - 1], 1) +
        bar(quantile(r.its, 0.25), quantile(r.its, 0.75), 5) + mark(r.p, x(r.mean), F1(r.y));
  }
  const box = el('div', {
    class: 'lines',
    id: 'class-chart',
    role: 'img',
    'aria-label': title(m) + ' by class: means and spread, as in the table below'
  }),
        key = el('div', {class: 'key'});
  box.innerHTML = svg(wide, bottom + 18, s);
  for (const p of ps) {
    const one = el('span');
    one.innerHTML = keyMark(p);
    one.append(D.policies[p].t);
    key.append(one);
  }
  return [
    key, box,
    el('p', {class: 'soft note'},
       'Mark: geometric mean. Thick line: the middle half of the workloads; thin line: all.' +
           (ps.length < policies.length ? ' The ' + CHARTED + ' fastest policies.' : ''))
  ];
}
function classTable(of) {
  const basis = D.bases[state.machine], ps = shown();
  const kinds =
      ['all', ...CLASSES]
          .map(c => [c, c === 'all' ? of : of.filter(w => classOf(w) === c)])
          .filter(([c, some]) => some.length > 0 && (c !== 'other' || some.length < of.length));
  return [
    el('h2', {}, 'IPC relative to ' + D.policies[state.base].t + ' by class (' + basis + ')'),
    ...classChart(kinds, ps),
    el('p', {class: 'soft note'},
       'Geometric means. CNF cache-unfriendly, CF cache-friendly, CI cache-insensitive, by ' +
           'IPC(BALL) / IPC(BL)' +
           (basis === 'in the paper' ?
                ' in table 1 of the Decoupled L1D paper, because these runs do not include ' +
                    'both BL and BALL.' :
                ': above 1.02 CNF, below 0.98 CF, else CI.') +
           (SEEDS.length < 2 ?
                '' :
                ' ±, and the lines at marks: standard deviation of a single run, from ' +
                    SEEDS.length + ' runs that differ in noise.seed.')),
    table(
        ['', ...kinds.map(([c, some]) => c + ' (' + some.length + ')')],
        ps.map(
            p => [D.policies[p].t, ...kinds.map(([
                                                  , some
                                                ]) => timesOf(meanSpread(METRICS[0], some, p)))]))
  ];
}

// --- the grid of charts: as many metrics side by side as fit, the others below
const pane = el('div', {class: 'pane', tabindex: '0', role: 'region', 'aria-label': 'charts'});
const inside = () =>
    D.alone ? room() : Math.min(1240, innerWidth * 0.96) - 50;  // the width of a workload's view
const room = () => Math.max(300, Math.min(app.clientWidth || innerWidth, innerWidth) - 4);
const NAME = () => innerWidth < 600 ? 112 : 168;
function row(name, small, kind, gets, axes, open, some) {
  const tr = el('tr', {class: kind});
  const button = el('button', {type: 'button', title: name}, name);
  if (small) button.append(el('small', {}, small));
  if (open)
    button.addEventListener('click', open);
  else
    button.setAttribute('aria-disabled', 'true');
  button.addEventListener('focus', () => {
    const r = button.getBoundingClientRect();
    if (button.matches(':focus-visible'))
      showTip(r.right, r.top, name, METRICS[some[0]], gets[some[0]]);
  });
  button.addEventListener('blur', hideTip);
  tr.append(el('th', {class: 'name', scope: 'row'}, button));
  for (const i of some) {
    const m = METRICS[i], td = el('td');
    td.innerHTML = svg(WIDE, ROW, strip(axes[i], m.ratio, marks(gets[i])));
    td.addEventListener('pointermove', e => {
      if (e.pointerType === 'mouse') showTip(e.clientX, e.clientY, name, m, gets[i]);
    });
    td.addEventListener('pointerleave', e => {
      if (e.pointerType === 'mouse') hideTip();
    });
    td.addEventListener('click', e => showTip(e.clientX, e.clientY, name, m, gets[i]));
    tr.append(td);
  }
  return tr;
}
// A block of charts; `again`: a further block, whose rows repeat those above.
function block(of, axes, some, again) {
  const head =
      el('tr', {},
         el('th', {class: 'name', scope: 'col'},
            of.length + ' workload' + (of.length === 1 ? '' : 's')));
  for (const i of some) {
    const m = METRICS[i], th = el('th', {scope: 'col'}, title(m));
    th.append(tools(m.name, () => drawing(m), () => lines(m)));
    const box = el('div');
    box.innerHTML = svg(WIDE, AXIS - 6, ticks(axes[i], 14));
    th.append(box);
    head.append(th);
  }
  const body = el('tbody'),
        one = w =>
            row(D.workloads[w].n, classOf(w), again ? 'again' : 'load',
                METRICS.map(m => p => metricSpread(m, w, p)), axes, () => openLoad(w), some);
  const means = (name, of_) =>
      row(name, of_.length + '', 'mean', METRICS.map(m => p => meanSpread(m, of_, p)), axes, null,
          some);
  body.append(means('mean of all', of));
  for (const c of CLASSES) {
    const its = of.filter(w => classOf(w) === c);
    if (its.length > 0 && (c !== 'other' || its.length < of.length))
      body.append(means('mean ' + c, its));
    if (state.sort === 'class') body.append(...its.map(one));
  }
  if (state.sort !== 'class') body.append(...of.map(one));
  const grid = el('table', {class: 'grid'}, el('thead', {}, head), body);
  grid.style.setProperty('--name', NAME() + 'px');
  return grid;
}
const opening = el('div', {id: 'opening'});
function draw() {
  hideTip();
  const beside = Math.max(1, Math.min(METRICS.length, Math.floor((room() - NAME()) / 280)));
  WIDE = Math.floor((room() - NAME()) / beside) - 13;  // padding and border
  const of = rows(), axes = METRICS.map(m => axisOf(m, of));
  ends = chooseEnds(of);
  opening.replaceChildren(
      el('p', {class: 'verdict'}, conclusion(of)),
      ...(varied.length > 0 ? sweepView(of) : classTable(of)));
  const blocks = [];
  for (let i = 0; i < METRICS.length; i += beside)
    blocks.push(block(of, axes, METRICS.map((_, k) => k).slice(i, i + beside), i > 0));
  pane.replaceChildren(...blocks);
  crowdKey.replaceChildren(...crowdLegend());
}
// How to read rows of many variants.
const crowdKey = el('p', {class: 'soft note', id: 'crowd'});
function crowdLegend() {
  if (ends.length === 0) return [];
  const one = (p, text) => {
    const e = el('span', {class: 'bar'});
    e.innerHTML = keyMark(p);
    e.append(text + D.policies[p].t);
    return e;
  };
  return [
    'Thin line: all ' + shown().length + ' variants; thick: the middle half of them. ',
    one(ends[0], 'the fastest, '), one(ends[1], 'the slowest, '),
    'by the mean of IPC. Up to ' + MANY +
        ' variants have marks of their own: take values out above.'
  ];
}
pane.addEventListener('keydown', e => {
  const names = [...pane.querySelectorAll('th.name button')],
        i = names.indexOf(document.activeElement);
  if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
  const next = names[Math.min(Math.max(i + (e.key === 'ArrowDown' ? 1 : -1), 0), names.length - 1)];
  if (next) {
    next.focus();
    e.preventDefault();
  }
});
let lastWidth = innerWidth;
addEventListener('resize', () => {
  if (innerWidth !== lastWidth) {
    lastWidth = innerWidth;
    show();
  }
});
