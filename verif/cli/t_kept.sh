#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_kept.sh - the cache of decoded text traces changes no result: whether an entry is read, is
# stale, is damaged or cannot be written; and entries are really read. The cache is in the folder
# that the XDG standard names, has a limit and can be emptied. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
unset BYWAY_KEPT
text=$dir/text other=$dir/other cache=$dir/xdg/byway/traces
export XDG_CACHE_HOME=$dir/xdg
unset BYWAY_CACHE BYWAY_CACHE_MB
plain() { # plain FILE: a result without the members that differ between any two runs
    grep -v '"sim\.\|seconds\|kips\|kcps\|rss\|command\|started\|"workload": "\|"trace": "' "$dir/$1"
}
run() { # run FILE [ARGUMENT...]: the text's result
    by run -t "$text/kernelslist.g" -o "$1" "${@:2}" && [ $rc = 0 ]
}
same() { # same A B
    cmp -s <(plain "$1") <(plain "$2")
}
kept() { # both files exist, and no others; prints their names
    line=$(echo "$cache"/*.kept) data=$line.bwt
    [ -s "$line" ] && [ -s "$data" ] && [ "$(ls "$cache" | wc -l)" = 2 ]
}
nothing() { # nothing is kept
    [ -z "$(ls "$cache" 2>/dev/null)" ]
}
sum_of() { # sum_of RESULT: its trace's checksum
    sed -n 's/.*"trace_xxh128": "\(.*\)".*/\1/p' "$dir/$1"
}

make_trace "$text" 128 300
make_trace "$other" 4 40
before=$(ls "$text")
by run -t "$text" -o folder.json
kept && [ "$(ls "$text")" = "$before" ]
result $? "a decoded text trace is cached, and nothing is written next to it"
BYWAY_KEPT=off run off.json && kept && rm "$line" "$data" && BYWAY_KEPT=off run off.json && nothing
result $? "off reads and writes nothing"
run part.json --max-cycles 2000 && nothing && run sampled.json --sample 16 --set sm.count=1 --set sm.ctas=1 && nothing
result $? "a trace that is not read to its end is not cached"
run first.json && kept && same off.json first.json
result $? "filling the cache does not change the result"
run second.json && same off.json second.json
result $? "reading the cache does not change the result"
by run -t "$text" -o again.json
[ -n "$(sum_of folder.json)" ] && [ "$(sum_of folder.json)" = "$(sum_of again.json)" ]
result $? "the cache is not part of the folder's checksum"

# Proves that the entry is read: it is replaced by another trace's entry, with valid checksums.
cp "$data" "$dir/own.bwt" && cp "$line" "$dir/own.line"
by trace convert "$other/kernelslist.g" -o "$data"
by run -t "$data" -o sum.json
read -r key _ rest < "$dir/own.line"
echo "$key $(sum_of sum.json) $rest" > "$line"
run forged.json && BYWAY_KEPT=off by run -t "$other/kernelslist.g" -o other.json &&
    ! same forged.json off.json && cmp -s <(plain forged.json | grep -v trace_xxh128) \
    <(plain other.json | grep -v trace_xxh128)
result $? "the cache entry is really read"

cp "$dir/own.line" "$line"
run stale.json && same off.json stale.json && cmp -s "$data" "$dir/own.bwt"
result $? "an entry with other data is ignored and replaced"
printf X | dd of="$data" bs=1 seek=200 conv=notrunc 2> /dev/null
run flipped.json && same off.json flipped.json && cmp -s "$data" "$dir/own.bwt"
result $? "a damaged entry is ignored and replaced"
head -c 40 "$dir/own.line" > "$line"
run cut.json && same off.json cut.json && cmp -s "$line" "$dir/own.line"
result $? "a truncated entry is ignored and replaced"
sed -i 's/^.../000/' "$line"
run build.json && same off.json build.json && cmp -s "$line" "$dir/own.line"
result $? "an entry of another build or text is ignored"

make_trace "$text" 64 300
run changed.json && BYWAY_KEPT=off run changed_off.json && same changed.json changed_off.json &&
    ! same changed.json off.json && [ "$(ls "$cache" | wc -l)" = 4 ]
result $? "a changed text is decoded again and cached in addition"

rm -rf "$cache"
mkdir -p "$dir/file"
: >"$dir/file/byway"
XDG_CACHE_HOME=$dir/file run nowhere.json && same changed.json nowhere.json && [ ! -s "$dir/err" ]
result $? "an unwritable cache is ignored silently"
BYWAY_KEPT=$dir/nowhere run nowhere.json && same changed.json nowhere.json && [ ! -s "$dir/err" ]
result $? "an unwritable folder is ignored silently"
(trap '' XFSZ && ulimit -f 0 && exec "$byway" run -t "$text/kernelslist.g" -o - 2> /dev/null) | cat > "$dir/full.json"
same changed.json full.json && nothing
result $? "a full disk is ignored silently"
mkdir "$dir/apart"
BYWAY_KEPT=$dir/apart run apart.json && [ "$(ls "$dir/apart" | wc -l)" = 2 ] && nothing &&
    BYWAY_KEPT=$dir/apart run apart.json && same changed.json apart.json
result $? "BYWAY_KEPT names another folder"

# --- the cache -----------------------------------------------------------------------------------
run first.json && kept && first=$(basename "$line") && touch -d '2 hours ago' "$cache"/*
run second.json && [ -n "$(find "$cache" -name '*.kept.bwt' -mmin -60)" ]
result $? "reading an entry counts as a use"
by cache info
[ $rc = 0 ] && grep -q "^folder  *$dir/xdg/byway$" "$dir/out" && grep -q '^decoded traces  *2 files ' "$dir/out"
result $? "cache info prints the location and the number of files"
big=$dir/big
make_trace "$big" 7 3000
printf x | dd of="$dir/xdg/byway/0123456789abcdef.so" bs=1 seek=999999 2> /dev/null
touch -d '3 hours ago' "$dir/xdg/byway/0123456789abcdef.so"
touch -d '2 hours ago' "$cache"/*
echo mine >"$dir/xdg/byway/mine.txt"
echo mine >"$cache/mine.bwt"
BYWAY_CACHE_MB=1 by run -t "$big" -o big.json
[ ! -e "$dir/xdg/byway/0123456789abcdef.so" ] && [ -e "$cache/$first" ] && [ "$(ls "$cache"/*.kept | wc -l)" = 2 ]
result $? "above the limit least recently used files are removed, no more than necessary"
BYWAY_CACHE_MB=0 by run -t "$other" -o other.json
[ $rc = 0 ] && [ "$(ls "$cache")" = mine.bwt ]
result $? "with a limit of zero nothing is cached"
run first.json && by cache clear && [ "$(ls "$cache")" = mine.bwt ] && [ "$(ls "$dir/xdg/byway")" = "mine.txt
traces" ] && grep -q '^decoded traces  *2 files ' "$dir/out"
result $? "cache clear removes only cached files"
by cache clear && [ $rc = 0 ] && grep -q '^decoded traces  *0 files ' "$dir/out"
result $? "an empty cache can be cleared"
mkdir "$dir/elsewhere"
BYWAY_CACHE=$dir/elsewhere run own.json && [ "$(ls "$dir/elsewhere/traces" | wc -l)" = 2 ]
result $? "BYWAY_CACHE names another folder"
HOME=$dir/home XDG_CACHE_HOME='' run home.json && [ "$(ls "$dir/home/.cache/byway/traces" | wc -l)" = 2 ]
result $? "without XDG_CACHE_HOME the cache is below HOME"
BYWAY_CACHE_MB=much refuses "a limit that is not a number" "BYWAY_CACHE_MB is 'much'; expected a whole number" run -t "$text" -o x.json
refuses "an unknown action" "unknown action 'cache empty'; expected info or clear" cache empty
pids=()
for i in 1 2 3 4 5 6; do
    (BYWAY_CACHE_MB=$((i % 2)) "$byway" run -t "$text" -o "$dir/many$i.json" >/dev/null 2>"$dir/many$i.err" || echo failed >>"$dir/many") &
    pids+=($!)
done
wait "${pids[@]}"
[ ! -e "$dir/many" ] && for i in 1 2 3 4 5 6; do same changed.json many$i.json || break; done
result $? "processes that add and evict concurrently give the same result"
finish
