# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - `make mutate`: mutants of the units against their lock-step tests; and faults in
# rules that both twins, or a report, could break (faults/), against the tests of `make test`.

MUTATE_PROGRAMS := $(sort $(shell sed '/^\#/d; s/[.|].*//' verif/mutate/units.txt))
MUTATE_NEEDS    := $(MUTATE_PROGRAMS:%=$(COSIM)/%.o) $(COSIM)/verilated.o $(COSIM)/verilated_threads.o $(B)/libbyway.a

# The tests of drawn faults take the model from a shared library, in which the faulty C file replaces
# its functions (LD_PRELOAD); the tests that need the simulator are left out.
DRAW       := $(B)/draw
DRAW_TESTS := $(filter-out %/t_waveforms.c %/t_pc_variants.c %/t_repl_drrip.c,\
                $(wildcard $(foreach d,l1d policy top record comparator l2,verif/$(d)/t_*.c)))
DRAW_SIZES := small fermi sectored port_off port_numbers port_writes port_all look
DRAW_BINS  := $(patsubst verif/%.c,$(DRAW)/%,$(DRAW_TESTS)) $(DRAW_SIZES:%=$(DRAW)/scenario/scenario_%)
DRAW_C      = $(CC) -std=c11 -O1 -D_GNU_SOURCE -w -Iverif -Icmodel/model -Icmodel
DRAW_LINK   = -L$(DRAW) -Wl,-rpath,$(abspath $(DRAW)) -lmodel -lcmocka $(LDLIBS)

$(DRAW)/lib/%.o: %.c $(B)/libbyway.a
	@mkdir -p $(@D)
	$(Q)$(DRAW_C) -fPIC -c $< -o $@
$(DRAW)/libmodel.so: $(MODEL_SRC:%.c=$(DRAW)/lib/%.o)
	$(Q)$(CC) -shared -o $@ $^
$(DRAW)/alone.o: verif/mutate/alone.c verif/scenario/rig_ports.h $(B)/libbyway.a
	@mkdir -p $(@D)
	$(Q)$(DRAW_C) -c $< -o $@
$(DRAW)/%: verif/%.c $(DRAW)/libmodel.so
	@mkdir -p $(@D)
	$(Q)$(DRAW_C) -o $@ $< $(DRAW_LINK)

.PHONY: mutate mutate-alike mutate-faults mutate-drawn
mutate-faults: ## each fault of verif/mutate/faults, in both twins or a report, makes its test fail (minutes)
	@B=$(B) JOBS=$(JOBS) verif/mutate/faults.sh

mutate: mutate-faults $(MUTATE_NEEDS) ## at least 300 faults put into the RTL, one by one: each must make a test fail
	@B=$(B) verif/mutate/run.sh

mutate-drawn: $(DRAW_BINS) ## random faults of expressions, put alike into RTL and C (N, default 20; SEED): each makes a test of the C model fail
	@B=$(B) JOBS=$(JOBS) verif/mutate/draw.sh $(or $(N),20) $(or $(SEED),1)

mutate-alike: $(B)/libbyway.a ## the two sides of every drawn fault are alike: with it, the lock step of its unit still passes (minutes)
	@B=$(B) JOBS=$(JOBS) verif/mutate/alike.sh
