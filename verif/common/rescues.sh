#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rescues.sh list | write - the rules of cmodel/configs/byw_rescues.def.
#
# list prints one per line: unit|field|width|mech|key|choices|on|paper|sentence|meaning, with / between
# choices. write creates skeletons of a rule's missing files and adds the rule to the lists that name
# every module: rtl/byw.f and the tables of proofs and mutants. Existing files and rows stay.
# `make rescues` then generates the rest.
set -eu
cd "${TREE:-$(dirname "$0")/../..}" || exit 2

list() {
    sed -n '/^RESCUE(/,/)$/p' cmodel/configs/byw_rescues.def | awk '
        { sub(/^ +/, ""); line = line (line == "" ? "" : " ") $0 }
        /\)$/ {
            sub(/^RESCUE\(/, "", line); sub(/\)$/, "", line); out = ""; quoted = 0
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "\"") { quoted = !quoted; continue }
                if (c == "|" && quoted) c = "/"
                if (c == "," && !quoted) { c = "|"; while (substr(line, i + 1, 1) == " ") i++ }
                out = out c
            }
            print out; line = ""
        }'
}

case "${1:-}" in
list) list; exit ;;
write) ;;
*) echo "rescues.sh: expected list or write" >&2; exit 2 ;;
esac

begin() { # begin FILE: from stdin, unless it exists
    if [ -e "$1" ]; then cat >/dev/null; else cat >"$1" && echo "begun: $1"; fi
}

insert() { # insert FILE ROW BEFORE: the row above the line that begins with BEFORE, unless it is there
    grep -qF "$(echo "$2" | sed 's/\([^@|]*[@|]*\).*/\1/')" "$1" && return
    awk -v row="$2" -v before="$3" 'index($0, before) == 1 { print row } { print }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

list | while IFS='|' read -r unit field width mech key choices on paper sentence meaning; do
    begin "cmodel/model/policy/byw_$unit.c" <<END
/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_$unit.c - $sentence.
 */
#include "policy/byw_rescue.h"

bool byw_$unit(uint32_t when, const struct byw_refused *load)
{
    return when != 0 && load->reason != BYW_RSFAIL_ICNT;
}
END
    begin "rtl/policy/byw_$unit.v" <<END
// SPDX-License-Identifier: Apache-2.0
//
// byw_$unit - $sentence.
//
// Behaviour   when_i: $key, $choices.  Combinational.
// Paper       $paper; rtl/doc/$unit.md.
// C twin      cmodel/model/policy/byw_$unit.c; checked by verif/policy/lockstep_rescue.c.
//
\`default_nettype none
\`include "byw_assert.vh"
\`include "byw_widths.vh"

module byw_$unit (
  input  wire [$((width - 1)):0] when_i,
  input  wire [2:0] op_i,            // BYW_OP_LOAD or BYW_OP_LOCAL_LOAD
  input  wire [2:0] hint_i,          // BYW_HINT_*
  input  wire [\`BYW_RSFAIL_W-1:0] reason_i,   // BYW_RSFAIL_* of the refused load
  output wire       bypass_o
);
  \`include "byw_defs.vh"

  assign bypass_o = (when_i != 0) && (reason_i != BYW_RSFAIL_ICNT);

  wire unused_ok = &{1'b0, op_i, hint_i};

  \`BYW_HOLDS(off_never_bypasses, when_i == 0, !bypass_o)
endmodule

\`default_nettype wire
END
    begin "rtl/doc/$unit.md" <<END
# $unit

**Purpose.** Mechanism \`$mech\`: $sentence. It is one of the rules of [rescue](rescue.md).

**Key.** \`$key\` = $choices: $meaning. Register field \`$field\`, $width bits ([csr](csr.md)).

**State.** None. The decision is made again in every cycle; nothing is stored.

**Tests.** \`verif/policy/lockstep_rescue.c\`: every input of the module. The lock-step tests of whole caches draw the key's value, too.
END
    insert rtl/byw.f "rtl/policy/byw_$unit.v" rtl/policy/byw_rescue.v
    insert verif/formal/units.txt "byw_$unit@@@s/when_i != 0/1'b1/@off_never_bypasses" byw_rescue@
    insert verif/mutate/units.txt "$unit|byw_$unit||10" 'csr|'
done
