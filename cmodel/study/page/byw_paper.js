// SPDX-License-Identifier: Apache-2.0
// A page of one paper or of all: claims with the papers' numbers next to ours, and figures; every
// number leads to its runs.
const state = {
  scale: 'log',
  off: new Set()
};
const dialog = el('dialog', {'aria-label': 'runs'});
document.body.append(dialog);
const commands = new Map(D.runs.map(r => [r.id, r]));
// The runs behind a number.
function openRuns(title, ids) {
  const close =
      el('button', {type: 'button', class: 'close', onclick: () => dialog.close()}, 'close');
  hideTip();
  dialog.replaceChildren(
      close, el('h2', {}, title),
      ...(ids.length === 0 ? [el('p', {}, 'No run of the sweep: ' + D.about)] : []));
  for (const id of ids) {
    const r = commands.get(id) || {};
    dialog.append(
        el('div', {},
           el('a', {href: D.folder + 'runs/' + id + '.json'}, D.folder + 'runs/' + id + '.json'),
           r.what ? ' ' + r.what : ''),
        ...(r.again ? [el('pre', {class: 'cmd'}, r.again)] : []));
  }
  dialog.append(el('p', {class: 'soft'}, 'All of them: '), el('pre', {class: 'cmd'}, D.command));
  dialog.showModal();
  close.focus();
}
dialog.addEventListener('close', () => {
  document.querySelector('main').append(tip);
  hideTip();
});
dialog.addEventListener('click', e => {
  if (e.target === dialog) dialog.close();
});
const runsButton = (text, title, ids) =>
    el('button', {
      type: 'button',
      class: 'runs',
      'aria-label': title + ': its runs',
      onclick: () => openRuns(title, ids || [])
    },
       text);

// --- claims
const HEADS =
    ['claim', 'number', 'what it is', 'paper', 'here', 'effect, times the paper’s', 'verdict'];
// Files of version 0.1 have no verdict of a number.
const verdict = n => (n.missing || []).length > 0 ?
    n.missing.length + ' of ' + n.needed + ' runs missing' :
    n.here === null         ? '-' :
    n.verdict === 'not'     ? 'not: ' + n.expected + ' expected' :
    n.lacks                 ? n.verdict + ': ' + n.lacks :
    n.verdict !== undefined ? n.verdict :
    n.holds                 ? 'yes' :
                              'no: ' + n.expected + ' expected';
// A value with the deviation of one run, if there are several runs.
const spread = (value, sd) =>
    digits(value) + (sd === undefined || sd === null ? '' : ' ± ' + digits(sd));
