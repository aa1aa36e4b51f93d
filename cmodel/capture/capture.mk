# SPDX-License-Identifier: Apache-2.0
# The tracing OpenCL runtime.  Needs clang, LLVM's headers and libclc of one version; without them
# `make opencl` says so and everything else still builds.

# Prefers the newest version of LLVM: it reads the bitcode of any older libclc, but not the reverse.
OCL_VERSION := $(firstword $(foreach v,21 20 19 18 17 16 15 14,$(if $(and $(shell command -v llvm-config-$(v)),\
               $(shell command -v clang-$(v)),$(wildcard /usr/lib/llvm-$(v)/include/llvm-c/Core.h)),$(v))))
OCL_LLVM_CONFIG := $(if $(OCL_VERSION),llvm-config-$(OCL_VERSION),$(shell command -v llvm-config))
OCL_CLANG  := $(if $(OCL_VERSION),$(shell command -v clang-$(OCL_VERSION)),$(shell command -v clang))
OCL_LIBCLC := $(firstword $(wildcard /usr/lib/clc/nvptx64--.bc /usr/share/clc/nvptx64--.bc \
              /usr/lib/llvm-$(OCL_VERSION)/share/clc/nvptx64--.bc /usr/lib/llvm-$(OCL_VERSION)/lib/clc/nvptx64--.bc))
OCL_CL_H   := $(firstword $(wildcard /usr/include/CL/cl.h /usr/local/include/CL/cl.h))

