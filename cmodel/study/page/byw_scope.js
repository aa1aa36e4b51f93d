// SPDX-License-Identifier: Apache-2.0
// One set of a cache, cycle by cycle, forwards and backwards, with the reason for each step.
const F = D.frames;
const OPS = ['load', 'store', 'atomic', 'local load', 'local store'];
const STATUS = ['-', 'candidate', 'committed'];
let now = 0, timer = null;
const names = (bits, of) => of.filter((_, i) => bits >>> i & 1);

// --- the rule that fired: [kind, title, sentence, page and its heading]
const REFUSED = {
  fail_line: 'every line of the set is waiting for its bytes',
  fail_mshr: 'no MSHR is free',
  fail_merge: 'the list of the line\'s MSHR is full',
  fail_miss_queue: 'the queue of misses and stores is full',
  fail_icnt: 'there is no bypass slot or tracker'
};
function ruleOf(f) {
  const e = names(f.e, D.events), x = names(f.x, D.policy), has = n => e.includes(n);
  if (f.n !== undefined) {
    const why = Object.keys(REFUSED).find(has);
    return [
      'refused', 'refused' + (f.n > 1 ? ' for ' + f.n + ' cycles' : ''),
      REFUSED[why] + '; the access waits and is retried; it changes nothing (R1).', 'cache'
    ];
  }
  if (f.o === undefined) {
    if (f.l !== undefined)
      return [
        'fill', 'a line\'s bytes arrive',
        'The pending bit of the way is cleared; from here on the line hits.', 'cache'
      ];
    return [
      '', 'the record changes', 'A kernel starts, the filter is switched, or the window begins.',
      'cache'
    ];
  }
  const load = f.op === 0 || f.op === 3;
  if (!load) {
    if (f.o === 0)
      return [
        'hit', OPS[f.op] + ' finds its line',
        'A store drops or updates the line, as the machine file says (l1d.store_policy).', 'cache'
      ];
    return [
      '', OPS[f.op] + ' goes down',
      f.op === 2 ? 'Atomics are performed in the L2.' :
                   'Stores are written through, without a line here.',
      'cache'
    ];
  }
  if (f.o === 0) return ['hit', 'hit', 'The tag is committed, and its line is present.', 'cache'];
  if (f.o === 1)
    return [
      'hit', 'hit on a pending line', 'The line is in flight: the load joins the list of its MSHR.',
      'cache'
    ];
  if (f.o === 2) {
    if (has('sector_misses'))
      return [
        '', 'sector miss', 'The line is present, but its sector is not: the sector is fetched.',
        'cache'
      ];
    if (has('commits'))
      return [
        '', 'miss: the tag gets a line',
        'The reference counter has reached decoupled.threshold: the candidate is committed, ' +
            'Position names its line' + (has('evictions') ? ', and another line is evicted' : '') +
            '.',
        'locality'
      ];
    return [
      '', 'miss',
      'A line is reserved and a fill is requested' +
          (has('evictions') ? '; the replacement policy\'s victim is evicted' +
                   (has('zero_reuse_evictions') ? ', never reused' : '') :
                              '') +
          '.',
      'cache'
    ];
  }
  if (x.includes('pc.bypasses'))
    return [
      'bypass', 'bypass by the PC predictor',
      'The counter of the load\'s PC predicts that the line will not be reused.', 'pc_pred'
    ];
  if (x.includes('two_level.bypasses'))
    return [
      'bypass', 'bypass by two-level\'s mode', 'After the last sampling window, loads bypass.',
      'two_level'
    ];
  if (x.includes('stall.bypasses'))
    return ['bypass', 'bypass instead of a refusal', 'It would have been refused.', 'comparators'];
  if (has('new_tags'))
    return [
      'bypass', 'bypass: a new tag',
      'The line had no tag: it becomes a candidate with RC = decoupled.rc_init, in a free ' +
          'tag way or the one of the least used candidate.',
      'locality'
    ];
  if (has('candidate_hits'))
    return [
      'bypass', 'bypass: a candidate is counted', 'RC goes up, and is below decoupled.threshold.',
      'locality'
    ];
  return [
    'bypass', 'bypass',
    'The load bypasses because of a hint, bypass_all, or a mechanism that does not use the ' +
        'tags.',
    'README'
  ];
}
function aged(f, before) {
  if (!before) return 0;
  return f.t.filter((t, i) => t[1] !== 0 && before.t[i][0] === t[0] && t[2] < before.t[i][2])
      .length;
}
function link(page) {
  const file = (page === 'README' ? 'README' : page) + '.md';
  const text = 'mechanisms/' + file;
  return D.pages ? el('a', {href: D.pages + '/' + file}, text) :
                   el('span', {title: 'byway ' + D.commit}, 'cmodel/doc/' + text);
}

