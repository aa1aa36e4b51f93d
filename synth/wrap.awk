# SPDX-License-Identifier: Apache-2.0
#
# wrap.awk - writes pnr_top from the port list of a module (`portlist` of Yosys): `unit` with all ports
# registered, so that every path is from register to register, and three pins.  The inputs come from a
# shift register; each output has a register, and the parity of each group of three goes through another one.
# The registers are named in_PORT and out_PORT.  clk_i or clk is the clock.
function range(w) { return w > 1 ? sprintf("[%d:0] ", w - 1) : "" }
/^(input|output) / {
    w = 1
    if (match($0, /\[[0-9]+:[0-9]+\]/)) {
        split(substr($0, RSTART + 1, RLENGTH - 2), ends, ":")
        w = ends[1] - ends[2] + 1
    }
    name = $NF
    port[++ports] = "  " $1 " " range(w) name
    if (name == "clk_i" || name == "clk") {
        connect = connect "    ." name "(clk),\n"
    } else if ($1 == "input") {
        reg = reg "  reg  " range(w) "in_" name ";\n"
        chain = (chain == "" ? "" : ", " chain)
        chain = "in_" name chain
        ins += w
        connect = connect "    ." name "(in_" name "),\n"
    } else {
        reg = reg "  reg  " range(w) "out_" name ";\n  wire " range(w) "w_" name ";\n"
        hold = hold "    out_" name " <= w_" name ";\n"
        all = all (all == "" ? "" : ", ") "out_" name
        outs += w
        connect = connect "    ." name "(w_" name "),\n"
    }
}
END {
    print "(* blackbox *)\nmodule unit ("
    for (i = 1; i <= ports; i++) print port[i] (i < ports ? "," : "")
    print ");\nendmodule\n"
    groups = int((outs + 2) / 3)
    print "module pnr_top (input clk, input serial_i, output serial_o);"
    printf "%s", reg
    printf "  reg  %sfold_q;\n  wire [%d:0] all;\n  integer i;\n", range(groups), groups * 3 - 1
    printf "  assign all = {%d'd0, %s};\n", groups * 3 - outs + 1, all
    print "  assign serial_o = fold_q[" groups - 1 "];"
    print "  always @(posedge clk) begin"
    if (ins > 0) print "    {" chain "} <= {" chain ", serial_i};"
    printf "%s    fold_q[0] <= ^all[2:0];\n", hold
    if (groups > 1) {
        printf "    for (i = 1; i < %d; i = i + 1)\n", groups
        print "      fold_q[i] <= fold_q[i-1] ^ ^all[i*3 +: 3];"
    }
    print "  end\n  unit u ("
    sub(/,\n$/, "\n", connect)
    printf "%s  );\nendmodule\n", connect
}
