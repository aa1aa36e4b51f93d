#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_tune.sh - byway tune: a planted optimum is found, the budget is obeyed, the same seed gives the
# same search, and existing results are reused. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
for i in 1 2 3 5 7 9; do
    make_trace "$dir/t$i" $i $((20 + i))
done
traces=(-t t1 -t t2 -t t3 -t t5 -t t7 -t t9)
number() { # number FILE MEMBER: its first value
    sed -n "s/.*\"$2\": \(-\{0,1\}[0-9.e-]*\),\{0,1\}$/\1/p" "$dir/$1" | head -n 1
}
members() { # members FILE MEMBER: all its values
    sed -n "s/.*\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$dir/$1"
}

# A machine file with two outstanding misses moves the optimum.
sed 's/^l1d.mshrs *=.*/l1d.mshrs = 2/' cmodel/configs/machines/fermi.cfg >"$dir/poor.cfg"
values=(--set l1d.mshrs=1,2,4,8,64 --set l1d.miss_queue=1,2,8 --set l1d.ways=1,2,4)
by tune -m poor.cfg -p bl "${traces[@]}" "${values[@]}" -n 45 -d d -j 2 --json one.json
[ $rc = 0 ] && [ "$(members one.json settings | wc -l)" -ge 45 ]
result $? "every combination is a candidate when they are few"
# An exhaustive search on the tuning workloads agrees.
tuned=$(awk -F'"' '/"workload":/ { w = $4 } /"set": "tuning"/ { print w }' "$dir/one.json")
line=$(tail -n 1 "$dir/out")
by sweep -d all -m poor.cfg -p bl "${traces[@]}" "${values[@]}" -j 2
best=$(awk -F, -v tuned="$(echo $tuned)" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(tuned, t, " "); for (i in t) want[t[i]] = 1; next }
    want[$at["workload"]] {
        c = $at["l1d.mshrs"] "/" $at["l1d.miss_queue"] "/" $at["l1d.ways"]
        sum[c] += log($at["ipc"])
    }
    END {
        for (c in sum) if (top == "" || sum[c] > sum[top]) top = c
        print top, exp(sum[top] / n)
    }' "$dir/all/results.csv")
found=$(awk '/"set":/ { tuning = /tuning/ } /"ipc_best":/ && tuning { s += log($2 + 0); n++ } END { print exp(s / n) }' "$dir/one.json")
echo "# the best of all: $best; found: $found"
awk -v a="${best#* }" -v b="$found" 'BEGIN { exit !(a > 0 && (a - b) / a < 1e-9 && (b - a) / a < 1e-9) }'
result $? "the planted optimum is found"
awk -v m="$(number one.json tuning_mean)" -v h="$(number one.json held_out_mean)" 'BEGIN { exit !(m > 1.1 && h > 1.1) }'
result $? "the optimum is far above the file's values, on held-out workloads, too"
[ "$(members one.json set | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 2 held out; 4 tuning;" ]
result $? "a third of the workloads is held out"
# shellcheck disable=SC2086 # words of a command
by $(sed 's/^byway //; s/-w WORKLOAD$/-t t1 --json best.json/' <<<"$line")
[ $rc = 0 ] && [ "$(number best.json ipc)" = "$(awk '/"workload": "t1"/ { t = 1 } t && /"ipc_best":/ { print $2 + 0 ""; exit }' OFMT=%.17g CONVFMT=%.17g "$dir/one.json")" ]
result $? "the table ends with the command that uses it"
by tune -m poor.cfg -p bl "${traces[@]}" "${values[@]}" -n 45 -d d -j 1
[ "$(grep -c 'runs, ' "$dir/err")" -ge 3 ] && ! grep 'runs, ' "$dir/err" | grep -qv ' 0 to do'
result $? "existing results are not repeated"
by tune -m poor.cfg -p bl "${traces[@]}" "${values[@]}" -n 45 -d d --json two.json
cmp -s "$dir/one.json" "$dir/two.json"
result $? "the same seed gives the same bytes"

# --- the ranges of keys, and the budget
by tune -m fermi -p decoupled "${traces[@]}" -n 12 -d r -j 2 --json free.json
[ $rc = 0 ] && [ "$(members free.json storage_bits | awk '$1 > 9000' | wc -l)" -gt 2 ]
result $? "without a budget some candidates are large"
by tune -m fermi -p decoupled "${traces[@]}" -n 12 -d r -j 2 --bits 9000 --json tight.json
[ $rc = 0 ] && [ "$(members tight.json storage_bits | wc -l)" -ge 12 ] &&
    [ "$(members tight.json storage_bits | awk '$1 > 9000' | wc -l)" = 0 ]
result $? "no candidate is above the budget"
by tune -m fermi -p decoupled "${traces[@]}" -n 12 -d r -j 2 --bits 8000 --json less.json
[ $rc = 0 ] && [ "$(number less.json storage_bits)" -le 8000 ]
result $? "the file's values are no candidate"
refuses "a budget that nothing fits" "--bits 10: policy decoupled has no values that fit; the least found is" \
    tune -m fermi -p decoupled -t t1 -n 3 -d no --bits 10
by tune -m fermi -p decoupled "${traces[@]}" -n 12 --seed 2 -d r -j 2 --json other.json
[ $rc = 0 ] && ! cmp -s <(grep -o '"decoupled[^"]*"' "$dir/free.json") <(grep -o '"decoupled[^"]*"' "$dir/other.json")
result $? "another seed, other candidates"
by tune -m fermi -p decoupled -t t1 -t t2 --held nw -n 4 -k decoupled.threshold -d r -j 2 --json held.json
[ $rc = 0 ] && [ "$(members held.json set | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 1 held out; 2 tuning;" ] &&
    ! grep -o '"decoupled[.][^"=]*=' "$dir/held.json" | grep -qv threshold
result $? "held-out workloads and keys by name"

far=$(printf '%0200d/' {1..10})
mkdir -p "$dir/$far"
cp "$dir/poor.cfg" "$dir/${far}poor.cfg"
by tune -m "${far}poor.cfg" -p bl -t t1 --set l1d.mshrs=1,2 -n 2 -d far --html far.html
[ $rc = 0 ] && grep -q '>Machine poor, policy bl: .* on the tuning workloads\.<' "$dir/far.html"
result $? "the page names the machine, however long its path is"

# --- inputs
refuses "a policy without keys" "policy bl has no keys of its own; expected --keys or --set" tune -m fermi -p bl -t t1 -d no
refuses "an unknown key" "decoupled.thresold|did you mean" tune -m fermi -p decoupled -t t1 -k decoupled.thresold -d no
refuses "a text" "policy.title is a text" tune -m fermi -t t1 -k policy.title -d no
refuses "a value out of range" "l1d.mshrs" tune -m fermi -p bl -t t1 --set l1d.mshrs=0 -d no
refuses "no value" "has no '='" tune -m fermi -p bl -t t1 --set l1d.mshrs -d no
[ ! -e "$dir/no" ]
result $? "wrong input makes no folder"

finish
