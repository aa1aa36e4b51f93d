#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_cocotb.sh - test_byw_sm_l1.py under Icarus Verilog, on the cache and on one with a fault.  PYTHON: an interpreter
# with cocotb 2 (default python3).  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
python=${PYTHON:-python3}
command -v iverilog >/dev/null || skip_all "no Icarus Verilog; apt-get install iverilog"
"$python" -c 'import cocotb; assert cocotb.__version__ >= "2"' 2>/dev/null ||
    skip_all "no cocotb 2 for $python; python3 -m venv VENV && VENV/bin/pip install cocotb, then PYTHON=VENV/bin/python"
tap_folder log

# bench TREE: the exit status of the bench on the Verilog in TREE/rtl.
bench() {
    local files
    mapfile -t files < <(sed "/^[#+]/d; s,^,$1/," rtl/byw_sm_l1.f)
    rm -rf "$dir/run"
    mkdir "$dir/run"
    cat >"$dir/run/run.py" <<'END'
import sys
from cocotb_tools.runner import get_runner, get_results
runner = get_runner("icarus")
sizes = dict(SETS=8, DATA_WAYS=2, TAG_WAYS=4, LINE_BYTES=32, LINE_W=20, ID_W=8, INDEX=0, RC_W=4, MSHRS=4, MERGES=3,
             MISS_DEPTH=4, BYPASS_DEPTH=3, TRACKERS=4, PC_PRED=0, STATS=0)
runner.build(sources=sys.argv[3:], includes=[sys.argv[1] + "/rtl/include"], hdl_toplevel="byw_sm_l1", parameters=sizes,
             build_dir=sys.argv[2], build_args=["-g2005"], timescale=("1ns", "1ns"))
results = runner.test(test_module="test_byw_sm_l1", hdl_toplevel="byw_sm_l1", build_dir=sys.argv[2], test_dir=sys.argv[2])
sys.exit(get_results(results)[1] != 0)
END
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD/verif/integration CFG=$(sed -n "s/.*BYW_MODE_DECOUPLED 32'h//p" rtl/include/byw_modes.vh) \
        timeout 300 "$python" "$dir/run/run.py" "$1" "$dir/run" "${files[@]}" >"$dir/log" 2>&1
}
bench "$PWD" && grep -q 'PASS=1 FAIL=0' "$dir/log"
result $? "a cocotb bench finds every byte right"
mkdir "$dir/faulty"
cp -r rtl "$dir/faulty/rtl"
sed -i 's/assign line_release_o  *= committed_i && !line_write_o/& \&\& !pending_i/' "$dir/faulty/rtl/l1d/byw_write_decide.v"
! cmp -s rtl/l1d/byw_write_decide.v "$dir/faulty/rtl/l1d/byw_write_decide.v" || echo "not ok 0 - no fault was made"
bench "$dir/faulty"
grep -q 'a load returned other bytes' "$dir/log"
result $? "the same bench finds a store that leaves the MSHR of its line attached"
finish
