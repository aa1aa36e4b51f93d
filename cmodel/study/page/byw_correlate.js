// SPDX-License-Identifier: Apache-2.0
// The page of `byway correlate`: simulated against measured, a point per launch, then all launches
// with the cause of their error.
const VARIANTS = ['ca', 'cg', 'na'], SIDE = 330, EDGE = 46;
const NAMES = {
  ca: 'as compiled',
  cg: 'bypassing the L1 (.cg)',
  na: 'no L1 allocation'
};
const BOTH = D.figures_ptx !== undefined;  // simulated by machine code and by PTX
M = VARIANTS.map((_, i) => [i, i, 0]);
const off = new Set();
const L = D.launches.map((l, i) => ({
                           ...l,
                           i,
                           v: VARIANTS.indexOf(l.variant),
                           name: l.kernel + ' ' + l.launch,
                           about: l.program + ', ' + l.size + ', ' + NAMES[l.variant]
                         }));
const used = VARIANTS.map((_, v) => v).filter(v => L.some(l => l.v === v));

// [title, unit, measured, simulated, logarithmic, relative bands]
const counter = name => [l => l.gpu[name] ?? NaN, l => l.simulated[name] ?? NaN];
const CHARTS = [
  ['Cycles', 'SM cycles', ...counter('cycles'), true, [0.12, 1]],
  ...(BOTH ? [[
    'Cycles by PTX', 'SM cycles', l => l.gpu.cycles ?? NaN, l => l.simulated_ptx.cycles ?? NaN,
    true, [0.12, 1]
  ]] :
             []),
  [
    'L1 hit rate of loads', 'of sectors', l => l.l1_hits_gpu ?? NaN,
    l => l.l1_hits_simulated ?? NaN, false, [0.03]
  ],
  ['Sectors requested by loads', 'sectors', ...counter('load_sectors'), true, [0.01, 1]],
  ['Sectors read from the L2', 'sectors', ...counter('l2_read_sectors'), true, [0.05, 1]],
  ['Sectors written to the L2', 'sectors', ...counter('l2_write_sectors'), true, [0.05, 1]],
  ['Sectors read from DRAM', 'sectors', ...counter('dram_read_sectors'), true, [0.1, 1]],
  ['Warp instructions', 'instructions', ...counter('warp_instructions'), true, [0.1, 1]],
  [
    'Variant relative to as compiled', 'ratio of cycles or times', l => l.variant_ratio_gpu ?? NaN,
    l => l.variant_ratio_simulated ?? NaN, true, [0.03]
  ],
];

