#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_columns.sh - human-readable output fits a terminal of 80 columns: every --help, every list,
# tables and their footnotes, however long the names of policies and traces are. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
wide() { # the widest line of a file, in characters
    LC_ALL=C.UTF-8 awk '{ if (length > most) { most = length; line = $0 } } END { if (most > 80) print most ": " line }' "$1"
}
fits() { # fits NAME ARGS...: something is printed, and no line is wider
    local name=$1
    shift
    by "$@"
    [ -s "$dir/out" ] && [ -z "$(wide "$dir/out")" ]
    result $? "$name"
    wide "$dir/out" | sed 's/^/# /'
}

commands=$("$byway" --help | sed -n 's/^  \([a-z]\{3,\}\)  .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 13 ]
result $? "byway --help names the commands"
fits "byway --help" --help
for command in $commands; do
    fits "byway $command --help" "$command" --help
    cp "$dir/out" "$dir/own"
    by help "$command"
    [ $rc = 0 ] && cmp -s "$dir/out" "$dir/own"
    result $? "byway help $command is byway $command --help"
done
refuses "help_on_an_unknown_command_names_the_nearest" "did you mean 'sweep'?" help sweeep
for list in machines policies mechanisms workloads papers counters configs; do
    fits "byway list $list" list $list
done
fits "a template of a machine" list configs --template machine
fits "a template of a policy" list configs --template policy

fits "the default table" compare -w nw,bfs,fft
fits "all tables of many policies" compare -a -w nw,bfs -p bl,ball,decoupled,decoupled_duel,mrpb,pc,two_level,pdp
cp cmodel/traces/nw.bwt "$dir/a_trace_with_a_name_that_is_longer_than_a_table.bwt"
sed 's/^policy.title.*/policy.title = A policy whose title needs several lines of its column/' \
    cmodel/configs/policies/decoupled.cfg >"$dir/long.cfg"
fits "long names" compare -p "bl,ball,long.cfg" -t a_trace_with_a_name_that_is_longer_than_a_table.bwt
grep -q '^a_trace_w..n_a_table ' "$dir/out"
result $? "a_long_name_is_shortened_in_its_middle"
make_trace "$dir/plain" 3 20
fits "several machines, with gaps" compare -m fermi,rdna2,gcn_ml -p bl,ball,decoupled -w nw -t plain
grep -q '^\[1\] ' "$dir/out"
result $? "a gap has a footnote"
for machine in fermi rdna2; do
    fits "one run on $machine" run -w nw -m $machine -p ball
done
grep -q 'misses  *[0-9]*  stores and atomics: every load bypasses' "$dir/out"
result $? "misses_of_a_policy_that_bypasses_all_are_explained"
grep -q 'GL1 .*between L1 and L2' "$dir/out"
result $? "the_level_between_l1_and_l2_has_a_line"
fits "a sampled run" run -w nw --sample 8
fits "a table without BALL" compare -p bl,decoupled -w nw
tr '\n' ' ' <"$dir/out" | grep -q '`here` is - because BL and BALL are not both among the policies'
result $? "a_missing_class_is_explained"
fits "costs" cost --papers
fits "an oracle" oracle -w nw
# Lines of the user's source are printed as they are.
by advise nw --by load --runs 20 --hints bypass,stream,cache,volatile
grep -v '^  *[0-9]*\. line\|^  *\(OpenCL\|CUDA\|HIP\) ' "$dir/out" >"$dir/own"
[ -z "$(wide "$dir/own")" ]
result $? "advice with four hints"
wide "$dir/own" | sed 's/^/# /'
finish
