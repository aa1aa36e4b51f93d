# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs: module, test, parameters.

POLICY_T := verif/policy/lockstep_policy.c
$(eval $(call LOCKSTEP,policy_4x8,byw_policy,$(POLICY_T),TAG_WAYS=8 DATA_WAYS=4 RC_W=6 REPL=0))
$(eval $(call LOCKSTEP,policy_1x1,byw_policy,$(POLICY_T),TAG_WAYS=1 DATA_WAYS=1 RC_W=1 REPL=0))
$(eval $(call LOCKSTEP,policy_3x5,byw_policy,$(POLICY_T),TAG_WAYS=5 DATA_WAYS=3 RC_W=3 REPL=1))
$(eval $(call LOCKSTEP,policy_8x8,byw_policy,$(POLICY_T),TAG_WAYS=8 DATA_WAYS=8 RC_W=8 REPL=1))

# A replacement policy added after the first two gets separate programs.
REPLS_NEW := $(wordlist 3,99,$(REPLS))
$(foreach r,$(REPLS_NEW),$(eval $(call LOCKSTEP,policy_$(REPL_NAME),byw_policy,$(POLICY_T),TAG_WAYS=5 DATA_WAYS=3 \
  RC_W=3 REPL=$(REPL_N))))

SECTORED_T := verif/policy/lockstep_sectored.c
$(eval $(call LOCKSTEP,sectored_48x4,byw_sectored,$(SECTORED_T),WAYS=48 SECTORS=4 REPL=0))
$(eval $(call LOCKSTEP,sectored_3x2,byw_sectored,$(SECTORED_T),WAYS=3 SECTORS=2 REPL=1))
$(eval $(call LOCKSTEP,sectored_1x1,byw_sectored,$(SECTORED_T),WAYS=1 SECTORS=1 REPL=0))

# The units of the cache.
U := verif/l1d/lockstep_
$(eval $(call LOCKSTEP,tag_store_4x8,byw_tag_store,$(U)tag_store.c,SETS=4 TAG_WAYS=8 DATA_WAYS=4 KEY_W=10 RC_W=6 REPL=0))
$(eval $(call LOCKSTEP,tag_store_1x2,byw_tag_store,$(U)tag_store.c,SETS=2 TAG_WAYS=2 DATA_WAYS=1 KEY_W=8 RC_W=2 REPL=1))
$(eval $(call LOCKSTEP,tag_store_3x5,byw_tag_store,$(U)tag_store.c,SETS=1 TAG_WAYS=5 DATA_WAYS=3 KEY_W=12 RC_W=3 REPL=1))
$(eval $(call LOCKSTEP,sector_store_3x2,byw_sector_store,$(U)sector_store.c,SETS=2 WAYS=3 SECTORS=2 KEY_W=10 REPL=0))
$(eval $(call LOCKSTEP,sector_store_1x1,byw_sector_store,$(U)sector_store.c,SETS=4 WAYS=1 SECTORS=1 KEY_W=8 REPL=1))
$(eval $(call LOCKSTEP,sector_store_12x4,byw_sector_store,$(U)sector_store.c,SETS=1 WAYS=12 SECTORS=4 KEY_W=31 REPL=1))
$(eval $(call LOCKSTEP,install_48x4,byw_install,$(U)install.c,WAYS=48 SECTORS=4 KEY_W=31 REPL=0))
$(eval $(call LOCKSTEP,install_3x2,byw_install,$(U)install.c,WAYS=3 SECTORS=2 KEY_W=20 REPL=1))
$(foreach r,$(REPLS_NEW),$(eval $(call LOCKSTEP,install_$(REPL_NAME),byw_install,$(U)install.c,WAYS=3 SECTORS=2 KEY_W=20 \
  REPL=$(REPL_N))))
