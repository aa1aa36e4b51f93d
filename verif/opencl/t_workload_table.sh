#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_workload_table.sh - cmodel/workloads/TABLE.md agrees with the registry and the shipped traces.
# Exit status 77 without a built command.
set -u
cd "$(dirname "$0")/../.." || exit 1
BYWAY=${BYWAY:-${B:-build}/byway}
export BYWAY
. verif/common/tap.sh
[ -x "$BYWAY" ] || skip_all "no $BYWAY; make"
work=$(mktemp) || exit 1
trap 'rm -f "$work"' EXIT
cmodel/workloads/table.sh >"$work" || exit 1
if ! cmp -s "$work" cmodel/workloads/TABLE.md; then
    echo "cmodel/workloads/TABLE.md is out of date (make workload-table):"
    diff cmodel/workloads/TABLE.md "$work" | head -6 | cut -c1-200
    exit 1
fi
