#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# sampling.sh FOLDER [N] - the effect of --sample N (default 64) on the traces FOLDER/*.bwt (make
# workloads-paper, byway reproduce --size paper): its errors, its error bar and the time it saves.
# Every trace is simulated in part. For comparison, a trace is also simulated whole if sampling is
# useful for it: at most SHARE percent of the cycles were simulated (default 15), the error bar is at
# most BAR percent (5), and the whole is expected to take LEAST seconds of processor time (5). Prints one row
# per trace as it finishes, how many meet the bounds, and what the others reported; exit 1 if a run
# failed, 2 without traces. KEEP=DIR keeps the results and resumes from those present. MACHINE
# (fermi) and POLICY (bl) choose others.
set -u
refuse() { # refuse WHY
    echo "sampling.sh: $1; sampling.sh FOLDER [N], or make bench-sampling TRACES=FOLDER" >&2
    exit 2
}
folder=${1:-}
[ -n "$folder" ] || refuse "where are the traces?"
[ -d "$folder" ] || refuse "$folder is no folder"
traces=("$folder"/*.bwt)
[ -e "${traces[0]}" ] || refuse "no *.bwt in $folder"
n=${2:-64}
byway=${B:-$(dirname "$0")/../../build}/byway
keep=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] && mkdir -p "$keep" || trap 'rm -rf "$keep"' EXIT
TIMEFORMAT='%U'

run() { # run NAME TRACE [OPTION...]: the result in NAME.json, user seconds of all threads in NAME.s
    local at=$keep/$1
    [ -s "$at.s" ] && return
    { time "$byway" run -m "${MACHINE:-fermi}" -p "${POLICY:-bl}" -t "$2" "${@:3}" -o "$at.json" >"$at.err" 2>&1; } 2>"$at.time" ||
        { cat "$at.err" >&2; return 1; }
    mv "$at.time" "$at.s"
}
value() { # value NAME KEY: the first number of that key
    sed -n "s/.*\"$2\": \([-+0-9.e]*\).*/\1/p" "$keep/$1.json" | head -n 1
}
figures() { # figures NAME: cycles, miss rate, CTAs left out of how many, the bar's ends, user seconds
    echo "$(value "$1" cycles) $(value "$1" hit_rate_all) $(value "$1" ctas_left_out) $(value "$1" ctas)" \
        "$(value "$1" cycles_low) $(value "$1" cycles_high) $(cat "$keep/$1.s")"
}

worth() { # worth NAME: whether the sample qualifies, and its figures
    echo "$(value "$1.$n" cycles) $(value "$1.$n" cycles_simulated) $(value "$1.$n" cycles_low)" \
        "$(value "$1.$n" cycles_high) $(cat "$keep/$1.$n.s")" | awk -v name="$1" -v share="${SHARE:-15}" \
        -v bar="${BAR:-5}" -v least="${LEAST:-5}" '{
            part = 100 * $2 / $1; half = 50 * ($4 - $3) / $1; whole = $2 > 0 ? $5 * $1 / $2 : 0
            printf "%s (%.0f %%, ±%.1f %%, %.1f s)\n", name, part, half, $5
            exit !(part <= share && half <= bar && whole >= least)
        }'
}

compare() { # compare NAME: the row of NAME, and a line of what it keeps in the tally
    echo "$1 $(value "$1" cycles) $(value "$1" hit_rate_all) $(cat "$keep/$1.s") $(figures "$1.$n")" | awk -v tally="$tally" '
        function size(x) { return x < 0 ? -x : x }
        {
            error = 100 * ($5 / $2 - 1); points = 100 * ($3 - $6); times = $4 / $11
            printf "| %s | %d | %d %% | %+.2f %% | ±%.2f %% | %+.2f | %.1f / %.1f = %.1f |\n", $1, $2,
                100 * $7 / $8, error, 50 * ($10 - $9) / $5, points, $4, $11, times
            print ($9 <= $2 && $2 <= $10), (size(error) <= 5 && size(points) <= 1), (times >= 5) >>tally
        }'
}

tally=$keep/tally
: >"$tally"
echo "| input | cycles | CTAs left out | error | bar | miss rate, points | user s, whole / part |"
echo "|---|--:|--:|--:|--:|--:|--:|"
failed=0
others=
for trace in "${traces[@]}"; do
    w=$(basename "$trace" .bwt)
    run "$w.$n" "$trace" --sample "$n" || { failed=1; continue; }
    said=$(worth "$w") || { others="$others${others:+, }$said"; continue; }
    run "$w" "$trace" || { failed=1; continue; }
    compare "$w"
done
awk '
    { inside += $1; good += $2; fast += $3; both += $2 && $3 }
    END {
        printf "\n%d inputs: %d inside the bar, %d within 5 %% of the cycles and 1 point, ", NR, inside, good
        printf "%d in a fifth of the time or less, %d of them both\n", fast, both
    }' "$tally"
echo "not worth it by what the part says (cycles simulated, bar, user seconds): ${others:-none}"
exit $failed