$(eval $(call LOCKSTEP,repl_random,byw_repl_random,verif/record/lockstep_repl_random.c,))
$(eval $(call LOCKSTEP,mshr_6x3,byw_mshr,$(U)mshr.c,MSHRS=6 MERGES=3 LINE_W=33 SET_IW=5 WAY_IW=2 ID_W=12 SEARCH=1))
$(eval $(call LOCKSTEP,mshr_1x1,byw_mshr,$(U)mshr.c,MSHRS=1 MERGES=1 LINE_W=24 SET_IW=1 WAY_IW=1 ID_W=9 SEARCH=1))
$(eval $(call LOCKSTEP,mshr_given_6x3,byw_mshr,$(U)mshr.c,MSHRS=6 MERGES=3 LINE_W=33 SET_IW=5 WAY_IW=2 ID_W=12 SEARCH=0))
$(eval $(call LOCKSTEP,mshr_given_1x1,byw_mshr,$(U)mshr.c,MSHRS=1 MERGES=1 LINE_W=24 SET_IW=1 WAY_IW=1 ID_W=9 SEARCH=0))
$(eval $(call LOCKSTEP,mshr_32x8,byw_mshr,$(U)mshr.c,MSHRS=32 MERGES=8 LINE_W=33 SET_IW=5 WAY_IW=2 ID_W=16 SEARCH=1))
$(eval $(call LOCKSTEP,miss_queue_8_8,byw_miss_queue,$(U)miss_queue.c,MISS_DEPTH=8 BYPASS_DEPTH=8 ENTRY_W=64))
$(eval $(call LOCKSTEP,miss_queue_1_1,byw_miss_queue,$(U)miss_queue.c,MISS_DEPTH=1 BYPASS_DEPTH=1 ENTRY_W=64))
$(eval $(call LOCKSTEP,miss_queue_5_2,byw_miss_queue,$(U)miss_queue.c,MISS_DEPTH=5 BYPASS_DEPTH=2 ENTRY_W=64))
$(eval $(call LOCKSTEP,bypass_tracker_11,byw_bypass_tracker,$(U)bypass_tracker.c,TRACKERS=11 ID_W=16))
$(eval $(call LOCKSTEP,bypass_tracker_1,byw_bypass_tracker,$(U)bypass_tracker.c,TRACKERS=1 ID_W=16))
$(eval $(call LOCKSTEP,order_writes,byw_order,$(U)order.c,ORDER=1 IN_FLIGHT=16 LINE_W=33 ID_W=16))
$(eval $(call LOCKSTEP,order_all,byw_order,$(U)order.c,ORDER=2 IN_FLIGHT=3 LINE_W=33 ID_W=16))
$(eval $(call LOCKSTEP,order_stores,byw_order,$(U)order.c,ORDER=0 IN_FLIGHT=1 LINE_W=33 ID_W=16))
$(eval $(call LOCKSTEP,rsp_arb,byw_rsp_arb,$(U)rsp_arb.c,))
$(eval $(call LOCKSTEP,fill_32,byw_fill,$(U)fill.c,STAGED=0 LINE_BYTES=32 BEAT_BYTES=32 MSHR_IW=3 LIST_IW=2 ID_W=16))
$(eval $(call LOCKSTEP,fill_staged,byw_fill,$(U)fill.c,STAGED=1 LINE_BYTES=64 BEAT_BYTES=64 MSHR_IW=4 LIST_IW=3 ID_W=16))
$(eval $(call LOCKSTEP,fill_beats,byw_fill,$(U)fill.c,STAGED=0 LINE_BYTES=64 BEAT_BYTES=16 MSHR_IW=3 LIST_IW=2 ID_W=16))
$(eval $(call LOCKSTEP,data_store_4x3,byw_data_store,$(U)data_store.c,SETS=4 DATA_WAYS=3 LINE_BYTES=128 BEAT_BYTES=128 LINE_W=33 LOOK=0))
$(eval $(call LOCKSTEP,data_store_8x1,byw_data_store,$(U)data_store.c,SETS=8 DATA_WAYS=1 LINE_BYTES=32 BEAT_BYTES=32 LINE_W=20 LOOK=0))
$(eval $(call LOCKSTEP,data_store_look,byw_data_store,$(U)data_store.c,SETS=4 DATA_WAYS=4 LINE_BYTES=32 BEAT_BYTES=32 LINE_W=20 LOOK=1))
$(eval $(call LOCKSTEP,data_store_beats,byw_data_store,$(U)data_store.c,SETS=4 DATA_WAYS=3 LINE_BYTES=64 BEAT_BYTES=16 LINE_W=33 LOOK=0))
$(eval $(call LOCKSTEP,data_store_beats_look,byw_data_store,$(U)data_store.c,SETS=2 DATA_WAYS=2 LINE_BYTES=128 BEAT_BYTES=8 LINE_W=20 LOOK=1))

