fpga/adapters/byw_mem_slots.v
fpga/adapters/byw_mem_beats.v
fpga/adapters/byw_mem_fifo.v
fpga/adapters/byw_mem_answer.v
fpga/adapters/byw_axi4_mem.v
fpga/adapters/byw_axi4_lite_csr.v
fpga/adapters/byw_wishbone_mem.v
fpga/adapters/byw_tilelink_mem.v
