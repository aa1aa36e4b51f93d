# SPDX-License-Identifier: Apache-2.0
#
# liberty_units.sh - for liberty.sh and timing.sh, which source it from the top of the tree with
# their arguments FILE NAME...: checks them, leaves NAME... and sets `liberty` (the file's full
# path) and `out` (the folder of results).  UNITS_TXT: instead of synth/units.txt.
[ $# -ge 2 ] && [ -r "$1" ] || {
    echo "${0##*/}: expected a readable Liberty file and names of synth/units.txt" >&2
    exit 2
}
liberty=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
units=${UNITS_TXT:-synth/units.txt}
out=${B:-build}/synth
mkdir -p "$out"

# unit NAME: sets `top`, its sources `files`, and `chparam`, the Yosys command for its parameters.
unit() {
    line=$(grep "^$1|" "$units") || { echo "$units has no $1" >&2; exit 2; }
    top=$(echo "$line" | cut -d'|' -f2)
    files=$(synth/files.sh "$top")
    params=$(rtl/config.sh expand "$top" "$(echo "$line" | cut -d'|' -f3)") || exit 2
    chparam=
    for p in $params; do chparam="$chparam -set ${p%%=*} ${p#*=}"; done
    [ -z "$chparam" ] || chparam="chparam$chparam $top"
}
