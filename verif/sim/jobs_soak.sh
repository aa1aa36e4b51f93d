#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# jobs_soak.sh - the result of a run does not depend on the number of its threads: every shipped
# trace on every machine under every policy, with -j 2 to 8 against -j 1, byte by byte but for the
# members sim and provenance.
#
#     verif/sim/jobs_soak.sh [-m "MACHINE ..."] [-p "POLICY ..."] [-w "WORKLOAD ..."] [-j "N ..."] [-s N]
#
# -s N: of all these cases each Nth, which walks through machines, policies, traces and numbers of threads alike when N
# is a prime that is none of their counts; -s 499 is what `make jobs-soak-sample` does.
#
# Hours to days as a whole.  What has been compared is kept in $B/jobs-soak/done, so that it goes on where it
# was stopped; remove that folder to start afresh, as after a change of the code.  A machine that
# refuses a trace (warps of another width) or a policy is noted as no case.  Prints one line per
# machine and policy; exit status 1 when a result differed, with the line that repeats it.
set -u
B=${B:-build}
dir=$B/jobs-soak
mkdir -p "$dir" || exit 1
touch "$dir/done"

names() { "$B/byway" list "$1" --json | sed -n 's/^ *"name": "\([^"]*\)".*/\1/p'; }

machines= policies= workloads= threads="2 3 4 5 6 7 8" each=1
while getopts m:p:w:j:s: option; do
    case $option in
    m) machines=$OPTARG ;;
    p) policies=$OPTARG ;;
    w) workloads=$OPTARG ;;
    j) threads=$OPTARG ;;
    s) each=$OPTARG ;;
    *) exit 2 ;;
    esac
done
machines=${machines:-$(names machines)}
policies=${policies:-$(names policies)}
workloads=${workloads:-$(cd cmodel/traces && ls ./*.bwt | sed 's|.*/||; s|\.bwt$||')}

# The sum of a result; "refused" where the run is no valid one.
sum() { # sum MACHINE POLICY WORKLOAD N
    "$B/byway" run -m "$1" -p "$2" -w "$3" -j "$4" -o - >"$dir/result.$$" 2>"$dir/error.$$"
    case $? in
    0) awk '/^ "(sim|provenance)": \{$/ { skip = 1 }
            !skip { print }
            /^ \},?$/ { skip = 0 }' "$dir/result.$$" | cksum | tr ' ' ':' ;;
    2) echo refused ;;
    *) echo "failed: $(head -1 "$dir/error.$$")" ;;
    esac
}
trap 'rm -f "$dir/result.$$" "$dir/error.$$"' EXIT

known() { grep -qxF "$1" "$dir/done"; }
differ=0 number=0
for m in $machines; do
    for p in $policies; do
        same=0 none=0
        for w in $workloads; do
            one=
            for j in $threads; do
                number=$((number + 1))
                [ $((number % each)) = 0 ] || continue
                if known "$m $p $w $j same"; then
                    same=$((same + 1))
                    continue
                fi
                if known "$m $p $w none"; then
                    none=$((none + 1))
                    break
                fi
                one=${one:-$(sum "$m" "$p" "$w" 1)}
                if [ "$one" = refused ]; then
                    none=$((none + 1))
                    echo "$m $p $w none" >>"$dir/done"
                    break
                fi
                got=$(sum "$m" "$p" "$w" "$j")
                if [ "$got" = "$one" ] && [ "${one#failed}" = "$one" ]; then
                    same=$((same + 1))
                    echo "$m $p $w $j same" >>"$dir/done"
                else
                    differ=$((differ + 1))
                    echo "DIFFERS -j 1: $one, -j $j: $got; repeat: $B/byway run -m $m -p $p -w $w -j $j"
                fi
            done
        done
        [ $((same + none)) = 0 ] && [ "$each" != 1 ] && continue
        echo "$m $p: $same runs the same, $none traces refused, $differ different so far"
    done
done
echo "$number cases, each ${each}th looked at; $differ different"
[ "$differ" = 0 ]
