#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# sv.sh typedef | wrapper | scoreboard | bind - prints the SystemVerilog around byw_sm_l1, generated from its parameters and ports
# (`make rtl-sv`):
#
#   typedef      rtl/sv/byw_typedef.svh: macro BYW_TYPEDEF, the structs of the ports
#   wrapper      rtl/sv/byw_sm_l1_sv.sv: byw_sm_l1 with structs as ports
#   scoreboard   rtl/sv/byw_sm_l1_scoreboard.sv: compares every output with the C model through DPI-C
#   bind         rtl/sv/byw_sm_l1_scoreboard_bind.sv: attaches it
#
# sv.sh write - rewrites all four.
set -eu
cd "${TREE:-$(dirname "$0")/..}"
module=rtl/top/byw_sm_l1.v

# Rows "parameter NAME DEFAULT" (derived ones: "derived"), "input|output NAME RANGE STRUCT FIELD": STRUCT is - for a port
# outside the structs.
rows() {
    awk '
        function group(port, dir,    field) {
            field = port
            sub(/_[io]$/, "", field)
            if (field ~ /^(clk|rst|restart|count_.*|.*_valid|.*_ready)$/) return "- " field
            if (field ~ /^(cfg|pc_cfg|tl_.*)$/) return "settings " field
            if (match(field, /^(mem_req|mem_rsp|req|rsp)_/))
                return substr(field, 1, RLENGTH - 1) " " substr(field, RLENGTH + 1)
            return (dir == "input" ? "ctrl " : "status ") field
        }
        /derived, must not be set/ { kind = "derived" }
        /^  parameter integer / {
            text = $0
            sub(/^  parameter integer /, "", text); sub(/,? *(\/\/.*)?$/, "", text)
            name = text; sub(/ *=.*/, "", name); sub(/^[^=]*= */, "", text)
            print (kind == "" ? "parameter" : kind), name, text
        }
        /^  (input|output) +wire/ {
            dir = $1; text = $0
            sub(/ *\/\/.*/, "", text); sub(/,$/, "", text)
            count = split(text, word, " ")
            range = text ~ /\[/ ? text : "-"
            sub(/^[^[]*/, "", range); sub(/ +[a-z0-9_]+$/, "", range)
            print dir, word[count], (range == "" ? "-" : range), group(word[count], dir)
        }' $module
}
generated() {
    echo "// SPDX-License-Identifier: Apache-2.0"
    echo "//"
    echo "// $1"
    echo "// Generated from $module by rtl/sv.sh (make rtl-sv); not edited."
    echo "//"
}
parameters() { # parameters PREFIX: declarations
    rows | awk '/^(parameter|derived) / { name = $2; $1 = $2 = ""; sub(/^ +/, ""); printf "  parameter integer %s = %s,\n", name, $0 }'
}
struct_of() { # struct_of STRUCT: "RANGE FIELD PORT" of its members
    rows | awk -v s="$1" '/^(input|output) / && $4 == s { print $3, $5, $2 }'
}
structs="settings ctrl req rsp mem_req mem_rsp status"

typedef() {
    generated "byw_typedef.svh - the structs of byw_sm_l1_sv's ports, for given widths."
    echo "// \`BYW_TYPEDEF(l1, 27, 32, 1, 16, 32, 6, 1) defines l1_settings_t, l1_ctrl_t, l1_req_t, l1_rsp_t, l1_mem_req_t,"
    echo "// l1_mem_rsp_t and l1_status_t.  The widths are the parameters of these names; PORT_BYTES, BEAT_PW and FUNC_PW are"
    echo "// derived: bytes of a beat or line, bits of a beat's number (at least 1), FUNC_W or 1.  For the meaning of a field see"
    echo "// the port of the same name in $module."
    echo "//"
    echo "\`ifndef BYW_TYPEDEF_SVH"
    echo "\`define BYW_TYPEDEF_SVH"
    echo "\`include \"byw_widths.vh\""
    echo "\`define BYW_TYPEDEF(PREFIX, LINE_W, PORT_BYTES, BEAT_PW, ID_W, PC_W, WARP_W, FUNC_PW) \\"
    for s in $structs; do
        echo "  typedef struct packed { \\"
        struct_of "$s" | awk '{ sub(/[A-Z]+[A-Z_]*/, "(&)", $1); gsub(/\(BYW_/, "BYW_", $1); $1 = $1
            range = $1; if (range ~ /`/) gsub(/[()]/, "", range)
            printf "    logic %s%s; \\\n", range == "-" ? "" : range " ", $2 }'
        [ "$s" = status ] && end= || end=' \'
        echo "  } PREFIX\`\`_${s}_t;$end"
    done
    echo "\`endif"
}

wrapper() {
    generated "byw_sm_l1_sv - byw_sm_l1 with structs as ports (byw_typedef.svh), valids and readies as separate ports."
    echo '`include "byw_widths.vh"'
    echo
    echo "module byw_sm_l1_sv #("
    parameters
    local s first=1
    for s in $structs; do
        [ -n "$first" ] || echo ,
        first=
        printf '  parameter type %s_t = logic' "$s"
    done
    echo
    echo ") ("
    rows | awk -v structs="$structs" '
        function port(text) { printf "%s  %s", n++ ? ",\n" : "", text }
        /^input|^output/ && $4 == "-" { port($1 " logic " ($3 == "-" ? "" : $3 " ") $2) }
        /^input|^output/ && $4 != "-" && !($4 in seen) {
            seen[$4]; port($1 " " $4 "_t " $4 ($1 == "input" ? "_i" : "_o"))
        }
        END { print "\n);" }'
    for s in $structs; do
        printf '  if ($bits(%s_t) != ' "$s"
        struct_of "$s" | awk '{ r = $1; if (r == "-") w = 1; else { w = r; sub(/^\[/, "", w); sub(/-1:0\]$/, "", w); if (w ~ /:/) { sub(/:0\]$/, "", w); w += 1 } }
            printf "%s%s", (NR > 1 ? (NR % 6 == 1 ? "\n      + " : " + ") : ""), w }'
        echo ") begin : gen_check_$s"
        echo "    byw_sm_l1_sv_${s}_t_must_come_from_BYW_TYPEDEF u_error ();"
        echo "  end"
    done
    echo
    echo "  byw_sm_l1 #("
    rows | awk '/^parameter / { printf "%s    .%s(%s)", n++ ? ",\n" : "", $2, $2 } END { print "" }'
    echo "  ) u_l1 ("
    rows | awk '/^input|^output/ {
        arg = $4 == "-" ? $2 : $4 ($1 == "input" ? "_i" : "_o") "." $5
        printf "%s    .%s(%s)", n++ ? ",\n" : "", $2, arg } END { print "" }'
    echo "  );"
    echo "endmodule"
}

scoreboard() {
    generated "byw_sm_l1_scoreboard - compares every output of a byw_sm_l1 with the C model, in every cycle."
    echo "// Bind it with byw_sm_l1_scoreboard_bind.sv and link the golden model (libbyway).  The first difference stops the"
    echo "// simulation with the port, the lowest differing bit and the cycle.  Before the first reset nothing is compared."
    echo "//"
    cat <<'END'
`include "byw_widths.vh"

module byw_sm_l1_scoreboard #(
END
    parameters | sed '$s/,$//'
    echo ") ("
    rows | awk '/^input|^output/ { printf "%s  input logic %s%s", n++ ? ",\n" : "", $3 == "-" ? "" : $3 " ", $2 } END { print "\n);" }'
    cat <<'END'
  typedef bit [1023:0] value_t; // BYWAY_WORDS words

  import "DPI-C" function chandle byway_l1_create(input string parameters);
  import "DPI-C" function void byway_l1_free(input chandle l1);
  import "DPI-C" function string byway_l1_error(input chandle l1);
  import "DPI-C" function int byway_l1_port(input string name);
  import "DPI-C" function int byway_l1_width(input chandle l1, input int port);
  import "DPI-C" function void byway_l1_put(input chandle l1, input int port, input value_t value);
  import "DPI-C" function void byway_l1_step(input chandle l1);
  import "DPI-C" function void byway_l1_get(input chandle l1, input int port, output value_t value,
                                            output value_t defined);

  chandle l1;
  longint unsigned cycles = 0; // compared

  // The number of a port, whose width must be that of the C model.
  function automatic int port_of(input string name, input int width);
    port_of = byway_l1_port(name);
    if (byway_l1_width(l1, port_of) != width) begin
      $display("FAIL %m: the C model has %0d bits for %s, the RTL has %0d", byway_l1_width(l1, port_of), name, width);
      $fatal;
    end
  endfunction

  function automatic void compare(input int port, input string name, input value_t got);
    value_t want, defined, wrong;
    byway_l1_get(l1, port, want, defined);
    wrong = (want ^ got) & defined;
    if (wrong == 0) return;
    for (int i = 0; i < 1024; i++)
      if (wrong[i]) begin
        $display("FAIL %m cycle %0d: %s bit %0d: C model %b, RTL %b", cycles, name, i, want[i], got[i]);
        $fatal;
        return;
      end
  endfunction

END
    rows | awk '/^input|^output/ && $2 != "clk_i" { printf "  int n_%s;\n", $2 }'
    echo
    echo "  initial begin"
    echo "    l1 = byway_l1_create({"
    rows | awk '/^parameter / { printf "%s      $sformatf(\"%s=%%0d \", %s)", n++ ? ",\n" : "", $2, $2 } END { print "" }'
    echo "    });"
    echo '    if (byway_l1_error(l1) != "") begin'
    echo '      $display("FAIL %m: %s", byway_l1_error(l1));'
    echo '      $fatal;'
    echo '    end'
    rows | awk '/^input|^output/ && $2 != "clk_i" { printf "    n_%s = port_of(\"%s\", $bits(%s));\n", $2, $2, $2 }'
    echo "  end"
    echo "  final byway_l1_free(l1);"
    echo
    echo "  always @(posedge clk_i) begin"
    rows | awk '/^input/ && $2 != "clk_i" { printf "    byway_l1_put(l1, n_%s, value_t'"'"'(%s));\n", $2, $2 }'
    echo "    byway_l1_step(l1);"
    echo '    if (byway_l1_error(l1) != "") begin'
    echo '      $display("FAIL %m cycle %0d: %s", cycles, byway_l1_error(l1));'
    echo '      $fatal;'
    echo '    end'
    rows | awk '/^output/ { printf "    compare(n_%s, \"%s\", value_t'"'"'(%s));\n", $2, $2, $2 }'
    echo "    cycles <= cycles + 1;"
    echo "  end"
    echo "endmodule"
}

attach() {
    generated "byw_sm_l1_scoreboard_bind.sv - attaches the scoreboard to every byw_sm_l1 of a design."
    echo "bind byw_sm_l1 byw_sm_l1_scoreboard #("
    rows | awk '/^parameter / { printf "%s  .%s(%s)", n++ ? ",\n" : "", $2, $2 } END { print "" }'
    echo ") u_scoreboard (.*);"
}

write() {
    typedef >rtl/sv/byw_typedef.svh
    wrapper >rtl/sv/byw_sm_l1_sv.sv
    scoreboard >rtl/sv/byw_sm_l1_scoreboard.sv
    attach >rtl/sv/byw_sm_l1_scoreboard_bind.sv
}

case ${1:-} in
typedef | wrapper | scoreboard | write) "$1" ;;
bind) attach ;;
*)
    sed -n '7,12s/^#  *//p' "$0" >&2
    exit 2
    ;;
esac
