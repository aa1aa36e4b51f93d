# SPDX-License-Identifier: Apache-2.0
# byway: see `make help`.  Everything that is built goes to build/.

B      ?= build
CC     ?= gcc
OPT    ?= -O3
SAN    ?=
JOBS   ?= $(shell nproc)
TEST_JOBS = $(shell expr $(JOBS) + 1)# tests wait for files and for each other's processes
PREFIX ?= /usr/local
# Warnings are errors with WERROR=1 (also from the environment), for developers; a user's compiler
# may have warnings that ours does not have. Instrumented code causes false warnings, so they are
# never errors there.
WERROR ?=
WARN   := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
          -Wmissing-prototypes $(if $(SAN),,$(if $(WERROR),-Werror))
# The code often counts the bits of sets of lanes and ways, for which x86-64 processors since 2008
# have an instruction.
COUNT  := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),-mpopcnt)
CFLAGS := $(OPT) -g $(COUNT) $(SAN) $(WARN) -Icmodel -Icmodel/model -I$(B)/gen
LDLIBS := -ljansson -lzstd -lxxhash -lm -pthread -lstdc++
MODEL_DIRS := common record l1d policy comparator l2 registry top
SIM_DIRS   := sim trace study
MODEL_SRC  := $(foreach d,$(MODEL_DIRS),$(wildcard cmodel/model/$(d)/*.c))
SIM_SRC    := $(foreach d,$(SIM_DIRS),$(wildcard cmodel/$(d)/*.c cmodel/$(d)/*/*.c))
# The command starts captured programs; the runtime they load is built by capture.mk.
CLI_SRC    := $(wildcard cmodel/cli/*.c) $(wildcard cmodel/capture/*.c cmodel/capture/machine/*.c)
TEST_SRC   := $(wildcard verif/*/t_*.c)
TEST_SH    := $(wildcard verif/*/t_*.sh)
TEST_LONG_SH := $(wildcard verif/*/long_*.sh)
# A test's own code runs for milliseconds and would take ten times as long to compile with -O3; the
# code under test is optimized.
TEST_OPT   := $(if $(SAN),,-O0)
# Processor seconds of `make test` from a fresh clone, as measured in minimal_root.sh.
TEST_CPU   := 1200
MODEL_OBJ  := $(MODEL_SRC:%.c=$(B)/%.o)
SIM_OBJ    := $(SIM_SRC:%.c=$(B)/%.o)
CLI_OBJ    := $(CLI_SRC:%.c=$(B)/%.o)
# The units often call functions of other files, so the command and the benchmark are linked from
# separate objects with inlining across files, which makes them a tenth faster; sanitizer builds use
# the libraries.
LTO        := $(if $(SAN),,-flto=auto)
FAST_OBJ   := $(if $(SAN),$(B)/libbywsim.a $(B)/libbyway.a,$(patsubst %.c,$(B)/fast/%.o,$(SIM_SRC) $(MODEL_SRC)))
TESTS      := $(TEST_SRC:%.c=$(B)/%)

# Vectorizing loops over a few warps, units or ways gains nothing, and the code takes space in the
# host's instruction cache; records of sets have up to 64 ways.
$(patsubst %,$(B)/fast/cmodel/%/%.o,sim model/l1d model/policy model/top): CFLAGS += -fno-tree-vectorize

# The recipes below start make again after `deps`, so that it finds newly installed packages; with
# as many jobs as there are processors unless the caller chose a number.
AGAIN = $(MAKE) --no-print-directory $(if $(filter-out -j,$(filter -j%,$(MAKEFLAGS))),,-j$(JOBS))
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: lint-objects mechanisms all run test test-all check tests asan tsan figures lint format deps deps-run deps-test deps-all deps-cuda \
        install uninstall dist deb wheel clean help fuzz bench bench-sampling waveforms diagrams jobs-soak jobs-soak-short jobs-soak-sample damage-soak
.DEFAULT_GOAL := all

# A second rule for `all`, after the includes below, adds the capture libraries where clang, LLVM
# and libclc are installed.
all: $(B)/byway ## build the `byway` command and, where clang, LLVM and libclc are, what captures need

run: deps-run ## compare the policies on the shipped traces: table, build/report/index.html
	@$(AGAIN) $(B)/byway
	@mkdir -p $(B)/report
	@$(B)/byway compare --machine fermi --policies bl,ball,decoupled,decoupled_duel --workloads all \
	  -j $(JOBS) --json $(B)/report/compare.json --html $(B)/report/index.html

