#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sim.sh [-t verilator|icarus] [-r RTL] [-n REQUESTS_W] NAME|PARAMETERS - simulates the self-test of a configuration of
# fpga/configs.txt (or of parameters NAME=VALUE ...): prints "PASS ..." or "FAIL ..."; exit 0 or 1.
#   -r  another rtl folder     -n  2^REQUESTS_W requests per phase, 8 to 20 (default 10)     -x  additional sources
# Exit 2 for a wrong option, an unknown configuration, or a parameter that byw_fpga_test does not have.
set -u
cd "$(dirname "$0")/.."
refuse() {
    echo "sim.sh: $*" >&2
    exit 2
}
tool=verilator
rtl=rtl
requests=10
extra=
while getopts t:r:n:x: o; do
    case $o in
    t) tool=$OPTARG ;;
    r) rtl=$OPTARG ;;
    n) requests=$OPTARG ;;
    x) extra=$OPTARG ;;
    *) sed -n '4,6s/^# //p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
case $tool in verilator|icarus) ;; *) refuse "no simulator $tool; expected verilator or icarus" ;; esac
case $requests in [89]|1[0-9]|20) ;; *) refuse "-n is $requests; expected 8 to 20: with fewer requests not every way of serving occurs" ;; esac
[ $# -gt 0 ] || refuse "expected a configuration of fpga/configs.txt, or parameters NAME=VALUE"
parameters=$*
case $parameters in
*=*) name=parameters ;;
*)
    name=$parameters
    parameters=$(grep "^$name|" fpga/configs.txt | cut -d'|' -f5)
    [ -n "$parameters" ] || refuse "fpga/configs.txt has no $name; it has" $(grep -o '^[a-z0-9_]*' fpga/configs.txt)
    parameters=$(rtl/config.sh expand byw_fpga_test "$parameters") || exit 2
    ;;
esac
for p in $parameters; do # Icarus ignores parameters that a module does not have
    grep -qE "^ *parameter integer .*\b${p%%=*} *=" fpga/byw_fpga_test.v || refuse "byw_fpga_test has no parameter ${p%%=*}"
    case ${p#*=} in "$p"|""|*[!0-9]*) refuse "$p: expected NAME=NUMBER" ;; esac
done
given=$(echo "REQUESTS_W=$requests $parameters" | sed 's/\([A-Z_0-9]*\)=\([0-9]*\)/.\1(\2)/g;s/ /,/g')
bytes=$(echo "$parameters LINE_BYTES=128" | tr ' ' '\n' | sed -n 's/^BEAT_BYTES=//p;s/^LINE_BYTES=//p' | sort -n | head -n 1)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sources="verif/fpga/byw_fpga_tb.v verif/fpga/byw_fpga_known.v $(ls fpga/byw_fpga_*.v | grep -v _board) $(sed "/^#/d;s,^rtl/,$rtl/," rtl/byw.f | tr '\n' ' ') $extra"
case $tool in
verilator)
    # shellcheck disable=SC2086 # lists of files
    verilator --binary -j 1 -O3 --x-assign unique --x-initial unique -Wno-fatal -Wno-lint -Wno-style \
        -I"$rtl/include" -DFPGA_PARAMETERS="$given" -DFPGA_BYTES="$bytes" -DBYW_ASSERT_SIM --top-module byw_fpga_tb --Mdir "$out" --output-split 0 \
        -MAKEFLAGS OPT_FAST=-Og -MAKEFLAGS OPT_GLOBAL=-O0 -MAKEFLAGS VM_PARALLEL_BUILDS=0 \
        $sources rtl/check/*.v rtl/check/*.sv >"$out/log" 2>&1 || { tail -n 20 "$out/log"; exit 1; }
    said=$("$out/Vbyw_fpga_tb" +verilator+rand+reset+2 +verilator+seed+1 2>&1)
    ;;
icarus)
    # shellcheck disable=SC2086 # lists of files
    iverilog -g2005 -Wno-portbind -I"$rtl/include" -DFPGA_PARAMETERS="$given" -DFPGA_BYTES="$bytes" -s byw_fpga_tb -o "$out/tb.vvp" $sources \
        >"$out/log" 2>&1 || { tail -n 20 "$out/log"; exit 1; }
    said=$(vvp -n "$out/tb.vvp")
    ;;
esac
echo "$said" | grep -E '^(PASS|FAIL|X )' || { echo "FAIL no verdict"; echo "$said" | tail -n 3; exit 1; }
case $said in *FAIL*) exit 1 ;; *PASS*) exit 0 ;; esac
exit 1
