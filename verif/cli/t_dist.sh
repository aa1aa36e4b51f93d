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
# The web address of a public clone, without names and passwords; nothing for other remotes.
while read -r origin web; do
    (export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=$origin
        .ci/build_id.sh commit "$dir/web.h") && grep -qxF "#define BYW_REPOSITORY \"${web:-}\"" "$dir/web.h"
    result $? "the repository of $origin is '${web:-}'"
done <<'EOF'
https://host.example/owner/name.git https://host.example/owner/name
https://user:secret@host.example/owner/name https://host.example/owner/name
git@host.example:owner/name.git https://host.example/owner/name
ssh://git@host.example/owner/name https://host.example/owner/name
/srv/git/name.git
EOF
.ci/build_id.sh commit "$dir/own.h" && grep -qE '"[0-9a-f]{12}(-dirty)?"' "$dir/own.h"
result $? "a checkout names its own"
finish