# The cache: sets, data ways, tag ways, line, index, replacement, RC bits, MSHRs, merges, queues,
# trackers; counters of the PC predictor, their width, lowest PC bits that are not hashed (0: no predictor);
# look stage; optional features of the port.
L1D_T := verif/l1d/lockstep_l1d.c
L1D = $(call LOCKSTEP,l1d_$(1),byw_l1d,$(L1D_T),ALLOC=0 SECTORS=1 SETS=$(2) DATA_WAYS=$(3) TAG_WAYS=$(4) LINE_BYTES=$(5) \
  LINE_W=33 INDEX=$(6) REPL=$(7) RC_W=$(8) MSHRS=$(9) MERGES=$(10) MISS_DEPTH=$(11) BYPASS_DEPTH=$(12) \
  TRACKERS=$(13) PC_ENTRIES=$(14) PC_BITS=$(15) PC_SHIFT=$(16) PC_PRED=$(or $(17),1) LOOK=$(or $(18),0) $(19))
$(eval $(call L1D,fermi,32,4,8,128,1,0,6,32,8,8,8,64,128,4,2))
$(eval $(call L1D,small,4,2,4,32,0,1,3,4,2,2,1,3,4,2,0))
$(eval $(call L1D,fold,8,2,4,32,2,0,4,8,4,4,4,8,16,2,0))
$(eval $(call L1D,direct,8,1,1,16,0,0,2,1,1,1,1,1,2,1,1))
$(eval $(call L1D,one_set,1,4,8,64,0,0,6,4,2,4,4,4,128,4,2))
$(eval $(call L1D,odd,2,3,7,32,0,1,8,5,3,3,2,5,16,3,16))
$(eval $(call L1D,direct_4tags,16,1,4,128,0,0,4,8,4,4,4,16,64,8,3))
$(eval $(call L1D,ways8,32,8,16,64,0,1,6,64,4,8,8,32,256,4,2))
$(eval $(call L1D,ways8_tags8,8,8,8,128,0,0,6,12,8,6,6,9,32,2,4))
$(eval $(call L1D,fermi64,64,2,8,64,1,0,5,16,8,8,8,16,128,4,2))
$(eval $(call L1D,tags4x,32,4,16,128,1,1,6,32,8,8,8,64,1024,5,0))
$(eval $(call L1D,ways16,4,16,32,64,0,0,6,16,4,8,4,16,128,4,2))
$(eval $(call L1D,ways48,4,48,48,128,0,0,6,16,8,32,8,16,128,4,2))
$(eval $(call L1D,no_pc,16,2,4,32,0,0,4,8,4,4,4,8,2,1,0,0))
$(eval $(call L1D,look,32,4,8,128,1,0,6,32,8,8,8,64,128,4,2,1,1))
$(eval $(call L1D,look_small,4,2,4,32,0,1,3,4,2,2,1,3,4,2,0,1,1))
$(eval $(call L1D,look_one_set,1,4,8,64,0,0,6,4,2,4,4,4,128,4,2,1,1))
$(eval $(call L1D,look_odd,2,3,7,32,0,1,8,5,3,3,2,5,16,3,16,1,1))
$(eval $(call L1D,order_writes,4,2,4,32,0,1,3,4,2,2,2,3,4,2,0,1,0,ORDER=1 IN_FLIGHT=5 FENCE=1))
$(eval $(call L1D,order_all,8,2,4,64,0,0,4,8,4,4,4,8,16,2,0,1,1,ORDER=2 IN_FLIGHT=16 UNCACHED=1 FUNC_W=5))
$(eval $(call L1D,store_ids,4,4,8,32,0,0,6,8,4,4,4,8,16,4,2,1,0,STORE_IDS=1 IN_FLIGHT=3 FENCE=1 UNCACHED=1 FUNC_W=1))
$(eval $(call L1D,line8,4,2,4,8,0,1,3,4,3,2,2,3,8,2,0,1,0,FENCE=1))
$(eval $(call L1D,line16_look,32,2,4,16,1,0,6,8,4,4,4,8,16,4,2,1,1))
$(eval $(call L1D,sets512,512,2,2,8,0,0,6,8,4,4,4,8,16,4,2))
$(eval $(call L1D,beat32,16,2,4,128,0,0,6,8,6,4,4,8,16,4,2,1,0,BEAT_BYTES=32))
$(eval $(call L1D,beat8_look,4,2,4,64,0,1,3,4,5,2,2,3,4,2,0,1,1,BEAT_BYTES=8))
$(eval $(call L1D,look_fence,4,2,4,32,0,0,3,4,3,2,2,4,8,2,0,1,1,FENCE=1 UNCACHED=1 FUNC_W=2))
$(eval $(call L1D,beat8_look_fence,2,3,5,32,0,1,3,3,5,2,2,4,8,2,0,1,1,BEAT_BYTES=8 FENCE=1 UNCACHED=1 FUNC_W=2 ORDER=1 IN_FLIGHT=6))
$(eval $(call L1D,beat16_order,4,3,5,32,0,0,4,6,3,3,2,4,8,3,1,1,0,BEAT_BYTES=16 ORDER=1 IN_FLIGHT=6 FENCE=1 UNCACHED=1 FUNC_W=3))
$(eval $(call L1D,beat64_line,1,1,1,128,0,0,2,2,2,2,2,3,8,2,1,1,1,BEAT_BYTES=64 STORE_IDS=1 IN_FLIGHT=3))
$(eval $(call L1D,parity,4,3,4,32,0,1,3,4,2,2,1,3,4,2,0,1,0,PARITY=1))
$(eval $(call L1D,parity_look,2,3,5,64,0,1,3,3,5,2,2,4,8,2,0,1,1,BEAT_BYTES=16 FENCE=1 PARITY=1))

