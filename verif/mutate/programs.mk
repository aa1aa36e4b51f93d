# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - `make mutate`: mutants of the units against their lock-step tests; and faults in
# rules that both twins, or a report, could break (faults/), against the tests of `make test`.

MUTATE_PROGRAMS := $(sort $(shell sed '/^\#/d; s/[.|].*//' verif/mutate/units.txt))
MUTATE_NEEDS    := $(MUTATE_PROGRAMS:%=$(COSIM)/%.o) $(COSIM)/verilated.o $(COSIM)/verilated_threads.o $(B)/libbyway.a

.PHONY: mutate mutate-faults mutate-drawn
mutate-faults: ## each fault of verif/mutate/faults, in both twins or a report, makes its test fail (minutes)
	@B=$(B) JOBS=$(JOBS) verif/mutate/faults.sh

mutate: mutate-faults $(MUTATE_NEEDS) ## at least 300 faults put into the RTL, one by one: each must make a test fail
	@B=$(B) verif/mutate/run.sh

mutate-drawn: ## random faults of conditions, put alike into RTL and C (N, default 20; SEED): each makes a test of the C model fail
	@B=$(B) JOBS=$(JOBS) verif/mutate/draw.sh $(or $(N),20) $(or $(SEED),1)
