# SPDX-License-Identifier: Apache-2.0
# The OpenCL benchmark programs: one binary per folder that holds NAME/NAME.c and NAME/NAME.cl.
# Included by the top Makefile, whose B, CC and CFLAGS it uses.

WL_DIR    := cmodel/workloads
WL_NAMES  := $(sort $(patsubst $(WL_DIR)/%/,%,$(dir $(wildcard $(WL_DIR)/*/*.cl))))
WL_BIN    := $(WL_NAMES:%=$(B)/workloads/%)
WL_COMMON := $(patsubst %.c,$(B)/%.o,$(wildcard $(WL_DIR)/common/*.c))
WL_CFLAGS := $(CFLAGS) -I$(WL_DIR)/common
# Linked by its runtime name, so that neither a development symlink nor an ICD loader is needed: our
# tracing runtime if it has been built, else the system's.
WL_CL     := -L$(B)/lib -l:libOpenCL.so.1 -Wl,--allow-shlib-undefined
# Where no OpenCL implementation is installed, the drivers run on our runtime.
WL_ENV    := POCL_MAX_PTHREAD_COUNT=1 $(if $(wildcard /etc/OpenCL/vendors/*.icd),,\
             LD_LIBRARY_PATH=$(abspath $(B)/lib))

.PHONY: workloads workload-check traces

workloads: $(WL_BIN) ## build the OpenCL benchmark programs

# The kernel text becomes a zero-terminated array; od and sed exist everywhere, xxd does not.
define WL_RULE
$(B)/workloads/$(1): $(WL_DIR)/$(1)/$(1).c $(B)/gen/workloads/$(1)_cl.h $(WL_COMMON)
	@mkdir -p $$(@D)
	$$(call SAY,load)
	$$(Q)$$(CC) $$(WL_CFLAGS) -MMD -MP -MT $$@ -MF $$@.d -o $$@ $$< $$(WL_COMMON) $$(WL_CL) -lm
$(B)/gen/workloads/$(1)_cl.h: $(WL_DIR)/$(1)/$(1).cl
	@mkdir -p $$(@D)
	@{ echo '/* Generated from $$<. */'; echo 'static const char byw_wl_source[] = {'; \
	  od -An -v -tu1 $$< | sed 's/[0-9][0-9]*/&,/g'; echo '0};'; } > $$@.tmp && mv $$@.tmp $$@
endef
$(foreach w,$(WL_NAMES),$(eval $(call WL_RULE,$(w))))

# The registry as words NAME:PROGRAM:OPTIONS, with commas for the blanks between options.
WL_REGISTRY := $(shell sed -n -e 's/^BYW_WORKLOAD."\([a-z0-9_]*\)",.*/\1:\1:/p' \
               -e '/^BYW_WORKLOAD_OF."/{s/^[^"]*"\([^"]*\)", "\([^"]*\)", "\([^"]*\)".*/\1:\2:\3/;s/ /,/g;p;}' \
               $(WL_DIR)/workloads.def)
# Sets w, p and o in a shell loop over WL_REGISTRY.
WL_SPLIT := w=$${line%%:*}; p=$${line\#*:}; o=$$(echo "$${p\#*:}" | tr , ' '); p=$${p%%:*}

workload-check: $(WL_BIN) ## run every benchmark program at test size and check its result
	@pass=0; fail=0; for p in $(WL_NAMES); do \
	  case " $(WL_REGISTRY) " in *":$$p:"*) ;; *) \
	    echo "FAIL $$p: no line in $(WL_DIR)/workloads.def"; fail=$$((fail + 1)) ;; esac; done; \
	for line in $(WL_REGISTRY); do $(WL_SPLIT); \
	  if [ "$$(grep -c "^| $$w |" $(WL_DIR)/README.md)" -lt 2 ]; then \
	    echo "FAIL $$w: expected a line in both tables of $(WL_DIR)/README.md"; fail=$$((fail + 1)); \
	  elif $(WL_ENV) $(B)/workloads/$$p --size test $$o; then pass=$$((pass + 1)); \
	  else echo "FAIL $$w"; fail=$$((fail + 1)); fi; done; \
	  echo "$$pass passed, $$fail failed"; test $$fail -eq 0

# Only on request, never because of a file's age: a fresh checkout must not need clang to use the
# traces. The machines of papers 002 and 004 have waves of 64.
traces: $(WL_BIN) $(B)/byway opencl ## capture every benchmark at size small into cmodel/traces
	@set -e; wide=" $$($(WL_DIR)/table.sh --names pc mi | tr '\n' ' ')"; \
	for line in $(WL_REGISTRY); do $(WL_SPLIT); \
	  $(B)/byway trace capture -o cmodel/traces/$$w.bwt -- $(B)/workloads/$$p --size small $$o; \
	  case "$$wide" in *" $$w "*) $(B)/byway trace capture --warp 64 -o cmodel/traces/w64/$$w.bwt \
	    -- $(B)/workloads/$$p --size small $$o ;; esac; done
	@du -cb cmodel/traces/*.bwt cmodel/traces/w64/*.bwt | tail -1

.PHONY: traces-large
traces-large: $(WL_BIN) $(B)/byway opencl ## capture larger inputs of 40 workloads into build/traces-large
	@mkdir -p $(B)/traces-large
	@set -e; for line in $(WL_REGISTRY); do $(WL_SPLIT); \
	  more=$$(sed -n "s/^$$w //p" $(WL_DIR)/large.txt); [ -n "$$more" ] || continue; \
	  $(B)/byway trace capture -o $(B)/traces-large/$$w.bwt -- $(B)/workloads/$$p --size small $$o $$more; done

SIZE ?= test
.PHONY: workloads-paper
workloads-paper: $(WL_BIN) $(B)/byway opencl ## run every benchmark (SIZE, default test) on its paper's machine; goes on where it stopped
	@B=$(B) verif/opencl/workloads_paper.sh --size $(SIZE)

.PHONY: workload-table
workload-table: $(B)/byway ## write cmodel/workloads/TABLE.md from the registry and the shipped traces
	@BYWAY=$(B)/byway $(WL_DIR)/table.sh > $(B)/TABLE.md && mv $(B)/TABLE.md $(WL_DIR)/TABLE.md
