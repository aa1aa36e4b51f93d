#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_recipe_machine.sh - cmodel/doc/add_a_machine.md, done on a copy of the configurations: the
# machine of five lines is listed, resolved and simulated by name, and errors in such a file are
# reported. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/common/recipe.sh
byway=$(realpath "${BYWAY:-$build/byway}")
recipe_copy 'cmodel/traces|verif/(mutate|scenario)'
recipe_apply cmodel/doc/add_a_machine.md
recipe_files 1 1
file=$tree/cmodel/configs/machines/fermi_48k.cfg
[ "$(grep -vc '^#' "$file")" = 5 ]
result $? "the machine has five lines"
export BYWAY_CONFIGS=$tree/cmodel/configs BYWAY_TRACES=$top/cmodel/traces
"$byway" list machines >"$dir/log" 2>&1 && grep -q '^fermi_48k .*Fermi, 48 KB' "$dir/log"
result $? "byway list machines"
"$byway" list machines fermi >"$dir/base" && "$byway" list machines fermi_48k >"$dir/log" 2>&1
[ "$(diff "$dir/base" "$dir/log" | grep -c '^> .* = ')" = 4 ] && grep -q '^sm.shared_bytes = 16384' "$dir/log"
result $? "every other key is that of its base"
"$byway" compare -m fermi,fermi_48k -w kmeans,lud,nw,srad_v2 -p bl,ball,decoupled >"$dir/log" 2>&1 &&
    [ "$(awk '/^kmeans +- +[A-Z]/ { print $3 }' "$dir/log" | tr '\n' ' ')" = "CNF CF " ]
result $? "kmeans is cache-unfriendly with 16 KB and cache-friendly with 48 KB, as the page says"
while IFS='|' read -r line text want; do
    sed "${line}s/.*/$text/" "$file" >"$dir/bad.cfg"
    "$byway" run -m "$dir/bad.cfg" -w nw >"$dir/log" 2>&1
    [ $? = 2 ] && grep -q "bad.cfg" "$dir/log" && grep -qE "$want" "$dir/log"
    result $? "a wrong file is refused: $text"
done <<'END'
3|base = fermy|fermy
5|l1d.setz = 64|bad.cfg:5: .*did you mean 'l1d.sets'
5|l1d.sets = 63|l1d.sets
5|l1d.sets = many|bad.cfg:5: .*many
END
finish
