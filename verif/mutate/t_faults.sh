#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_faults.sh - the patches of `make mutate-faults` apply to the tree as it is, name a test that
# exists, and for every policy one of them removes its central rule: its first line names the
# policy. The table of `make mutate-drawn` fits the sources. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log
command -v patch >/dev/null || skip_all "no patch; apt-get install patch"

# Prints the errors in the patches of a folder.
faulty() {
    local patch test
    for patch in "$1"/*.patch; do
        patch -p1 --dry-run -F0 -s <"$patch" >/dev/null 2>&1 || echo "$patch does not apply"
        test=$(sed -n 's/^Killed by: //p' "$patch")
        case $test in
        cosim/*) ;; # a lock-step program
        *) [ -e "$test.c" ] || [ -e "$test.sh" ] || echo "$patch: no test $test" ;;
        esac
    done
}

# Prints the policies that no patch of a folder names.  Two policies have no separate rule.
unbroken() {
    sed -n 's/^Fault: \([a-z0-9_, ]*\): .*/\1/p' "$1"/*.patch | tr -d ' ' | tr ',' '\n' >"$dir/named"
    "${BYWAY:-build/byway}" list policies | sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p' |
        grep -vxE 'bl|mi_cacherw' | grep -vxF -f "$dir/named"
}

faulty verif/mutate/faults >"$dir/log"
[ ! -s "$dir/log" ]
result $? "every patch applies and names a test"
mkdir "$dir/stale"
sed 's/^-/-stale /' verif/mutate/faults/01-*.patch >"$dir/stale/01.patch"
faulty "$dir/stale" | grep -q 'does not apply'
result $? "a stale patch is detected"
unbroken verif/mutate/faults >"$dir/log"
[ ! -s "$dir/log" ]
result $? "for every policy a patch removes its central rule"
mkdir "$dir/less"
cp verif/mutate/faults/*.patch "$dir/less"
rm "$dir"/less/*carb*
[ "$(unbroken "$dir/less")" = carb_like ]
result $? "a policy without a patch is detected"
awk -f verif/mutate/draw.awk verif/mutate/pairs.txt >"$dir/drawn" 2>"$dir/log" && [ "$(wc -l <"$dir/drawn")" -ge 500 ]
result $? "every pair of pairs.txt occurs once in the RTL and once in C; they give at least 500 faults"
# Prints the numbers of the faults that the changed files of one language contain.
numbers() { # numbers SUFFIX
    find "$dir/all" -name "*.$1" -print0 | xargs -0 grep -ohE 'byw_fault(; }\(\)"\))? == [0-9]+ \?' | sed 's/.*== //; s/ ?//' | sort -n
}
for file in $(awk '/^@/ { print $2, $3 }' verif/mutate/pairs.txt); do mkdir -p "$dir/all/${file%/*}"; done
seq "$(wc -l <"$dir/drawn")" >"$dir/numbers"
awk -v all=1 -v out="$dir/all" -f verif/mutate/draw.awk verif/mutate/pairs.txt 2>"$dir/log" &&
    numbers v | cmp - "$dir/numbers" >>"$dir/log" 2>&1 && numbers c | cmp - "$dir/numbers" >>"$dir/log" 2>&1
result $? "one copy of the files holds every fault once in the RTL and once in C"
verif/mutate/draw.sh -c >"$dir/log"
read -r drawn _ whole _ _ excluded _ <"$dir/log"
commas() { sed -E 's/([0-9])([0-9]{3})$/\1,\2/' <<<"$1"; }
grep -qF "at random from $(commas "$drawn")." rtl/doc/verification.md &&
    grep -qF "there would be $(commas "$whole"); of the $(commas "$excluded") excluded" rtl/doc/verification.md
result $? "rtl/doc/verification.md has the numbers of draw.sh -c"
sed "s/^v wire hint_forces_bypass = /v wire stale = /" verif/mutate/pairs.txt >"$dir/pairs.txt"
! awk -f verif/mutate/draw.awk "$dir/pairs.txt" >/dev/null 2>"$dir/log" && grep -q "past: not in rtl/" "$dir/log"
result $? "a pair that the RTL no longer has is detected"
finish
