// SPDX-License-Identifier: Apache-2.0
// One workload under all policies: why they differ; and the controls.
const PARTS = [
  {name: 'Accesses of the L1', keys: ['l1d.hits', 'l1d.hit_pending', 'l1d.misses', 'l1d.bypasses', 'l1d.stores']},
  {name: 'Refused accesses, by what there was too little of', keys: ['l1d.reservation_fails.line', 'l1d.reservation_fails.mshr',
    'l1d.reservation_fails.merge', 'l1d.reservation_fails.miss_queue', 'l1d.reservation_fails.icnt']},
  {name: 'Cycles of the warp schedulers', keys: ['schedulers.issued', 'schedulers.memory', 'schedulers.scoreboard', 'schedulers.unit',
    'schedulers.fetch', 'schedulers.barrier', 'schedulers.empty']},
  {name: 'Energy of the memory system, nJ', keys: ['energy.l1_nj', 'energy.icnt_nj', 'energy.l2_nj', 'energy.dram_nj']},
];
const NUMBERS = ['cycles', 'ipc', 'l1d.accesses', 'l1d.hit_rate_all', 'l1d.hit_rate_cached', 'l1d.fills', 'l1d.evictions', 'l1d.zero_reuse_evictions',
  'l1d.stall_cycles', 'l2.reads', 'l2.hits', 'l2.misses', 'dram.reads', 'dram.writes', 'dram.row_hits', 'dram.activates', 'energy.total_nj'];
const SHADES = ['#0072b2', '#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#b8a90a'];
const dialog = el('dialog', {'aria-label': 'one workload'});
document.body.append(dialog);

function stacked(part, w, ps) {
  const left = 130, wide = 560, high = 22;
  const totals = ps.map(p => part.keys.reduce((s, k) => s + (value(run(w, p), k) || 0), 0));
  const most = Math.max(...totals, 1e-9);
  let s = '';
  ps.forEach((p, i) => {
    let x = left;
    s += '<text x="' + (left - 6) + '" y="' + (i * high + 15) + '" style="text-anchor:end">' + escaped(D.policies[p].t) + '</text>';
    part.keys.forEach((k, c) => {
      const v = value(run(w, p), k) || 0, width = wide * v / most;
      s += '<rect x="' + x.toFixed(1) + '" y="' + (i * high + 3) + '" width="' + width.toFixed(1) + '" height="' + (high - 6) + '" fill="' + SHADES[c % 7] +
        '"><title>' + escaped(D.policies[p].t + ', ' + k + ': ' + digits(v)) + '</title></rect>';
      x += width;
    });
    s += '<text x="' + (x + 6) + '" y="' + (i * high + 15) + '">' + digits(totals[i]) + '</text>';
  });
  const box = el('div', {class: 'scroll'});
  box.innerHTML = svg(left + wide + 90, ps.length * high + 4, s);
  const key = el('div', {class: 'key'});
  part.keys.forEach((k, c) => {
    const one = el('span');
    one.append(el('i', {style: 'background:' + SHADES[c % 7]}), k.split('.').pop());
    key.append(one);
  });
  return [el('h3', {}, part.name), key, box];
}
function table(heads, lines) {
  const t = el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h, i) => el('th', i === 0 ? {class: 'left'} : {}, h)))));
  const b = el('tbody');
  for (const l of lines) b.append(el('tr', {}, ...l.map((c, i) => el('td', i === 0 ? {class: 'left'} : {}, c))));
  t.append(b);
  return el('div', {class: 'scroll', tabindex: '0'}, t);
}
function again(w, p) { // the command that makes this run alone
  const P = D.policies[p], W = D.workloads[w];
  return 'byway run -m ' + D.machines[state.machine] + ' -p ' + P.n + (W.a ? ' -w ' + W.n : ' -t ' + (run(w, p).t || W.n)) +
    P.s.replaceAll(' ', ' --set ') + ' --json F';
}
function openLoad(w) {
  const W = D.workloads[w], ps = shown().filter(p => run(w, p)), ran = ps.filter(p => !run(w, p).refused);
  const base = run(w, state.base);
  const close = el('button', {type: 'button', class: 'close', onclick: () => dialog.close()}, 'close');
  dialog.replaceChildren(close, el('h2', {}, W.n), el('p', {class: 'soft'}, (W.a || 'a trace of its own') +
    '. Class in the paper: ' + W.c + '; measured here: ' + here(w) + '; machine: ' + D.machines[state.machine] + '.'));
  for (const p of ps) if (run(w, p).refused) dialog.append(el('p', {class: 'note'}, D.policies[p].t + ': ' + run(w, p).refused));
  for (const part of PARTS) dialog.append(...stacked(part, w, ran));
  dialog.append(el('h3', {}, 'Numbers; below them those of ' + D.policies[state.base].t + ' = 1'), table(['', ...ran.map(p => D.policies[p].t)],
    NUMBERS.filter(k => at[k] !== undefined).flatMap(k => {
      const line = [[k, ...ran.map(p => digits(value(run(w, p), k)))]];
      if (value(base, k) > 0 && !k.includes('rate')) line.push(['', ...ran.map(p => digits(per(value(run(w, p), k), value(base, k))))]);
      return line;
    })));
  const kernels = [...new Set(ran.flatMap(p => (run(w, p).k || []).map(k => k[0])))];
  if (kernels.length > 0)
    dialog.append(el('h3', {}, 'Kernels: cycles, and their L1 hit rate of all accesses'), table(['kernel', ...ran.map(p => D.policies[p].t)],
      kernels.map(name => [name, ...ran.map(p => {
        const k = (run(w, p).k || []).find(x => x[0] === name);
        return k ? digits(k[2]) + ' · ' + digits(per(k[4], k[3])) + (k[1] > 1 ? ' (' + k[1] + ' launches)' : '') : '-';
      })])));
  dialog.append(el('h3', {}, 'Where the numbers come from'));
  for (const p of ran) {
    const r = run(w, p), o = r.o === undefined ? {} : D.origins[r.o];
    dialog.append(el('div', {}, D.policies[p].t + (r.id ? ': runs/' + r.id + '.json' : '') + (o.host ? ', ' + r.s + ' on ' + o.host + ', byway ' +
      o.version + ' (' + o.commit + '), trace ' + r.t : '')));
    dialog.append(el('pre', {class: 'cmd'}, again(w, p) + (o.command ? '\n' + o.command : '')));
  }
  hideTip();
  dialog.showModal();
  close.focus();
  history.replaceState(null, '', '#w=' + encodeURIComponent(W.n));
}
dialog.addEventListener('close', () => history.replaceState(null, '', '#'));
dialog.addEventListener('click', e => { if (e.target === dialog) dialog.close(); });

