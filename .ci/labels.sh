#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# labels.sh - checks that the sections that texts cite as "mechanisms/PAGE.md N" are headings of that
# page, and that each mechanism's page has its four parts.  Exit status 1 if not.
set -u
cd "${1:-$(dirname "$0")/..}"
files=$(git ls-files -co --exclude-standard | while read -r f; do [ -f "$f" ] && echo "$f"; done)
bad=0

# A citation may be split across two comment lines; a section has a heading "## N ...".
for f in $(echo "$files" | xargs grep -lIE 'mechanisms/[a-z0-9_]+[.]md'); do
    tr '\n' ' ' <"$f" | sed -E 's,[ */]+(//|\*|#)?[ ]*, ,g; s,mechanisms ([a-z0-9_]+[.]md),mechanisms/\1,g' |
        grep -oE '(mechanisms/)?\b[a-z0-9_]+[.]md [0-9]+([.][0-9]+)*(, [0-9]+([.][0-9]+)*)*' | sort -u |
        while read -r at numbers; do
            page=cmodel/doc/mechanisms/${at#mechanisms/}
            [ "$at" != "${at#mechanisms/}" ] || [ -f "$page" ] || continue
            for n in $(echo "$numbers" | tr -d ,); do
                grep -qE "^#+ $n " "$page" 2>/dev/null || echo "$f: $page has no section $n"
            done
        done
done | grep . && bad=1
# A label without a file.
echo "$files" | xargs grep -nHE 'MECHAN''ISMS,?( section)? [0-9]' | sed -E 's/^([^:]*:[0-9]+):.*$/\1: cite mechanisms\/PAGE.md N/' | grep . && bad=1
# Citations of a reading of the locality filter by its letter and number, without its page.
echo "$files" | grep -v '^cmodel/doc/mechanisms/' | xargs grep -nHIE '(^|[^[])\(C[1-7]\)' |
    sed -E 's/^([^:]*:[0-9]+):.*$/\1: a reading without its page: mechanisms\/locality.md 1.6, CN/' | grep . && bad=1

# Pages that do not describe a mechanism have no such parts.
for f in cmodel/doc/mechanisms/*.md; do
    case $f in */README.md | */machines.md | */cache.md) continue ;; esac
    for part in Rule Parameters Readings 'Worked example'; do
        grep -q "^\*\*$part\.\*\*" "$f" && continue
        echo "$f: no paragraph \"**$part.**\""
        bad=1
    done
done
exit $bad
