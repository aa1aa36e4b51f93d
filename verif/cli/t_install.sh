#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_install.sh - the installed command runs from anywhere, and is removed to the last file; `make
# help` names every target; a target whose tool is missing names its package. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
export B
dest=$dir/dest
mkdir "$dest" "$dir/lib"
[ -e "$B/libbyway.a" ] || make -s "$B/libbyway.a" >"$dir/out" 2>&1
mkdir -p "$dest/opt/share" # existed before, and must remain
echo other >"$dest/opt/share/other"
find "$dest" | LC_ALL=C sort >"$dir/before"
DESTDIR=$dest PREFIX=/opt cmodel/cli/install.sh install >"$dir/out" 2>"$dir/err"
result $? "install"
byway=$dest/opt/bin/byway
cmp -s "$B/byway" "$byway"
result $? "the installed command is the built one"
share=$dest/opt/share
[ -s "$share/man/man1/byway.1" ] && [ -s "$share/man/man1/byway-run.1" ] && [ -s "$share/zsh/site-functions/_byway" ] &&
    [ -s "$share/fish/vendor_completions.d/byway.fish" ] &&
    bash -n "$share/bash-completion/completions/byway" >"$dir/out" 2>&1
result $? "manual pages and completion"
[ "$(readlink "$dest/opt/bin/byway-nvcc")" = byway ] && [ "$(readlink "$dest/opt/bin/byway-ptxas")" = byway ]
result $? "one binary has three names"
{
    "$byway" --help
    for command in $("$byway" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do "$byway" "$command" --help; done
} 2>/dev/null | grep -oE '(cmodel|rtl|fpga)/[a-zA-Z_/]*\.md' | sort -u >"$dir/pages"
[ "$(wc -l <"$dir/pages")" -ge 4 ] && (cd "$share/doc/byway" && ls LICENSE $(cat "$dir/pages")) >"$dir/out" 2>"$dir/err"
result $? "the licence and every page that help texts name are installed"
for what in "list machines" "list workloads" "run -w nw_nospm --max-cycles 100" \
    "compare -w nw_nospm -p bl --set sm.count=1 --json -"; do
    succeeds "byway $what" $what
done
diff -r cmodel/configs "$dest/opt/share/byway/configs" | grep -v 'Only in cmodel.*\.def$' >"$dir/out"
[ ! -s "$dir/out" ] && diff -r cmodel/traces "$dest/opt/share/byway/traces" >"$dir/out"
result $? "every configuration and trace is installed"
diff -r rtl "$dest/opt/share/byway/rtl" >"$dir/out" &&
    (cd "$dest/opt/share/byway" && xargs ls <rtl/byw.f) >"$dir/out" 2>"$dir/err"
result $? "the RTL is installed with the files of its list"
(cd "$dest/opt/share/byway" && xargs ls <fpga/adapters/adapters.f) >"$dir/out" 2>"$dir/err" &&
    (cd "$dest/opt/share/byway/rtl" && sed -n 's/^ *- \([^ :]*[.]vh*\)\(:.*\)*$/\1/p' byway.core | xargs ls) >"$dir/out" 2>"$dir/err" &&
    [ "$(grep -c adapters "$dir/out")" -gt 5 ]
result $? "the adapters are installed as the manifest names them"
if [ -e "$B/lib/libOpenCL.so.1" ] && [ -x "$B/verif/opencl/cl_ends" ]; then
    ends=$(realpath "$B/verif/opencl/cl_ends")
    BYWAY_CACHE=$dir/cache succeeds "the installed runtime captures a program" trace capture -o c.bwt -- "$ends" leave
    succeeds "the captured trace is sound" trace check c.bwt
else
    skip_check "a capture" "no $B/lib/libOpenCL.so.1: clang, llvm-dev or libclc is missing; make deps-all"
fi
[ "$(sed -n '1s/^byway (\(.*\)).*/\1/p' debian/changelog)" = "$("$byway" --version | cut -d' ' -f2)" ]
result $? "the packages have the command's version"
# The program of cmodel/doc/library.md, built against the installed library.
awk '/^```c two_loads[.]c$/ { on = 1; next } /^```$/ { on = 0 } on' cmodel/doc/library.md >"$dir/two_loads.c"
awk '/^```text two_loads$/ { on = 1; next } /^```$/ { on = 0 } on' cmodel/doc/library.md >"$dir/want"
if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=$dest/opt/lib/pkgconfig pkg-config --cflags --libs byway) &&
        ${CC:-gcc} -std=c11 -Wall -Wextra -Wpedantic -Werror ${SAN:-} -o "$dir/two_loads" "$dir/two_loads.c" $flags >"$dir/out" 2>"$dir/err" &&
        "$dir/two_loads" >"$dir/out" && [ -s "$dir/want" ] && cmp -s "$dir/want" "$dir/out"
    result $? "the program on the library's page prints the page's output"
    printf '#include "top/byw_cluster.h"\nint main(void)\n{\n    byw_cluster_free(0);\n    return 0;\n}\n' >"$dir/use.c"
    ${CC:-gcc} -std=c11 ${SAN:-} -o "$dir/use" "$dir/use.c" $flags >"$dir/out" 2>"$dir/err" && "$dir/use"
    result $? "a cluster links with the library alone"
