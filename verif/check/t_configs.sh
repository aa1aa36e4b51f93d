#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_configs.sh - the named configurations of rtl/configs.txt: each elaborates, a name that does not
# exist is refused, files refer to them by name, and every module around byw_sm_l1 has its
# parameters with the same defaults. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")
mapfile -t files < <(grep -v '^#' rtl/byw.f)

# defaults FILE: NAME=DEFAULT, one a line.
defaults() {
    sed -n '/^module/,/^) (/p' "$1" | sed 's,//.*,,' | tr '\n' ' ' | sed 's/parameter integer/\n&/g' | tr ',' '\n' |
        sed -n 's/^ *\(parameter integer\)\{0,1\} *\([A-Z0-9_]*\) *= *\([^ ].*\)$/\2=\3/p' | sed 's/[ )(]//g'
}

if command -v iverilog >/dev/null; then
    for name in $(rtl/config.sh list); do
        mapfile -t set < <(rtl/config.sh sm_l1 "$name" | tr ' ' '\n')
        iverilog -g2005 -tnull -Irtl/include "${set[@]/#/-Pbyw_sm_l1.}" -s byw_sm_l1 "${files[@]}" >"$dir/log" 2>&1
        result $? "configuration $name elaborates"
        eval "$(printf 'SETS= DATA_WAYS= LINE_BYTES=; '; printf '%s; ' "${set[@]}")"
        rtl/config.sh macros "$name" >"$dir/log" 2>&1
        awk -v want=$((SETS * DATA_WAYS * LINE_BYTES * 8)) '
            /[.]u_bytes / { bits += $2 * $3 } /[.]u_(records|s_records|f_records) / { records++ }
            $4 == "async" && $2 * $3 && $5 { small++ }
            END { exit !(bits >= want && bits < 2 * want && records && small) }' "$dir/log"
        result $? "the macros of configuration $name hold its lines, records and flags"
    done
    rtl/config.sh macros nobody >"$dir/log" 2>&1
    [ $? = 2 ] && [ "$(wc -l <"$dir/log")" = 1 ]
    result $? "a configuration that does not exist has no macros"
fi
rtl/config.sh sm_l1 nobody >"$dir/log" 2>&1
[ $? = 2 ] && grep -q 'has no nobody; it has embedded' "$dir/log"
result $? "a configuration that does not exist is refused, with those that do"
rtl/config.sh expand byw_fpga_test '@embedded LINE_W=15' >"$dir/log"
grep -q 'SETS=64.* FILTER=0 .*LINE_W=15$' "$dir/log" && ! grep -q HINTS "$dir/log"
result $? "a name stands for the parameters that the module has"
rtl/config.sh expand byw_nothing '@embedded' >"$dir/log" 2>&1
[ $? = 2 ] && grep -q 'there is no module byw_nothing' "$dir/log"
result $? "a module that does not exist is refused"
# In a list of files, a module comes after those that it instantiates; only its own parameters
# count.
mkdir "$dir/bin" && ln -s "$(type -P true)" "$dir/bin/yosys" # only the script is needed
PATH=$dir/bin:$PATH B=$dir synth/liberty.sh /dev/null l1_everything_16k >/dev/null 2>&1
grep -q 'chparam.* -set LINE_BYTES 128 .* -set PC_PRED 1 .*byw_synth_l1$' "$dir/synth/l1_everything_16k.liberty.ys"
result $? "area by a library is that of the configuration"

# Boards and synthesis use named configurations by name.
for name in $(rtl/config.sh list); do
    own=$(grep "^$name|" rtl/configs.txt | cut -d'|' -f2)
    grep -nF "|${own}" fpga/configs.txt synth/units.txt
done >"$dir/log"
[ ! -s "$dir/log" ]
result $? "no list of parameters of a named configuration is repeated"

# All modules use one list of parameters.
defaults rtl/top/byw_sm_l1.v | sort >"$dir/sm_l1"
[ "$(wc -l <"$dir/sm_l1")" -gt 40 ]
result $? "byw_sm_l1 has its parameters"
defaults rtl/top/byw_cluster.v | grep -v '^SMS=' | sort >"$dir/cluster"
diff <(grep -vE '^(BEAT_BYTES|PORT_BYTES|BEAT_PW)=' "$dir/sm_l1") "$dir/cluster" >"$dir/log"
result $? "byw_cluster has the parameters of byw_sm_l1, but for beats"
defaults rtl/l1d/byw_l1d.v | grep -vE '^TRIAL_STEPS=' | sort >"$dir/l1d"
comm -23 "$dir/l1d" "$dir/sm_l1" >"$dir/log"
[ ! -s "$dir/log" ]
result $? "byw_sm_l1 has the parameters of byw_l1d"
# If an instance keeps a parameter's default, the enclosing module must not have that parameter.
left_out() { # left_out FILE INSTANCE: parameters of both that are not passed on
    sed -n "/^ *$2 #(/,/) u_/p" "$1" | grep -oE '\.[A-Z0-9_]+\(' | tr -d '.(' | sort -u >"$dir/passed"
    comm -12 <(defaults "$1" | cut -d= -f1 | sort) <(defaults "$(ls rtl/*/"$2.v")" | cut -d= -f1 | sort) |
        grep -vxE 'FUNC_PW|PORT_BYTES|BEAT_PW' | comm -23 - "$dir/passed"
}
for pair in rtl/top/byw_cluster.v:byw_sm_l1 rtl/top/byw_sm_l1.v:byw_l1d fpga/byw_fpga_l1.v:byw_sm_l1 synth/byw_synth_l1.v:byw_l1d \
    verif/rtl_loop/byw_loop_top.v:byw_sm_l1 fpga/softgpu/byw_softgpu.v:byw_sm_l1 \
    fpga/adapters/byw_vortex_l1d.v:byw_sm_l1; do
    left_out "${pair%:*}" "${pair#*:}" >"$dir/log"
    [ ! -s "$dir/log" ]
    result $? "${pair%:*} passes its parameters on to ${pair#*:}"
done
finish
