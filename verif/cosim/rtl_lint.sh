#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# rtl_lint.sh - checks every module of rtl/byw.f and fpga/adapters/adapters.f as top with Icarus,
# Verilator, Yosys and slang; warnings are errors. Arguments: modules to check instead of all, each a
# name or module:NAME=value:NAME=value. JOBS at a time. Exit 1 if a tool complains. slang is skipped
# unless the Python named by BYWAY_PYTHON (default: python3) has the wheel pyslang.
set -u
cd "$(dirname "$0")/../.." || exit 1
mapfile -t files < <(cat rtl/byw.f fpga/adapters/adapters.f | grep -v '^#')

python=${BYWAY_PYTHON:-python3}

check() { # name of the tool, then the command; any output counts as a complaint
    local tool=$1 log
    shift
    if log=$("$@" 2>&1) && [ -z "$log" ]; then
        echo "passed"
    else
        echo "failed $tool: ${unit//:/ }"
        echo "$log" | head -n 20
    fi
}

one() { # module:NAME=value...
    local top values iv=() vl=() ys=() sl=() value
    unit=$1
    IFS=: read -r top values <<<"$unit"
    for value in ${values//:/ }; do
        iv+=("-P$top.$value")
        vl+=("-G$value")
        ys+=("-chparam ${value/=/ }")
        sl+=("-G$value")
    done
    check iverilog iverilog -g2005 -Wall -tnull -Irtl/include "${iv[@]}" -s "$top" "${files[@]}"
    check verilator verilator --lint-only -Wall --language 1364-2005 -Irtl/include "${vl[@]}" \
        --top-module "$top" "${files[@]}"
    check yosys yosys -q -p "read_verilog -Irtl/include ${files[*]}; \
        hierarchy -check -top $top ${ys[*]}; proc; check -assert"
    [ -z "$SLANG" ] || check slang "$python" verif/cosim/rtl_slang.py -Irtl/include "${sl[@]}" --top "$top" "${files[@]}"
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit
fi
export SLANG=yes
"$python" verif/cosim/rtl_slang.py -h >/dev/null 2>&1
if [ $? = 77 ]; then
    SLANG=
    echo "skipped slang: $python has no pyslang; python3 -m venv VENV && VENV/bin/pip install pyslang, then BYWAY_PYTHON=VENV/bin/python"
fi
[ $# != 0 ] || mapfile -t set < <(printf '%s\n' "${files[@]}" | sed 's|.*/||; s|[.]v$||')
[ $# = 0 ] || set=("$@")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\n' "${set[@]}" | xargs -P "${JOBS:-1}" -I{} "$0" --one {} | tee "$log" | grep -v '^passed$'
failed=$(grep -c '^failed ' "$log")
echo "$(grep -c '^passed$' "$log") passed, $failed failed"
[ "$failed" = 0 ]
