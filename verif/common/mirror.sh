#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# mirror.sh check TESTS... | index - every unit of the RTL has a twin, a test and a page, and there
# are no others. rtl/check holds checkers, which are not units.
#
# rtl/byw.f is the registry. The header of each file in it names its page (Paper), its C twin, and
# its test (checked by). Modules of rtl/common are helpers and do not need these. check: TESTS are
# the sources of the lock-step programs; one line per fault, exit 1 if there is any. index: prints
# rtl/doc/README.md.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "${MIRROR_ROOT:-$here/../..}" || exit 2
mode=$1
shift
# Replaceable units: the index lists the unit, its page describes its variants (byw_repl_lru and so
# on of byw_repl).
seams='byw_repl'
# Pages that do not describe a unit.
general='README checks clock contract coverage deviations glossary handshake integrate l1d_pipeline ordering real_gpus verification'
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# One line per module: file|module|sentence|pages|twins|tests.
headers() {
    awk '
        function paths(s, pattern,    out) {
            while (match(s, pattern)) {
                out = out (out == "" ? "" : " ") substr(s, RSTART, RLENGTH)
                s = substr(s, RSTART + RLENGTH)
            }
            return out
        }
        function row(    module, sentence, page, twin, test) {
            module = file; sub(/.*\//, "", module); sub(/\.v$/, "", module)
            sentence = part[""]; sub(/.*SPDX-License-Identifier: [^ ]* +/, "", sentence)
            if (index(sentence, module " - ") != 1) sentence = ""
            sub(/^[^ ]* - /, "", sentence); gsub(/ +/, " ", sentence); sub(/ $/, "", sentence)
            page = paths(part["Paper"], "rtl/doc/[a-z0-9_]+\\.md")
            if (page == "") page = paths(text, "rtl/doc/[a-z0-9_]+\\.md")
            twin = test = part["C"]
            sub(/(checked|exercised) by.*/, "", twin)
            if (!sub(/.*(checked|exercised) by/, "", test)) test = ""
            print file "|" module "|" sentence "|" page "|" \
                paths(twin, "cmodel/[a-z0-9_/]+\\.[ch]") "|" paths(test, "verif/[a-z0-9_/]+\\.(c|sh)")
        }
        FNR == 1 {
            if (file != "") row()
            file = FILENAME; text = key = ""; over = 0
            split("", part)
        }
        /^`default_nettype/ { over = 1 }
        over { next }
        { sub(/^\/\/ ?/, ""); text = text " " $0 }
        /^(Behaviour|Paper|C twin|Reset|Parameter)/ { key = $1 }
        { part[key] = part[key] " " $0 }
        END { if (file != "") row() }' "$@"
}

files=$(grep -v '^#' rtl/byw.f)
headers $(ls $files 2>/dev/null) >"$rows"

if [ "$mode" = index ]; then
    echo "# The units of the RTL"
    echo
    echo "For hardware engineers: every module of the RTL, its page and its C twin, and the named configurations. Made from the headers of the"
    echo "files in \`rtl/byw.f\` (\`make rtl-index\`); \`make mirror\` checks it."
    echo
    echo "Start with the [integrator's guide](integrate.md); the contract of the ports is in [handshake](handshake.md), [ordering](ordering.md) and"
    echo "[what an integrator must know](l1d.md#what-an-integrator-must-know), with waveforms. [l1d_pipeline](l1d_pipeline.md) shows the cache cycle by"
    echo "cycle, [clock](clock.md) what limits its frequency, [checks](checks.md) its assertions, [contract](contract.md) which check holds each sentence,"
    echo "[verification](verification.md) what has been verified, [coverage](coverage.md) what the tests reach, and [deviations](deviations.md) the choices that the papers leave open."
    echo
    echo "## Configurations"
    echo
    echo "From \`configs.txt\`, which lint, lock step, synthesis and boards read as well: \`rtl/config.sh sm_l1 NAME\` prints the parameters of"
    echo "\`byw_sm_l1\` and \`byw_cluster\`. The self-tests are [FPGA configurations](../../fpga/README.md). Each configuration is linted by four tools and"
    echo "compared with the C model in lock step (\`config_NAME\`, \`make test-all\`). Clock: ECP5-6, worst of three seeds ([clock](clock.md))."
    echo
    rtl/config.sh table
    for area in l1d policy l2 top common; do
        echo
        case $area in
        l1d) echo "## l1d: the cache" ;;
        policy) echo "## policy: the bypass mechanisms" ;;
        l2) echo "## l2: next to an L2 slice" ;;
        top) echo "## top: one SM, the cluster, registers" ;;
        common) echo "## common: helpers, without a page of their own" ;;
        esac
        echo
        echo "| module | what it is | C twin |"
        echo "|---|---|---|"
        grep "^rtl/$area/" "$rows" | grep -vE "^[^|]*[|]($(echo $seams | tr " " "|"))_" | sort -t'|' -k2,2 | awk -F'|' '{
            page = $4; sub(/ .*/, "", page); sub(/.*\//, "", page)
            name = page == "" ? $2 : "[" $2 "](" page ")"
            twin = $5; sub(/ .*/, "", twin)
            print "| " name " | " $3 " | " (twin == "" ? "" : "`" twin "`") " |" }'
    done
    exit 0
fi

bad=0
say() {
    echo "mirror: $1"
    bad=1
}
for f in $files; do
    [ -f "$f" ] || say "rtl/byw.f names $f, which does not exist"
done
for f in $(ls rtl/*/*.v | grep -v '^rtl/check/'); do
    echo "$files" | grep -qx "$f" || say "$f is in no line of rtl/byw.f"
done
while IFS='|' read -r file module sentence pages twins tests; do
    grep -q "^module $module " "$file" || say "$file does not hold the module $module"
    [ -n "$sentence" ] || say "$file: its header does not begin with \"$module - \" and a sentence"
    [ "${file#rtl/common/}" = "$file" ] || continue
    [ -n "$pages" ] || say "$file: its header names no page (Paper ...; a page of rtl/doc)"
    [ -n "$twins" ] || say "$file: its header names no C twin (C twin cmodel/area/byw_x.c)"
    [ -n "$tests" ] || say "$file: its header names no test (checked by verif/area/lockstep_x.c)"
    for seam in $seams; do
        case $module in
        "${seam}_"*)
            grep -q "\`$module\`" "rtl/doc/${seam#byw_}.md" || say "rtl/doc/${seam#byw_}.md does not name $module"
            ;;
        esac
    done
    for p in $pages $twins $tests; do
        [ -f "$p" ] || say "$file: its header names $p, which does not exist"
    done
    run=
    for t in $tests; do
        case " $* " in *" $t "*) run=yes ;; esac
    done
    [ -n "$run" ] || say "$file: no lock-step program is made of $tests"
done <"$rows"
for page in rtl/doc/*.md; do
    name=$(basename "$page" .md)
    case " $general " in *" $name "*) continue ;; esac
    cut -d'|' -f4 "$rows" | grep -q "$page" || say "$page is the page of no file in rtl/byw.f"
done
for t in verif/*/lockstep_*.c; do
    case " $* " in *" $t "*) ;; *) say "$t is built into no lock-step program" ;; esac
    cut -d'|' -f6 "$rows" | grep -q "$t" || say "$t is the test of no file in rtl/byw.f"
done
for m in $(cat synth/units.txt verif/mutate/units.txt | grep -v '^#' | cut -d'|' -f2 | sort -u); do
    cut -d'|' -f2 "$rows" | grep -qx "$m" || [ -f "synth/$m.v" ] || say "no file in rtl/byw.f holds $m, which a units.txt names"
done
"$here/mirror.sh" index | cmp -s - rtl/doc/README.md || say "rtl/doc/README.md is stale: make rtl-index"
[ $bad = 0 ] && echo "mirror: $(wc -l <"$rows") modules, each with what belongs to it"
exit $bad
