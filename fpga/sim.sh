#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sim.sh [-t verilator|icarus] [-r RTL] [-n REQUESTS_W] NAME|PARAMETERS - simulates the self-test of a configuration of
# fpga/configs.txt (or of parameters NAME=VALUE ...): prints "PASS ..." or "FAIL ..."; exit 0 or 1.
#   -r  another rtl folder     -n  2^REQUESTS_W requests per phase (default 10)     -x  additional sources
set -u
cd "$(dirname "$0")/.."
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
parameters=$*
case $parameters in
*=*) name=parameters ;;
*)
    name=$parameters
    parameters=$(grep "^$name|" fpga/configs.txt | cut -d'|' -f5)
    [ -n "$parameters" ] || { echo "sim.sh: fpga/configs.txt has no $name" >&2; exit 2; }
    parameters=$(rtl/config.sh expand byw_fpga_test "$parameters") || exit 2
    ;;
esac
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
*) echo "sim.sh: no simulator $tool" >&2; exit 2 ;;
esac
echo "$said" | grep -E '^(PASS|FAIL|X )' || { echo "FAIL no verdict"; echo "$said" | tail -n 3; exit 1; }
case $said in *FAIL*) exit 1 ;; *PASS*) exit 0 ;; esac
exit 1
