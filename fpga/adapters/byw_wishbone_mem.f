# SPDX-License-Identifier: Apache-2.0
# Files of byw_wishbone_mem, relative to the root of the tree.  Made from byw.f (make rtl-lists).
+incdir+rtl/include
rtl/common/byw_mux.v
rtl/common/byw_prio_enc.v
rtl/common/byw_ram_1r1w.v
fpga/adapters/byw_mem_beats.v
fpga/adapters/byw_mem_fifo.v
fpga/adapters/byw_mem_answer.v
fpga/adapters/byw_wishbone_mem.v