// --- controls
function choice(label, options, now, change) {
  const s = el('select', {id: 'c-' + label.replaceAll(' ', '-')});
  for (const [v, t] of options) s.append(el('option', v === now ? {value: v, selected: ''} : {value: v}, t));
  s.addEventListener('change', () => { change(s.value); draw(); });
  return el('label', {}, label, s);
}
function toggle(text, inside, set, member, id) {
  const b = el('button', {type: 'button', 'aria-pressed': 'true', id});
  b.innerHTML = inside;
  b.append(text);
  b.addEventListener('click', () => {
    if (set.has(member)) set.delete(member); else set.add(member);
    b.setAttribute('aria-pressed', String(!set.has(member)));
    draw();
  });
  return b;
}
const scales = el('span', {class: 'seg', role: 'group', 'aria-label': 'ratio axis'});
for (const [k, t] of [['zoom', '0.85 to 1.15'], ['log', 'logarithmic'], ['linear', 'from 0']]) {
  const b = el('button', {type: 'button', 'aria-pressed': String(k === state.scale), id: 's-' + k}, t);
  b.addEventListener('click', () => {
    state.scale = k;
    for (const o of scales.children) o.setAttribute('aria-pressed', String(o === b));
    draw();
  });
  scales.append(b);
}
const find = el('input', {type: 'search', placeholder: 'workload', id: 'c-find', 'aria-label': 'filter by name', size: '12'});
find.addEventListener('input', () => { state.find = find.value; draw(); });
const first = el('div', {class: 'bar'}, el('label', {}, 'ratios', scales),
  choice('order', [['class', 'by class'], ['name', 'by name'], ...D.policies.map((p, i) => ['p' + i, 'by IPC of ' + p.t])], 'class', v => { state.sort = v; }),
  choice('relative to', D.policies.map((p, i) => [String(i), p.t]), '0', v => { state.base = +v; }), el('label', {}, 'find', find));
if (D.machines.length > 1) first.append(choice('machine', D.machines.map((m, i) => [String(i), m]), '0', v => { state.machine = +v; }));
first.append(el('button', {type: 'button', id: 'c-print', onclick: () => window.print()}, 'print / PDF'));
const classes = el('div', {class: 'bar', role: 'group', 'aria-label': 'classes'});
for (const c of CLASSES) if (D.workloads.some((_, w) => classOf(w) === c)) classes.append(toggle(c, '', state.classes, c, 'k-' + c));
const policies = el('div', {class: 'bar', role: 'group', 'aria-label': 'policies'});
D.policies.forEach((p, i) => policies.append(toggle(p.t, keyMark(i), state.off, i, 'p-' + i)));
app.append(first, classes, policies, pane);
draw();
if (location.hash.startsWith('#w=')) {
  const w = D.workloads.findIndex(x => x.n === decodeURIComponent(location.hash.slice(3)));
  if (w >= 0) openLoad(w);
}
