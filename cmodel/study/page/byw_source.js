// SPDX-License-Identifier: Apache-2.0
// The page of `byway source` and `byway trace machine --html`: source, PTX and machine code of a
// kernel side by side, with the cycles that each row's instructions wait, by cause.

// Causes that are shown in one colour: [title, colour, names].
const GROUPS = [
  ['DRAM', 'var(--q5)', ['dram']], ['L2', 'var(--q1)', ['l2']], ['L1', 'var(--q7)', ['l1']],
  ['other results', 'var(--q2)', ['shared', 'constant', 'result', 'operands']],
  ['barrier', 'var(--q4)', ['barrier']],
  ['pipe or issue slot', 'var(--q6)', ['pipe', 'lsu_queue', 'not_selected', 'throttle']],
  ['schedule', 'var(--q0)', ['stall_count', 'branch']],
  ['start and end', 'var(--line)', ['start', 'fetch', 'drain']], ['issue', 'var(--q3)', ['issued']]
];
const COLOUR = {};
for (const [, c, names] of GROUPS)
  for (const n of names) COLOUR[n] = c;
const CAUSES = GROUPS.flatMap(g => g[2]);
const LIMITS = {
  ctas: 'limit: CTAs',
  warps: 'limit: warps',
  registers: 'limit: registers',
  shared: 'limit: scratchpad',
  grid: 'the grid gives no more'
};
const S = D.stalls, KERNELS = S.kernels;
const whole = x => Math.round(x).toLocaleString('en');
const share = (x, all) => {
  const p = all > 0 ? 100 * x / all : 0;
  return p === 0 ? '' : p < 0.1 ? '<0.1' : p.toFixed(1);
};
const brief = x => x >= 1e9 ? (x / 1e9).toFixed(1) + ' G' :
    x >= 1e6                ? (x / 1e6).toFixed(1) + ' M' :
    x >= 1e4                ? (x / 1e3).toFixed(x >= 1e5 ? 0 : 1) + ' k' :
                              whole(x);
const many = (n, one) => whole(n) + ' ' + one + (n === 1 ? '' : one.endsWith('h') ? 'es' : 's');
const add = (to, from) => {
  for (const k in from) to[k] = (to[k] || 0) + from[k];
  return to;
};
const total = causes => Object.values(causes).reduce((a, b) => a + b, 0);

// --- rows of a kernel's source, PTX and machine code; a row sums the waits of its instructions
const COUNTS = [
  'issued', 'threads', 'requests', 'sectors', 'hits', 'fills', 'bypasses', 'by_l1', 'by_l2',
  'by_dram'
];
const SIDES = ['source', 'ptx', 'machine'];
let K, rows, of, blame = false;

const measured = k => k.warp_cycles > 0;

