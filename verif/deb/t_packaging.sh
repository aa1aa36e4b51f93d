#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_packaging.sh - every package has byway's version, and names each library that byway is built with
# (.ci/packages.tsv). TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log
version=$(sed -n 's/^#define BYW_VERSION "\(.*\)"/\1/p' cmodel/model/common/byw_version.h)
said() { # said FILE SED
    [ "$(sed -n "$2" "$1" | head -n 1)" = "$version" ]
    result $? "$1 has version $version"
}
said debian/changelog '1s/^byway (\(.*\)).*/\1/p'
said packaging/spack/package.py 's/^ *version("\(.*\)")/\1/p'
said packaging/conda/meta.yaml 's/.*set version = "\(.*\)".*/\1/p'
said CITATION.cff 's/^version: //p'
# Debian's name of each library that `make run` installs, and the names of the others.
while read -r debian spack conda; do
    grep -q "^$debian$(printf '\t')" .ci/packages.tsv &&
        sed -n '/^Build-Depends/,/^Standards/p' debian/control | grep -qw -- "$debian" &&
        grep -q "depends_on(\"$spack" packaging/spack/package.py && grep -q -- "- $conda\$" packaging/conda/meta.yaml
    result $? "$debian is $spack in Spack, $conda in conda"
done <<'END'
libzstd-dev zstd zstd
libjansson-dev jansson jansson
libxxhash-dev xxhash xxhash
liblzma-dev xz xz
liblz4-dev lz4 lz4-c
libelf-dev elfutils elfutils
zlib1g-dev zlib-api zlib
libsqlite3-dev sqlite sqlite
END
awk -F'\t' '/^lib.*-dev\t|^zlib/ && ($2 == "run" || $2 == "test") && $4 ~ /^library|^header/ && $1 != "libc6-dev" && $1 != "libcmocka-dev" { print $1 }' \
    .ci/packages.tsv | while read -r library; do
    sed -n '/^Build-Depends/,/^Standards/p' debian/control | grep -qw -- "$library" || echo "$library"
done >"$dir/log"
[ ! -s "$dir/log" ]
result $? "Build-Depends has every library of the table"
finish
