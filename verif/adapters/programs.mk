# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the contract benches of the adapters: a Verilated adapter and a C program that plays
# its bus and its client. They run with the lock-step programs; their argument is a number of
# requests.

ADAPTER_SRC := $(shell sed '/^\#/d' fpga/adapters/adapters.f) verif/adapters/byw_toy_mem.v
CONTRACTS :=

# $(1) program, $(2) module, $(3) source, $(4) parameters, $(5) LINK: not in make test, because it
# takes long to build
define CONTRACT
CONTRACTS += $(COSIM)/$(1)
CONTRACT_$(1) := $(2) $(4)
$(COSIM)/$(1).v/V$(2)__ALL.a: $(RTL_SRC) $(ADAPTER_SRC) rtl/include/byw_defs.vh rtl/include/byw_widths.vh $(VL_CODE)
	@mkdir -p $(COSIM)
	$$(call SAY,vl  )
	$(Q)$(VERILATED) $(COSIM)/$(1).v $(2) $(VL_FLAGS) $(patsubst %,-G%,$(4)) $(RTL_SRC) $(ADAPTER_SRC)
$(COSIM)/$(1).o: $(3) $(wildcard verif/cosim/*.h verif/adapters/*.h) $(B)/libbyway.a
	@mkdir -p $(COSIM)
	$(Q)$(CC) $(COSIM_C) $(patsubst %,-DP_%,$(4)) -c $(3) -o $$@
$(call $(or $(5),LINKED),$(1),$(1),$(2),$(COSIM)/$(1).o)
endef

# Line bytes, address bits, bus bits, slots, order, write-backs answered, bytes of a beat
AXI4 = $(call CONTRACT,axi4_$(1),byw_axi4_mem,verif/adapters/contract_axi4.c,LINE_BYTES=$(2) ADDR_W=$(3) DATA_W=$(4) SLOTS=$(5) ORDER=$(6) WB_ACKS=$(or $(7),0) \
  BEAT_BYTES=$(or $(8),0))
$(eval $(call AXI4,128x64,128,40,64,16,1))
$(eval $(call AXI4,32x256,32,32,256,64,2,1))
$(eval $(call AXI4,16x32,16,20,32,5,1))
$(eval $(call AXI4,64x8,64,32,8,1,1))
$(eval $(call AXI4,beat,128,40,256,16,1,1,32))
$(eval $(call AXI4,beat_64,64,32,64,5,2,0,16))
$(eval $(call CONTRACT,axi4_lite,byw_axi4_lite_csr,verif/adapters/contract_axi4_lite.c,))

# Line bytes, address bits, bus bits, slots, strobes in flight
WISHBONE = $(call CONTRACT,wishbone_$(1),byw_wishbone_mem,verif/adapters/contract_wishbone.c,LINE_BYTES=$(2) ADDR_W=$(3) DATA_W=$(4) SLOTS=$(5) BEATS_OUT=$(6) WB_ACKS=$(or $(7),0))
$(eval $(call WISHBONE,128x64,128,40,64,16,24))
$(eval $(call WISHBONE,32x256,32,32,256,1,1))
$(eval $(call WISHBONE,16x32,16,20,32,1,5,1))

# Line bytes, address bits, bus bits, slots, order
TILELINK = $(call CONTRACT,tilelink_$(1),byw_tilelink_mem,verif/adapters/contract_tilelink.c,LINE_BYTES=$(2) ADDR_W=$(3) DATA_W=$(4) SLOTS=$(5) ORDER=$(6) WB_ACKS=$(or $(7),0))
$(eval $(call TILELINK,128x64,128,40,64,16,1))
$(eval $(call TILELINK,32x256,32,32,256,64,2,1))
$(eval $(call TILELINK,16x32,16,20,32,5,1))

# Lanes, words of a client line, sectors, slots, order, the policy register, and the mechanisms with a sideband: write-update
# without bypass, everything bypasses, stall bypass, write-evict with the locality filter, two-level, PC predictor.
VENTUS = $(call CONTRACT,ventus_$(1),byw_ventus_l1d,verif/adapters/contract_ventus.c,LANES=$(2) BLOCK_WORDS=$(3) SETIDX_W=5 INSTRID_W=3 \
  SOURCE_W=10 SECTORS=$(4) SLOTS=$(5) ORDER=$(6) SETS=2 DATA_WAYS=2 TAG_WAYS=4 MSHRS=4 MERGES=2 TRACKERS=4 POLICY=$(7) $(8),$(9))
$(eval $(call VENTUS,bl,4,2,4,32,2,141072,))
$(eval $(call VENTUS,ball,4,2,4,8,2,141073,,LINK))
$(eval $(call VENTUS,stall,4,2,1,32,1,8529680,,LINK))
$(eval $(call VENTUS,decoupled,8,8,1,16,1,141058,))
$(eval $(call VENTUS,two_level,4,2,4,32,2,141072,SIDEBAND_WARPS=1 TWO_LEVEL=241205253 TWO_LEVEL_WINDOW=65736,LINK))
$(eval $(call VENTUS,pc,8,8,1,16,2,141072,SIDEBAND_PC=1 PC_PRED=1 PC_PRED_CFG=33554563,LINK))

# Word bytes, line bytes, slots, the policy register, sideband
VORTEX = $(call CONTRACT,vortex_$(1),byw_vortex_l1d,verif/adapters/contract_vortex.c,WORD_BYTES=$(2) LINE_BYTES=$(3) ADDR_W=32 SLOTS=$(4) \
  SETS=2 DATA_WAYS=2 TAG_WAYS=4 MSHRS=4 MERGES=2 TRACKERS=4 POLICY=$(5) $(6),$(7))
$(eval $(call VORTEX,bl,16,64,32,141072,))
$(eval $(call VORTEX,ball,4,64,8,141073,MEM_TAG_W=3,LINK))
$(eval $(call VORTEX,decoupled,16,64,32,141058,SIDEBAND_PC=1 PC_PRED=1 PC_PRED_CFG=33554563,LINK))

# The worked example of rtl/doc/integrate.md
$(eval $(call CONTRACT,toy,byw_toy_mem,verif/adapters/contract_toy.c,LINE_BYTES=32 ADDR_W=32))

.PHONY: adapters adapter-soak adapter-breaks contract-of rtl-manifests
rtl-manifests: ## rewrite rtl/byway.core and rtl/Bender.yml from the file lists
	@rtl/manifests.sh core > rtl/byway.core
	@rtl/manifests.sh bender > rtl/Bender.yml
adapters: $(CONTRACTS) ## the contract benches of the adapters, 20000 requests each
	@verif/cosim/run.sh -j $(JOBS) "$(COSIM_SEEDS)" $(CONTRACTS)
adapter-soak: $(CONTRACTS) ## the same with a million requests each (minutes)
	@for p in $(CONTRACTS); do $$p 1 1000000 || exit 1; done
adapter-breaks: $(CONTRACTS) ## break the rules of the adapters one by one: each must be told (minutes)
	@B=$(B) verif/adapters/breaks.sh
contract-of: ## module and parameters of bench P, for scripts
	@echo $(CONTRACT_$(P))
COSIM_LONG += axi4_128x64 axi4_16x32 wishbone_128x64 wishbone_16x32 tilelink_128x64 tilelink_16x32
