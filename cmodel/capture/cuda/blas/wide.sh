#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# wide.sh LIST - writes the calls of cuBLAS with 64-bit sizes in C, for the list wide.txt: each calls
# the one with 32-bit sizes, and refuses sizes that do not fit.
set -eu
cat <<'END'
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by cmodel/capture/cuda/blas/wide.sh. */
#include <stdint.h>

#include "capture/cuda/blas/byw_cublas_host.h"

static bool fits(int64_t size)
{
    return size >= INT32_MIN && size <= INT32_MAX;
}
END
grep -v '^#' "$1" | awk '
BEGIN {
    type["p"] = "void *"; type["e"] = "int "; type["n"] = "int64_t "; type["s"] = "long long "; type["r"] = "int64_t *"
}
{
    for (f = 2; f <= NF; f++) {
        wide = narrow = args = test = tail = ""
        for (i = 1; i <= length($1); i++) {
            kind = substr($1, i, 1)
            comma = i == 1 ? "" : ", "
            wide = wide comma type[kind] "a" i
            narrow = narrow comma (kind == "n" ? "int" : kind == "r" ? "int *" : type[kind])
            args = args comma (kind == "n" ? "(int)a" i : kind == "r" ? "&found" : "a" i)
            if (kind == "n") test = test (test == "" ? "" : " && ") "fits(a" i ")"
            if (kind == "r") tail = "a" i
        }
        name = "cublas" $f
        printf "\nextern int %s(%s);\nBYW_CU_API int %s_64(%s);\nint %s_64(%s)\n{\n", name, narrow, name, wide, name, wide
        if (tail != "") printf "    int found = 0, status;\n\n"
        printf "    if (!(%s))\n        return byw_blas_missing(\"%s_64\", \"sizes above 2147483647\");\n", test, name
        if (tail == "") printf "    return %s(%s);\n", name, args
        else printf "    status = %s(%s);\n    *%s = found;\n    return status;\n", name, args, tail
        print "}"
    }
}'
