# SPDX-License-Identifier: Apache-2.0 Machine code of GPU programs.  Reading it needs libelf;
# without libelf, byway cannot read it.
ifeq ($(shell pkg-config --exists libelf 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_LIBELF $(shell pkg-config --cflags libelf)
LDLIBS += $(shell pkg-config --libs libelf)
endif

# Tests of reading machine code.  The library is an archive, so that only what they need is linked.
MC_LIB := $(B)/libbywmachine.a
MC_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard cmodel/capture/machine/*.c cmodel/capture/*.c))
MC_TESTS := $(patsubst %.c,$(B)/%,$(wildcard verif/machine/t_*.c))
MC_JUDGE := $(B)/verif/machine/judge
$(MC_LIB): $(MC_OBJ)
	@rm -f $@; ar rcs $@ $^
$(MC_TESTS) $(MC_JUDGE): private LDLIBS := $(MC_LIB) $(B)/libbywsim.a $(B)/libbyway.a $(LDLIBS)
$(MC_TESTS) $(MC_JUDGE): $(MC_LIB)
$(MC_TESTS): | $(MC_JUDGE)
$(MC_JUDGE): | $(B)/verif/cuda/corpus/all
