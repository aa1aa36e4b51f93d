#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_manifests.sh - the FuseSoC core file and Bender's manifest agree with the file lists and name
# existing files, and Verilator reads the cache and the adapters from the core file's list, in its
# order, and nothing else.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
tap_folder log
rtl/manifests.sh core >"$dir/core"
diff "$dir/core" rtl/byway.core >"$dir/log"
result $? "rtl/byway.core is current (make rtl-manifests)"
rtl/manifests.sh bender >"$dir/bender"
diff "$dir/bender" rtl/Bender.yml >"$dir/log"
result $? "rtl/Bender.yml is current (make rtl-manifests)"
for m in byway.core Bender.yml; do
    sed -n 's/^ *- \([^ :]*\.s*vh*\).*/\1/p' rtl/$m >"$dir/$m.list"
    (cd rtl && xargs ls) <"$dir/$m.list" >/dev/null 2>"$dir/log"
    result $? "each file of $m is there"
done
if command -v verilator >/dev/null; then
    grep '[^s]v$' "$dir/byway.core.list" >"$dir/v"
    (cd rtl && xargs verilator --lint-only --language 1364-2005 -Wall -Iinclude --top-module byw_cluster) <"$dir/v" >"$dir/log" 2>&1
    result $? "Verilator reads byw_cluster from the core file's list"
else
    skip_check "Verilator reads byw_cluster from the core file's list" "no Verilator; apt-get install verilator"
fi
lines=$(wc -l <verif/adapters/byw_toy_mem.v)
echo "$lines lines" >"$dir/log"
[ "$lines" -lt 100 ]
result $? "the guide's example has fewer than 100 lines"
finish
