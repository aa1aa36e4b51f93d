#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# path.sh run|test|all FOLDER - fills FOLDER with the commands that a fresh machine has, for use as
# PATH, and prints the PATH.
#
# FOLDER gets a link to each command of Debian's essential packages, of the packages that
# packages.tsv lists for this purpose, and of everything these depend on.  A command from elsewhere
# (another package, /usr/local, a private Python) is not found there, so a check that uses a command
# without a line in packages.tsv fails on every machine, not only on a fresh one.
# FOLDER/packages.txt lists the packages. Without dpkg, FOLDER is not created and the current PATH
# is printed. FOLDER is created again if a package was installed or the table changed since.
set -eu

purpose=$1
folder=$2
table=${PACKAGES:-$(dirname "$0")/packages.tsv} # tests pass another list
info=/var/lib/dpkg/info
command -v dpkg-query >/dev/null || {
    printf '%s\n' "$PATH"
    exit 0
}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
stamp=$folder/packages.txt
if [ "$stamp" -nt /var/lib/dpkg/status ] && [ "$stamp" -nt "$table" ] && [ "$stamp" -nt "$0" ] &&
    [ "$(head -n 1 "$stamp")" = "# $purpose" ]; then
    echo "$folder"
    exit 0
fi

# The table's packages; LLVM stands for whichever version is installed.
seeds() {
    awk -F '\t' -v purpose="$purpose" '
        /^#/ { next }
        $2 == "run" || $2 == purpose || (purpose == "all" && $2 == "test") { print $1 }' "$table" |
        sed 's/^LLVM$/clang-[0-9]+\nllvm-[0-9]+-dev\nlibclc-[0-9]+/'
}

# The given and the essential packages with everything they depend on, under the names that dpkg's
# file lists use.  Of alternatives, the first installed one is taken; of a virtual package, every
# installed provider.
closure() {
    dpkg-query -W -f '${db:Status-Abbrev}\t${binary:Package}\t${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\n' |
        awk -F '\t' -v seeds="$(seeds | tr '\n' ' ')" '
        function bare(name) { sub(/[ (:].*/, "", name); return name }
        function want(name) { if (name in file && !(name in chosen)) { chosen[name]; todo[++last] = name } }
        function depend(word,    choice, n, i, provider, m, k) {
            n = split(word, choice, / *\| */)
            for (i = 1; i <= n; i++) {
                sub(/^ +/, "", choice[i])
                choice[i] = bare(choice[i])
                if (choice[i] in file) { want(choice[i]); return }
                if (choice[i] in providers) {
                    m = split(providers[choice[i]], provider, " ")
                    for (k = 1; k <= m; k++) want(provider[k])
                    return
                }
            }
        }
        $1 ~ /^ii/ {
            file[$3] = file[$3] " " $2
            depends[$3] = depends[$3] ", " $5
            if ($4 == "yes") essential[$3]
            n = split($6, provided, /, */)
            for (i = 1; i <= n; i++) providers[bare(provided[i])] = providers[bare(provided[i])] " " $3
        }
        END {
            for (name in essential) want(name)
            want("apt")
            n = split(seeds, seed, " ")
            for (i = 1; i <= n; i++)
                for (name in file)
                    if (name ~ "^" seed[i] "$" || (seed[i] !~ /\[/ && name == seed[i])) want(name)
            for (next_one = 1; next_one <= last; next_one++) {
                n = split(depends[todo[next_one]], words, /, */)
                for (i = 1; i <= n; i++) if (words[i] != "") depend(words[i])
            }
            for (name in chosen) {
                n = split(file[name], files, " ")
                for (i = 1; i <= n; i++) print files[i]
            }
        }' | sort
}

rm -rf "$folder"
mkdir -p "$folder"
closure >"$folder/closure"
# Commands by the path that they really have: /bin is /usr/bin, and awk or cc are links of update-alternatives.
while read -r package; do
    cat "$info/$package.list"
done <"$folder/closure" 2>/dev/null | grep -E '^(/usr)?/s?bin/' | sed 's|^/usr||' | sort -u >"$folder/owned"
find /usr/bin /usr/sbin /bin/ /sbin/ -maxdepth 1 \( -type f -o -type l \) >"$folder/all"
paste "$folder/all" <(tr '\n' '\0' <"$folder/all" | xargs -0 readlink -m) | awk -F '\t' -v owned="$folder/owned" '
    BEGIN { while ((getline line < owned) > 0) own[line] }
    { named = $1; real = $2; sub(/^\/usr/, "", named); sub(/^\/usr/, "", real); sub(/^\/\//, "/", named) }
    named in own || real in own { print $1 }' | xargs ln -sf -t "$folder"
{
    echo "# $purpose"
    cat "$folder/closure"
} >"$folder/packages.tmp"
rm -f "$folder/closure" "$folder/owned" "$folder/all"
mv "$folder/packages.tmp" "$stamp"
echo "$folder"
