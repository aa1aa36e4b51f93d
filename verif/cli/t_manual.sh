#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_manual.sh - manual pages and completion are generated from the commands' tables: they contain
# every command and option, no others, and a shell offers exactly what byway accepts.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
cmodel/cli/manual.sh "$byway" "$dir/manual" >"$dir/out" 2>"$dir/err"
result $? "manual pages and completion are generated"
man=$dir/manual/man

"$byway" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' >"$dir/commands"
ls "$man" | sed -n 's/^byway-\(.*\)\.1$/\1/p' | sort >"$dir/pages"
sort "$dir/commands" | diff - "$dir/pages" >"$dir/out" && [ "$(wc -l <"$dir/pages")" -gt 10 ]
result $? "every command has a page"
# In --help an option starts its line; in the manual page it is bold.
while read -r command; do
    "$byway" "$command" --help | grep -oE '^  (-[a-zA-Z], |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort >"$dir/help"
    sed -n '/^\.SH OPTIONS/,/^\.SH NOTES/s/^.*\\fB\(\\-\\-[a-z0-9\\-]*\)\\fR.*/\1/p' "$man/byway-$command.1" | tr -d '\\' | sort >"$dir/page"
    diff "$dir/help" "$dir/page" >"$dir/out" || break
    # Every word of the help is in the page.
    "$byway" "$command" --help | grep -oE '[A-Za-z]{4,}' | sort -u >"$dir/help"
    sed 's/\\fB//g; s/\\fI//g; s/\\fR//g; s/\\-/-/g; s/\\e/\\/g' "$man/byway-$command.1" | grep -oE '[A-Za-z]{4,}' | sort -u >"$dir/page"
    comm -23 "$dir/help" "$dir/page" | grep -vx usage >"$dir/out"
    [ ! -s "$dir/out" ] || break
done <"$dir/commands"
[ ! -s "$dir/out" ]
result $? "a page has every option of its command, no other, and every word of its help (${command:-})"
if command -v groff >/dev/null; then
    for page in "$man"/*.1; do groff -man -ww -z -Tutf8 "$page"; done >"$dir/out" 2>&1
    [ ! -s "$dir/out" ]
    result $? "groff finds nothing wrong in them"
    groff -man -Tascii -P-c "$man/byway-run.1" 2>"$dir/err" | sed 's/.\x08//g' | grep -A 1 -- '--max-cycles N' | grep -q 'stop after N cycles'
    result $? "an option is followed by its description"
else
    skip_check "groff finds nothing wrong in them" "no groff; apt-get install groff-base"
fi

# --- completion -------------------------------------------------------------------------------------
mkdir "$dir/bin"
ln -s "$byway" "$dir/bin/byway"
offers() { # offers WORD...: prints bash's completions of the last word, one per line
    PATH=$dir/bin:$PATH bash -c '. "$1"; shift; COMP_WORDS=(byway "$@"); COMP_CWORD=$#; _byway
        printf "%s\n" "${COMPREPLY[@]}"' - "$dir/manual/completion/byway" "$@"
}
offers "" | grep -E '^[a-z]+$' | grep -vx help | diff - "$dir/commands" >"$dir/out"
result $? "bash offers every command"
for command in $(cat "$dir/commands"); do
    "$byway" "$command" --help | grep -oE '^  (-[a-zA-Z], |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort >"$dir/help"
    offers "$command" -- | grep . | sort | diff "$dir/help" - >"$dir/out" || break
done
[ ! -s "$dir/out" ]
result $? "bash offers every option of every command, and no other ($command)"
[ "$(offers run --l1 | tr '\n' ' ')" = "--l1d " ] && [ "$(offers run --l1d "" | tr '\n' ' ')" = "c rtl " ]
result $? "bash offers an option and its words"
[ "$(offers run -m fermi_ | tr '\n' ' ')" = "fermi_gpgpusim fermi_linear " ] && [ "$(offers compare -p bl,decoupled_du | tr '\n' ' ')" = "bl,decoupled_duel " ] &&
    offers compare -w @c | grep -qx @cnf && offers run -w gau | grep -qx gaussian
result $? "bash offers machines, policies after a comma, workloads and sets"
[ "$(offers trace "" | tr '\n' ' ')" = "capture info check convert machine " ] && offers list c | grep -qx counters
result $? "bash offers actions and lists"
[ "$(offers run -s l1d.way)" = l1d.ways= ] && offers tune --keys decoupled.thr | grep -qx decoupled.threshold
result $? "bash offers keys after -s and --keys"
[ "$(offers reproduce 00 | tr '\n' ' ')" = "000 001 002 003 004 " ] && offers reproduce "" | grep -qx all &&
    offers reproduce 000 --claim 0. | grep -qx 0.1
result $? "bash offers papers and claims"
fish=$dir/manual/completion/byway.fish
for command in $(cat "$dir/commands"); do
    grep -q "^complete -c byway -n __fish_use_subcommand -a $command " "$fish" || break
    "$byway" "$command" --help | grep -oE '^  (-[a-zA-Z], |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort >"$dir/help"
    sed -n "s/^complete -c byway -n '__fish_seen_subcommand_from $command'.* -l \([a-z0-9-]*\) .*/--\1/p" "$fish" | sort |
        diff "$dir/help" - >"$dir/out" || break
done
[ ! -s "$dir/out" ] && grep -q "_from run'.* -s s -l set .*keys" "$fish"
result $? "fish has every option of every command, and no other ($command)"
if command -v fish >/dev/null; then
    PATH=$dir/bin:$PATH fish -c "source $fish; complete -C 'byway run -m fermi_l'" 2>"$dir/err" | grep -q '^fermi_linear' &&
        PATH=$dir/bin:$PATH fish -c "source $fish; complete -C 'byway run -s l1d.way'" 2>>"$dir/err" | grep -q '^l1d.ways='
    result $? "fish offers machines and keys"
else
    skip_check "fish offers machines and keys" "no fish; apt-get install fish"
fi
if command -v zsh >/dev/null; then
    zsh -n "$dir/manual/completion/_byway" >"$dir/out" 2>&1
    result $? "zsh can read its completion"
    # Prints the arguments that the function passes to _arguments, because a shell without a
    # terminal offers nothing.
    offered=$(PATH=$dir/bin:$PATH zsh -fc '_arguments() { print -rl -- "$@" }; _describe() { print -rl -- $commands }; _files() {}
        words=(byway run --l1d x) CURRENT=4; source "$1"' - "$dir/manual/completion/_byway" 2>"$dir/err")
    "$byway" run --help | grep -oE '^  (-[a-zA-Z], |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort >"$dir/help"
    grep -oE -- '^(\(-. --[a-z0-9-]+\))?--[a-z0-9-]+' <<<"$offered" | grep -oE -- '--[a-z0-9-]+$' | sort | diff "$dir/help" - >"$dir/out" &&
        grep -q -- '--l1d\[.*:(c rtl)' <<<"$offered"
    result $? "zsh offers every option of a command"
else
    skip_check "zsh can read its completion" "no zsh; apt-get install zsh"
fi
finish
