# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs: module, test, parameters.

POLICY_T := verif/policy/lockstep_policy.c
$(eval $(call LOCKSTEP,policy_4x8,byw_policy,$(POLICY_T),TAG_WAYS=8 DATA_WAYS=4 KEY_W=28 RC_W=6 REPL=0))
$(eval $(call LOCKSTEP,policy_1x1,byw_policy,$(POLICY_T),TAG_WAYS=1 DATA_WAYS=1 KEY_W=20 RC_W=1 REPL=0))
$(eval $(call LOCKSTEP,policy_3x5,byw_policy,$(POLICY_T),TAG_WAYS=5 DATA_WAYS=3 KEY_W=33 RC_W=3 REPL=1))
$(eval $(call LOCKSTEP,policy_8x8,byw_policy,$(POLICY_T),TAG_WAYS=8 DATA_WAYS=8 KEY_W=28 RC_W=8 REPL=1))
