#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_links.sh - .ci/links.sh, which lint runs, passes on the tree and detects each kind of dead link
# in a copy of its pages.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
. verif/doc/pages.sh
top=$PWD
git rev-parse 2>/dev/null || skip_all "no git checkout; the test reads the pages that git knows"
tap_folder log
.ci/links.sh >"$dir/log"
result $? "$(pages | wc -l) pages: every link has a target, and every page is reached from README.md"

git ls-files -co --exclude-standard | while read -r f; do [ -f "$f" ] && echo "$f"; done | grep -v '^cmodel/traces' >"$dir/files"
mkdir "$dir/tree"
tar -cf - -T "$dir/files" | tar -xf - -C "$dir/tree"
(cd "$dir/tree" && git init -q)
finds() { # finds NAME MESSAGE FILE TEXT: after TEXT is added to FILE, the check reports MESSAGE
    local kept=
    [ ! -e "$dir/tree/$3" ] || kept=$(cat "$dir/tree/$3" && echo .)
    printf '%s\n' "$4" >>"$dir/tree/$3"
    ! "$top/.ci/links.sh" "$dir/tree" >"$dir/log" && grep -qF "$2" "$dir/log" && [ "$(wc -l <"$dir/log")" = 1 ]
    result $? "$1"
    if [ -n "$kept" ]; then printf '%s' "${kept%.}" >"$dir/tree/$3"; else rm "$dir/tree/$3"; fi
}
md=.md # so that this file does not name pages that do not exist
finds "a link to a file that does not exist" "link to cmodel/doc/no_page$md, which does not exist" cmodel/doc/cost.md 'See [it](no_page.md).'
finds "a link to a heading that does not exist" "rtl/doc/csr.md has no heading #no-such-part" cmodel/doc/cost.md 'See [it](../../rtl/doc/csr.md#no-such-part).'
finds "a link within a page" "cmodel/doc/cost.md has no heading #nowhere" cmodel/doc/cost.md '[up](#nowhere)'
finds "a page that no link reaches" "cmodel/doc/alone$md: no link leads here" cmodel/doc/alone$md '# Alone'
finds "a comment that names a page that does not exist" "names rtl/doc/gone$md" cmodel/cli/byway.c "/* rtl/doc/gone$md */"
finds "a page that names a file that does not exist" "names cmodel/cli/gone.c" cmodel/doc/cost$md 'See `cmodel/cli/gone.c`.'
finish
