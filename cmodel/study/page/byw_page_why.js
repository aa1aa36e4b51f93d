// SPDX-License-Identifier: Apache-2.0
// One workload under all policies: the reasons why they differ; and the controls of a page of runs.
// A store that finds no line is counted as a miss; here misses are those of loads.
const loadMisses = get => get('l1d.misses') - (get('l1d.stores') - get('l1d.store_hits'));
const PARTS = [
  {
    name: 'Accesses of the L1',
    words: [
      'hits of loads', 'hits on pending lines', 'misses of loads', 'bypassed loads', 'stores',
      'atomics'
    ],
    get: get =>
        [get('l1d.hits') - get('l1d.store_hits'), get('l1d.hit_pending'), loadMisses(get),
         get('l1d.bypasses') - get('l1d.atomics'), get('l1d.stores'), get('l1d.atomics')]
  },
  {
    name: 'Refused accesses, by missing resource',
    keys: [
      'l1d.reservation_fails.line', 'l1d.reservation_fails.mshr', 'l1d.reservation_fails.merge',
      'l1d.reservation_fails.miss_queue', 'l1d.reservation_fails.icnt'
    ]
  },
  {
    name: 'Cycles of the warp schedulers',
    keys: [
      'schedulers.issued', 'schedulers.memory', 'schedulers.scoreboard', 'schedulers.unit',
      'schedulers.fetch', 'schedulers.barrier', 'schedulers.empty'
    ]
  },
  {
    name: 'Energy of the memory system, nJ',
    keys: ['energy.l1_nj', 'energy.icnt_nj', 'energy.l2_nj', 'energy.dram_nj']
  },
];
const NUMBERS = [
  'cycles', 'ipc', 'l1d.accesses', 'l1d.hit_rate_all', 'l1d.hit_rate_cached', 'l1d.fills',
  'l1d.evictions', 'l1d.zero_reuse_evictions', 'l1d.stall_cycles', 'l2.reads', 'l2.hits',
  'l2.misses', 'dram.reads', 'dram.writes', 'dram.row_hits', 'dram.activates', 'energy.total_nj'
];
const SHADES = [6, 2, 1, 3, 4, 5, 7].map(q => 'var(--q' + q + ')');
const dialog = el('dialog', {'aria-label': 'one workload'});
document.body.append(dialog);

// A chart of stacked parts: names of the bars, names of the parts, values[bar][part].
function stacked(name, bars, parts, values) {
  const left = Math.min(150, 14 + 6.6 * Math.max(...bars.map(b => b.length))),
        wide = Math.max(90, Math.min(350, inside() - left - 90)), high = 22,
        shade = c => SHADES[c % SHADES.length];
  const totals = values.map(v => v.reduce((a, b) => a + (b || 0), 0)),
        most = Math.max(...totals, 1e-9);
  const draw = (top, key) => {
    let s = '';
    bars.forEach((bar, i) => {
      let x = left;
      const y = top + i * high;
      s += label(left - 6, y + 15, bar, 'text-anchor:end');
      values[i].forEach((v, c) => {
        const width = wide * (v || 0) / most;
        s += '<rect x="' + x.toFixed(1) + '" y="' + (y + 3) + '" width="' + width.toFixed(1) +
            '" height="' + (high - 6) + '" fill="' + shade(c) + '"><title>' +
            escaped(bar + ', ' + parts[c] + ': ' + digits(v || 0)) + '</title></rect>';
        x += width;
      });
      s += label((x + 6).toFixed(1), y + 15, digits(totals[i]));
    });
    if (key)
      parts.forEach((p, c) => {
        s += '<rect x="' + (12 + c * 110) + '" y="30" width="10" height="10" fill="' + shade(c) +
            '"/>' + label(26 + c * 110, 40, p);
      });
    return s;
  };
  const box = el('div', {class: 'scroll'}), key = el('div', {class: 'key'});
  box.innerHTML = svg(left + wide + 90, bars.length * high + 4, draw(0, false));
  parts.forEach(
      (p, c) => key.append(el('span', {}, el('i', {style: 'background:' + shade(c)}), p)));
  return el(
      'div', {},
      el('h3', {}, name,
         tools(
             name, () => ({
                     w: Math.max(left + wide + 90, 20 + 110 * parts.length),
                     h: 56 + bars.length * high,
                     s: label(8, 20, name, 'font-size:15px;font-weight:600') + draw(50, true)
                   }),
             () => [['', ...parts], ...bars.map((b, i) => [b, ...values[i]])])),
      key, box);
}
// The command that repeats this run.
const word = t => /^[\w@%+=:,./-]+$/.test(t) ? t : '\'' + t.replaceAll('\'', '\'\\\'\'') + '\'';
function again(w, p) {
  const P = D.policies[p], W = D.workloads[w];
  return 'byway run -m ' + D.machines[state.machine] + ' -p ' + P.n +
      (W.a ? ' -w ' + W.n : ' -t ' + word(run(w, p).t || W.n)) + P.s.replaceAll(' ', ' --set ') +
      (run(w, p).tl ? ' --timeline 200 --loads' : '') + ' --json F';
}

