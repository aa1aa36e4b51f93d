// SPDX-License-Identifier: Apache-2.0
//
// byw_cluster_bind.sv - attaches the checker of the register bus to every byw_cluster of a design.
//
bind byw_cluster byw_csr_protocol u_csr_protocol (.*);
