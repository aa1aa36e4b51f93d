#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pictures.sh waveforms | diagrams | check - the SVG pictures of rtl/doc.
#
# waveforms: every rtl/doc/waves/*.json, drawn by WaveDrom, which npm fetches into build/npm.
# diagrams: every rtl/doc/diagrams/*.dot, laid out by Graphviz.  check: every picture was made from
# its source as it is now, every source has one, and a diagram shows the parts of the module that it
# is named after; exit 1 if not.  A picture ends with the checksum of its source.  `make test`
# compares the waveforms with the C model (verif/l1d/t_waveforms.c).
set -u
cd "$(dirname "$0")/.."
B=${B:-build}
wavedrom=3.5.0

sum() { cksum <"$1" | cut -d' ' -f1; }
mark() { echo "<!-- made from $(basename "$1"), cksum $(sum "$1") -->"; }

draw_waves() {
    command -v npm >/dev/null && command -v node >/dev/null || {
        echo "make waveforms needs node and npm: apt-get install nodejs npm" >&2
        exit 1
    }
    [ -d "$B/npm/node_modules/wavedrom" ] ||
        npm install --silent --no-audit --no-fund --prefix "$B/npm" "wavedrom@$wavedrom" >/dev/null || {
        echo "npm could not fetch wavedrom $wavedrom; make waveforms needs the npm registry" >&2
        exit 1
    }
    for f in rtl/doc/waves/*.json; do
        NODE_PATH="$B/npm/node_modules" node -e '
            const wavedrom = require("wavedrom"), onml = require("onml");
            const skin = require("wavedrom/skins/default");
            const source = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
            delete source.byway;
            const tree = wavedrom.renderAny(0, source, skin), used = new Set();
            onml.traverse(tree, { enter: (n) => n.attr["xlink:href"] && used.add(n.attr["xlink:href"].slice(1)) });
            // Most of the skin is not used: only the shapes that are stay.
            const kept = (n) => !Array.isArray(n) || n[0] !== "g" || !n[1].id || used.has(n[1].id);
            const pruned = tree.map((n) => Array.isArray(n) && n[0] === "defs" ? n.filter(kept) : n);
            process.stdout.write(onml.stringify(pruned) + "\n");
        ' "$f" >"$f.tmp" || exit 1
        { cat "$f.tmp" && mark "$f"; } >"${f%.json}.svg"
        rm -f "$f.tmp"
    done
}

draw_diagrams() {
    command -v dot >/dev/null || {
        echo "make diagrams needs Graphviz: apt-get install graphviz" >&2
        exit 1
    }
    for f in rtl/doc/diagrams/*.dot; do
        { dot -Tsvg "$f" && mark "$f"; } >"${f%.dot}.svg" || exit 1
    done
}

check() {
    bad=0
    for f in rtl/doc/waves/*.json rtl/doc/diagrams/*.dot; do
        svg=${f%.*}.svg
        case $f in *.json) how=waveforms ;; *) how=diagrams ;; esac
        [ -f "$svg" ] && [ "$(tail -n 1 "$svg")" = "$(mark "$f")" ] && continue
        echo "$svg is not made from $f as it is now: make $how"
        bad=1
    done
    for f in rtl/doc/diagrams/*.dot; do # a diagram has every part of its module, and no other
        top=$(basename "$f" .dot)
        parts=$(sed -nE 's/^ *(byw_[a-z0-9_]+) (#\(.*|u_[a-z0-9_]+ \()$/\1/p' rtl/*/"$top".v | sort -u)
        for part in $parts; do
            [ -f "rtl/common/$part.v" ] || sed 's/\\n/ /g' "$f" | grep -qw "$part" ||
                { echo "$f: $part is missing, which $top.v has" && bad=1; }
        done
        for part in $(sed '/^ *\/\//d; /^digraph/d' "$f" | grep -oE 'byw_[a-z0-9_]+' | sort -u); do
            echo "$parts" | grep -qx "$part" || { echo "$f: $top.v has no $part" && bad=1; }
        done
    done
    for svg in rtl/doc/waves/*.svg rtl/doc/diagrams/*.svg; do
        [ -f "${svg%.svg}.json" ] || [ -f "${svg%.svg}.dot" ] && continue
        echo "$svg has no source"
        bad=1
    done
    exit $bad
}

case ${1:-} in
waveforms) draw_waves ;;
diagrams) draw_diagrams ;;
check) check ;;
*) echo "usage: pictures.sh waveforms | diagrams | check" >&2 && exit 2 ;;
esac
