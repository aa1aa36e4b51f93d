# SPDX-License-Identifier: Apache-2.0
# Machine code of GPU programs.  Reading it needs libelf; without it, byway is built without.
ifeq ($(shell pkg-config --exists libelf 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_LIBELF $(shell pkg-config --cflags libelf)
LDLIBS += $(shell pkg-config --libs libelf)
endif

# Tests of it.
MC_SRC := $(wildcard cmodel/capture/machine/*.c) cmodel/capture/byw_cl_command.c
MC_OBJ := $(MC_SRC:%.c=$(B)/%.o)
MC_TESTS := $(patsubst %.c,$(B)/%,$(wildcard verif/machine/t_*.c))
MC_JUDGE := $(B)/verif/machine/judge
$(MC_TESTS) $(MC_JUDGE): private LDLIBS := $(MC_OBJ) $(B)/libbywsim.a $(B)/libbyway.a $(LDLIBS)
$(MC_TESTS) $(MC_JUDGE): $(MC_OBJ)
$(MC_TESTS): | $(MC_JUDGE)
$(MC_JUDGE): | $(B)/verif/cuda/corpus/all
