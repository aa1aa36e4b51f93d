# SPDX-License-Identifier: Apache-2.0
# Reading .xz traces needs liblzma; without it, byway is built without support for such files.
ifeq ($(shell pkg-config --exists liblzma 2>/dev/null && echo yes),yes)
CFLAGS += -DHAVE_LZMA $(shell pkg-config --cflags liblzma)
LDLIBS += $(shell pkg-config --libs liblzma)
endif
