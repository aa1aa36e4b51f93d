// SPDX-License-Identifier: Apache-2.0
// Drawing functions of all pages: marks, axes, charts as SVG, files (SVG, CSV), the box with
// values. They load nothing.
const ROW = 27, AXIS = 26, ZOOM = [0.85, 1.15];
let WIDE = 300;
const tip = document.getElementById('tip');
const escaped = t => String(t).replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';');
// Marks of the series (byw_palette.h): [colour, look, number of the variant]; on a page of papers
// those of the current figure.
let M = D.marks || [];
const colour = p => 'var(--q' + M[p][0] + ')';
const per = (a, b) => b > 0 ? a / b : NaN;
const digits = x => x === null || isNaN(x) ? '-' :
    Math.abs(x) >= 1000                    ? Math.round(x).toLocaleString('en') :
                                             (+x.toPrecision(4)).toString();

// --- colours as [red, green, blue]
const hexOf = text =>
    (text.length < 6 ? [...text.slice(1)].map(d => d + d) : text.match(/[0-9a-f]{2}/gi))
        .map(d => parseInt(d, 16));
const mixed = (a, b, part) => a.map((v, i) => Math.round(v + (b[i] - v) * part));
// Relative luminance and contrast as the Web Content Accessibility Guidelines define them.
const luminance = c => c.map(v => v / 255)
                           .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                           .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
// Black or white, whichever is easier to read; their contrast with any colour is at least 4.5.
const inkOn = c =>
    contrast(c, [0, 0, 0]) >= contrast(c, [255, 255, 255]) ? [0, 0, 0] : [255, 255, 255];

// --- axes
function scale(f, ticks, low, high, wide) {
  return {
    low,
    high,
    ticks,
    wide,
    x: v =>
        12 + (wide - 24) * (Math.min(Math.max(f(v), f(low)), f(high)) - f(low)) / (f(high) - f(low))
  };
}
function linear(low, high, wide = WIDE) {
  const raw = (high - low) / 5, ten = 10 ** Math.floor(Math.log10(raw));
  const step = ten * [1, 2, 5, 10].find(k => k * ten >= raw * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i++)
    ticks.push(+(i * step).toPrecision(6));
  return scale(v => v, ticks, low, high, wide);
}
// Half of a label's width.
const labelHalf = t => 3.8 * String(brief(t)).length;
const apart = axis => axis.ticks.every(
    (t, i) =>
        !i || axis.x(t) - axis.x(axis.ticks[i - 1]) > labelHalf(t) + labelHalf(axis.ticks[i - 1]));
