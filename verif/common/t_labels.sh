#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_labels.sh - .ci/labels.sh passes on the tree, and names a citation of a section that its page lacks,
# a label without a page, and a page without one of its parts.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder out
tree=$dir/tree
at=mechanisms page=cmodel/doc/mechanisms # in variables, so that no check finds a citation here
mkdir -p "$tree/$page"
printf '## 1 Rule\n**Rule.** a\n**Parameters.** b\n**Readings.** c\n**Worked example.** d\n' >"$tree/$page/filter.md"
(cd "$tree" && git init -q)

says() { # says LINE TEXT: with TEXT in a.c, labels.sh prints LINE ("": nothing)
    printf '%b\n' "$2" >"$tree/a.c"
    .ci/labels.sh "$tree" >"$dir/out" 2>&1
    [ "$?" = "$([ -z "$1" ] && echo 0 || echo 1)" ] && [ "$(cat "$dir/out")" = "$1" ]
}
.ci/labels.sh >"$dir/out" 2>&1
result $? "every section that the tree cites exists"
says '' "/* see $at/filter.md 1 */" && says '' "/* as in $at/filter.md\n * 1: yes */"
result $? "a citation of a heading passes, also over two lines"
says "a.c: $page/filter.md has no section 1.2" "/* see $at/filter.md 1, 1.2 */"
result $? "a section that the page lacks is named"
says "a.c: $page/other.md has no section 3" "// $at/other.md\n//    3"
result $? "a page that does not exist is named"
says 'a.c:1: cite mechanisms/PAGE.md N' '// MECHA''NISMS 1'
result $? "a section without its page is refused"
says 'a.c:1: a reading without its page: mechanisms/locality.md 1.6, CN' '// hits count (C''3)'
result $? "a reading without its page is refused"
sed -i '/Readings/d' "$tree/$page/filter.md"
says "$page/filter.md: no paragraph \"**Readings.**\"" '// nothing'
result $? "a page without its readings is named"
finish
