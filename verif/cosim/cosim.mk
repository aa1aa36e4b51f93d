# SPDX-License-Identifier: Apache-2.0
#
# cosim.mk - the RTL: its lint and the lock-step tests against the C model.  Included by the top Makefile.
#
# A lock-step program is one module at one parameter set:
#   $(call LOCKSTEP,program,module,test source,NAME=value ...)
# The values reach the module as parameters and the test as P_NAME.  Several programs share one
# Verilated module by
#   $(call VERILATE,model,module,NAME=value ...)
#   $(call LINKED,program,model,module,objects)

COSIM   := $(B)/cosim
RTL_SRC := $(shell sed '/^\#/d' rtl/byw.f 2>/dev/null)
VL_ROOT := /usr/share/verilator/include
VL_OPT  ?= -Og
VL_CXX  := -std=c++14 -O2 -faligned-new -I$(VL_ROOT) -I$(VL_ROOT)/vltstd -Iverif/cosim
CHECK_SRC := $(wildcard rtl/check/*.v rtl/check/*.sv) # checkers of the ports, bound to byw_l1d and byw_cluster
VL_CHECK := +1800-2012ext+sv -DBYW_ASSERT_SIM $(CHECK_SRC)
VL_FLAGS := --language 1364-2005 -Irtl/include -Wno-fatal -Werror-UNOPTFLAT
VL_NET   := --no-timing -Wno-lint -Wno-fatal -Wno-UNOPTFLAT -DNO_ICE40_DEFAULT_ASSIGNMENTS
VERILATED = OPT=$(VL_OPT) CXX="$(CXX)" HEADER=$(COSIM)/model.h verif/cosim/verilate.sh # FOLDER TOP ARGUMENT...
# COVER=1, set by `make coverage`: the models count lines, toggles and the bins of the cache.
BINS_SRC := $(wildcard verif/coverage/*.sv)
VL_COVER := $(if $(COVER),--coverage-line --coverage-toggle --coverage-user --coverage-max-width 64 --flatten)
VL_CODE  := verif/cosim/verilate.sh verif/cosim/dut.cpp verif/cosim/dut.h $(COSIM)/model.h.gch
# A module of rtl/ with what it instantiates; the checkers where a module that they are bound to is in it.
RTL_TOP   = $(filter %/$(1).v,$(RTL_SRC)) $(patsubst %,-y %,$(sort $(dir $(RTL_SRC)))) \
            $(if $(filter byw_l1d byw_sm_l1 byw_cluster,$(1)),$(VL_CHECK) \
              $(if $(COVER),rtl/l1d/byw_l1d_decide.v $(BINS_SRC)),-DBYW_ASSERT_SIM) $(VL_COVER)
COSIM_SEEDS ?= 1 2 3 4
COSIM_PROGRAMS :=
# Programs for further parameter values: only `make test-all` and `make cosim` run them.
COSIM_LONG :=
COSIM_TESTS :=
COSIM_SETS :=
COSIM_C := $(filter-out -Wconversion,$(CFLAGS)) $(TEST_OPT) -Iverif

.PHONY: cosim netlist-cosim soak cosim-ahead rtl-smoke cosim-build cosim-quick cosim-programs cosim-sets cosim-tests mirror rtl-index \
        rtl-lint rtl-lint-sets rtl-defs rtl-lists rtl-sv rescues
rtl-lint: ## four front ends on every RTL module; the generated constants are up to date
	@$(MAKE) --no-print-directory $(COSIM)/byw_gen_defs
	@GEN=$(COSIM)/byw_gen_defs verif/cosim/rtl_defs.sh
	@verif/cosim/rtl_lint.sh

rtl-lint-sets: ## the same for every parameter set in lock step, and what is out of range (minutes)
	@JOBS=$(JOBS) verif/cosim/rtl_lint.sh $(sort $(COSIM_SETS))
	@TOOLS="iverilog verilator yosys" verif/cosim/t_rtl_ranges.sh

rtl-defs: $(COSIM)/byw_gen_defs ## rewrite rtl/include/*.vh but byw_csr.vh: constants and widths from the C headers, modes from the policy files
	@$< >$(COSIM)/byw_defs.vh && $< widths >$(COSIM)/byw_widths.vh
	@for f in defs widths; do verif/cosim/rtl_used.sh <$(COSIM)/byw_$$f.vh >rtl/include/byw_$$f.vh; done
	@$(MAKE) --no-print-directory $(COSIM)/byw_gen_modes
	@$(COSIM)/byw_gen_modes > rtl/include/byw_modes.vh

rescues: ## what follows from cmodel/configs/byw_rescues.def; files of a new rule are begun
	@verif/common/rescues.sh write
	@$(MAKE) --no-print-directory $(COSIM)/byw_gen_defs csr
	@$(COSIM)/byw_gen_defs rescue > rtl/policy/byw_rescue.v
	@$(MAKE) --no-print-directory rtl-defs rtl-lists rtl-manifests rtl-index

rtl-sv: ## rewrite rtl/sv from the ports of byw_sm_l1: structs, wrapper, DPI-C scoreboard
	@rtl/sv.sh write

rtl-lists: ## rewrite rtl/byw_l1d.f, byw_sm_l1.f and byw_cluster.f from rtl/byw.f
	@verif/common/filelists.sh write

$(COSIM)/byw_gen_modes: verif/cosim/byw_gen_modes.c $(B)/libbyway.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $< $(B)/libbyway.a $(LDLIBS)

$(COSIM)/byw_gen_defs: verif/cosim/byw_gen_defs.c $(wildcard cmodel/model/*/*.h cmodel/model/*/*.def cmodel/configs/*.def)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $<

# The header that every model includes first, compiled once.
$(COSIM)/model.h.gch: $(VL_ROOT)/verilated.h verif/cosim/verilate.sh
	@mkdir -p $(@D)
	$(call SAY,vl  )
	@printf '#include %s\n' '"verilated.h"' '<cstdio>' '<cstdlib>' '<cstring>' >$(COSIM)/model.h
	$(Q)OPT=$(VL_OPT) CXX="$(CXX)" HEADER=$(COSIM)/model.h verif/cosim/verilate.sh -header

$(COSIM)/verilated%.o: $(VL_ROOT)/verilated%.cpp
	@mkdir -p $(@D)
	$(call SAY,vl  )
	$(Q)$(CXX) $(VL_CXX) -c $< -o $@
$(COSIM)/verilated.o: $(VL_ROOT)/verilated.cpp
	@mkdir -p $(@D)
	$(call SAY,vl  )
	$(Q)$(CXX) $(VL_CXX) -c $< -o $@

# $(1) model, $(2) module, $(3) parameters
# DEFINES_model: macros that its RTL is read with (rtl/include/byw_target.vh).
define VERILATE
COSIM_SETS += $(subst $() ,:,$(strip $(2) $(3)))
$(COSIM)/$(1).v/V$(2)__ALL.a: $(RTL_SRC) rtl/include/byw_defs.vh rtl/include/byw_widths.vh rtl/include/byw_target.vh $(VL_CODE) $(CHECK_SRC)
	@mkdir -p $(COSIM)
	$$(call SAY,vl  )
	$(Q)$(VERILATED) $(COSIM)/$(1).v $(2) $(VL_FLAGS) $$(DEFINES_$(1)) $(patsubst %,-G%,$(3)) $(call RTL_TOP,$(strip $(2)))
endef

# $(1) program, $(2) model, $(3) module, $(4) objects
define LINK
$(COSIM)/$(1): $(4) $(COSIM)/$(2).v/V$(3)__ALL.a \
               $(COSIM)/verilated.o $(COSIM)/verilated_threads.o \
               $(if $(COVER),$(COSIM)/verilated_cov.o) $(B)/libbyway.a
	$$(call SAY,link)
	$(Q)$(CXX) -o $$@ $$^ $(LDLIBS) -latomic
endef
define LINKED
COSIM_PROGRAMS += $(COSIM)/$(1)
$(call LINK,$(1),$(2),$(3),$(4))
endef

# $(1) program, $(2) module, $(3) test, $(4) parameters
define LOCKSTEP
COSIM_TESTS += $(3)
PARAMETERS_$(1) := $(4)
$(call VERILATE,$(1),$(2),$(4))
$(COSIM)/$(1).o: $(3) $(wildcard verif/cosim/*.h) $(B)/libbyway.a
	@mkdir -p $(COSIM)
	$(Q)$(CC) $(COSIM_C) $(patsubst %,-DP_%,$(4)) -c $(3) -o $$@
$(call LINKED,$(1),$(1),$(2),$(COSIM)/$(1).o)
endef

# The same program on its module as mapped by Yosys: $(1) program, $(2) module, $(3) flow of
# netlist.sh. The loops that Verilator reports in it go through different bits of a bus.
NETLIST_PROGRAMS :=
define NETLIST
NETLIST_PROGRAMS += $(COSIM)/$(1)_$(3)
$(COSIM)/$(1)_$(3).netlist.v: $(RTL_SRC) $(wildcard rtl/include/*.vh) synth/netlist.sh synth/map.sh synth/defines.sh
	$$(call SAY,map )
	$(Q)synth/netlist.sh $(2) $(3) $$@ "$(PARAMETERS_$(1))"
$(COSIM)/$(1)_$(3).v/V$(2)__ALL.a: $(COSIM)/$(1)_$(3).netlist.v
	$$(call SAY,vl  )
	$(Q)$(VERILATED) $(COSIM)/$(1)_$(3).v $(2) $(VL_NET) -I$$<.cells $$<.cells/cells_sim.v $$<
$(call LINK,$(1)_$(3),$(1)_$(3),$(2),$(COSIM)/$(1).o)
endef

# Replacement policies with RTL as words NUMBER:NAME. REPL_N and REPL_NAME split the word in $(r).
REPLS     := $(shell awk -F'[^A-Za-z0-9_]+' '/^REPL[^a-z]/ { print n++ ":" $$3 }' cmodel/configs/byw_replacements.def)
REPL_N     = $(firstword $(subst :, ,$(r)))
REPL_NAME  = $(lastword $(subst :, ,$(r)))

include $(wildcard verif/*/programs.mk)

