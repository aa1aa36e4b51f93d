#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_softgpu.sh - the soft GPU: its modules through the three lint tools, generated files, and its
# kernels under every policy on the Verilated RTL: memory compared with C, the cache's port with the
# C model, in the same program and from a file. Skipped if Verilator is missing.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
B=${B:-build}
command -v verilator >/dev/null || skip_all "no Verilator: the soft GPU is not run; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] ||
    skip_all "a build with sanitizers, and the soft GPU's programs are C++ in part; make test runs them"
tap_folder said

make -s B="$B" softgpu-build >"$dir/said" 2>&1
result $? "assembler, Verilated soft GPU and replay build"

"$B/softgpu/softgpu-asm" -t vh 2>"$dir/said" | cmp - fpga/softgpu/byw_gpu_isa.vh >>"$dir/said" 2>&1
result $? "the constants are those of gpu_isa.def (make softgpu-isa)"
fpga/softgpu/readme_isa.sh -c "$B/softgpu/softgpu-asm" >"$dir/said" 2>&1
result $? "the README's table of instructions is that of gpu_isa.def"

files="$(cat rtl/byw.f fpga/adapters/adapters.f | grep -v '^#' | tr '\n' ' ') $(echo fpga/softgpu/*.v)"
lint() { # lint TOOL COMMAND...: passes if the tool succeeds silently; Verilator 5.032 ends with a report in lines "- ..."
    local tool=$1
    shift
    "$@" >"$dir/report" 2>&1 && ! grep -v '^- ' "$dir/report" >"$dir/said"
    result $? "$tool accepts byw_softgpu_axi without a warning"
}
# shellcheck disable=SC2086 # lists of files
lint Verilator verilator --lint-only -Wall --language 1364-2005 -Irtl/include -Ifpga/softgpu --top-module byw_softgpu_axi $files
if command -v iverilog >/dev/null; then
    # shellcheck disable=SC2086
    lint Icarus iverilog -g2005 -Wall -tnull -Irtl/include -Ifpga/softgpu -s byw_softgpu_axi $files
fi

"$B/softgpu/rules_small" >"$dir/rules" 2>"$dir/said"
"$B/softgpu/run_small" -o "$dir/stream" >"$dir/runs" 2>>"$dir/said"
"$B/softgpu/rules_axi" 2>>"$dir/said" | sed 's/ - / - AXI4: /' >"$dir/axi"
"$B/softgpu/run_axi" 2>>"$dir/said" | sed 's/ - / - AXI4: /' >>"$dir/axi"
[ "$(grep -c '^1\.\.' "$dir/axi")" = 2 ] && grep -q '^1\.\.' "$dir/rules" && grep -q '^1\.\.' "$dir/runs"
result $? "all programs ended"
while read -r line; do
    case $line in
    "not ok "*) echo "$line" | cat - "$dir/said" >"$dir/why" && mv "$dir/why" "$dir/said"
        result 1 "${line#not ok * - }" ;;
    "ok "*) result 0 "${line#ok * - }" ;;
    "#"*) echo "$line" ;;
    esac
done < <(cat "$dir/rules" "$dir/runs" "$dir/axi")

# Each mode must have had its effect: field FIELD of some kernel is not 0.
shows() { # shows MODE "WORD"
    sed -nE "s/^ok [0-9]+ - [a-z]+ $1 .* ([0-9]+) $2.*/\1/p" "$dir/runs" | grep -q '[1-9]'
    result $? "$1 shows $2"
}
for mode in ball decoupled stall pc two_level everything; do shows "$mode" bypasses; done
shows bl hits
shows bl pending
shows bl atomics

"$B/softgpu/replay_small" "$dir/stream" >"$dir/said" 2>&1
result $? "the C model alone gives the same for a stream from a file"
dd if=/dev/zero of="$dir/stream" bs=1 seek=$(($(stat -c %s "$dir/stream") / 2)) count=400 conv=notrunc 2>/dev/null
"$B/softgpu/replay_small" "$dir/stream" >"$dir/said" 2>&1
[ $? = 2 ] && grep -q 'its bytes are not those that were written' "$dir/said"
result $? "a stream with other bytes in its middle is refused"
finish
