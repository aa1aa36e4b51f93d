#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Merges Verilator's coverage counts and prints or compares rtl/doc/coverage.md.

coverage.py merge PREFIX         PREFIX.0, PREFIX.1 ... (one file per module instance) into PREFIX.json
coverage.py write DIR PAGE       DIR/counts/*.json into PAGE
coverage.py check DIR PAGE       exit 1 if a line, a bin or a share of toggles of PAGE is lost
coverage.py page PAGE            without counts: PAGE has a row for each module, bin and reason
"""
import collections
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BINS = os.path.join(HERE, "byw_l1d_bins.sv")
REASONS = os.path.join(HERE, "reasons.tsv")
TOLERANCE = 0.5  # percentage points of toggles
FIELD = re.compile("\x01([^\x02]*)\x02([^\x01]*)")


def points(path):
    """Yields (kind, file, line, text, instance, count) of each point of a file of counts."""
    with open(path, errors="replace") as f:
        for row in f:
            if not row.startswith("C '"):
                continue
            body, count = row[3:].rsplit("' ", 1)
            field = dict(FIELD.findall(body))
            kind = field["page"].split("/")[0][2:]
            name = os.path.normpath(field["f"])
            yield (kind, name, field["l"] + ":" + field["n"], field.get("o", ""),
                   field.get("h", ""), int(count))


def merge(prefix):
    """A toggle counts if both edges occurred in one instance; everything else is summed."""
    merged = collections.Counter()
    for path in glob.glob(glob.escape(prefix) + ".[0-9]*"):
        for kind, name, place, text, instance, count in points(path):
            if kind == "user" and "u_bins." in instance:
                merged["bin " + bin_name(instance)] += count
            elif re.match("rtl/(?!check|sv)", name):
                if kind == "toggle":
                    key = f"toggle {name} {place} {text}"
                    merged[key] = max(merged[key], min(count, 2))
                elif kind in ("line", "branch"):
                    merged[f"line {name} {place} {text}"] += count
        os.remove(path)
    with open(prefix + ".json", "w") as f:
        json.dump(merged, f)


def bin_name(instance):
    """on_miss.NAME, on_fill.NAME; the filter's bins exist only with allocate on miss."""
    tail = instance.split("u_bins.", 1)[1].split(".")
    return ("on_fill" if tail[0] == "on_fill" else "on_miss") + "." + tail[-1]


def bins():
    """Rows (group, name, meaning) of the bins, in order; names as bin_name() gives them."""
    rows, group, module, meaning = [], "", "", ""
    for line in open(BINS):
        if line.startswith("module "):
            module = line.split()[1]
        heading = re.match(r" *// ---- (.*)", line)
        if heading:
            group = heading[1]
        found = re.match(r" *`BIN\((\w+), (.*)\)(?: *// (.*))?$", line)
        if found:
            for how in ("on_miss", "on_fill") if module == "byw_any_bins" else ("on_miss",):
                rows.append((group, f"{how}.{found[1]}", found[3] or ""))
    return rows


def reasons():
    """{name of a bin, or "FILE: TEXT" of a line: why it is not reached}."""
    table = {}
    for row in open(REASONS):
        if row.strip() and not row.startswith("#"):
            what, why = row.rstrip("\n").split("\t")
            table[what] = why
    return table


class Sources:
    """Texts of lines, and which of them belong to assertions."""

    def __init__(self):
        self.lines, self.checks = {}, {}

    def load(self, name):
        if name in self.lines:
            return
        text = open(os.path.join(ROOT, name)).read().split("\n")
        depth, inside, checked, checks = 0, False, False, set()
        for n, line in enumerate(text, 1):
            code = line.split("//")[0]
            checked = (checked or code.startswith("`ifdef BYW_CHECKED")) and not code.startswith("`endif")
            if checked:
                checks.add(n)
            if not inside and re.match(r" *`BYW_(ASSERT|ASSUME|HOLDS|CHECKS|COVER)", code):
                inside, depth = True, 0
            if inside:
                checks.add(n)
                depth += code.count("(") - code.count(")")
                inside = depth > 0
        self.lines[name], self.checks[name] = text, checks

    def is_check(self, name, n):
        self.load(name)
        return n in self.checks[name]

    def text(self, name, n):
        self.load(name)
        return " ".join(self.lines[name][n - 1].split("//")[0].split())


