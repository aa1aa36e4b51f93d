#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_no_effect.sh - an option that would have no effect is refused: one of another action or format
# of `byway trace`, and one that needs another option. The message names both. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/a" 1 4

alone() { # alone OPTION VALUE NEEDED COMMAND...: refused without NEEDED, accepted in --help
    local option=$1 value=$2 needed=$3
    shift 3
    refuses "$*: $option without $needed" "$option has no effect without $needed" "$@" "$option" $value
    succeeds "$*: $option and --help" "$@" "$option" $value --help
}
for option in --waves-sm --waves-set --waves-at --waves-cycles; do
    alone $option 1 --waves run -m fermi -t a
done
alone --timeline 64 --json run -m fermi -t a
alone --loads "" --json run -m fermi -t a
alone --stalls "" --json run -t a
for option in --thresh1 --thresh2 --weight; do
    alone $option 5 --mpache advise a
done
alone --no-guard "" --mpache advise a
alone --sweep "" --mpache advise a
alone --dot g.dot --mpache advise a
alone --runs 5 --search oracle -m fermi -t a
alone --beside late.json --markdown reproduce 001 -n
alone --programs p --size reproduce 001 -n
alone --patience 5 --size reproduce 001 -n
alone --sbatch --time=5 "--engine slurm" sweep -m fermi -t a -n

other() { # other ACTION OPTION VALUE...: an option of another action
    local action=$1 option=$2
    shift
    refuses "trace $action $option" "trace $action has no option $option|trace $action --help" trace "$action" a "$@"
}
other info --output f
other info --to csv
other info --races
other check --rows 5
other check --json
other convert --launches 1 -o x.csv --to csv
other convert --kernels probe -o x.csv --to csv
other machine --sites
other capture --rows 5 -o x.bwt
refuses "trace info --sites --json" "--json and --sites" trace info a --sites --json

format() { # format OPTION VALUE FORMATS: an option of trace convert for other formats
    refuses "trace convert --to csv $1" "$1 has no effect with --to csv; expected --to $3" \
        trace convert a --to csv -o x.csv "$1" "$2"
}
format --tracer 3 accelsim
for option in --sms --sm --ctas; do
    format $option 1 oracle
done
format --machine nowhere "ramulator, dramsim"
format --policy nowhere "ramulator, dramsim"
refuses "without --to, the format is bwt" "no effect with --to bwt" trace convert a -o x.bwt --tracer 3
[ -z "$(ls "$dir" | grep -v -e '^a$' -e '^out$' -e '^err$')" ]
result $? "refused commands leave no output"
finish
