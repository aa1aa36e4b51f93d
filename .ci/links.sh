#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# links.sh [TREE] - checks that whatever texts refer to exists:
#
#   * every link of a Markdown page leads to a file, and to a heading of it where it has a #part;
#   * every page that code, comments or other files name by its path exists, and every file that a page names;
#   * every page can be reached from README.md by links.
#
# Prints each violation; exit status 1 if there are any.  Checks tracked files and new ones.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
list=$(mktemp)
trap 'rm -f "$list"' EXIT
git ls-files -co --exclude-standard | while read -r f; do [ -f "$f" ] && echo "$f"; done >"$list"
bad=0

# Pages, their headings as GitHub names them, and their links.
grep '\.md$' "$list" | xargs awk -v files="$list" '
    function normal(path,  n, i, part, out, depth) { # without "." and ".."
        n = split(path, part, "/")
        depth = 0
        for (i = 1; i <= n; i++) {
            if (part[i] == "" || part[i] == ".") continue
            if (part[i] == "..") { if (depth > 0) depth--; continue }
            out[++depth] = part[i]
        }
        path = ""
        for (i = 1; i <= depth; i++) path = path (i > 1 ? "/" : "") out[i]
        return path
    }
    function slug(text) {
        gsub(/\]\([^)]*\)/, "]", text) # the text of a link
        text = tolower(text)
        gsub(/[^a-z0-9 _-]/, "", text)
        gsub(/ /, "-", text)
        return text
    }
    function look(line, place,  to, part, file) { # records the links of a line
        while (match(line, /\]\([^) ]+\)/)) {
            to = substr(line, RSTART + 2, RLENGTH - 3)
            line = substr(line, RSTART + RLENGTH)
            if (to ~ /^[a-z]+:/) continue # of another site
            part = ""
            if (match(to, /#/)) { part = substr(to, RSTART + 1); to = substr(to, 1, RSTART - 1) }
            file = to == "" ? FILENAME : normal((folder == "" ? "" : folder "/") to)
            links++
            from[links] = FILENAME; where[links] = place; target[links] = file; heading[links] = part
        }
    }
    BEGIN {
        while ((getline name < files) > 0) {
            known[name] = 1
            while (sub(/\/[^\/]*$/, "", name)) known[name] = 1 # its folders
        }
    }
    FNR == 1 { page[FILENAME]; fence = 0; folder = FILENAME; if (!sub(/\/[^\/]*$/, "", folder)) folder = "" }
    /^ *```/ { fence = !fence; next }
    fence { next }
    /^#+ / {
        text = $0; sub(/^#+ +/, "", text); text = slug(text)
        n = times[FILENAME, text]++
        named[FILENAME, n ? text "-" n : text] = 1
    }
    { gsub(/`[^`]*`/, "`"); look($0, FILENAME ":" FNR) }
    END {
        for (i = 1; i <= links; i++) {
            if (!(target[i] in known)) { print where[i] ": link to " target[i] ", which does not exist"; bad = 1; continue }
            if (heading[i] != "" && target[i] ~ /\.md$/ && !((target[i], heading[i]) in named)) {
                print where[i] ": " target[i] " has no heading #" heading[i]; bad = 1
            }
        }
        reached["README.md"]
        do {
            more = 0
            for (i = 1; i <= links; i++)
                if ((from[i] in reached) && !(target[i] in reached)) { reached[target[i]]; more = 1 }
        } while (more)
        for (f in page) if (!(f in reached)) { print f ": no link leads here from README.md"; bad = 1 }
        exit bad
    }' || bad=1

# Pages that code, scripts, configurations and other pages name by their path.
grep -vE '\.(bwt|png|svg|xz|zst|gz|json|patch)$|^verif/mutate/faults/|^cmodel/doc/notebook/history.md$' "$list" |
    xargs grep -noP "(?<![\w/.-])(cmodel|rtl|verif|fpga|synth)/[\w/.-]+\.md\b" /dev/null |
    while IFS=: read -r file line named; do
        [ -e "$named" ] || [ -e "$(dirname "$file")/$named" ] || echo "$file:$line: names $named, which does not exist"
    done >"$list.named"
[ ! -s "$list.named" ] || { cat "$list.named" && bad=1; }

# Files that pages name between backquotes; notebooks may name files that existed at the time.
grep '\.md$' "$list" | grep -v /notebook/ | xargs grep -noP '`\K(cmodel|rtl|verif|fpga|synth|\.ci)/[\w/.-]+(?=`)' /dev/null |
    while IFS=: read -r file line named; do
        case $named in *NAME* | *NNN*) continue ;; esac # of a kind
        [ -e "$named" ] || echo "$file:$line: names $named, which does not exist"
    done >"$list.named"
[ ! -s "$list.named" ] || { cat "$list.named" && bad=1; }
rm -f "$list.named"
exit $bad