def collect(folder):
    """Counts of all programs: lines, toggles and bins."""
    lines, toggles, hit = collections.Counter(), collections.Counter(), collections.Counter()
    files = sorted(glob.glob(os.path.join(folder, "counts", "*.json")))
    for path in files:
        for key, count in json.load(open(path)).items():
            kind, rest = key.split(" ", 1)
            if kind == "bin":
                hit[rest] += count
            elif kind == "line":
                lines[rest] += count
            else:
                toggles[rest] = max(toggles[rest], count)
    return lines, toggles, hit, len(files)


def by_module(lines, toggles, sources):
    """{file: [lines reached, lines, bits toggled, bits]}, and what is missing, as texts."""
    table, missing = collections.defaultdict(lambda: [0, 0, 0, 0]), []
    for key, count in lines.items():
        name, place, text = key.split(" ", 2)
        n = int(place.split(":")[0])
        if sources.is_check(name, n):
            continue
        row = table[name]
        row[0] += count > 0
        row[1] += 1
        if count == 0:
            missing.append((name, n, text, f"{name[4:]}: {sources.text(name, n)} [{text}]"))
    for key, count in toggles.items():
        name, place, text = key.split(" ", 2)
        n = int(place.split(":")[0])
        if sources.is_check(name, n) or re.match(r"(.*\.)?(byw_armed|unused_)", text):
            continue
        row = table[name]
        row[2] += count > 1
        row[3] += 1
        if count < 2:
            missing.append((name, n, text, None))
    return table, sorted(missing)


def share(part, whole):
    return 100.0 if whole == 0 else int(1000 * part / whole) / 10


def page(folder):
    """The text of the page, and what is wrong with the counts."""
    lines, toggles, hit, programs = collect(folder)
    table, missing = by_module(lines, toggles, Sources())
    why, wrong, used = reasons(), [], set()
    with open(os.path.join(folder, "missing.txt"), "w") as f:
        for name, n, text, line in missing:
            f.write(f"{name}:{n}: {'line' if line else 'toggle'} {text}\n")
    unreached = []
    for _, _, _, line in missing:
        if line and line not in why:
            wrong.append(f"no program reaches {line}: it needs a test, or a reason in reasons.tsv")
        if line:
            used.add(line)
            unreached.append(line)
    total = [sum(row[i] for row in table.values()) for i in range(4)]
    rows = bins()
    out = [HEAD.format(programs=programs, lines=share(total[0], total[1]), toggles=share(total[2], total[3]),
                       hit=sum(hit[name] > 0 for _, name, _ in rows), bins=len(rows),
                       never=sum(hit[name] == 0 for _, name, _ in rows))]
    out += ["## Modules", "", "| module | lines | of | toggled bits | of | % |", "|---|---|---|---|---|---|"]
    for name in sorted(table):
        a, b, c, d = table[name]
        out.append(f"| {name[4:-2]} | {a} | {b} | {c} | {d} | {share(c, d)} |")
    a, b, c, d = total
    out += [f"| all | {a} | {b} | {c} | {d} | {share(c, d)} |", ""]
    out += ["## Lines that no program reaches", ""]
    out += [f"* `{line}`: {why.get(line, 'no reason yet')}" for line in sorted(set(unreached))] or ["None."]
    out += ["", "## Functional bins", ""]
    group = None
    for heading, name, meaning in rows:
        if heading != group:
            out += ["" if group else None, f"### {heading}", "", "| bin | cycles | meaning, or why it cannot occur |",
                    "|---|---|---|"]
            group = heading
        count = hit[name]
        if count == 0 and name not in why:
            wrong.append(f"bin {name} was not hit: it needs a test, or a reason in reasons.tsv")
        if count > 0 and name in why:
            wrong.append(f"bin {name} was hit {count} times; reasons.tsv says: {why[name]}")
        used.add(name)
        out.append(f"| {name} | {count} | {meaning if count else why.get(name, 'no reason yet')} |")
    wrong += [f"reasons.tsv: {what} is no bin and no line that is missing" for what in why if what not in used]
    return "\n".join(x for x in out if x is not None) + "\n", wrong


