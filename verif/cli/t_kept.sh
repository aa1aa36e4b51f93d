#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_kept.sh - what is kept of a decoded text trace changes no result: not when it is read, not when the text has
# changed, not when it is damaged, not where it cannot be written; and it is read.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
unset BYWAY_KEPT
text=$dir/text other=$dir/other line=$dir/text/kernelslist.g.kept
data=$line.bwt
plain() { # plain FILE: a result without what differs between any two runs
    grep -v '"sim\.\|seconds\|kips\|kcps\|rss\|command\|started\|"workload": "\|"trace": "' "$dir/$1"
}
run() { # run FILE [ARGUMENT...]: the text's result
    by run -t "$text/kernelslist.g" -o "$1" "${@:2}" && [ $rc = 0 ]
}
same() { # same A B
    cmp -s <(plain "$1") <(plain "$2")
}
kept() { # both files are there
    [ -s "$line" ] && [ -s "$data" ]
}
sum_of() { # sum_of RESULT: its trace's checksum
    sed -n 's/.*"trace_xxh128": "\(.*\)".*/\1/p' "$dir/$1"
}

make_trace "$text" 128 300
make_trace "$other" 4 40
by run -t "$text" -o folder.json
BYWAY_KEPT=off run off.json && kept && rm "$line" "$data"
result $? "a folder's list keeps its text; off reads and writes nothing"
BYWAY_KEPT=off run off.json && ! [ -e "$line" ] && ! [ -e "$data" ]
result $? "off writes nothing"
run part.json --max-cycles 2000 && ! kept && run sampled.json --sample 16 --set sm.count=1 --set sm.ctas=1 && ! [ -e "$line" ]
result $? "a trace that is not read to its end is not kept"
run first.json && kept && same off.json first.json
result $? "the run that keeps has the result of one that does not"
run second.json && same off.json second.json
result $? "so has the run that reads what was kept"
by run -t "$text" -o again.json
[ -n "$(sum_of folder.json)" ] && [ "$(sum_of folder.json)" = "$(sum_of again.json)" ]
result $? "the folder's checksum leaves it out"

# That it is read shows when it is another trace's, with all sums right.
cp "$data" "$dir/own.bwt" && cp "$line" "$dir/own.line"
by trace convert "$other/kernelslist.g" -o "$data"
by run -t "$data" -o sum.json
read -r key _ rest < "$dir/own.line"
echo "$key $(sum_of sum.json) $rest" > "$line"
run forged.json && BYWAY_KEPT=off by run -t "$other/kernelslist.g" -o other.json &&
    ! same forged.json off.json && cmp -s <(plain forged.json | grep -v trace_xxh128) \
    <(plain other.json | grep -v trace_xxh128)
result $? "what was kept is what is read"

cp "$dir/own.line" "$line"
run stale.json && same off.json stale.json && cmp -s "$data" "$dir/own.bwt"
result $? "data that are not the line's do not count, and are kept anew"
printf X | dd of="$data" bs=1 seek=200 conv=notrunc 2> /dev/null
run flipped.json && same off.json flipped.json && cmp -s "$data" "$dir/own.bwt"
result $? "nor do damaged ones"
head -c 40 "$dir/own.line" > "$line"
run cut.json && same off.json cut.json && cmp -s "$line" "$dir/own.line"
result $? "nor does a line that is cut"
sed -i 's/^.../000/' "$line"
run build.json && same off.json build.json && cmp -s "$line" "$dir/own.line"
result $? "nor what another build, or of another text, has kept"

make_trace "$text" 64 300
run changed.json && BYWAY_KEPT=off run changed_off.json && same changed.json changed_off.json &&
    ! same changed.json off.json && ! cmp -s "$line" "$dir/own.line"
result $? "after a change of the text it is read again"

rm -f "$line" "$data"
BYWAY_KEPT=$dir/nowhere run nowhere.json && same changed.json nowhere.json && [ ! -s "$dir/err" ]
result $? "a folder that cannot be written does no harm, and nothing is said"
(trap '' XFSZ && ulimit -f 0 && exec "$byway" run -t "$text/kernelslist.g" -o - 2> /dev/null) | cat > "$dir/full.json"
same changed.json full.json && ! [ -e "$line" ] && ! [ -e "$data" ]
result $? "nor does a disk that takes no byte"
mkdir "$dir/apart"
BYWAY_KEPT=$dir/apart run apart.json && [ "$(ls "$dir/apart" | wc -l)" = 2 ] && ! [ -e "$line" ] &&
    BYWAY_KEPT=$dir/apart run apart.json && same changed.json apart.json
result $? "a folder of one's choice"
finish