# The tests find the commands of the packages in .ci/packages.tsv and no others, so that a command
# missing on a fresh machine is missing here, too.
FRESH = PATH="$$(.ci/path.sh $(1) $(B)/path)"
test: deps-test ## build and run every fast check; last line "N passed, N failed, N skipped"
	@echo "make test: about $(shell expr $(TEST_CPU) / 60 / $(JOBS) + 1) minutes on $(JOBS) processors" >&2
	@$(call FRESH,test) $(AGAIN) check

test-all: deps-all ## the same, and checks that take longer or need Chromium, Slurm or another OpenCL; run it before a merge
	@$(call FRESH,all) BYWAY_TESTS=all TEST_SECONDS=3600 $(AGAIN) check TEST_LONG="$(TEST_LONG_SH)"

check: all $(TESTS) cosim-ahead ## run the same checks without looking for missing packages
	@B=$(B) verif/run/run.sh -j $(TEST_JOBS) $(TEST_LONG) $(TEST_SH) $(TESTS) # the long ones first

tests: $(TESTS) ## build the test programs

asan: deps-test ## the same checks built with the address, leak and undefined-behaviour sanitizers
	@ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  $(AGAIN) B=$(B)/asan OPT=-O1 SAN="$(SAN_FLAGS)" check

tsan: deps-test ## threads of one simulation under the thread sanitizer
	@$(AGAIN) B=$(B)/tsan OPT=-O1 SAN=-fsanitize=thread $(B)/tsan/verif/sim/t_threads
	@$(B)/tsan/verif/sim/t_threads

