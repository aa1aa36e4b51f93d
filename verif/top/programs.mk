# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs of rtl/top and of SM dueling: module, test, parameters.

$(eval $(call LOCKSTEP,sm_duel,byw_sm_duel,verif/policy/lockstep_sm_duel.c,))
$(eval $(call LOCKSTEP,stats,byw_stats,verif/top/lockstep_stats.c,))
$(eval $(call LOCKSTEP,csr,byw_csr,verif/top/lockstep_csr.c,SMS=15))
$(COSIM)/csr.v/Vbyw_csr__ALL.a: rtl/include/byw_csr.vh

.PHONY: csr
csr: ## make the register files anew from cmodel/top/byw_csr.def
	@mkdir -p $(B)/gen
	@$(CC) $(CFLAGS) -o $(B)/gen/byw_gen_csr verif/top/byw_gen_csr.c
	@$(B)/gen/byw_gen_csr vh > rtl/include/byw_csr.vh
	@$(B)/gen/byw_gen_csr h > cmodel/top/byw_csr_map.h
	@$(B)/gen/byw_gen_csr md > rtl/doc/csr.md