// Ticks of a logarithmic axis, three to seven: powers of ten or parts of them, otherwise equal
// steps.
function ticksOf(low, high) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const each = (steps, every) => {
    const all = [];
    for (let e = first; e <= last; e++)
      if (e % every === 0) all.push(...steps.map(k => +(k * 10 ** e).toPrecision(2)));
    return all.filter(t => t >= low && t <= high);
  };
  for (const [steps, every] of [
           [[1], 3], [[1], 2], [[1], 1], [[1, 3], 1], [[1, 2, 5], 1], [[1, 1.5, 2, 3, 5, 7], 1]]) {
    const all = each(steps, every);
    if (all.length >= 3) return all;
  }
  const raw = (high - low) / 4, ten = 10 ** Math.floor(Math.log10(raw)),
        step = ten * [1, 2, 5, 10].find(k => k * ten >= raw), all = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) all.push(+(k * step).toPrecision(6));
  return all;
}
function axisOf(values, log) {
  if (!log)
    return {
      at: v => EDGE + (SIDE - EDGE - 10) * v,
      ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
      low: 0,
      high: 1
    };
  let low = Math.log10(Math.min(...values)) - 0.08, high = Math.log10(Math.max(...values)) + 0.08;
  if (high - low < 0.3) {
    low -= 0.15;
    high += 0.15;
  }
  return {
    at: v => EDGE + (SIDE - EDGE - 10) * (Math.log10(v) - low) / (high - low),
    ticks: ticksOf(10 ** low, 10 ** high),
    low: 10 ** low,
    high: 10 ** high
  };
}
// Text and marks are placed from the left and from the top; y grows downwards.
function scatter([title, unit, measured, simulated, log, bands]) {
  const points = L.filter(l => !off.has(l.v))
                     .map(l => ({l, x: measured(l), y: simulated(l)}))
                     .filter(p => log ? p.x > 0 && p.y > 0 : p.x >= 0 && p.y >= 0);
  if (points.length === 0) return null;
  const a = axisOf(points.flatMap(p => [p.x, p.y]), log), x = v => a.at(v),
        y = v => SIDE - a.at(v) + EDGE - 36, F1 = v => v.toFixed(1);
  const clip = v => Math.min(Math.max(v, a.low), a.high);
  let s = label(EDGE, 12, title, 'font-size:13px;font-weight:600');
  for (const t of a.ticks) {
    s += '<line class="grid" x1="' + F1(x(t)) + '" x2="' + F1(x(t)) + '" y1="' + F1(y(a.low)) +
        '" y2="' + F1(y(a.high)) + '"/><line class="grid" x1="' + F1(x(a.low)) + '" x2="' +
        F1(x(a.high)) + '" y1="' + F1(y(t)) + '" y2="' + F1(y(t)) + '"/>';
    s += label(F1(x(t)), F1(y(a.low) + 14), brief(t), 'text-anchor:middle') +
        label(EDGE - 5, F1(y(t) + 4), brief(t), 'text-anchor:end');
  }
  const line = (f, dash) => '<path d="M' + F1(x(clip(log ? a.low : 0))) + ' ' +
      F1(y(clip(f(a.low)))) + 'L' + F1(x(a.high)) + ' ' + F1(y(clip(f(a.high)))) +
      '" fill="none" stroke="var(--soft)"' + dash + '/>';
  s += line(v => v, '');
  for (const b of bands)
    for (const k of log ? [1 + b, 1 / (1 + b)] : [b, -b]) {
      // The band is cut where it leaves the square.
      const f = log ? v => v *k : v => v + k,
            from = log ? Math.max(a.low, a.low / k) : Math.max(0, -k),
            to = log ? Math.min(a.high, a.high / k) : Math.min(1, 1 - k);
      if (from < to)
        s += '<path d="M' + F1(x(from)) + ' ' + F1(y(f(from))) + 'L' + F1(x(to)) + ' ' +
            F1(y(f(to))) + '" fill="none" stroke="var(--soft)" stroke-dasharray="3 3"/>';
    }
  for (const p of points) s += mark(p.l.v, x(p.x), F1(y(p.y)));
  s += label(SIDE - 10, SIDE + 12, 'measured, ' + unit, 'text-anchor:end');
  return {w: SIDE, h: SIDE + 18, s, points, x, y, title, unit};
}
const jump = l => {
  const row = document.getElementById('launch-' + l.i);
  row.scrollIntoView({block: 'center'});
  row.focus();
};
function chart(spec) {
  const d = scatter(spec);
  if (d === null) return null;
  const box = el('div', {
    class: 'chart',
    style: 'max-width:' + 1.4 * SIDE + 'px',
    tabindex: '0',
    role: 'img',
    'aria-label': d.title + ': simulated against measured, ' + d.points.length + ' launches'
  });
  box.innerHTML = svg(d.w, d.h, d.s);
  const near = e => {
    const r = box.firstChild.getBoundingClientRect(), k = d.w / r.width,
          px = (e.clientX - r.left) * k, py = (e.clientY - r.top) * k;
    let best = null, least = 15;
    for (const p of d.points) {
      const far = Math.hypot(d.x(p.x) - px, d.y(p.y) - py);
      if (far < least) {
        least = far;
        best = p;
      }
    }
    return best;
  };
  box.addEventListener('pointermove', e => {
    const p = near(e);
    if (p === null) {
      hideTip();
      return;
    }
    showBox(
        e.clientX, e.clientY, p.l.name, p.l.about,
        [['', 'measured', p.x], ['', 'simulated', p.y], [keyMark(p.l.v), p.l.reason, '']]);
  });
  box.addEventListener('pointerleave', hideTip);
  box.addEventListener('click', e => {
    const p = near(e);
    if (p !== null) jump(p.l);
  });
  return el(
      'div', {}, box,
      tools(
          d.title, () => d,
          () => [
              ['program', 'size', 'kernel', 'launch', 'variant', 'measured', 'simulated'],
              ...d.points.map(
                  p => [p.l.program, p.l.size, p.l.kernel, p.l.launch, p.l.variant, p.x, p.y])]));
}
const charts = el(
    'div',
    {class: 'charts', style: 'grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr))'});
const draw = () => charts.replaceChildren(...CHARTS.map(chart).filter(c => c !== null));

// --- figures and launches
const part = (list, i) => list[i].launches > 0 ? digits(list[i].value ?? NaN) : '-';
const met = f => f.target === null || f.value === null                  ? '' :
    (f.bound === 'at most' ? f.value <= f.target : f.value >= f.target) ? 'yes' :
                                                                          'no';
