#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sources.sh - every constant of fermi.cfg has a source: its block starts with "# Source: ...", or
# its own line, or the comment directly before it, says "fitted". TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log
config=cmodel/configs/machines/fermi.cfg

# Prints the keys of a machine file without a source.
unsourced() {
    awk '/^$/ { source = 0; next }
         /^# Source: ./ { source = 1 }
         /^#/ { comment = comment $0; next }
         { if (!source && comment $0 !~ /fitted/ && $1 !~ /^(base|machine[.].*)$/) print FILENAME ":" NR ": " $1; comment = "" }' "$1"
}

unsourced "$config" >"$dir/log"
[ ! -s "$dir/log" ]
result $? "every constant of fermi.cfg has its source, or is fitted"
[ "$(grep -c ' = ' "$config")" -gt 100 ]
result $? "fermi.cfg has more than 100 constants"
sed '/^# Source: recorded, as GTX 480 (GDDR5/d' "$config" >"$dir/less.cfg"
[ "$(unsourced "$dir/less.cfg" | grep -c dram)" -gt 20 ]
result $? "a block without a source is detected"
sed 's/; fitted to the/; from the/' "$config" >"$dir/less.cfg"
sed -i '/^# Source: GTX 480 (its/d' "$dir/less.cfg"
unsourced "$dir/less.cfg" | grep -q icnt.eject_latency
result $? "a constant without its mark 'fitted' is detected"

# fermi_gpgpusim is fermi with Accel-Sim's rules.
[ "$(sed -n 's/^\([a-z0-9_.]*\) = .*/\1/p' cmodel/configs/machines/fermi_gpgpusim.cfg | sort | tr '\n' ' ')" = \
    "base icache.behind_last icache.mshr_merges l1d.atomic_keeps l1d.bypass_trackers l1d.index l1d.stale_fills machine.title sm.atomic_waits sm.branch_units " ]
result $? "fermi_gpgpusim differs from fermi in the seven rules of Accel-Sim and the set index of the recorded runs only"
unsourced cmodel/configs/machines/fermi_gpgpusim.cfg >"$dir/log"
[ ! -s "$dir/log" ]
result $? "every constant of fermi_gpgpusim.cfg has its source, or is fitted"
finish