// What instruction i waits for according to the code alone, without a run: for each of its
// barriers the last instruction before it that sets the barrier.
function barriersOf(k, i) {
  const inst = k.instructions, found = [];
  for (let b = 0; b < 6; b++) {
    if (!((inst[i].waits || 0) >> b & 1)) continue;
    let j = i - 1;
    while (j >= 0 && !(inst[j].sets || '').match('[wr]' + b)) j--;
    if (j >= 0) found.push({index: j, cause: '', cycles: 0});
  }
  return found;
}
function open(k) {
  const place = new Map((k.ptx || []).map(p => [p.number, p]));
  const new_row = more => ({causes: {}, waits: {}, count: {}, machine: [], ptx: [], ...more});
  K = k;
  rows = {source: [], ptx: [], machine: []};
  of = {source: new Map(), ptx: new Map(), machine: new Map()};
  const put = (side, key, row) => {
    row.key = key;
    row.side = side;
    row.at = rows[side].length;
    rows[side].push(row);
    of[side].set(key, row);
  };
  k.texts.forEach((text, f) => {
    const last = Math.max(text.first + text.lines.length - 1, text.last);
    for (let n = text.first; n <= last; n++)
      put('source', f + ':' + n,
          new_row({file: f, number: n, text: text.lines[n - text.first] ?? ''}));
  });
  for (const p of k.ptx || [])
    put('ptx', p.number, new_row({number: p.number, text: p.text, line: p.file + ':' + p.line}));
  k.instructions.forEach((inst, i) => {
    const p = place.get(inst.ptx);
    if (inst.ptx && !p && !k.ptx)
      if (!of.ptx.has(inst.ptx))
        put('ptx', inst.ptx, new_row({number: inst.ptx, text: '', line: '0:' + inst.source}));
    const line = p ? p.file + ':' + p.line : '0:' + (inst.source || 0);
    put('machine', i, new_row({number: i, inst, line, ptxn: inst.ptx || 0}));
    for (const r of [of.source.get(line), of.ptx.get(inst.ptx)])
      if (r) r.machine.push(i);
  });
  rows.ptx.sort((a, b) => a.number - b.number).forEach((r, i) => r.at = i);
  for (const r of rows.ptx)
    if (of.source.get(r.line)) of.source.get(r.line).ptx.push(r.number);
  count();
}
// Cycles of each row. blame: a wait is charged to the instruction that is waited for.
function count() {
  const list = K.instructions, acc = list.map(inst => {
    if (!measured(K)) return {stall_count: Math.max(inst.stall || 0, 1)};
    return {...inst.cycles, ...(inst.issued ? {issued: inst.issued} : {})};
  });
  K.by = list.map(() => []);  // the instructions that wait for it
  list.forEach((inst, i) => (inst.waits_for || []).forEach(w => {
    K.by[w.index].push({index: i, cause: w.cause, cycles: w.cycles});
    if (!blame) return;
    acc[i][w.cause] -= w.cycles;
    acc[w.index][w.cause] = (acc[w.index][w.cause] || 0) + w.cycles;
  }));
  for (const side of SIDES)
    for (const r of rows[side]) {
      r.causes = {};
      r.count = {};
      for (const i of side === 'machine' ? [r.key] : r.machine) {
        add(r.causes, acc[i]);
        for (const c of COUNTS)
          if (list[i][c]) r.count[c] = (r.count[c] || 0) + list[i][c];
      }
      r.all = total(r.causes);
    }
  K.all = rows.machine.reduce((a, r) => a + r.all, 0);
}

// --- small pictures
function part(causes, unit, wide) {
  const box = el('span', {class: 'part', 'aria-hidden': 'true'});
  for (const [, colour, names] of GROUPS) {
    const cycles = names.reduce((a, n) => a + (causes[n] || 0), 0);
    if (cycles > 0)
      box.append(el('i', {
        style: 'width:' + Math.max(wide * cycles / unit, 0.5).toFixed(1) + 'px;background:' + colour
      }));
  }
  return box;
}
const worst = causes =>
    Object.entries(causes).filter(c => c[0] !== 'issued').sort((a, b) => b[1] - a[1])[0];
const tell = {
  dram: 'data from DRAM',
  l2: 'data from the L2',
  l1: 'data from the L1',
  shared: 'the scratchpad',
  constant: 'a constant',
  result: 'a result of variable latency',
  operands: 'operands to be read',
  barrier: 'other warps at a barrier',
  pipe: 'a free pipe',
  lsu_queue: 'room in the load/store queue',
  not_selected: 'an issue slot',
  throttle: 'the policy to let it load',
  stall_count: 'its schedule',
  branch: 'a branch target',
  start: 'its CTA to start',
  fetch: 'its first instruction',
  drain: 'accesses in flight at its end'
};
const lineName = r => r.side === 'source' ? 'line ' + r.number :
    r.side === 'ptx'                      ? 'PTX ' + r.number :
                                            'machine instruction ' + r.number;
// The row of machine instruction i on a side; null: none.
const rowOf = (side, i) => side === 'machine' ? of.machine.get(i) :
    side === 'ptx'                            ? of.ptx.get(K.instructions[i].ptx) :
                                                of.source.get(of.machine.get(i).line);