// --- the view
const say = el('div', {class: 'say', 'aria-live': 'polite'}), tags = el('div', {class: 'scroll'}),
      lines = el('div', {class: 'scroll'});
const levels = el('p', {class: 'soft'}), wave = el('pre'), where = el('span', {id: 'where'});
const slider = el('input', {
  type: 'range',
  min: '0',
  max: String(F.length - 1),
  value: '0',
  id: 'slider',
  'aria-label': 'frame'
});
const NS = () => 'svg';
const strip = el('div', {id: 'strip'});
const COLOUR = {
  hit: 'var(--q3)',
  bypass: 'var(--q1)',
  refused: 'var(--q5)',
  fill: 'var(--q2)',
  '': 'var(--q6)'
};
function grid(heads, rows) {
  const t = el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(h => el('th', {}, h)))));
  t.append(el('tbody', {}, ...rows));
  return t;
}
function cells(list, before, at) {
  return el('tr', at ? {class: 'at'} : {}, ...list.map((c, i) => {
    const td = el('td', before && String(before[i]) !== String(c) ? {class: 'new'} : {});
    td.append(c instanceof Node ? c : String(c));
    return td;
  }));
}
function tagCells(t, i, most) {
  return [
    i, t[1] === 0 ? '-' : '0x' + t[0], STATUS[t[1]], t[1] === 0 ? '-' : t[2], t[3] < 0 ? '-' : t[3],
    t[4]
  ];
}
function show(i) {
  now = Math.min(Math.max(i, 0), F.length - 1);
  const f = F[now], before = F[now - 1], [kind, title, sentence, page] = ruleOf(f),
        old = aged(f, before);
  slider.value = String(now);
  where.textContent = 'cycle ' + f.c + ', step ' + (now + 1) + ' of ' + F.length;
  say.className = 'say ' + kind;
  say.replaceChildren(
      el('b', {}, title), f.a ? el('div', {}, OPS[f.op] + ' of 0x' + f.a + ', PC 0x' + f.p) : '',
      el('div', {}, sentence + ' '),
      f.l !== undefined && f.o !== undefined ?
          el('div', {}, 'In the same cycle the bytes of 0x' + f.l + ' arrive.') :
          f.l !== undefined ? el('div', {}, '0x' + f.l) :
                              '',
      old > 0 ?
          el('div', {},
             'The set ages: ' + old + ' other counter' + (old > 1 ? 's go' : ' goes') + ' down.') :
          '',
      el('div', {class: 'soft'}, 'rule: ', link(page)));
  tags.replaceChildren(
      grid(['tag way', 'line', 'status', 'RC', 'Position', 'LRU age'], f.t.map((t, k) => {
        const row =
            cells(tagCells(t, k), before && tagCells(before.t[k], k), f.a === t[0] && t[1] !== 0);
        if (t[1] !== 0)
          row.children[3].prepend(el('span', {
            class: 'rc',
            style: 'width:' +
                Math.min(t[2], innerWidth < 600 ? 16 : 64) * (innerWidth < 600 ? 1 : 3) + 'px'
          }));
        return row;
      })));
  const lineCells = (d, k) =>
      [k,
       d[0] < 0 ? 'free' :
           d[3] ? 'pending' :
                  'filled',
       d[0] < 0 ? '-' : d[0], d[1], d[2] ? 'yes' : 'no'];
  lines.replaceChildren(grid(
      ['line', 'state', 'tag way', 'rank', 'reused'],
      f.d.map((d, k) => cells(lineCells(d, k), before && lineCells(before.d[k], k), false))));
  levels.textContent = 'In the whole cache: MSHRs in use ' + f.m[0] + ', trackers in use ' +
      f.m[1] + ', queued misses ' + f.m[2] + ', queued bypasses ' + f.m[3] + '; filter ' +
      (f.f ? 'on' : 'off') + '.';
  wave.textContent = D.command.replace(/ --(waves(-[a-z]+)?|json)[ =]\S+/g, '') +
      ' --waves set.fst --waves-sm ' + D.sm + ' --waves-at ' + Math.max(0, f.c - 20) +
      ' --waves-cycles 60';
  const at = strip.querySelector('#now');
  if (at) at.setAttribute('x', String(now / F.length * 1000));
}
function play() {
  if (timer !== null) {
    clearInterval(timer);
    timer = null;
    playing.textContent = 'play';
    return;
  }
  playing.textContent = 'pause';
  timer = setInterval(() => {
    if (now + 1 === F.length)
      play();
    else
      show(now + 1);
  }, 400);
}
const next = (from, step, kind) => {  // finds the next frame of a kind
  for (let i = from + step; i >= 0 && i < F.length; i += step)
    if (ruleOf(F[i])[0] === kind) return i;
  return from;
};
const playing = el('button', {type: 'button', id: 'play', onclick: play}, 'play');
const button = (id, text, to) =>
    el('button', {type: 'button', id, onclick: () => show(to())}, text);
