#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_nvdisasm.sh - NVIDIA's disassembler judges the reader of machine code, over the kernels of the
# CUDA corpus: every tenth of them, under make test-all each one, for sm_90 and sm_80.  Line
# information must not change the code.  Prints TAP; exit status 77 without ptxas or nvdisasm.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
[ "${BYWAY_PTXAS:-}" != off ] || unset BYWAY_PTXAS # run.sh keeps it out of other tests
judge=${B:-build}/verif/machine/judge
[ -x "$judge" ] || skip_all "$judge is not built; make tests"
"$judge" 90 >/tmp/judge.$$
status=$?
missing=$(cat /tmp/judge.$$)
rm -f /tmp/judge.$$
[ $status != 77 ] || skip_all "$missing"
tap_folder said
for arch in 90 80; do
    if in_test_all; then
        texts=("${B:-build}"/verif/cuda/corpus/*.ptx)
    else
        mapfile -t texts < <(ls "${B:-build}"/verif/cuda/corpus/*.ptx | awk "NR % 10 == $arch / 10 % 10 - 7")
    fi
    "$judge" $arch verif/machine/memory.ptx "${texts[@]}" >"$dir/said"
    result $? "sm_$arch: $(grep compared "$dir/said")"
done

# The check finds a wrong reader; to show it, the disassembler's output is changed instead of the reader.
cat >"$dir/liar" <<'LIAR'
#!/bin/sh
# A disassembler that prints EXIT in place of a store.
"$NVDISASM" "$@" | sed 's/STG\.E /EXIT /; s/LDG\.E /LDG.E.64 /; s/line \([0-9]\)/line 9\1/'
LIAR
chmod +x "$dir/liar"
NVDISASM=$("$judge" nvdisasm) BYWAY_NVDISASM=$dir/liar "$judge" 90 verif/cuda/corpus/saxpy.ptx >"$dir/said"
[ $? = 1 ] && grep -q 'kind is' "$dir/said" && grep -q 'width is' "$dir/said" && grep -q 'line is' "$dir/said"
result $? "a wrong kind, width or line is counted as a difference"
finish
