#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# twins.sh [NAME...] - captures workloads as OpenCL programs and as their CUDA twins, and prints for
# each kernel "PROGRAM KERNEL", then warp loads, stores, load sectors and store sectors of all its
# launches, first those of OpenCL, then those of CUDA; for each program "PROGRAM instructions" and
# the warp instructions of both. SIZE (default small) is that of the inputs.
#
# twins.sh --ptx [NAME...] - compiles the twins to the PTX stored next to them in ptx.tar.gz; needs nvcc.
#
# A twin is NAME.cu with kernels of the same names: the workload's host program runs unchanged, with
# the libOpenCL.so.1 of verif/silicon, which passes its calls to the CUDA driver.
set -u
cd "$(dirname "$0")/../../.." || exit 1
B=${B:-build}
own=cmodel/workloads/twins
if [ "${1:-}" = --ptx ]; then
    shift
    ptx=yes
fi
[ $# != 0 ] || mapfile -t all < <(basename -s .cu -a "$own"/*.cu)
[ $# != 0 ] || set -- "${all[@]}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/ptx" && tar xzf $own/ptx.tar.gz -C "$work/ptx" || exit 1
if [ -n "${ptx:-}" ]; then
    for w in "$@"; do
        nvcc -arch=sm_75 -O3 -lineinfo -ptx -o "$work/whole" "$own/$w.cu" || exit 1
        sed '/^\t*\.file/s|"[^"]*/|"|' "$work/whole" >"$work/ptx/$w.ptx"
    done
    (cd "$work/ptx" && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf - -- *.ptx) | gzip -9n >$own/ptx.tar.gz
    exit
fi

# counts TRACE: "KERNEL LOADS STORES LOAD_SECTORS STORE_SECTORS" of each kernel, over its launches
counts() {
    "$B/byway" trace info --json "$1" | awk -F'[:," ]+' '
        /^ "sites": / { sites = 1 }
        /^ \]/ { sites = 0 }
        !sites { next }
        / "kernel":/ { kernel = $3; sub(/__ca$/, "", kernel) }
        / "class":/ { class = $3 }
        / "accesses":/ { n[kernel, class] += $3 }
        / "sectors":/ { sectors[kernel, class] += $3; seen[kernel] = 1 }
        END { for (k in seen) print k, n[k, "load"] + 0, n[k, "store"] + 0, sectors[k, "load"] + 0, sectors[k, "store"] + 0 }' | sort
}

instructions() { # instructions TRACE: warp instructions
    "$B/byway" trace info --json "$1" | awk -F'[:," ]+' '/ "warp_instructions":/ { print $3; exit }'
}

for w in "$@"; do
    verif/silicon/variant.sh ca <"$work/ptx/$w.ptx" >"$work/$w.ca.ptx" || exit 1
    # The options of each workload that the program serves.
    mapfile -t options < <(sed -n "s/^BYW_WORKLOAD_OF(\"[^\"]*\", \"$w\", \"\([^\"]*\)\".*/\1/p" cmodel/workloads/workloads.def)
    for o in "${options[@]:-}"; do
        # shellcheck disable=SC2086 # words
        "$B/byway" trace capture -o "$work/cl.bwt" -- "$B/workloads/$w" --size "${SIZE:-small}" $o >"$work/log" 2>&1 &&
            LD_LIBRARY_PATH=$B/silicon:$B/lib BYW_SILICON_PTX=$work/$w BYW_SILICON_LAUNCHES=0 BYWAY_TRACE=$work/cu.bwt \
                "$B/workloads/$w" --size "${SIZE:-small}" $o >"$work/log" 2>&1
        if ! grep -q ^PASS "$work/log"; then
            sed "s/^/$w: /" "$work/log" >&2
            exit 1
        fi
        counts "$work/cl.bwt" >"$work/cl"
        counts "$work/cu.bwt" >"$work/cu"
        join "$work/cl" "$work/cu" | sed "s/^/$w /"
        echo "$w${o:+ $o} instructions $(instructions "$work/cl.bwt") $(instructions "$work/cu.bwt")"
    done
done
