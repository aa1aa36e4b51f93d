# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - `make mutate`: mutants of the units against their lock-step tests.

MUTATE_PROGRAMS := $(sort $(shell sed '/^\#/d; s/[.|].*//' verif/mutate/units.txt))
MUTATE_NEEDS    := $(MUTATE_PROGRAMS:%=$(COSIM)/%.o) $(COSIM)/verilated.o $(COSIM)/verilated_threads.o $(B)/libbyway.a

.PHONY: mutate
mutate: $(MUTATE_NEEDS) ## at least 300 faults put into the RTL, one by one: each must make a test fail
	@B=$(B) verif/mutate/run.sh
