#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_provenance.sh - the provenance in results: build, trace, command, host. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/a" 1 24

member() { # member NAME: its value in the first provenance of the last output
    sed -n '/"provenance": {/,/}/s/^ *"'"$1"'": "\{0,1\}\(.*[^",]\)"\{0,1\},\{0,1\}$/\1/p' "$dir/out" | head -n 1
}
by run --trace a --set "policy.title=it's a b" --json -
[ $rc = 0 ] && [ "$(member version)" = "$("$byway" --version | sed 's/^byway \([^ ]*\).*/\1/')" ]
result $? "version"
[[ $(member sources) =~ ^[0-9a-f]{32}$ ]] && [[ $(member commit) =~ ^([0-9a-f]{12}(-dirty)?|unknown)$ ]]
result $? "commit and checksum of the sources"
if commit=$(git rev-parse --short=12 HEAD 2>/dev/null) && [ -n "${B:-}" ]; then
    [[ $(member commit) = "$commit"* ]]
    result $? "the commit is that of the checkout"
fi
[ "$(member command)" = "byway run --trace a --set 'policy.title=it'\\\\''s a b' --json -" ]
result $? "the command is quoted for a shell"
again=$(member command | sed 's/\\\\/\\/g')
sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$dir/out" >"$dir/first"
(cd "$dir" && eval "'$byway' ${again#byway }") >"$dir/out"
sed '/"sim": {/,/}/d; /"provenance": {/,/}/d' "$dir/out" | cmp -s - "$dir/first"
result $? "the command repeats the result"
[ "$(member host)" = "$(uname -n)" ] && [ "$(member system)" = "$(uname -srm)" ] &&
    [[ $(member libraries) =~ ^glibc\ .*jansson\ .*zstd\ .*xxhash ]] &&
    [[ $(member started) =~ ^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$ ]]
result $? "host, system, libraries, time"

# The checksum of a trace covers all its bytes, in a file or a folder. A pipe has none.
"$byway" trace convert "$dir/a" -o "$dir/a.bwt"
by run --trace a.bwt --json -
sum=$(member trace_xxh128)
[[ $sum =~ ^[0-9a-f]{32}$ ]] && [ "$(member trace)" = a.bwt ]
result $? "path and checksum of a file"
if command -v xxhsum >/dev/null; then
    [ "$(xxhsum -H2 "$dir/a.bwt" | cut -d ' ' -f 1)" = "$sum" ]
    result $? "the checksum is that of xxhsum -H2"
fi
cp "$dir/a.bwt" "$dir/b.bwt"
by run --trace b.bwt --json -
[ "$(member trace_xxh128)" = "$sum" ]
result $? "a copy has the same checksum"
by run --trace a --json -
folder=$(member trace_xxh128)
[[ $folder =~ ^[0-9a-f]{32}$ ]] && [ "$folder" != "$sum" ]
result $? "checksum of a folder"
mkdir "$dir/c"
cp "$dir/a/"* "$dir/c"
echo "# more" >"$dir/c/note"
by run --trace c --json -
[[ $(member trace_xxh128) =~ ^[0-9a-f]{32}$ ]] && [ "$(member trace_xxh128)" != "$folder" ]
result $? "another file in the folder changes the checksum"
mkfifo "$dir/pipe"
cat "$dir/a.bwt" >"$dir/pipe" &
by run --trace pipe --json -
wait
[ $rc != 0 ] || [ "$(member trace_xxh128)" = null ]
result $? "a trace from a pipe has no checksum"

by compare --trace a -p bl,ball --json -
[ $rc = 0 ] && [ "$(grep -c '"provenance": {' "$dir/out")" = 2 ] &&
    [ "$(member command)" = "byway compare --trace a -p bl,ball --json -" ]
result $? "each run of a comparison has its provenance"

finish
