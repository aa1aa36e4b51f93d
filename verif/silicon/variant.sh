#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# variant.sh VARIANT <IN.ptx >OUT.ptx - PTX of OpenCL C kernels (clang's, target nvptx64) for the CUDA driver, with
# other global loads:
#
#   ca   as compiled
#   cg   ld.global.cg: past the L1
#   na   ld.global.L1::no_allocate
#
# Loads that carry a hint or an order already (ld.global.cs, ld.volatile, ld.acquire), and loads of other or unknown
# spaces, stay.  Each kernel K becomes K__VARIANT, so that a profiler distinguishes the variants.
# __local arguments become offsets in dynamic shared memory.  Exit 1: no kernel in the input; 2: no
# such variant.
set -u
case ${1:-} in
ca | cg | na) ;;
*)
    echo "usage: variant.sh ca|cg|na <IN.ptx >OUT.ptx" >&2
    exit 2
    ;;
esac
exec awk -v variant="$1" '
    # Rewrites the loads.  Loads with .nc (through the read-only path) may carry a hint, too.
    function rewrite(line,   at, head, rest) {
        if (variant == "ca" || !match(line, /ld\.global\.(nc\.)?((v[248])\.)?[busf][0-9]+[ \t]/)) return line
        at = RSTART
        head = substr(line, 1, at - 1) "ld.global."
        rest = substr(line, at + length("ld.global."))
        if (variant == "cg") return head "cg." rest
        if (substr(rest, 1, 3) == "nc.") return head "nc.L1::no_allocate." substr(rest, 4)
        return head "L1::no_allocate." rest
    }
    # L1:: hints need PTX 7.4.
    /^\.version / && $2 + 0 < 7.8 { $0 = ".version 7.8" }
    /^\.target / { gsub(/, *(texmode_independent|debug)/, "") }
    /^\.address_size/ {
        print
        print "\n.extern .shared .align 16 .b8 byw_dynamic[];"
        next
    }
    /\.entry [A-Za-z_$][A-Za-z0-9_$]*[ \t]*\(/ {
        kernels++
        match($0, /\.entry [A-Za-z_$][A-Za-z0-9_$]*/)
        $0 = substr($0, 1, RSTART + RLENGTH - 1) "__" variant substr($0, RSTART + RLENGTH)
    }
    /\.param .*\.ptr \.shared/ {
        name = $NF
        gsub(/[,)]/, "", name)
        is_local[name] = 1
        sub(/\.ptr \.shared (\.align [0-9]+ )?/, "")
    }
    /ld\.param\.[ub]64/ {
        to = $2
        sub(/,$/, "", to)
        from = $3
        gsub(/[\[\];]/, "", from)
        if (from in is_local) {
            print
            print "\t{ .reg .b64 %byw_at; mov.u64 %byw_at, byw_dynamic; add.s64 " to ", " to ", %byw_at; }"
            next
        }
    }
    { print rewrite($0) }
    END { if (!kernels) { print "variant.sh: no kernel (.entry) in the input" >"/dev/stderr"; exit 1 } }'
