#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sweep.sh - byway sweep, merge and diff: which runs are made, what is kept, and what survives
# kill -9 at KILLS (default 10) random moments, a full disk and a second process. Prints TAP; SEED
# repeats the moments.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
kills=${KILLS:-10}
seed=${SEED:-$$}
echo "# again: SEED=$seed KILLS=$kills verif/cli/t_sweep.sh"
RANDOM=$seed
make_trace "$dir/a" 1 24
make_trace "$dir/b" 2 40

says() { # says NAME RC TEXT: the last command exited with RC and printed TEXT
    [ $rc = "$2" ] && grep -qF -- "$3" "$dir/err"
    result $? "$1"
}
count() { # count DIR: number of results in it
    ls "$dir/$1/runs" 2>/dev/null | wc -l
}
field() { # field CSV COLUMN: the column's values, in order
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$dir/$1"
}
plain() { # plain FILE: a result without provenance and times
    sed '/"sim": {/,/}/d; /"provenance": {/,/}/d; /"run_id"/d; s/,$//' "$1"
}

# --- what is run
by sweep -m fermi -d s -t a -t b -p bl,decoupled --set l1d.mshrs=16,32 -j 2
[ $rc = 0 ] && [ "$(count s)" = 8 ] && [ "$(wc -l <"$dir/s/results.csv")" = 9 ]
result $? "every combination is run once"
[ "$(field s/results.csv l1d.mshrs | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 4 16; 4 32;" ]
result $? "the varied key is a column"
[ "$(field s/results.csv run_id | sort)" = "$(ls "$dir/s/runs" | sed 's/\.json$//' | sort)" ]
result $? "the table has the runs' ids"
id=$(awk -F, '$2 == "b" && $4 == "decoupled" && $5 == 16 { print $1 }' "$dir/s/results.csv")
by run -m fermi -t b -p decoupled --set l1d.mshrs=16 --json one.json
plain "$dir/one.json" >"$dir/one"
plain "$dir/s/runs/$id.json" | cmp -s - "$dir/one"
result $? "a stored result equals that of byway run"
cat >"$dir/grid.ini" <<'EOF'
# the same points as two grids, which share half of the runs
[first]
machines = fermi
traces = a, b
policies = bl, decoupled
l1d.mshrs = 16, 32
[second]
machines = fermi
traces = b
policies = decoupled, bl
l1d.mshrs = 16
EOF
by sweep grid.ini -d g -j 2
[ $rc = 0 ] && [ "$(ls "$dir/g/runs")" = "$(ls "$dir/s/runs")" ]
result $? "a grid file gives the same ids, shared points once"
by sweep grid.ini -d o -j 1 --set l1d.mshrs=8 -p bl
[ $rc = 0 ] && [ "$(count o)" = 2 ] && [ "$(field o/results.csv policy | sort -u)" = bl ]
result $? "options override the file's lines"
by sweep -m fermi -d n -t a -p bl -n
[ $rc = 0 ] && [ "$(count n)" = 0 ] && grep -q '1 run, 0 done, 1 to do: about .* with -j' "$dir/err"
result $? "--dry-run prints the number of runs and makes none"
stamp=$(stat -c %Y.%i "$dir/s/runs/"* | sum)
by sweep -m fermi -d s -t a -t b -p bl,decoupled --set l1d.mshrs=16,32
[ $rc = 0 ] && [ "$(stat -c %Y.%i "$dir/s/runs/"* | sum)" = "$stamp" ]
result $? "existing results are not repeated"
cp -r "$dir/a" "$dir/kept"
make_trace "$dir/a" 1 25
by sweep -m fermi -d s -t a -p bl
[ $rc = 0 ] && [ "$(count s)" = 9 ]
result $? "a trace with other content is another run"

