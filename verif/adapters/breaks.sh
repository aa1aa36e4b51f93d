#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# breaks.sh [WORD] - `make adapter-breaks`: each line of breaks.txt (that holds WORD), a change of one adapter
# that breaks one rule, must make its bench fail with the words that the line gives.  Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include=/usr/share/verilator/include
mapfile -t rtl < <(grep -v '^#' rtl/byw.f)
passed=0
failed=0

# The bench of PROGRAM with the adapters of $dir/adapters.
build() { # module, program, parameters
    local v=$dir/v values=() value
    rm -rf "$v"
    for value in $3; do values+=("-G$value"); done
    verilator --cc --build -j 1 --x-assign unique --x-initial unique --language 1364-2005 -Irtl/include \
        -MAKEFLAGS OPT_FAST=-O1 -Wno-fatal --top-module "$1" "${values[@]}" --Mdir "$v" "${rtl[@]}" \
        "$dir"/adapters/*.v >"$dir/log" 2>&1 || return 1
    sed -n 's/^ *VL_\(IN\|OUT\)[0-9W]*(&\([a-z0-9_]*\),.*/PORT(\2)/p' "$v/V$1.h" >"$v/ports.h"
    g++ -std=c++14 -O1 -faligned-new -I$include -I$include/vltstd -Iverif/cosim -I"$v" -DVTOP="V$1" \
        -DVTOP_H="\"V$1.h\"" -DPORTS_H='"ports.h"' -c -o "$v/dut.o" verif/cosim/dut.cpp &&
        g++ -o "$dir/bench" "$B/cosim/$2.o" "$v/dut.o" "$v/V$1__ALL.a" "$B/cosim/verilated.o" \
            "$B/cosim/verilated_threads.o" "$B/libbyway.a" -lm -pthread -latomic
}

while IFS=$'\t' read -r program file change words; do
    rm -rf "$dir/adapters"
    cp -r fpga/adapters "$dir/adapters"
    sed -i "$change" "$dir/adapters/$file"
    read -r module parameters <<<"$(make -s B="$B" contract-of P="$program")"
    if cmp -s "fpga/adapters/$file" "$dir/adapters/$file"; then
        said="$file has no such line"
    elif ! build "$module" "$program" "$parameters"; then
        said="does not build: $(tail -n 2 "$dir/log")"
    else
        said=$(timeout 120 "$dir/bench" 1 2>&1)
    fi
    if [[ $said == FAIL*"$words"* ]]; then
        echo "broken and told: $program: $change: $words"
        passed=$((passed + 1))
    else
        echo "NOT TOLD: $program, $file: $change: $said"
        failed=$((failed + 1))
    fi
done < <(grep -v '^#' verif/adapters/breaks.txt | grep -e "${1:-}")
echo "$passed passed, $failed failed"
[ $failed = 0 ]
