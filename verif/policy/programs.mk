# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs of the bypass mechanisms: module, test, parameters.

MECH = $(call LOCKSTEP,$(1)$(2),byw_$(1),verif/policy/lockstep_$(1).c,$(3))
$(eval $(call MECH,stall_bypass))
$(eval $(call MECH,hint))
$(eval $(call MECH,womu))
$(eval $(call MECH,mrmu))
$(eval $(call MECH,set_duel,_8,SETS=8))
$(eval $(call MECH,set_duel,_32,SETS=32))
$(eval $(call MECH,bdu))
$(eval $(call MECH,pc_pred,_fermi,LOOK=0 ENTRIES=128 CTR_W=4 SHIFT=2 SETS=32 WAYS=4 MSHRS=32 TRACKERS=64))
$(eval $(call MECH,pc_pred,_small,LOOK=0 ENTRIES=2 CTR_W=1 SHIFT=0 SETS=4 WAYS=1 MSHRS=1 TRACKERS=3))
$(eval $(call MECH,pc_pred,_look,LOOK=1 ENTRIES=64 CTR_W=3 SHIFT=2 SETS=16 WAYS=2 MSHRS=4 TRACKERS=5))
