# SPDX-License-Identifier: Apache-2.0
# Waveforms as FST need the writer that comes with Verilator, and zlib; without them they are VCD only.
FST_DIR := $(firstword $(wildcard /usr/share/verilator/include/gtkwave /usr/local/share/verilator/include/gtkwave))
ifneq ($(and $(wildcard $(FST_DIR)/fstapi.c),$(wildcard /usr/include/zlib.h)),)
FST_OBJ := $(patsubst %,$(B)/fst/%.o,fstapi fastlz lz4)
LDLIBS  += -lz
$(B)/cmodel/sim/observe/byw_wave_fst.o $(B)/fast/cmodel/sim/observe/byw_wave_fst.o: private CFLAGS += -DHAVE_FST -isystem $(FST_DIR)
# Rebuilt when a dependency is installed later.
$(B)/cmodel/sim/observe/byw_wave_fst.o $(B)/fast/cmodel/sim/observe/byw_wave_fst.o $(B)/libbywsim.a: $(FST_OBJ)
ifeq ($(SAN),)
$(B)/byway $(B)/verif/bench/reference $(B)/verif/bench/probes: $(FST_OBJ)
endif
$(FST_OBJ): $(B)/fst/%.o: $(FST_DIR)/%.c cmodel/sim/observe/byw_fst_files.h
	@mkdir -p $(@D)
	$(call SAY,fst )
	$(Q)$(CC) $(OPT) -w -I$(FST_DIR) -include cmodel/sim/observe/byw_fst_files.h -DFST_CONFIG_INCLUDE='"fst_config.h"' -c $< -o $@
endif
