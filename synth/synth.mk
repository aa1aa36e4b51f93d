# SPDX-License-Identifier: Apache-2.0
#
# synth.mk - area by Yosys, one line per unit and per mechanism.

.PHONY: synth synth-baseline silicon-root area-check synth-fmax synth-liberty
synth: ## area of every unit and mechanism (Yosys) against synth/baseline, 1 % tolerance
	@B=$(B) synth/run.sh $(UNITS)
synth-baseline: ## take today's area as the baseline, UNITS="policy mshr" that of these
	@B=$(B) BASELINE=write synth/run.sh $(UNITS)
silicon-root: ## Yosys, nextpnr, Trellis, IceStorm of Debian 14 in a folder of their own, for older systems
	@synth/silicon_root.sh
area-check: synth ## the same as synth: a count more than 1 % off the baseline fails
synth-fmax: ## nextpnr clock rate of the caches of units.txt on ECP5-85, worst of FPGA_SEEDS (default 1; hours)
	@B=$(B) synth/fmax.sh $(UNITS)
synth-liberty: ## area of units in square micrometres: LIBERTY=path [UNITS="policy mshr"]
	@B=$(B) synth/liberty.sh "$(LIBERTY)" $(or $(UNITS),policy l1d_ctrl mshr miss_queue bypass_tracker)
