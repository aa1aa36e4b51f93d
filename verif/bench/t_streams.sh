#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_streams.sh - what cmodel/doc/streams.md says of bypassing streams (streams.sh): it has no effect with as many trackers
# as MSHRs; otherwise trackers, DRAM scheduler and write policy decide whether it gains or loses.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v jq >/dev/null || skip_all "no jq, which reads the results; apt-get install jq"
table=$(REPEAT=2 verif/bench/streams.sh)
[ "$(wc -l <<<"$table")" = 16 ]
result $? "the tables have ten and three rows"
value() { # value ROW COLUMN: 1 sum, 2 triad, 3 copy
    grep -F "$1" <<<"$table" | awk -F'|' -v c="$2" '{ split($(c + 2), v, " "); print v[1] }'
}
is() { # is VALUE LOW HIGH
    awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(v != "" && v > low && v < high) }'
}
for c in 1 2 3; do is "$(value 'trackers = 32' $c)" .97 1.03 || break; done
result $? "with as many trackers as MSHRs, bypassing is neutral"
is "$(value '`fermi`' 3)" .8 .95 && is "$(value '`fermi`' 2)" 1 1.1
result $? "with more of them, copy loses and triad does not"
is "$(value 'trackers = 16' 1)" .5 .7
result $? "with fewer, a stream of loads loses most"
is "$(value 'scheduler = fcfs' 3)" 1 1.15 && is "$(value 'scheduler = fcfs' 2)" 1.1 1.3
result $? "with FCFS copy and triad gain"
is "$(value '| `dram.ideal' 3)" .97 1.03 && is "$(value '| `l2.write_miss' 3)" .96 1.03 && is "$(value '| `l2.write_miss' 2)" 1.08 1.25
result $? "ideal DRAM and lazy writes end copy's loss, and lazy writes let triad gain"
same=0 # rows of the second table that the page shows
while read -r row; do
    ! grep -qF "$row" cmodel/doc/streams.md || same=$((same + 1))
done < <(grep '^| `fermi_gpgpusim`' <<<"$table")
[ "$same" = 3 ]
result $? "the page shows what fermi_gpgpusim takes, beside Accel-Sim's cycles"
finish
