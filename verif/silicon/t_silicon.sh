#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_silicon.sh - the parts of the GPU measurement that can be checked without a GPU: the variants of
# PTX, and byway's workloads through OpenCL on the CUDA driver, with byway's own libcuda.so.1 as the
# driver.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
tap_folder log

# --- variants
cat >"$dir/in.ptx" <<'X'
.version 6.3
.target sm_70, texmode_independent
.address_size 64

.entry gather(
	.param .u64 .ptr .global .align 4 gather_param_0,
	.param .u64 .ptr .shared .align 4 gather_param_1
)
{
	.reg .b64 %rd<4>;
	.reg .f32 %f<9>;
	ld.param.u64 	%rd1, [gather_param_0];
	ld.param.u64 	%rd2, [gather_param_1];
	ld.global.f32 	%f1, [%rd1];
	ld.global.nc.v4.f32 	{%f2, %f3, %f4, %f5}, [%rd1+16];
	ld.global.cs.f32 	%f6, [%rd1+32];
	ld.volatile.global.f32 	%f7, [%rd1+36];
	ld.shared.f32 	%f8, [%rd2];
	st.global.f32 	[%rd1], %f8;
	ret;
}
X
lines() { # lines VARIANT TEXT...: each TEXT is a line of that variant
    local v=$1 text
    shift
    verif/silicon/variant.sh "$v" <"$dir/in.ptx" >"$dir/log" || return 1
    for text in "$@"; do
        grep -qxF -- "$text" "$dir/log" || return 1
    done
}
others=($'\tld.global.cs.f32 \t%f6, [%rd1+32];' $'\tld.volatile.global.f32 \t%f7, [%rd1+36];' $'\tld.shared.f32 \t%f8, [%rd2];'
    $'\tst.global.f32 \t[%rd1], %f8;')
lines ca $'\tld.global.f32 \t%f1, [%rd1];' $'\tld.global.nc.v4.f32 \t{%f2, %f3, %f4, %f5}, [%rd1+16];' "${others[@]}"
result $? "ca leaves every load as it is"
lines cg $'\tld.global.cg.f32 \t%f1, [%rd1];' $'\tld.global.cg.nc.v4.f32 \t{%f2, %f3, %f4, %f5}, [%rd1+16];' "${others[@]}"
result $? "cg sends plain global loads past the L1, and leaves hinted, volatile and shared ones and stores"
lines na $'\tld.global.L1::no_allocate.f32 \t%f1, [%rd1];' \
    $'\tld.global.nc.L1::no_allocate.v4.f32 \t{%f2, %f3, %f4, %f5}, [%rd1+16];' "${others[@]}"
result $? "na loads without L1 allocation"
lines na '.entry gather__na(' '.version 7.8' '.target sm_70' $'\t.param .u64 gather_param_1' '.extern .shared .align 16 .b8 byw_dynamic[];' &&
    grep -A 1 'gather_param_1\];' "$dir/log" | grep -q 'add.s64 %rd2, %rd2, %byw_at;' &&
    ! grep -A 1 'gather_param_0\];' "$dir/log" | grep -q byw_at
result $? "kernels carry the variant's name, and __local arguments are offsets in dynamic shared memory"
echo '.version 6.3' | verif/silicon/variant.sh ca >/dev/null 2>"$dir/log"
[ $? = 1 ] && grep -q 'no kernel' "$dir/log"
result $? "PTX without a kernel is refused"
verif/silicon/variant.sh cv <"$dir/in.ptx" >"$dir/log" 2>&1
[ $? = 2 ]
result $? "an unknown variant is refused"

# --- a machine without a GPU
if nvidia-smi -L 2>/dev/null | grep -q GPU; then
    skip_check "without a GPU nothing is measured" "there is one; make silicon-measure measures it"
else
    verif/silicon/measure.sh "$dir/measured" >"$dir/log" 2>&1
    [ $? = 77 ] && [ "$(wc -l <"$dir/log")" = 1 ] && grep -q 'no NVIDIA GPU' "$dir/log" && [ ! -e "$dir/measured" ]
    result $? "without a GPU nothing is measured, with the reason"
fi

# --- byway's workloads
driver=$B/lib/libcuda.so.1
if [ ! -e "$driver" ] || [ ! -x "$B/workloads/bfs" ] || ! make -s B="$B" silicon-lib >"$dir/log" 2>&1; then
    skip_check "workloads pass in every variant" "no $driver or no workloads; make opencl cuda workloads"
    finish
    exit
fi
programs=(bfs dct8x8)
in_test_all && mapfile -t programs < <(basename -a cmodel/workloads/*/)
verif/silicon/ptx.sh "$dir/ptx" "${programs[@]}" >"$dir/left_out" 2>&1
if [ $? = 77 ]; then
    skip_check "workloads pass in every variant" "$(tail -n 1 "$dir/left_out")"
    finish
    exit
fi
ptxas=$(cuda_tool ptxas)
export LD_LIBRARY_PATH=$B/silicon:$B/lib BYWAY_CACHE=$dir/cache BYW_SILICON_LAUNCHES=2 BYW_SILICON_TIMES=$dir/times
for p in "${programs[@]}"; do
    [ -e "$dir/ptx/$p.ca.ptx" ] || continue
    if [ -n "$ptxas" ]; then
        good=0
        for v in ca cg na; do
            "$ptxas" -arch=sm_90 -o /dev/null "$dir/ptx/$p.$v.ptx" >"$dir/log" 2>&1 || good=1
        done
        result $good "ptxas takes $p in every variant"
    fi
    rm -f "$dir/times"
    BYW_SILICON_PTX=$dir/ptx/$p BYW_SILICON_NAME=$p BYW_SILICON_VARIANTS=cg,na,ca BYW_SILICON_REPEAT=3 \
        "$B/workloads/$p" --size test >"$dir/log" 2>&1 && grep -q '^PASS' "$dir/log"
    result $? "$p finds its results right with its loads in every variant"
    awk -F'\t' -v p="$p" '$1 != p || $2 != NR || NF != 12 { bad = 1 } { for (i = 7; i <= 12; i += 2) if ($i < $(i + 1)) bad = 1 }
        END { exit bad || NR < 1 || NR > 2 }' "$dir/times"
    result $? "the first launches of $p are timed, median and minimum of each variant"
done
# One launch with its buffers restored: the second variant sees the same data as the first.
rm -f "$dir/times"
BYW_SILICON_STOP=1 BYW_SILICON_LAUNCHES=1 BYW_SILICON_PTX=$dir/ptx/bfs BYW_SILICON_NAME=bfs "$B/workloads/bfs" --size test >"$dir/log" 2>&1
[ $? = 0 ] && [ "$(wc -l <"$dir/times")" = 1 ] && ! grep -q PASS "$dir/log"
result $? "a program may end after the launches that are measured"
BYW_SILICON_PTX=$dir/none "$B/workloads/bfs" --size test >"$dir/log" 2>&1
[ $? = 3 ] && grep -q 'none.ca.ptx: cannot be read' "$dir/log"
result $? "missing PTX is named"
finish
