// SPDX-License-Identifier: Apache-2.0
// One workload: its timeline, the reuse in its trace, its loads. Parts without data are omitted.
const cursors = {};

// Lines over cycles: lines are [{p, step, end, values}]; a value holds for `step` cycles, the last
// one until `end`.
function overTime(name, lines, ratio) {
  const left = 60, wide = Math.max(220, Math.min(510, inside() - left - 24)), high = 130, top = 12,
        end = Math.max(...lines.map(l => l.end));
  const most = Math.max(...lines.flatMap(l => l.values.filter(v => !isNaN(v))), 1e-9);
  const axis = linear(0, end, wide), up = linear(0, ratio ? Math.min(1, most * 1.1) : most, high),
        y = v => top + high - up.x(Math.min(v, up.high));
  let s = '';
  for (const t of up.ticks)
    s += '<line class="grid" x1="' + left + '" x2="' + (left + wide) + '" y1="' + y(t).toFixed(1) +
        '" y2="' + y(t).toFixed(1) + '"/>' +
        label(left - 4, (y(t) + 4).toFixed(1), t, 'text-anchor:end');
  for (const l of lines) {
    let path = '';
    l.values.forEach((v, i) => {
      if (isNaN(v)) return;
      const x0 = left + axis.x(i * l.step), x1 = left + axis.x(Math.min((i + 1) * l.step, l.end));
      path += (path === '' || isNaN(l.values[i - 1]) ? 'M' : 'L') + x0.toFixed(1) + ' ' +
          y(v).toFixed(1) + 'L' + x1.toFixed(1) + ' ' + y(v).toFixed(1);
    });
    if (path)
      s += '<path d="' + path + '" fill="none" stroke="' + colour(l.p) + '"' + dashes(l.p) +
          ' stroke-width="' + (M[l.p][1] < 4 ? 1.6 : 3) + '"/>';
  }
  s += '<g transform="translate(' + left + ' ' + (top + high) + ')">' + ticks(axis, 14) + '</g>' +
      label(left + wide, top + high + 28, 'SM clock cycles', 'text-anchor:end');
  const box = el('div', {
    class: 'scroll chart',
    tabindex: '0',
    role: 'img',
    'aria-label': name + ' over cycles; arrow keys go through it'
  });
  box.innerHTML =
      svg(left + wide + 20, top + high + 34,
          s + '<line class="one cursor" y1="' + top + '" y2="' + (top + high) +
              '" visibility="hidden"/>');
  const cursor = box.querySelector('.cursor');
  const look = (cycle, x, y) => {
    cursors[name] = Math.min(Math.max(cycle, 0), end - 1);
    cursor.setAttribute('x1', left + axis.x(cursors[name]));
    cursor.setAttribute('x2', left + axis.x(cursors[name]));
    cursor.setAttribute('visibility', 'visible');
    showBox(
        x, y, name, 'cycle ' + digits(cursors[name]),
        lines.map(
            l =>
                [keyMark(l.p), D.policies[l.p].t,
                 l.values[Math.floor(cursors[name] / l.step)] ?? NaN]));
  };
  const point = e => {
    const r = box.firstChild.getBoundingClientRect();
    look(Math.round((e.clientX - r.left - left - 12) / (wide - 24) * end), e.clientX, e.clientY);
  };
  box.addEventListener('pointermove', e => {
    if (e.pointerType === 'mouse') point(e);
  });
  box.addEventListener('pointerleave', e => {
    if (e.pointerType === 'mouse') hideTip();
  });
  box.addEventListener('click', point);
  box.addEventListener('keydown', e => {
    if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    const r = box.getBoundingClientRect(), step = Math.min(...lines.map(l => l.step));
    look((cursors[name] ?? 0) + (e.key === 'ArrowRight' ? step : -step), r.left + 90, r.top + 10);
    e.preventDefault();
  });
  box.addEventListener('blur', hideTip);
  const key = lines
                  .map(
                      (l, i) => mark(l.p, 20 + i % 4 * 145, 34 + 16 * Math.floor(i / 4)) +
                          label(30 + i % 4 * 145, 38 + 16 * Math.floor(i / 4), D.policies[l.p].t))
                  .join('');
  return [el(
      'div', {},
      el('h4', {}, name,
         tools(
             name, () => ({
                     w: left + wide + 20,
                     h: top + high + 66 + 16 * Math.ceil(lines.length / 4),
                     s: label(8, 18, name + ', over cycles', 'font-size:15px;font-weight:600') +
                         key + '<g transform="translate(0 ' +
                         (28 + 16 * Math.ceil(lines.length / 4)) + ')">' + s + '</g>'
                   }),
             () => [
                 ['policy', 'from cycle', 'to cycle', name],
                 ...lines.flatMap(
                     l => l.values.map(
                         (v, i) =>
                             [D.policies[l.p].t, i * l.step, Math.min((i + 1) * l.step, l.end),
                              v]))])),
      box)];
}
const TIMES = [
  {name: 'thread instructions per cycle', of: t => ['thread_instructions', null]},
  {
    name: 'L1 miss rate of loads',
    ratio: true,
    of: t => [i => Math.max(0, loadMisses(k => t.counters[k][i])), 'l1d.loads']
  },
  {name: 'L1 hit rate', ratio: true, of: t => ['l1d.hits', 'l1d.accesses']},
  {name: 'share of accesses bypassed', ratio: true, of: t => ['l1d.bypasses', 'l1d.accesses']},
  {
    name: 'mode: share of SMs whose filter is on (dueling)',
    ratio: true,
    sms: 'policy_stats.filter_on_cycles'
  },
  {
    name: 'mode: share of SMs that bypass everything (two-level)',
    ratio: true,
    sms: 'policy_stats.two_level.bypass_cycles'
  },
  {
    name: 'mode: share of SMs that sample (two-level)',
    ratio: true,
    sms: 'policy_stats.two_level.sample_cycles'
  },
  {name: 'share of SMs with a refused access', ratio: true, sms: 'l1d.stall_cycles'},
  {name: 'occupancy: L1 lines in use', ratio: true, level: 'lines'},
  {name: 'occupancy: MSHRs in use', ratio: true, level: 'mshrs'},
  {name: 'occupancy: warps resident', ratio: true, level: 'warps'},
  {name: 'L2 reads per cycle', of: t => ['l2.reads', null]},
  {name: 'DRAM reads per cycle', of: t => ['dram.reads', null]},
];
function timeline(w, ps) {
  const some = ps.filter(p => run(w, p).tl), out = [];
  if (some.length === 0) return out;
  for (const q of TIMES) {
    const lines = some.map(p => {
      const t = run(w, p).tl, length = i => Math.min(t.interval, t.cycles - i * t.interval),
            of = q.of ? q.of(t) : [];
      const list = q.level            ? t.levels[q.level] :
          typeof of[0] === 'function' ? t.counters[of[1]].map((_, i) => of[0](i)) :
                                        t.counters[q.sms || of[0]];
      return {
        p,
        step: t.interval,
        end: t.cycles,
        values: list.map(
            (v, i) =>
                per(v,
                    q.level   ? t.capacity[q.level] :
                        q.sms ? length(i) * D.sms[state.machine] :
                        of[1] ? t.counters[of[1]][i] :
                                length(i)))
      };
    });
    if (lines.some(l => l.values.some(v => v > 0))) out.push(...overTime(q.name, lines, q.ratio));
  }
  return [el('h3', {}, 'Over time'), el('div', {class: 'charts'}, ...out)];
}

