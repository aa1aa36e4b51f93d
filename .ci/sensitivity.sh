#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# sensitivity.sh BYWAY DIR >TABLE.md - the effect of choices that paper 000 does not state on its
# results: geometric means of IPC over BL on its CNF and CF workloads, mean and standard deviation
# of one of REPEAT (3) runs with noise.  A mean that moves by more than 3 % and two deviations
# against the first row is bold.  Runs are kept in DIR; the same command resumes.  SETS="cnf"
# CHOICES="fold trackers" select a part.
set -eu
cd "$(dirname "$0")/.."
byway=$1 dir=$2 repeat=${REPEAT:-3}
sets=(${SETS:-cnf cf})
policies=(ball mrpb decoupled decoupled_duel)
# name: machine, settings, what it is
declare -A choice=(
    [linear]="fermi_linear||\`fermi_linear\`: linear set index"
    [hash]="fermi||\`fermi\`: set index of the documented simulator configuration"
    [fold]="fermi_linear|l1d.index=fold|all address bits folded into the set index, for any number of sets"
    [trackers]="fermi_linear|l1d.bypass_trackers=1024|bypassed loads in flight unlimited (64)"
    [joins]="fermi_linear|l1d.bypass_joins=1000000|a bypassed load shares the answer of another one until it comes"
    [l2_index]="fermi_linear|l2.index=ipoly|hashed set index of the L2"
)
order=(linear ${CHOICES:-hash fold trackers joins l2_index})
list() { local IFS=,; echo "$*"; }
mkdir -p "$dir"

for name in "${order[@]}"; do
    IFS='|' read -r machine setting _ <<<"${choice[$name]}"
    for set in "${sets[@]}"; do
        "$byway" sweep -m "$machine" -p "bl,$(list "${policies[@]}")" -w "@$set" ${setting:+--set "$setting"} --repeat "$repeat" \
            -d "$dir/$name-$set" -j "${JOBS:-2}" >&2
    done
done
# means NAME-SET: for each policy the mean and the deviation over the seeds of the geometric mean over the workloads
means() {
    awk -F, -v policies="$(list "${policies[@]}")" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { seed = "noise.seed" in at ? $at["noise.seed"] : 0; seeds[seed]; load[$at["workload"]]
          ipc[seed, $at["workload"], $at["policy"]] = $at["ipc"] }
        END {
            count = split(policies, p, ",")
            for (k = 1; k <= count; k++) {
                n = sum = squares = 0
                for (s in seeds) {
                    logs = loads = 0
                    for (w in load) if (ipc[s, w, "bl"] > 0 && ipc[s, w, p[k]] > 0) { logs += log(ipc[s, w, p[k]] / ipc[s, w, "bl"]); loads++ }
                    v = loads > 0 ? exp(logs / loads) : 0; n++; sum += v; squares += v * v
                }
                mean = sum / n; sd = n > 1 ? sqrt((squares - n * mean * mean > 0 ? squares - n * mean * mean : 0) / (n - 1)) : 0
                printf "%s%.5f %.5f", (k > 1 ? " " : ""), mean, sd
            }
            print "" }' "$1/results.csv"
}
echo "IPC over BL, geometric means; mean ± standard deviation of one of $repeat runs with noise. Bold: moved by more than 3 % and two deviations."
printf '\n| choice |'
for set in "${sets[@]}"; do for p in "${policies[@]}"; do printf ' %s %s |' "${set^^}" "$p"; done; done
printf '\n|---|'
for set in "${sets[@]}"; do for p in "${policies[@]}"; do printf -- '--:|'; done; done
echo
for name in "${order[@]}"; do
    IFS='|' read -r _ _ what <<<"${choice[$name]}"
    printf '| %s |' "$what"
    for set in "${sets[@]}"; do
        paste -d ' ' <(means "$dir/linear-$set") <(means "$dir/$name-$set") | awk '{
            half = NF / 2
            for (k = 1; k < half; k += 2) {
                a = $k; b = $(half + k); sa = $(k + 1); sb = $(half + k + 1); d = b / a - 1; far = b - a
                d = d < 0 ? -d : d; far = far < 0 ? -far : far; mark = d > 0.03 && far > 2 * (sa > sb ? sa : sb) ? "**" : ""
                printf " %s%.3f ± %.3f%s |", mark, b, sb, mark } }'
    done
    echo
done
