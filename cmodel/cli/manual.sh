#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# manual.sh BYWAY FOLDER - generates manual pages and completion from the output of byway --help:
#
#     FOLDER/man/byway.1, byway-COMMAND.1
#     FOLDER/completion/byway (bash), _byway (zsh), byway.fish
set -eu
byway=$1
folder=$2
here=$(dirname "$0")
mkdir -p "$folder/man" "$folder/completion" "$folder/help"
rm -f "$folder/help/"* "$folder/man/"*
"$byway" --help >"$folder/help/byway"
version=$("$byway" --version)
# A line that lists a command begins with two blanks and the command's name.
commands=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$folder/help/byway")
files=$folder/help/byway
for command in $commands; do
    "$byway" "$command" --help >"$folder/help/$command"
    files="$files $folder/help/$command"
done
make_one() { # WANT COMMAND OUT
    # shellcheck disable=SC2086 # a list of files
    awk -v want="$1" -v only="$2" -v version="$version" -f "$here/manual.awk" $files >"$3.tmp"
    mv "$3.tmp" "$3"
}
make_one man "" "$folder/man/byway.1"
for command in $commands; do
    make_one man "$command" "$folder/man/byway-$command.1"
done
make_one bash "" "$folder/completion/byway"
make_one zsh "" "$folder/completion/_byway"
make_one fish "" "$folder/completion/byway.fish"
