#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# one.sh PROGRAM[.INSTANCE] - mutants of one module, of one instance in it, or (.top) of its logic
# outside its instances, against the module's lock-step test. Yosys puts all of them into one
# netlist; each is switched on in turn and must make the test fail with one of the seeds 1 to 4. A
# survivor is equivalent if no sequence of inputs, starting from the all-zero state, distinguishes
# it from the original (ABC pdr). Lines: "MUTANT NAME NUMBER WHAT killed|equivalent|survived WHERE";
# WHAT is the fault without names that change with the line numbers of the RTL: MODE:NET[BIT].
# Clocks of memories are not mutated, nor their resets, which no memory has: Yosys supports neither
# a memory with two clocks nor such a reset on a port that is not clocked. Verilator 5.006
# miscompiles nets whose bits depend on bits of the same net, which netlists are full of
# (rtl/doc/verification.md): so nets are split by driver, outputs are buffered, and any remaining
# loop of this kind is an error.
set -u
cd "$(dirname "$0")/../.."
B=${B:-build}
name=$1
program=${name%%.*}
instance=
[ "$name" = "$program" ] || instance=${name#*.}
line=$(grep "^$name|" verif/mutate/units.txt) || { echo "units.txt has no $name" >&2; exit 2; }
module=$(echo "$line" | cut -d'|' -f2)
count=$(echo "$line" | cut -d'|' -f4)
chparam=
for p in $(echo "$line" | cut -d'|' -f3); do chparam="$chparam -chparam ${p%%=*} ${p#*=}"; done
dir=$B/mutate/$name
abc=$(command -v berkeley-abc || command -v yosys-abc)
rm -rf "$dir"
mkdir -p "$dir"
fail() {
    echo "FAIL $name: $1"
    exit 1
}
keep= # the module that remains separate until its mutants are inserted
join=
first=flatten
if [ "$instance" = top ]; then
    instance=
    first=
    join=flatten
elif [ -n "$instance" ]; then
    keep="setattr -set keep_hierarchy 1 $module/$instance"
    join="cd $module; add -input mutsel 16; connect -port $instance mutsel \\mutsel; cd"
    join="$join; setattr -unset keep_hierarchy $module/$instance; flatten"
fi
yosys -q -p "read_verilog -Irtl/include $(synth/files.sh "$module")
    hierarchy -check -top $module $chparam; rename -top $module; proc; $keep; $first
    opt -full; memory -nomap; opt_clean; setattr -unset init *
    select -set inside ${instance:+*} $module ${instance:+%d}
    mutate -list $count -seed 1 -ctrl mutsel 16 1 -o $dir/list.ys @inside
    exec -- sed -i -e /-port.[A-Z]*_CLK/d -e /-port.[A-Z]*_[AS]RST/d $dir/list.ys
    script $dir/list.ys; $join; opt_clean; write_rtlil $dir/mutants.il
    iopadmap -bits -outpad \$_BUF_ A:Y; splitnets -driver
    write_verilog -noattr $dir/mutants.v" >"$dir/yosys.log" 2>&1 || fail "yosys, see $dir/yosys.log"
printf 'module \\$_BUF_ (input A, output Y);\n  assign Y = A;\nendmodule\n' >>"$dir/mutants.v"
OPT=-O1 verif/cosim/verilate.sh "$dir/v" "$module" -Wno-fatal -Wno-lint -Werror-UNOPTFLAT "$dir/mutants.v" >/dev/null ||
    fail "verilator, see $dir/v.log"
{
    gcc -std=c11 -Wall -Wextra -O1 -Iverif -c -o "$dir/mutant.o" verif/mutate/mutant.c &&
        g++ -Wl,--wrap=dut_create -o "$dir/test" "$B/cosim/$program.o" "$dir/mutant.o" "$dir/v/V${module}__ALL.a" \
            "$B/cosim/verilated.o" "$B/cosim/verilated_threads.o" "$B/libbyway.a" \
            -ljansson -lzstd -lxxhash -lm -pthread -latomic
} >"$dir/link.log" 2>&1 || fail "link, see $dir/link.log"
"$dir/test" 1 >"$dir/zero.log" 2>&1 || fail "the test fails without a mutant, see $dir/zero.log"
same() { # same NUMBER: from the all-zero state, no input sequence distinguishes the mutant from the original
    yosys -q -p "read_rtlil $dir/mutants.il; memory_map; opt -fast
        copy $module gold; rename $module gate
        select -module gold; connect -set mutsel 16'd0; select -module gate; connect -set mutsel 16'd$1
        select -clear; delete -input gold/mutsel gate/mutsel
        miter -equiv -flatten -make_assert gold gate both; hierarchy -check -top both; opt -full
        techmap; opt -fast; setundef -undriven -zero; setundef -init -zero; dffunmap; aigmap
        opt_clean; write_aiger -zinit $dir/same.aig" >"$dir/same.$1.log" 2>&1 &&
        timeout 60 "$abc" -q "read_aiger $dir/same.aig; fold; strash; scorr; pdr -T 15" >>"$dir/same.$1.log" 2>&1
    grep -Eq "Property proved|Networks are equivalent|UNSAT" "$dir/same.$1.log"
}
what() { # what NUMBER: description of a mutant, from its line in the list
    printf '%s\n' "$1" | awk '
        { for (i = 2; i < NF; i++) if ($i ~ /^-[a-z]/) at[$i] = $(i + 1) }
        END {
            net = ("-wire" in at) ? at["-wire"] "[" at["-wirebit"] "]" : at["-port"] "[" at["-portbit"] "]"
            sub(/^\\/, "", net)
            print at["-mode"] ":" net
        }'
}
grep '^mutate' "$dir/list.ys" | while read -r mutant; do
    n=$(printf '%s\n' "$mutant" | sed 's/.*-ctrl mutsel 16 \([0-9]*\) .*/\1/')
    verdict=survived
    for seed in 1 2 3 4; do
        BYW_MUTANT=$n timeout 120 "$dir/test" $seed >"$dir/run.log" 2>&1
        rc=$?
        [ $rc != 124 ] || echo "FAIL $name: mutant $n, seed $seed: slow is not killed"
        [ $rc = 0 ] || {
            verdict=killed
            break
        }
    done
    [ $verdict = survived ] && same $n && verdict=equivalent
    where=$(printf '%s\n' "$mutant" | sed 's/.*-src \([^ ]*\).*/\1/; s/ -ctrl.*//')
    echo "MUTANT $name $n $(what "$mutant") $verdict $where"
done