// What a row waits for most; with blame, what waits for the row most.
function partner(r) {
  const sum = new Map();
  for (const i of r.side === 'machine' ? [r.key] : r.machine)
    for (const w of blame ? K.by[i] : K.instructions[i].waits_for || [])
      sum.set(w.index, (sum.get(w.index) || 0) + w.cycles);
  const best = [...sum].sort((a, b) => b[1] - a[1])[0];
  return best && {index: best[0], cycles: best[1], row: rowOf(r.side, best[0])};
}
function reason(r) {
  const w = worst(r.causes);
  if (!w || w[1] === 0) return '';
  const p = partner(r), result = ['dram', 'l2', 'l1', 'shared', 'constant', 'result', 'operands'];
  let text = (blame && result.includes(w[0]) ? 'makes warps wait for ' : 'waits for ') + tell[w[0]];
  if (p && p.row && result.includes(w[0])) {
    const op = K.instructions[p.index].op.replace(/_/g, ' ');
    text += blame   ? ' at ' + lineName(p.row) :
        p.row === r ? ': its own ' + op :
                      ': the ' + op + ' of ' + lineName(p.row);
  }
  return text;
}

// --- selection
let chosen = null;
const boxes = {}, elements = new Map();
function relatives(r) {
  const set = new Set([r]);
  const machine = r.side === 'machine' ? [r.key] : r.machine;
  for (const i of machine)
    for (const side of SIDES)
      if (rowOf(side, i)) set.add(rowOf(side, i));
  if (r.side === 'ptx' && of.source.get(r.line)) set.add(of.source.get(r.line));
  if (r.side === 'source')
    for (const n of r.ptx) set.add(of.ptx.get(n));
  // Relates an instruction to its line and the line's PTX, but not to the line's other
  // instructions.
  return set;
}
function mark(name, set) {
  for (const e of document.querySelectorAll('.list tr.' + name)) e.classList.remove(name);
  for (const r of set)
    if (elements.get(r)) elements.get(r).classList.add(name);
}
function show(box, e) {
  if (!e) return;
  const top = e.offsetTop - 34, below = e.offsetTop + e.offsetHeight;
  if (top < box.scrollTop || below > box.scrollTop + box.clientHeight)
    box.scrollTop = e.offsetTop - box.clientHeight / 3;
}
function select(r, focus) {
  chosen = r;
  const set = relatives(r);
  mark('on', set);
  mark('sel', [r]);
  const machine = r.side === 'machine' ? [r.key] : r.machine, from = [], to = [];
  for (const i of machine) {
    for (const w of waitsOf(i)) from.push(of.machine.get(w.index));
    for (const w of K.by[i]) to.push(of.machine.get(w.index));
  }
  mark('from', from);
  mark('to', to);
  for (const side of SIDES) {
    // Scrolls each side to its hottest related row.
    const best = side === r.side ?
        r :
        [...set].filter(x => x.side === side).sort((a, b) => b.all - a.all || a.at - b.at)[0];
    if (best) show(boxes[side], elements.get(best));
    for (const e of boxes[side].querySelectorAll('tr[tabindex="0"]')) e.tabIndex = -1;
    const anchor = elements.get(best || rows[side][0]);
    if (anchor) anchor.tabIndex = 0;
  }
  if (focus) elements.get(r).focus({preventScroll: true});
  for (const e of document.querySelectorAll('table.hot tr'))
    e.classList.toggle('sel', e.dataset.key === r.side + ' ' + r.key);
  detail();
  history.replaceState(null, '', '#' + encodeURIComponent(K.kernel) + '/' + r.side + '/' + r.key);
}
const waitsOf = i => measured(K) ? K.instructions[i].waits_for || [] : barriersOf(K, i);

// --- the box with everything about the chosen row
const panel =
    el('section', {class: 'detail', 'aria-live': 'polite', 'aria-label': 'the chosen row'});
