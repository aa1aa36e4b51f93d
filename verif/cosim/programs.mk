# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs: module, test, parameters.

POLICY_T := verif/policy/lockstep_policy.c
$(eval $(call LOCKSTEP,policy_4x8,byw_policy,$(POLICY_T),TAG_WAYS=8 DATA_WAYS=4 KEY_W=28 RC_W=6 REPL=0))
$(eval $(call LOCKSTEP,policy_1x1,byw_policy,$(POLICY_T),TAG_WAYS=1 DATA_WAYS=1 KEY_W=20 RC_W=1 REPL=0))
$(eval $(call LOCKSTEP,policy_3x5,byw_policy,$(POLICY_T),TAG_WAYS=5 DATA_WAYS=3 KEY_W=33 RC_W=3 REPL=1))
$(eval $(call LOCKSTEP,policy_8x8,byw_policy,$(POLICY_T),TAG_WAYS=8 DATA_WAYS=8 KEY_W=28 RC_W=8 REPL=1))

# The cache: sets, data ways, tag ways, line, index, replacement, RC bits, MSHRs, merges, queues, trackers.
L1D_T := verif/l1d/lockstep_l1d.c
L1D = $(call LOCKSTEP,l1d_$(1),byw_l1d,$(L1D_T),SETS=$(2) DATA_WAYS=$(3) TAG_WAYS=$(4) LINE_BYTES=$(5) \
  LINE_W=33 INDEX=$(6) REPL=$(7) RC_W=$(8) MSHRS=$(9) MERGES=$(10) MISS_DEPTH=$(11) BYPASS_DEPTH=$(12) \
  TRACKERS=$(13))
$(eval $(call L1D,fermi,32,4,8,128,1,0,6,32,8,8,8,64))
$(eval $(call L1D,small,4,2,4,32,0,1,3,4,2,2,1,3))
$(eval $(call L1D,direct,8,1,1,32,0,0,2,1,1,1,1,1))
$(eval $(call L1D,one_set,1,4,8,64,0,0,6,4,2,4,4,4))
$(eval $(call L1D,odd,2,3,7,32,0,1,8,5,3,3,2,5))
$(eval $(call L1D,direct_4tags,16,1,4,128,0,0,4,8,4,4,4,16))
$(eval $(call L1D,ways8,32,8,16,64,0,1,6,64,4,8,8,32))
$(eval $(call L1D,ways8_tags8,8,8,8,128,0,0,6,12,8,6,6,9))
$(eval $(call L1D,fermi64,64,2,8,64,1,0,5,16,8,8,8,16))
$(eval $(call L1D,tags4x,32,4,16,128,1,1,6,32,8,8,8,64))
$(eval $(call L1D,ways16,4,16,32,64,0,0,6,16,4,8,4,16))
$(eval $(call L1D,ways48,4,48,48,128,0,0,6,16,8,32,8,16))