// The largest number of ticks whose labels do not overlap.
function logarithmic(low, high, wide = WIDE) {
  const axisOf = ticks => scale(v => Math.log(Math.max(v, 1e-4)), ticks, low, high, wide);
  const all = steps => [0.001, 0.01, 0.1, 1, 10, 100, 1000]
                           .flatMap(ten => steps.map(k => +(k * ten).toPrecision(2)))
                           .filter(t => t >= low * 0.999 && t <= high * 1.001);
  const fine = all(high < 10 * low ? [1, 1.5, 2, 3, 5, 7] : [1, 2, 5]);
  if (fine.length < 3) return axisOf(linear(low, high).ticks);
  const tens = all([1]), hundreds = tens.filter(t => Math.round(Math.log10(t)) % 2 === 0);
  return [fine, all([1, 2, 5]), all([1, 3]), tens].map(axisOf).find(apart) || axisOf(hundreds);
}
// For ratios: `how` is 'data' (their range), 'zoom' (ZOOM), 'log' or 'linear'; other quantities
// start at 0.
function axisFor(values, ratio, how, wide = WIDE) {
  let low = Infinity, high = -Infinity;
  for (const x of values)
    if (!isNaN(x)) {
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  if (!isFinite(low)) {
    low = 0;
    high = 1;
  }
  if (!ratio) return linear(Math.min(low, 0), Math.max(high, 0.01), wide);
  if (how === 'zoom') return linear(...ZOOM, wide);
  if (how === 'data' && (low <= 0 || high < 4 * low)) {
    const pad = 0.03 * (Math.max(high, 1) - Math.min(low, 1) || 1);
    return linear(Math.min(low, 1) - pad, Math.max(high, 1) + pad, wide);
  }
  if (how === 'log' || how === 'data')
    return logarithmic(Math.min(low, 0.9), Math.max(high, 1.1), wide);
  return linear(0, Math.max(high, 1.1), wide);
}
const brief = t => t >= 1e9 ? t / 1e9 + ' G' :
    t >= 1e6                ? t / 1e6 + ' M' :
    t >= 1e4                ? t / 1e3 + ' k' :
                              t;
// A label at an end of its axis stays within the axis.
const ticks = (axis, y) =>
    axis.ticks
        .map(t => {
          const x = Math.max(labelHalf(t), Math.min(axis.x(t), axis.wide - labelHalf(t)));
          return '<text class="tick" style="text-anchor:middle" x="' + x.toFixed(1) + '" y="' + y +
              '">' + brief(t) + '</text>';
        })
        .join('');

// --- marks: a colour and one of eight looks (four shapes, filled or outlined), or else a number
const SHAPES = [
  'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z', 'M0-5.2L5 4L-5 4z', 'M-4-4L4-4L4 4L-4 4z',
  'M0-5.6L5.6 0L0 5.6L-5.6 0z'
];
// Marks of the fastest and the slowest series if there are too many for all to have marks.
const LOOKS = new Map();
const mark = (p, x, y, own) => {
  const [hue, look, number] = own || LOOKS.get(p) || M[p], ink = 'var(--q' + hue + ')';
  return '<path d="' + SHAPES[look % 4] + '" transform="translate(' + x.toFixed(1) + ' ' + y +
      ')" ' +
      (look < 4 ? 'fill="' + ink + '" stroke="var(--paper)" stroke-width="0.8"/>' :
                  'fill="var(--paper)" stroke="' + ink + '" stroke-width="2"/>') +
      (number ? '<text x="' + (x + 4).toFixed(1) + '" y="' + (y + 6) + '" style="font-size:8px">' +
               number + '</text>' :
                '');
};
// Lines of one colour differ by dashes, as marks differ by shape.
const DASHES =
    ['', ' stroke-dasharray="7 3"', ' stroke-dasharray="2 3"', ' stroke-dasharray="9 3 2 3"'];
const dashes = (p, own) => DASHES[(own || M[p])[1] % 4];
const keyMark = (p, own) =>
    '<svg viewBox="-7 -7 14 14" aria-hidden="true">' + mark(p, 0, 0, own) + '</svg>';
// The standard deviation of one run on both sides of a value; none for a single run.
function errorBar(axis, p, v, sd, y) {
  if (!(sd > 0)) return '';
  const within = u => Math.min(Math.max(u, axis.low), axis.high);
  return '<path class="error" d="M' + axis.x(within(v - sd)).toFixed(1) + ' ' + y + 'L' +
      axis.x(within(v + sd)).toFixed(1) + ' ' + y + '" fill="none" stroke="' + colour(p) + '"/>';
}
const quantile = (sorted, q) => {
  const at = (sorted.length - 1) * q, k = Math.floor(at);
  return sorted[k] + (sorted[Math.min(k + 1, sorted.length - 1)] - sorted[k]) * (at - k);
};
// Many series: a thin line over all, a thick one over the middle half, marks for values.ends.
function rangeOf(axis, values) {
  const y = ROW / 2,
        its = values.map(e => e[1]).filter(v => v !== null && !isNaN(v)).sort((a, b) => a - b);
  if (its.length === 0) return '';
  const bar = (from, to, thick) => '<line x1="' + axis.x(from).toFixed(1) + '" x2="' +
      axis.x(to).toFixed(1) + '" y1="' + y + '" y2="' + y +
      '" stroke="var(--soft)" stroke-width="' + thick + '"/>';
  return bar(its[0], its[its.length - 1], 1.2) + bar(quantile(its, 0.25), quantile(its, 0.75), 6) +
      values.filter(e => values.ends.includes(e[0]) && !isNaN(e[1]))
          .sort((a, b) => values.ends.indexOf(b[0]) - values.ends.indexOf(a[0]))
          .map(e => mark(e[0], axis.x(e[1]), y))
          .join('');
}
// A row of marks: values is a list of [series, value, deviation or none]; theirs: the paper's
// values, as rings of the same colour.
function strip(axis, ratio, values, theirs) {
  const y = ROW / 2;
  let s = '';
  for (const t of axis.ticks)
    s += '<line class="grid" x1="' + axis.x(t).toFixed(1) + '" x2="' + axis.x(t).toFixed(1) +
        '" y1="0" y2="' + ROW + '"/>';
  if (ratio)
    s += '<line class="one" x1="' + axis.x(1).toFixed(1) + '" x2="' + axis.x(1).toFixed(1) +
        '" y1="0" y2="' + ROW + '"/>';
  for (const [p, v] of theirs || [])
    if (!isNaN(v))
      s += '<path d="M' + axis.x(v).toFixed(1) + ' 1L' + axis.x(v).toFixed(1) + ' ' + (ROW - 1) +
          '" fill="none" stroke="' + colour(p) + '" stroke-width="2.5"/>';
  if (values.ends) return s + rangeOf(axis, values);
  // Marks that would overlap are drawn above each other, on three levels.
  const last = [-99, -99, -99];
  for (const [p, v, sd] of values.filter(e => e[1] !== null && !isNaN(e[1]))
           .sort((a, b) => a[1] - b[1])) {
    const x = axis.x(v),
          level = [1, 0, 2].reduce((a, b) => x - last[a] >= 9 || last[a] <= last[b] ? a : b);
    last[level] = x;
    s += errorBar(axis, p, v, sd, 6 + 7.5 * level);
    s += mark(p, x, 6 + 7.5 * level);
    if (v > axis.high * 1.0001)
      s += '<path d="M' + (axis.wide - 4) + ' ' + (y - 4) + 'l4 4l-4 4" fill="none" stroke="' +
          colour(p) + '"/>';
    if (v < axis.low * 0.9999)
      s += '<path d="M4 ' + (y - 4) + 'l-4 4l4 4" fill="none" stroke="' + colour(p) + '"/>';
  }
  return s;
}
const svg = (w, h, inside) => '<svg width="' + w + '" height="' + h + '" viewBox="0 0 ' + w + ' ' +
    h + '" aria-hidden="true">' + inside + '</svg>';
const label = (x, y, text, style) => '<text x="' + x + '" y="' + y + '"' +
    (style ? ' style="' + style + '"' : '') + '>' + escaped(text) + '</text>';

// A chart of rows of marks as a separate drawing: {w, h, s}. c: title, names (all series), shown
// (their numbers), rows: [{n, values, theirs}], ratio.
function rowsDrawing(c, axis) {
  const left = 150, top = 46, across = Math.max(1, Math.floor((left + axis.wide) / 190)),
        keys = Math.ceil(c.shown.length / across);
  const high = top + 16 * keys + ROW * c.rows.length + AXIS;
  let s = label(8, 20, c.title, 'font-size:15px;font-weight:600');
  c.shown.forEach((p, i) => {
    const x = 12 + i % across * 190, y = 38 + 16 * Math.floor(i / across);
    s += mark(p, x, y) + label(x + 9, y + 4, c.names[p]);
  });
  c.rows.forEach((r, i) => {
    const y = top + 16 * keys + i * ROW;
    s += label(left - 6, y + 18, r.n, 'text-anchor:end') + '<g transform="translate(' + left + ' ' +
        y + ')">' + strip(axis, c.ratio, r.values, r.theirs) + '</g>';
  });
  s += '<g transform="translate(' + left + ' ' + (high - AXIS) + ')">' + ticks(axis, 16) + '</g>';
  return {w: left + axis.wide + 10, h: high, s};
}

// --- files
const space = (() => {
  const e = el('div');
  e.innerHTML = '<svg></svg>';
  return e.firstChild.namespaceURI;
})();
// Files have a white background: the colours of the light theme.
const css = getComputedStyle(document.documentElement);
const property = v => css.getPropertyValue(v).trim();
const onWhite = v => property(v.replace('--', '--light-')) || property(v);
const BACKGROUND = '<rect width="100%" height="100%" fill="' + onWhite('--paper') + '"/>';
const fileStyle = '<style>text{font:12px sans-serif;fill:' + onWhite('--ink') +
    '}.grid{stroke:' + onWhite('--line') + '}.one{stroke:' + onWhite('--soft') +
    ';stroke-dasharray:5 4}</style>';
function svgFile(d) {
  const s = d.s.replace(/var\((--[a-z0-9]+)\)/g, (_, v) => onWhite(v));
  return '<svg xmlns="' + space + '" width="' + d.w + '" height="' + d.h + '" viewBox="0 0 ' + d.w +
      ' ' + d.h + '">' + fileStyle + BACKGROUND + s + '</svg>\n';
}
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const a = el('a', {href: url, download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  window.lastSaved = {name, text};
}
// A spreadsheet runs a text that begins like a formula, unless an apostrophe says that it is a
// text.
const plain = t => /^[=+\-@\t\r]/.test(t) && isNaN(+t) ? '\'' + t : t;
const quoted = t => /[",\n]/.test(t) ? '"' + plain(t).replaceAll('"', '""') + '"' : plain(t);
const cell = x => typeof x !== 'number' ? String(x ?? '') : isNaN(x) ? '' : +x.toPrecision(8) + '';
// Buttons that save a chart: drawing() gives {w, h, s}, lines() a list of lists.
function tools(name, drawing, lines) {
  const file = name.replaceAll(/[^a-zA-Z0-9]+/g, '_');
  const button = (kind, does) =>
      el('button', {type: 'button', onclick: does, 'aria-label': name + ' as ' + kind}, kind);
  return el(
      'span', {class: 'tools'},
      button('SVG', () => save(file + '.svg', 'image/svg+xml', svgFile(drawing()))),
      button(
          'CSV',
          () => save(
              file + '.csv', 'text/csv',
              lines().map(l => l.map(x => quoted(cell(x))).join(',')).join('\n') + '\n')));
}

// --- the box with values: list is of [mark as HTML, name, value]
function showBox(x, y, name, small, list) {
  tip.textContent = '';
  tip.append(el('b', {}, name), el('small', {}, small));
  for (const [m, text, v] of list) {
    const line = el('span', {});
    line.innerHTML = m;
    line.append(el('span', {}, text), el('em', {}, typeof v === 'string' ? v : digits(v)));
    tip.append(line);
  }
  tip.style.display = 'block';
  const r = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - r.width - 8)) + 'px';
  tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - r.height - 8)) + 'px';
  (document.querySelector('dialog[open]') || document.querySelector('main'))
      .append(tip);  // above a dialog, too
}
const hideTip = () => {
  tip.style.display = 'none';
};
const highest = list => list.sort((a, b) => (isNaN(b[2]) ? -1 : b[2]) - (isNaN(a[2]) ? -1 : a[2]));
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') hideTip();
});
document.addEventListener('pointerdown', e => {
  if (!e.target.closest('td,.chart')) hideTip();
});

