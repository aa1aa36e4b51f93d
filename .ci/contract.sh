#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# contract.sh [-l] - every sentence of the contract pages that obliges (must, never, always, only, while) has a row in
# rtl/doc/contract.md, and each check that a row names exists.  `-l` prints the sentences: PAGE, tab, SENTENCE.
# Prints one line for each sentence without a row, row without a sentence, and check that does not exist; exit 1 if
# there is one.  PAGES, TABLE: other files, for the test.
set -u
cd "$(dirname "$0")/.." || exit 1
table=${TABLE:-rtl/doc/contract.md}
pages=${PAGES:-handshake ordering l1d sm_l1 cluster csr lane_coalescer lanes}

# Sentences of paragraphs, list items and table cells; not of fences, headings and the sections about tests.
sentences() { # sentences PAGE FILE
    awk -v page="$1" '
        function say(text,    n, i, part) {
            gsub(/[ \t]+/, " ", text)
            gsub(/\*\*/, "", text)
            gsub(/\]\([^)]*\)/, "]", text) # targets of links
            text = text " "
            while (match(text, /([.:]|[.]\)) ([A-Z`(]|$)/)) {
                one(substr(text, 1, RSTART))
                text = substr(text, RSTART + RLENGTH - 1)
                if (RLENGTH == 1) break
            }
            one(text)
        }
        function one(s) {
            sub(/^[ *]+/, "", s); sub(/^([0-9]+[.]|[-*]) /, "", s); sub(/ +$/, "", s)
            if (tolower(s) ~ /(^|[^a-z_])(must|never|always|only|while)([^a-z_]|$)/) print page "\t" s
        }
        function flush() { if (para != "") say(para); para = "" }
        /^```/ { flush(); fence = !fence; next }
        fence { next }
        /^#/ { flush(); tests = /Checked by|Tests/; next }
        /^\*\*Tests/ { flush(); skip = 1 }
        /^ *$/ { flush(); skip = 0; next }
        tests || skip { next }
        /^!\[/ { flush(); next }
        /^\|/ { flush(); n = split($0, cell, / *\| */); for (i = 2; i < n; i++) if (cell[i] !~ /^-*$/) say(cell[i]); next }
        /^([0-9]+[.]|[-*]) / { flush() }
        { para = para (para == "" ? "" : " ") $0 }
        END { flush() }' "$2"
}

all() {
    for page in $pages; do sentences "$page" "rtl/doc/$page.md"; done
}
if [ "${1:-}" = -l ]; then
    all
    exit
fi

bad=0
say() {
    echo "$1"
    bad=1
}
rows=$(awk '/^\| [a-z_0-9]+[.][0-9]+ \|/ {
    n = split($0, cell, / *\| */)
    page = cell[2]; sub(/[.].*/, "", page)
    print page "\t" cell[3] "\t" cell[2] "\t" cell[4] (n == 5 ? "" : "\ttoo many cells") }' "$table")
while IFS=$'\t' read -r page sentence; do
    grep -qF "$page"$'\t'"$sentence"$'\t' <<<"$rows" || say "rtl/doc/$page.md: no row of ${table##*/} for: $sentence"
done < <(all)
said=$(all)
exists() { # exists CHECK: named as in the table, without the backquotes
    case $1 in
    "scenario "*) compgen -G "verif/scenario/${1#scenario }-*.c" >/dev/null ;;
    *.[ch]:*) grep -qE "cmocka_unit_test[a-z_]*\(${1#*:}\b" verif/*/"${1%%:*}" 2>/dev/null ;;
    *.c | *.sh) compgen -G "verif/*/$1" >/dev/null ;;
    byw_*.*) grep -qE "\`BYW_(ASSERT|ASSUME|HOLDS)\(${1#*.}," rtl/*/"${1%%.*}.v" 2>/dev/null ;;
    byw_*) compgen -G "rtl/*/$1.v" >/dev/null ;;
    *) false ;;
    esac
}
while IFS=$'\t' read -r page sentence id held extra; do
    grep -qxF "$page"$'\t'"$sentence" <<<"$said" || say "$table: $id is not a sentence of $page.md: $sentence"
    [ -z "$extra" ] || say "$table: $id has a | in a cell"
    [[ $held == *\`* || $held == "not a promise: "* ]] || say "$table: $id names no check and no reason"
    [[ $held != "not a promise: "* ]] || continue
    while read -r check; do
        exists "$check" || say "$table: $id names a check that does not exist: $check"
    done < <(grep -o '`[^`]*`' <<<"$held" | tr -d '`')
done <<<"$rows"
cut -f3 <<<"$rows" | sort | uniq -d | while read -r id; do echo "$table: $id stands twice"; done | grep . && bad=1
exit $bad
