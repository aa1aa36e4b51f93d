#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# config.sh - parameters of the named configurations of rtl/configs.txt.
#
#   config.sh list                names, one a line
#   config.sh sm_l1 NAME          NAME=VALUE... for byw_sm_l1 (and byw_cluster, without BEAT_BYTES)
#   config.sh expand MODULE TEXT  TEXT with @NAME replaced by those parameters of configuration NAME that MODULE has:
#                                 geometry, and one switch per mechanism (byw_fpga_test, byw_synth_l1)
#   config.sh macros NAME         its memories, one RAM per line: instance, words, bits, and write lanes, or "async" and
#                                 read ports (needs Icarus Verilog)
#   config.sh table               the table of rtl/doc/README.md
#
# Exit 2 if there is no such configuration or module.
set -eu
cd "${0%/*}/.."

# Shell builtins only: every run of make reads names and parameters here, even where no tools are installed.
field() { # field NAME NUMBER
    local row
    while IFS='|' read -ra row; do
        [ "${row[0]-}" != "$1" ] || { echo "${row[$2 - 1]-}"; return; }
    done <rtl/configs.txt
    echo "config.sh: rtl/configs.txt has no $1; it has" $(names) >&2
    exit 2
}
names() {
    local name
    while IFS='|' read -r name _; do
        [[ $name == "#"* || -z $name ]] || echo "$name"
    done <rtl/configs.txt
}
value() { # value "NAME=VALUE ..." NAME DEFAULT
    local word
    for word in $1; do
        [ "${word%%=*}" != "$2" ] || { echo "${word#*=}"; return; }
    done
    echo "$3"
}
has() { [[ " $1 " == *" $2 "* ]] && echo 1 || echo 0; }

# Prints the switches of byw_fpga_test and byw_synth_l1 for the named mechanisms.
switches() { # switches NAMES
    local bypass=0
    [[ $1 =~ filter|two_level|pc ]] && bypass=1
    echo "BYPASS=$bypass HINTS=$bypass STALL=$bypass FILTER=$(has "$1" filter) TWO_LEVEL=$(has "$1" two_level)" \
        "PC_PRED=$(has "$1" pc) STATS=$(has "$1" counters)"
}

sm_l1() { # sm_l1 NAME
    local set mech ways
    set=$(field "$1" 2)
    mech=$(field "$1" 3)
    ways=$(value "$set" DATA_WAYS 4)
    echo "$set TAG_WAYS=$((ways * (1 + $(has "$mech" filter))))$([[ $mech =~ filter|two_level|pc ]] || echo " TRACKERS=1")" \
        "PC_PRED=$(has "$mech" pc) STATS=$(has "$mech" counters)"
}

expand() { # expand MODULE TEXT
    local word p file out=
    for file in rtl/*/"$1.v" fpga/"$1.v" synth/"$1.v"; do
        [ ! -e "$file" ] || break
    done
    for word in $2; do
        case $word in
        @*)
            [ -e "$file" ] || { echo "config.sh: there is no module $1" >&2; exit 2; }
            for p in $(field "${word#@}" 2) $(switches "$(field "${word#@}" 3)"); do
                grep -qE "^ *parameter integer .*\b${p%%=*} *=" "$file" && out+=" $p"
            done
            ;;
        *) out+=" $word" ;;
        esac
    done
    echo "${out# }"
}

# Every RAM is a byw_ram_1r1w or a byw_ram_async: elaborates the design with ones that print their parameters.
macros() { # macros NAME
    local set word files dir
    field "$1" 1 >/dev/null
    set=$(sm_l1 "$1")
    dir=$(mktemp -d)
    prints() { # prints MODULE DISPLAY
        sed '/^);/q' "rtl/common/$1.v"
        printf '  assign rd_data_o = 0;\n  initial $display(%s);\nendmodule\n' "$2"
    }
    {
        prints byw_ram_1r1w '"%m %0d %0d %0d", DEPTH, LANES * LANE_W, LANES'
        prints byw_ram_async '"%m %0d %0d async %0d", DEPTH, WIDTH, READS'
    } >"$dir/rams.v"
    files=$(sed '/^[#+]/d; /byw_ram_/d' rtl/byw_sm_l1.f)
    set=$(for word in $set; do echo "-Pbyw_sm_l1.$word"; done)
    # shellcheck disable=SC2086 # lists of words
    iverilog -g2005 -Irtl/include $set -s byw_sm_l1 -o "$dir/list" "$dir/rams.v" $files && vvp -n "$dir/list" | LC_ALL=C sort
    rm -r "$dir"
}

table() {
    local name set size line beat
    echo "| name | lines | line, beat | MSHRs | mechanisms | LUT, FF, DP16KD | MHz | self-test on | what it is for |"
    echo "|---|---|---|---|---|---|---|---|---|"
    for name in $(names); do
        set=$(field "$name" 2)
        line=$(value "$set" LINE_BYTES 128)
        beat=$(value "$set" BEAT_BYTES "$line")
        size=$(($(value "$set" SETS 32) * $(value "$set" DATA_WAYS 4)))
        echo "| \`$name\` | $((size * line / 1024)) KB: $(value "$set" SETS 32) sets of $(value "$set" DATA_WAYS 4) | $line, $beat |" \
            "$(value "$set" MSHRS 32) | $(field "$name" 3 | sed 's/^$/none/;s/ /, /g') | $(field "$name" 4) | $(field "$name" 5) |" \
            "$(field "$name" 6) | $(field "$name" 7) |"
    done
}

case ${1:-} in
list) names ;;
sm_l1) sm_l1 "$2" ;;
expand) expand "$2" "$3" ;;
macros)
    command -v iverilog >/dev/null || { echo "config.sh: macros needs iverilog: apt-get install iverilog" >&2; exit 2; }
    macros "$2"
    ;;
table) table ;;
*) sed -n '5,14s/^# *//p' "$0" >&2; exit 2 ;;
esac