// --- reuse in the trace
function histogram(name, note, labels, values, curve) {
  const each = Math.min(44, Math.floor(Math.min(520, inside() - 80) / labels.length)), high = 120,
        left = 56, top = 14, most = Math.max(...values, 1), y = v => top + high - high * v / most;
  let s = '';
  for (const t of linear(0, most, high).ticks)
    s += '<line class="grid" x1="' + left + '" x2="' + (left + each * labels.length) + '" y1="' +
        y(t).toFixed(1) + '" y2="' + y(t).toFixed(1) + '"/>' +
        label(left - 4, (y(t) + 4).toFixed(1), brief(t), 'text-anchor:end');
  values.forEach((v, i) => {
    s += '<rect x="' + (left + i * each + 4) + '" y="' + y(v).toFixed(1) + '" width="' +
        (each - 8) + '" height="' + (top + high - y(v)).toFixed(1) + '" fill="var(--q2)"><title>' +
        escaped(labels[i] + ': ' + digits(v)) + '</title></rect>' +
        label(
             left + i * each + each / 2, top + high + 15, labels[i],
             'text-anchor:middle;font-size:11px');
  });
  if (curve)
    s += '<path d="' +
        curve
            .map(
                (v, i) => (i ? 'L' : 'M') + (left + i * each + each / 2) + ' ' +
                    (top + high - high * v).toFixed(1))
            .join('') +
        '" fill="none" stroke="var(--q5)" stroke-width="2"/>';
  const d = {w: left + each * labels.length + 12, h: top + high + 24, s},
        box = el('div', {class: 'scroll', tabindex: '0', role: 'img', 'aria-label': name});
  box.innerHTML = svg(d.w, d.h, s);
  return [el(
      'div', {},
      el('h4', {}, name,
         tools(
             name, () => ({
                     w: Math.max(d.w, 420),
                     h: d.h + 34,
                     s: label(8, 20, name, 'font-size:15px;font-weight:600') +
                         '<g transform="translate(0 34)">' + s + '</g>'
                   }),
             () => [
                 ['', name, ...(curve ? ['LRU hit rate'] : [])],
                 ...labels.map((l, i) => [l, values[i], ...(curve ? [curve[i]] : [])])])),
      el('p', {class: 'soft note'}, note), box)];
}
function reuse(w) {
  const r = D.trace && D.trace.reuse;
  if (!r) return [];
  const short = n => n >= 1024 ? n / 1024 + 'k' : String(n);
  const bins = list => list.map(
      (b, i) => short(b.from) +
          (i + 1 === list.length             ? '+' :
               list[i + 1].from - b.from > 1 ? '..' :
                                               ''));
  let used = r.stack_distance.length, sum = 0;
  while (used > 1 && r.stack_distance[used - 1].count === 0) used--;
  const stack = r.stack_distance.slice(0, used), lru = stack.map(b => {
    sum += b.count;
    return per(sum, r.requests);
  });
  return [
    el('h3', {}, 'Reuse in the trace'),
    el('p', {class: 'soft note'},
       'Lines that each of ' + r.sms +
           ' SMs requests in its own order, without timing (byway trace info): ' +
           digits(r.requests) + ' requests of ' + digits(r.lines) + ' lines.'),
    el('div', {class: 'charts'},
       ...histogram(
           'reuse count', 'Lines by how often an SM requests them.',
           ['once', 'twice', '3 ×', '4 × +'], r.lines_by_references),
       ...histogram(
           'reuse distance', 'Number of requests between two to the same line.', bins(r.distance),
           r.distance.map(b => b.count)),
       ...histogram(
           'stack distance',
           'Different lines between two requests to the same line; the red line: the hit rate of ' +
               'a fully associative LRU cache that holds all lines up to there. The L1 has ' +
               D.lines[state.machine] + ' lines.',
           bins(r.stack_distance).slice(0, used), stack.map(b => b.count), lru))
  ];
}

