#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# readme.sh [test] - puts real output between the marks of README.md and cmodel/doc/first_run.md:
#
#     <!-- run -->    what `make run` prints; the middle of the table is shortened
#     <!-- test -->   what both commands gave on fresh Debian systems (verif/deb/minimal_root.sh --write):
#                     in README.md a line for each system, in the page all of it
#
# With `test`, only the second one.  Run it before a release.
set -eu
cd "$(dirname "$0")/.."
page=cmodel/doc/first_run.md
fresh=verif/deb/fresh.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1:-}" != test ]; then
    make run 2>&1 | awk '
        /^IPC relative to/ { on = 1 }
        /^(L1 hit rate|L2 reads)/ { print; print "..."; print ""; on = 0 }
        /^Classes:/ { on = 1 }
        on { print }' >"$work/run"
    sed -i '1i ```text' "$work/run" && echo '```' >>"$work/run"
fi
{ echo '```text' && cat $fresh && echo '```'; } >"$work/test"
# One row per system: the seconds of the first `make run` and of `make test`, and its last line.
awk 'BEGIN { print "| system | `make run` | `make test` | tests |\n|---|--:|--:|---|"
             name["trixie"] = "Debian 13"; name["bookworm"] = "Debian 12"; name["noble"] = "Ubuntu 24.04" }
     $2 == "make" && $3 == "run" { run[$1] = $4 }
     $2 == "make" && $3 == "test" {
         tests = $0; sub(/.*processor time +/, "", tests)
         printf "| %s | %d s | %d s | %s |\n", $1 in name ? name[$1] : $1, run[$1], $4, tests
     }' $fresh >"$work/rows"

fill() { # fill PAGE MARK FILE: replaces what is between <!-- MARK --> and <!-- end -->
    [ -e "$3" ] || return 0
    grep -q "^<!-- $2 -->$" "$1" || { echo "$1: no line <!-- $2 -->" >&2 && exit 1; }
    awk -v mark="<!-- $2 -->" -v file="$3" '
        /^<!-- end -->$/ { skip = 0 }
        !skip { print }
        $0 == mark { while ((getline line < file) > 0) print line; skip = 1 }' "$1" >"$work/page"
    cp "$work/page" "$1"
}
fill $page run "$work/run"
fill $page test "$work/test"
fill README.md test "$work/rows"
