#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_moved.sh - an installation captures OpenCL and CUDA programs without the checkout that built it,
# next to another vendor's OpenCL, in folders whose names contain characters that separate the
# entries of the loader's path lists, and from relative paths. Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
export B
tree=$PWD
needs_built libcuda.so.1 "$B/verif/opencl/cl_ends" "$B/verif/cuda/cu_corpus" "$B/libbyway.a"
unset BYWAY_LIB BYWAY_CLANG BYWAY_CACHE LD_LIBRARY_PATH
export XDG_CACHE_HOME=$dir/xdg

install_at() { # install_at PREFIX
    PREFIX=$1 cmodel/cli/install.sh install >"$dir/out" 2>"$dir/err"
}
mkdir -p "$dir/programs/corpus"
cp "$B/verif/opencl/cl_ends" "$B/verif/cuda/cu_corpus" "$dir/programs"
cp verif/cuda/corpus/saxpy.ptx "$dir/programs/corpus"

# Captures both programs in `programs` with this command; sets rc.
both() { # both NAME BYWAY
    (cd "$dir/programs" && rm -f ./*.bwt &&
        "$2" trace capture -o o.bwt -- ./cl_ends leave && "$2" trace check o.bwt &&
        "$2" trace capture -o c.bwt -- ./cu_corpus corpus saxpy && "$2" trace check c.bwt &&
        "$2" trace info o.bwt && "$2" trace info c.bwt) >"$dir/out" 2>"$dir/err" </dev/null
    rc=$?
    [ $rc = 0 ] && [ "$(grep -c 'sound\|launch' "$dir/out")" -ge 2 ] && [ ! -s "$dir/err" ]
    result $? "$1"
}

install_at "$dir/opt"
result $? "install"
both "an installation captures both kinds" "$dir/opt/bin/byway"
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
    skip_check "the same without the checkout" "no right to hide the tree; run as root"
else
    # Nothing of the tree can be read, and the PATH is a user's, not that of the tests.
    cat >"$dir/hidden" <<END
#!/bin/sh
rm -rf '$XDG_CACHE_HOME'
PATH=/usr/local/bin:/usr/bin:/bin exec unshare -m sh -c "mount -t tmpfs byway-test '$tree' && ! [ -e '$tree/Makefile' ] &&
    exec '$dir/opt/bin/byway' \"\\\$@\"" byway "\$@"
END
    chmod +x "$dir/hidden"
    both "the same without the checkout" "$dir/hidden"
fi

# --- beside another OpenCL -------------------------------------------------------------------------
mkdir -p "$dir/opt/lib"
echo "another vendor's library" >"$dir/opt/lib/libOpenCL.so.1"
echo "another vendor's driver" >"$dir/opt/lib/libcuda.so.1"
both "libraries of others in PREFIX/lib are not byway's" "$dir/opt/bin/byway"
mv "$dir/opt/lib/byway" "$dir/opt/lib/away"
by_was=$byway
byway=$dir/opt/bin/byway by trace capture -o o.bwt -- true
[ $rc = 1 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q 'is not built: `make' "$dir/err"
result $? "without byway's own libraries one sentence says how to get them"
mv "$dir/opt/lib/away" "$dir/opt/lib/byway"
byway=$by_was

# --- names with characters that are special in the loader's path lists -------------------------------
for name in 'a:b' 'a;b' 'a $ORIGIN b' 'a b'; do
    install_at "$dir/$name"
    both "an installation below '$name'" "$dir/$name/bin/byway"
done
(cd "$dir/a:b" && BYWAY_LIB=lib/byway "$byway" trace capture -o "$dir/r.bwt" -- "$dir/programs/cl_ends" leave) >"$dir/out" 2>"$dir/err" &&
    [ ! -s "$dir/err" ]
result $? "BYWAY_LIB names the libraries by a relative path, and the folder has a colon"
(cd "$dir/opt" && BYWAY_LIB=./lib/byway "$byway" trace capture -o "$dir/r.bwt" -- sh -c "cd / && exec $dir/programs/cl_ends leave") >"$dir/out" 2>"$dir/err"
result $? "BYWAY_LIB is relative, and the program changes its folder"
(cd "$dir/a:b/bin" && PATH=.:$PATH byway trace capture -o "$dir/r.bwt" -- sh -c "cd / && exec $dir/programs/cl_ends leave") >"$dir/out" 2>"$dir/err"
result $? "the command is found by a relative PATH"
finish
