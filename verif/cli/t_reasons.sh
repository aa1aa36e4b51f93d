#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_reasons.sh - the numbers that the reasons of claims quote are exactly those that the commands
# given with the reasons print (reasons.tsv). Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
command -v jq >/dev/null || skip_all "jq is missing; apt-get install jq"
table=$PWD/verif/cli/reasons.tsv

# Prints "CLAIM<tab>KEY<tab>VALUE" of each reason and experiment; indented lines continue a value.
cat cmodel/study/papers/*.claims | awk '
    /^\[claim / { id = $2; sub(/\]/, "", id) }
    /^(reason|experiment) = / { key = $1; text = $0; sub(/^[a-z]+ = /, "", text); open = 1; value[id, key] = text; next }
    open && /^    / { text = $0; sub(/^ +/, " ", text); value[id, key] = value[id, key] text; next }
    { open = 0 }
    END { for (k in value) { split(k, part, SUBSEP); print part[1] "\t" part[2] "\t" value[k] } }' >"$dir/said"
said() { awk -F'\t' -v id="$1" -v key="$2" '$1 == id && $2 == key { print $3 }' "$dir/said"; }

# Every decimal fraction in a reason must be in the table; otherwise it would not be checked. Runs
# of larger inputs (--size) are not made here.
awk -F'\t' -v table="$table" '
    BEGIN { while ((getline line <table) > 0) { split(line, f, "\t"); has[f[1], f[2]] = 1 } }
    $2 == "experiment" && / --size / { long[$1] = 1 }
    $2 == "reason" { text[$1] = $3 }
    END { for (id in text) { n = split(text[id], word, /[^0-9.]+/)
          for (i = 1; i <= n; i++) { w = word[i]; sub(/\.$/, "", w)
              if (w ~ /^[0-9]*\.[0-9][0-9]+$/ && !long[id] && !((id, w) in has)) { print id ": " w; bad = 1 } } }
          exit bad + 0 }' "$dir/said" >"$dir/err"
result $? "every fraction that a reason quotes is in the table"

check() { # check CLAIM SHORT_OR_LONG: runs the command and compares
    local command quoted filter value digits bad=0
    command=$(said "$1" experiment)
    rm -f "$dir/json"
    # shellcheck disable=SC2086 # words of a command
    set -- "$1" ${command#byway }
    local id=$1
    shift
    case $* in *--json*) by "${@//*.json/json}" ;; *) by "$@" --json json ;; esac
    : >"$dir/err"
    while IFS=$'\t' read -r _ quoted filter _; do
        digits=${quoted#*.}
        [ "$digits" != "$quoted" ] && digits=${#digits} || digits=0
        value=$(jq -r "$filter" "$dir/json" | awk -v d=$digits '{ printf "%.*f", d, $1 }')
        [ "${quoted#0}" = "${value#0}" ] && [[ $(said "$id" reason) == *"$quoted"* ]] && continue
        echo "$id quotes $quoted; its command gives $value ($filter)" >>"$dir/err"
        bad=1
    done < <(grep -P "^\Q$id\E\t" "$table")
    result $bad "claim $id quotes what its command gives"
}
while read -r id length; do
    if [ "$length" = long ] && ! in_test_all; then
        continue
    fi
    check "$id"
done < <(grep -v '^#' "$table" | awk -F'\t' '!seen[$1]++ { print $1, $4 }')
finish
