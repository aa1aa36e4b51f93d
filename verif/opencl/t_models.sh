#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_models.sh - the workloads of machine-learning models (@ml) are right at size test, and each of their checks
# rejects a kernel with one mistake.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libOpenCL.so.1
tap_folder

# mistake WORKLOAD: a sed command that breaks its kernel.
mistake() {
    case $1 in
    attn_decode) echo 's/(lane % 2) \* 8)/0)/' ;; # all lanes weigh a page's first tokens
    attn_prefill) echo 's/sum \*= keep/sum *= 1.0f/' ;; # the sum is not corrected
    gemv4) echo 's/& 15u) - 8/\& 15u) - 7/' ;;
    gemv8) echo 's/low(scales\[row\])/low(scales[0])/' ;;
    hgemm) echo 's/sum\[i\]\[j\] += /sum[i][j] = /' ;;
    rmsnorm) echo 's/+ epsilon/+ 1.0f/' ;;
    rope) echo 's/+ low(a) \* sine/- low(a) * sine/' ;;
    sampling) echo 's/& (BINS - 1)\]/\& (BINS - 2)]/' ;; # odd digits are counted as even ones
    embedding) echo 's/i = first\[bag\]; i < end/i = first[bag] + 1; i < end/' ;;
    moe) echo 's/share\[pair\[j\]\]/1.0f/' ;;
    gnn) echo 's/float w = weight\[i\]/float w = 1.0f/' ;;
    histogram) echo 's/(int)g >> 16/(int)g >> 17/' ;;
    hashgrid) echo 's/iz \* 805459861u/iz/' ;;
    esac
}

export LD_LIBRARY_PATH=$PWD/$B/lib
while read -r name program options; do
    [ -x "$B/workloads/$program" ] || make -s B="$B" "$B/workloads/$program" >"$dir/out" 2>"$dir/err"
    # shellcheck disable=SC2086 # words
    "$B/workloads/$program" --size test $options >"$dir/out" 2>"$dir/err" && grep -q "^PASS $program test" "$dir/out"
    result $? "$name is right"
    sed "$(mistake "$name")" "cmodel/workloads/$program/$program.cl" >"$dir/$name.cl"
    ! cmp -s "$dir/$name.cl" "cmodel/workloads/$program/$program.cl" &&
        ! "$B/workloads/$program" --size test -k "$dir/$name.cl" $options >"$dir/out" 2>"$dir/err" &&
        grep -qE "$program: .*(expected|found|which)" "$dir/err"
    result $? "$name: its check rejects a kernel with one mistake"
done < <(sed -n -e 's/^BYW_WORKLOAD("\([a-z0-9_]*\)", "[^"]*", "[^"]*", "none", 0, "ml".*/\1 \1/p' \
    -e 's/^BYW_WORKLOAD_OF("\([^"]*\)", "\([^"]*\)", "\([^"]*\)", "[^"]*", "[^"]*", "none", 0, "ml".*/\1 \2 \3/p' cmodel/workloads/workloads.def)
[ "$n" = 26 ]
result $? "all thirteen were checked"
finish
