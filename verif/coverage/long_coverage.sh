#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_coverage.sh - `make coverage-check`: no line, bin or share of toggles of rtl/doc/coverage.md is lost. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v verilator >/dev/null || skip_all "no Verilator; apt-get install verilator"
tap_folder log
make --no-print-directory -s coverage-check >"$dir/log" 2>&1
result $? "lines, toggles and functional bins are those of the page"
finish
