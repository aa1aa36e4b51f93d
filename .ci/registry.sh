#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# registry.sh [TREE] - checks that every mechanism of cmodel/configs/byw_mechanisms.def has a
# sentence, a paper and an enabling key, and is described on a page of cmodel/doc/mechanisms, and
# that every policy file describes its policy.  Exit status 1 if not.
set -u
here=$(realpath "$(dirname "$0")")
cd "${1:-$here/..}" || exit 2
bad=0
say() {
    echo "$1"
    bad=1
}
# Mechanisms of byw_rescues.def get their members from that file.
for name in $(TREE=. "$here"/../verif/common/rescues.sh list | cut -d'|' -f4); do
    grep -q "\`$name\`" cmodel/doc/mechanisms/*.md ||
        say "cmodel/configs/byw_rescues.def: mechanism $name stands on no page of cmodel/doc/mechanisms"
done
for name in $(sed -n 's/^MECH(\([a-z0-9_]*\)).*/\1/p' cmodel/configs/byw_mechanisms.def); do
    file=$(grep -l "^const struct byw_mech byw_mech_$name = {" cmodel/model/*/*.c)
    if [ "$(echo "$file" | wc -w)" != 1 ]; then
        say "cmodel/configs/byw_mechanisms.def: byw_mech_$name is defined in '$file'; expected one file"
        continue
    fi
    for member in name paper sentence enable on; do
        sed -n "/^const struct byw_mech byw_mech_$name = {/,/^};/p" "$file" | tr -d '\n' |
            grep -qE "\.$member = +\"[^\"]" ||
            say "$file: mechanism $name has no .$member"
    done
    grep -q "\`$name\`" cmodel/doc/mechanisms/*.md ||
        say "$file: mechanism $name stands on no page of cmodel/doc/mechanisms"
done
for file in cmodel/configs/policies/*.cfg; do
    grep -qE '^policy\.about = .' "$file" || say "$file: no sentence, policy.about"
done
exit $bad
