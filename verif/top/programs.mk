# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the lock-step programs of rtl/top, SM dueling and two-level: module, test, parameters.

$(eval $(call LOCKSTEP,sm_duel,byw_sm_duel,verif/policy/lockstep_sm_duel.c,))
$(eval $(call LOCKSTEP,cross_duel_5,byw_cross_duel,verif/policy/lockstep_cross_duel.c,SMS=5))
$(eval $(call LOCKSTEP,cross_duel_1,byw_cross_duel,verif/policy/lockstep_cross_duel.c,SMS=1))
$(eval $(call LOCKSTEP,stats,byw_stats,verif/top/lockstep_stats.c,))
$(eval $(call LOCKSTEP,stats_carry,byw_stats,verif/top/lockstep_stats.c,SUM0_W=14))
$(eval $(call LOCKSTEP,csr,byw_csr,verif/top/lockstep_csr.c,SMS=15))
$(eval $(call LOCKSTEP,two_level,byw_two_level,verif/top/lockstep_two_level.c,))

# Loads that wait by warp: FIFOs, entries of each, bits of an entry, of a warp number.
FIFOS = $(call LOCKSTEP,warp_fifos_$(1)x$(2),byw_warp_fifos,verif/top/lockstep_warp_fifos.c,QUEUES=$(1) DEPTH=$(2) ENTRY_W=$(3) WARP_W=$(4))
$(eval $(call FIFOS,8,2,40,6))
$(eval $(call FIFOS,3,5,64,5))
$(eval $(call FIFOS,1,1,8,1))

LANES = $(call LOCKSTEP,lanes_$(1)x$(2),byw_lanes,verif/top/lockstep_lanes.c,LANES=$(1) LINE_BYTES=$(2) SLOTS=$(3) TAG_W=$(4) RIGHT=$(5))
$(eval $(call LANES,4,8,5,7,1))
$(eval $(call LANES,32,128,16,20,0))
$(eval $(call LANES,1,4,1,1,0))
$(eval $(call LANES,7,64,20,64,1))

# The L1 of one SM: name, sets, data ways, tag ways, line bytes, replacement, PC counters, their
# width, allocate on fill, sectors, look stage, optional features of its port
SM_L1 = $(call LOCKSTEP,sm_l1_$(1),byw_sm_l1,verif/top/lockstep_sm_l1.c,ALLOC=$(9) SECTORS=$(10) SETS=$(2) DATA_WAYS=$(3) \
  TAG_WAYS=$(4) LINE_BYTES=$(5) LINE_W=33 INDEX=0 REPL=$(6) RC_W=4 MSHRS=6 MERGES=3 MISS_DEPTH=4 \
  BYPASS_DEPTH=3 TRACKERS=6 PC_ENTRIES=$(7) PC_BITS=$(8) PC_SHIFT=0 LOOK=$(or $(11),0) $(12))
$(eval $(call SM_L1,8sets,8,2,4,32,0,16,2,0,1))
$(eval $(call SM_L1,2sets,2,3,7,64,1,2,3,0,1))
$(eval $(call SM_L1,fill,8,5,5,64,0,16,2,1,2))
$(eval $(call SM_L1,look,8,2,4,32,0,16,2,0,1,1))
$(eval $(call SM_L1,port,8,2,4,32,0,16,2,0,1,0,STORE_IDS=1 IN_FLIGHT=4 FENCE=1 UNCACHED=1 FUNC_W=3))
$(eval $(call SM_L1,beats,8,2,4,64,0,16,2,0,1,0,BEAT_BYTES=16 FENCE=1))
$(eval $(call SM_L1,parity,4,2,4,32,0,16,2,0,1,0,PARITY=1))
$(eval $(call SM_L1,beats_look,4,2,4,128,1,16,2,0,1,1,BEAT_BYTES=32))
TRIALS_ON := TRIAL=1 TRIAL_WINDOW=8 TRIAL_REUSE_PCT=90 TRIAL_CONFIRM=1 TRIAL_WINDOWS=2 TRIAL_MARGIN_PCT=5 \
  TRIAL_OVERTIME_PCT=100 TRIAL_REST=1 TRIAL_DOUBLINGS=1 TRIAL_DISTANCE=6 TRIAL_STEP=2 TRIAL_LINE_WINDOW=8 TRIAL_LINE_REUSE_PCT=50 \
  TRIAL_RUN_PCT=20 TRIAL_QUEUES=3 TRIAL_DEPTH=2
$(eval $(call SM_L1,trial,4,3,6,32,0,16,2,0,1,0,$(TRIALS_ON)))
$(eval $(call NETLIST,sm_l1_2sets,byw_sm_l1,ice40))
$(eval $(call NETLIST,sm_l1_look,byw_sm_l1,ice40))
$(eval $(call NETLIST,sm_l1_8sets,byw_sm_l1,ecp5))
$(eval $(call NETLIST,sm_l1_look,byw_sm_l1,ecp5))

