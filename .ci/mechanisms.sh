#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# mechanisms.sh - lists where the parts of each mechanism are: page, key, C, RTL, tests and
# policies, one paragraph per mechanism (make mechanisms).
set -u
cd "$(dirname "$0")/.." || exit 2

member() { # NAME MEMBER FILE: the text of a member of struct byw_mech
    sed -n "/^const struct byw_mech byw_mech_$1 = {/,/^};/p" "$3" | sed -n "s/^ *\.$2 = \"\([^\"]*\)\".*/\1/p"
}

say() { # WHAT WORDS...
    # shellcheck disable=SC2086
    [ -z "$2" ] || printf '    %-9s %s\n' "$1" "$(echo $2)"
}

# A rule of byw_rescues.def: UNIT KEY ON PAPER NAME
rule() {
    echo "$5 (paper $4)"
    say page "$(grep -lE "echanisms? .*\`$5\`" cmodel/doc/mechanisms/*.md)"
    say key "$2 = $3"
    say C "cmodel/model/policy/byw_$1.c"
    say RTL "rtl/policy/byw_$1.v"
    say tests "verif/policy/lockstep_rescue.c $(grep -lwE "$1" verif/*/t_*.c | head -n 2)"
    say policies "$(grep -lE "^policy\.use = (.* )?$5( |\$)" cmodel/configs/policies/*.cfg)"
    echo
}

row() { # NAME
    file=$(grep -l "^const struct byw_mech byw_mech_$1 = {" cmodel/model/*/*.c)
    unit=$(member "$1" unit "$file")
    enable=$(member "$1" enable "$file")
    base=$(basename "$file" .c)
    field=$(sed -n "s/^[A-Z0-9]*([A-Z]*, \([a-z0-9_]*\), \"$enable\".*/\1/p" cmodel/configs/byw_params.def)
    pages=$(grep -lE "echanisms? .*\`$1\`" cmodel/doc/mechanisms/*.md)
    tests=$(ls verif/*/t_"${unit:-${base#byw_}}".c verif/*/lockstep_"${unit:-${base#byw_}}".c 2>/dev/null)
    [ -n "$tests" ] || tests=$(grep -lwE "${field:-$enable}" verif/*/t_*.c | head -n 2)
    policies=$(grep -lE "^policy\.use = (.* )?$1( |\$)" cmodel/configs/policies/*.cfg)
    echo "$1 (paper $(member "$1" paper "$file"))"
    say page "$pages"
    say key "$enable = $(member "$1" on "$file")"
    say C "$file"
    say RTL "$([ -z "$unit" ] || ls rtl/*/byw_"$unit".v)"
    say tests "$tests"
    say policies "$policies"
    echo
}

for name in $(sed -n 's/^MECH(\([a-z0-9_]*\)).*/\1/p' cmodel/configs/byw_mechanisms.def); do
    row "$name"
done
verif/common/rescues.sh list | while IFS='|' read -r unit field width mech key choices on paper text; do
    rule "$unit" "$key" "$(echo "$on" | tr / '|')" "$paper" "$mech"
done
