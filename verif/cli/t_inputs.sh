#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_inputs.sh - inputs of the wrong kind: configuration files that are not files or not text, names
# that are not UTF-8, errors that list the accepted values. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
configs=$(realpath cmodel/configs)
make_trace "$dir/a" 1 24

# --- configuration files ---------------------------------------------------------------------------
mkdir "$dir/folder.cfg"
mkfifo "$dir/pipe.cfg"
ln -s pipe.cfg "$dir/link.cfg"
{
    printf '\xef\xbb\xbf'
    cat "$configs/machines/fermi.cfg"
} >"$dir/bom.cfg"
printf '\xff\xfe#\0\n\0' >"$dir/utf16.cfg"
printf 'sm.count = 4\0\n' >"$dir/zero.cfg"
: >"$dir/empty.cfg"
for kind in machine policy; do
    refuses "a folder as $kind" "folder.cfg: is a folder; expected a $kind file" \
        run --trace a --$kind folder.cfg
    refuses "a pipe as $kind" "pipe.cfg: is a pipe; expected a $kind file" \
        run --trace a --$kind pipe.cfg
    refuses "a link to a pipe as $kind" "link.cfg: is a pipe; expected a $kind file" \
        run --trace a --$kind link.cfg
    refuses "a device as $kind" "is a device; expected a $kind file" \
        run --trace a --$kind /dev/zero
    refuses "a $kind with a byte order mark" "bom.cfg:1: begins with a byte order mark" \
        run --trace a --$kind bom.cfg
    refuses "a $kind in UTF-16" "utf16.cfg:1: begins with a byte order mark" \
        run --trace a --$kind utf16.cfg
    refuses "a $kind with a zero byte" "zero.cfg:1: contains a zero byte" \
        run --trace a --$kind zero.cfg
    refuses "an empty $kind" "empty.cfg:0: the file ends without key" run --trace a --$kind empty.cfg
done
refuses "a rule of a machine" \
    "machine fermi: l2.slices must be a multiple of dram.channels (here l2.slices = 7, dram.channels = 6)" \
    run -m fermi --trace a --set l2.slices=7
refuses "a policy that a machine refuses" \
    "machine v100 refuses policy decoupled|(here l1d.allocate = on_fill, policy.mode = decoupled)" \
    run --trace a --machine v100 --policy decoupled

# --- names that are not UTF-8, and would send control sequences to a terminal --------------------------
odd=$(printf 'caf\xe9\x1b[31m')
cp -r "$dir/a" "$dir/$odd"
by run --trace "$odd" --json -
[ $rc = 0 ] && grep -qF '"workload": "caf\\xe9\\x1b[31m"' "$dir/out"
result $? "the result of a trace whose name is not UTF-8"
by run -m fermi --trace "$odd"
[ $rc = 0 ] && head -n 1 "$dir/out" | grep -qF 'caf\xe9\x1b[31m on fermi with bl'
result $? "a table with a trace name that is not UTF-8"
by trace info "$odd" --json
[ $rc = 0 ] && grep -qF '"trace": "caf\\xe9\\x1b[31m"' "$dir/out"
result $? "trace info --json of a name that is not UTF-8"
by trace info "$odd"
[ $rc = 0 ] && grep -qF 'caf\xe9\x1b[31m' "$dir/out"
result $? "trace info of a name that is not UTF-8"
by trace check "$odd"
[ $rc = 0 ] && grep -qF 'caf\xe9\x1b[31m: sound' "$dir/out"
result $? "trace check of a name that is not UTF-8"
refuses "a missing trace whose name is not UTF-8" 'gone\xe9\x1b: cannot be opened' run --trace "$(printf 'gone\xe9\x1b')"
sed -i "s/^-kernel name = probe/-kernel name = probe$(printf '\xe9')/" "$dir/a/kernel-1.traceg"
by run --trace a --json -
[ $rc = 0 ] && grep -qF '"name": "probe\\xe9"' "$dir/out"
result $? "a kernel whose name is not UTF-8"
for form in "" --sites --json; do
    by trace info a $form
    [ $rc = 0 ] && grep -qE 'probe\\+xe9' "$dir/out"
    result $? "trace info $form of it"
done

# --- files that would never end ----------------------------------------------------------------
# The pipe has no writer, so opening it would wait. `timeout` ends a command that waits.
mkfifo "$dir/lonely"
waits_not() { # waits_not NAME PARTS ARGS...
    local name=$1 parts=$2 good=0 part
    shift 2
    (cd "$dir" && timeout 60 "$byway" "$@") >"$dir/out" 2>"$dir/err" </dev/null
    [ $? = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] || good=1
    while IFS= read -r part; do grep -qF -- "$part" "$dir/err" || good=1; done < <(tr '|' '\n' <<<"$parts")
    result $good "$name"
}
for command in "run" "compare -p bl" "oracle" "advise" "trace info" "trace check" "trace convert -o x.bwt"; do
    given=--trace
    [[ $command =~ ^(trace|advise) ]] && given=
    waits_not "$command: a pipe that nobody writes to" "lonely: is a pipe that no program writes to; expected a trace file" \
        $command $given lonely
    waits_not "$command: a device" "/dev/zero: is a device; expected a trace file" $command $given /dev/zero
done
waits_not "sweep: a pipe as trace" "lonely: " sweep -t lonely -d s
waits_not "sweep: a device as grid" "/dev/zero: is a device; expected a grid file" sweep /dev/zero -d s
waits_not "sweep: a pipe as grid" "lonely: is a pipe; expected a grid file" sweep lonely -d s
waits_not "run: a pipe as advice" "lonely: is a pipe; expected an advice file" run -t a -a lonely
waits_not "compare: a pipe as oracle" "lonely: is a pipe" compare -t a -p bl --oracle lonely
waits_not "diff: a pipe" "lonely: is a pipe" diff lonely lonely
waits_not "reproduce: --beside a pipe" "lonely: is a pipe" reproduce 001 --claims --beside lonely --markdown s -d s
mkfifo "$dir/late"
{ sleep 0.3; cat "$dir/a/kernel-1.traceg"; } >"$dir/late" &
succeeds "a pipe whose writer comes a little late" run --trace late
wait

# --- pages named after traces --------------------------------------------------------------------
cp "$dir/a/kernel-1.traceg" "$dir/"$'caf\xe9.traceg'
"$byway" trace convert "$dir/a" -o "$dir/index.bwt"
refuses "a page for a name that is not UTF-8" 'caf\xe9.traceg: a page cannot be named after it' \
    compare -t $'caf\xe9.traceg' -p bl --pages pages
refuses "a page that would be the index" "index.bwt: its page would be the index" compare -t index.bwt -p bl --pages pages
succeeds "a name that is not UTF-8 without pages" compare -t $'caf\xe9.traceg' -p bl --json names.json

finish
