# SPDX-License-Identifier: Apache-2.0
#
# recipe.sh - carries out a page's recipe on a copy of the tree. Source it in the root, after
# tap.sh.
#
# A fence "```LANGUAGE FILE" of the page is a new file, or an addition to an existing one:
#
#     ```c FILE                             the whole file
#     ```c FILE below LINE                  below, above, or replacing the line that begins with LINE (blanks are
#     ```c FILE above LINE                  ignored); there must be exactly one such line
#     ```c FILE instead LINE
#     ```md FILE at the end                 at the end, after an empty line
#
# Sets $dir (removed at the end), $tree (the copy) and $top.
top=$PWD
build=${B:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")
tree=$dir/tree

recipe_copy() { # recipe_copy [LEAVE OUT]: copies the tree, except files that match, to a checkout with one commit
    mkdir -p "$tree"
    git ls-files -co --exclude-standard 2>/dev/null | while read -r f; do [ -f "$f" ] && echo "$f"; done |
        grep -vE "^(${1:-none})/" >"$dir/files"
    [ -s "$dir/files" ] || skip_all "no git checkout; the test copies what git knows"
    tar -cf - -T "$dir/files" | tar -xf - -C "$tree"
    (cd "$tree" && git init -q && git add -A && git -c user.name=t -c user.email=t@t commit -qm before)
    # Built files are reused; files that the recipe writes get newer time stamps.
    mkdir -p "$tree/build"
    for part in cmodel fast fst gen; do
        [ ! -d "$build/$part" ] || cp -Rp "$build/$part" "$tree/build/"
    done
}

recipe_apply() { # recipe_apply PAGE
    awk -v tree="$tree" '
        function squeezed(s) { gsub(/ /, "", s); return s }
        /^```[a-z]+ [^ ]+\// {
            file = tree "/" $2
            where = $3
            line = $0
            sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "", line)
            folder = file
            sub("/[^/]*$", "", folder)
            system("mkdir -p " folder)
            text = ""
            on = 1
            next
        }
        /^```$/ && on {
            on = 0
            if (where == "at") {
                printf "\n%s", text >> file
                close(file)
                next
            }
            if (where != "") {
                new = text
                text = ""
                found = 0
                while ((getline old < file) > 0) {
                    hit = index(squeezed(old), squeezed(line)) == 1
                    found += hit
                    if (hit && where == "above") text = text new
                    text = text (hit && where == "instead" ? new : old "\n")
                    if (hit && where == "below") text = text new
                }
                close(file)
                if (found != 1) print file ": " found " lines begin with " line > "/dev/stderr"
            }
            printf "%s", text > file
            close(file)
            next
        }
        on { text = text $0 "\n" }' "$1" 2>"$dir/log"
    [ ! -s "$dir/log" ]
    result $? "every place that ${1##*/} names exists once"
}

recipe_files() { # recipe_files MOST NEW: the recipe changes at most MOST files, of which exactly NEW are new
    git -C "$tree" status --porcelain -uall >"$dir/log"
    [ "$(wc -l <"$dir/log")" -le "$1" ] && [ "$(grep -c '^??' "$dir/log")" = "$2" ]
    result $? "the recipe changes $(wc -l <"$dir/log") files, $(grep -c '^??' "$dir/log") of them new"
}

recipe_build() { # builds the command without warnings and sets $byway to its path
    (cd "$tree" && make -s WERROR=1 OPT="${OPT:--O1}" build/byway) >"$dir/log" 2>&1
    result $? "the changed tree builds without a warning"
    byway=$tree/build/byway
    export BYWAY_CONFIGS=$tree/cmodel/configs BYWAY_TRACES=$top/cmodel/traces
}
