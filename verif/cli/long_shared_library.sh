#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_shared_library.sh - libbyway.so.N has its soname, exports the functions of byway.h and nothing else, and runs a
# program that includes byway.h alone, as installed with its pkg-config file.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
export B
[[ ${MAKEFLAGS-} != *fsanitize* ]] || skip_all "a build with sanitizers, whose library needs theirs; make test-all runs it"
tap_folder log
make -s B="$B" library >"$dir/log" 2>&1
result $? "the library builds"
abi=$(sed -n 's/^#define BYWAY_ABI //p' cmodel/model/top/byway.h)
lib=$B/libbyway.so.$abi
readelf -d "$lib" | grep -q "SONAME.*\[libbyway.so.$abi\]"
result $? "its soname has the number of the interface"
diff <(nm -D --defined-only "$lib" | awk '{ print $3 }' | sort) \
    <(grep -oE '\bbyway_l1_[a-z]+\(' cmodel/model/top/byway.h | tr -d '(' | sort -u) >"$dir/log"
result $? "it exports the functions of byway.h and nothing else"
DESTDIR=$dir/dest PREFIX=/opt cmodel/cli/install.sh install >"$dir/log" 2>&1
result $? "it is installed"
cat >"$dir/use.c" <<'END'
#include <stdio.h>

#include <byway.h>

int main(void)
{
    struct byway_l1 *l1 = byway_l1_create("SETS=4 LINE_BYTES=32 INDEX=0");

    printf("%d %s\n", byway_l1_width(l1, byway_l1_port("rsp_data_o")), byway_l1_error(l1));
    byway_l1_free(l1);
    return 0;
}
END
if ! command -v pkg-config >/dev/null; then
    skip_check "a program links with it" "no pkg-config; apt-get install pkg-config"
    finish
fi
flags=$(PKG_CONFIG_PATH=$dir/dest/opt/lib/pkgconfig pkg-config --cflags --libs byway-l1) &&
    ${CC:-gcc} -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$dir/use" "$dir/use.c" $flags >"$dir/log" 2>&1 &&
    [ "$(LD_LIBRARY_PATH=$dir/dest/opt/lib "$dir/use")" = "256 " ] && readelf -d "$dir/use" | grep -q "NEEDED.*libbyway.so.$abi"
result $? "a program that includes byway.h alone runs with the installed library"
finish
