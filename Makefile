# SPDX-License-Identifier: Apache-2.0
# byway: see `make help`.  Everything that is built lies under build/.

B      ?= build
CC     ?= gcc
OPT    ?= -O3
SAN    ?=
WARN   := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
          -Wmissing-prototypes -Werror
CFLAGS := $(OPT) -g $(SAN) $(WARN) -Icmodel -I$(B)/gen
LDLIBS := -ljansson -lzstd -lxxhash -lm -pthread

MODEL_DIRS := common l1d policy l2 top
SIM_DIRS   := sim comparator trace study
MODEL_SRC  := $(foreach d,$(MODEL_DIRS),$(wildcard cmodel/$(d)/*.c))
SIM_SRC    := $(foreach d,$(SIM_DIRS),$(wildcard cmodel/$(d)/*.c))
CLI_SRC    := $(wildcard cmodel/cli/*.c)
TEST_SRC   := $(wildcard verif/*/t_*.c)
MODEL_OBJ  := $(MODEL_SRC:%.c=$(B)/%.o)
SIM_OBJ    := $(SIM_SRC:%.c=$(B)/%.o)
CLI_OBJ    := $(CLI_SRC:%.c=$(B)/%.o)
TESTS      := $(TEST_SRC:%.c=$(B)/%)

.PHONY: all help clean
all: $(B)/byway

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1: \2/p' $(MAKEFILE_LIST)

clean: ## remove build/
	rm -rf build

$(B)/byway: $(CLI_OBJ) $(B)/libbywsim.a $(B)/libbyway.a
	$(CC) $(SAN) -o $@ $^ $(LDLIBS)
$(B)/libbyway.a: $(MODEL_OBJ)
	@rm -f $@; ar rcs $@ $^
$(B)/libbywsim.a: $(SIM_OBJ)
	@rm -f $@; ar rcs $@ $^
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/verif/%: verif/%.c $(B)/libbywsim.a $(B)/libbyway.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Iverif -MMD -MP -o $@ $< $(B)/libbywsim.a $(B)/libbyway.a -lcmocka $(LDLIBS)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
