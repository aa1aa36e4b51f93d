# SPDX-License-Identifier: Apache-2.0
#
# softgpu.mk - the soft GPU: assembler, Verilated model, its kernels under every policy.  Included by fpga.mk.
#
# A geometry is $(call SOFTGPU_OF,name,NAME=value ...): it builds build/softgpu/run_NAME and replay_NAME.

SOFTGPU     := $(B)/softgpu
SOFTGPU_RTL := $(wildcard fpga/softgpu/*.v)
# The AXI4 master; a geometry with AXI=N (bytes of a beat) has one.
SOFTGPU_BUS := $(shell sed '/^\#/d' fpga/adapters/adapters.f)
SOFTGPU_WIDTH = $(patsubst AXI=%,%,$(filter-out AXI=0,$(filter AXI=%,$(1))))
SOFTGPU_TB  := verif/softgpu/byw_softgpu_tb.v
SOFTGPU_INC := -Irtl/include -Ifpga/softgpu
SOFTGPU_H   := $(wildcard fpga/softgpu/asm/*.h fpga/softgpu/*.def verif/softgpu/*.h cmodel/configs/*.def)
SOFTGPU_ASM := $(patsubst fpga/softgpu/asm/%.c,$(SOFTGPU)/asm/%.o,$(filter-out %_main.c,$(wildcard fpga/softgpu/asm/*.c)))
# Parameters that the test bench does not set.
SOFTGPU_FIX := ALLOC=0 SECTORS=1 INDEX=0 REPL=0 PC_SHIFT=2

.PHONY: softgpu softgpu-build softgpu-isa softgpu-large softgpu-faults softgpu-netlist
softgpu: softgpu-build ## the soft GPU's kernels under every policy, small sizes
	@$(SOFTGPU)/run_small && $(SOFTGPU)/run_axi
softgpu-build: ## builds the soft GPU programs that `make test` runs
softgpu-build: $(SOFTGPU)/run_small $(SOFTGPU)/rules_small $(SOFTGPU)/run_axi $(SOFTGPU)/rules_axi \
               $(SOFTGPU)/replay_small $(SOFTGPU)/softgpu-asm
# Built before the tests, because those have a time limit.
cosim-ahead: $(if $(SAN),,$(if $(shell command -v verilator 2>/dev/null),softgpu-build))
softgpu-large: softgpu-build $(SOFTGPU)/run_wide ## the soft GPU's kernels with larger sizes, and in a wider geometry with the order guard (minutes)
	@$(SOFTGPU)/run_small -l && $(SOFTGPU)/run_axi -l && $(SOFTGPU)/run_wide -l
softgpu-faults: softgpu-build ## injects faults into the soft GPU and its cache, one by one: the kernels must fail (minutes)
	@B=$(B) verif/softgpu/faults.sh
softgpu-netlist: $(SOFTGPU)/run_net $(SOFTGPU)/run_net_axi ## the kernels on the Yosys netlist of the soft GPU (iCE40 cells), native and AXI4, every policy (minutes)
	@$(SOFTGPU)/run_net -n 12 && $(SOFTGPU)/run_net_axi -n 12
softgpu-isa: $(SOFTGPU)/softgpu-asm ## regenerate the soft GPU's constants and its table of instructions
	@$< -t vh > fpga/softgpu/byw_gpu_isa.vh
	@fpga/softgpu/readme_isa.sh $<

$(SOFTGPU)/asm/%.o: fpga/softgpu/asm/%.c $(SOFTGPU_H)
	@mkdir -p $(@D)
	$(call SAY,cc  )
	$(Q)$(CC) $(CFLAGS) -Ifpga -c $< -o $@
$(SOFTGPU)/softgpu-asm: $(SOFTGPU)/asm/gpu_asm_main.o $(SOFTGPU_ASM) $(B)/libbyway.a
	$(call SAY,link)
	$(Q)$(CC) $(SAN) -o $@ $^ $(LDLIBS)

# $(1) name, $(2) parameters
define SOFTGPU_OF
$(call SOFTGPU_RTL_OF,$(1),$(2))
$(call SOFTGPU_PROGRAMS,$(1),$(2))
endef
define SOFTGPU_RTL_OF
$(COSIM)/softgpu_$(1).v/Vbyw_softgpu_tb__ALL.a: $(RTL_SRC) $(SOFTGPU_RTL) $(SOFTGPU_BUS) $(SOFTGPU_TB) \
    $(wildcard rtl/include/*.vh fpga/softgpu/*.vh) $(VL_CODE)
	@mkdir -p $(COSIM)
	$$(call SAY,vl  )
	$(Q)$(VERILATED) $$(@D) byw_softgpu_tb $(VL_FLAGS) $(VL_CHECK) -Ifpga/softgpu $(patsubst %,-G%,$(filter-out AXI=%,$(2))) \
	  $(if $(call SOFTGPU_WIDTH,$(2)),-DAXI) $(RTL_SRC) $(SOFTGPU_RTL) $(SOFTGPU_BUS) $(SOFTGPU_TB)
endef
define SOFTGPU_PROGRAMS
$(SOFTGPU)/$(1)/%.o: verif/softgpu/%.c $(SOFTGPU_H) $(B)/libbyway.a
	@mkdir -p $(SOFTGPU)/$(1)
	$$(call SAY,cc  )
	$(Q)$(CC) $(COSIM_C) -Ifpga $(2:%=-DP_%) $(SOFTGPU_FIX:%=-DP_%) -c $$< -o $$@
$(SOFTGPU)/run_$(1): $(patsubst %,$(SOFTGPU)/$(1)/%.o,softgpu_run gpu_rig gpu_memory gpu_axi gpu_jobs gpu_modes gpu_stream gpu_replay) \
    $(SOFTGPU_ASM) $(COSIM)/softgpu_$(1).v/Vbyw_softgpu_tb__ALL.a $(COSIM)/verilated.o \
    $(COSIM)/verilated_threads.o $(B)/libbyway.a
	$$(call SAY,link)
	$(Q)$(CXX) -o $$@ $$^ $(LDLIBS) -latomic
$(SOFTGPU)/rules_$(1): $(patsubst %,$(SOFTGPU)/$(1)/%.o,softgpu_rules gpu_rig gpu_memory gpu_axi gpu_stream) \
    $(SOFTGPU_ASM) $(COSIM)/softgpu_$(1).v/Vbyw_softgpu_tb__ALL.a $(COSIM)/verilated.o \
    $(COSIM)/verilated_threads.o $(B)/libbyway.a
	$$(call SAY,link)
	$(Q)$(CXX) -o $$@ $$^ $(LDLIBS) -latomic
$(SOFTGPU)/replay_$(1): $(patsubst %,$(SOFTGPU)/$(1)/%.o,softgpu_replay gpu_stream gpu_replay) $(B)/libbyway.a
	$$(call SAY,link)
	$(Q)$(CC) -o $$@ $$^ $(LDLIBS)
endef

SOFTGPU_SMALL := LANES=4 WARPS=4 DEPTH=8 PROGRAM=256 SLOTS=16 ADDR_W=20 SETS=8 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=32 RC_W=6 \
                 LOOK=0 MSHRS=3 MERGES=2 MISS_DEPTH=2 BYPASS_DEPTH=2 TRACKERS=4 PC_ENTRIES=64 PC_BITS=4 ID_W=8 ORDER=0 IN_FLIGHT=16 AXI=0
SOFTGPU_WIDE  := LANES=8 WARPS=8 DEPTH=8 PROGRAM=256 SLOTS=64 ADDR_W=20 SETS=16 DATA_WAYS=4 TAG_WAYS=8 LINE_BYTES=64 RC_W=6 \
                 LOOK=1 MSHRS=16 MERGES=8 MISS_DEPTH=8 BYPASS_DEPTH=8 TRACKERS=32 PC_ENTRIES=128 PC_BITS=4 ID_W=10 ORDER=1 IN_FLIGHT=32 AXI=0
$(eval $(call SOFTGPU_OF,small,$(SOFTGPU_SMALL)))
$(eval $(call SOFTGPU_OF,wide,$(SOFTGPU_WIDE)))
SOFTGPU_AXI   := $(patsubst AXI=%,AXI=8,$(SOFTGPU_SMALL))
$(eval $(call SOFTGPU_OF,axi,$(SOFTGPU_AXI)))

# The netlist from Yosys (iCE40, with block RAM); the port of the cache keeps its names.
SOFTGPU_NET  := LANES=2 WARPS=2 DEPTH=8 PROGRAM=128 SLOTS=4 ADDR_W=20 SETS=2 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=32 RC_W=3 \
                LOOK=0 MSHRS=2 MERGES=2 MISS_DEPTH=2 BYPASS_DEPTH=2 TRACKERS=2 PC_ENTRIES=4 PC_BITS=2 ID_W=4 ORDER=0 IN_FLIGHT=4 AXI=0
SOFTGPU_TAPS := $(shell sed -n 's/.*= `GPU\.\([a-z0-9_]*\);.*/\1/p' $(SOFTGPU_TB))
SOFTGPU_NET_AXI  := $(patsubst AXI=%,AXI=8,$(SOFTGPU_NET))
SOFTGPU_TAPS_AXI := $(SOFTGPU_TAPS:%=byw_softgpu/%) \
                    $(shell sed -n 's/.*= u_top\.\([a-z0-9_]*\);.*/\1/p' $(SOFTGPU_TB))

# $(1) name, $(2) module, $(3) parameters that it lacks, $(4) wires to keep, $(5) geometry
define SOFTGPU_NETLIST
$(COSIM)/softgpu_$(1).netlist.v: $(RTL_SRC) $(SOFTGPU_RTL) $(SOFTGPU_BUS) $(wildcard rtl/include/*.vh fpga/softgpu/*.vh) synth/netlist.sh synth/map.sh
	@mkdir -p $(COSIM)
	$$(call SAY,map )
	$(Q)NETLIST_KEEP="$(4)" SYNTH_EXTRA="$(SOFTGPU_RTL) $(SOFTGPU_BUS)" synth/netlist.sh $(2) ice40 $$@ "$(filter-out $(3),$(5))"
$(COSIM)/softgpu_$(1).v/Vbyw_softgpu_tb__ALL.a: $(COSIM)/softgpu_$(1).netlist.v $(SOFTGPU_TB)
	$$(call SAY,vl  )
	$(Q)$(VERILATED) $$(@D) byw_softgpu_tb $(VL_NET) -DNETLIST $(if $(call SOFTGPU_WIDTH,$(5)),-DAXI) -Irtl/include \
	  $(patsubst %,-G%,$(filter-out AXI=%,$(5))) $$<.cells/cells_sim.v $$^
$(call SOFTGPU_PROGRAMS,$(1),$(5))
endef
$(eval $(call SOFTGPU_NETLIST,net,byw_softgpu,AXI=%,$(SOFTGPU_TAPS),$(SOFTGPU_NET)))
$(eval $(call SOFTGPU_NETLIST,net_axi,byw_softgpu_axi,AXI=% ORDER=% IN_FLIGHT=%,$(SOFTGPU_TAPS_AXI),$(SOFTGPU_NET_AXI)))

$(B)/verif/softgpu/t_gpu_asm: verif/softgpu/t_gpu_asm.c $(SOFTGPU_ASM) $(SOFTGPU_H) $(B)/libbyway.a
	@mkdir -p $(@D)
	$(call SAY,test)
	$(Q)$(CC) $(CFLAGS) -Iverif -Ifpga -o $@ $< $(SOFTGPU_ASM) $(B)/libbyway.a -lcmocka $(LDLIBS)
