#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_planted.sh - another user's code in the cache never runs, wherever the cache is and however the
# code came there, and the kernel gives the right result; a damaged or empty object is compiled
# again; a cache of 0 MB works. Both halves: OpenCL and CUDA. Planted objects have a valid seal, so
# that only owner, rights and links tell them apart. Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
device=$PWD/$B/verif/opencl/cl_device
corpus=$PWD/$B/verif/cuda/cu_corpus
needs_built libcuda.so.1 "$device" "$corpus"
tap_folder out err
unset BYWAY_CACHE XDG_CACHE_HOME BYWAY_CACHE_MB
ends=$PWD/$B/verif/opencl/cl_ends
byway=$(realpath "${BYWAY:-$B/byway}")
lib=$(realpath "$B/lib")
chmod 711 "$dir"

ocl() { # ocl [NAME=VALUE...]: builds a kernel; sets rc
    env LD_LIBRARY_PATH="$lib" "$@" "$device" >"$dir/out" 2>"$dir/err"
    rc=$?
}
cuda() { # runs one; sets rc
    env LD_LIBRARY_PATH="$lib" "$@" "$corpus" "$B/verif/cuda/corpus" saxpy >"$dir/out" 2>"$dir/err" && grep -qx 'ok saxpy' "$dir/out"
    rc=$?
}

# --- the planted object ----------------------------------------------------------------------------
cat >"$dir/plant.c" <<END
#include <stdio.h>
__attribute__((constructor)) static void planted(void) { FILE *f = fopen("$dir/ran", "w"); if (f) fclose(f); }
END
cat >"$dir/seal.c" <<'END'
#include "capture/compile/byw_cl_store.h"
int main(int argc, char **argv) { return argc == 3 && byw_cl_seal(argv[1], argv[2]) ? 0 : 1; }
END
${CC:-gcc} -shared -fPIC -o "$dir/plant.so" "$dir/plant.c" >"$dir/out" 2>&1 &&
    ${CC:-gcc} -std=c11 -D_GNU_SOURCE -Icmodel -Icmodel/model -o "$dir/seal" "$dir/seal.c" \
        cmodel/capture/compile/byw_cl_seal.c -lxxhash >"$dir/out" 2>&1
result $? "the planted object is built"
names() { # names HALF: the objects that it keeps
    find "$dir/$1" -maxdepth 1 -name '*.so' -printf '%f\n'
}
ocl BYWAY_CACHE="$dir/ocl"
[ $rc = 0 ] && [ "$(names ocl | wc -l)" = 1 ]
result $? "OpenCL keeps an object"
cuda BYWAY_CACHE="$dir/cuda"
[ $rc = 0 ] && [ -n "$(names cuda)" ]
result $? "CUDA keeps objects"
[ "$(stat -c %a "$dir/ocl")" = 700 ] && (umask 0 && ocl BYWAY_CACHE="$dir/free/deep") &&
    [ "$(stat -c %a "$dir/free" "$dir/free/deep" | tr '\n' ' ')" = "700 700 " ] &&
    [ -z "$(find "$dir/free/deep" -name '*.so' -perm /022)" ]
result $? "folders are made for this user alone whatever the umask, and files cannot be written by others"
# The object must work as an attack: a cache without checks would run it.
plant() { # plant HALF FOLDER: one for each object
    local name
    mkdir -p "$2"
    for name in $(names "$1"); do
        cp "$dir/plant.so" "$2/$name" && "$dir/seal" "$2/$name" "$name" || return 1
    done
}
plant ocl "$dir/mine"
ocl BYWAY_CACHE="$dir/mine"
[ -e "$dir/ran" ]
result $? "the object would run if it were this user's own"

# --- other users -----------------------------------------------------------------------------------
if [ "$(id -u)" != 0 ]; then
    skip_check "objects of another user" "not root, so no second user; run as root"
