# SPDX-License-Identifier: Apache-2.0
#
# fpga.mk - the L1 of an SM in an FPGA, testing itself.

.PHONY: fpga fpga-sim
fpga: ## the L1 with its self-test for boards: simulated, placed and routed, bitstreams, table (FPGA_SEEDS; long, cached)
	@B=$(B) fpga/table.sh $(CONFIGS)
fpga-sim: ## the self-test of each configuration in simulation only
	@for c in $$(grep -v '^#' fpga/configs.txt | cut -d'|' -f1); do echo "$$c: $$(fpga/sim.sh $$c)" || exit 1; done
include fpga/softgpu.mk
