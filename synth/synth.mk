# SPDX-License-Identifier: Apache-2.0
#
# synth.mk - area by Yosys, one line per unit and per mechanism.

.PHONY: synth synth-baseline silicon-root
synth: ## area of every unit and mechanism (Yosys) against synth/baseline, 1 % tolerance
	@B=$(B) synth/run.sh $(UNITS)
synth-baseline: ## take today's area as the baseline
	@B=$(B) BASELINE=write synth/run.sh
silicon-root: ## Yosys, nextpnr, Trellis, IceStorm of Debian 13 in a folder of their own, for older systems
	@synth/silicon_root.sh
