#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# fill.sh PAGE MARK FILE - replaces what is between <!-- MARK --> and <!-- end --> of the page by
# the file's text.
set -eu
awk -v mark="<!-- $2 -->" -v file="$3" '
    /^<!-- end -->$/ { skip = 0 }
    !skip { print }
    $0 == mark { found = 1; while ((getline line < file) > 0) print line; skip = 1 }
    END { if (!found || skip) { print "fill.sh: no " mark " with an <!-- end --> in the page" >"/dev/stderr"; exit 1 } }' "$1" >"$1.new" || {
    rm -f "$1.new"
    exit 1
}
mv "$1.new" "$1"
