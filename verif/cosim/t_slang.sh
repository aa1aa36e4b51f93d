#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_slang.sh - slang has no error and no warning (-Wextra, -Wconversion) about any module of rtl/, its
# checkers, the adapters and fpga/, each as top at its default parameters; and it does find a use before the
# declaration. Prints TAP. Skipped unless the Python named by BYWAY_PYTHON (default: python3) has pyslang.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
python=${BYWAY_PYTHON:-python3}
tap_folder said
"$python" verif/cosim/rtl_slang.py -h >/dev/null 2>&1
[ $? != 77 ] ||
    skip_all "no pyslang for $python; python3 -m venv VENV && VENV/bin/pip install pyslang, then BYWAY_PYTHON=VENV/bin/python"
slang() { "$python" verif/cosim/rtl_slang.py -Irtl/include "$@" >"$dir/said" 2>&1; }
mapfile -t rtl < <(grep -v '^#' rtl/byw.f)
mapfile -t adapters < <(grep -v '^#' fpga/adapters/adapters.f)

tops=()
for file in "${rtl[@]}" "${adapters[@]}"; do
    file=${file##*/}
    tops+=(--top "${file%.v}")
done
slang "${tops[@]}" "${rtl[@]}" "${adapters[@]}"
result $? "no word about $((${#tops[@]} / 2)) modules of rtl/ and fpga/adapters, each as top"
slang -DBYW_ASSERT_SIM "${rtl[@]}" rtl/check/*.v rtl/check/*_bind.sv
result $? "nor about rtl/check with the assertions on"
slang -Ifpga/softgpu "${rtl[@]}" "${adapters[@]}" fpga/*.v fpga/soc/*.v fpga/softgpu/*.v
result $? "nor about fpga/, fpga/soc and fpga/softgpu"

cat >"$dir/late.v" <<'V'
module late (input wire a_i, output wire b_o);
  assign b_o = c;
  wire c = a_i;
endmodule
V
! slang "$dir/late.v" && grep -q "used before its declaration" "$dir/said"
result $? "a use before the declaration is found"
sed '2,3c\  wire signed [3:0] c = {3'"'"'b0, a_i};\n  assign b_o = c[0];' "$dir/late.v" >"$dir/sign.v"
! slang "$dir/sign.v" && grep -q "sign-conversion" "$dir/said"
result $? "a conversion that changes the sign is found"
finish