# --- refused, failed, damaged
by sweep -d r -t a -m fermi,v100 -p bl,decoupled -j 2
[ $rc = 0 ] && [ "$(field r/results.csv status | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 3 ok; 1 refused;" ] &&
    grep -q '"refused": "machine v100 refuses policy decoupled: ' "$dir"/r/runs/*.json
result $? "a refused run is stored as refused"
head -c 300 "$dir/a/kernel-1.traceg" >"$dir/bad.traceg"
by sweep -m fermi -d f -t a -t bad.traceg -p bl,ball -j 2
[ $rc = 1 ] && [ "$(count f)" = 2 ] && grep -q '2 of 4 runs failed.*bad.traceg' "$dir/err"
result $? "a failed run stops no other and is reported"
by sweep -m fermi -d f -t a -p bl,ball
[ $rc = 0 ]
result $? "without the failing run the sweep is complete"
cp -r "$dir/g" "$dir/d"
victim=$(ls "$dir/d/runs/"*.json | head -n 1)
head -c 500 "$dir/g/runs/${victim##*/}" >"$victim"
by merge d
says "merge names a damaged result" 2 "${victim##*/}: is damaged or was changed"
sed 's/"run_id": "./"run_id": "0/' "$dir/g/runs/${victim##*/}" >"$victim"
by merge d
[ $rc = 2 ] || cmp -s "$victim" "$dir/g/runs/${victim##*/}"
result $? "merge names a result under another's name"
head -c 500 "$dir/g/runs/${victim##*/}" >"$victim"
cp -r "$dir/kept/." "$dir/a"
by sweep grid.ini -d d
by diff d g
[ $rc = 0 ] && cmp -s <(plain "$victim") <(plain "$dir/g/runs/${victim##*/}")
result $? "sweep repeats a damaged run"

# --- diff
by diff s/runs/$id.json one.json
[ $rc = 0 ] && grep -q '^1 run in both, 0 differ' "$dir/out"
result $? "diff of equal runs"
by run -m fermi -t b -p decoupled --set l1d.mshrs=17 --json other.json
by diff one.json other.json
[ $rc = 1 ] && grep -q 'config l1d.mshrs  *16  *17$' "$dir/out"
result $? "diff names a key that differs"
sed 's/"cycles": \([0-9]\)/"cycles": 9\1/' "$dir/one.json" >"$dir/more.json"
by diff one.json more.json
[ $rc = 1 ] && grep -q '^  cycles ' "$dir/out" && grep -q '1 differ$' "$dir/out"
result $? "diff names a number that differs"
by diff one.json more.json --only l1d.
[ $rc = 0 ]
result $? "--only ignores other members"
by diff one.json more.json --tolerance 1
[ $rc = 1 ]
result $? "a tolerance is a fraction of the number"
by diff s o
[ $rc = 1 ] && grep -q 'in A only' "$dir/out"
result $? "runs that one sweep lacks"
by compare -m fermi -t b -p decoupled --set l1d.mshrs=16 --json compare.json
by diff one.json compare.json
[ $rc = 0 ]
result $? "diff reads comparisons"
refuses "--only that matches nothing" "--only: no member begins with 'l1d.hit_rat3'" diff one.json more.json --only l1d.hit_rat3
refuses "diff of something else" "compare.json.no: no such file" diff compare.json.no one.json
echo '{"schema": "x"}' >"$dir/x.json"
refuses "diff of another schema" "its schema is 'x'" diff x.json one.json

# --- inputs
refuses "unknown axis" "l1d.mshr|did you mean" sweep -m fermi -d x -t a --set l1d.mshr=3
refuses "value out of range" "l1d.mshrs" sweep -m fermi -d x -t a --set l1d.mshrs=0
refuses "no value" "has no value" sweep -m fermi -d x -t a --set l1d.mshrs=
refuses "no such machine" "nope" sweep -d x -t a -m nope
cp -r "$dir/a" "$dir/b,c"
succeeds "a trace with a comma in its name" sweep -m fermi -d comma -t b,c -p bl
refuses "no such trace" "gone" sweep -m fermi -d x -t gone
printf 'traces = a\npolicies bl\n' >"$dir/bad.ini"
refuses "a line without =" "bad.ini:2: 'policies bl' has no '='" sweep bad.ini -d x
printf 'traces = a\ntraces = b\n' >"$dir/bad.ini"
refuses "an axis twice" "bad.ini:2: 'traces' is repeated" sweep bad.ini -d x
printf 'traces = a\nl1d.ways = 4, many\n' >"$dir/bad.ini"
refuses "a value out of range in a file" "bad.ini:2: l1d.ways is 'many'; expected a whole number from 1 to 64" sweep bad.ini -d x
for line in machines=ferm policies=bal workloads=nowhere traces=gone; do
    printf 'l1d.ways = 4\n[second]\n\n%s\n' "$line" >"$dir/bad.ini"
    refuses "a name in a file that does not exist: $line" "bad.ini:4: |${line#*=}" sweep bad.ini -d x
