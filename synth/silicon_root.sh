#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# silicon_root.sh - unpacks synthesis, place and route of Debian 14 (forky) into a private folder,
# for a system whose packages are older or lack nextpnr for ECP5.  Needs apt and a mirror, but no
# privileges: a private apt fetches the packages, which are unpacked, not installed.  SILICON_ROOT names the
# folder (default ~/.cache/byway/silicon-root), SILICON_MIRROR the mirror, SILICON_SUITE another
# release (trixie: Debian 13), SILICON_TOOLS other packages (`make cbmc-root`).  synth/silicon.sh runs its tools.
set -eu
cd "$(dirname "$0")/.."
root=${SILICON_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/byway/silicon-root}
suite=${SILICON_SUITE:-forky}
tools=${SILICON_TOOLS:-yosys nextpnr-ecp5 nextpnr-ice40 fpga-icestorm fpga-trellis opensta}
packages="base-files dash coreutils $tools"
if [ -e "$root/complete" ] && [ "$(cat "$root/complete")" = "$suite: $packages" ]; then
    echo "$root is complete ($suite); remove it to make it again"
    exit 0
fi
mirror=${SILICON_MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
    /etc/apt/sources.list.d/*.sources 2>/dev/null | awk '
    $1 == "URIs:" || $1 == "deb" {
        for (i = 2; i <= NF; i++) if ($i ~ /:\/\/.*debian\/?$/) { print $i; exit }
    }')}
[ -n "$mirror" ] || { echo "silicon_root.sh: apt knows no Debian mirror; SILICON_MIRROR names one" >&2; exit 2; }
apt=$root/apt
rm -rf "$root"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$root/usr"
: >"$apt/status"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $keyring ] || keyring=/usr/share/keyrings/debian-archive-keyring.pgp
[ -e $keyring ] || { echo "silicon_root.sh: needs the package debian-archive-keyring" >&2; exit 2; }
# trixie: for packages that later releases lack (OpenSTA); otherwise the newer version is used.
for s in $suite trixie; do echo "deb [signed-by=$keyring] $mirror $s main"; done | sort -u >"$apt/sources.list"
private() {
    apt-get -q -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
        -o Dir::Cache="$apt/cache" -o Dir::Etc::SourceList="$apt/sources.list" \
        -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null \
        -o Dir::Etc::PreferencesParts=/dev/null -o APT::Install-Recommends=false \
        -o APT::Sandbox::User= -o Debug::NoLocking=1 -o Dir::Log::Terminal= "$@"
}
private update
# shellcheck disable=SC2086 # a list of packages
private -y --download-only install $packages
for d in bin sbin lib lib64; do
    mkdir -p "$root/usr/$d"
    ln -s "usr/$d" "$root/$d"
done
for deb in "$apt"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root" --keep-directory-symlink --no-same-owner
done
rm -rf "$apt/cache" "$apt/lists" "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale"
echo "$suite: $packages" >"$root/complete"
for tool in $tools; do
    [ ! -x "$root/usr/bin/$tool" ] || echo "$tool: $(SILICON_ROOT=$root synth/silicon.sh "$tool" --version 2>&1 | head -n 1)"
done
