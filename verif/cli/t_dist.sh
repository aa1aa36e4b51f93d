#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_dist.sh - `make dist`: a tarball of the commit with the version in its name, the same bytes each time, that knows its
# commit and has no file that git ignores.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder out
git rev-parse HEAD >/dev/null 2>&1 || skip_all "no git checkout"
version=$(sed -n 's/^.define BYW_VERSION "\(.*\)"/\1/p' cmodel/model/common/byw_version.h)
tar=$dir/byway-$version.tar.gz

make -s --no-print-directory B="$dir" dist >"$dir/out" 2>&1 && sum=$(sha256sum <"$tar")
result $? "the tarball has the version in its name"
make -s --no-print-directory B="$dir" dist >"$dir/out" 2>&1 && [ "$sum" = "$(sha256sum <"$tar")" ]
result $? "a second one has the same bytes"
diff <(git ls-tree -r --name-only HEAD | LC_ALL=C sort) <(tar tzf "$tar" | sed -n "s#^byway-$version/\(.*[^/]\)\$#\1#p" | LC_ALL=C sort) >"$dir/out"
result $? "it has the files of the commit, and no others"
tar xzf "$tar" -C "$dir" && (cd "$dir/byway-$version" && .ci/build_id.sh commit "$dir/id.h") >"$dir/out" 2>&1 &&
    grep -q "\"$(git rev-parse HEAD | cut -c 1-12)\"" "$dir/id.h"
result $? "its build knows the commit"
.ci/build_id.sh commit "$dir/own.h" && grep -qE '"[0-9a-f]{12}(-dirty)?"' "$dir/own.h"
result $? "a checkout names its own"
finish
