#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh install|uninstall - installs below $DESTDIR$PREFIX, from the sources and the build
# folder $B:
#
#     bin/byway, byway-rtl                  the command; with Verilated caches, if it was built
#     bin/byway-nvcc, byway-ptxas           the command under two more names
#     lib/byway/libOpenCL.so.1              the tracing OpenCL runtime, if it was built
#     lib/byway/libbyway-capture.so         the code shared by libOpenCL.so.1 and libcuda.so.1
#     lib/byway/libcuda.so.1, libcudart.so.12, .13, libcublas.so.12, .13, libcurand.so.10   the same for CUDA, if they were built
#     lib/libbyway.a, lib/pkgconfig/byway.pc, include/byway/    the golden model
#     lib/libbyway.so.N, lib/pkgconfig/byway-l1.pc    its stable interface, include/byway/byway.h, if it was built
#     share/byway/configs, traces, rtl      machines and policies, traces, the Verilog with its pages
#     share/byway/fpga/adapters             adapters to buses and soft GPUs
#     share/doc/byway                       licence, README, and the pages by the names that help texts use
#     share/man/man1, share/bash-completion/completions, share/zsh/site-functions,
#     share/fish/vendor_completions.d   generated from the command's help
#
# The command finds these files relative to its own location. share/byway/manifest lists every file
# and folder that was created (below DESTDIR), and `uninstall` removes exactly these. A second
# install first removes the first one.
set -eu
DESTDIR=${DESTDIR:-}
case $PREFIX in
/*) ;;
*)
    echo "PREFIX is '$PREFIX'; expected a path that begins with /" >&2
    exit 2
    ;;
esac
root=$DESTDIR$PREFIX
manifest=$root/share/byway/manifest
list=

# Creates a folder and its parents, and records the new ones.
folder() {
    [ ! -d "$1" ] || return 0
    folder "$(dirname "$1")"
    mkdir "$1"
    echo "${1#"$DESTDIR"}/" >>"$list"
}
put() { # put MODE FROM TO
    folder "$(dirname "$root/$3")"
    echo "$PREFIX/$3" >>"$list"
    cp "$2" "$root/$3"
    chmod "$1" "$root/$3"
}
link() { # link WHERE TO
    folder "$(dirname "$root/$2")"
    echo "$PREFIX/$2" >>"$list"
    ln -s "$1" "$root/$2"
}
put_tree() { # put_tree FROM TO [FIND TESTS...]: the files below FROM
    from=$1 to=$2
    shift 2
    find "$from" -type f "$@" | LC_ALL=C sort >"$list.tree"
    while IFS= read -r file; do
        mode=644
        [ ! -x "$file" ] || mode=755
        put $mode "$file" "$to${file#"$from"}"
    done <"$list.tree"
    rm -f "$list.tree"
}

pkg_config() { # pkg_config NAME LIBRARY
    printf 'prefix=${pcfiledir}/../..\nincludedir=${prefix}/include/byway\nlibdir=${prefix}/lib\n\n'
    printf 'Name: %s\nDescription: golden model of a GPU L1 data cache with bypass policies\n' "$1"
    printf 'Version: %s\n' "$(sed -n 's/^#define BYW_VERSION "\(.*\)"/\1/p' cmodel/model/common/byw_version.h)"
    printf 'Cflags: -I${includedir}\nLibs: -L${libdir} %s\nLibs.private: -lm\n' "$2"
}

# Removes what the manifest lists, the deepest folders first; folders only if they are empty.
uninstall() {
    [ -f "$manifest" ] || return 0
    copy=$(mktemp)
    cp "$manifest" "$copy"
    grep -v '/$' "$copy" | while IFS= read -r file; do
        rm -f "$DESTDIR$file"
    done
    rm -f "$manifest"
    grep '/$' "$copy" | LC_ALL=C sort -r | while IFS= read -r made; do
        rmdir "$DESTDIR$made" 2>/dev/null || true
    done
    rm -f "$copy"
}

install() {
    uninstall
    list=$(mktemp)
    trap 'rm -f "$list"' EXIT
    folder "$root/share/byway"
    put 755 "$B/byway" bin/byway
    link byway bin/byway-nvcc
    link byway bin/byway-ptxas
    [ ! -e "$B/byway-rtl" ] || put 755 "$B/byway-rtl" bin/byway-rtl
    for library in libOpenCL.so.1 libcuda.so.1 libcudart.so.12 libcudart.so.13 \
        libcublas.so.12 libcublas.so.13 libcublasLt.so.12 libcublasLt.so.13 libcurand.so.10 libnvJitLink.so.12 libnvJitLink.so.13 \
        libbyway-capture.so libbyway-audit.so; do
        [ ! -e "$B/lib/$library" ] || put 755 "$B/lib/$library" "lib/byway/$library"
    done
    cmodel/cli/manual.sh "$B/byway" "$B/manual"
    put_tree "$B/manual/man" share/man/man1 -name '*.1'
    [ ! -e "$B/byway-rtl" ] || link byway.1 share/man/man1/byway-rtl.1
    put 644 "$B/manual/completion/byway" share/bash-completion/completions/byway
    put 644 "$B/manual/completion/_byway" share/zsh/site-functions/_byway
    put 644 "$B/manual/completion/byway.fish" share/fish/vendor_completions.d/byway.fish
    put_tree cmodel/configs share/byway/configs -name '*.cfg'
    put_tree cmodel/traces share/byway/traces -name '*.bwt'
    put_tree rtl share/byway/rtl
    put_tree fpga/adapters share/byway/fpga/adapters # rtl/byway.core and Bender.yml name them
    for page in LICENSE README.md CHANGELOG.md SECURITY.md CITATION.cff CONTRIBUTING.md; do
        put 644 $page share/doc/byway/$page
    done
    put_tree cmodel share/doc/byway/cmodel \( -name '*.md' -o -path 'cmodel/doc/*.svg' -o -path 'cmodel/doc/*.png' \)
    for area in fpga packaging synth verif; do
        put_tree $area share/doc/byway/$area -name '*.md'
    done
    link ../../byway/rtl share/doc/byway/rtl
    put 644 "$B/libbyway.a" lib/libbyway.a
    put_tree cmodel/configs include/byway/configs -name '*.def'
    for area in common record l1d policy l2 top; do
        put_tree cmodel/model/$area include/byway/$area \( -name '*.h' -o -name '*.def' \)
    done
    put 644 cmodel/model/top/byway.h include/byway/byway.h # users include <byway.h>
    pkg_config byway "-l:libbyway.a -lm" >"$list.pc" # libbyway.so has the stable interface only
    put 644 "$list.pc" lib/pkgconfig/byway.pc
    for library in "$B"/libbyway.so.[0-9]*; do
        [ -e "$library" ] || continue
        put 755 "$library" "lib/${library##*/}"
        pkg_config byway-l1 "-l:${library##*/}" >"$list.pc"
        put 644 "$list.pc" lib/pkgconfig/byway-l1.pc
    done
    rm -f "$list.pc"
    cp "$list" "$manifest"
}

case ${1:-} in
install) install ;;
uninstall)
    [ -f "$manifest" ] || { echo "$manifest: no such file; expected an installation below PREFIX" >&2; exit 2; }
    uninstall
    ;;
*)
    echo "install.sh: expected install or uninstall" >&2
    exit 2
    ;;
esac