const kinds =
    el('select', {id: 'kind', 'aria-label': 'kind of step'},
       ...['hit', 'bypass', 'refused', 'fill'].map(k => el('option', {value: k}, k)));
let marks = '';
F.forEach((f, i) => {
  marks += '<rect x="' + (i / F.length * 1000).toFixed(2) + '" y="4" width="' +
      Math.max(1000 / F.length * 0.85, 0.6).toFixed(2) + '" height="26" fill="' +
      COLOUR[ruleOf(f)[0]] + '"/>';
});
strip.innerHTML =
    '<svg viewBox="0 0 1000 34" preserveAspectRatio="none" role="img" aria-label="all steps">' +
    marks + '<rect id="now" y="0" width="3" height="34" fill="currentColor"/></svg>';
const pick = e => {
  const r = strip.getBoundingClientRect();
  show(Math.floor((e.clientX - r.left) / r.width * F.length));
};
strip.addEventListener('pointerdown', e => {
  pick(e);
  strip.setPointerCapture(e.pointerId);
});
strip.addEventListener('pointermove', e => {
  if (e.buttons) pick(e);
});
slider.addEventListener('input', () => show(+slider.value));
document.addEventListener('keydown', e => {
  if (e.target.tagName === 'SELECT' || e.target === slider) return;
  const to = {
    ArrowRight: now + 1,
    ArrowLeft: now - 1,
    Home: 0,
    End: F.length - 1,
    PageDown: now + 20,
    PageUp: now - 20
  }[e.key];
  if (to !== undefined) {
    show(to);
    e.preventDefault();
  }
});
// The colours of the strip.
const KINDS = [
  ['hit', 'hit'], ['bypass', 'bypass'], ['refused', 'refused'], ['fill', 'a line\'s bytes arrive'],
  ['', 'miss, store, or the record changes']
];
const legend =
    el('div', {class: 'legend', id: 'legend'},
       ...KINDS.map(([k, t]) => el('span', {}, el('i', {style: 'background:' + COLOUR[k]}), t)));
// The first step that changes the set.
const begin =
    Math.max(0, F.findIndex(f => f.o !== undefined || f.n !== undefined || f.l !== undefined));
app.append(
    el('h1', {},
       'Set ' + D.set + ' of ' + D.sets + ', L1 of SM ' + D.sm +
           (D.workload ? ': ' + D.workload + ' on ' + D.machine + ' with ' + D.with : '')),
    D.cut ? el('p', {class: 'soft'},
               'The window has more steps than a page holds; these are the first.') :
            '',
    el('div', {class: 'bar'}, button('first', '|<', () => 0), button('back', '<', () => now - 1),
       playing, button('forward', '>', () => now + 1), button('last', '>|', () => F.length - 1),
       where),
    el('div', {class: 'bar'}, button('previous', 'previous', () => next(now, -1, kinds.value)),
       kinds, button('following', 'next', () => next(now, 1, kinds.value)), slider),
    strip, legend, el('h2', {}, 'What happened'), say,
    el('div', {class: 'two'}, el('div', {}, el('h2', {}, 'Tags'), tags),
       el('div', {}, el('h2', {}, 'Lines'), lines)),
    levels, el('h2', {}, 'The same cycles as waveforms'), wave,
    ...(D.command ?
            [
              el('h2', {}, 'The command that makes this page'),
              el('pre', {id: 'command'}, D.command)
            ] :
            []));
show(begin);
