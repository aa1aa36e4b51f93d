# SPDX-License-Identifier: Apache-2.0
#
# programs.mk - `make coverage`: lines, toggles and functional bins of the RTL over lock step and
# scenarios, rtl/doc/coverage.md.
#
# A model with coverage counters takes several times as long to compile, so programs that would
# cover nothing more are left out: large caches, and configurations, whose features other programs
# cover.

.PHONY: coverage coverage-check
COVER_DIR := $(B)/coverage
COVER_OUT := all_% config_% l1d_fermi l1d_fermi64 l1d_ways8 l1d_ways8_tags8 l1d_ways16 l1d_ways48 l1d_tags4x l1d_sets512 \
             l1d_look l1d_fill_pascal l1d_no_pc l1d_line16_look l1d_one_set l1d_beat32 l1d_beat64_line scenario_fermi scenario_sectored \
             pc_pred_fermi policy_8x8 policy_1x1 sectored_48x4 install_48x4 sector_store_12x4 lanes_32x128 lanes_7x64 \
             lane_coalescer_16 lane_coalescer_8 lane_coalescer_16_beats l2_pc_bypass_256x16 protection_fermi axi4_128x64 \
             axi4_32x256 tilelink_128x64 tilelink_32x256 wishbone_128x64 wishbone_32x256 ventus_bl dbi_2x16 bypass_bit_64x16 \
             mshr_32x8 miss_queue_8_8 sm_l1_2sets sm_l1_look sm_l1_port sm_l1_beats sm_l1_beats_look cluster_look cluster_port \
             cluster_port_all cluster_4sm \
             cluster_trial sm_l1_parity sm_l1_fill scenario_port_off scenario_port_numbers scenario_port_writes l1d_fill_line16 \
             protection_one trials_odd trials_one warp_fifos_8x2 set_duel_32
# Programs of other folders are known only after this file was read.
COVERED    = $(filter-out $(COVER_OUT:%=$(COSIM)/%),$(COSIM_PROGRAMS))
COVER_MAKE = $(MAKE) --no-print-directory COSIM=$(COVER_DIR)/cosim COVER=1 VL_OPT=-O0

coverage-programs: FORCE # not a name for users: COVER_MAKE calls it
	@$(MAKE) --no-print-directory $(COVERED)

coverage: $(B)/libbyway.a ## lines, toggles and bins of the RTL over lock step, by module: rewrites rtl/doc/coverage.md (half an hour)
	@$(COVER_MAKE) coverage-programs
	@verif/coverage/coverage.sh write

coverage-check: $(B)/libbyway.a ## the same, compared with that page: nothing covered may be lost
	@$(COVER_MAKE) coverage-programs
	@verif/coverage/coverage.sh check
