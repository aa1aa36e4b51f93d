# SPDX-License-Identifier: Apache-2.0
#
# rtl_loop.mk - the simulator with the Verilated L1 (byw_sm_l1) in every SM.  Included by the top
# Makefile, after cosim.mk.
#
# The Verilog is built for one geometry: that of machine `fermi` and the shipped policies, unless
# RTL_PARAMS says otherwise (RTL_PARAMS="SETS=64 DATA_WAYS=8"); TRIAL has an effect only with ALLOC=0
# and LOOK=0. LINE_W: any 64-bit address.

RTL_DEFAULTS := ALLOC=0 SECTORS=1 SETS=32 DATA_WAYS=4 TAG_WAYS=8 LINE_BYTES=128 LINE_W=57 INDEX=1 REPL=0 LOOK=0 RC_W=6 \
                MSHRS=32 MERGES=8 MISS_DEPTH=8 BYPASS_DEPTH=8 TRACKERS=64 ID_W=32 PC_ENTRIES=128 PC_BITS=4 PC_SHIFT=2 \
                TRIAL=1 $(shell sed -n 's/^TRIAL.\([A-Z_]*\), "[^"]*", \([0-9]*\),.*/TRIAL_\1=\2/p' cmodel/configs/byw_trial_params.def)
RTL_PARAMS ?=
RTL_BAD    := $(filter-out $(foreach d,$(RTL_DEFAULTS),$(firstword $(subst =, ,$(d)))=%),$(RTL_PARAMS))
RTL_VALUES := $(foreach d,$(RTL_DEFAULTS),$(or \
                $(lastword $(filter $(firstword $(subst =, ,$(d)))=%,$(RTL_PARAMS))),$(d)))
RTL_LOOP   := $(B)/rtl_loop
RTL_TOP    := verif/rtl_loop/byw_loop_top.v
RTL_VL     := --cc --build -j 1 -O3 --x-assign fast --x-initial unique --language 1364-2005 \
              -Irtl/include -MAKEFLAGS OPT_FAST=-O2 -Wno-fatal -Werror-UNOPTFLAT

.PHONY: rtl-sim rtl-sim-check-all FORCE
rtl-sim: $(B)/byway-rtl ## the simulator with Verilated L1s, for `byway run --l1d rtl`

rtl-sim-check-all: $(B)/byway-rtl ## every shipped trace and policy: the RTL gives the C model's result (40 min)
	@BYWAY=$(B)/byway verif/rtl_loop/t_rtl_loop.sh all

# `make test` compares some traces (t_rtl_loop.sh), where there is Verilator.
check: $(if $(SAN),,$(if $(shell command -v verilator 2>/dev/null),$(B)/byway-rtl))

# Changes only when the parameters do.
$(RTL_LOOP)/values: FORCE
	@mkdir -p $(@D)
	@$(if $(RTL_BAD),echo "RTL_PARAMS: $(RTL_BAD); expected $(RTL_DEFAULTS)" >&2; exit 2)
	@echo "$(RTL_VALUES)" | cmp -s - $@ || echo "$(RTL_VALUES)" > $@

$(RTL_LOOP)/v/Vbyw_loop_top__ALL.a: $(RTL_SRC) $(RTL_TOP) $(wildcard rtl/include/*.vh) $(RTL_LOOP)/values
	@command -v verilator >/dev/null || { echo "$@ needs verilator: apt-get install verilator" >&2; exit 2; }
	$(call SAY,vl  )
	$(Q)verilator $(RTL_VL) --top-module byw_loop_top $(RTL_VALUES:%=-G%) --Mdir $(@D) $(RTL_SRC) $(RTL_TOP) \
	  > $(RTL_LOOP)/verilator.log 2>&1 || { cat $(RTL_LOOP)/verilator.log >&2; exit 1; }
	@touch $@

$(RTL_LOOP)/byw_rtl_shim.o: verif/rtl_loop/byw_rtl_shim.cpp verif/rtl_loop/byw_rtl_shim.h \
                            $(RTL_LOOP)/v/Vbyw_loop_top__ALL.a
	$(call SAY,c++ )
	$(Q)$(CXX) $(VL_CXX) -faligned-new -Wall -I$(RTL_LOOP)/v -Iverif/rtl_loop -c $< -o $@

$(RTL_LOOP)/byw_rtl_l1d.o: verif/rtl_loop/byw_rtl_l1d.c $(RTL_LOOP)/values
	$(call SAY,cc  )
	$(Q)$(CC) $(CFLAGS) -Iverif $(RTL_VALUES:%=-DP_%) -MMD -MP -c $< -o $@

# $(B)/byway is a prerequisite, so that this command is never older.
$(B)/byway-rtl: $(filter-out %/byw_rtl_none.o,$(CLI_OBJ)) $(RTL_LOOP)/byw_rtl_l1d.o \
                $(RTL_LOOP)/byw_rtl_shim.o $(RTL_LOOP)/v/Vbyw_loop_top__ALL.a $(COSIM)/verilated.o \
                $(COSIM)/verilated_threads.o $(B)/libbywsim.a $(B)/libbyway.a $(B)/byway
	$(call SAY,link)
	$(Q)$(CXX) $(SAN) -o $@ $(filter-out $(B)/byway,$^) $(CLI_LIBS) $(LDLIBS) -latomic
