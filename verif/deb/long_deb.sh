#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_deb.sh - make deb: four packages that hold every installed file once, without a complaint by lintian.
# package_root.sh installs, uses and removes them. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log
B=${B:-build}
for tool in dh:debhelper lintian:lintian; do
    command -v "${tool%:*}" >/dev/null || skip_all "no ${tool%:*}; apt-get install ${tool#*:}"
done
make -s B="$B" deb >"$dir/log" 2>&1
result $? "make deb"
for name in byway libbyway1 libbyway-dev byway-doc; do
    dpkg-deb -c "$B"/deb/${name}_*.deb | awk '!/^d/ { print $6 }' | grep -v '/usr/share/doc/[^/]*/\(copyright\|changelog.*\)$' >>"$dir/files"
done
sort "$dir/files" | uniq -d >"$dir/log"
[ ! -s "$dir/log" ]
result $? "no file is in two packages"
mkdir "$dir/dest"
B=$B DESTDIR=$dir/dest PREFIX=/usr cmodel/cli/install.sh install >"$dir/log" 2>&1
installed=$(find "$dir/dest" ! -type d | wc -l)
[ "$(wc -l <"$dir/files")" = $((installed - 2 + 1)) ] # not manifest and LICENSE, but the link libbyway.so
result $? "every installed file is in a package: $installed"
lintian --allow-root --fail-on error,warning "$B"/deb/*.changes >"$dir/log" 2>&1
result $? "lintian has no complaint"
finish
