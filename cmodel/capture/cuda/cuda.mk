# SPDX-License-Identifier: Apache-2.0
# CUDA programs without a GPU: the driver library and the runtime libraries.  They need what the
# tracing OpenCL runtime needs (capture.mk), but not nvcc.

# Reading PTX that nvcc compressed with LZ4 needs liblz4. zstd, the default of CUDA 13, is always available here.
ifeq ($(shell pkg-config --exists liblz4 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_LZ4 $(shell pkg-config --cflags liblz4)
CU_LZ4 := $(shell pkg-config --libs liblz4)
endif

CU_DIR  := cmodel/capture/cuda
CU_SRC  := $(filter-out $(OCL_PTX),$(wildcard $(CU_DIR)/byw_cu_*.c $(CU_DIR)/byw_ptx_*.c))
CU_GEN  := $(B)/gen/cuda
CU_OBJ  := $(CU_SRC:%.c=$(B)/pic/%.o)
CU_LIB  := $(B)/lib/libcuda.so.1
CU_ARTS := $(B)/lib/libcudart.so.12 $(B)/lib/libcudart.so.13
CU_BLASES := $(B)/lib/libcublas.so.12 $(B)/lib/libcublas.so.13
CU_BLASLTS := $(B)/lib/libcublasLt.so.12 $(B)/lib/libcublasLt.so.13
CU_RAND := $(B)/lib/libcurand.so.10
CU_LINKERS := $(B)/lib/libnvJitLink.so.12 $(B)/lib/libnvJitLink.so.13
CU_AUDIT := $(B)/lib/libbyway-audit.so

.PHONY: cuda
ifeq ($(OCL_READY),yes)
cuda: $(CU_LIB) $(CU_ARTS) $(CU_BLASES) $(CU_BLASLTS) $(CU_RAND) $(CU_LINKERS) $(CU_AUDIT) ## the tracing CUDA driver and runtime libraries (need clang, llvm-dev, libclc)
$(CU_LIB): OCL_INCLUDE := -isystem $(shell $(OCL_LLVM_CONFIG) --includedir)
# $(call CU_MISSING,NAME,names/NAME.txt,CODE,objects): what a library lacks of its names
# (missing.sh): the object $(CU_GEN)/missing_NAME.o and the linker's options in missing_NAME.ld.
define CU_MISSING
$(CU_GEN)/missing_$(1).c: $(CU_DIR)/names/$(2).txt $(CU_DIR)/missing.sh $(4)
	@mkdir -p $$(@D)
	$$(Q)$(CU_DIR)/missing.sh $(CU_DIR)/names/$(2).txt $(3) $$@ $$(@:.c=.ld) $(4)
$(CU_GEN)/missing_$(1).o: $(CU_GEN)/missing_$(1).c
	$$(Q)$$(CC) $$(filter-out $$(SAN),$$(CFLAGS)) -fPIC -fvisibility=hidden -c $$< -o $$@
endef
$(eval $(call CU_MISSING,cuda,cuda,801,$(CU_OBJ)))
$(CU_LIB): $(CU_OBJ) $(CU_GEN)/missing_cuda.o $(CAP_LIB) $(CU_DIR)/byw_cu.map
	@mkdir -p $(@D)
	$(call SAY,cuda)
	$(Q)$(CC) -shared -o $@.tmp -Wl,-soname,libcuda.so.1 -Wl,--version-script=$(CU_DIR)/byw_cu.map -Wl,-z,defs -Wl,--as-needed \
	    $(CU_OBJ) $(CU_GEN)/missing_cuda.o @$(CU_GEN)/missing_cuda.ld $(CAP_LINK) $(LDLIBS) $(CU_LZ4)
	@mv $@.tmp $@
	@ln -sf libcuda.so.1 $(B)/lib/libcuda.so
# The libraries above the driver exist once per major version of CUDA, which some of their functions
# return: objects for version 12 are in cuda12/, those for 13 in cuda13/.
define CU_OBJECT
$(B)/cuda$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call SAY,cuda)
	$$(Q)$$(CC) $$(filter-out $$(SAN),$$(CFLAGS)) -Wno-missing-prototypes -fPIC -fvisibility=hidden -DBYW_CUDA_MAJOR=$(1) \
	    -DBYW_CUBLAS_PTX='"$(CU_GEN)/cublas.ptx"' -DBYW_CURAND_PTX='"$(CU_GEN)/curand.ptx"' -MMD -MP -c $$< -o $$@
$(B)/cuda$(1)/wide.o: $(CU_GEN)/wide.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(filter-out $$(SAN),$$(CFLAGS)) -fPIC -fvisibility=hidden -c $$< -o $$@
$(B)/cuda$(1)/$(CU_DIR)/blas/byw_cublas_core.o: $(CU_GEN)/cublas.ptx
$(B)/cuda$(1)/$(CU_DIR)/rand/byw_curand_host.o: $(CU_GEN)/curand.ptx
endef
$(foreach major,12 13,$(eval $(call CU_OBJECT,$(major))))

# The calls of cuBLAS with 64-bit sizes.
$(CU_GEN)/wide.c: $(CU_DIR)/blas/wide.txt $(CU_DIR)/blas/wide.sh
	@mkdir -p $(@D)
	$(Q)$(CU_DIR)/blas/wide.sh $< > $@.tmp && mv $@.tmp $@

# $(call CU_LIBRARY,NAME.so.N,exported names,libraries that it needs,MAJOR,sources below CU_DIR,list of
# names,code of a call that is not supported,more objects). The version of its symbols is part of the interface
# that programs link against.
define CU_LIBRARY
$(call CU_MISSING,$(1),$(6),$(7),$(patsubst $(CU_DIR)/%.c,$(B)/cuda$(4)/$(CU_DIR)/%.o,$(wildcard $(5:%=$(CU_DIR)/%))) $(8))
CU_LIBRARY_OBJ += $(patsubst $(CU_DIR)/%.c,$(B)/cuda$(4)/$(CU_DIR)/%.o,$(wildcard $(5:%=$(CU_DIR)/%)))
$(B)/lib/$(1): $(patsubst $(CU_DIR)/%.c,$(B)/cuda$(4)/$(CU_DIR)/%.o,$(wildcard $(5:%=$(CU_DIR)/%))) $(8) $(CU_GEN)/missing_$(1).o $(3:%=$(B)/lib/%)
	@mkdir -p $$(@D) $(CU_GEN)
	@printf '$(1) {\n    global: $(2)\n    local: *;\n};\n' > $(CU_GEN)/$(1).map
	$$(call SAY,cuda)
	$$(Q)$$(CC) -shared -o $$@.tmp -Wl,-soname,$(1) -Wl,--version-script=$(CU_GEN)/$(1).map -Wl,-z,defs -Wl,--as-needed \
	    -Wl,-rpath,'$$$$ORIGIN' $$(filter %.o,$$^) @$(CU_GEN)/missing_$(1).ld -L$(B)/lib $(3:%=-l:%) -Wl,--allow-shlib-undefined
	@mv $$@.tmp $$@
endef
define CU_LIBRARIES
$(call CU_LIBRARY,libcudart.so.$(1),cuda*; __cuda*;,libcuda.so.1,$(1),byw_cudart_*.c,cudart,801)
$(call CU_LIBRARY,libcublas.so.$(1),cublas*; byw_blas_multiply;,libcuda.so.1,$(1),blas/byw_cublas_*.c,cublas,15,$(B)/cuda$(1)/wide.o)
$(call CU_LIBRARY,libcublasLt.so.$(1),cublasLt*;,libcublas.so.$(1) libcuda.so.1,$(1),blas/byw_cublaslt.c,cublasLt,15)
$(call CU_LIBRARY,libnvJitLink.so.$(1),nvJitLink*; __nvJitLink*;,libcuda.so.1,$(1),link/byw_nvjitlink.c,nvJitLink,6)
endef
$(foreach major,12 13,$(eval $(call CU_LIBRARIES,$(major))))
$(eval $(call CU_LIBRARY,libcurand.so.10,curand*;,libcuda.so.1,12,rand/*.c,curand,103))
CU_AUDIT_OBJ := $(patsubst %.c,$(B)/cuda12/%.o,$(wildcard $(CU_DIR)/audit/*.c))
$(CU_AUDIT): $(CU_AUDIT_OBJ)
	@mkdir -p $(@D)
	$(call SAY,cuda)
	$(Q)$(CC) -shared -o $@.tmp $^
	@mv $@.tmp $@
CU_LIBRARY_OBJ += $(CU_AUDIT_OBJ)

# cuBLAS and cuRAND, whose kernels clang compiles to PTX.
CU_TO_PTX = $(OCL_CLANG) -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version -O2 -S \
    -MMD -MP -MT $@ -MF $(@:.ptx=.d)
$(CU_GEN)/cublas.ptx: $(CU_DIR)/blas/byw_cublas.cu $(CU_DIR)/cuda.mk
	@mkdir -p $(@D)
	$(Q)$(CU_TO_PTX) -o $@ $<
$(CU_GEN)/curand.ptx: $(CU_DIR)/rand/byw_curand.cu $(CU_DIR)/cuda.mk
	@mkdir -p $(@D)
	$(Q)$(CU_TO_PTX) -o $@ $<

# The libraries that implement PTX instructions, as bitcode of the LLVM that reads them.
CU_BITCODE := $(CU_GEN)/warp.bc $(CU_GEN)/arithmetic.bc
CU_DEVICE  := $(wildcard $(CU_DIR)/device/*.c)
CU_LINK    := $(if $(OCL_VERSION),llvm-link-$(OCL_VERSION),llvm-link)
$(CU_GEN)/%.bc: $(CU_DIR)/device/%.c $(CU_DIR)/cuda.mk
	@mkdir -p $(@D)
	$(Q)$(OCL_CLANG) -std=c11 -O2 -fPIC -fno-strict-aliasing -ffp-contract=off -Icmodel -MMD -MP -MT $@ -MF $(@:.bc=.d) -emit-llvm -c -o $@ $<
$(CU_GEN)/arithmetic.bc: $(CU_DEVICE:$(CU_DIR)/device/%.c=$(CU_GEN)/%.bc)
	$(Q)$(CU_LINK) -o $@ $^
$(CU_GEN)/warp.bc: $(CU_DIR)/device/byw_cu_warp.cl $(CU_DIR)/cuda.mk
	@mkdir -p $(@D)
	$(Q)$(OCL_CLANG) -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -target nvptx64-- -O2 \
	    -Xclang -cl-ext=+cl_khr_3d_image_writes,+cl_khr_fp64 -Wno-unused-command-line-argument \
	    -gline-tables-only -fno-strict-aliasing -D__IMAGE_SUPPORT__=1 -DBYW_WANT_IMAGE \
	    -include cmodel/capture/compile/byw_cl_prelude.cl -Xclang -mlink-bitcode-file -Xclang $(OCL_LIBCLC) -Icmodel \
	    -MMD -MP -MT $@ -MF $(@:.bc=.d) -emit-llvm -c -o $@ $<
$(B)/pic/$(CU_DIR)/byw_cu_prepare.o: $(CU_BITCODE)
$(B)/pic/$(CU_DIR)/byw_cu_prepare.o: CFLAGS += -DBYW_CU_WARP='"$(CU_GEN)/warp.bc"' \
    -DBYW_CU_ARITHMETIC='"$(CU_GEN)/arithmetic.bc"'
else
cuda:
	@echo "byway: $(OCL_MISSING)" >&2; false
endif

# Tests: programs that need the libraries but no toolkit. The PTX of the corpus is stored in an archive.
$(B)/verif/cuda/corpus/all: verif/cuda/corpus/ptx.tar.gz verif/cuda/corpus/saxpy.ptx
	@mkdir -p $(@D)
	@tar xzf $< -C $(@D) && cp verif/cuda/corpus/saxpy.ptx $(@D) && touch $@
CU_FRONT_OBJ := $(B)/cmodel/capture/machine/byw_ptx_lex.o $(patsubst %,$(B)/cmodel/capture/cuda/%.o,byw_ptx_reader byw_ptx_scope byw_ptx_code byw_ptx_declare byw_ptx_parse byw_ptx_slice byw_cu_fatbin)
$(B)/verif/cuda/t_ptx: private LDLIBS += $(CU_FRONT_OBJ) $(B)/libbyway.a -lxxhash -lzstd $(CU_LZ4)
$(B)/verif/cuda/t_ptx: $(CU_FRONT_OBJ)
ifeq ($(OCL_READY),yes)
CU_PROBES := $(patsubst %,$(B)/verif/cuda/%,cu_instructions cu_carries cu_forms cu_spellings cu_group cu_mbarrier cu_corpus cu_runtime12 cu_runtime13 cu_blas12 cu_blas13 cu_blas64 cu_blaslt cu_blas_types cu_rand cu_calls cu_resident cu_symbol cu_graphs cu_matrix cu_sparse cu_cluster)
$(B)/verif/cuda/t_ptx: | $(CU_PROBES) $(CU_ARTS) $(CU_AUDIT) $(B)/verif/opencl/cl_loader
CU_PROBE_LINK = -Wl,--as-needed -L$(B)/lib -l:libcuda.so.1 -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_instructions $(B)/verif/cuda/cu_carries $(B)/verif/cuda/cu_spellings $(B)/verif/cuda/cu_forms $(B)/verif/cuda/cu_graphs $(B)/verif/cuda/cu_matrix $(B)/verif/cuda/cu_sparse $(B)/verif/cuda/cu_resident $(B)/verif/cuda/cu_group $(B)/verif/cuda/cu_cluster $(B)/verif/cuda/cu_mbarrier: $(B)/verif/cuda/%: verif/cuda/%.c $(CU_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -Iverif -o $@ $< $(CU_PROBE_LINK)
$(B)/verif/opencl/cl_loader: verif/opencl/cl_loader.c $(CU_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -Iverif -o $@ $< $(CU_PROBE_LINK) -ldl
CU_CORPUS := $(wildcard verif/cuda/corpus/*.cu)
$(B)/verif/cuda/cu_corpus: verif/cuda/cu_corpus.cpp verif/cuda/corpus/corpus.h $(CU_CORPUS) $(CU_LIB) | $(B)/verif/cuda/corpus/all
	@mkdir -p $(@D) $(CU_GEN)
	@for f in $(CU_CORPUS); do echo "#include \"$$f\""; done > $(CU_GEN)/cu_corpus_list.h
	$(Q)$(CXX) -std=c++17 -O1 -w -Wno-psabi -I. -I$(CU_GEN) -o $@ $< $(CU_PROBE_LINK)
$(B)/verif/cuda/cu_blas_types: verif/cuda/cu_blas_types.c $(B)/lib/libcudart.so.13 $(B)/lib/libcublas.so.13
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -L$(B)/lib -l:libcublas.so.13 -l:libcudart.so.13 -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_blas%: verif/cuda/cu_blas.c $(B)/lib/libcudart.so.% $(B)/lib/libcublas.so.%
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -L$(B)/lib -l:libcublas.so.$* -l:libcudart.so.$* -lm -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_blas64: verif/cuda/cu_blas.c $(B)/lib/libcudart.so.13 $(B)/lib/libcublas.so.13
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -DWITH_64 -o $@ $< -L$(B)/lib -l:libcublas.so.13 -l:libcudart.so.13 -lm -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_blaslt: verif/cuda/cu_blaslt.c $(B)/lib/libcudart.so.13 $(B)/lib/libcublasLt.so.13
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -L$(B)/lib -l:libcublasLt.so.13 -l:libcudart.so.13 -lm -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_rand: verif/cuda/cu_rand.c $(B)/lib/libcudart.so.13 $(CU_RAND)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -L$(B)/lib -l:libcurand.so.10 -l:libcudart.so.13 -lm -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_symbol: verif/cuda/cu_symbol.c $(CU_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -ldl
$(B)/verif/cuda/cu_calls: verif/cuda/cu_calls.c $(B)/lib/libnvJitLink.so.13
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -Iverif -o $@ $< -L$(B)/lib -l:libnvJitLink.so.13 -l:libcuda.so.1 -Wl,--allow-shlib-undefined
$(B)/verif/cuda/cu_runtime%: verif/cuda/cu_runtime.c $(B)/lib/libcudart.so.%
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN),$(CFLAGS)) -o $@ $< -L$(B)/lib -l:libcudart.so.$* -Wl,--allow-shlib-undefined
endif
