# SPDX-License-Identifier: Apache-2.0
# OpenCL on the CUDA driver, to run byway's workloads on a GPU (README.md).
SILICON_LIB := $(B)/silicon/libOpenCL.so.1
ifneq ($(OCL_CL_H),)
$(SILICON_LIB): verif/silicon/byw_clcu.c cmodel/capture/opencl/byw_cl.map
	@mkdir -p $(@D)
	$(call SAY,clcu)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -fPIC -shared -o $@.tmp -Wl,-soname,libOpenCL.so.1 \
	    -Wl,--version-script=cmodel/capture/opencl/byw_cl.map $< -ldl
	@mv $@.tmp $@
endif
silicon-lib: $(if $(OCL_CL_H),$(SILICON_LIB)) ## OpenCL on a CUDA driver, with which verif/silicon measures
	$(if $(OCL_CL_H),@:,@echo "byway: no CL/cl.h; apt-get install opencl-c-headers" >&2; false)

silicon-measure: silicon-lib workloads $(B)/byway ## measure the GPU of this machine for byway correlate: build/silicon/measured; at most 5 minutes
	@B=$(B) verif/silicon/measure.sh $(B)/silicon/measured
.PHONY: silicon-lib silicon-measure
