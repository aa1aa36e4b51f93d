#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# silicon.sh COMMAND... - runs a tool from the silicon root (synth/silicon_root.sh) if that contains it,
# otherwise the one of this system.  The tool sees the root's system folders (/usr, /lib, /etc ...) and
# all other folders of this system. SILICON_ROOT= (empty) selects the tool of this system.
set -eu
root=${SILICON_ROOT-${XDG_CACHE_HOME:-$HOME/.cache}/byway/silicon-root}
if [ -z "$root" ] || [ ! -e "$root/complete" ] || [ ! -x "$root/usr/bin/$1" ]; then
    exec "$@"
fi
user=
[ "$(id -u)" = 0 ] || user=--map-root-user
# shellcheck disable=SC2016,SC2086 # the inner shell expands; an option or none
exec unshare $user --mount --propagation private sh -c '
    root=$1
    shift
    for d in /*; do
        case $d in /usr | /bin | /sbin | /lib* | /etc) continue ;; esac
        if [ -d "$d" ] && [ ! -L "$d" ]; then
            [ -d "$root$d" ] || mkdir "$root$d"
            mount --rbind "$d" "$root$d"
        fi
    done
    PATH=$PATH:/usr/sbin:/sbin
    exec chroot "$root" "$@"' sh "$root" \
    sh -c 'PATH=/usr/bin LC_ALL=C; export PATH LC_ALL; cd "$0" && exec "$@"' "$PWD" "$@"
