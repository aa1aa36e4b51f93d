// SPDX-License-Identifier: Apache-2.0
// A sweep: the metric over one parameter, two parameters as a map, and the variants by rank.

const variantValue = (of, p) => {
  const m = METRICS[sweep.metric];
  return sweep.load === 'mean' ? mean(m, of, p) : metric(m, +sweep.load, p);
};
const isNumber = t => t !== undefined && t !== '' && !isNaN(+t);
const valuesOf = key => [...new Set(settings.map(s => s[key]).filter(v => v !== undefined))].sort(
    (a, b) => isNumber(a) && isNumber(b) ? a - b :
        a < b                            ? -1 :
                                           1);
// The first axis is the parameter with most values; numeric ones have priority over words.
const byUse = [...varied].sort(
    (a, b) => valuesOf(b).every(isNumber) - valuesOf(a).every(isNumber) ||
        valuesOf(b).length - valuesOf(a).length);
const sweep = {
  metric: 0,
  x: byUse[0],
  y: byUse[1],
  load: 'mean'
};
// The rest of a variant's identity: its policy, and the other parameters.
const restOf =
    (p, ...keys) => [D.policies[p].t.replace(D.policies[p].s, ''),
                     ...varied.filter(k => !keys.includes(k) && settings[p][k] !== undefined)
                         .map(k => k + '=' + settings[p][k])]
                        .join(' ');
const gapsOf = (of, p) => of.filter(w => run(w, p) && run(w, p).refused);
const whyGap = (of, p) => {
  const g = gapsOf(of, p);
  return g.length === 0 ?
      'not run' :
      'refused on ' + g.length + ' of ' + of.length + ': ' + run(g[0], p).refused;
};

const RANKED = 16;
function ranking(of) {
  const m = METRICS[0],
        all = shown()
                  .map(p => [mean(m, of, p), p])
                  .sort((a, b) => (isNaN(b[0]) ? -1 : b[0]) - (isNaN(a[0]) ? -1 : a[0]));
  const rank = ([v, p], i) => {
    const name = el('span', {class: 'bar'});
    if (!crowded()) name.innerHTML = keyMark(p);
    name.append(D.policies[p].t);
    return [
      name, isNaN(v) ? '-' : String(i + 1), isNaN(v) ? whyGap(of, p) : timesOf(meanSpread(m, of, p))
    ];
  };
  const heads = ['variant', 'rank', title(m)],
        rest = all.slice(RANKED).map((x, i) => rank(x, i + RANKED));
  return [
    el('h2', {}, 'Variants by rank'),
    el('div', {id: 'sweep-rank'}, table(heads, all.slice(0, RANKED).map(rank))),
    ...(rest.length === 0 ? [] : [el('details', {}, el('summary', {}, rest.length + ' more'),
                                     table(heads, rest))])
  ];
}

