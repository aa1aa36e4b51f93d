# SPDX-License-Identifier: Apache-2.0
#
# cli.sh - runs the `byway` command ($BYWAY, default build/byway) in a temporary folder and checks
# its result. Source it in the root; defines $byway, $dir (removed at the end) and the functions
# below.
byway=$(realpath "${BYWAY:-build/byway}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

. verif/common/tap.sh
tap_logs=("$dir/out" "$dir/err")
# Runs byway, with stdout and stderr redirected to files; sets $rc to its exit code.
by() {
    (cd "$dir" && "$byway" "$@") >"$dir/out" 2>"$dir/err" </dev/null
    rc=$?
}
succeeds() { # succeeds NAME ARGS...
    local name=$1
    shift
    by "$@"
    [ $rc = 0 ]
    result $? "$name"
}
# Expects exit 2, nothing on stdout, and one sentence on stderr that contains every part (separated
# by |).
refuses() { # refuses NAME PARTS ARGS...
    local name=$1 parts=$2 good=0 part
    shift 2
    by "$@"
    [ $rc = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] || good=1
    while IFS= read -r part; do
        grep -qF -- "$part" "$dir/err" || good=1
    done < <(tr '|' '\n' <<<"$parts")
    result $good "$name"
}

# An Accel-Sim trace: CTAs of two warps, loads that are partly reused, stores.  $1 folder, $2 step,
# $3 CTAs.
make_trace() {
    mkdir -p "$1"
    echo kernel-1.traceg >"$1/kernelslist.g"
    awk -v step="$2" -v ctas="$3" 'BEGIN {
        print "-kernel name = probe\n-kernel id = 1\n-grid dim = (" ctas ",1,1)\n-block dim = (64,1,1)"
        print "-shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0"
        print "-shmem base_addr = 0x00007f5000000000\n-local mem base_addr = 0x00007f4e00000000"
        print "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n"
        for (cta = 0; cta < ctas; cta++) {
            printf "#BEGIN_TB\n\nthread block = %d,0,0\n\n", cta
            for (warp = 0; warp < 2; warp++) {
                printf "warp = %d\ninsts = 61\n", warp
                for (i = 0; i < 20; i++) {
                    printf "0010 ffffffff 1 R2 IMAD 1 R0 0 0 \n"
                    line = (cta * 40 + warp * 20 + i * step) % 700
                    printf "0020 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7fc0%08x 4 0 \n", line * 128
                    if (i % 4 == 3)
                        printf "0030 ffffffff 0 STG.E.SYS 2 R2 R4 4 1 0x7fc1%08x 4 0 \n", line * 128
                    else
                        printf "0040 ffffffff 1 R5 FADD 1 R4 0 0 \n"
                }
                print "0050 ffffffff 0 EXIT 0 0 0 \n"
            }
            print "#END_TB\n"
        }
    }' >"$1/kernel-1.traceg"
}