# Allocate on fill: sectors, sets, ways, line, replacement, MSHRs, merges, queues, trackers;
# predictor as above.
L1D_FILL = $(call LOCKSTEP,l1d_fill_$(1),byw_l1d,$(L1D_T),ALLOC=1 SECTORS=$(2) SETS=$(3) DATA_WAYS=$(4) \
  TAG_WAYS=$(4) LINE_BYTES=$(5) LINE_W=33 INDEX=0 REPL=$(6) RC_W=6 MSHRS=$(7) MERGES=$(8) MISS_DEPTH=$(9) \
  BYPASS_DEPTH=$(10) TRACKERS=$(11) PC_ENTRIES=$(12) PC_BITS=$(13) PC_SHIFT=$(14) PC_PRED=1 LOOK=0 $(15))
$(eval $(call L1D_FILL,small,2,2,3,128,0,4,2,2,1,3,4,2,0))
$(eval $(call L1D_FILL,pascal,4,4,48,128,0,16,8,32,8,16,128,4,2))
$(eval $(call L1D_FILL,direct,1,8,1,32,1,3,1,1,1,1,2,1,1))
$(eval $(call L1D_FILL,order,2,2,3,64,0,4,2,3,2,4,4,2,0,ORDER=1 IN_FLIGHT=4 FENCE=1 UNCACHED=1 FUNC_W=9))
$(eval $(call L1D_FILL,line16,2,2,3,16,0,4,3,2,2,4,4,2,0))
$(eval $(call L1D_FILL,parity,2,2,3,128,0,4,2,2,1,3,4,2,0,PARITY=1))
$(eval $(call L1D_FILL,srrip,2,8,5,64,1,8,4,4,3,6,32,3,2))
$(foreach r,$(REPLS_NEW),$(eval $(call L1D,$(REPL_NAME),4,2,4,32,0,$(REPL_N),3,4,2,2,1,3,4,2,0)))
$(foreach r,$(REPLS_NEW),$(eval $(call L1D_FILL,$(REPL_NAME),2,2,3,32,$(REPL_N),4,2,2,1,3,4,2,0)))

# Flags of sets in registers, as for targets without LUT RAM.
$(foreach p,tag_store_1x2 l1d_odd l1d_look_small l1d_direct l1d_sets512 config_embedded,$(eval DEFINES_$(p) := -DBYW_LUT_RAM=0))

COSIM_LONG += $(addprefix l1d_,ways8 one_set fill_small fill_pascal direct direct_4tags ways8_tags8 fermi64 tags4x ways16 ways48 no_pc look look_one_set \
  order_writes line8 line16_look sets512 beat32 beat8_look look_fence beat16_order beat64_line parity_look fill_parity fill_direct fill_line16 fill_srrip) \
  sectored_48x4 install_48x4 policy_8x8 tag_store_3x5 sector_store_12x4 mshr_given_1x1 miss_queue_5_2 data_store_8x1 data_store_beats
