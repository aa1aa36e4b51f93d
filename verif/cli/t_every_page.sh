#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_every_page.sh - every kind of page that byway writes: its content security policy, its width,
# the syntax of its scripts; and in headless Chromium (make test-all) no error, no request, nothing
# wider than the window, no missing number. Prints TAP. SHOTS=DIR keeps screenshots.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
skip() {
    skip_check "the pages in a browser" "$1"
    finish
    exit
}
export XDG_CACHE_HOME=$dir/cache
make_trace "$dir/mine" 7 40
"$byway" trace convert "$dir/mine" -o "$dir/mine.bwt" >"$dir/out" 2>"$dir/err"

pages=()
page() { # page FILE ARGS...: ARGS writes FILE
    local file=$1
    shift
    by "$@"
    pages+=("$file")
    [ $rc -le 1 ] && [ -s "$dir/$file" ]
    result $? "byway $1 ${2%%[./]*} writes $file"
}
page compare.html compare -m fermi -w nw -t mine -p bl,ball,decoupled --html compare.html
page two/mine.html compare -m fermi -t mine -t mine.bwt -p bl,ball --repeat 2 --pages two
pages+=(two/index.html)
by sweep -m fermi -d few -t mine -p decoupled -s decoupled.threshold=1,2 -s l1d.mshrs=16,32
page few.html report few --html few.html
by sweep -m fermi -d many -t mine -w nw -p bl,decoupled -s l1d.mshrs=8,16,32,64 -s l1d.ways=2,4
page many.html report many --html many.html
{
    echo program,kernel,variant,launch,grid,block,cycles,warp_instructions,loads,stores,load_sectors,load_hit_sectors
    for i in 1 2 3; do echo "mine,probe,ca,$i,40x1x1,64x1x1,$((3000 + 90 * i)),900,10,5,40,20"; done
} >"$dir/table.csv"
mkdir "$dir/three"
for i in 1 2 3; do
    sed "s/kernel id = 1/kernel id = $i/" "$dir/mine/kernel-1.traceg" >"$dir/three/kernel-$i.traceg"
    echo "kernel-$i.traceg" >>"$dir/three/kernelslist.g"
done
page correlate.html correlate table.csv --trace three --html correlate.html
page advise.html advise mine --runs 4 --html advise.html
by trace machine "$PWD/verif/cuda/corpus/saxpy.ptx"
if [ $rc = 0 ]; then
    page machine.html trace machine "$PWD/verif/cuda/corpus/saxpy.ptx" --html machine.html
else
    skip_check "the page of machine code" "no ptxas or libelf; make deps-cuda, apt-get install libelf-dev"
fi
page scope.html run -m fermi -t mine -p decoupled --waves scope.html --waves-cycles 400
page paper-000.html reproduce 000 --claim 0.2 --html rep.html
pages+=(rep.html)
by run -m fermi -t mine -p bl -o a.json
by run -m fermi -t mine -p decoupled -o b.json
page diff.html diff a.json b.json --html diff.html
page oracle.html oracle -m fermi -t mine -t mine.bwt --html oracle.html
page tune.html tune -m fermi -p decoupled -t mine -k decoupled.threshold -n 3 --html tune.html
page cost.html cost -p decoupled --html cost.html
page info.html trace info mine.bwt --html info.html

for file in "${pages[@]}"; do
    grep -q 'http-equiv="Content-Security-Policy"' "$dir/$file" && grep -q 'name="viewport"' "$dir/$file"
    result $? "$file has a content security policy and the width of the window"
    ! grep -qE '(src|href)="?http|@import' "$dir/$file"
    result $? "$file loads nothing"
    command -v node >/dev/null || continue
    awk '/<script>/ { on = 1 } on { print } /<\/script>/ { on = 0 }' "$dir/$file" |
        sed 's/^.*<script>//; s/<\/script>.*$//' >"$dir/script.js"
    node --check "$dir/script.js" 2>"$dir/err"
    result $? "the scripts of $file are one program without a syntax error"
done

. verif/cli/browser.sh
for file in "${pages[@]}"; do
    browse plain.js "$dir/$file" "$(tr / - <<<"${file%.html}")" 5
done
browse many.js "$dir/many.html" many 14
finish