// --- kernels: the same reasons for each kernel
const KERNEL = D.kernel, PER_KERNEL = [
  {name: 'cycles', keys: ['cycles'], ratio: true},
  {name: 'L1 hit rate, all accesses', keys: ['l1d.hits'], of: 'l1d.accesses'},
  {name: 'part bypassed', keys: ['l1d.bypasses'], of: 'l1d.accesses'},
  ...['line', 'mshr', 'merge', 'miss_queue', 'icnt'].map(
      k => ({
        name: 'refused: ' + words('l1d.reservation_fails.' + k),
        keys: ['l1d.reservation_fails.' + k]
      })),
  {name: 'scheduler cycles, waits for the L1', keys: ['schedulers.memory']},
  {name: 'scheduler cycles, waits for an operand', keys: ['schedulers.scoreboard']},
  {name: 'L2 reads', keys: ['l2.reads'], ratio: true},
  {name: 'DRAM traffic', keys: ['dram.reads', 'dram.writes'], ratio: true},
  {name: 'energy, nJ', keys: ['energy.total_nj'], ratio: true},
];
function kernels(w, ps) {
  const names = [...new Set(ps.flatMap(p => (run(w, p).k || []).map(k => k[0])))];
  const get = (p, name, key) => {
    const k = (run(w, p).k || []).find(x => x[0] === name);
    return k ? k[2 + KERNEL.indexOf(key)] ?? NaN : NaN;
  };
  const sum = (p, name, q) =>
      per(q.keys.reduce((a, k) => a + get(p, name, k), 0), q.of ? get(p, name, q.of) : 1);
  const all = [['kernel', 'quantity', ...ps.map(p => D.policies[p].t)]];
  const boxes = names.map(name => {
    const lines = [];
    for (const q of PER_KERNEL) {
      const values = ps.map(p => sum(p, name, q)), base = sum(state.base, name, q);
      if (values.every(v => isNaN(v) || v === 0)) continue;
      all.push([kernelName(name), q.name, ...values]);
      lines.push([
        q.name,
        ...values.map(v => digits(v) + (q.ratio && base > 0 ? ' (' + digits(v / base) + ')' : ''))
      ]);
    }
    const launches = (run(w, ps[0]).k || []).find(x => x[0] === name);
    return el(
        'details', names.length < 4 ? {open: ''} : {},
        el('summary', {}, kernelText(name, 60),
           (launches ? ', ' + launches[1] + (launches[1] === 1 ? ' launch' : ' launches') : '')),
        table(['', ...ps.map(p => D.policies[p].t)], lines));
  });
  const bars = names.slice(0, 6).flatMap(n => ps.map(p => [n, p]));
  const cycles = {
    title: 'cycles of kernels relative to ' + D.policies[state.base].t,
    names: D.policies.map(p => p.t),
    shown: ps,
    ratio: true,
    rows:
        names.map(n => ({
                    n: shortName(kernelName(n), 24),
                    values: ps.map(p => [p, per(get(p, n, 'cycles'), get(state.base, n, 'cycles'))])
                  }))
  };
  return bars.length === 0 ? [] : [
    el('h3', {}, 'Kernels; in parentheses relative to ' + D.policies[state.base].t,
       tools(
           'kernels',
           () => rowsDrawing(
               cycles, axisFor(cycles.rows.flatMap(r => r.values.map(v => v[1])), true, 'log')),
           () => all)),
    ...boxes
  ];
}