done
refuses "merge of no sweep" "contains no results" merge kept
[ ! -e "$dir/x" ]
result $? "wrong input makes no folder"

# --- interruptions
grid=(-w nw,hotspot,lud -p bl,decoupled,ball --set l1d.mshrs=16,32)
by sweep -d calm "${grid[@]}" -j 2
[ $rc = 0 ] && [ "$(count calm)" = 18 ]
result $? "an undisturbed sweep"
by merge calm --csv calm.csv
start() { # start DIR: starts a sweep in the background; its pid is in $pid
    (cd "$dir" && exec "$byway" sweep -d "$1" "${grid[@]}" -j 2) >"$dir/bg.out" 2>"$dir/bg.err" </dev/null &
    pid=$!
}
whole() { # whole DIR NAME: DIR equals the undisturbed sweep
    by sweep -d "$1" "${grid[@]}" -j 2
    local ended=$rc
    by merge "$1" --csv "$1.csv"
    [ $ended = 0 ] && [ $rc = 0 ] && cmp "$dir/calm.csv" "$dir/$1.csv" >>"$dir/err" &&
        [ "$(ls "$dir/$1/runs")" = "$(ls "$dir/calm/runs")" ]
    result $? "$2"
}
early=0
for ((i = 0; i < kills; i++)); do
    # Every fifth sweep uses a new folder, so that sweeps are killed at their start, too.
    start "k$((i / 5))"
    sleep "0.$(printf %03d $((RANDOM % 400)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ "$(count "k$((i / 5))")" = 18 ] || early=$((early + 1))
done
[ $early -gt 0 ]
result $? "$early of $kills kills came before the end"
for ((i = 0; i * 5 < kills; i++)); do
    whole "k$i" "killed at random moments: the resumed sweep $i equals the undisturbed one"
done
ls "$dir"/k*/runs | grep -v '\.json$' | grep -v '^/\|^$' >"$dir/left"
[ ! -s "$dir/left" ]
result $? "kills leave no other files"
if command -v sqlite3 >/dev/null && [ -s "$dir/calm/results.sqlite" ]; then
    for at in calm k0; do
        sqlite3 "$dir/$at/results.sqlite" 'pragma integrity_check' '.dump run setting metric' >"$dir/$at.sql"
    done
    grep -qx ok "$dir/k0.sql" && cmp -s "$dir/calm.sql" "$dir/k0.sql" &&
        [ "$(sqlite3 "$dir/k0/results.sqlite" 'select count(*) from run')" = 18 ]
    result $? "the database has the same runs"
else
    skip_check "the database has the same runs" "no sqlite3 or no libsqlite3; apt-get install sqlite3 libsqlite3-dev"
fi

start int
for _ in $(seq 200); do
    [ "$(count int)" -ge 2 ] && break
    sleep 0.01
done
kill -INT $pid
wait $pid
rc=$?
cp "$dir/bg.err" "$dir/err"
kept=$(count int)
says "Ctrl-C ends it with exit code 1 and says what is stored" 1 "interrupted; $kept of 18 runs are stored in int"
[ "$kept" -ge 2 ] && [ "$kept" -lt 18 ]
result $? "an interrupted sweep keeps finished runs"
whole int "the same command resumes"