def figures(text):
    """{module: share of toggles}, {bin: cycles} of a page."""
    modules = {m[1]: float(m[2]) for m in re.finditer(r"^\| ([a-z0-9_/]+) \|(?: \d+ \|){4} ([\d.]+) \|$", text, re.M)}
    found = {m[1]: int(m[2]) for m in re.finditer(r"^\| (on_\w+\.\w+) \| (\d+) \|", text, re.M)}
    return modules, found


def check(folder, where):
    new, wrong = page(folder)
    modules, found = figures(open(where).read())
    now_modules, now_found = figures(new)
    for name, was in modules.items():
        now = now_modules.get(name)
        if now is not None and now < was - TOLERANCE:
            wrong.append(f"{name}: {now} % of its bits toggle, {was} % on the page")
    for name, was in found.items():
        if was > 0 and now_found.get(name) == 0:
            wrong.append(f"bin {name} is not hit any more")
    return wrong


def check_page(where):
    """What a page lacks that can be seen without counts."""
    text = open(where).read()
    modules, found = figures(text)
    files = [f for f in open(os.path.join(ROOT, "rtl/byw.f")).read().split() if f.endswith(".v")]
    wrong = [f"{where}: no row of {f[4:-2]}" for f in files if f[4:-2] not in modules and has_logic(f)]
    wrong += [f"{where}: row of {m}, which is not in rtl/byw.f" for m in modules
              if m != "all" and "rtl/" + m + ".v" not in files]
    names = {name for _, name, _ in bins()}
    wrong += [f"{where}: no row of bin {name}" for name in sorted(names - set(found))]
    wrong += [f"{where}: row of bin {name}, which does not exist" for name in sorted(set(found) - names)]
    why = reasons()
    wrong += [f"{where}: bin {name} has no hit and no reason" for name in sorted(names & set(found))
              if found[name] == 0 and name not in why]
    if "no reason yet" in text:
        wrong.append(f"{where}: something has neither a test nor a reason")
    return wrong


def has_logic(name):
    return "module" in open(os.path.join(ROOT, name)).read()


HEAD = """# Coverage

For those who ask what the tests of the RTL reach. `make coverage` rewrites this page: Verilator counts in {programs} programs of
lock step and scenarios, one seed each. **{lines} % of the lines and branches, {toggles} % of the bits toggled, {hit} of {bins}
functional bins** (the other {never} cannot occur, with reasons).

* A line counts if some program executes it at some parameter set; text of assertions does not count.
* A bit counts if it rises and falls in one instance of one program. Buses of more than 64 bits are not counted. What never toggles is
  mostly the upper bits of addresses, counters and settings; `build/coverage/missing.txt` lists each bit.
* A bin is a cover property of `verif/coverage/byw_l1d_bins.sv`. `on_miss` and `on_fill` are the two organisations. A bin without a hit
  has its reason in `verif/coverage/reasons.tsv`; a hit of such a bin is an error.

`make coverage-check` (in `make test-all`) fails if a bin loses its last hit, a line its last execution, or a module more than half a
percentage point of its toggles. `make test` checks that this page has each module and each bin. Large caches and the
configurations are left out, see `verif/coverage/programs.mk`.
"""


def main():
    what, where = sys.argv[1], sys.argv[2:]
    if what == "merge":
        merge(where[0])
        return 0
    if what == "write":
        text, wrong = page(where[0])
        with open(where[1], "w") as f:
            f.write(text)
    elif what == "check":
        wrong = check(*where)
    else:
        wrong = check_page(where[0])
    for w in wrong:
        print(w)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