OCL_SRC  := $(wildcard cmodel/capture/opencl/byw_cl_*.c)
# What OpenCL and CUDA share, so that a program that uses both writes one trace.
CAP_SRC  := $(filter-out $(OCL_SRC),$(wildcard cmodel/capture/*/byw_cl_*.c))
# Where machine code is available, OpenCL C runs from the PTX that clang compiles it to.
OCL_PTX  := $(wildcard cmodel/capture/cuda/byw_ptx_*.c) $(patsubst %,cmodel/capture/cuda/byw_cu_%.c,compile lower machine opencl pointers prepare recursion)
# An archive, so that only what the trace writer needs is linked.
OCL_DEPS := $(wildcard cmodel/capture/*.c cmodel/capture/machine/*.c cmodel/model/common/*.c cmodel/trace/*.c cmodel/trace/*/*.c)
OCL_DEP_OBJ := $(OCL_DEPS:%.c=$(B)/pic/%.o)
CAP_OBJ  := $(CAP_SRC:%.c=$(B)/pic/%.o) $(OCL_PTX:%.c=$(B)/pic/%.o)
CAP_LIB  := $(B)/lib/libbyway-capture.so
OCL_OBJ  := $(OCL_SRC:%.c=$(B)/pic/%.o)
OCL_LIB  := $(B)/lib/libOpenCL.so.1

# The version of LLVM that reads and writes kernels; their clang is looked up at run time.
OCL_LLVM := $(if $(OCL_VERSION),$(OCL_VERSION),$(if $(OCL_LLVM_CONFIG),$(firstword $(subst ., ,$(shell $(OCL_LLVM_CONFIG) --version 2>/dev/null)))))
$(B)/gen/byw_llvm.h: FORCE
	@mkdir -p $(@D)
	@printf '/* SPDX-License-Identifier: Apache-2.0 */\n#define BYW_LLVM_VERSION "$(OCL_LLVM)"\n' >$@.tmp
	@if cmp -s $@.tmp $@; then rm -f $@.tmp; else mv $@.tmp $@; fi
$(foreach d,$(B) $(B)/pic,$(d)/cmodel/capture/byw_clang.o): $(B)/gen/byw_llvm.h

.PHONY: opencl opencl-tools
opencl-tools: ## print the clang and the libclc that the runtime uses
	@echo $(OCL_CLANG) $(OCL_LIBCLC)
ifneq ($(and $(OCL_LLVM_CONFIG),$(OCL_CLANG),$(OCL_LIBCLC),$(OCL_CL_H)),)
OCL_READY := yes
opencl: $(OCL_LIB) ## the tracing OpenCL runtime (needs clang, llvm-dev, libclc)
$(OCL_LIB) $(CAP_LIB): OCL_INCLUDE := -isystem $(shell $(OCL_LLVM_CONFIG) --includedir)
# libLLVM is loaded at the first call; on processors other than x86-64 it is linked.
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
CAP_LLVM := $(B)/gen/byw_llvm_stubs.o
LLVM_NAME := $(shell objdump -p $(shell $(OCL_LLVM_CONFIG) --libfiles --link-shared) | awk '$$1 == "SONAME" { print $$2 }')
$(CAP_LLVM): $(CAP_OBJ) cmodel/capture/llvm_stubs.sh
	$(Q)cmodel/capture/llvm_stubs.sh $(LLVM_NAME) $(CAP_OBJ) >$(@:.o=.s) && $(CC) -c -o $@ $(@:.o=.s)
else
CAP_OBJ := $(filter-out %/byw_cl_llvm.o,$(CAP_OBJ))
CAP_LLVM := $(shell $(OCL_LLVM_CONFIG) --ldflags) $(shell $(OCL_LLVM_CONFIG) --libs --link-shared)
endif
$(CAP_LIB): $(CAP_OBJ) $(filter %.o,$(CAP_LLVM)) $(B)/pic/libbywtrace.a cmodel/capture/byw_capture.map
	@mkdir -p $(@D)
	$(call SAY,cl  )
	$(Q)$(CC) -shared -o $@.tmp -Wl,-soname,$(@F) -Wl,--version-script=cmodel/capture/byw_capture.map -Wl,-z,defs -Wl,--as-needed \
	    $(CAP_OBJ) -Wl,--whole-archive $(B)/pic/libbywtrace.a -Wl,--no-whole-archive $(CAP_LLVM) $(LDLIBS)
	@mv $@.tmp $@
CAP_LINK = -L$(B)/lib -l:$(notdir $(CAP_LIB)) -Wl,-rpath,'$$ORIGIN'
$(OCL_LIB): $(OCL_OBJ) $(CAP_LIB) cmodel/capture/opencl/byw_cl.map
	@mkdir -p $(@D)
	$(call SAY,cl  )
	$(Q)$(CC) -shared -o $@.tmp -Wl,-soname,libOpenCL.so.1 -Wl,--version-script=cmodel/capture/opencl/byw_cl.map -Wl,-z,defs -Wl,--as-needed \
	    $(OCL_OBJ) $(CAP_LINK) $(LDLIBS)
	@mv $@.tmp $@ # programs may be linking with it
	@ln -sf libOpenCL.so.1 $(B)/lib/libOpenCL.so
$(B)/pic/libbywtrace.a: $(OCL_DEP_OBJ)
	@rm -f $@; ar rcs $@ $^
$(B)/pic/cmodel/capture/compile/byw_cl_workshop.o: $(wildcard cmodel/capture/compile/byw_cl_prelude*.cl)
$(B)/pic/%.o: %.c cmodel/capture/capture.mk
	@mkdir -p $(@D)
	$(call SAY,cl  )
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -fPIC -fvisibility=protected $(OCL_INCLUDE) -MMD -MP -c $< -o $@
else
OCL_MISSING = capturing traces needs clang, LLVM and libclc of one version: apt-get install clang-V llvm-V-dev \
              libclc-V opencl-c-headers (V = 14 on Debian 12, 19 on Debian 13, 18 on Ubuntu 24.04)
ifneq ($(filter opencl traces traces-large workloads-paper,$(MAKECMDGOALS)),)
$(error $(OCL_MISSING))
endif
opencl:
	@echo "byway: $(OCL_MISSING)" >&2; false
endif

# The tests read traces of a small OpenCL program. That program is never built with sanitizers,
# because they occupy the addresses of buffers.
OCL_TESTS := $(B)/verif/opencl/t_opencl $(B)/verif/opencl/t_capture
# private: not inherited by the runtime, which may be built as a prerequisite.
OCL_TEST_OBJ := $(patsubst %,$(B)/cmodel/capture/run/%.o,byw_cl_flow byw_cl_merge) \
                $(patsubst %.c,$(B)/%.o,$(wildcard cmodel/capture/*.c))
$(OCL_TESTS): private LDLIBS += $(OCL_TEST_OBJ) $(B)/libbywsim.a $(B)/libbyway.a -lstdc++
$(OCL_TESTS): $(OCL_TEST_OBJ)
ifeq ($(OCL_READY),yes)
OCL_PROBES := $(patsubst %,$(B)/verif/opencl/%,cl_probe cl_api cl_ends cl_late cl_sites cl_bounds cl_device)
# Workloads that t_advise.sh, t_correlate.sh and t_silicon.sh run; t_silicon.sh runs all under `make test-all`.
OCL_TESTED := $(addprefix $(B)/workloads/,$(if $(filter all,$(BYWAY_TESTS)),\
    $(basename $(notdir $(wildcard cmodel/workloads/*/*.cl))),kmeans bfs particlefilter hotspot dct8x8))
$(OCL_TESTS): | $(OCL_PROBES) $(if $(SAN),,$(OCL_TESTED))
$(OCL_TESTED): | $(OCL_LIB)
$(OCL_PROBES): $(B)/verif/opencl/%: verif/opencl/%.c $(OCL_LIB)
	@mkdir -p $(@D)
	$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -Wl,--as-needed -L$(B)/lib \
	    -l:libOpenCL.so.1 -Wl,--allow-shlib-undefined
endif