// The conclusion, and the quantity that changes most with the best policy.
function verdict(w, ran) {
  const base = run(w, state.base), name = D.policies[state.base].t, kind = classOf(w);
  const all = ran.filter(p => p !== state.base)
                  .map(p => [metric(METRICS[0], w, p), p])
                  .filter(x => !isNaN(x[0]))
                  .sort((a, b) => b[0] - a[0]);
  const begin = D.workloads[w].n +
      (kind === 'other' ?
           '' :
           ' is ' + CLASS_WORDS[kind] + ' (' + kind + ', ' + D.bases[state.machine] + ')');
  if (all.length === 0) return begin + '.';
  const [best, p] = all[0], r = run(w, p);
  const change = key => digits(value(base, key)) + ' to ' + digits(value(r, key));
  return begin + (kind === 'other' ? ': ' : '; ') +
      (best < 1 ?
           'no policy is faster than ' + name + ': the best, ' + D.policies[p].t + ', has ' +
               times(best) + ' of its IPC' :
           D.policies[p].t + ' is the fastest: ' + times(best) + ' times the IPC of ' + name) +
      '. With it, L1 stall cycles change from ' + change('l1d.stall_cycles') +
      ', the L1 hit rate from ' + change('l1d.hit_rate_all') + ', L2 reads from ' +
      change('l2.reads') + '.';
}

// The policies in a workload's view: of many, the base, the five fastest and the slowest.
function chosen(w) {
  const all = shown().filter(p => run(w, p));
  if (all.length <= MANY) return all;
  const order = highest(all.map(p => ['', p, metric(METRICS[0], w, p)]))
                    .filter(e => !isNaN(e[2]))
                    .map(e => e[1]);
  const some = new Set([state.base, ...order.slice(0, 5), ...order.slice(-1)]);
  return all.filter(p => some.has(p));
}

// Everything known about a workload, for a dialog or a separate page.
function loadView(w) {
  const W = D.workloads[w], ps = chosen(w), ran = ps.filter(p => !run(w, p).refused),
        base = run(w, state.base);
  if (D.alone) opening.replaceChildren(el('p', {class: 'verdict'}, verdict(w, ran)));
  const out = [
    ...(D.alone ? [] : [el('p', {class: 'verdict'}, verdict(w, ran))]),
    el('p', {class: 'soft'},
       'Machine ' + D.machines[state.machine] + '. ' + (W.a || 'A trace of yours') +
           (W.c === '-' ? '.' : '. Class in the paper: ' + W.c + '.'))
  ];
  if (shown().length > MANY)
    out.push(el(
        'p', {class: 'note'},
        'Of ' + shown().length + ' variants: the one all are relative to, the five fastest and ' +
            'the slowest.'));
  for (const p of ps)
    if (run(w, p).refused)
      out.push(el('p', {class: 'note'}, D.policies[p].t + ': ' + run(w, p).refused));
  const names = ran.map(p => D.policies[p].t);
  out.push(
      el('div', {class: 'charts'},
         ...PARTS.map(
             part => stacked(part.name, names, part.words || part.keys.map(words), ran.map(p => {
               const get = k => value(run(w, p), k);
               return part.get ? part.get(get) : part.keys.map(get);
             })))));
  out.push(...timeline(w, ran), ...reuse(w), ...loadTable(w, ran));
  const numbers = NUMBERS.filter(k => at[k] !== undefined);
  const relative = {
    title: 'numbers relative to ' + D.policies[state.base].t,
    names: D.policies.map(p => p.t),
    shown: ran,
    ratio: true,
    rows: numbers.map(
        k => ({n: words(k), values: ran.map(p => [p, per(value(run(w, p), k), value(base, k))])}))
  };
  out.push(
      el('h3', {}, 'Numbers; below them those of ' + D.policies[state.base].t + ' = 1',
         tools(
             'numbers of ' + W.n,
             () => rowsDrawing(
                 relative,
                 axisFor(relative.rows.flatMap(r => r.values.map(v => v[1])), true, 'log')),
             () => [
                 ['', ...names],
                 ...numbers.map(k => [words(k), ...ran.map(p => value(run(w, p), k))])])),
      table(['', ...names], numbers.flatMap(k => {
        const line = [[words(k), ...ran.map(p => digits(value(run(w, p), k)))]];
        if (value(base, k) > 0 && !k.includes('rate'))
          line.push(['', ...ran.map(p => digits(per(value(run(w, p), k), value(base, k))))]);
        return line;
      })),
      ...kernels(w, ran), el('h3', {id: 'from'}, 'Where the numbers come from'));
  for (const p of ran) {
    const r = run(w, p), o = r.o === undefined ? {} : D.origins[r.o];
    out.push(
        el('div', {}, D.policies[p].t + ': ',
           ...(r.id ? [el('a', {href: 'runs/' + r.id + '.json'}, 'runs/' + r.id + '.json')] : []),
           o.host ? ' ' + r.s + ' on ' + o.host + ', byway ' + o.version + ' (' + o.commit +
                   '), trace ' + r.t :
                    ''),
        el('pre', {class: 'cmd'}, again(w, p) + (o.command ? '\n' + o.command : '')));
  }
  return out;
}
function openLoad(w) {
  const W = D.workloads[w],
        close =
            el('button', {type: 'button', class: 'close', onclick: () => dialog.close()}, 'close');
  hideTip();
  dialog.replaceChildren(
      close, el('h2', {}, W.n),
      ...(W.p ? [el('p', {},
                    el('a', {href: W.p},
                       'its page: reuse in its trace, its loads, its course over time'))] :
                []),
      ...loadView(w));
  dialog.showModal();
  close.focus();
  history.replaceState(null, '', '#w=' + encodeURIComponent(W.n));
}
dialog.addEventListener('close', () => {
  document.querySelector('main').append(tip);
  hideTip();
  history.replaceState(null, '', '#');
});
dialog.addEventListener('click', e => {
  if (e.target === dialog) dialog.close();
});