else
    other=$(id -u nobody)
    attack() { # attack NAME HALF NAME=VALUE...: does not run the planted code, and works
        local name=$1 half=$2
        shift 2
        rm -f "$dir/ran"
        "$half" "$@"
        [ ! -e "$dir/ran" ] && [ $rc = 0 ]
        result $? "$half: $name"
    }
    one_sentence() { # one_sentence WORDS: on stderr, about what is used instead
        [ "$(grep -c '' "$dir/err")" = 1 ] && grep -qF "$1" "$dir/err"
        result $? "one sentence says \"$1\""
    }
    for half in ocl cuda; do
        d=$dir/v.$half
        mkdir "$d"
        plant $half "$d/theirs" && chown -R "$other" "$d/theirs" && chmod 755 "$d/theirs"
        attack "a folder that another user made" $half BYWAY_CACHE="$d/theirs"
        one_sentence "belongs to another user"
        plant $half "$d/open" && chmod 777 "$d/open"
        attack "a folder that all can write" $half BYWAY_CACHE="$d/open"
        one_sentence "private folder"
        plant $half "$d/group" && chmod 775 "$d/group"
        attack "a folder that its group can write" $half BYWAY_CACHE="$d/group"
        plant $half "$d/sticky" && chmod 1777 "$d/sticky"
        attack "a folder like /tmp" $half BYWAY_CACHE="$d/sticky"
        plant $half "$d/good" && chmod 700 "$d/good" && chown "$other" "$d"/good/*
        attack "files of another user in a good folder" $half BYWAY_CACHE="$d/good"
        one_sentence "was removed, and the kernel is compiled again"
        attack "and again" $half BYWAY_CACHE="$d/good"
        [ ! -s "$dir/err" ] && [ -z "$(find "$d/good" -user nobody)" ]
        result $? "$half: then the good folder has this user's objects"
        plant $half "$d/wide" && chmod 700 "$d/wide" && chmod 666 "$d"/wide/*
        attack "files that others can write" $half BYWAY_CACHE="$d/wide"
        plant $half "$d/aside" && mkdir -m 700 "$d/links" && for name in $(names $half); do
            ln -s "$d/aside/$name" "$d/links/$name"
        done
        attack "links to objects" $half BYWAY_CACHE="$d/links"
        plant $half "$d/target" && ln -s target "$d/link"
        attack "a link to the folder" $half BYWAY_CACHE="$d/link"
        mkdir "$d/parent" && chmod 777 "$d/parent" && plant $half "$d/parent/cache" && chmod 700 "$d/parent/cache"
        attack "a parent that all can write" $half BYWAY_CACHE="$d/parent/cache"
        mkdir "$d/their" && plant $half "$d/their/cache" && chown "$other" "$d/their"
        attack "a parent of another user" $half BYWAY_CACHE="$d/their/cache"
        plant $half "$d/behind/cache" && chmod 777 "$d/behind" && ln -s behind "$d/before"
        attack "a link above, to a parent that all can write" $half BYWAY_CACHE="$d/before/cache"
        plant $half "$d/up/cache" && chmod 777 "$d/up" && mkdir "$d/up/x"
        attack "such a parent behind .." $half BYWAY_CACHE="$d/up/x/../cache"
        mkdir "$d/tmp" && chmod 1777 "$d/tmp" && plant $half "$d/tmp/cache" && chmod 700 "$d/tmp/cache"
        rm -f "$d"/tmp/cache/*
        attack "an own folder in one with the sticky bit" $half BYWAY_CACHE="$d/tmp/cache"
        [ -n "$(find "$d/tmp/cache" -name '*.so')" ] && [ ! -s "$dir/err" ]
        result $? "$half: is used"
        # Attacks through the other folders in which a cache can be.
        : >"$dir/file"
        plant $half "$d/xdg/byway" && chown -R "$other" "$d/xdg/byway"
        attack "XDG_CACHE_HOME" $half HOME="$dir/file" XDG_CACHE_HOME="$d/xdg"
        plant $half "$d/xdgopen/byway" && chmod 777 "$d/xdgopen"
        attack "XDG_CACHE_HOME that all can write" $half HOME="$dir/file" XDG_CACHE_HOME="$d/xdgopen"
        plant $half "$d/home/.cache/byway" && chown -R "$other" "$d/home/.cache"
        attack "HOME" $half HOME="$d/home"
        plant $half "$d/fallback/byway-0" && chown -R "$other" "$d/fallback/byway-0" && chmod 1777 "$d/fallback"
        attack "the temporary folder" $half HOME="$dir/file" TMPDIR="$d/fallback"
    done
    # The command reports it once; the program, and all programs that it starts, compile into one
    # private folder.
    rm -f "$dir/ran"
    plant ocl "$dir/command" && chmod 777 "$dir/command"
    BYWAY_CACHE=$dir/command "$byway" trace capture -o "$dir/c.bwt" -- sh -c "$device && $ends leave" >"$dir/out" 2>"$dir/err"
    [ $? = 0 ] && [ ! -e "$dir/ran" ] && "$byway" trace check "$dir/c.bwt" >/dev/null 2>&1
    result $? "a capture with a folder that all can write"
    one_sentence "private folder"
    [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'byway.*' -newer "$dir/command" -user root)" ]
    result $? "the private folder is gone"
fi

# --- damage ----------------------------------------------------------------------------------------
damage() { # damage NAME HALF COMMAND: after it was done to each object, the half works and mends them
    local f before
    for f in "$dir/$2"/*.so; do
        before=$(stat -c %s "$f")
        sh -c "$3" sh "$f"
    done
    "$2" BYWAY_CACHE="$dir/$2"
    [ $rc = 0 ] && [ "$(stat -c %s "$f")" = "$before" ]
    result $? "$2: $1"
}
for half in ocl cuda; do
    damage "empty objects are compiled again" $half ': >"$1"'
    damage "truncated objects are compiled again" $half 'truncate -s 5000 "$1"'
    damage "objects whose second half is zeros are compiled again" $half \
        's=$(stat -c %s "$1"); truncate -s $((s / 2)) "$1"; truncate -s $s "$1"'
    damage "objects with one wrong byte are compiled again" $half 'printf X | dd of="$1" bs=1 seek=4321 conv=notrunc 2>/dev/null'
    $half BYWAY_CACHE="$dir/zero.$half" BYWAY_CACHE_MB=0
    [ $rc = 0 ] && [ -z "$(find "$dir/zero.$half" -name '*.so')" ] && [ ! -s "$dir/err" ]
    result $? "$half: a limit of 0 MB keeps nothing, and the kernel runs"
    rm -rf "$dir/small.$half"
    mkdir -m 700 "$dir/small.$half"
    truncate -s 900000 "$dir/small.$half/0123456789abcdef.so" && truncate -s 900000 "$dir/small.$half/0123456789abcde0.so"
    touch -d '3 hours ago' "$dir/small.$half"/*
    $half BYWAY_CACHE="$dir/small.$half" BYWAY_CACHE_MB=1
    [ $rc = 0 ] && [ ! -e "$dir/small.$half/0123456789abcdef.so" -o ! -e "$dir/small.$half/0123456789abcde0.so" ]
    result $? "$half: the cache is trimmed to its limit"
done
# An object under another object's name.
first=$(names cuda | head -n 1)
cp "$dir/cuda/$first" "$dir/cuda/keep" && cp -p "$dir/ocl/$(names ocl)" "$dir/cuda/$first"
cuda BYWAY_CACHE="$dir/cuda"
[ $rc = 0 ]
result $? "an object under another's name is compiled again"
finish