function jump(i, w) {
  const r = of.machine.get(i), line = rowOf('source', i);
  return el(
      'tr', {},
      el('td', {},
         el('button', {class: 'jump', onclick: () => go(r)},
            K.instructions[i].op.replace(/_/g, ' ') + ' ' + i),
         line ? ' of line ' + line.number : ''),
      el('td', {class: 'n'}, w.cause),
      el('td', {class: 'n'}, share(w.cycles, K.all) && share(w.cycles, K.all) + ' %'));
}
function go(r) {
  shownSide(r.side);
  select(r, true);
}
function block(title, ...inside) {
  return el('div', {}, el('h4', {}, title), ...inside);
}
function accesses(r) {
  const c = r.count, list = [];
  if (!c.requests) return null;
  const per = (a, b) => (a / b).toFixed(a / b < 10 ? 2 : 1);
  list.push(['requests to the L1D', whole(c.requests)], ['sectors of 32 bytes', whole(c.sectors)]);
  const loads = (c.by_l1 || 0) + (c.by_l2 || 0) + (c.by_dram || 0),
        answers = (c.hits || 0) + (c.fills || 0) + (c.bypasses || 0);
  const memory = (r.side === 'machine' ? [r.key] : r.machine)
                     .filter(i => K.instructions[i].requests)
                     .reduce((a, i) => a + (K.instructions[i].issued || 0), 0);
  if (memory) list.push(['sectors per warp access', per(c.sectors, memory)]);
  if (answers) {
    list.push(['requests that hit a line', share(c.hits || 0, answers) + ' %']);
    list.push(['that waited for a fill', (share(c.fills || 0, answers) || '0') + ' %']);
    if (c.bypasses) list.push(['past the L1D', share(c.bypasses, answers) + ' %']);
  }
  if (loads)
    for (const [k, name] of [['by_l1', 'L1'], ['by_l2', 'L2'], ['by_dram', 'DRAM']])
      list.push(['warp loads answered by ' + name, (share(c[k] || 0, loads) || '0') + ' %']);
  return block(
      'cache',
      el('table', {},
         ...list.map(
             ([a, b]) =>
                 el('tr', {}, el('td', {}, a),
                    el('td', {class: 'n'}, b.trim() === '%' ? '0 %' : b)))));
}
function detail() {
  const r = chosen, machine = r.side === 'machine' ? [r.key] : r.machine;
  const causes = CAUSES.filter(c => r.causes[c] > 0).sort((a, b) => r.causes[b] - r.causes[a]);
  const most = causes.length ? r.causes[causes[0]] : 1;
  const sum = (list, of) => {
    const map = new Map();
    for (const i of list)
      for (const w of of (i)) {
        const k = w.index + ' ' + w.cause, old = map.get(k);
        map.set(k, {...w, cycles: w.cycles + (old ? old.cycles : 0)});
      }
    return [...map.values()].sort((a, b) => b.cycles - a.cycles);
  };
  const some = (title, list) => list.length === 0 ?
      null :
      block(
          title, el('table', {}, ...list.slice(0, 8).map(w => jump(w.index, w))),
          ...(list.length > 8 ? ['and ' + (list.length - 8) + ' more'] : []));
  const inst = r.side === 'machine' ? r.inst : null, facts = [];
  if (r.count.issued) {
    facts.push(['warp instructions issued', whole(r.count.issued)]);
    facts.push([
      'active lanes', (r.count.threads / r.count.issued).toFixed(1) + ' of ' + (K.warp_size || 32)
    ]);
  }
  facts.push(['machine instructions', whole(machine.length)]);
  if (inst) {
    facts.push(['unit', inst.unit], ['stall count', String(inst.stall || 0)]);
    if (inst.sets) facts.push(['sets barriers (w: results, r: operands read)', inst.sets]);
    if (inst.waits)
      facts.push(
          ['waits for barriers', [0, 1, 2, 3, 4, 5].filter(b => inst.waits >> b & 1).join(', ')]);
    if (inst.target !== undefined) facts.push(['branches to', String(inst.target)]);
  }
  const text = codeOf(r);
  panel.replaceChildren(
      el('h3', {}, lineName(r) + ': ', el('span', {class: 'code'}, text), ' ',
         el('span', {class: 'soft'},
            measured(K) ? (share(r.all, K.all) || '0') + ' % of the warp cycles' :
                          many(r.all, 'scheduled cycle'))),
      el('div', {class: 'cols'},
         ...[block(
                 measured(K) ? (blame ? 'cycles that it costs' : 'cycles') :
                               'cycles by the schedule',
                 el('table', {},
                    ...causes.map(
                        c =>
                            el('tr', {title: S.causes[c]}, el('td', {}, c),
                               el('td', {}, part({[c]: r.causes[c]}, most, 84)),
                               el('td', {class: 'n'}, share(r.causes[c], K.all) + ' %'),
                               el('td', {class: 'n soft'}, whole(r.causes[c])))))),
             some('it waits for', sum(machine, waitsOf)),
             some('waited for by', sum(machine, i => K.by[i])), accesses(r),
             block(
                 'code',
                 el('table', {},
                    ...facts.map(
                        ([a, b]) => el('tr', {}, el('td', {}, a), el('td', {class: 'n'}, b)))))]
             .filter(x => x !== null)));
}

