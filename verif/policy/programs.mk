# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs of the bypass mechanisms: module, test, parameters.

MECH = $(call LOCKSTEP,$(1)$(2),byw_$(1),verif/policy/lockstep_$(1).c,$(3))

# The rescue rules, UNIT:WIDTH of each, and byw_rescue.v, which joins them.
RESCUES := $(shell awk -F'[^A-Za-z0-9_]+' '/^RESCUE[^a-z]/ { print $$2 ":" $$4 }' cmodel/configs/byw_rescues.def)
define RESCUE
COSIM_TESTS += verif/policy/lockstep_rescue.c
$(call VERILATE,$(1),byw_$(1),)
$(COSIM)/$(1).o: verif/policy/lockstep_rescue.c $(wildcard verif/cosim/*.h) cmodel/configs/byw_rescues.def $(B)/libbyway.a
	@mkdir -p $(COSIM)
	$(Q)$(CC) $(COSIM_C) -DRULE=byw_$(1) -DWHEN_W=$(2) -c $$< -o $$@
$(call LINKED,$(1),$(1),byw_$(1),$(COSIM)/$(1).o)
endef
$(foreach r,$(RESCUES),$(eval $(call RESCUE,$(firstword $(subst :, ,$(r))),$(lastword $(subst :, ,$(r))))))
$(eval $(call LOCKSTEP,rescue,byw_rescue,verif/policy/lockstep_rescue.c))

$(eval $(call MECH,hint))
$(eval $(call MECH,womu))
$(eval $(call MECH,mrmu))
$(eval $(call MECH,set_duel,_8,SETS=8))
$(eval $(call MECH,set_duel,_32,SETS=32))
$(eval $(call MECH,bdu))
$(eval $(call MECH,pc_pred,_fermi,LOOK=0 ENTRIES=128 CTR_W=4 SHIFT=2 SETS=32 WAYS=4 MSHRS=32 TRACKERS=64))
$(eval $(call MECH,pc_pred,_small,LOOK=0 ENTRIES=2 CTR_W=1 SHIFT=0 SETS=4 WAYS=1 MSHRS=1 TRACKERS=3))
$(eval $(call MECH,pc_pred,_look,LOOK=1 ENTRIES=64 CTR_W=3 SHIFT=2 SETS=16 WAYS=2 MSHRS=4 TRACKERS=5))

# Trials: window, reuse, confirm, windows, margin, overtime, rest, doublings, line window, line reuse, runs,
# bits of cycles, of a warp.
TRIALS = $(call LOCKSTEP,trials_$(1),byw_trials,verif/policy/lockstep_trials.c,WINDOW=$(2) REUSE_PCT=$(3) CONFIRM=$(4) \
  WINDOWS=$(5) MARGIN_PCT=$(6) OVERTIME_PCT=$(7) REST=$(8) DOUBLINGS=$(9) LINE_WINDOW=$(10) LINE_REUSE_PCT=$(11) \
  RUN_PCT=$(12) CYCLE_W=$(13) WARP_W=$(14))
$(eval $(call TRIALS,small,8,40,1,2,25,30,1,2,4,50,50,7,3))
$(eval $(call TRIALS,odd,11,33,3,5,12,100,2,3,7,40,35,9,2))
$(eval $(call TRIALS,one,8,101,2,1,0,0,0,0,1,100,0,24,1))

# Distances: sets, ways, steps of protection, loads per step.
PROTECTION = $(call LOCKSTEP,protection_$(1),byw_protection,verif/policy/lockstep_protection.c,SETS=$(2) WAYS=$(3) STEPS=$(4) STEP=$(5))
$(eval $(call PROTECTION,fermi,32,4,3,16))
$(eval $(call PROTECTION,small,2,3,5,3))
$(eval $(call PROTECTION,one,1,1,0,1))
