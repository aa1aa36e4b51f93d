# SPDX-License-Identifier: Apache-2.0
#
# roots.sh - functions that minimal_root.sh and package_root.sh share: fresh Debian systems. Source
# it.

# The first archive that apt knows, except security archives.
mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources \
        2>/dev/null | awk '
        /^URIs:/ { for (i = 2; i <= NF; i++) if ($i !~ /security/) { print $i; exit } }
        /^deb /  { for (i = 2; i <= NF; i++) if ($i ~ /:\/\// && $i !~ /security/) { print $i; exit } }'
}

in_root() { # in_root ROOT COMMAND: with a clean environment
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$1" /bin/sh -c "$2"
}

mounted=
leave() { # unmounts what enter_root mounted
    for m in $mounted; do
        umount "$m" 2>/dev/null
    done
    mounted=
}

enter_root() { # enter_root ROOT: this system's network settings and apt's proxy, /proc and terminals
    apt-config dump | grep -iE '^Acquire::(https?::Proxy|Check-)' \
        >"$1/etc/apt/apt.conf.d/90host" || true
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    mount -t proc proc "$1/proc" && mounted="$mounted $1/proc" &&
        mount -t devpts devpts "$1/dev/pts" && mounted="$mounted $1/dev/pts"
}
