#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_own_machine.sh - traces of a user's own programs run on h200 with policies that h200 supports,
# shipped workloads on fermi, and the first line of each result names the machine; README's list of
# policies runs. `byway doctor` and `byway --version`. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
readme=$PWD/README.md
. verif/cli/cli.sh
export BYWAY_KEPT=off
make_trace "$dir/a" 1 4
names() { # names NAME MACHINE COMMAND...: exit 0, and the first line names the machine
    local name=$1 machine=$2
    shift 2
    by "$@"
    [ $rc = 0 ] && head -n 1 "$dir/out" | grep -qiw -- "$machine"
    result $? "$name names $machine first"
}
names "run of a trace" h200 run -t a
names "run of a workload" fermi run -w nw_nospm --max-cycles 1000
names "compare of a trace" h200 compare -t a
grep -q '^a ' "$dir/out" && ! grep -q '\[1\]' "$dir/out"
result $? "every default policy runs there"
list=$(sed -n 's/^byway compare -t a.bwt .*-p \([a-z_,]*\).*/\1/p' "$readme")
names "compare with README's list" h200 compare -t a -m h200 -p "$list"
names "compare of a workload" fermi compare -w nw_nospm -p bl,ball --set sm.count=1
names "oracle of a trace" h200 oracle -t a
names "oracle of a workload" fermi oracle -w nw_nospm
names "tune to a trace" h200 tune -t a --held nw_nospm -n 2 -d tuned -j 2
names "tune to a workload" fermi tune -w nw_nospm --held bfs -p pc -n 2 -d tuned2 -j 2
names "advise" h200 advise a
names "cost" fermi cost
names "cost" h200 cost -m h200
by sweep -t a -d s
[ $rc = 0 ] && [ "$(tail -n +2 "$dir/s/results.csv" | cut -d, -f3 | sort -u)" = h200 ] && [ "$(wc -l <"$dir/s/results.csv")" = 5 ]
result $? "sweep of a trace runs on h200"
refuses "a policy of another time says where it runs" "machine h200 refuses policy decoupled|-m fermi" run -t a -p decoupled

by --version
[ $rc = 0 ] && grep -Eqx 'byway [0-9.]+ \(([0-9a-f]{12}(-dirty)?|unknown)\)' "$dir/out"
result $? "--version has the commit"
by doctor
[ $rc = 0 ] && for part in capture clang libclc nvcc ptxas nvdisasm python3 numpy sqlite cache processors; do
    grep -q "^\(ok\|--\)  $part " "$dir/out" || break
done
result $? "doctor shows every part"
mkdir "$dir/empty"
(cd "$dir" && PATH=$dir/empty CUDA_HOME='' BYWAY_PYTHON='' BYWAY_CLANG=/nope BYWAY_CACHE=$dir/a/kernelslist.g "$byway" doctor) >"$dir/out" 2>"$dir/err"
[ $? = 0 ] && grep -A1 '^--  clang ' "$dir/out" | grep -q 'make deps-all' && grep -A1 '^--  python3 ' "$dir/out" | grep -q 'apt-get install python3' &&
    grep -A1 '^--  cache ' "$dir/out" | grep -q 'is not a folder' && grep -A1 '^--  patch ' "$dir/out" | grep -q 'apt-get install patch'
result $? "doctor says for missing parts what they enable and how to get them"
by trace capture --help
[ $rc = 0 ] && grep -q -- '--instructions' "$dir/out" && ! grep -qE -- '--(sites|to|sms|arch)\b' "$dir/out"
result $? "the help of one trace action has its options only"
by trace info --help
[ $rc = 0 ] && grep -q -- '--sites' "$dir/out" && ! grep -qE -- '--(instructions|time|to|arch)\b' "$dir/out"
result $? "likewise of another"
finish