// --- controls
const view = el('div', {class: 'view'});
// The parts of a workload's page, as links.
function contents(parts) {
  const heads = parts.flatMap(e => e.tagName === 'H3' ? [e] : [...e.querySelectorAll('h3')])
                    .filter(h => !h.closest('details'));
  return el('nav', {class: 'toc', 'aria-label': 'contents'}, ...heads.map((h, i) => {
    const name = [...h.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join('');
    h.id = h.id || 'part-' + i;
    return el('a', {href: '#' + h.id}, name);
  }));
}
function showAlone() {
  const parts = loadView(0);
  view.replaceChildren(...parts);
  opening.append(contents(parts));
}
const show = () => D.alone ? showAlone() : draw();
const first = el('div', {class: 'bar'});
if (!D.alone) {
  const find = el('input', {
    type: 'search',
    placeholder: 'workload',
    id: 'c-find',
    'aria-label': 'filter by name',
    size: '12'
  });
  find.addEventListener('input', () => {
    state.find = find.value;
    draw();
  });
  first.append(
      scales(
          state.scale,
          k => {
            state.scale = k;
            draw();
          }),
      choice(
          'order',
          [
            ['class', 'by class'], ['name', 'by name'],
            ...D.policies.map((p, i) => ['p' + i, 'by IPC of ' + p.t])
          ],
          'class',
          v => {
            state.sort = v;
            draw();
          }),
      el('label', {}, 'find', find));
}
first.append(choice('relative to', D.policies.map((p, i) => [String(i), p.t]), '0', v => {
  state.base = +v;
  show();
}));
if (D.machines.length > 1)
  first.append(choice('machine', D.machines.map((m, i) => [String(i), m]), '0', v => {
    state.machine = +v;
    show();
  }));
first.append(printer());
if (D.alone) first.append(el('a', {href: 'index.html'}, 'all workloads'));
const classes = el('div', {class: 'bar', role: 'group', 'aria-label': 'classes'});
for (const c of CLASSES)
  if (!D.alone && D.workloads.some((_, w) => classOf(w) === c))
    classes.append(toggle(c, '', state.classes, c, 'k-' + c, draw));
const policies = el('div', {class: 'bar', role: 'group', 'aria-label': 'policies'});
const filter = el('div', {id: 'filter', role: 'group', 'aria-label': 'variants'});
if (D.policies.length <= MANY)
  D.policies.forEach(
      (p, i) => policies.append(toggle(p.t, keyMark(i), state.off, i, 'p-' + i, show)));
else  // a row of values for each parameter instead of a button for each variant
  for (const [name, texts] of [
           ['policy', [...new Set(D.policies.map((_, p) => policyOf(p)))]],
           ...varied.map(k => [k, valuesOf(k).map(v => k + '=' + v)])]) {
    if (texts.length < 2) continue;
    const bar = el('div', {class: 'bar'}, el('span', {class: 'soft'}, name));
    texts.forEach(
        (t, i) => bar.append(toggle(
            t.replace(name + '=', ''), '', state.values, t,
            'v-' + name.replaceAll('.', '-') + '-' + i, show)));
    filter.append(bar);
  }
app.append(opening, first, classes, policies, filter, crowdKey, D.alone ? view : pane);
show();
if (location.hash.startsWith('#w=')) {
  const w = D.workloads.findIndex(x => x.n === decodeURIComponent(location.hash.slice(3)));
  if (w >= 0 && !D.alone) openLoad(w);
}