cosim-build: $(COSIM_PROGRAMS) ## build the programs of `make cosim`
# BYWAY_TESTS=all: those of `make test-all`. all_* are the exhaustive searches of `make formal`.
COSIM_QUICK := $(filter-out $(COSIM)/all_% $(if $(filter all,$(BYWAY_TESTS)),,$(COSIM_LONG:%=$(COSIM)/%)),$(COSIM_PROGRAMS))
cosim-quick: $(COSIM_QUICK) ## those of `make test`

cosim-programs: ## paths of the programs of `make test`, for scripts
	@echo $(COSIM_QUICK)

cosim-sets: ## their modules and parameters, MODULE:NAME=VALUE:..., for scripts
	@echo $(sort $(COSIM_SETS))

mirror: ## every unit of the RTL has its C twin, its test and its page, and nothing else has one
	@verif/common/mirror.sh check $(sort $(COSIM_TESTS))
cosim-tests: ## what they are made of, for scripts
	@echo $(sort $(COSIM_TESTS))
rtl-index: ## rewrite rtl/doc/README.md from the headers of the RTL
	@verif/common/mirror.sh index > rtl/doc/README.md

cosim: cosim-build ## every unit of the RTL in lock step with its C twin, four seeds each
	@verif/cosim/run.sh -j $(JOBS) "$(COSIM_SEEDS)" $(COSIM_PROGRAMS)

netlist-cosim: $(B)/libbyway.a ## the netlists of the L1 of an SM in lock step with the C model (minutes)
	@$(MAKE) --no-print-directory $(NETLIST_PROGRAMS)
	@verif/cosim/run.sh -j $(JOBS) "$(COSIM_SEEDS)" $(NETLIST_PROGRAMS)

# Pairs of program and seed that have passed since the program was built are not run again.
SOAK_SEEDS ?= $(shell seq 101 140)
soak: cosim-build ## ten times as much lock step (SOAK_SEEDS); stopped and started again, it goes on
	@verif/cosim/run.sh -j $(JOBS) -k $(B)/soak "$(SOAK_SEEDS)" \
	  $(filter-out %/all_% %/scenario_%,$(COSIM_PROGRAMS))

# Runs before `make test`, whose tests have a time limit. A build failure stops it.
cosim-ahead: $(B)/libbyway.a ## the same where Verilator is there
	$(if $(SAN),,$(if $(shell command -v verilator),@$(MAKE) --no-print-directory cosim-quick))

rtl-smoke: ## one directed test of the L1D under Icarus Verilog, a second front end of the RTL
	@B=$(B) verif/scenario/t_smoke.sh || [ $$? = 77 ]
