#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_harmless.sh - what byway writes does nothing by itself: every page forbids to load or send
# anything, and no cell of a table for spreadsheets is a formula; `byway advise` leaves no folder
# behind, however it ends. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
export BYWAY_KEPT=off
make_trace "$dir/a" 1 24
policy="Content-Security-Policy\" content=\"default-src 'none';"
has_policy() { # has_policy PAGE: before anything that could be loaded
    [ -s "$dir/$1" ] && head -c 400 "$dir/$1" | grep -qF "$policy"
    result $? "the page of ${1%.html} has a content security policy"
}
by run -t a -p bl -m fermi --waves scope.html --waves-cycles 2000
has_policy scope.html
by compare -t a -m fermi -p bl,ball --html compare.html --pages pages
has_policy compare.html
has_policy pages/index.html
has_policy pages/a.html
by advise a -m fermi --html advise.html --runs 4
has_policy advise.html
by sweep -t a -m fermi -p bl,ball -d swept && by report swept
has_policy swept/index.html

for name in '=1+2' '+cmd' '-x' '@SUM(1)' 'plain'; do
    cp -r "$dir/a" "$dir/$name"
done
printf 'base = bl\npolicy.title = t\n' >"$dir/=p.cfg"
by sweep -t ./=1+2 -t ./+cmd -t ./-x -t ./@SUM\(1\) -t plain -m fermi -p bl -d cells
[ $rc = 0 ] && [ "$(wc -l <"$dir/cells/results.csv")" = 6 ] && ! grep -qE '(^|,)"?[=+@-][^0-9.,]' "$dir/cells/results.csv" &&
    grep -q ",'=1+2," "$dir/cells/results.csv" && grep -q ",'-x," "$dir/cells/results.csv" && grep -q ',plain,' "$dir/cells/results.csv"
result $? "no cell of results.csv is a formula"
if command -v node >/dev/null; then
    { sed -n '/^const plain = /p; /^const quoted = /,/;$/p' cmodel/study/page/byw_chart.js
        echo 'console.log(["=1", "+a", "-x", "@s", "-1.5", "+2e3", "a=b", "=a,\"b\"", ""].map(quoted).join("|"));'; } >"$dir/q.js"
    node "$dir/q.js" >"$dir/out" 2>"$dir/err"
    [ "$(cat "$dir/out")" = "'=1|'+a|'-x|'@s|-1.5|+2e3|a=b|\"'=a,\"\"b\"\"\"|" ]
    result $? "nor one of the tables that a page saves"
else
    skip_check "tables that a page saves" "no node; apt-get install nodejs"
fi

# --- advise, ended ---------------------------------------------------------------------------------
probe=$(dirname "$byway")/verif/opencl/cl_probe
if [ ! -e "$(dirname "$byway")/lib/libOpenCL.so.1" ] || [ ! -x "$probe" ]; then
    skip_check "advise leaves no folder" "no capture runtime or no cl_probe; make deps-all"
    finish
fi
cat >"$dir/rows.cl" <<'END'
kernel void rows(global float *a, global float *out, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[get_global_id(0) * n + i];
    out[get_global_id(0)] = s;
}
END
export BYWAY_CACHE=$dir/cache
for signal in HUP KILL TERM; do
    rm -rf "$dir/tmp" && mkdir "$dir/tmp"
    # Runs in its own session, so that HUP can be sent to all its processes, as a closing terminal does.
    (cd "$dir" && TMPDIR=$dir/tmp exec setsid "$byway" advise -m fermi --patch rows.diff -- \
        sh -c "$probe rows.cl rows 2048 64 - f:65536 f:2048 i:32; sleep 60") >"$dir/out" 2>"$dir/err" </dev/null &
    for _ in $(seq 500); do
        [ -n "$(find "$dir/tmp" -name '1.cl')" ] && break
        sleep 0.02
    done
    [ -n "$(find "$dir/tmp" -name '1.cl')" ] && kill -$signal $! && wait $! 2>/dev/null
    for _ in $(seq 300); do
        [ -n "$(ls -A "$dir/tmp")" ] || break
        sleep 0.02
    done
    [ -z "$(ls -A "$dir/tmp")" ]
    result $? "advise --patch leaves no folder after signal $signal"
done
finish