// --- the three lists
const opText = inst => inst.op.replace(/_/g, ' ') +
    (inst.bytes ? ' ' + 8 * inst.bytes + ' bit' : '') + (inst.predicated ? ' ?' : '') +
    (inst.target !== undefined ? ' \u2192 ' + inst.target : '');
// The text of a row; for a source line whose text was not found, its hottest PTX instruction.
function codeOf(r) {
  if (r.side === 'machine') return opText(r.inst);
  const best = r.side === 'source' && r.text === '' &&
      r.ptx.map(n => of.ptx.get(n)).sort((a, b) => b.all - a.all)[0];
  return best ? best.text : r.text.trim();
}
const hitText = c => {
  const answers = (c.hits || 0) + (c.fills || 0) + (c.bypasses || 0);
  return answers ? (100 * (c.hits || 0) / answers).toFixed(0) + ' %' : '';
};
function line(r, unit) {
  const m = measured(K), cells = [
    el('td', {class: 'num'}, String(r.number)),
    el('td', {class: 'bar t'}, part(r.causes, unit, 46)),
    el('td', {class: 'pc'},
       m         ? share(r.all, K.all) :
           r.all ? String(r.all) :
                   '')
  ];
  if (m)
    cells.push(el('td', {class: 'few issued'}, r.count.issued ? brief(r.count.issued) : ''));
  else
    cells.push(
        el('td', {class: 'few'},
           r.side === 'machine' ? '' :
               r.machine.length ? String(r.machine.length) :
                                  ''));
  if (r.side === 'source' && m) cells.push(el('td', {class: 'few'}, hitText(r.count)));
  if (r.side === 'machine') {
    const memory = r.inst.unit === 'lsu' || r.inst.unit === 'tex';
    cells.push(
        el('td', {class: 't'}, el('span', {class: memory ? 'op mem' : 'op'}, opText(r.inst))));
    cells.push(
        el('td', {class: 't'},
           waitsOf(r.key)
               .slice(0, 3)
               .map(w => K.instructions[w.index].op.replace(/_/g, ' ') + ' ' + w.index)
               .join(', ')));
  } else {
    cells.push(el('td', {class: 't'}, r.text));
  }
  const e = el('tr', {tabindex: '-1'}, ...cells);
  e.row = r;
  elements.set(r, e);
  return e;
}
const HEADS = {
  source: () => measured(K) ? ['line', '', '%', 'issued', 'L1 hits', 'source'] :
                              ['line', '', 'cycles', 'inst', 'source'],
  ptx: () => measured(K) ? ['#', '', '%', 'issued', 'PTX'] : ['#', '', 'cycles', 'inst', 'PTX'],
  machine: () => measured(K) ? ['#', '', '%', 'issued', 'machine instruction', 'waits for'] :
                               ['#', '', 'cycles', '', 'machine instruction', 'waits for']
};
const ABOUT = {
  '%': 'warp cycles of the row, of all of the kernel',
  cycles: 'for which the warp issues nothing, by the schedule',
  issued: 'warp instructions that issued',
  inst: 'machine instructions',
  'L1 hits': 'requests of loads that found their line in the L1D',
  'waits for': 'instructions whose results or operands it waits for, longest first'
};
const WHY = {
  source: () => K.text_why ? 'No source: ' + K.text_why + '.' : '',
  ptx: () => K.ptx_why ? 'No PTX text: ' + K.ptx_why +
          '. byway source -- PROGRAM shows it, or --ptx F with what BYWAY_PTX stored.' :
                         '',
  machine: () => rows.machine.length ?
      '' :
      'No machine code: the kernel is timed by its PTX (byway trace info says why).'
};
const TITLES = {
  source: 'Source',
  ptx: 'PTX',
  machine: 'Machine code'
};
function list(side) {
  const box = boxes[side], body = el('tbody');
  const unit = rows[side].reduce((a, r) => Math.max(a, r.all), 1);
  let file = -1;
  for (const r of rows[side]) {
    if (side === 'source' && r.file !== file && K.texts.length > 1)
      body.append(el('tr', {class: 'file'}, el('td', {colspan: '6'}, K.texts[r.file].file)));
    file = r.file;
    body.append(line(r, unit));
  }
  const heads = HEADS[side]();
  const classes = h => h === ''       ? 't' :
      ['line', '#'].includes(h)       ? 'num' :
      h === 'issued'                  ? 'few issued' :
      ['L1 hits', 'inst'].includes(h) ? 'few' :
      ['%', 'cycles'].includes(h)     ? 'pc' :
                                        't';
  box.replaceChildren();
  if (WHY[side]()) box.append(el('p', {}, WHY[side]()));
  if (side === 'source' && K.texts.some(t => t.lines.length === 0))
    box.append(
        el('p', {},
           'The text of ' + K.texts.filter(t => t.lines.length === 0).map(t => t.file).join(', ') +
               ' was not found; byway source --source F names it.'));
  if (rows[side].length)
    box.append(
        el('table', {},
           el('thead', {},
              el('tr', {},
                 ...heads.map(h => el('th', {class: classes(h), title: ABOUT[h] || ''}, h)))),
           body));
  const first = box.querySelector('tbody tr[tabindex]');
  if (first) first.tabIndex = 0;
}
function keys(side, e) {
  const at = document.activeElement.row;
  if (!at) return;
  const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9}[e.key];
  const turn = {ArrowRight: 1, ArrowLeft: -1}[e.key];
  if (step) {
    const all = rows[side], to = Math.min(Math.max(at.at + step, 0), all.length - 1);
    select(all[to], true);
  } else if (turn) {
    const to = SIDES[SIDES.indexOf(side) + turn];
    const r = to &&
        ([...relatives(at)].filter(x => x.side === to).sort((a, b) => b.all - a.all)[0] ||
         rows[to][0]);
    if (r) go(r);
  } else if (e.key === 'Enter' || e.key === ' ') {
    select(at, true);
  } else if (e.key === 'n' || e.key === 'p') {
    const hot = [...rows[side]].sort((a, b) => b.all - a.all),
          i = hot.indexOf(at) + (e.key === 'n' ? 1 : -1);
    if (hot[i]) select(hot[i], true);
  } else {
    return;
  }
  e.preventDefault();
}