# The named configurations.
CONFIG_SET = ALLOC=0 SECTORS=1 LINE_W=33 INDEX=1 REPL=0 RC_W=6 MSHRS=32 MERGES=8 MISS_DEPTH=8 BYPASS_DEPTH=8 TRACKERS=64 \
  PC_ENTRIES=128 PC_BITS=4 PC_SHIFT=2 LOOK=0
CONFIG_OWN = $(shell rtl/config.sh sm_l1 $(1))
CONFIG_GIVEN = $(filter-out $(foreach p,$(2),$(firstword $(subst =, ,$(p)))=%),$(1)) $(2)
$(foreach c,$(shell rtl/config.sh list),$(eval $(call LOCKSTEP,config_$(c),byw_sm_l1,verif/top/lockstep_sm_l1.c,$(call CONFIG_GIVEN,$(CONFIG_SET),$(call CONFIG_OWN,$(c))))))
COSIM_LONG += $(addprefix config_,$(shell rtl/config.sh list))

# A warp's access as requests of lines: lanes, warps, line bytes, slots, address bits, function bits, bytes of a beat.
COALESCER = $(call LOCKSTEP,lane_coalescer_$(1)$(if $(7),_beats),byw_lane_coalescer,verif/top/lockstep_lane_coalescer.c,LANES=$(1) WARPS=$(2) \
  LINE_BYTES=$(3) SLOTS=$(4) ADDR_W=$(5) FUNC_W=$(6) BEAT_BYTES=$(or $(7),0))
$(eval $(call COALESCER,4,4,32,16,20,2))
$(eval $(call COALESCER,8,3,64,5,12,1))
$(eval $(call COALESCER,16,32,128,64,32,5))
$(eval $(call COALESCER,1,2,8,1,12,1))
$(eval $(call COALESCER,4,4,32,16,20,2,8))
$(eval $(call COALESCER,16,6,128,24,32,1,32))

# The caches of several SMs: name, SMs, sets, data ways, tag ways, line bytes, replacement, PC
# counters, their width, look stage, optional features of their ports.
CLUSTER = $(call LOCKSTEP,cluster_$(1),byw_cluster,verif/top/lockstep_cluster.c,ALLOC=0 SECTORS=1 SMS=$(2) SETS=$(3) \
  DATA_WAYS=$(4) TAG_WAYS=$(5) LINE_BYTES=$(6) LINE_W=33 INDEX=0 REPL=$(7) RC_W=6 MSHRS=4 MERGES=2 \
  MISS_DEPTH=4 BYPASS_DEPTH=3 TRACKERS=6 PC_ENTRIES=$(8) PC_BITS=$(9) PC_SHIFT=0 LOOK=$(or $(10),0) $(11))
$(eval $(call CLUSTER,4sm,4,8,2,4,32,0,16,2))
$(eval $(call CLUSTER,1sm,1,1,2,2,64,1,4,3))
$(eval $(call CLUSTER,look,3,4,2,4,32,0,16,2,1))
$(eval $(call CLUSTER,port,2,8,2,4,8,0,16,2,0,ORDER=1 IN_FLIGHT=5 FENCE=1 UNCACHED=1 FUNC_W=7))
$(eval $(call CLUSTER,port_all,3,4,2,4,32,1,16,2,1,ORDER=2 IN_FLIGHT=3 STORE_IDS=1 FENCE=1 UNCACHED=1 FUNC_W=32))
$(eval $(call CLUSTER,trial,2,4,3,6,32,0,16,2,0,$(TRIALS_ON)))

$(COSIM)/csr.v/Vbyw_csr__ALL.a $(COSIM)/two_level.v/Vbyw_two_level__ALL.a \
$(COSIM)/cluster_4sm.v/Vbyw_cluster__ALL.a $(COSIM)/cluster_1sm.v/Vbyw_cluster__ALL.a \
$(patsubst %,$(COSIM)/cluster_%.v/Vbyw_cluster__ALL.a,look port port_all trial) \
$(patsubst %,$(COSIM)/sm_l1_%.v/Vbyw_sm_l1__ALL.a,8sets 2sets fill look port trial): rtl/include/byw_csr.vh
$(foreach p,sm_l1_8sets sm_l1_2sets sm_l1_fill sm_l1_look sm_l1_port sm_l1_trial cluster_4sm cluster_1sm cluster_look cluster_port cluster_port_all cluster_trial,$(COSIM)/$(p).o): verif/top/lock_sms.h

.PHONY: csr
csr: ## regenerate the register files from cmodel/model/top/byw_csr.def
	@mkdir -p $(B)/gen
	@$(CC) $(CFLAGS) -o $(B)/gen/byw_gen_csr verif/top/byw_gen_csr.c
	@$(B)/gen/byw_gen_csr vh > rtl/include/byw_csr.vh
	@$(B)/gen/byw_gen_csr h > cmodel/model/top/byw_csr_map.h
	@$(B)/gen/byw_gen_csr md > rtl/doc/csr.md

COSIM_LONG += cluster_trial lanes_32x128 lanes_1x4 sm_l1_8sets sm_l1_beats lane_coalescer_8 lane_coalescer_16 lane_coalescer_1 \
  lane_coalescer_4_beats cluster_1sm cluster_look cluster_port sm_l1_2sets sm_l1_parity