fi
DESTDIR=$dest PREFIX=/opt cmodel/cli/install.sh install && # over itself
    DESTDIR=$dest PREFIX=/opt cmodel/cli/install.sh uninstall
find "$dest" | LC_ALL=C sort | diff "$dir/before" - >"$dir/out"
result $? "uninstall leaves exactly the earlier files"
DESTDIR=$dest PREFIX=/opt cmodel/cli/install.sh uninstall >"$dir/out" 2>"$dir/err"
[ $? = 2 ] && grep -q 'share/byway/manifest: no such file' "$dir/err"
result $? "nothing to uninstall"
DESTDIR=$dest PREFIX=opt cmodel/cli/install.sh install >"$dir/out" 2>"$dir/err"
[ $? = 2 ] && grep -q "PREFIX is 'opt'; expected a path that begins with /" "$dir/err"
result $? "a relative PREFIX"

# --- make -------------------------------------------------------------------------------------------
unset MAKEFLAGS MAKELEVEL MFLAGS
make -pRrq : 2>/dev/null | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' | grep '^[a-z]' | LC_ALL=C sort -u >"$dir/targets"
make -s help | awk '{ print $2 }' | LC_ALL=C sort >"$dir/helped"
[ -s "$dir/targets" ] && diff "$dir/targets" "$dir/helped" >"$dir/out" # each once
result $? "make help names every target once"
[ "$(make -s help | awk 'NF < 3 || length > 140' | wc -l)" = 0 ]
result $? "make help describes every target"
# A PATH with the tools that make itself needs and none of the optional ones.
mkdir "$dir/bin"
for tool in sh bash make sed awk find cc c++ gcc g++ ar pkg-config git dirname nproc test ls; do
    ! command -v $tool >/dev/null || ln -s "$(command -v $tool)" "$dir/bin/$tool"
done
while read -r target tools; do
    PATH=$dir/bin make -s "$target" >"$dir/out" 2>"$dir/err"
    [ $? = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
        grep -qE "make $target needs ($tools): apt-get install ($tools)" "$dir/err"
    result $? "make $target without its tool"
done <<'END'
cosim verilator
soak verilator
rtl-sim verilator
rtl-sim-check-all verilator
rtl-lint verilator|iverilog|yosys
rtl-smoke iverilog
synth yosys
synth-baseline yosys
formal yosys|z3
formal-l1d yosys|z3
mutate verilator|patch
bench-rtl verilator
fuzz clang
format clang-format
END
for target in opencl traces workloads-paper; do
    PATH=$dir/bin make -s "$target" B="$dir/b" >"$dir/out" 2>"$dir/err"
    [ $? = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
        grep -q "capturing traces needs clang, LLVM and libclc of one version: apt-get install clang-V" "$dir/err"
    result $? "make $target without clang"
done

finish
