# SPDX-License-Identifier: Apache-2.0
#
# library.mk - libbyway.so.N: the golden model behind byway.h alone; N is BYWAY_ABI.  Included by the top Makefile.

LIB_ABI := $(shell sed -n 's/^.define BYWAY_ABI //p' cmodel/model/top/byway.h)
LIB_SO  := $(B)/libbyway.so.$(LIB_ABI)

.PHONY: library
library: $(LIB_SO) $(B)/libbyway.a ## the golden model as a library: libbyway.a, and libbyway.so.N with byway.h alone

$(B)/so/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,cc  )
	$(Q)$(CC) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@
$(LIB_SO): $(MODEL_SRC:%.c=$(B)/so/%.o) cmodel/model/byway.map
	$(call SAY,link)
	$(Q)$(CC) $(SAN) -shared -o $@ -Wl,-soname,$(@F) -Wl,--version-script=cmodel/model/byway.map -Wl,-z,defs \
	  $(filter %.o,$^) -lm
