# SPDX-License-Identifier: Apache-2.0
#
# pages.sh - the commands of Markdown pages.  Source it in the root.
#
# The language of a fence says what happens to its commands:
#
#     ```sh                    `make test` runs them, in a separate folder
#     ```sh slow               `make test-all` runs them, too
#     ```sh not run: REASON    nothing runs them; their options and targets are checked
#
# Fences in other languages hold no commands.

pages() { # the Markdown pages of a tree, tracked or new
    git ls-files -co --exclude-standard '*.md' | LC_ALL=C sort
}

# Writes PAGE:LINE, a tab and the command for each command in the fences of that kind; continued
# lines are joined by "\001". kind: run, slow or not.
fenced() { # fenced KIND PAGE...
    local kind=$1
    shift
    awk -v wanted="$kind" '
        FNR == 1 { on = 0; text = "" }
        /^```/ {
            if (on || open) { on = open = 0; next }
            open = 1
            if ($1 == "```sh")
                on = (NF == 1 ? "run" : $2 == "slow" ? "slow" : "not") == wanted
            next
        }
        on {
            if (text == "") { if ($0 ~ /^ *(#.*)?$/) next; start = FNR }
            text = text (text == "" ? "" : "\001") $0
            quotes = text
            gsub(/[^"]/, "", quotes)
            if (text ~ /\\$/ || length(quotes) % 2) next # the command continues
            print FILENAME ":" start "\t" text
            text = ""
        }' "$@"
}

# Commands that a page names in its text: `byway ...` and `make ...` in backquotes.
inline() { # inline PAGE...
    awk '
        FNR == 1 { open = 0 }
        /^```/ { open = !open; next }
        open { next }
        {
            line = $0
            while (match(line, /`(build\/|installed\/bin\/)?(byway|make) [^`]*`/)) {
                print FILENAME ":" FNR "\t" substr(line, RSTART + 1, RLENGTH - 2)
                line = substr(line, RSTART + RLENGTH)
            }
        }' "$@"
}
