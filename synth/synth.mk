# SPDX-License-Identifier: Apache-2.0
#
# synth.mk - area by Yosys, one line per unit and per mechanism.

.PHONY: synth synth-baseline silicon-root cbmc-root area-check synth-fmax synth-liberty synth-timing
synth: ## area of every unit and mechanism (Yosys), compared with synth/baseline, 1 % tolerance
	@B=$(B) synth/run.sh $(UNITS)
synth-baseline: ## make today's area the baseline; UNITS="policy mshr": only of these units
	@B=$(B) BASELINE=write synth/run.sh $(UNITS)
silicon-root: ## Yosys, nextpnr, Trellis, IceStorm of Debian 14 in a private folder, for older systems
	@synth/silicon_root.sh
cbmc-root: ## CBMC of Debian 13 in a private folder, for verif/formal/long_cbmc.sh
	@SILICON_ROOT=$${CBMC_ROOT:-$${XDG_CACHE_HOME:-$$HOME/.cache}/byway/cbmc-root} SILICON_SUITE=trixie SILICON_TOOLS=cbmc synth/silicon_root.sh
area-check: synth ## same as synth: fails if a count differs from the baseline by more than 1 %
synth-fmax: ## nextpnr clock rate of the caches of units.txt on ECP5-85, worst of FPGA_SEEDS (default 1; hours)
	@B=$(B) synth/fmax.sh $(UNITS)
synth-liberty: ## area of units in square micrometres: LIBERTY=path [UNITS="policy mshr"]
	@B=$(B) synth/liberty.sh "$(LIBERTY)" $(or $(UNITS),policy l1d_ctrl mshr miss_queue bypass_tracker)
synth-timing: ## longest path of units in picoseconds, RAMs as black boxes: LIBERTY=path [UNITS="policy mshr"]
	@B=$(B) synth/timing.sh "$(LIBERTY)" $(or $(UNITS),policy l1d_ctrl mshr miss_queue bypass_tracker)
