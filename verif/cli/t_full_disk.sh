#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_full_disk.sh - on a disk that is full, or fills up, every command that writes a file ends with
# exit code 2 and one sentence that names the file, and leaves no file: no crash, no truncated
# output. Prints TAP. The disks are tmpfs file systems in a mount namespace of the test; it skips
# where it cannot create one.
set -u
cd "$(dirname "$0")/../.." || exit 1
if [ -z "${FULL_DISK_INSIDE:-}" ]; then
    . verif/common/tap.sh
    # Root in a chroot may not be able to create a user namespace, but can create a mount namespace.
    isolate="unshare -rm"
    $isolate mount -t tmpfs none /mnt 2>/dev/null || isolate="unshare -m --propagation unchanged"
    $isolate mount -t tmpfs none /mnt 2>/dev/null ||
        skip_all "no file system may be mounted here; run it as root or where user namespaces are allowed"
    FULL_DISK_INSIDE=1 exec $isolate "$0"
fi
. verif/cli/cli.sh
export BYWAY_KEPT=off
make_trace "$dir/text" 1 400
"$byway" trace convert "$dir/text" -o "$dir/m.bwt"
printf 'policies = bl\ntraces = m.bwt\n' >"$dir/grid.ini"
by run -m fermi -t m.bwt -o a.json
by run -m fermi -t m.bwt -p ball -o b.json
by sweep grid.ini -d results
mkdir "$dir/disk" "$dir/tmp"

with_disk() { # with_disk KB: runs the rest with a disk of that size mounted
    umount "$dir/disk" 2>/dev/null
    mount -t tmpfs -o size="$(($1 + 4))k" none "$dir/disk"
    head -c 4096 /dev/zero >"$dir/disk/.other"
}
fills() { # fills NAME KB FILE ARGS...: the command writes FILE, which does not fit on the disk
    local name=$1 kb=$2 file=$3
    shift 3
    with_disk "$kb"
    (cd "$dir" && TMPDIR=$dir/disk "$byway" "$@") >"$dir/out" 2>"$dir/err" </dev/null
    rc=$?
    [ $rc = 2 ] && [ "$(grep -c '^byway: ' "$dir/err")" = 1 ] && grep -q "^byway: .*$file" "$dir/err"
    result $? "$name: exit code 2, and the message names the file"
    [ -z "$(ls "$dir/disk")" ]
    result $? "$name: no file remains"
}
for kb in 0 4 16; do # the disk is full at once, early, late
    fills "FST waves, $kb KB" $kb disk/w.fst run -m fermi -t m.bwt --waves disk/w.fst --waves-cycles 400000
    fills "VCD waves, $kb KB" $kb disk/w.vcd run -m fermi -t m.bwt --waves disk/w.vcd --waves-cycles 400000
    fills "a page of a set, $kb KB" $kb disk/w.html run -m fermi -t m.bwt --waves disk/w.html --waves-cycles 400000
done
with_disk 8000
succeeds "FST waves that fit" run -m fermi -t m.bwt --waves disk/w.fst --waves-cycles 400000
[ "$(ls "$dir/disk")" = w.fst ] && [ "$(stat -c %s "$dir/disk/w.fst")" -gt 16384 ]
result $? "the waves need more than the largest of these disks"
fills "result" 4 disk/x.json run -m fermi -t m.bwt -o disk/x.json
fills "result with a course over time" 8 disk/x.json run -m fermi -t m.bwt -o disk/x.json --timeline 4096
fills "comparison as JSON" 4 disk/x.json compare -m fermi -t m.bwt -p bl,ball --json disk/x.json
fills "comparison as page" 16 disk/x.html compare -m fermi -t m.bwt -p bl,ball --html disk/x.html
fills "trace" 0 disk/x.bwt trace convert text -o disk/x.bwt
fills "text trace" 64 disk/x trace convert m.bwt --to accelsim -o disk/x
fills "list of accesses" 64 disk/x.csv trace convert m.bwt --to csv -o disk/x.csv
fills "DRAM requests" 4 disk/x.trace trace convert m.bwt --to ramulator -o disk/x.trace
fills "difference as page" 16 disk/x.html diff a.json b.json --html disk/x.html
fills "page" 16 disk/x.html report results --html disk/x.html
fills "advice" 0 disk/x.json advise m.bwt --runs 4 --json disk/x.json

# An older output stays as it was.
stays() { # stays NAME ARGS...: the command writes disk/x, which exists, on a full disk
    local name=$1
    shift
    with_disk 0
    echo old >"$dir/disk/x" 2>/dev/null || { with_disk 4; echo old >"$dir/disk/x"; }
    cp /dev/zero "$dir/disk/.fill" 2>/dev/null
    (cd "$dir" && "$byway" "$@") >"$dir/out" 2>"$dir/err" </dev/null
    [ $? = 2 ] && [ "$(grep -c '^byway: ' "$dir/err")" = 1 ] && [ "$(cat "$dir/disk/x")" = old ]
    result $? "$name on a full disk: exit code 2, one reason, and the older file stays"
}
for kind in json html; do
    stays "cost --$kind" cost -m fermi -p decoupled --$kind disk/x
    stays "tune --$kind" tune -m fermi -p decoupled -t m.bwt -n 2 -k decoupled.threshold -d tuned --$kind disk/x
    stays "oracle --$kind" oracle -m fermi -t m.bwt --$kind disk/x
done
stays "merge --csv" merge results --csv disk/x
stays "merge --sqlite" merge results --sqlite disk/x
stays "trace info --html" trace info m.bwt --html disk/x
stays "advise --advice" advise m.bwt -m fermi --runs 3 --advice disk/x
stays "advise --dot" advise m.bwt -m rdna2 --mpache --dot disk/x

# A failed run leaves no waveform files either.
head -c -40 "$dir/m.bwt" >"$dir/cut.bwt"
for kind in vcd fst html; do
    with_disk 8000
    by run -m fermi -t cut.bwt --waves disk/w.$kind
    [ $rc = 2 ] && [ -z "$(ls "$dir/disk")" ]
    result $? "a failed run leaves no waves, $kind"
done
(cd "$dir" && trap '' XFSZ && ulimit -f 8 && "$byway" run -m fermi -t m.bwt --waves disk/w.fst) >"$dir/out" 2>"$dir/err"
[ $? = 2 ] && grep -q 'disk/w.fst: the FST writer needs files without a limit of size' "$dir/err" && [ -z "$(ls "$dir/disk")" ]
result $? "FST waves under a limit of file sizes are refused"
umount "$dir/disk"
finish
