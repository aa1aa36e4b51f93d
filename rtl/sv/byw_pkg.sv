// SPDX-License-Identifier: Apache-2.0
//
// byw_pkg - the constants of byw_defs.vh as a package: byw_pkg::BYW_OP_LOAD, byw_pkg::BYW_SERVED_HIT ...
//
package byw_pkg;
  `include "byw_defs.vh"
endpackage
