# SPDX-License-Identifier: Apache-2.0
#
# fpga.mk - the self-test of an SM's L1 in an FPGA.

.PHONY: fpga fpga-sim
fpga: ## the L1 with its self-test for boards: simulation, place and route, bitstreams, table (FPGA_SEEDS; slow, cached)
	@B=$(B) fpga/table.sh $(CONFIGS)
fpga-sim: ## the self-test of each configuration in simulation only
	@for c in $$(grep -v '^#' fpga/configs.txt | cut -d'|' -f1); do echo "$$c: $$(fpga/sim.sh $$c)" || exit 1; done
include fpga/softgpu.mk
