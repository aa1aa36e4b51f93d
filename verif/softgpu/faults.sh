#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# faults.sh [NUMBER...] - `make softgpu-faults`: each fault of faults.txt (or those numbered),
# applied to a copy of the RTL, must make the soft GPU's kernels fail as its line says. Half a
# minute each. Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
tree=$B/softgpu/faults
list=verif/softgpu/faults.txt
rm -rf "$tree"
mkdir -p "$tree/$B/cosim" "$tree/$B/softgpu"
cp -a Makefile cmodel rtl verif synth fpga "$tree"
cp -a "$B/libbyway.a" "$B/gen" "$tree/$B" 2>/dev/null
cp -a "$B/cosim/softgpu_small.v" "$B"/cosim/verilated*.o "$tree/$B/cosim"
cp -a "$B/softgpu/small" "$B/softgpu/asm" "$tree/$B/softgpu"
trap 'rm -rf "$tree"' EXIT

say() { # say KIND: a pattern of softgpu_run's message about this kind of failure
    case $1 in
    memory) echo '^# memory at' ;;
    replay) echo '^# replay' ;;
    *) echo '^# \(it does not end\|ended\)' ;;
    esac
}

passed=0
failed=0
number=0
while IFS='|' read -r what file edit kind; do
    number=$((number + 1))
    [ $# = 0 ] || [[ " $* " == *" $number "* ]] || continue
    sed -i "$edit" "$tree/$file"
    if cmp -s "$file" "$tree/$file"; then
        verdict="its sed command changes nothing"
    elif ! make -C "$tree" -s B="$B" "$B/softgpu/run_small" >"$tree/log" 2>&1; then
        verdict="does not build: $(tail -n 1 "$tree/log")"
    else
        (cd "$tree" && "$B/softgpu/run_small" -f) >"$tree/log" 2>&1
        case $? in
        1) grep -q "$(say "$kind")" "$tree/log" && verdict=killed || verdict="fails, but not by $kind" ;;
        *) verdict=survived ;;
        esac
    fi
    echo "$number $what: $verdict ($(grep -h '^not ok' "$tree/log" | cut -d' ' -f5-6))"
    [ "$verdict" = killed ] && passed=$((passed + 1)) || failed=$((failed + 1))
    cp "$file" "$tree/$file"
done < <(grep -v '^#' "$list")
echo "$passed passed, $failed failed"
[ $failed = 0 ]
