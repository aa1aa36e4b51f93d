#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# program.sh - prints program.hex: fpga/soc/program.S assembled by clang, a word a line, up to the 128 of the ROM.  Exit 77 without a clang that
# knows RISC-V.
set -eu
cd "$(dirname "$0")"
for v in "" -21 -20 -19 -18 -17 -16 -15 -14; do
    clang=clang$v
    "$clang" --print-targets 2>/dev/null | grep -q riscv32 && break
    clang=
done
[ -n "$clang" ] || {
    echo "program.sh: no clang with RISC-V; apt-get install clang" >&2
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$clang" --target=riscv32-unknown-elf -march=rv32i -mno-relax -c program.S -o "$work/program.o"
# The section .text of the object, which has no relocations: its offset and size are in the section header.
node=$(od -An -tu4 -j32 -N4 "$work/program.o" | tr -d ' ')
count=$(od -An -tu2 -j48 -N2 "$work/program.o" | tr -d ' ')
n=1
while [ "$n" -lt "$count" ]; do
    # sh_type 1 and sh_flags 6: instructions
    set -- $(od -An -tu4 -j$((node + 40 * n)) -N24 "$work/program.o")
    if [ "$2" = 1 ] && [ "$3" = 6 ]; then
        od -An -v -tx4 -w4 -j"$5" -N"$6" "$work/program.o" | tr -d ' ' |
            awk '{ print } END { while (NR++ < 128) print "00000000" }'
        exit
    fi
    n=$((n + 1))
done
exit 1
