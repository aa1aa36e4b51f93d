// SPDX-License-Identifier: Apache-2.0
//
// byw_target.vh - what the target of synthesis has.  It changes area and speed, never a cycle.
//
// BYW_LUT_RAM  1 (default): small memories are read asynchronously: LUT RAM of an FPGA, or
//              register files.  0: registers are smaller (iCE40, standard cells).
`ifndef BYW_TARGET_VH
`define BYW_TARGET_VH
`ifndef BYW_LUT_RAM
`define BYW_LUT_RAM 1
`endif
`endif
