# SPDX-License-Identifier: Apache-2.0
#
# lower.sh - sourced: $lower is the Yosys command that makes assertions cells which write_aiger takes;
# empty before Yosys 0.38, where they are such cells from the beginning.
lower=
! yosys -Q -T -p 'help chformal' | grep -q -e -lower || lower="chformal -lower;"