const range = f => f.low === null ? '' : digits(f.low) + ' to ' + digits(f.high);
const figures = table(
    [
      'figure', 'all', '95 % interval', 'half A', 'half B', ...(BOTH ? ['by PTX'] : []), 'unit',
      'aim', 'met', 'launches'
    ],
    D.figures.map((f, i) => [f, i])
        .filter(([f]) => f.launches > 0)
        .map(
            ([f, i]) =>
                [f.text, part(D.figures, i), range(f), part(D.half_a, i), part(D.half_b, i),
                 ...(BOTH ? [part(D.figures_ptx, i)] : []), f.unit,
                 f.target === null ? '' : f.bound + ' ' + f.target, met(f), String(f.launches)]));
// Variants: the sides and sizes of their effects.
const varied = L.filter(
    l => l.variant_ratio_gpu !== null && l.variant_ratio_simulated !== null &&
        (l.gpu.cycles !== undefined || l.side !== null));
const sides = varied.length === 0 ?
    '' :
    table(
        [
          'launch', 'program', 'size', 'variant', 'cycles / as compiled, GPU', 'times', 'simulated',
          'side', 'effect, simulated / GPU'
        ],
        [...varied]
            .sort(
                (a, b) => Math.abs(Math.log(b.variant_ratio_gpu)) -
                    Math.abs(Math.log(a.variant_ratio_gpu)))
            .map(
                l =>
                    [l.name, l.program, l.size, l.variant, digits(l.variant_ratio_gpu),
                     digits(l.variant_ratio_times), digits(l.variant_ratio_simulated), l.side ?? '',
                     digits(l.effect_ratio)]));
const distance = l => l.cycles_ratio === null ? -1 : Math.abs(Math.log(l.cycles_ratio));
const HEAD = [
  'launch', 'program', 'size', 'variant', 'load sectors', 'L1 hits, GPU', 'simulated', 'L2 reads',
  'L2 writes', 'DRAM reads', 'cycles, GPU', 'simulated / GPU', ...(BOTH ? ['by PTX / GPU'] : []),
  'cycles went to', 'first counter that differs'
];
const ratio = (l, m) => l.gpu[m] > 0 ? digits((l.simulated[m] ?? NaN) / l.gpu[m]) : '-';
const line = l =>
    [l.name, l.program, l.size, l.variant, ratio(l, 'load_sectors'), digits(l.l1_hits_gpu),
     digits(l.l1_hits_simulated), ratio(l, 'l2_read_sectors'), ratio(l, 'l2_write_sectors'),
     ratio(l, 'dram_read_sectors'), digits(l.gpu.cycles ?? null), digits(l.cycles_ratio),
     ...(BOTH ? [digits(l.cycles_ratio_ptx) + (l.machine_code ? '' : ' (no machine code)')] : []),
     went(l), l.reason];
// The rules that the launch's cycles went to.
function went(l) {
  return l.spent.slice(0, 4)
      .filter(s => s.share >= 0.05)
      .map(s => s.rule + ' ' + (100 * s.share).toFixed(0) + ' %')
      .join(', ');
}
const sorted = [...L].sort((a, b) => distance(b) - distance(a) || a.i - b.i);
const launches = table(HEAD, sorted.map(line));
launches.id = 'launches';
[...launches.querySelectorAll('tbody tr')].forEach((row, i) => {
  row.id = 'launch-' + sorted[i].i;
  row.tabIndex = -1;
  row.lastChild.className = row.lastChild.previousSibling.className = 'left';
});
const keys =
    el('div', {class: 'bar', role: 'group', 'aria-label': 'variants'},
       ...(used.length > 1 ?
               used.map(v => toggle(NAMES[VARIANTS[v]], keyMark(v), off, v, 'v-' + v, draw)) :
               []),
       printer());
app.append(
    el('p', {class: 'verdict'}, D.verdict),
    el('p', {class: 'soft'},
       'Machine ' + D.machine + '. A point is one launch; click it to see its row. ' +
           'Dashes: the target band, and a factor of two. Half A and half B are ' +
           'every second program by name: values marked fitted were chosen on A. Intervals: ' +
           'the middle 95 % over 1,000 drawings of launches with replacement.'),
    figures, el('h2', {}, 'Simulated against measured'), keys, charts,
    ...(varied.length === 0 ?
            [] :
            [
              el('h2', {}, 'Variants, largest measured effects first'),
              el('p', {class: 'soft'},
                 'The GPU shows a side where its cycles differ by more than 5 %; where its ' +
                     'times do not differ to the same side by more than 3 %, it is undecided. ' +
                     'Effect: ratio of the logarithms, 1 is the same size. ' + D.sides.right +
                     ' right, ' + D.sides.wrong + ' wrong, ' + D.sides.undecided + ' undecided.'),
              sides
            ]),
    el('h2', {}, 'Launches, largest errors in cycles first'), launches);
draw();
