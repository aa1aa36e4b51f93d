#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_timing.sh - `make synth-timing`: with a Liberty file whose gates take 100 ps a chain of N NANDs between two registers
# takes N * 100 ps, RAMs are black boxes, a file without delays is refused; the SDC file constrains every input
# of byw_sm_l1 and names no other.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
tap_folder said missing
# Inputs that the SDC file names, with req_* expanded.
sed -n 's,//.*,,; /^  input /p' rtl/top/byw_sm_l1.v | grep -oE '[a-z0-9_]+_i\b' | sort >"$dir/inputs"
sed '/^#/d' synth/byw_sm_l1.sdc | grep -oE '\b[a-z0-9_]+_i\b|req_\*' | while read -r port; do
    if [ "$port" = 'req_*' ]; then grep '^req_.*_i$' "$dir/inputs"; else echo "$port"; fi
done | sort -u >"$dir/named"
diff "$dir/inputs" "$dir/named" >"$dir/missing"
result $? "the SDC file constrains every input of byw_sm_l1 and no other"

command -v yosys >/dev/null || {
    echo "# SKIP no Yosys: the delays of a Liberty file are not checked; apt-get install yosys"
    finish
}
tables() { # tables NS
    local t row="\"$1, $1, $1, $1\""
    for t in cell_rise cell_fall rise_transition fall_transition; do
        echo "$t(flat) { index_1(\"0.001, 0.01, 0.1, 1.0\"); index_2(\"0.001, 0.01, 0.1, 1.0\"); values($row, $row, $row, $row); }"
    done
}
arc() { # arc PIN SENSE NS
    echo "timing() { related_pin : \"$1\"; timing_sense : $2_unate; timing_type : combinational; $(tables "$3") }"
}
library() { # library NS: the delay of a gate from each input, whatever its load
    cat <<END
library(tiny) {
  delay_model : "table_lookup"; time_unit : "1ns"; capacitive_load_unit(1.0, "pf"); default_max_transition : 1.0;
  lu_table_template(flat) { variable_1 : "input_net_transition"; variable_2 : "total_output_net_capacitance";
    index_1("0.001, 0.01, 0.1, 1.0"); index_2("0.001, 0.01, 0.1, 1.0"); }
  cell(BUF) { area : 1; pin(A) { direction : "input"; capacitance : 0.001; }
    pin(Y) { direction : "output"; max_capacitance : 1; function : "A"; $(arc A positive "$1") } }
  cell(INV) { area : 0.5; pin(A) { direction : "input"; capacitance : 0.001; }
    pin(Y) { direction : "output"; max_capacitance : 1; function : "A'"; $(arc A negative "$1") } }
  cell(NAND2) { area : 0.75; pin(A) { direction : "input"; capacitance : 0.001; } pin(B) { direction : "input"; capacitance : 0.001; }
    pin(Y) { direction : "output"; max_capacitance : 1; function : "(A*B)'"; $(arc A negative "$1") $(arc B negative "$1") } }
  cell(DFF) { area : 4.25; ff(IQ, IQN) { clocked_on : "C"; next_state : "D"; } pin(C) { direction : "input"; clock : true; }
    pin(D) { direction : "input"; capacitance : 0.001; } pin(Q) { direction : "output"; function : "IQ"; } }
}
END
}
cat >"$dir/byw_case_chain.v" <<'END'
module byw_case_chain #(parameter integer N = 3) (input clk, input [N:0] a, output reg q);
  reg  [N:0] a_q;
  wire [N:0] x;
  genvar     i;
  assign x[0] = a_q[0];
  generate for (i = 1; i <= N; i = i + 1) begin : gen assign x[i] = ~(x[i-1] & a_q[i]); end endgenerate
  always @(posedge clk) begin a_q <= a; q <= x[N]; end
endmodule
END
cat >"$dir/byw_case_ram.v" <<'END'
module byw_case_ram (input clk, input [3:0] a, input d, output q);
  wire r;
  byw_ram_1r1w #(.DEPTH(16), .LANE_W(1)) u_ram (.clk_i(clk), .rd_en_i(1'b1), .rd_addr_i(a), .rd_data_o(r),
    .wr_en_i(1'b1), .wr_addr_i(a), .wr_lane_i(1'b1), .wr_data_i(d));
  assign q = ~(r & d);
endmodule
END
printf '%s\n' 'two|byw_case_chain|N=2|generic|' 'five|byw_case_chain|N=5|generic|' 'ram|byw_case_ram||generic|' >"$dir/units.txt"
timing() { # timing NAME...: runs with $dir/tiny.lib
    B=$dir/b UNITS_TXT=$dir/units.txt SYNTH_EXTRA="$dir/byw_case_chain.v $dir/byw_case_ram.v" synth/timing.sh "$dir/tiny.lib" "$@" \
        >"$dir/said" 2>&1
}
has() { # has NAME PS CELLS
    awk -v name="$1" -v ps="$2" -v cells="$3" '$1 == name && $2 + 0 == ps && $3 == cells { found = 1 } END { exit !found }' "$dir/said"
}
library 0.1 >"$dir/tiny.lib"
timing two five ram && has two 200 2 && has five 500 5
result $? "two NANDs of 100 ps between registers take 200 ps, five 500 ps"
has ram 100 1
result $? "a RAM is a black box: one NAND behind it takes 100 ps"
library 0.3 >"$dir/tiny.lib"
timing two && has two 600 2
result $? "the same with gates of 300 ps"
library 0.1 | sed 's/timing() {.*//; /^ *cell_/d' >"$dir/tiny.lib"
! timing two && grep -q '^FAIL two' "$dir/said"
result $? "a file without delays is refused"
finish