# Every verif/*/fuzz_*.c, FUZZ_SECONDS each; needs clang with libFuzzer.
FUZZ_SRC     := $(wildcard verif/*/fuzz_*.c)
FUZZERS      := $(FUZZ_SRC:%.c=$(B)/%)
FUZZ_SECONDS ?= 60
FUZZ_CC      ?= clang
fuzz: $(FUZZERS) ## hostile input from libFuzzer for FUZZ_SECONDS (default 60) per target
	@for f in $(FUZZERS); do mkdir -p $$f.corpus && \
	  $$f -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 -artifact_prefix=$$f. \
	  $$f.corpus || exit 1; done
FUZZ_CUDA    := $(patsubst %,cmodel/capture/machine/%.c,byw_cubin byw_decode byw_line_table byw_numbering byw_ptx_lex) \
  $(patsubst %,cmodel/capture/cuda/%.c,byw_ptx_reader byw_ptx_scope byw_ptx_code byw_ptx_declare byw_ptx_parse byw_cu_fatbin)
$(FUZZERS): $(B)/%: %.c $(MODEL_SRC) $(SIM_SRC) $(FUZZ_CUDA)
	@mkdir -p $(@D)
	$(call SAY,fuzz)
	$(Q)$(FUZZ_CC) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -std=c11 \
	  -D_GNU_SOURCE $(filter -DHAVE%,$(CFLAGS)) -Icmodel -Icmodel/model -Iverif -o $@ $< \
	  $(filter cmodel/model/common/%.c cmodel/trace/%.c cmodel/study/correlate/byw_gpu_%.c $(FUZZ_CUDA),$^) $(LDLIBS) $(CU_LZ4)

bench: $(B)/verif/bench/reference $(B)/verif/bench/probes ## against the recorded Accel-Sim runs (BYWAY_REFERENCE names their folder)
	@BYWAY_REFERENCE=$$(verif/common/recorded.sh) $<; status=$$?; for t in probes keys; do $(B)/verif/bench/probes verif/bench/$$t.tsv || status=1; done; exit $$status

bench-sampling: $(B)/byway ## time saved by byway run --sample 64 on TRACES/*.bwt, and its errors (KEEP=DIR: resumes)
	@B=$(B) verif/bench/sampling.sh "$(TRACES)"

jobs-soak: $(B)/byway ## byway run with -j 1 to 8 gives the same for every trace, machine and policy (days; resumes)
	@B=$(B) verif/sim/jobs_soak.sh
jobs-soak-short: $(B)/byway ## the same with runs of up to 20,000 cycles; each pass has every trace, machine and policy (hours)
	@B=$(B) verif/sim/jobs_soak.sh -c 20000
jobs-soak-sample: $(B)/byway ## every 499th of these cases, with all machines, policies, traces and numbers of threads (half an hour)
	@B=$(B) verif/sim/jobs_soak.sh -s 499
damage-soak: $(B)/byway $(B)/verif/sim/t_damaged_traces ## byway run on DAMAGE_CASES (default 5000) damaged traces, from seed DAMAGE_SEED (default 2)
	@BYWAY=$(B)/byway $(B)/verif/sim/t_damaged_traces $(or $(DAMAGE_SEED),2) $(or $(DAMAGE_CASES),5000)
figures: $(B)/verif/sim/t_figures ## rewrite verif/sim/figures.tsv, the results of the shipped traces that make test compares exactly
	@BYWAY_FIGURES=write $<

lint: lint-objects ## format, licence lines, file sizes, layers, cycles of files, forbidden words
	@B=$(B) .ci/lint.sh

mechanisms: ## where each bypass mechanism's page, key, code, RTL, tests and policies are
	@.ci/mechanisms.sh

format: ## rewrite all C and JavaScript sources with clang-format
	@git ls-files '*.c' '*.h' '*.js' | xargs clang-format -i

waveforms: ## redraw rtl/doc/waves/*.svg from their WaveDrom sources (node, npm registry)
	@B=$(B) .ci/pictures.sh waveforms
diagrams: ## redraw rtl/doc/diagrams/*.svg from their Graphviz sources
	@.ci/pictures.sh diagrams

deps: ## install packages that run and test lack (apt), or print the command that does
	@.ci/deps.sh test && echo "all packages for make run and make test are installed"
deps-run: ## the same for `make run` alone
	@.ci/deps.sh run
deps-test: ## the same for `make test`
	@.ci/deps.sh test
deps-all: ## install the optional tools too: trace capture, cross-checks, page test
	@.ci/deps.sh all

deps-cuda: ## get nvcc, ptxas, nvdisasm and their headers into build/cuda, from wheels, without root
	@.ci/cuda.sh $(B)/cuda

DIST := byway-$(shell sed -n 's/^.define BYW_VERSION "\(.*\)"/\1/p' cmodel/model/common/byw_version.h)
dist: ## the sources of the last commit as build/byway-VERSION.tar.gz, the same bytes each time
	@mkdir -p $(B)
	@git diff --quiet HEAD || echo "make dist: changes that are not committed are left out" >&2
	@git archive --format=tar --prefix=$(DIST)/ HEAD | gzip -9n >$(B)/$(DIST).tar.gz
	@cd $(B) && sha256sum $(DIST).tar.gz

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile $(wildcard cmodel/*/*.mk cmodel/*/*/*.mk verif/*/*.mk synth/*.mk fpga/*.mk) | \
	  awk -F'|' '{ printf "make %-18s %s\n", $$1, $$2 }'

# V=1 shows the commands, -s nothing.
Q   := $(if $(V),,@)
SAY  = @$(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),true,echo "  $(1) $@")

$(B)/byway: $(CLI_OBJ) $(FAST_OBJ)
	$(call SAY,link)
	$(Q)$(CC) $(SAN) $(OPT) $(COUNT) $(LTO) -w -o $@ $^ $(CLI_LIBS) $(LDLIBS)
	@ln -sf byway $@-nvcc # byway nvcc in one word
	@ln -sf byway $@-ptxas
$(B)/fast/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,cc  )
	$(Q)$(CC) $(CFLAGS) $(LTO) -MMD -MP -c $< -o $@
$(B)/verif/bench/reference $(B)/verif/bench/probes: $(B)/verif/bench/%: verif/bench/%.c $(FAST_OBJ)
	@mkdir -p $(@D)
	$(call SAY,link)
	$(Q)$(CC) $(CFLAGS) $(LTO) -w -MMD -MP -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
$(B)/libbyway.a: $(MODEL_OBJ)
	@rm -f $@; ar rcs $@ $^
$(B)/libbywsim.a: $(SIM_OBJ)
	@rm -f $@; ar rcs $@ $^
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,cc  )
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/verif/%: verif/%.c $(B)/libbywsim.a $(B)/libbyway.a
	@mkdir -p $(@D)
	$(call SAY,test)
	$(Q)$(CC) $(CFLAGS) $(TEST_OPT) -Iverif -MMD -MP -o $@ $< $(B)/libbywsim.a $(B)/libbyway.a -lcmocka $(LDLIBS)

# Identifies the code in results: the commit, and a checksum of the sources that determine them.
RESULT_SRC := $(foreach d,$(MODEL_DIRS:%=model/%) sim sim/* trace trace/* configs,$(wildcard cmodel/$(d)/*.[ch] cmodel/$(d)/*.def)) \
  $(foreach f,job search setup energy counters result_json oracle,$(wildcard cmodel/study/*/byw_$(f).*))
$(B)/gen/byw_commit.h: FORCE
	@.ci/build_id.sh commit $@
$(B)/gen/byw_sources.h: FORCE
	@.ci/build_id.sh sources $@ $(RESULT_SRC)
$(B)/cmodel/cli/byw_cli.o: $(B)/gen/byw_commit.h
$(B)/cmodel/study/job/byw_provenance.o $(B)/fast/cmodel/study/job/byw_provenance.o: $(B)/gen/byw_sources.h
.PHONY: FORCE