// Lines over a parameter: its values at equal distances, with a gap where a variant was refused.
function overParameter(of) {
  const xs = valuesOf(sweep.x), m = METRICS[sweep.metric],
        names = [...new Set(shown().map(p => restOf(p, sweep.x)))];
  const groups = names
                     .map(
                         n => shown().filter(
                             p => restOf(p, sweep.x) === n && settings[p][sweep.x] !== undefined))
                     .filter(g => g.length > 0);
  const wide = Math.min(640, room() - 20), high = 240, left = 56, top = 12,
        side = 4 + 3.6 * Math.max(...xs.map(t => t.length)),
        each = (wide - left - 20 - 2 * side) / Math.max(1, xs.length - 1);
  const known = groups.flat().map(p => variantValue(of, p)).filter(v => !isNaN(v));
  const low = Math.min(...known, m.ratio ? 1 : 0), most = Math.max(...known, m.ratio ? 1 : 0),
        pad = (most - low || 1) * 0.08;
  const up = linear(m.ratio ? low - pad : low, most + pad, high), y = v => top + high - up.x(v),
        x = i => xs.length === 1 ? (left + wide) / 2 : left + side + i * each;
  let s = '';
  for (const t of up.ticks)
    s += '<line class="grid" x1="' + left + '" x2="' + (wide - 10) + '" y1="' + y(t).toFixed(1) +
        '" y2="' + y(t).toFixed(1) + '"/>' +
        label(left - 4, (y(t) + 4).toFixed(1), t, 'text-anchor:end');
  xs.forEach((t, i) => {
    s += label(x(i).toFixed(1), top + high + 16, t, 'text-anchor:middle');
  });
  s += label((wide / 2).toFixed(1), top + high + 34, sweep.x, 'text-anchor:middle;font-weight:600');
  // Lines have looks of their own; of too many lines only the fastest and the slowest do.
  const many = groups.length > MANY, looks = new Map();
  groups.forEach((g, i) => g.forEach(p => looks.set(p, many ? LOOKS.get(p) || M[p] : [
    (M[g[0]][0] + Math.floor(i / 8)) % 8, i % 8, 0
  ])));
  const hue = p => 'var(--q' + looks.get(p)[0] + ')';
  const marked = g => !many || g.some(p => ends.includes(p));
  for (const g of groups) {
    let path = '', open = false;
    const first = many ? g.find(p => ends.includes(p)) ?? g[0] : g[0];
    xs.forEach((t, i) => {
      const p = g.find(q => settings[q][sweep.x] === t),
            v = p === undefined ? NaN : variantValue(of, p);
      if (isNaN(v)) {
        open = false;
        if (p !== undefined)
          s += label(
              x(i).toFixed(1), top + high - 3, '×',
              'text-anchor:middle;fill:' + hue(p) + ';font-size:15px');
        return;
      }
      path += (open ? 'L' : 'M') + x(i).toFixed(1) + ' ' + y(v).toFixed(1);
      open = true;
    });
    if (path)
      s += '<path d="' + path + '" fill="none" stroke="' +
          (marked(g) ? hue(first) + '"' + dashes(first, looks.get(first)) :
                       'var(--soft)" stroke-opacity="0.35"') +
          ' stroke-width="' + (marked(g) ? 2 : 1) + '"/>';
    if (!marked(g)) continue;
    xs.forEach((t, i) => {
      const p = g.find(q => settings[q][sweep.x] === t),
            v = p === undefined ? NaN : variantValue(of, p);
      if (!isNaN(v)) s += mark(first, x(i), y(v), looks.get(first));
    });
  }
  const box = el('div', {class: 'lines'}), key = el('div', {class: 'key'}),
        name = title(m) + ' against ' + sweep.x +
      (sweep.load === 'mean' ? '' : ', ' + D.workloads[+sweep.load].n);
  box.innerHTML = svg(wide, top + high + 42, s);
  const keyed = groups.filter(marked).map(g => many ? g.find(p => ends.includes(p)) : g[0]);
  for (const p of keyed) {
    const one = el('span');
    one.innerHTML = keyMark(p, looks.get(p));
    one.append(restOf(p, sweep.x));
    key.append(one);
  }
  if (many) key.append(el('span', {}, 'grey: the other ' + (groups.length - keyed.length)));
  if (groups.flat().some(p => isNaN(variantValue(of, p)))) key.append(el('span', {}, '× refused'));
  const keys = keyed
                   .map(
                       (p, i) => mark(p, 20, 34 + 16 * i, looks.get(p)) +
                           label(30, 38 + 16 * i, restOf(p, sweep.x)))
                   .join('');
  return el(
      'div', {id: 'sweep-line'},
      el('h3', {}, name,
         tools(
             name,
             () => ({
               w: Math.max(wide, 420),
               h: top + high + 66 + 16 * keyed.length,
               s: label(8, 18, name, 'font-size:15px;font-weight:600') + keys +
                   '<g transform="translate(0 ' + (24 + 16 * keyed.length) + ')">' + s + '</g>'
             }),
             () => [
                 ['variant', sweep.x, title(m)],
                 ...groups.flatMap(
                     g => g.map(
                         p => [restOf(p, sweep.x), settings[p][sweep.x], variantValue(of, p)]))])),
      key, box);
}

