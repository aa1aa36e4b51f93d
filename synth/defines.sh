#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# defines.sh FLOW - prints the options of read_verilog that tell the RTL what the target of a flow has
# (rtl/include/byw_target.vh).  ecp5 has LUT RAM; ice40, standard cells (liberty) and counts of gates or bits have not.
case $1 in
ecp5) ;;
ice40 | liberty | generic | bits) echo -DBYW_LUT_RAM=0 ;;
*) echo "defines.sh: no flow $1; expected ecp5, ice40, liberty, generic or bits" >&2; exit 2 ;;
esac
