#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_geometry.sh - Yosys proves, maps and mutates only geometries that the RTL accepts: a parameter
# out of range instantiates a module that does not exist, which `hierarchy` reports only with
# -check.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys; apt-get install yosys"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")

# Prints commands that elaborate without a check.
unchecked() {
    grep -rnE '(^|[;"` ])hierarchy +-' --include='*.sh' --include='*.mk' --include='*.awk' "$@" | grep -v 'hierarchy -check' |
        grep -vE ':[0-9]+: *#'
}

elaborates() { # elaborates FILE
    yosys -q -p "read_verilog -formal -Irtl/include $(synth/files.sh byw_l1d | tr '\n' ' ') $1
        hierarchy -check -top l1d_safety" >"$dir/log" 2>&1
}

unchecked .ci fpga synth verif >"$dir/log"
[ ! -s "$dir/log" ]
result $? "every elaboration by Yosys checks that all modules exist"
echo 'hierarchy -top x' >"$dir/bad.sh"
[ "$(unchecked "$dir" | wc -l)" = 1 ]
result $? "an elaboration without the check is seen"

elaborates verif/formal/l1d_safety.v
result $? "the cache that is proved has a geometry that the RTL accepts"
sed 's/LINE_W = 15/LINE_W = 14/' verif/formal/l1d_safety.v >"$dir/small.v"
! cmp -s verif/formal/l1d_safety.v "$dir/small.v" && ! elaborates "$dir/small.v" && grep -q 'LINE_W_is_too_small' "$dir/log"
result $? "a line address that is one bit too narrow is refused"
finish
