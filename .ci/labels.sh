#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# labels.sh - checks that the headings that the code cites as "MECHANISMS N" exist, and that each
# mechanism's page has its four parts.  Exit status 1 if not.
set -u
cd "${1:-$(dirname "$0")/..}"
files=$(git ls-files -co --exclude-standard | while read -r f; do [ -f "$f" ] && echo "$f"; done)
bad=0

# A label may be split across two comment lines; a section has a heading "## N ..." on one page.
headings=$(sed -nE 's/^#+ ([0-9]+(\.[0-9]+)*) .*/\1/p' cmodel/doc/mechanisms/*.md | sort -u)
for f in $(echo "$files" | xargs grep -lI 'MECHANISMS'); do
    for label in $(tr '\n' ' ' <"$f" | sed -E 's,[ */]+(//|\*|#)?[ ]*, ,g' |
        grep -oE 'MECHANISMS,?( section)? [0-9]+(\.[0-9]+)*' | grep -oE '[0-9.]+$' | sort -u); do
        echo "$headings" | grep -qx "$label" && continue
        echo "$f: MECHANISMS $label has no heading in cmodel/doc/mechanisms"
        bad=1
    done
done

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