// Half of the 95 % interval of a number that several runs have.
const half = n => n.sd === undefined || n.sd === null ? n.sd : n.half ?? n.sd;
const VERDICTS = ['reproduced', 'partly', 'not', 'undecided', 'incomplete'];
function claims(P) {
  if (P.claims.length === 0) return [];
  const body = el('tbody'), left = {class: 'left'};
  for (const c of P.claims) {
    body.append(
        el('tr', {id: 'claim-' + c.id, class: 'claim'}, el('td', left, el('b', {}, c.id)),
           el('td', {class: 'left', colspan: '5'}, el('b', {}, c.claim),
              c.section ? ' (' + c.section + ')' : ''),
           el('td', left, el('b', {}, c.verdict))));
    for (const n of c.numbers) {
      body.append(
          el('tr', {}, el('td'), el('td', left, n.number),
             el('td', {class: 'left soft'},
                n.metric + ', ' + n.variant + (n.reference ? ' over ' + n.reference : '')),
             el('td', {}, digits(n.paper)),
             el('td', {}, runsButton(spread(n.here, half(n)), c.id + ', ' + n.number, n.runs)),
             el('td', {},
                n.strength === undefined || n.strength === null ? '' : n.strength.toFixed(2)),
             el('td', left, verdict(n))));
      if (n.note)
        body.append(el('tr', {}, el('td'), el('td', {class: 'left soft', colspan: '6'}, n.note)));
    }
    if ((c.shipped || []).length > 0)
      body.append(
          el('tr', {}, el('td'),
             el('td', {class: 'left soft', colspan: '6'},
                'with the shipped input: ' + c.shipped.join(', '))));
    if (c.reason)
      body.append(
          el('tr', {}, el('td'),
             el('td', {class: 'left soft', colspan: '6'}, c.reason,
                ...(c.experiment ? [' ', el('code', {}, c.experiment)] : []))));
  }
  const numbers =
      P.claims.flatMap(c => c.numbers.map(n => ({
                                            n: c.id + ' ' + n.number,
                                            values: [[1, n.here === null ? NaN : n.here, half(n)]],
                                            theirs: [[1, n.paper]]
                                          })));
  const drawing = () => (M = [[0, 0, 0], [1, 0, 0]], rowsDrawing)(
      {
        title: P.paper + ', claims: here (marks), in the paper (strokes)',
        names: ['', 'here'],
        shown: [1],
        ratio: true,
        rows: numbers
      },
      logarithmic(0.05, 10, 500));
  const count = v => P.claims.filter(c => c.verdict === v).length,
        counts = VERDICTS.filter(v => VERDICTS.indexOf(v) < 3 || count(v) > 0)
                     .map(v => count(v) + ' ' + v)
                     .join(', ');
  return [
    el('h2', {}, 'Claims: ' + counts,
       tools(
           'claims of ' + P.paper, drawing,
           () => [
               ['verdict', ...HEADS],
               ...P.claims.flatMap(
                   c => c.numbers.map(
                       n =>
                           [c.verdict, c.id + ' ' + c.claim, n.number,
                            n.metric + ', ' + n.variant +
                                (n.reference ? ' over ' + n.reference : ''),
                            n.paper, n.here, n.strength ?? '', verdict(n)]))])),
    el('div', {class: 'scroll', tabindex: '0'},
       el('table', {class: 'claims'},
          el('thead', {},
             el('tr', {}, ...HEADS.map((h, i) => el('th', i < 3 || i > 5 ? left : {}, h)))),
          body))
  ];
}

