# SPDX-License-Identifier: Apache-2.0
# Merging results into a database needs libsqlite3; without it the table is a CSV file only.
ifeq ($(shell pkg-config --exists sqlite3 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_SQLITE3 $(shell pkg-config --cflags sqlite3)
LDLIBS += $(shell pkg-config --libs sqlite3)
endif

# Scripts and style of pages as lists of C strings that end with NULL.
PAGE_SRC := $(wildcard cmodel/study/page/*.js) $(B)/gen/byw_palette.css $(wildcard cmodel/study/page/*.css)
PALETTE := cmodel/study/page/byw_palette.def
# The palette as custom properties: of the light theme, --light-NAME for files, of the dark one.
$(B)/gen/byw_palette.css: $(PALETTE) cmodel/study/study.mk
	@mkdir -p $(@D)
	@{ echo ':root{color-scheme:light dark;'; \
	  sed -n 's/^COLOUR(\([a-z]*\), "\(#[0-9a-f]*\)".*/--\1:\2;--light-\1:\2;/p; s/^SERIES(\(q[0-7]\), "\(.*\)")$$/--\1:\2;/p' $<; \
	  echo '}'; echo '@media(prefers-color-scheme:dark){:root{'; \
	  sed -n 's/^COLOUR(\([a-z]*\), ".*", "\(.*\)")$$/--\1:\2;/p' $<; echo '}}'; } >$@
$(B)/gen/byw_page_text.h: $(PAGE_SRC) cmodel/study/study.mk
	@mkdir -p $(@D)
	@for f in $(PAGE_SRC); do n=$$(basename $$f | tr . _); \
	  echo "__attribute__((unused)) static const char *const $$n[] = {"; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' $$f; echo 'NULL};'; done >$@
$(foreach o,study/page/byw_page study/page/byw_report_page sim/observe/byw_scope,$(B)/cmodel/$(o).o $(B)/fast/cmodel/$(o).o): $(B)/gen/byw_page_text.h

# The papers' claims and figures as lists of lines, each list with the name of its file.
CLAIMS := $(sort $(wildcard cmodel/study/papers/*.claims))
$(B)/gen/byw_papers_text.h: $(CLAIMS) cmodel/study/study.mk
	@mkdir -p $(@D)
	@{ for f in $(CLAIMS); do echo "static const char *const claims_$$(basename $$f .claims)[] = {"; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' $$f; echo 'NULL};'; done; \
	  echo 'static const struct { const char *name; const char *const *line; } shipped[] = {'; \
	  for f in $(CLAIMS); do n=$$(basename $$f .claims); echo "{\"$$n.claims\", claims_$$n},"; done; echo '};'; } >$@
$(foreach d,cmodel fast/cmodel pic/cmodel,$(B)/$(d)/study/papers/byw_papers.o): $(B)/gen/byw_papers_text.h

sweep-soak: $(B)/byway ## kill a sweep at 50 random moments; the resumed database must equal an undisturbed one
	@B=$(B) KILLS=50 verif/run/run.sh verif/cli/t_sweep.sh
.PHONY: sweep-soak

reproduce: deps-run ## redo the papers' claims and figures: verdicts, build/reproduce/index.html; resumes
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce all --set l1d.index=linear --dir $(B)/reproduce -j $(JOBS)
.PHONY: reproduce

# Verdicts with larger inputs, shown in the gallery next to those of the shipped traces.
RESULTS := cmodel/doc/results
BUDGET ?= 720
gallery-small: deps-run opencl workloads ## all of it with inputs of size small (an hour): cmodel/doc/results/small.json, small/; resumes
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce all --size small --dir $(B)/reproduce-small -j $(JOBS) --markdown $(RESULTS)/small
	@$(B)/byway reproduce all --claims --size small --dir $(B)/reproduce-small -j $(JOBS) --json $(RESULTS)/small.json
	@.ci/json_lines.py $(RESULTS)/small.json
gallery-paper: deps-run opencl workloads ## claims of papers 000 and 001 at size paper, as far as BUDGET minutes reach: paper.json, paper.md; resumes
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce 000,001 --claims --size paper --dir $(B)/reproduce-paper -j $(JOBS) --patience 10 --budget $(BUDGET) \
	  --json $(RESULTS)/paper.json --markdown $(B)/paper
	@cp $(B)/paper/README.md $(RESULTS)/paper.md
	@.ci/json_lines.py $(RESULTS)/paper.json
.PHONY: gallery-small gallery-paper

verdicts: deps-run ## claims by both set indices; REPEAT (3) runs each, TRACES=DIR: cmodel/doc/results/verdicts.md; resumes
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce all --claims --repeat $(or $(REPEAT),3) --set l1d.index=fold --dir $(B)/verdicts -j $(JOBS) --json $(B)/hashed.json
	@$(B)/byway reproduce all --claims --repeat $(or $(REPEAT),3) --set l1d.index=linear --dir $(B)/verdicts -j $(JOBS) --markdown $(B)/verdicts/md \
	  --json $(B)/linear.json --beside $(B)/hashed.json --beside $(RESULTS)/small.json --beside $(RESULTS)/paper.json
	@sed -e '1s/.*/# Verdicts/' -e '3s/`byway reproduce[^`]*`/`make verdicts`/' \
	  -e '/^Inputs:/a*here*: the papers'"'"' machines with the linear set index (`--set l1d.index=linear`), runs with noise; *l1d.index=fold*: the same with hashed sets; *small*,\n*paper*: larger inputs, one run of each kind without noise.' \
	  $(B)/verdicts/md/README.md >$(RESULTS)/verdicts.md
	@[ -z "$(TRACES)" ] || .ci/verdicts.sh $(B) "$(TRACES)" $(or $(REPEAT),3) $(JOBS)
.PHONY: verdicts

gallery: deps-run ## tables and pictures of README, results and pages; the papers redone as Markdown and SVG (cmodel/doc/results)
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce all --set l1d.index=linear --dir $(B)/reproduce -j $(JOBS) --markdown $(B)/gallery.md
	@.ci/figures.sh $(B)/gallery.md $(RESULTS)
	@.ci/gallery.sh $(B)/byway $(B)/gallery
.PHONY: gallery

# Tables of counters of a real GPU; verif/silicon measures them.
TABLES  ?= $(wildcard $(or $(BYWAY_SILICON),$(shell verif/common/recorded.sh)/silicon)/opencl_*.csv)
MACHINE ?= h200
silicon: deps-run opencl workloads ## hold MACHINE against counters of a real GPU (TABLES="a.csv ..."): build/silicon/index.html; resumes
	@[ -n "$(TABLES)" ] || { echo "no table of counters; TABLES=\"a.csv b.csv\" names some, verif/silicon/measure.sh measures one" >&2; exit 1; }
	@$(AGAIN) $(B)/byway
	@mkdir -p $(B)/silicon
	@$(B)/byway correlate $(TABLES) -m $(MACHINE) -d $(B)/silicon -j $(JOBS) -o $(B)/silicon/correlate.json \
	  --markdown $(B)/silicon/figures.md --html $(B)/silicon/index.html
.PHONY: silicon

today: deps-run ## does bypassing still pay: fermi, v100, h200 next to a real H200 (cmodel/doc/results/today.md); resumes
	@$(AGAIN) $(B)/byway
	@JOBS=$(JOBS) .ci/today.sh $(abspath $(B))/byway $(B)/today >$(B)/today.md && mv $(B)/today.md $(RESULTS)/today.md
.PHONY: today

models: deps-run opencl cuda workloads silicon-lib ## what the L1 does for machine-learning kernels on h200 (cmodel/doc/results/models.md); resumes
	@$(AGAIN) $(B)/byway
	@B=$(B) JOBS=$(JOBS) .ci/models.sh $(B)/models >$(B)/models.md && mv $(B)/models.md $(RESULTS)/models.md
.PHONY: models

sensitivity: deps-run ## what choices that no paper states do to the class means: build/sensitivity.md (REPEAT, SETS, CHOICES); resumes
	@$(AGAIN) $(B)/byway
	@JOBS=$(JOBS) .ci/sensitivity.sh $(abspath $(B))/byway $(B)/sensitivity >$(B)/sensitivity.new && mv $(B)/sensitivity.new $(B)/sensitivity.md
	@cat $(B)/sensitivity.md
.PHONY: sensitivity

advise-soak: $(B)/byway workloads ## byway advise against every assignment on ten programs, and their patches
	@B=$(B) verif/cli/advise_soak.sh
.PHONY: advise-soak

# The stored synthesis results as BYW_SYNTH(name, flow, LUTs, registers); bits: in registers, in memories.
SYNTH_KEPT := $(wildcard synth/baseline/*.txt)
$(B)/gen/byw_synth_baseline.h: $(SYNTH_KEPT) cmodel/study/study.mk
	@mkdir -p $(@D)
	@awk '!/^#/ && NF == 8 { bits = $$2 == "bits"; printf "BYW_SYNTH(\"%s\", \"%s\", %d, %d)\n", \
	  $$1, $$2, bits ? $$4 : $$3, bits ? $$5 : $$4 }' $(SYNTH_KEPT) >$@
# The larger inputs as BYW_LARGE(workload, options).
$(B)/gen/byw_large.h: cmodel/workloads/large.txt cmodel/study/study.mk
	@mkdir -p $(@D)
	@sed -n 's/^\([a-z0-9_]*\) \(-.*\)$$/BYW_LARGE("\1", "\2")/p' $< >$@
$(foreach d,cmodel fast/cmodel pic/cmodel,$(B)/$(d)/study/papers/byw_reproduce_costs.o): $(B)/gen/byw_synth_baseline.h
$(foreach d,cmodel fast/cmodel pic/cmodel,$(B)/$(d)/cli/byw_inputs.o): $(B)/gen/byw_large.h
