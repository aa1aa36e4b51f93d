#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# readme.sh - puts the real output of `make run`, and what `make test` gave on fresh Debian systems
# (verif/deb/minimal_root.sh --write), into README.md, between the marks <!-- run --> and <!-- test -->.
# Run it before a release; the table's middle is shortened.
set -eu
cd "$(dirname "$0")/.."
run=$(mktemp)
test=verif/deb/fresh.txt
trap 'rm -f "$run" README.md.new' EXIT
make run 2>&1 | awk '
    /^IPC relative to/ { on = 1 }
    /^(L1 hit rate|L2 reads)/ { print; print "..."; print ""; on = 0 }
    /^Classes:/ { on = 1 }
    on { print }' >"$run"
awk -v run="$run" -v test="$test" '
    function fill(file,  line) {
        print "```"
        while ((getline line < file) > 0) print line
        print "```"
    }
    /^<!-- run -->$/ { print; fill(run); skip = 1; next }
    /^<!-- test -->$/ { print; fill(test); skip = 1; next }
    /^<!-- end -->$/ { skip = 0 }
    !skip { print }' README.md >README.md.new
mv README.md.new README.md