// --- pieces of pages
function table(heads, lines) {
  const t =
      el('table', {},
         el('thead', {},
            el('tr', {}, ...heads.map((h, i) => el('th', i === 0 ? {class: 'left'} : {}, h)))));
  const b = el('tbody');
  for (const l of lines)
    b.append(el('tr', {}, ...l.map((c, i) => el('td', i === 0 ? {class: 'left'} : {}, c))));
  t.append(b);
  return el('div', {class: 'scroll', tabindex: '0'}, t);
}
function choice(name, options, now, change) {
  const s = el('select', {id: 'c-' + name.replaceAll(' ', '-')});
  for (const [v, t] of options)
    s.append(el('option', v === now ? {value: v, selected: ''} : {value: v}, t));
  s.addEventListener('change', () => change(s.value));
  return el('label', {}, name, s);
}
function toggle(text, inside, set, member, id, change) {
  const b = el('button', {type: 'button', 'aria-pressed': String(!set.has(member)), id});
  b.innerHTML = inside;
  b.append(text);
  b.addEventListener('click', () => {
    if (set.has(member))
      set.delete(member);
    else
      set.add(member);
    b.setAttribute('aria-pressed', String(!set.has(member)));
    change();
  });
  return b;
}
function scales(now, change) {
  const all = el('span', {class: 'seg', role: 'group', 'aria-label': 'ratio axis'});
  for (const [k, t] of [
           ['data', 'of the data'], ['zoom', ZOOM.join(' to ')], ['log', 'logarithmic'],
           ['linear', 'from 0']]) {
    const b = el('button', {type: 'button', 'aria-pressed': String(k === now), id: 's-' + k}, t);
    b.addEventListener('click', () => {
      for (const o of all.children) o.setAttribute('aria-pressed', String(o === b));
      change(k);
    });
    all.append(b);
  }
  return el('label', {}, 'ratios', all);
}
const printer = () =>
    el('button', {type: 'button', id: 'c-print', onclick: () => window.print()}, 'print / PDF');
