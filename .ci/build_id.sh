#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build_id.sh commit HEADER - writes the commit of the checkout into HEADER as BYW_COMMIT (with
# "-dirty" if files were changed; in the tarball of `make dist` the commit it was made from, which
# .ci/commit holds; "unknown" elsewhere), and the web address of the remote `origin`, if it has one,
# as BYW_REPOSITORY.
# build_id.sh sources HEADER FILE... - writes a checksum of the files as BYW_SOURCES.
# HEADER is not touched if its content stays the same.
set -eu
what=$1 header=$2
shift 2
case $what in
commit)
    id=$(cut -c 1-12 "$(dirname "$0")/commit" 2>/dev/null) || id=unknown
    case $id in
    *Format*) id=$(git rev-parse --short=12 HEAD 2>/dev/null) || id=unknown ;;
    *) name=BYW_COMMIT ;;
    esac
    [ "$id" = unknown ] || [ "${name:-}" ] || git diff --quiet HEAD -- 2>/dev/null || id=$id-dirty
    name=BYW_COMMIT
    ;;
sources)
    id=$(printf '%s\n' "$@" | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-32)
    name=BYW_SOURCES
    ;;
esac
mkdir -p "$(dirname "$header")"
printf '/* SPDX-License-Identifier: Apache-2.0 */\n#define %s "%s"\n' "$name" "$id" >"$header.tmp"
if [ "$what" = commit ]; then # https://[user@]host/owner/name.git, [ssh://]git@host:owner/name.git
    origin=$(git config --get remote.origin.url 2>/dev/null) || origin=
    web=$(printf '%s\n' "$origin" | sed -nE 's,\.git$,,; s,^https://([^/@]*@)?([A-Za-z0-9.-]+/[A-Za-z0-9._/-]+)$,https://\2,p
        s,^(ssh://)?git@([A-Za-z0-9.-]+)[:/]([A-Za-z0-9._/-]+)$,https://\2/\3,p')
    printf '#define BYW_REPOSITORY "%s"\n' "$web" >>"$header.tmp"
fi
if cmp -s "$header.tmp" "$header"; then
    rm -f "$header.tmp"
else
    mv "$header.tmp" "$header"
fi
