#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_quotes.sh - the long checks seed faults by sed commands that quote the RTL; each still changes its file. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder old

changes() { # changes FILE COMMAND: the sed command changes the file
    ! sed "$2" "$1" 2>>"$dir/old" | cmp -s - "$1"
}
module() { # module NAME: its file
    find rtl fpga -name "$1.v"
}
judge() { # judge TABLE READER: READER prints "file<tab>command" for each of its lines
    local file command
    : >"$dir/old"
    while IFS=$'\t' read -r file command; do
        [ -n "$file" ] && changes "$file" "$command" || echo "$file: $command" >>"$dir/old"
    done < <("$2" <"$1")
    [ -s "$1" ] && [ ! -s "$dir/old" ]
    result $? "every fault of ${1#verif/} changes its file"
}

of_units() {
    local name parameters parts command rest
    while IFS=@ read -r name parameters parts command rest; do
        [[ $name != '#'* && -n $command ]] && printf '%s\t%s\n' "$(module "$name")" "$command"
    done
}
of_bytes() {
    local kind properties name parameters command rest
    while IFS=@ read -r kind properties name parameters command rest; do
        [ "$kind" != fault ] || printf '%s\t%s\n' "$(module "$name")" "$command"
    done
}
of_adapters() {
    local program file command words
    while IFS=$'\t' read -r program file command words; do
        [[ $program == '#'* ]] || printf '%s\t%s\n' "fpga/adapters/$file" "$command"
    done
}
of_softgpu() { # a command may hold a bar, the words after it do not
    sed -n '/^#/d; s/^[^|]*|\([^|]*\)|\(.*\)|[^|]*$/\1\t\2/p'
}

judge verif/formal/units.txt of_units
judge verif/formal/bytes.txt of_bytes
judge verif/adapters/breaks.txt of_adapters
judge verif/softgpu/faults.txt of_softgpu
changes rtl/l1d/byw_fill.v 's/no such text/nor this/'
[ $? = 1 ]
result $? "a command that changes nothing is refused"
finish