const themed = name =>
    hexOf(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
const rgb = c => 'rgb(' + c.join() + ')';
// The colour of a cell whose value is at `part` of the range, and of the number on it.
const cellStyle = part => {
  const c = mixed(themed('--paper'), themed('--q6'), 0.08 + 0.72 * part);
  return 'background:' + rgb(c) + ';color:' + rgb(inkOn(c));
};
// The range of colours between the lowest and the highest value.
const colourBar = (low, most) => el(
    'p', {class: 'soft', style: 'display:flex;gap:6px;align-items:center'}, digits(low),
    el('span', {
      style: 'width:140px;height:12px;background:linear-gradient(90deg,' +
          [0, 1].map(t => rgb(mixed(themed('--paper'), themed('--q6'), 0.08 + 0.72 * t))).join() +
          ')'
    }),
    digits(most));
// One map for each combination of the other settings: its cells are the values of two parameters;
// darker cells are higher.
function maps(of) {
  if (varied.length < 2) return [];
  const xs = valuesOf(sweep.x), ys = valuesOf(sweep.y), m = METRICS[sweep.metric],
        names = [...new Set(shown().map(p => restOf(p, sweep.x, sweep.y)))];
  const known = shown().map(p => variantValue(of, p)).filter(v => !isNaN(v)),
        low = Math.min(...known), most = Math.max(...known);
  return names.map(n => {
    const grid = el('table', {class: 'heat'}),
          name = n + ': ' + title(m) +
        (sweep.load === 'mean' ? '' : ', ' + D.workloads[+sweep.load].n);
    const get = (a, b) => shown().find(
        p => restOf(p, sweep.x, sweep.y) === n && settings[p][sweep.x] === a &&
            settings[p][sweep.y] === b);
    grid.append(
        el('tr', {}, el('th', {}, sweep.y + ' \\ ' + sweep.x), ...xs.map(a => el('th', {}, a))));
    for (const b of ys)
      grid.append(el('tr', {}, el('th', {}, b), ...xs.map(a => {
        const p = get(a, b), v = p === undefined ? NaN : variantValue(of, p),
              part = most > low ? (v - low) / (most - low) : 0.5;
        return isNaN(v) ?
            el('td', {class: 'gap', title: p === undefined ? 'not run' : whyGap(of, p)},
               p === undefined ? '-' : 'refused') :
            el('td', {style: cellStyle(part)}, digits(v));
      })));
    const drawing = () => {
      let s = label(8, 18, name, 'font-size:15px;font-weight:600') +
          label(110, 40, sweep.x, 'font-weight:600') + label(8, 58, sweep.y, 'font-weight:600');
      xs.forEach((a, i) => {
        s += label(110 + 70 * i + 35, 58, a, 'text-anchor:middle');
      });
      ys.forEach((b, j) => {
        s += label(100, 84 + 26 * j, b, 'text-anchor:end');
        xs.forEach((a, i) => {
          const p = get(a, b), v = p === undefined ? NaN : variantValue(of, p),
                part = most > low ? (v - low) / (most - low) : 0.5,
                tone = Math.round(255 - 150 * part).toString(16).padStart(2, '0');
          if (!isNaN(v))
            s += '<rect x="' + (110 + 70 * i) + '" y="' + (66 + 26 * j) +
                '" width="68" height="24" fill="#' + tone + tone + 'ff"/>';
          s += label(
              110 + 70 * i + 34, 83 + 26 * j, isNaN(v) ? 'refused' : digits(v),
              'text-anchor:middle');
        });
      });
      return {w: Math.max(420, 130 + 70 * xs.length), h: 80 + 26 * ys.length, s};
    };
    return el(
        'div', {},
        el('h4', {}, name,
           tools(
               name, drawing,
               () => [[sweep.y + ' / ' + sweep.x, ...xs], ...ys.map(b => [b, ...xs.map(a => {
                                                                      const p = get(a, b);
                                                                      return p === undefined ?
                                                                          NaN :
                                                                          variantValue(of, p);
                                                                    })])])),
        el('div', {class: 'scroll'}, grid), colourBar(low, most));
  });
}

function sweepView(of) {
  if (sweep.load !== 'mean' && !of.includes(+sweep.load)) sweep.load = 'mean';
  const again = id => {
    draw();
    const e = document.getElementById(id);
    if (e) e.focus();
  };
  const bar =
      el('div', {class: 'bar'},
         choice(
             'metric', METRICS.map((m, i) => [String(i), title(m)]), String(sweep.metric),
             v => {
               sweep.metric = +v;
               again('c-metric');
             }),
         ...(varied.length > 1 ? [choice(
                                     'against', varied.map(k => [k, k]), sweep.x,
                                     v => {
                                       if (sweep.y === v) sweep.y = sweep.x;
                                       sweep.x = v;
                                       again('c-against');
                                     })] :
                                 []),
         ...(varied.length > 2 ?
                 [choice(
                     'and', varied.filter(k => k !== sweep.x).map(k => [k, k]), sweep.y,
                     v => {
                       sweep.y = v;
                       again('c-and');
                     })] :
                 []),
         choice(
             'of', [['mean', 'the mean of all'], ...of.map(w => [String(w), D.workloads[w].n])],
             sweep.load, v => {
               sweep.load = v;
               again('c-of');
             }));
  return [
    bar, overParameter(of),
    ...(varied.length > 1 ? [el('div', {class: 'charts', id: 'sweep-map'}, ...maps(of))] : []),
    ...ranking(of)
  ];
}
