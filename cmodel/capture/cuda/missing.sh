#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# missing.sh NAMES CODE C ALIASES OBJECT... - writes what a library needs in order to export all
# names of the list NAMES: in C a function for each name that no OBJECT defines, which says so once
# and returns CODE; in ALIASES options for the linker that make a variant of a function (for
# per-thread default streams, or of an older version with the same arguments) an alias of the
# function.
set -eu
names=$1 code=$2 c=$3 aliases=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -g --defined-only "$@" | awk 'NF == 3 && $2 != "U" { print $3 }' | LC_ALL=C sort -u >"$work/have"
grep -v '^#' "$names" | tr ' ' '\n' | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$work/have" |
    awk -v have="$work/have" -v aliases="$work/aliases" -v code="$code" '
    # Versions 1 and 2 of these have the same arguments; those of other functions differ in the size of addresses.
    function same(name) {
        return name ~ /^cu(Ctx(Create|Destroy|PopCurrent|PushCurrent)|(Stream|Event)Destroy|MemHostRegister|Link(Create|AddData|AddFile)|DevicePrimaryCtx(Release|Reset|SetFlags)|GraphicsResourceSetMapFlags|IpcOpenMemHandle)$/
    }
    BEGIN {
        while ((getline line < have) > 0) known[line] = 1
        printf "" > aliases
        print "/* SPDX-License-Identifier: Apache-2.0 */\n/* Written by cmodel/capture/cuda/missing.sh. */"
        print "#include \"capture/cuda/byw_cu.h\"\n"
        print "#define MISSING(call) \\"
        print "    BYW_CU_API int call(void); \\"
        print "    int call(void) \\"
        print "    { \\"
        print "        static bool said; \\"
        print "        if (!said) \\"
        print "            byw_cu_say(#call \" is not supported (cmodel/doc/cuda.md lists what is)\"); \\"
        print "        said = true; \\"
        print "        return " code "; \\"
        print "    }"
    }
    {
        base = $0
        sub(/_pt[ds][sz]$/, "", base)
        if (base ~ /^__nvJitLink.*_1[23]_[0-9]+$/) {
            sub(/^__/, "", base)
            sub(/_1[23]_[0-9]+$/, "", base)
        }
        if (!(base in known) && same(base)) base = base "_v2"
        if (base in known) print "-Wl,--defsym=" $0 "=" base >> aliases
        else print "MISSING(" $0 ")"
    }' >"$work/c"
cp "$work/c" "$c"
cp "$work/aliases" "$aliases"
