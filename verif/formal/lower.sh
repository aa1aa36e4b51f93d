# SPDX-License-Identifier: Apache-2.0
#
# lower.sh - sourced: $lower is the Yosys command that turns assertions into cells that write_aiger
# accepts; empty before Yosys 0.38, whose assertions already are such cells.
lower=
! yosys -Q -T -p 'help chformal' | grep -q -e -lower || lower="chformal -lower;"
