#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# flat.sh MODULE "NAME=VALUE..." TOP FILE [COMMAND...] - elaborates a module with these parameters (@NAME: those of a
# configuration, rtl/config.sh), checks and flattens it, and writes it as module TOP to FILE (RTLIL); messages of Yosys
# go to standard output.  COMMANDs of Yosys run before the hierarchy is built.  YOSYS: the command that starts Yosys;
# RTL, SYNTH_EXTRA as in files.sh.  FLOW: that of defines.sh (default ecp5).  Exit 2: no source.
#
# ABC's result varies by some percent with the order and the names of the cells, which Yosys derives from files and
# line numbers.  So that figures depend on the logic only, not on comments, Yosys reads copies of the module's files
# in which every line number has four digits (cells are sorted by it, as text), and renumbers the cells.
#
# Parameters are set before the hierarchy is built: Yosys 0.23 stops with an assertion on
# `hierarchy -chparam TAG_WAYS 4` of byw_tag_store, because its byw_tag_word has parameters, too.
#
# Refuses: latches, nets with two drivers or none, multiplication and division that are not constant.
set -u
cd "$(dirname "$0")/.."
top=$1
params=$(rtl/config.sh expand "$1" "$2") || exit 2
name=$3
case $4 in /*) file=$4 ;; *) file=$PWD/$4 ;; esac
shift 4
chparam=
for p in $params; do chparam="$chparam -set ${p%%=*} ${p#*=}"; done
files=$(synth/files.sh "$top")
defines=$(synth/defines.sh "${FLOW:-ecp5}") || exit 2
[ -n "$files" ] || { echo "flat.sh: error: no source of $top" >&2; exit 2; }
rm -rf "$file.src"
mkdir "$file.src"
for f in $files; do
    { yes '' | head -n 1000; cat "$f"; } >"$file.src/${f##*/}"
done
case ${RTL:-rtl} in /*) include=$RTL/include ;; *) include=$PWD/${RTL:-rtl}/include ;; esac
cat >"$file.ys" <<END
read_verilog -I$include $defines $(for f in $files; do echo "${f##*/}"; done | tr '\n' ' ')
$(for c; do echo "$c"; done)
${chparam:+chparam$chparam $top}
hierarchy -check -top $top
proc
check -assert
select -assert-none t:\$dlatch t:\$sr t:\$dlatchsr t:\$adlatch
flatten
opt -fast
check -assert
select -assert-none t:\$mul t:\$div t:\$mod t:\$divfloor t:\$modfloor t:\$pow
rename -top $name
setattr -unset src *
rename -enumerate
write_rtlil $file
END
yosys=${YOSYS:-yosys}
case $yosys in */*) yosys=$PWD/$yosys ;; esac
# shellcheck disable=SC2086 # a command with its arguments
cd "$file.src" && $yosys -q "$file.ys" 2>&1
