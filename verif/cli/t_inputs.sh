#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_inputs.sh - inputs of the wrong kind: configuration files that are not files or not text, names
# that are not UTF-8, rules that name their values.  Prints TAP.
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
    run --trace a --set l2.slices=7
refuses "a policy that a machine refuses" \
    "machine v100 refuses policy decoupled|(here l1d.allocate = on_fill, policy.mode = decoupled)" \
    run --trace a --machine v100 --policy decoupled

# --- names that are not UTF-8, and would give a terminal orders ---------------------------------------
odd=$(printf 'caf\xe9\x1b[31m')
cp -r "$dir/a" "$dir/$odd"
by run --trace "$odd" --json -
[ $rc = 0 ] && grep -qF '"workload": "caf\\xe9\\x1b[31m"' "$dir/out"
result $? "the result of a trace whose name is no UTF-8"
by run --trace "$odd"
[ $rc = 0 ] && head -n 1 "$dir/out" | grep -qF 'caf\xe9\x1b[31m on fermi with bl'
result $? "its table"
by trace info "$odd" --json
[ $rc = 0 ] && grep -qF '"trace": "caf\\xe9\\x1b[31m"' "$dir/out"
result $? "what it holds, as JSON"
by trace info "$odd"
[ $rc = 0 ] && grep -qF 'caf\xe9\x1b[31m' "$dir/out"
result $? "what it holds"
by trace check "$odd"
[ $rc = 0 ] && grep -qF 'caf\xe9\x1b[31m: sound' "$dir/out"
result $? "that it is sound"
refuses "a missing one" 'gone\xe9\x1b: cannot be opened' run --trace "$(printf 'gone\xe9\x1b')"
sed -i "s/^-kernel name = probe/-kernel name = probe$(printf '\xe9')/" "$dir/a/kernel-1.traceg"
by run --trace a --json -
[ $rc = 0 ] && grep -qF '"name": "probe\\xe9"' "$dir/out"
result $? "a kernel whose name is no UTF-8"
for form in "" --sites --json; do
    by trace info a $form
    [ $rc = 0 ] && grep -qE 'probe\\+xe9' "$dir/out"
    result $? "trace info $form of it"
done

finish
