# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs of the L2's helpers: module, test, parameters.

L2U = $(call LOCKSTEP,$(1)$(2),byw_$(1),verif/l2/lockstep_$(1).c,$(3))
$(eval $(call L2U,bypass_bit,_64x16,SETS=64 WAYS=16))
$(eval $(call L2U,bypass_bit,_4x3,SETS=4 WAYS=3))
$(eval $(call L2U,dbi,_2x16,SETS=2 WAYS=16 BLOCKS=32 ROW_W=24))
$(eval $(call L2U,dbi,_1x1,SETS=1 WAYS=1 BLOCKS=5 ROW_W=7))
$(eval $(call L2U,dbi,_4x3,SETS=4 WAYS=3 BLOCKS=64 ROW_W=9))
$(eval $(call L2U,l2_pc_bypass,_256x16,ENTRIES=128 CTR_W=4 SETS=256 WAYS=16))
$(eval $(call L2U,l2_pc_bypass,_64x3,ENTRIES=16 CTR_W=8 SETS=64 WAYS=3))
$(eval $(call L2U,l2_pc_bypass,_1x2,ENTRIES=2 CTR_W=1 SETS=1 WAYS=2))