// --- the page
const tabs = el('div', {class: 'seg tabs', role: 'group', 'aria-label': 'side'});
function shownSide(side) {
  for (const s of SIDES) boxes[s].parentNode.classList.toggle('shown', s === side);
  [...tabs.children].forEach((b, i) => b.setAttribute('aria-pressed', String(SIDES[i] === side)));
}
for (const side of SIDES) {
  boxes[side] = el('div', {class: 'list ' + side, role: 'region', 'aria-label': TITLES[side]});
  boxes[side].addEventListener('click', e => {
    const t = e.target.closest('tr');
    if (t && t.row) select(t.row, true);
  });
  boxes[side].addEventListener('pointerover', e => {
    const t = e.target.closest('tr');
    mark('hov', t && t.row ? relatives(t.row) : []);
  });
  boxes[side].addEventListener('pointerleave', () => mark('hov', []));
  boxes[side].addEventListener('keydown', e => keys(side, e));
  tabs.append(el('button', {type: 'button', onclick: () => shownSide(side)}, TITLES[side]));
}
const file = el('small'), facts = el('div', {class: 'facts'}),
      verdict = el('p', {class: 'verdict'});
const bar = el('div', {class: 'whole', role: 'img'}), key = el('div', {class: 'cause-key'});
const hot = el('div', {class: 'scroll'});
const hotTitle = el('h2', {}, '');
const modes =
    el('span', {class: 'seg', role: 'group', 'aria-label': 'count waits at'},
       ...[['the instruction that waits', false], ['what it waits for', true]].map(
           ([name, value]) =>
               el('button', {
                 type: 'button',
                 'aria-pressed': String(!value),
                 onclick: e => {
                   blame = value;
                   for (const b of modes.children)
                     b.setAttribute('aria-pressed', String(b === e.target));
                   count();
                   draw();
                 }
               },
                  name)));
const modeBar = el('div', {class: 'bar'}, el('label', {}, 'count waits at '), modes, tabs);