-include $(wildcard cmodel/*/*.mk cmodel/*/*/*.mk)
-include verif/cosim/cosim.mk synth/synth.mk fpga/fpga.mk
-include verif/rtl_loop/rtl_loop.mk verif/silicon/silicon.mk

# Code that uses an optional library is compiled again once the library is installed.
$(B)/gen/have: FORCE
	@mkdir -p $(@D)
	@echo "$(filter -DHAVE%,$(CFLAGS))" | cmp -s - $@ || echo "$(filter -DHAVE%,$(CFLAGS))" >$@
OPTIONAL := cmodel/capture/cuda/byw_cu_fatbin.c cmodel/cli/byw_cmd_doctor.c cmodel/trace/byw_source.c cmodel/study/store/byw_merge_sqlite.c cmodel/capture/machine/byw_cubin.c # sources that use HAVE_LZMA, HAVE_SQLITE3, HAVE_LIBELF or HAVE_LZ4
$(foreach d,$(B) $(B)/fast $(B)/pic,$(OPTIONAL:%.c=$(d)/%.o)): $(B)/gen/have

# What a target needs beyond the packages of `make test`, as TARGET:COMMAND:PACKAGE; checked before
# anything is built.
NEEDS := softgpu-netlist:yosys:yosys $(foreach t,cosim soak cosim-build rtl-sim rtl-sim-check-all rtl-lint rtl-lint-sets mutate bench-rtl figures-rtl,\
           $(t):verilator:verilator) \
         $(foreach t,rtl-lint rtl-lint-sets rtl-smoke,$(t):iverilog:iverilog) \
         $(foreach t,fpga fpga-sim softgpu softgpu-large softgpu-faults softgpu-netlist,$(t):verilator:verilator) \
         $(foreach t,rtl-lint rtl-lint-sets synth synth-baseline area-check synth-liberty formal formal-l1d,$(t):yosys:yosys) \
         $(foreach t,formal formal-l1d,$(t):z3:z3) \
         $(foreach t,mutate mutate-faults,$(t):patch:patch) \
         waveforms:npm:npm deb:dh:debhelper wheel:python3:python3 diagrams:dot:graphviz fuzz:$(FUZZ_CC):clang format:clang-format:clang-format
need   = $(if $(shell command -v $(2)),,$(error make $(1) needs $(2): apt-get install $(3)))
$(foreach n,$(filter $(addsuffix :%,$(MAKECMDGOALS)),$(NEEDS)),$(call need,$(word 1,$(subst :, ,$n)),$(word 2,$(subst :, ,$n)),$(word 3,$(subst :, ,$n))))

# After the includes, which determine whether the capture runtime can be built.
all: $(if $(OCL_READY),opencl cuda)
install: all $(B)/libbyway.a $(LIB_SO) ## command, capture runtime, RTL, model and headers below PREFIX (and DESTDIR)
	@B=$(B) DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" cmodel/cli/install.sh install
uninstall: ## remove exactly what `make install` put below PREFIX
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" cmodel/cli/install.sh uninstall

deb: all $(B)/libbyway.a $(LIB_SO) ## Debian packages of the built tree in build/deb: byway, libbyway1, libbyway-dev, byway-doc
	@rm -rf $(B)/deb && mkdir -p $(B)/deb/src && cp -R debian $(B)/deb/src/
	@cd $(B)/deb/src && TREE=$(CURDIR) BUILT=$(abspath $(B)) dpkg-buildpackage -b -us -uc -d >../log 2>&1 || { tail -n 20 ../log; exit 1; }
	@rm -rf $(B)/deb/src && ls $(B)/deb/*.deb

wheel: all $(B)/libbyway.a $(LIB_SO) ## a Python wheel of the built tree in build/wheel: the command, and a reader of results
	@rm -rf $(B)/wheel && mkdir -p $(B)/wheel/dest
	@B=$(B) DESTDIR=$(abspath $(B))/wheel/dest PREFIX=/usr cmodel/cli/install.sh install
	@python3 python/wheel.py $(B)/wheel/dest/usr $(B)/wheel && rm -rf $(B)/wheel/dest

# lint reads the objects' symbols to find layers that call upwards and files that need each other.
lint-objects: $(MODEL_OBJ) $(SIM_OBJ) $(CLI_OBJ) $(if $(OCL_READY),$(OCL_LIB) $(CU_LIB) $(CU_LIBRARY_OBJ)) ## compile the objects whose symbols lint reads

-include $(shell find $(B) -type f -name '*.d' -not -name '*__ver.d' 2>/dev/null)