start two
other=$pid
start two
wait $pid
first=$?
wait $other
[ $? = 0 ] && [ $first = 0 ] && [ "$(count two)" = 18 ]
result $? "two processes on one folder"
whole two "give what one gives"

# --- what cannot be written
(
    cd "$dir" && trap '' XFSZ && ulimit -f 8 && exec "$byway" sweep -m fermi -d full -t a -t b -p bl -j 2
) >"$dir/out" 2>"$dir/err" </dev/null
rc=$?
says "no room for a result" 2 "full/runs/"
[ "$(count full)" = 0 ]
result $? "a result without room leaves no file"
by sweep -m fermi -d full -t a -t b -p bl -j 2
[ $rc = 0 ] && [ "$(count full)" = 2 ]
result $? "with room the sweep resumes"
refuses "a folder that cannot be created" "/proc/sweep: cannot create the folder" sweep -m fermi -d /proc/sweep -t a -p bl
refuses "a file with the folder's name" "one.json" sweep -m fermi -d one.json -t a -p bl
refuses "merge to a path that cannot be written" "missing/x: cannot be written" merge s --csv missing/x
# A separate disk that fills up, cannot be written, and then has space again: needs the right to
# mount.
mkdir "$dir/disk"
if mount -t tmpfs -o size=96k none "$dir/disk" 2>/dev/null; then
    trap 'umount "$dir/disk" 2>/dev/null; rm -rf "$dir"' EXIT
    by sweep -d disk/s "${grid[@]}" -j 2
    says "a disk that fills up during the sweep" 2 "No space left on device"
    kept=$(count disk/s)
    [ "$kept" -ge 1 ] && [ "$kept" -lt 18 ] && (for f in "$dir"/disk/s/runs/*; do cmp -s <(plain "$f") <(plain "$dir/calm/runs/${f##*/}") || exit 1; done)
    result $? "a full disk keeps $kept whole results and no other file"
    mount -o remount,ro "$dir/disk"
    by sweep -d disk/s "${grid[@]}" -j 2
    [ $rc = 2 ] && grep -q 'Read-only file system' "$dir/err" && [ "$(count disk/s)" = "$kept" ]
    result $? "a disk that cannot be written is reported"
    by merge disk/s --csv -
    [ $rc = 0 ] && [ "$(wc -l <"$dir/out")" = $((kept + 1)) ]
    result $? "a disk that cannot be written can be read"
    mount -o remount,rw,size=4m "$dir/disk"
    whole disk/s "with room the sweep goes on, and equals the undisturbed one"
    cp "$dir/disk/s/results.csv" "$dir/results.csv"
    mount -o remount,size=$(($(df -k --output=used "$dir/disk" | tail -n 1) + 4))k "$dir/disk"
    by merge disk/s --csv disk/more.csv --sqlite disk/more.sqlite
    [ $rc != 0 ] && [ ! -e "$dir/disk/more.sqlite" ] && [ ! -e "$dir/disk/more.csv" ] && cmp -s "$dir/results.csv" "$dir/disk/s/results.csv"
    result $? "tables without room do not appear"
    umount "$dir/disk"
else
    skip_check "a full disk" "no right to mount a small disk; run verif/cli/t_sweep.sh as root"
fi
# Two processes create one database.
cp -r "$dir/calm" "$dir/both"
(cd "$dir" && exec "$byway" merge both) >"$dir/bg.out" 2>"$dir/bg.err" </dev/null &
other=$!
by merge both
wait $other
[ $? = 0 ] && [ $rc = 0 ] && cmp -s "$dir/calm/results.csv" "$dir/both/results.csv" &&
    { ! command -v sqlite3 >/dev/null || [ ! -s "$dir/both/results.sqlite" ] || [ "$(sqlite3 "$dir/both/results.sqlite" 'pragma integrity_check; select count(*) from run' | tr '\n' ' ')" = "ok 18 " ]; }
result $? "two processes on one database"
by merge s --csv -
[ $rc = 0 ] && head -n 1 "$dir/out" | grep -q '^run_id,workload,machine,policy,l1d.mshrs,status,cycles'
result $? "CSV on standard output"

finish