// --- figures: a row of marks per row of the figure, the paper's values as strokes
const num = v => v === null || v === undefined ? NaN : v;
function figure(f) {
  const use = () => {
    M = f.marks;
  };
  use();
  const shown = f.columns.map((_, i) => i).filter(i => !state.off.has(f.id + i)),
        ratio = /relative|over/.test(f.quantity);
  const name = innerWidth < 600 ? 100 : 150,
        wide = Math.max(180, Math.min(560, (app.clientWidth || innerWidth) - name - 24));
  const c = {
    title: f.title + ': ' + f.quantity,
    names: f.columns,
    shown,
    ratio,
    rows: f.rows.map(r => ({
                       n: r.row,
                       runs: r.runs,
                       values: shown.map(i => [i, num(r.here[i]), (r.sd || [])[i]]),
                       theirs: shown.map(i => [i, num(r.paper[i])]).filter(v => !isNaN(v[1]))
                     }))
  };
  const axis = axisFor(
      c.rows.flatMap(r => [...r.values, ...r.theirs].map(v => v[1])), ratio, state.scale, wide);
  const body = el('tbody');
  for (const r of c.rows) {
    const list = () =>
        (use(), r.values)
            .flatMap(
                ([i, v, sd]) => [
                    [keyMark(i), f.columns[i], spread(v, sd)],
                    ...r.theirs.filter(t => t[0] === i).map(t => ['', 'in the paper', t[1]])]);
    const ids = [...new Set((r.runs || []).flat().filter(x => x))];
    const title =
              el('button',
                 {type: 'button', title: r.n, onclick: () => openRuns(f.title + ', ' + r.n, ids)},
                 r.n),
          td = el('td');
    title.addEventListener('focus', () => {
      const b = title.getBoundingClientRect();
      if (title.matches(':focus-visible')) showBox(b.right, b.top, r.n, f.quantity, list());
    });
    title.addEventListener('blur', hideTip);
    td.innerHTML = svg(wide, ROW, strip(axis, ratio, r.values, r.theirs));
    td.addEventListener('pointermove', e => {
      if (e.pointerType === 'mouse') showBox(e.clientX, e.clientY, r.n, f.quantity, list());
    });
    td.addEventListener('pointerleave', e => {
      if (e.pointerType === 'mouse') hideTip();
    });
    td.addEventListener('click', e => showBox(e.clientX, e.clientY, r.n, f.quantity, list()));
    body.append(el('tr', {class: 'load'}, el('th', {class: 'name', scope: 'row'}, title), td));
  }
  const head = el('th', {scope: 'col'}, f.quantity + ' '), box = el('div');
  head.append(tools(
      f.title, () => (use(), rowsDrawing(c, axis)),
      () => [
          ['', ...f.columns.flatMap(n => [n, n + ', in the paper'])],
          ...f.rows.map(
              r => [r.row, ...f.columns.flatMap((_, i) => [num(r.here[i]), num(r.paper[i])])])]));
  box.innerHTML = svg(wide, AXIS - 6, ticks(axis, 14));
  head.append(box);
  const keys = el('div', {class: 'bar', role: 'group', 'aria-label': 'columns of ' + f.title});
  const pane =
      el('div', {
        class: 'pane',
        tabindex: '0',
        role: 'region',
        'aria-label': f.title,
        style: '--name:' + name + 'px'
      },
         el('table', {class: 'grid'},
            el('thead', {},
               el('tr', {}, el('th', {class: 'name', scope: 'col'}, String(f.rows.length)), head)),
            body));
  const numbers =
      el('details', {}, el('summary', {}, 'numbers, the paper’s in parentheses'),
         table(
             ['', ...f.columns],
             f.rows.map(
                 r =>
                     [r.row,
                      ...f.columns.map(
                          (_, i) => spread(num(r.here[i]), (r.sd || [])[i]) +
                              (isNaN(num(r.paper[i])) ? '' : ' (' + digits(r.paper[i]) + ')'))])));
  const whole = el('section', {id: f.id}, el('h2', {}, f.title), keys, pane, numbers);
  f.columns.forEach(
      (n, i) =>
          keys.append(toggle(n, keyMark(i), state.off, f.id + i, 'p-' + f.id + '-' + i, () => {
            whole.replaceWith(figure(f));
            document.getElementById('p-' + f.id + '-' + i).focus();
          })));
  return whole;
}
const boxes = D.papers.map(() => el('div'));
const draw = () => D.papers.forEach((P, i) => boxes[i].replaceChildren(...P.figures.map(figure)));
const chapter = (P, i) =>
    [...(D.papers.length > 1 ? [el('h1', {class: 'machine', id: 'paper-' + P.paper}, P.title)] :
                               []),
     el('p', {class: 'soft'}, P.authors + (P.venue ? ', ' + P.venue : '') + '. ',
        P.noise ? P.noise + ' ' : '', ...(P.page ? [el('a', {href: P.page}, 'Its page')] : [])),
     ...claims(P), boxes[i]];
app.append(
    el('p', {class: 'soft'},
       'Strokes and the column "paper" show the paper’s numbers; marks and "here" show our runs: ' +
           'click a name or a number to see them. A number is reproduced if it has the paper’s ' +
           'sign, order or level by more than twice the noise and at least half of its effect; ' +
           'it is partly reproduced if sign or level are right by more than the noise, and ' +
           'undecided within the noise. A claim needs all of its numbers.'),
    el('div', {class: 'bar'},
       scales(
           state.scale,
           k => {
             state.scale = k;
             draw();
           }),
       printer(),
       ...(D.papers.length > 1 ? D.papers.map(P => el('a', {href: '#paper-' + P.paper}, P.paper)) :
                                 [])),
    ...D.papers.flatMap(chapter));
draw();
if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
