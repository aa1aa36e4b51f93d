#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# breaks.sh [WORD] - `make adapter-breaks`: each line of breaks.txt (that contains WORD) is a change
# of one adapter that breaks one rule; its bench must then fail with the words that the line gives.
# Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mapfile -t rtl < <(grep -v '^#' rtl/byw.f)
passed=0
failed=0

# Builds and runs the bench of PROGRAM with the adapters of $dir/adapters.
build() { # module, program, parameters
    local v=$dir/v values=() value
    for value in $3; do values+=("-G$value"); done
    OPT=-O1 verif/cosim/verilate.sh "$v" "$1" --language 1364-2005 -Irtl/include -Wno-fatal "${values[@]}" "${rtl[@]}" \
        "$dir"/adapters/*.v >"$dir/log" &&
        g++ -o "$dir/bench" "$B/cosim/$2.o" "$v/V$1__ALL.a" "$B/cosim/verilated.o" "$B/cosim/verilated_threads.o" \
            "$B/libbyway.a" -lm -pthread -latomic
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
