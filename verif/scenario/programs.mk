# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - the scenarios: every NNN-*.c of this folder is compiled once and runs at each size
# that suits it; and the microbenchmarks, which use the same rig and the larger size.

SCENARIO_SRC := $(sort $(wildcard verif/scenario/[0-9]*.c))
SCENARIO_OBJ := $(SCENARIO_SRC:verif/scenario/%.c=$(COSIM)/scenario/%.o) \
                $(COSIM)/scenario/rig.o $(COSIM)/scenario/rig_ports.o $(COSIM)/scenario/rig_memory.o
SCENARIO_NUMBER = $(firstword $(subst -, ,$(notdir $(1))))
SCENARIO_H   := $(wildcard verif/scenario/*.h verif/cosim/*.h)

# The list is rewritten only when a file is added or removed.
$(COSIM)/scenario/scenario_list.h: $(SCENARIO_SRC)
	@mkdir -p $(@D)
	@{ echo '#define SCENARIOS(X) \'; \
	   $(foreach f,$(SCENARIO_SRC),echo '    X($(call SCENARIO_NUMBER,$(f)), "$(basename $(notdir $(f)))") \';) \
	   echo; } > $@
# The modes by name, for C.
$(COSIM)/scenario/modes.h: rtl/include/byw_modes.vh
	@mkdir -p $(@D)
	@sed -n "s/^.define BYW_MODE_\([A-Z_]*\) [0-9]*'h\([0-9a-f]*\)$$/#define NAMED_\1 UINT32_C(0x\2)/p" $< > $@
$(COSIM)/scenario/613-modes-by-name.o: $(COSIM)/scenario/modes.h
$(COSIM)/scenario/%.o: verif/scenario/%.c $(SCENARIO_H) $(B)/libbyway.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(COSIM_C) $(if $(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$*),-Dscenario=scenario_$(call SCENARIO_NUMBER,$*)) -I$(COSIM)/scenario -c $< -o $@

# $(1) size, $(2) parameters
define SCENARIOS
$(call VERILATE,scenario_$(1),byw_l1d,$(2))
$(COSIM)/scenario_$(1).o: verif/scenario/run_scenarios.c $(COSIM)/scenario/scenario_list.h $(SCENARIO_H) \
                          $(B)/libbyway.a
	$(Q)$(CC) $(COSIM_C) -I$(COSIM)/scenario -DP_NAME='"$(1)"' $(patsubst %,-DP_%,$(2)) -c $$< -o $$@
$(call LINKED,scenario_$(1),scenario_$(1),byw_l1d,$(COSIM)/scenario_$(1).o $(SCENARIO_OBJ))
endef

SCENARIO_FERMI := ALLOC=0 SECTORS=1 SETS=32 DATA_WAYS=4 TAG_WAYS=8 LINE_BYTES=128 LINE_W=33 INDEX=0 REPL=0 RC_W=6 MSHRS=64 \
                  MERGES=8 MISS_DEPTH=8 BYPASS_DEPTH=8 TRACKERS=64
$(eval $(call SCENARIOS,small,ALLOC=0 SECTORS=1 SETS=4 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=32 LINE_W=33 INDEX=0 REPL=0 RC_W=6 \
  MSHRS=4 MERGES=3 MISS_DEPTH=4 BYPASS_DEPTH=2 TRACKERS=3))
$(eval $(call SCENARIOS,fermi,$(SCENARIO_FERMI)))
SCENARIO_SECTORED := ALLOC=1 SECTORS=4 SETS=4 DATA_WAYS=3 TAG_WAYS=3 LINE_BYTES=128 LINE_W=33 INDEX=0 REPL=0 RC_W=6 MSHRS=8 \
                     MERGES=3 MISS_DEPTH=4 BYPASS_DEPTH=4 TRACKERS=4
$(eval $(call SCENARIOS,sectored,$(SCENARIO_SECTORED)))

# The optional features of the port, for each order guard: name, line bytes, ORDER, STORE_IDS,
# IN_FLIGHT.
SCENARIO_PORT = $(call SCENARIOS,port_$(1),ALLOC=0 SECTORS=1 SETS=4 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=$(2) LINE_W=33 INDEX=0 REPL=0 \
  RC_W=6 MSHRS=4 MERGES=3 MISS_DEPTH=4 BYPASS_DEPTH=4 TRACKERS=4 ORDER=$(3) STORE_IDS=$(4) IN_FLIGHT=$(5) FENCE=1 UNCACHED=1 FUNC_W=7)
$(eval $(call SCENARIO_PORT,off,8,0,0,4))
$(eval $(call SCENARIO_PORT,numbers,16,0,1,3))
$(eval $(call SCENARIO_PORT,writes,8,1,0,3))
$(eval $(call SCENARIO_PORT,all,16,2,0,4))

# The look stage, at the size of l1d_look_small.
$(COSIM)/scenario_look.o: verif/scenario/run_scenarios.c $(COSIM)/scenario/scenario_list.h $(SCENARIO_H) $(B)/libbyway.a
	$(Q)$(CC) $(COSIM_C) -I$(COSIM)/scenario -DP_NAME='"look"' $(PARAMETERS_l1d_look_small:%=-DP_%) -c $< -o $@
$(eval $(call LINKED,scenario_look,l1d_look_small,byw_l1d,$(COSIM)/scenario_look.o $(SCENARIO_OBJ)))

# The same scenarios on the C model alone, for `make mutate-drawn`.
$(B)/draw/scenario/scenario_%: $(COSIM)/scenario_%.o $(filter-out %/rig_ports.o,$(SCENARIO_OBJ)) $(B)/draw/alone.o $(B)/draw/libmodel.so
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(filter %.o,$^) $(DRAW_LINK)

# The microbenchmarks are no lock-step test: they run once, without a seed. $(1) size, $(2)
# parameters
define MICRO
$(COSIM)/l1d_micro_$(1).o: verif/bench/l1d_micro.c $(SCENARIO_H) $(B)/libbyway.a
	@mkdir -p $(COSIM)
	$(Q)$(CC) $(COSIM_C) -DP_NAME='"$(1)"' $(2:%=-DP_%) -c $$< -o $$@
$(call LINKED,l1d_micro_$(1),scenario_$(1),byw_l1d,$(COSIM)/l1d_micro_$(1).o $(COSIM)/scenario/rig.o \
  $(COSIM)/scenario/rig_ports.o $(COSIM)/scenario/rig_memory.o)
endef
$(eval $(call MICRO,fermi,$(SCENARIO_FERMI)))
SCENARIO_BEATS := $(SCENARIO_FERMI) BEAT_BYTES=32
$(eval $(call VERILATE,scenario_beats,byw_l1d,$(SCENARIO_BEATS)))
$(eval $(call MICRO,beats,$(SCENARIO_BEATS)))
$(eval $(call MICRO,sectored,$(SCENARIO_SECTORED)))
MICROS := $(COSIM)/l1d_micro_fermi $(COSIM)/l1d_micro_beats $(COSIM)/l1d_micro_sectored
COSIM_PROGRAMS := $(filter-out $(MICROS),$(COSIM_PROGRAMS))
cosim-quick: $(MICROS)

.PHONY: bench-rtl
bench: bench-rtl
bench-rtl: ## microbenchmarks of the Verilated L1D and the rate of its lock step, with their targets
	@B=$(B) verif/bench/l1d_bench.sh

.PHONY: figures-rtl
figures-rtl: $(MICROS) ## rewrite verif/bench/l1d_figures.tsv: latencies and rates of the RTL, held exactly by make test
	@verif/bench/t_l1d_figures.sh write
