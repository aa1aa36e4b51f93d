# SPDX-License-Identifier: Apache-2.0
# Merging results into a database needs libsqlite3; without it the table is a CSV file only.
ifeq ($(shell pkg-config --exists sqlite3 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_SQLITE3 $(shell pkg-config --cflags sqlite3)
LDLIBS += $(shell pkg-config --libs sqlite3)
endif

# Scripts and style of pages as lists of C strings that end with NULL.
PAGE_SRC := $(wildcard cmodel/study/page/*.js cmodel/study/page/*.css)
$(B)/gen/byw_page_text.h: $(PAGE_SRC) cmodel/study/study.mk
	@mkdir -p $(@D)
	@for f in $(PAGE_SRC); do n=$$(basename $$f | tr . _); \
	  echo "__attribute__((unused)) static const char *const $$n[] = {"; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' $$f; echo 'NULL};'; done >$@
$(foreach o,study/byw_page sim/byw_scope,$(B)/cmodel/$(o).o $(B)/fast/cmodel/$(o).o): $(B)/gen/byw_page_text.h

sweep-soak: $(B)/byway ## kill a sweep at 50 random moments; the resumed database must equal an undisturbed one
	@B=$(B) KILLS=50 verif/run/run.sh verif/cli/t_sweep.sh
.PHONY: sweep-soak

reproduce: deps-run ## redo the papers' claims and figures: verdicts, build/reproduce/index.html; resumes
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce all --dir $(B)/reproduce -j $(JOBS)
.PHONY: reproduce

gallery: deps-run ## README's table and pictures of the pages: 18 workloads under the main policies
	@$(AGAIN) $(B)/byway
	@.ci/gallery.sh $(B)/byway $(B)/gallery
.PHONY: gallery

advise-soak: $(B)/byway workloads ## byway advise against every assignment on ten programs, and their patches
	@B=$(B) verif/cli/advise_soak.sh
.PHONY: advise-soak
