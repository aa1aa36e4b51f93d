# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - exhaustive comparisons of RTL and C. Where a seed chooses settings, the four seeds
# of `make cosim` try four of them; the long comparisons run in `make formal` only.

P := verif/formal/prove_
$(eval $(call LOCKSTEP,all_record_2x1,byw_policy,$(P)record.c,TAG_WAYS=2 DATA_WAYS=1 RC_W=2 REPL=0))
$(eval $(call LOCKSTEP,all_record_2x2,byw_policy,$(P)record.c,TAG_WAYS=2 DATA_WAYS=2 RC_W=1 REPL=1))
$(eval $(call LOCKSTEP,all_record_3x2,byw_policy,$(P)record.c,TAG_WAYS=3 DATA_WAYS=2 RC_W=1 REPL=0))
$(eval $(call LOCKSTEP,all_duel_4,byw_sm_duel,$(P)duel.c,COUNT_W=3))
$(eval $(call LOCKSTEP,all_duel_5,byw_sm_duel,$(P)duel.c,COUNT_W=4))
$(eval $(call LOCKSTEP,all_lru_8,byw_repl,$(P)repl.c,WAYS=8 REPL=0))
$(foreach r,$(REPLS),$(eval $(call LOCKSTEP,all_$(REPL_NAME)_4,byw_repl,$(P)repl.c,WAYS=4 REPL=$(REPL_N))))
$(foreach r,$(REPLS),$(eval $(call LOCKSTEP,all_$(REPL_NAME)_7,byw_repl,$(P)repl.c,WAYS=7 REPL=$(REPL_N))))
$(eval $(call LOCKSTEP,all_index_fermi32,byw_set_index,$(P)index.c,SETS=32 LINE_BYTES=128 LINE_W=18 INDEX=1))
$(eval $(call LOCKSTEP,all_index_fermi64,byw_set_index,$(P)index.c,SETS=64 LINE_BYTES=64 LINE_W=18 INDEX=1))
$(eval $(call LOCKSTEP,all_index_fold32,byw_set_index,$(P)index.c,SETS=32 LINE_BYTES=128 LINE_W=18 INDEX=2))
$(eval $(call LOCKSTEP,all_index_fold8,byw_set_index,$(P)index.c,SETS=8 LINE_BYTES=32 LINE_W=18 INDEX=2))
$(eval $(call LOCKSTEP,all_index_fold_one,byw_set_index,$(P)index.c,SETS=1 LINE_BYTES=32 LINE_W=18 INDEX=2))
$(eval $(call LOCKSTEP,all_index_linear,byw_set_index,$(P)index.c,SETS=16 LINE_BYTES=32 LINE_W=18 INDEX=0))
$(eval $(call LOCKSTEP,all_min_tree,byw_min_tree,$(P)min_tree.c,N=5 KEY_W=3))
$(eval $(call LOCKSTEP,all_prio_enc,byw_prio_enc,$(P)prio_enc.c,N=16))
$(eval $(call LOCKSTEP,all_protection_4,byw_protection_rule,$(P)protection.c,WAYS=4 STEPS=3 STEP=3))
$(eval $(call LOCKSTEP,all_protection_2,byw_protection_rule,$(P)protection.c,WAYS=2 STEPS=5 STEP=1))

FORMAL_ALL := $(filter $(COSIM)/all_%,$(COSIM_PROGRAMS))
FORMAL_ONLY := $(addprefix $(COSIM)/all_,record_2x2 record_3x2 duel_5 lru_8 $(foreach r,$(REPLS),$(REPL_NAME)_7))
FORMAL_ONCE := $(filter-out $(COSIM)/all_record% $(COSIM)/all_duel%,$(FORMAL_ALL))
COSIM_PROGRAMS := $(filter-out $(FORMAL_ONLY),$(COSIM_PROGRAMS))

.PHONY: formal
formal: $(FORMAL_ALL) ## every proof: RTL against C exhaustively, handshakes by induction
	@B=$(B) verif/formal/run.sh "$(FORMAL_ONCE)" "$(filter $(COSIM)/all_record_2% $(COSIM)/all_duel%,$(FORMAL_ALL))" \
	  $(COSIM)/all_record_3x2

.PHONY: formal-l1d
formal-l1d: ## the whole cache in a very small geometry: every request answered once, nothing lost
	@status=0; for p in watch l1d; do B=$(B) verif/formal/prove_$$p.sh || status=1; done; exit $$status
