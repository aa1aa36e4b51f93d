#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_pick.sh - every command counts launches from 1, selects kernels by the same regular expression
# (--kernels) and launches by the same list (--launches), and shows C++ names. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
export XDG_CACHE_HOME=$dir/cache

add=_Z3addPfi
sum=_ZN2ns3sumILi256EfEEvPKT0_
long=_ZN2ns9transformINS_4pairINS_5tupleIiiiEENS_5tupleIfffEEEENS_4pairIddEEEEvPT_
whole='ns::transform<ns::pair<ns::tuple<int,int,int>,ns::tuple<float,float,float>>,ns::pair<double,double>>'
# Five launches: add, sum, long, add, sum.
make_trace "$dir/text" 7 4
i=1
: >"$dir/text/kernelslist.g"
mv "$dir/text/kernel-1.traceg" "$dir/text/one"
for name in $add $sum $long $add $sum; do
    sed "s/name = probe/name = $name/; s/kernel id = 1/kernel id = $i/" "$dir/text/one" >"$dir/text/kernel-$i.traceg"
    echo "kernel-$i.traceg" >>"$dir/text/kernelslist.g"
    i=$((i + 1))
done
succeeds "a trace of five launches" trace convert text -o t.bwt

launches() { # launches: numbers in the list of launches of `trace info`
    awk '$1 == "launch" { on = 1; next } on && NF < 6 { exit } on { printf "%s%s", sep, $1; sep = "," }' "$dir/out"
}
by trace info t.bwt
[ "$(launches)" = 1,2,3,4,5 ]
result $? "trace_info_counts_launches_from_1"
by trace info t.bwt --json
[ "$(sed -n 's/^ *"launch": \([0-9]*\),$/\1/p' "$dir/out" | tr '\n' ' ')" = "1 2 3 4 5 " ] &&
    grep -q '"kernel_name": "ns::sum<256,float>"' "$dir/out" && grep -q "\"kernel\": \"$sum\"" "$dir/out"
result $? "trace_info_JSON_counts_from_1_and_has_both_names"
by trace convert t.bwt --to csv -o t.csv
[ "$(cut -d, -f1 "$dir/t.csv" | uniq | tr '\n' ' ')" = "launch 1 2 3 4 5 " ]
result $? "csv_counts_launches_from_1"
by run -t t.bwt --json r.json
[ "$(sed -n 's/^ *"launch": \([0-9]*\),*$/\1/p' "$dir/r.json" | tr '\n' ' ')" = "1 2 3 4 5 " ]
result $? "results_count_launches_from_1"

# The same choice in every command: arguments, launches.
while read -r want options; do
    # shellcheck disable=SC2086
    by trace info t.bwt $options
    [ $rc = 0 ] && [ "$(launches)" = "$want" ]
    result $? "trace info $options lists launches $want"
    # shellcheck disable=SC2086
    by run -t t.bwt --json r.json $options
    [ $rc = 0 ] && [ "$(sed -n 's/^ *"launch": \([0-9]*\),*$/\1/p' "$dir/r.json" | paste -sd,)" = "$want" ]
    result $? "run $options runs launches $want"
    # shellcheck disable=SC2086
    by advise t.bwt --json a.json --runs 3 $options
    [ $rc = 0 ] && [ "$(awk -F'[:,]' '/^   "launches"/ { n += $2 } END { print n }' "$dir/a.json")" = "$(tr , '\n' <<<"$want" | wc -l)" ]
    result $? "advise $options advises launches $want"
done <<'EOF'
1 --launches 1
2,3,5 --launches 2-3,5
4,5 --launches 4-
1,4 --kernels ^_Z3add
1,4 --kernels ^add$
2,5 -k sum<256
5 -k ns:: --launches 4-5
1,2,4,5 -k add|sum
EOF
for list in 0 0-2 9-3 1,,2 4294967296 a; do
    refuses "run refuses launches $list" "--launches is '$list'; expected A, A-B or A-" run -t t.bwt --launches $list
    refuses "advise refuses launches $list" "--launches is '$list'; expected A, A-B or A-" advise t.bwt --launches $list
    refuses "trace info refuses launches $list" "--launches is '$list'; expected A, A-B or A-" trace info t.bwt --launches $list
done
for none in "-k no_such_kernel" "--launches 999"; do
    refuses "trace info refuses $none" "select none of the trace's launches" trace info t.bwt $none
done
for command in "run -t t.bwt" "advise t.bwt" "trace info t.bwt" "trace machine x.ptx"; do
    # shellcheck disable=SC2086
    refuses "$command refuses a malformed expression" "--kernels is '('|expected an extended regular expression" $command --kernels '('
done
refuses "run names an expression without a kernel" "matches '3,7-9'|--launches selects by number" run -t t.bwt -k 3,7-9
refuses "advise names an expression without a kernel" "matches '3,7-9'|--launches selects by number" advise t.bwt -k 3,7-9
refuses "a launch that is not there" "it has 5, expected numbers from 1 to 5" run -t t.bwt --launches 6

# C++ names are printed; long ones are shortened, and the title attribute has the whole name.
by advise t.bwt --runs 3 --html a.html --json a.json
[ $rc = 0 ] && by advise t.bwt --runs 3 && grep -q '^ns::sum<256,float>: ' "$dir/out" && ! grep -q _ZN "$dir/out" &&
    awk 'length > 120 { bad = 1 } END { exit bad }' "$dir/out"
result $? "advise_prints_names_in_Cxx"
grep -qF "\"title\": \"$whole\"" "$dir/a.json" && grep -q "\"name\": \"$long\"" "$dir/a.json"
result $? "advise_JSON_has_symbol_and_whole_name"
escaped=$(sed 's/</\&lt;/g; s/>/\&gt;/g' <<<"$whole")
grep -qF "title=\"$escaped ($long)\"" "$dir/a.html" && grep -q '<h2><span title="[^"]*">ns::sum&lt;256,float&gt;</span></h2>' "$dir/a.html"
result $? "advise_page_shortens_long_names_with_the_whole_in_the_title"
by compare -t t.bwt --policies bl --html c.html
[ $rc = 0 ] && grep -qF "\"$long\":\"$whole\"" <(sed 's/": "/":"/g; s/\\u003[cC]/</g; s/\\u003[eE]/>/g' "$dir/c.html")
result $? "pages_have_names_in_Cxx"

# The help of an action lists the options of that action only.
for action in capture info check convert machine; do
    by trace $action --help
    [ $rc = 0 ] && grep -q "^usage: byway trace $action " "$dir/out" && [ "$(grep -c '^usage' "$dir/out")" = 1 ] &&
        ! grep -qE '  (capture|info|machine|convert)(, (capture|info|machine|convert|oracle))*: ' "$dir/out"
    result $? "trace $action --help shows this action alone"
done
by trace info --help
grep -q -- --launches "$dir/out" && ! grep -qE -- '--(races|arch|time|to) ' "$dir/out"
result $? "trace info --help has no options of others"
finish
