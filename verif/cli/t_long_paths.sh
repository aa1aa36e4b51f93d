#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_long_paths.sh - paths of 3000 characters: commands read and write them, and a message about one says
# what is wrong and what is accepted. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/a" 1 4
"$byway" trace convert "$dir/a" -o "$dir/a.bwt"
part=$(printf 'd%.0s' {1..200})
deep=.
while [ ${#deep} -lt 3000 ]; do
    deep=$deep/$part
    (cd "$dir" && mkdir "$deep")
done
cp "$dir/a.bwt" "$dir/$deep/a.bwt"

by run -m fermi -t "$deep/a.bwt" -o "$deep/a.json"
[ $rc = 0 ] && [ -s "$dir/$deep/a.json" ]
result $? "run reads and writes such a path"
by report "$deep/a.json"
[ $rc = 0 ] && [ -s "$dir/$deep/a.html" ]
result $? "report writes next to it"
refuses "a trace that does not exist" "byway: ./ddd| ... |/none.bwt: cannot be opened (No such file or directory); expected a trace file" \
    run -m fermi -t "$deep/none.bwt"
refuses "a policy that does not exist" "/none.cfg: |No such file or directory|expected" run -m fermi -t a.bwt -p "$deep/none.cfg"
refuses "an output in a folder that does not exist" "/none/a.json: cannot be written (No such file or directory); expected a file in a writable folder" \
    run -m fermi -t a.bwt -o "$deep/none/a.json"
refuses "a file that is no trace" "/a.json: |not a trace|expected a BWT1 file" trace check "$deep/a.json"
finish