const kernelTitle = el('h2');
function drawFacts() {
  kernelTitle.textContent = K.title;
  const m = measured(K),
        fact = (value, name) => el('div', {}, el('b', {}, value), el('span', {}, name));
  const issued = rows.machine.reduce((a, r) => a + (r.count.issued || 0), 0),
        threads = rows.machine.reduce((a, r) => a + (r.count.threads || 0), 0);
  const list = [];
  if (m || K.cycles) {
    list.push(fact(whole(K.cycles), 'cycles, ' + many(K.launches, 'launch')));
    list.push(fact(
        K.grid.filter((x, i) => i === 0 || x > 1).join('\u00d7') + ' \u00d7 ' +
            K.block.filter((x, i) => i === 0 || x > 1).join('\u00d7'),
        'grid \u00d7 block'));
    list.push(fact(whole(K.registers), 'registers per thread'));
    list.push(
        fact(K.warps_per_sm + ' of ' + K.warps_most, 'warps fit in an SM; ' + LIMITS[K.limit]));
    if (K.shared_bytes) list.push(fact(whole(K.shared_bytes), 'bytes of scratchpad per CTA'));
  } else {
    list.push(
        fact('sm_' + K.arch, 'assembled for'), fact(whole(K.registers), 'registers per thread'),
        fact(whole(rows.machine.length), 'machine instructions'));
  }
  if (m) {
    list.push(fact(whole(issued), 'warp instructions issued'));
    list.push(fact((threads / issued).toFixed(1) + ' of ' + K.warp_size, 'lanes active'));
    list.push(fact(share(issued, K.all) + ' %', 'of warp cycles issue'));
    if (K.machine_instructions < K.warp_instructions)
      list.push(fact(
          share(K.machine_instructions, K.warp_instructions) + ' %',
          'timed by machine code; the rest is not shown'));
  }
  facts.replaceChildren(...list);
}
function drawCauses() {
  const sum = rows.machine.reduce((a, r) => add(a, r.causes), {}), parts = [];
  bar.replaceChildren();
  key.replaceChildren();
  for (const [title, colour, names] of GROUPS) {
    const cycles = names.reduce((a, n) => a + (sum[n] || 0), 0);
    if (cycles === 0) continue;
    const about = names.filter(n => sum[n])
                      .map(n => n + ' ' + share(sum[n], K.all) + ' %: ' + S.causes[n])
                      .join('\n');
    bar.append(el(
        'i', {style: 'flex:' + cycles + ' 0 0;background:' + colour, title: title + '\n' + about}));
    key.append(
        el('span', {title: about}, el('i', {style: 'background:' + colour}), title + ' ',
           el('b', {}, share(cycles, K.all) + ' %')));
    parts.push(title + ' ' + share(cycles, K.all) + ' %');
  }
  bar.setAttribute('aria-label', 'Warp cycles by cause: ' + parts.join(', '));
  bar.hidden = key.hidden = !measured(K);
}
// The kernel in two sentences.
function tellAll(list, side, waits) {
  const of_all = x => share(x, K.all) + '\u00a0%', first = list[0],
        three = list.slice(0, 3).reduce((a, r) => a + waits(r), 0),
        lost = K.all - rows[side].reduce((a, r) => a + r.all, 0);
  return of_all(waits(first)) + ' of the warp cycles ' +
      (blame ? 'are the cost of ' + lineName(first) + ', which ' :
               'pass at ' + lineName(first) + ', which mostly ') +
      reason(first) + '.' +
      (list.length > 3 ? ' The first three rows below have ' + of_all(three) + '.' : '') +
      (side === 'source' && lost > 0.01 * K.all ?
           ' ' + of_all(lost) + ' are at code without a source line.' :
           '');
}
function drawHot() {
  const side = rows.source.length ? 'source' : rows.ptx.length ? 'ptx' : 'machine';
  const waits = r => r.all - (r.causes.issued || 0);
  const list = rows[side]
                   .filter(r => waits(r) > 0)
                   .sort((a, b) => waits(b) - waits(a) || a.at - b.at)
                   .slice(0, 10);
  const most = list.length ? list[0].all : 1, first = list[0];
  hotTitle.textContent = measured(K) ?
      (blame ? 'What is waited for most' : 'Where warps wait most') :
      'Longest by the schedule';
  verdict.hidden = !measured(K) || !first;
  if (first && measured(K)) verdict.textContent = tellAll(list, side, waits);
  hot.replaceChildren(
      el('table', {class: 'hot'},
         el('colgroup', {}, el('col', {class: 'num'}), el('col', {class: 'share'}), el('col'),
            el('col', {class: 'why'})),
         el('thead', {},
            el('tr', {},
               ...[side === 'source' ? 'line' : '#', measured(K) ? 'warp cycles' : 'cycles',
                   TITLES[side], measured(K) ? 'mostly' : '']
                   .map(h => el('th', {}, h)))),
         el('tbody', {},
            ...list.map(
                r =>
                    el('tr', {
                      tabindex: '0',
                      'data-key': r.side + ' ' + r.key,
                      onclick: () => go(r),
                      onkeydown: e => {
                        if (e.key === 'Enter' || e.key === ' ') {
                          e.preventDefault();
                          go(r);
                        }
                      }
                    },
                       el('td', {class: 'n'}, String(r.number)),
                       el('td', {},
                          el('span', {class: 'n'},
                             (measured(K) ? share(r.all, K.all) + ' % ' : r.all + ' ')),
                          part(r.causes, most, innerWidth < 900 ? 36 : 104)),
                       el('td', {class: 'code', title: r.text || ''}, codeOf(r)),
                       el('td', {class: 'why'}, measured(K) ? reason(r) : ''))))));
  return first;
}
function draw(wanted) {
  elements.clear();
  for (const side of SIDES) list(side);
  file.textContent = [...new Set(K.texts.map(t => t.file))].join(', ');
  drawFacts();
  drawCauses();
  const first = drawHot();
  modeBar.firstChild.hidden = modes.hidden = !measured(K);
  const again = wanted || (chosen && of[chosen.side].get(chosen.key)) || first || rows.machine[0];
  if (again)
    select(again, false);
  else
    panel.replaceChildren(el('p', {class: 'soft'}, 'Nothing to show.'));
}
const choose = el('div', {class: 'bar', role: 'group', 'aria-label': 'kernel'});
function openKernel(i, wanted) {
  [...choose.children].forEach((b, n) => b.setAttribute('aria-pressed', String(n === i)));
  chosen = null;
  open(KERNELS[i]);
  draw(
      wanted && of[wanted[0]] &&
      of[wanted[0]].get(wanted[0] === 'source' ? wanted[1] : +wanted[1]));
}
const all = KERNELS.reduce((a, k) => a + (k.cycles || 0), 0);
if (KERNELS.length > 1) {
  choose.classList.add('seg');
  KERNELS.forEach(
      (k, i) => choose.append(
          el('button', {type: 'button', onclick: () => openKernel(i)},
             k.title + (all ? ' ' + share(k.cycles, all) + ' %' : ''))));
}
const sides =
    el('div', {class: 'panes'},
       ...SIDES.map(
           side =>
               el('section', {class: 'side'},
                  el('h3', {}, TITLES[side], side === 'source' ? file : ''), boxes[side])));
