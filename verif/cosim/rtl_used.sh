#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rtl_used.sh - copies a generated include file from stdin to stdout without what no Verilog source
# uses: widths of fields (BYW_..._W), defaults (BYW_DEFAULT_...) and limits (BYW_..._MAX).  Values
# of an enumeration stay even if only their neighbours are used.
set -eu
cd "$(dirname "$0")/../.."
text=$(mktemp)
trap 'rm -f "$text"' EXIT
cat >"$text"
find rtl fpga synth verif -name '*.v' -o -name '*.sv' -o -name '*.svh' -o -name '*.vh' |
    grep -vE '^rtl/include/byw_(defs|widths)\.vh$' | xargs cat | awk -v text="$text" '
        function count(line,  word) {
            while (match(line, /BYW_[A-Z0-9_]+/)) {
                seen[substr(line, RSTART, RLENGTH)]++
                line = substr(line, RSTART + RLENGTH)
            }
        }
        { count($0) }
        END {
            while ((getline line < text) > 0) { all[++n] = line; count(line) }
            for (i = 1; i <= n; i++) {
                name = ""
                if (match(all[i], /^(`define|localparam( integer| \[[0-9]+:0\])?) BYW_[A-Z0-9_]+/)) {
                    name = substr(all[i], RSTART, RLENGTH)
                    sub(/.* /, "", name)
                }
                if (name ~ /_W$|_MAX$|^BYW_DEFAULT_/ && seen[name] < 2) continue
                print all[i]
            }
        }'