// --- loads of the code
const REASONS = ['line', 'mshr', 'merge', 'miss_queue', 'icnt'];
const BELOW = [
  'L2 reads', 'L2 writes', 'L2 hits', 'L2 misses', 'DRAM reads', 'DRAM writes', 'activates',
  'energy, nJ', 'energy, part'
];
let loadPolicy = 0;
// Kernel and pc of a row.
const loadName = l =>
    shortName(typeof l[0] === 'string' ? l[0] : l[0].textContent, 14) + ' ' + l[1];
const below = (w, p, l) => l.l2 ?
    [
      l.l2.reads, l.l2.writes + l.l2.atomics, l.l2.hits, l.l2.misses, l.dram.reads, l.dram.writes,
      l.dram.activates, l.energy.total_nj,
      per(l.energy.total_nj, value(run(w, p), 'energy.total_nj'))
    ] :
    BELOW.map(() => NaN);
const others = (w, p) =>
    [...run(w, p).oa.map(
         l => [kernelText(l.kernel), '0x' + l.pc.toString(16), l.op, ...below(w, p, l)]),
     [
       '-', '-', 'fetches of instructions, flushes, leakage and stores of the L1s',
       ...below(w, p, run(w, p).ra)
     ]];
function loadTable(w, ps) {
  const some = ps.filter(p => run(w, p).ld);
  if (some.length === 0) return [];
  if (!some.includes(loadPolicy)) loadPolicy = some[0];
  const sites = new Map(((D.trace || {}).sites || []).map(s => [s.kernel + '/' + s.pc, s]));
  const heads = [
    'kernel', 'pc', 'source line', 'argument', 'lines per access', 'requests', 'hits',
    'hits pending', 'misses', 'bypassed', 'bypassed, part', 'used again',
    ...REASONS.map(r => 'refused: ' + words('l1d.reservation_fails.' + r)), 'to the L2',
    'to the L2, of ' + D.policies[state.base].t, ...BELOW
  ];
  const key = l => l.kernel + '/' + l.pc,
        base = new Map(
            ((run(w, state.base) || {}).ld || []).map(l => [key(l), l.misses + l.bypasses]));
  const lines = p => run(w, p).ld.map(l => {
    const s = sites.get(key(l)) || {};
    return [
      kernelText(l.kernel), '0x' + l.pc.toString(16), s.line || '-',
      s.argument >= 0 ? s.argument : '-', s.accesses ? per(s.lines, s.accesses) : NaN,
      l.transactions, l.hits, l.hit_pending, l.misses, l.bypasses, per(l.bypasses, l.transactions),
      l.reused, ...REASONS.map(r => l.refused[r]), l.misses + l.bypasses,
      per(l.misses + l.bypasses, base.get(key(l))), ...below(w, p, l)
    ];
  });
  const written = rows => rows.map(l => l.map(c => typeof c === 'number' ? digits(c) : c));
  const box = el('div', {id: 'loads'}),
        fill = () => box.replaceChildren(
            table(heads, written(lines(loadPolicy))),
            ...(run(w, loadPolicy).oa ?
                    [
                      el('h3', {}, 'Stores, atomics, and accesses that no instruction requested'),
                      table(['kernel', 'pc', 'what', ...BELOW], written(others(w, loadPolicy)))
                    ] :
                    []));
  fill();
  const parts = ['hits', 'hits pending', 'misses', 'bypassed'];
  const most = lines(loadPolicy).sort((a, b) => b[5] - a[5]).slice(0, 20);
  const costly = [...run(w, loadPolicy).ld, ...(run(w, loadPolicy).oa || [])]
                     .filter(l => l.energy)
                     .sort((a, b) => b.energy.total_nj - a.energy.total_nj)
                     .slice(0, 20);
  const energy = costly.length === 0 ?
      [] :
      [stacked(
          'Energy of the costliest instructions under ' + D.policies[loadPolicy].t + ', nJ',
          costly.map(
              l => shortName(kernelName(l.kernel), 14) + ' 0x' + l.pc.toString(16) +
                  (l.op ? ' ' + l.op : '')),
          ['L1', 'crossbar', 'L2', 'DRAM'],
          costly.map(l => [l.energy.l1_nj, l.energy.icnt_nj, l.energy.l2_nj, l.energy.dram_nj]))];
  const requests = stacked(
      'Requests of the busiest loads under ' + D.policies[loadPolicy].t, most.map(l => loadName(l)),
      parts, most.map(l => l.slice(6, 10)));
  const toL2 = (p, i) => lines(p)[i] ? lines(p)[i][18] : NaN;
  const drawing = () => rowsDrawing(
      {
        title: 'requests to the L2 relative to ' + D.policies[state.base].t,
        names: D.policies.map(p => p.t),
        shown: some,
        ratio: true,
        rows:
            lines(some[0]).map((l, i) => ({n: loadName(l), values: some.map(p => [p, toL2(p, i)])}))
      },
      logarithmic(0.1, 10));
  const csv = () => [
      ['policy', ...heads],
      ...some.flatMap(
          p => lines(p).map(
              l => [D.policies[p].t, l[0].title || l[0].textContent || l[0], ...l.slice(1)]))];
  const policy =
      choice('policy', some.map(p => [String(p), D.policies[p].t]), String(loadPolicy), v => {
        loadPolicy = +v;
        refreshLoads(w);
      });
  return [
    el('div', {class: 'charts'}, requests, ...energy),
    el('h3', {}, 'Loads in the code', tools('loads', drawing, csv)),
    el('div', {class: 'bar'}, policy), box
  ];
}
function refreshLoads(w) {  // rebuilds the part in place and keeps the focus in the list
  if (D.alone)
    show();
  else
    openLoad(w);
  const list = document.querySelector('#c-policy');
  if (list) list.focus();
}