app.append(
    el('p', {class: 'soft'},
       D.machine ? 'Machine ' + D.machine + ', policy ' + D.policy +
               '. Simulated without a GPU, by the schedule of the machine code. ' +
               'Every cycle of a resident warp has one cause and belongs to the instruction ' +
               'that it issues next.' :
                   'The machine code and its schedule; how long waits take depends on caches and ' +
               'memory (byway source simulates them).'),
    choose, kernelTitle, facts, verdict, bar, key, hotTitle, hot,
    el('h2', {}, 'Source, PTX and machine code'), modeBar,
    el('p', {class: 'soft note'},
       'Point at a row to mark its relatives; click it, or use the arrow keys, to bring them ' +
           'into view. Left and right change the side, n and p go to the next and previous ' +
           'hottest row. Orange edge: what the chosen row waits for; blue edge: what waits ' +
           'for it.'),
    sides, panel);
const wanted = location.hash ? decodeURIComponent(location.hash.slice(1)).split('/') : [];
const start = Math.max(
    KERNELS.findIndex(k => k.kernel === wanted[0]),
    wanted.length ?
        0 :
        KERNELS.reduce((best, k, i) => k.warp_cycles > KERNELS[best].warp_cycles ? i : best, 0));
shownSide(wanted[1] && SIDES.includes(wanted[1]) ? wanted[1] : 'source');
openKernel(start, wanted.slice(1));
