# SPDX-License-Identifier: Apache-2.0
# Merging results into a database needs libsqlite3; without it the table is a CSV file only.
ifeq ($(shell pkg-config --exists sqlite3 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_SQLITE3 $(shell pkg-config --cflags sqlite3)
LDLIBS += $(shell pkg-config --libs sqlite3)
endif

sweep-soak: $(B)/byway ## kill a sweep at 50 random moments; the resumed database must equal an undisturbed one
	@B=$(B) KILLS=50 verif/run/run.sh verif/cli/t_sweep.sh
.PHONY: sweep-soak

reproduce: deps-run ## redo the papers' claims and figures: verdicts, build/reproduce/index.html; resumes
	@$(AGAIN) $(B)/byway
	@$(B)/byway reproduce all --dir $(B)/reproduce -j $(JOBS)
.PHONY: reproduce
