#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_packages.sh - .ci/packages.tsv names every package that byway uses, and .ci/path.sh hides all
# others. Prints TAP. Skipped without dpkg.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
command -v dpkg-query >/dev/null || skip_all "no dpkg here: the table of packages is of Debian and Ubuntu"
tap_folder said
table=.ci/packages.tsv
export LC_ALL=C # so that sort and join agree

grep -v '^#' $table | awk -F '\t' -v said="$dir/said" '
    NF != 5 || $2 !~ /^(run|test|all|told)$/ || $3 !~ /^(stop|skip)$/ || $4 !~ /^(captures|(command|library|header|file|wheel) [^ ]+)$/ {
        print FILENAME ": " $0 > said; bad = 1 }
    seen[$1 $4]++ { print $1 " stands twice" > said; bad = 1 }
    END { exit bad }'
result $? "each line of the table has a package, a purpose, what happens without it, a check and a use"

# Headers between < and > come from a package of the table, or from one of its dependencies.
path=$(.ci/path.sh all "$dir/all")
sed 1d "$path/packages.txt" | while read -r package; do cat "/var/lib/dpkg/info/$package.list"; done 2>/dev/null |
    sed -nE 's#^/usr/(lib/gcc/[^/]+/[0-9]+/|lib/llvm-[0-9]+/|share/verilator/)?include/([a-z0-9_]+-linux-gnu/|c\+\+/[0-9]+/|llvm-c-[0-9]+/|gtkwave/)?##p' | sort -u >"$dir/headers"
# usage: includes FILE...: "FILE:LINE: HEADER" for each header in <>
includes() {
    grep -noE '^ *# *include *<[^>]+>' "$@" | sed -E 's/^([^:]+:[0-9]+):.*<([^>]+)>/\2 \1/' | sort -u
}
git ls-files '*.c' '*.h' '*.cpp' '*.hpp' 2>/dev/null | grep -v '^fpga/.*/include' >"$dir/files" || find cmodel verif fpga -name '*.[ch]' >"$dir/files"
missing_headers() { # of the includes read from stdin
    join -v 1 - "$dir/headers"
}
# shellcheck disable=SC2046 # names without blanks
includes $(cat "$dir/files") | missing_headers >"$dir/said"
[ ! -s "$dir/said" ]
result $? "every header in <> is of a package in the table"
echo "no_such_package.h x.c:1" | missing_headers | grep -q no_such
result $? "a header of no package in the table is detected"

# The package of each printed remedy ("apt-get install X") is in the table.
{
    grep -v '^#' $table | cut -f 1
    printf '%s\n' clang llvm-dev libclc clang-V llvm-V-dev libclc-V clang- libclc- # -%s in C
} | sort -u >"$dir/known"
remedies() { # remedies FILE...: packages that messages tell the user to install
    grep -hoE 'apt(-get)? install +(-[^ ]+ +)*[a-z0-9][a-zV0-9+. -]*' "$@" | sed -E 's/.*install +//; s/(-y|--no-install-recommends) *//g' |
        tr ' ' '\n' | sed 's/[.,;]$//' | grep -E '^[a-z0-9]' | sort -u
}
git grep -lE 'apt(-get)? install' -- . ':!CHANGELOG.md' ':!verif/run/t_packages.sh' ':!.ci/deps.sh' ':!*/notebook/*' 2>/dev/null >"$dir/told"
# shellcheck disable=SC2046
remedies $(cat "$dir/told") | comm -23 - "$dir/known" >"$dir/said"
[ ! -s "$dir/said" ]
result $? "every package that a message tells to install is in the table"

# The PATH of `make test` has a command if and only if its package is in the table.
grep -v '^patch' $table >"$dir/without.tsv"
PACKAGES=$dir/without.tsv .ci/path.sh test "$dir/without" >/dev/null && [ ! -e "$dir/without/patch" ] && [ -e "$dir/without/awk" ]
result $? "a command whose package is not in the table is not found, even if it is installed"
[ ! -x /usr/bin/patch ] || [ -e "$(.ci/path.sh test "$dir/with")/patch" ]
result $? "a command whose package is in the table is found"
(PATH=$dir/without && ! patch --version) >/dev/null 2>"$dir/said"
result $? "a script that uses such a command fails"
finish
