#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# measure.sh DIR - measures the GPU of this machine, in at most BUDGET seconds (default 300): microbenchmarks, times,
# and counters of byway's workloads in the variants ca, cg and na, as tables that `byway correlate` reads:
#
#   DIR/gpu.txt                  the GPU, its driver and clocks
#   DIR/microbench.tsv           microbench.cu
#   DIR/place.tsv, sharing.tsv   sharing.cu: the SM of each CTA; sectors read from the L2 and DRAM, written to DRAM
#   DIR/time_small.tsv, time_large.tsv   medians of five runs, L2 flushed before each
#   DIR/ncu_small.csv, ncu_large.csv     counters of Nsight Compute, caches emptied before each launch
#
# SIZES="small large" are measured, with the first LAUNCHES (3) launches of a program. While
# counters are read, PARALLEL (6) programs run at a time.  Programs that take too long are skipped
# and named.  Exit 77: no GPU or a tool is missing.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:?usage: measure.sh DIR}
B=${B:-build}
start=$SECONDS
say() { echo "[$((SECONDS - start)) s] $*" >&2; }
left() { echo $((${BUDGET:-300} - (SECONDS - start))); }
missing() {
    echo "measure.sh: $1" >&2
    exit 77
}

# --- available tools
nvidia-smi -L 2>/dev/null | grep -q GPU ||
    missing "no NVIDIA GPU (nvidia-smi -L names none); run it on a machine with one"
[ -e "$B/silicon/libOpenCL.so.1" ] || missing "no $B/silicon/libOpenCL.so.1; make silicon-lib"
[ -x "$B/byway" ] || missing "no $B/byway; make"
mkdir -p "$out" "$B/silicon/ptx"
nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv >"$out/gpu.txt"
verif/silicon/ptx.sh "$B/silicon/ptx" >&2
[ $? != 77 ] || exit 77
export LD_LIBRARY_PATH=$B/silicon${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} BYW_SILICON_LAUNCHES=${LAUNCHES:-3} BYW_SILICON_STOP=1

# --- microbenchmarks
share() { # one pass per kernel, so that the L2 keeps its lines
    local sectors=lts__t_sectors_srcunit_tex_op_read.sum dram=dram__sectors
    timeout "$(left)" ncu -k 'regex:^(share|join|reread)$' --clock-control none --cache-control none --csv --page raw \
        --metrics $sectors,${dram}_read.sum,${dram}_write.sum "$B/silicon/sharing" "$out/labels" >"$out/sharing.csv" 2>"$out/sharing.log"
    grep '^place' "$out/sharing.csv" >"$out/place.tsv"
    printf 'name\tkey\tdifferent_sectors\tdram_read\tdram_written\tl2_read\n' >"$out/sharing.tsv"
    # The raw page has each counter's sum among its mean and extremes.
    grep '^"' "$out/sharing.csv" | awk -F'","' -v OFS='\t' -v names="${dram}_read.sum ${dram}_write.sum $sectors" '
        BEGIN { n = split(names, name, " ") }
        /^"ID"/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        /^"[0-9]/ { gsub(/"$/, ""); for (i = 1; i <= n; i++) { v = $at[name[i]]; gsub(/,/, "", v); printf "%s%s", v, i < n ? OFS : "\n" } }' |
        paste "$out/labels" - >>"$out/sharing.tsv"
    rm -f "$out/labels" "$out/sharing.csv"
}
if command -v nvcc >/dev/null; then
    nvcc -O2 -std=c++17 -arch=native -o "$B/silicon/microbench" verif/silicon/microbench.cu >&2 &&
        timeout "$(left)" "$B/silicon/microbench" >"$out/microbench.tsv"
    nvcc -O2 -std=c++17 -arch=native -o "$B/silicon/sharing" verif/silicon/sharing.cu >&2 && command -v ncu >/dev/null && share
    say "microbenchmarks: $(wc -l <"$out/microbench.tsv") lines"
else
    say "no nvcc: no microbenchmarks; install the CUDA toolkit"
fi

# --- workloads: NAME, PROGRAM, OPTIONS of a size
list() { # list SIZE
    sed -n -e 's/^BYW_WORKLOAD("\([a-z0-9_]*\)",.*/\1\t\1\t/p' \
        -e 's/^BYW_WORKLOAD_OF("\([^"]*\)", "\([^"]*\)", "\([^"]*\)".*/\1\t\2\t\3/p' cmodel/workloads/workloads.def |
        while IFS=$'\t' read -r name program options; do
            [ -e "$B/silicon/ptx/$program.ca.ptx" ] || continue
            more=$(sed -n "s/^$name //p" cmodel/workloads/large.txt)
            case $1 in
            large) [ -z "$more" ] || printf '%s\t%s\t--size small %s %s\n' "$name" "$program" "$options" "$more" ;;
            *) printf '%s\t%s\t--size %s %s\n' "$name" "$program" "$1" "$options" ;;
            esac
        done
}
one() { # one "NAME PROGRAM OPTIONS"
    local name program options
    IFS=$'\t' read -r name program options <<<"$1"
    # shellcheck disable=SC2086 # words
    BYW_SILICON_NAME=$name BYW_SILICON_PTX=$B/silicon/ptx/$program timeout "${LIMIT:-20}" \
        "$B/workloads/$program" $options </dev/null >/dev/null 2>"$out/$name.log" ||
        echo "left out: $name ($(tail -n 1 "$out/$name.log" | cut -c1-100))" >&2
    rm -f "$out/$name.log"
}
export -f one
export B out

for size in ${SIZES:-small large}; do
    list "$size" >"$out/$size.list"
    # Times first: they need the GPU alone, and little time.
    times=$out/time_$size.tsv
    printf 'workload\tlaunch\tkernel\tgrid\tblock\tlocal_bytes' >"$times"
    for v in cg na ca; do printf '\t%s_median_us\t%s_min_us' $v $v; done >>"$times"
    echo >>"$times"
    while [ "$(left)" -gt 20 ] && IFS= read -r line; do
        BYW_SILICON_VARIANTS=cg,na,ca BYW_SILICON_REPEAT=5 BYW_SILICON_TIMES=$times one "$line"
    done <"$out/$size.list"
    say "times at size $size: $(($(wc -l <"$times") - 1)) launches"
    command -v ncu >/dev/null || {
        say "no ncu: no counters; install Nsight Compute"
        continue
    }
    # ncu follows all child processes; each program is a single process.
    BYW_SILICON_VARIANTS=cg,na,ca timeout "$(left)" ncu --target-processes all --clock-control none --cache-control all \
        --metrics "$("$B/byway" correlate --metrics)" -f -o "$out/ncu_$size" \
        bash -c 'tr "\n" "\0" <"$0" | xargs -0 -P "${PARALLEL:-6}" -I{} bash -c "one \"\$1\"" _ {}' "$out/$size.list" \
        >"$out/ncu_$size.log" 2>&1
    ncu --import "$out/ncu_$size.ncu-rep" --csv --page raw >"$out/ncu_$size.csv" 2>>"$out/ncu_$size.log"
    say "counters at size $size: $(grep -c '__ca' "$out/ncu_$size.csv") launches"
done
say "done; hold byway against it: make silicon TABLES=\"$out/ncu_small.csv $out/ncu_large.csv\""
