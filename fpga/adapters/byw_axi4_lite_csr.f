# SPDX-License-Identifier: Apache-2.0
# Files of byw_axi4_lite_csr, relative to the root of the tree.  Made from byw.f (make rtl-lists).
+incdir+rtl/include
fpga/adapters/byw_axi4_lite_csr.v
