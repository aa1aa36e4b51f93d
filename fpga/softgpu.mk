# SPDX-License-Identifier: Apache-2.0
#
# softgpu.mk - the soft GPU: assembler, Verilated model, its kernels under every policy.  Included by fpga.mk.
#
# A geometry is $(call SOFTGPU_OF,name,NAME=value ...): programs build/softgpu/run_NAME and replay_NAME.

SOFTGPU     := $(B)/softgpu
SOFTGPU_RTL := $(wildcard fpga/softgpu/*.v)
SOFTGPU_TB  := verif/softgpu/byw_softgpu_tb.v
SOFTGPU_INC := -Irtl/include -Ifpga/softgpu
SOFTGPU_H   := $(wildcard fpga/softgpu/asm/*.h fpga/softgpu/*.def verif/softgpu/*.h cmodel/configs/*.def)
SOFTGPU_ASM := $(patsubst fpga/softgpu/asm/%.c,$(SOFTGPU)/asm/%.o,$(filter-out %_main.c,$(wildcard fpga/softgpu/asm/*.c)))
# What the test bench does not choose.
SOFTGPU_FIX := ALLOC=0 SECTORS=1 INDEX=0 REPL=0 PC_SHIFT=2

.PHONY: softgpu softgpu-build softgpu-isa softgpu-large
softgpu: softgpu-build ## the soft GPU's kernels under every policy, quick sizes
	@$(SOFTGPU)/run_small
softgpu-build: $(SOFTGPU)/run_small $(SOFTGPU)/replay_small $(SOFTGPU)/softgpu-asm ## what `make test` needs of it
# Ahead of the tests, which have a time limit.
cosim-ahead: $(if $(SAN),,$(if $(shell command -v verilator 2>/dev/null),softgpu-build))
softgpu-large: $(SOFTGPU)/run_small $(SOFTGPU)/run_wide ## the same with larger sizes and in two geometries (minutes)
	@$(SOFTGPU)/run_small -l && $(SOFTGPU)/run_wide -l
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
$(COSIM)/softgpu_$(1).v/Vbyw_softgpu_tb__ALL.a: $(RTL_SRC) $(SOFTGPU_RTL) $(SOFTGPU_TB) \
    $(wildcard rtl/include/*.vh fpga/softgpu/*.vh)
	@mkdir -p $(COSIM)
	$$(call SAY,vl  )
	$(Q)verilator $(VL_FLAGS) -Ifpga/softgpu --top-module byw_softgpu_tb $(2:%=-G%) --Mdir $(COSIM)/softgpu_$(1).v \
	  $(RTL_SRC) $(SOFTGPU_RTL) $(SOFTGPU_TB) > $(COSIM)/softgpu_$(1).log 2>&1 || { cat $(COSIM)/softgpu_$(1).log; exit 1; }
$(call SHIM,softgpu_$(1),byw_softgpu_tb)
$(SOFTGPU)/$(1)/%.o: verif/softgpu/%.c $(SOFTGPU_H) $(B)/libbyway.a
	@mkdir -p $(SOFTGPU)/$(1)
	$$(call SAY,cc  )
	$(Q)$(CC) $(COSIM_C) -Ifpga $(2:%=-DP_%) $(SOFTGPU_FIX:%=-DP_%) -c $$< -o $$@
$(SOFTGPU)/run_$(1): $(patsubst %,$(SOFTGPU)/$(1)/%.o,softgpu_run gpu_rig gpu_memory gpu_jobs gpu_modes gpu_stream gpu_replay) \
    $(SOFTGPU_ASM) $(COSIM)/softgpu_$(1).v/dut.o $(COSIM)/softgpu_$(1).v/Vbyw_softgpu_tb__ALL.a $(COSIM)/verilated.o \
    $(COSIM)/verilated_threads.o $(B)/libbyway.a
	$$(call SAY,link)
	$(Q)$(CXX) -o $$@ $$^ $(LDLIBS) -latomic
$(SOFTGPU)/replay_$(1): $(patsubst %,$(SOFTGPU)/$(1)/%.o,softgpu_replay gpu_stream gpu_replay) $(B)/libbyway.a
	$$(call SAY,link)
	$(Q)$(CC) -o $$@ $$^ $(LDLIBS)
endef

SOFTGPU_SMALL := LANES=4 WARPS=4 DEPTH=8 PROGRAM=256 SLOTS=16 ADDR_W=20 SETS=8 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=32 RC_W=6 \
                 LOOK=0 MSHRS=3 MERGES=2 MISS_DEPTH=2 BYPASS_DEPTH=2 TRACKERS=4 PC_ENTRIES=64 PC_BITS=4 ID_W=8
SOFTGPU_WIDE  := LANES=8 WARPS=8 DEPTH=8 PROGRAM=256 SLOTS=64 ADDR_W=20 SETS=16 DATA_WAYS=4 TAG_WAYS=8 LINE_BYTES=64 RC_W=6 \
                 LOOK=1 MSHRS=16 MERGES=8 MISS_DEPTH=8 BYPASS_DEPTH=8 TRACKERS=32 PC_ENTRIES=128 PC_BITS=4 ID_W=10
$(eval $(call SOFTGPU_OF,small,$(SOFTGPU_SMALL)))
$(eval $(call SOFTGPU_OF,wide,$(SOFTGPU_WIDE)))

$(B)/verif/softgpu/t_gpu_asm: verif/softgpu/t_gpu_asm.c $(SOFTGPU_ASM) $(SOFTGPU_H) $(B)/libbyway.a
	@mkdir -p $(@D)
	$(call SAY,test)
	$(Q)$(CC) $(CFLAGS) -Iverif -Ifpga -o $@ $< $(SOFTGPU_ASM) $(B)/libbyway.a -lcmocka $(LDLIBS)
