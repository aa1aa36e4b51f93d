#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_commands.sh [PAGE...] - every command in every Markdown page works (verif/doc/pages.sh says
# which run when). For commands that are not run, in fences and in the text, byway's commands and
# options and make's targets exist. PAGE: only these pages. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
. verif/doc/pages.sh
top=$PWD
B=${B:-build}
byway=$(realpath "${BYWAY:-$B/byway}")
sanitized=
[[ ${MAKEFLAGS-} != *fsanitize* ]] || sanitized=yes
unset MAKEFLAGS MAKELEVEL MFLAGS
[ -x "$byway" ] || skip_all "no $byway; make"
git rev-parse 2>/dev/null || skip_all "no git checkout; the test reads the pages that git knows"
tap_folder out err
# The changelog names options of older versions, and the notebook commands of the past.
[ $# -gt 0 ] || set -- $(pages | grep -vE '^CHANGELOG.md$|/notebook/')

# --- named commands, options and targets exist ------------------------------------------------------
declare -A has # "COMMAND", "COMMAND OPTION" and "make TARGET" that exist
while read -r command; do
    has[$command]=1
    while read -r option; do
        has["$command $option"]=1
    done < <("$byway" "$command" --help </dev/null | grep -oE -- '(^|[ (|[])--?[a-z0-9][a-z0-9-]*' | tr -d ' ([|' | sort -u)
done < <("$byway" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
while read -r target; do
    has["make $target"]=1
done < <(make -s help | awk '{ print $2 }')

misnamed() { # reads PAGE:LINE, tab, command; prints what does not exist
    local place text words word command
    while IFS=$'\t' read -r place text; do
        text=${text//$'\001'/ }
        [[ $text == *XYZ* ]] && continue
        # The parts of a pipeline or list, without comments.
        while read -r command words; do
            command=${command##*/}
            case $command in
            byway)
                read -r command words <<<"$words"
                [[ $command == *[A-Z.]* || $command == -* || $command == help || -z $command ]] && continue
                if [ "${command//|/}" != "$command" ]; then # `byway run|compare`
                    words=
                    for word in ${command//|/ }; do
                        [ -n "${has[$word]-}" ] || echo "$place: byway has no command '$word'"
                    done
                    continue
                fi
                command=${command%%[,;:]*}
                [ -n "${has[$command]-}" ] || { echo "$place: byway has no command '$command'"; continue; }
                [ "$command" != nvcc ] || continue
                words=${words%% -- *} # what follows is a program of the user's
                for word in $words; do
                    [[ $word =~ ^\[?(--?[a-z][a-z0-9-]*)([=,.;:\]]|$) ]] || continue
                    word=${BASH_REMATCH[1]}
                    [ -n "${has["$command $word"]-}" ] || [ -n "${has["$command ${word:0:2}"]-}" ] ||
                        echo "$place: byway $command has no option $word"
                done
                ;;
            make)
                words=$(sed -E 's/[A-Z_]+=("[^"]*"|[^ ]*)//g' <<<"$words")
                for word in $words; do
                    [[ $word =~ ^[a-z][a-z0-9-]*$ ]] || continue
                    [ -n "${has["make $word"]-}" ] || echo "$place: make has no target '$word'"
                done
                ;;
            esac
        done < <(sed -E 's/ #.*//; s/\\ / /g; s/ (\||&&|;) /\n/g' <<<"$text")
    done
}
{ inline "$@"; fenced run "$@"; fenced slow "$@"; fenced not "$@"; } >"$dir/all"
misnamed <"$dir/all" >"$dir/out" 2>"$dir/err"
[ ! -s "$dir/out" ] && [ ! -s "$dir/err" ]
result $? "$(wc -l <"$dir/all") commands of pages name commands, options and targets that exist"
printf 'x.md:1\tbyway runn -w nw\nx.md:2\tbyway run --workloads nw\nx.md:3\tmake tset\n' | misnamed >"$dir/out"
[ "$(wc -l <"$dir/out")" = 3 ]
result $? "a command, an option and a target that do not exist are found"

# --- they work --------------------------------------------------------------------------------------
# Files that the pages use as if they were the user's.
work=$dir/work
mkdir -p "$work/folder_of_traces" "$dir/bin"
for entry in * .ci; do
    [ "$entry" = build ] || ln -s "$top/$entry" "$work/$entry"
done
ln -s "$(realpath "$B")" "$work/build"
ln -s "$byway" "$dir/bin/byway"
for name in a b my mine small large big; do
    cp cmodel/traces/pathfinder.bwt "$work/$name.bwt" # `byway advise` takes a seventh of nw's time
done
cp cmodel/traces/pathfinder.bwt "$work/folder_of_traces/one.bwt"
mkdir "$work/a_folder"
cp cmodel/traces/gaussian.bwt "$work/a_folder/one.bwt"
cp cmodel/workloads/nw/nw.cl "$work/my.cl"
[ ! -x "$B/workloads/kmeans" ] || ln -s "$(realpath "$B/workloads/kmeans")" "$work/my_opencl_program"
# A fence "```LANGUAGE FILE" is a file for the page's commands.
printf '%s\n' "$@" cmodel/doc/cuda.md | sort -u | xargs awk -v dir="$work" '
    /^```[a-z]+ [a-z_0-9]+\.[a-z]+$/ { on = dir "/" $2; next }
    /^```/ { on = "" }
    on { print >on }'
cp "$work/gather.cu" "$work/my_program.cu"
export PATH=$dir/bin:$PATH BYWAY_CACHE=$dir/cache
# A make in that folder must see the commit of this tree; otherwise it would link build/byway again.
makes=()
git_dir=$(git rev-parse --absolute-git-dir 2>/dev/null) && makes=("GIT_DIR=$git_dir" "GIT_WORK_TREE=$PWD")
"$byway" nvcc --version >/dev/null 2>&1
nvcc=$?

lacks() { # prints what a command needs and this system lacks
    [[ -z $sanitized || $1 != *"make "* ]] || { echo "a build with sanitizers; make test runs it" && return; }
    case $1 in
    *"byway nvcc"* | *my_cuda_program* | *"./gather"* | *gather.bwt*)
        [ $nvcc = 0 ] || { echo "no nvcc; make deps-cuda" && return; }
        [ -e "$B/lib/libcudart.so.12" ] || { echo "no $B/lib/libcudart.so.12; make cuda" && return; }
        ;;
    esac
    case $1 in
    *"trace capture"* | *" -- ./my_"*)
        [ -e "$B/lib/libOpenCL.so.1" ] && [ -e "$work/my_opencl_program" ] ||
            echo "no $B/lib/libOpenCL.so.1 or no $B/workloads/kmeans; make deps-all opencl workloads"
        ;;
    *"make rtl"* | *"--l1d rtl"*) command -v verilator >/dev/null || echo "no Verilator; apt-get install verilator" ;;
    *"make synth"* | *synth/*) command -v yosys >/dev/null || echo "no Yosys; apt-get install yosys" ;;
    *sqlite3*) command -v sqlite3 >/dev/null || echo "no sqlite3; apt-get install sqlite3 libsqlite3-dev" ;;
    esac
}
try() { # reads PAGE:LINE, tab, command; runs each in the folder that the page's commands share
    local place text why last=
    while IFS=$'\t' read -r place text <&3; do
        if [ "${place%:*}" != "$last" ]; then # files that a page creates are removed before the next page
            last=${place%:*}
            rm -rf "$dir/page"
            cp -a "$work" "$dir/page"
        fi
        text=${text//$'\001'/$'\n'}
        why=$(lacks "$text")
        if [ -n "$why" ]; then
            skip_check "$place: ${text%%[$'\n'#]*}" "$why"
            continue
        fi
        settings=()
        [[ $text != *"make "* ]] || settings=("${makes[@]}")
        (cd "$dir/page" && env "${settings[@]}" timeout "${COMMAND_SECONDS:-500}" bash -c "$text") >"$dir/out" 2>"$dir/err" </dev/null
        result $? "$place: ${text%%[$'\n'#]*}"
    done 3<"$1"
}
printf 'x.md:1\tbyway run -w no_such_workload\nx.md:2\ttest -e build\n' >"$dir/list"
(try "$dir/list") >"$dir/log"
grep -q '^not ok .*x.md:1' "$dir/log" && grep -q '^ok .*x.md:2' "$dir/log"
result $? "a command that does not work fails this test"
fenced run "$@" >"$dir/list"
try "$dir/list"
if in_test_all; then
    fenced slow "$@" >"$dir/list"
    try "$dir/list"
fi

# A fence without a language, or without a reason, hides its commands from this test.
awk 'FNR == 1 { open = 0 }
     /^```/ { open = !open; if (open && ($0 == "```" || ($1 == "```sh" && NF > 1 && !/^```sh (slow|not run: .+)$/)))
                  print FILENAME ":" FNR ": " $0 }' "$@" >"$dir/out"
[ ! -s "$dir/out" ]
result $? "every fence names its language, and why its commands are not run"
finish
