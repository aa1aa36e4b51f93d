#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sdc.sh - OpenSTA reads synth/byw_sm_l1.sdc for the ports of byw_sm_l1: it does not complain, every output has a
# delay, and so has every input but the clock and the settings, whose paths are false. A port that does not exist, or
# has the wrong direction, is found.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys; apt-get install yosys"
synth/silicon.sh sta -version >/dev/null 2>&1 || skip_all "no OpenSTA; make silicon-root"
tap_folder said
dir=$(realpath "$dir")

# The module without its contents.
yosys -q -p "read_verilog -Irtl/include $(synth/files.sh byw_sm_l1); hierarchy -check -top byw_sm_l1; rename -top ports
    blackbox ports; rename ports byw_sm_l1; write_verilog -noattr -blackboxes $dir/all.v" >"$dir/said" 2>&1 &&
    awk '/^module byw_sm_l1\(/ { on = 1 } on; /^endmodule/ { on = 0 }' "$dir/all.v" >"$dir/ports.v" && [ -s "$dir/ports.v" ]
result $? "Yosys writes the ports of byw_sm_l1"
bits() { # bits DIRECTION: the number of its bits
    awk -v d="$1" '$1 == d { n = 1; if (match($2, /[0-9]+/)) n = substr($2, RSTART, RLENGTH) + 1; sum += n } END { print sum }' \
        "$dir/ports.v"
}
cat >"$dir/empty.lib" <<'END'
library(empty) {
  input_threshold_pct_rise : 50; output_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;
}
END
read_sdc() { # read_sdc FILE: OpenSTA reads it and writes the constraints to $dir/out.sdc
    printf '%s\n' "read_liberty $dir/empty.lib" "read_verilog $dir/ports.v" "link_design byw_sm_l1" "read_sdc $1" \
        "write_sdc $dir/out.sdc" >"$dir/run.tcl"
    rm -f "$dir/out.sdc"
    synth/silicon.sh sta -no_splash -exit "$dir/run.tcl" >"$dir/said" 2>&1
    [ ! -s "$dir/said" ] && [ -s "$dir/out.sdc" ]
}
read_sdc synth/byw_sm_l1.sdc
result $? "OpenSTA reads the constraints and has nothing to say"
echo "# inputs: $(bits input) bits, $(grep -c '^set_input_delay' "$dir/out.sdc") with a delay; outputs: $(bits output) bits," \
    "$(grep -c '^set_output_delay' "$dir/out.sdc") with a delay"
[ "$(grep -c '^set_output_delay' "$dir/out.sdc")" = "$(bits output)" ]
result $? "every bit of every output has a delay"
settings=$(awk '/^set_false_path/ { on = 1 } on' "$dir/out.sdc" | grep -oE '\{?(cfg|pc_cfg|tl_cfg|tl_window|tl_period|tl_bound)_i[^ }]*' | wc -l)
[ $(($(grep -c '^set_input_delay' "$dir/out.sdc") + settings + 1)) = "$(bits input)" ]
result $? "every bit of every input has a delay, or is a setting with a false path, or is the clock"
sed 's/rsp_ready_i/rsp_raedy_i/' synth/byw_sm_l1.sdc >"$dir/bad.sdc"
! read_sdc "$dir/bad.sdc" && grep -q rsp_raedy_i "$dir/said"
result $? "a port that does not exist is found"
sed 's/req_\*_i/req_*/' synth/byw_sm_l1.sdc >"$dir/bad.sdc"
! read_sdc "$dir/bad.sdc" && grep -q req_ready_o "$dir/said"
result $? "an input delay of an output is found"
finish
