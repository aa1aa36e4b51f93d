#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# lint.sh - does the checks that a compiler does not do: format, licence lines, file and line lengths,
# marks; units of the RTL without twin, test or page (make mirror); labels, links and page names
# that lead nowhere, pages that no link reaches; layers that include or call upwards, and files that
# need each other; pictures that are older than their sources. Checks tracked files and new ones
# that git does not ignore.  Exit status 1 if anything is found.
set -u
cd "$(dirname "$0")/.."
bad=0
say() {
    echo "$1"
    bad=1
}
files=$(git ls-files -co --exclude-standard | while read -r f; do [ -f "$f" ] && echo "$f"; done)
code=$(echo "$files" | grep -E '\.(c|h|cl|def|sh|mk|cfg|py|v|vh|S)$|(^|/)Makefile$|^\.ci/')
c=$(echo "$files" | grep -E '\.[ch]$')
js=$(echo "$files" | grep -E '\.js$')

for f in $code; do
    [ "$f" = .ci/commit ] && continue # git archive replaces its only line
    head -n 3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
        say "$f:1: no SPDX licence line in the first three"
done
for f in $c; do
    n=$(wc -l <"$f")
    [ "$n" -le 900 ] || echo "$f: $n lines; is it one responsibility? (a hint)"
done
for f in $(echo "$files" | grep -E '\.vh?$'); do
    # Lists of ports and connections, one a line, do not count.
    n=$(awk '/^ *(\)|module|byw_).*[^#]\($/ { list = 1; count++; next }
             list && /^ *\);/ { list = 0 }
             !list { count++ }
             END { print count }' "$f")
    [ "$n" -le 400 ] || say "$f: $n lines without its lists of ports; at most 400 are allowed"
    awk -v f="$f" 'length > 100 { print f ":" FNR ": " length " columns; at most 100 are allowed"; bad = 1 }
                   /^`default_nettype none/ && FNR > 26 { print f ":1: a header of " FNR - 1 " lines; at most 25 are allowed"; bad = 1 }
                   END { exit bad }' "$f" || bad=1
done
for f in $(echo "$files" | grep -vE '\.(bwt|png|svg|xz|zst|gz)$|^LICENSE$'); do
    n=$(wc -c <"$f")
    [ "$n" -le 200000 ] || say "$f: $n bytes; text files stay below 200000"
done
for f in $(echo "$js" | grep '^cmodel/'); do
    awk -v f="$f" 'length > 100 + gsub(/[\200-\277]/, "&") { print f ":" FNR ": more than 100 columns"; bad = 1 }
                   END { exit bad }' "$f" || bad=1
done
[ "$(wc -l <CHANGELOG.md)" -le 110 ] || say "CHANGELOG.md: more than two pages (110 lines); shorten what is older"
# Lines of pages that are no rows of tables.
echo "$files" | grep '\.md$' | xargs awk 'FNR == 1 { fence = 0 }
    /^ *```/ { fence = !fence }
    !fence && length > 200 && !/^ *\|/ { print FILENAME ":" FNR ": " length " characters; wrap it"; bad = 1 }
    END { exit bad }' || bad=1
# Reference pages describe the present state; earlier states and attempts belong in notebooks.
month='(January|February|March|April|May|June|July|August|September|October|November|December)'
echo "$files" | grep '\.md$' | grep -vE '/notebook/|^CHANGELOG|^cmodel/doc/results/held_out' |
    xargs grep -nE "\b([Uu]ntil|[Ss]ince|[Bb]efore) (([0-9]{1,2} )?$month )?20[0-9]{2}|[Oo]ne day before|\bused to be\b|\b(was|were) tried\b|\bTried for\b|Before this,|\bnow [0-9]*\.[0-9]" |
    sed -E 's/^([^:]*:[0-9]+):.*$/\1: tells of the past; say what is, or move it to a notebook/' | grep . && bad=1
# The front page must be short enough to be read in two minutes.
awk 'FNR > 110 { print FILENAME ":111: at most 110 lines"; bad = 1; exit }
     /^\|/ { if (++rows == 11) { print FILENAME ":" FNR ": a table of more than 8 rows; it belongs on a page"; bad = 1 } next }
     { rows = 0 }
     END { exit bad }' README.md || bad=1
# One palette: no other file of the pages and pictures contains a colour.
grep -nE "#[0-9a-f]{3}([0-9a-f]{3})?[\"';,)} ]" $(echo "$files" | grep -E '^cmodel/(study|sim|cli)/.*\.(c|js|css)$') &&
    say "colours belong in cmodel/study/page/byw_palette.def"
# The words are split so that this file does not match itself.
marks='TO''DO|FIX''ME|X''XX'
for f in $code; do
    grep -nE "\\b($marks)\\b" "$f" /dev/null && bad=1
    grep -nP '[ \t]+$' "$f" /dev/null && say "$f: blanks at the end of a line"
done
if command -v clang-format >/dev/null 2>&1; then
    for f in $c $js; do
        clang-format --dry-run -Werror "$f" >/dev/null 2>&1 || say "$f: not formatted; run: clang-format -i $f"
    done
else
    echo "clang-format is not installed: format not checked" >&2
fi
make -s --no-print-directory mirror || bad=1
.ci/labels.sh || bad=1
.ci/contract.sh || bad=1
.ci/links.sh || bad=1
.ci/registry.sh || bad=1
.ci/layers.sh || bad=1
all=
[ ! -e "${B:-build}/lib/libcuda.so.1" ] || all=-a # without LLVM the capture has no objects
.ci/cycles.sh $all "${B:-build}" || bad=1
.ci/pictures.sh check || bad=1
[ $bad = 0 ] && echo "lint: clean"
exit $bad
