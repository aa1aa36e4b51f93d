#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_workload_sizes.sh - where the sizes of each workload come from: the registry gives a reason for each, and
# cmodel/workloads/README.md and TABLE.md agree with it.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
command -v node >/dev/null || skip_all "no node, which reads the list; apt-get install nodejs"
readme=cmodel/workloads/README.md

by list workloads --json
cp "$dir/out" "$dir/list.json"
# names FILTER: the sorted names of the workloads whose reason matches.
names() {
    node -e '
        const list = JSON.parse(require("fs").readFileSync(process.argv[1]));
        const re = new RegExp(process.argv[2]);
        for (const w of list) if (re.test(w.reason)) console.log(w.name)' "$dir/list.json" "$1" | sort
}
all=$(names '' | wc -l) follow=$(names '^paper: [^;]+; small follows: ' | wc -l) depart=$(names '^paper: [^;]+; small departs: ' | wc -l)
[ "$all" -gt 50 ] && [ $((follow + depart)) = "$all" ]
result $? "each of $all workloads says where size paper comes from, and whether small follows the rule"
grep -qF "Of $all workloads $follow follow it; $depart depart from it:" $readme
result $? "README counts them"
sed -n '/^| why `small` departs/,/^$/p' $readme | sed 1,2d | cut -d '|' -f 3 | sed 's/([^)]*)//g' | tr ',' '\n' | tr -d ' ' | grep . | sort >"$dir/listed"
names '; small departs: ' | diff "$dir/listed" - >"$dir/err"
result $? "README gives a cause for each that departs, and for no other"
node -e '
    const fs = require("fs"), list = JSON.parse(fs.readFileSync(process.argv[1])), table = fs.readFileSync(process.argv[2], "utf8");
    const bad = list.filter(w => !table.split("\n").some(l => l.startsWith("| " + w.name + " |") && l.endsWith("| " + w.reason + " |")));
    console.error(bad.map(w => w.name).join(" "));
    process.exit(bad.length ? 1 : 0)' "$dir/list.json" cmodel/workloads/TABLE.md 2>"$dir/err"
result $? "TABLE.md shows each reason (make workload-table)"
by list workloads
tr -s ' \n' ' ' <"$dir/out" | grep -qF "paper: suite's default (the paper's count fits 256 letters); small follows: rows of the default"
result $? "byway list workloads prints it"
finish
