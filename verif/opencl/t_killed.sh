#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_killed.sh - kill -9 of `byway trace capture`: the captured program and its children end as well,
# and no file remains. Outputs that cannot be written are refused before a program runs. Prints TAP;
# what needs the runtime is skipped without it.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
lib=$(realpath "$B/lib" 2>/dev/null)
ends=$(realpath "$B/verif/opencl/cl_ends" 2>/dev/null)
export BYWAY_CACHE=$dir/cache

# Captures a shell script that writes the number of its last process to `pid` and then waits; kills
# the command; returns 0 if that process and the script end.
kill_capture() { # kill_capture SCRIPT
    local capture script p
    rm -f "$dir"/t.bwt* "$dir/pid" "$dir/script"
    (cd "$dir" && exec "$byway" trace capture -o t.bwt -- sh -c "echo \$\$ >script; $1") \
        >"$dir/out" 2>"$dir/err" </dev/null &
    capture=$!
    for _ in $(seq 3000); do
        [ -s "$dir/pid" ] && break
        sleep 0.02
    done
    kill -9 $capture
    wait $capture 2>/dev/null
    for _ in $(seq 500); do
        p=$(cat "$dir/pid") script=$(cat "$dir/script")
        [ ! -d "/proc/$p" ] && [ ! -d "/proc/$script" ] && return 0
        sleep 0.02
    done
    kill -9 "$p" "$script"
    return 1
}

# For a program that makes no OpenCL call, files with the libraries' names and byway's marks are enough,
# and a clang that tells its version.
mkdir "$dir/lib"
echo BYWAY_LEASH >"$dir/lib/libbyway-capture.so"
echo libbyway-capture.so | tee "$dir/lib/libOpenCL.so.1" >"$dir/lib/libcuda.so.1"
printf '#!/bin/sh\necho "clang version 1.0"\n' >"$dir/clang"
chmod +x "$dir/clang"
[ -e /usr/lib/clc/nvptx64--.bc ] || skip_all "no libclc: byway checks for it before a capture; make deps-all"
export BYWAY_CLANG=$dir/clang
export BYWAY_LIB=$dir/lib
kill_capture 'echo $$ >pid; exec sleep 600'
result $? "the program ends with the command"
refuses "a missing folder" "missing/x.bwt: cannot be written" \
    trace capture -o missing/x.bwt -- sh -c 'echo ran >ran'
refuses "a folder as trace" "lib: cannot be written (Is a directory)" \
    trace capture -o lib -- sh -c 'echo ran >ran'
[ ! -e "$dir/ran" ]
result $? "refused outputs do not start the program"
echo mine >"$dir/u.bwt.tmpl"
by trace capture -o u.bwt -- false
[ $rc = 1 ] && [ "$(cat "$dir/u.bwt.tmpl")" = mine ]
result $? "a file with a similar name stays"

if [ -z "$lib" ] || [ ! -e "$lib/libOpenCL.so.1" ] || [ ! -x "$ends" ]; then
    skip_check "the program's children end, too" \
        "no $B/lib/libOpenCL.so.1 or $B/verif/opencl/cl_ends: clang, llvm-dev or libclc is missing; make deps-all"
    finish
fi
export BYWAY_LIB=$lib
unset BYWAY_CLANG
kill_capture "$ends sleep >ready & while [ ! -s ready ]; do sleep 0.02; done; echo \$! >pid; wait"
result $? "the program's children end, too"
[ -z "$(find "$dir" -maxdepth 1 -name 't.bwt*')" ] && [ -z "$(find "$BYWAY_CACHE" -name 'build.*')" ]
result $? "no file of the capture remains"

# During a compilation: this clang writes a file into the folder and never ends.
cat >"$dir/clang" <<'END'
#!/bin/sh
[ "$1" = --version ] && exec echo "clang version 1.0"
: >"$(ls -d "$BYWAY_CACHE"/build.*)/partial"
echo $$ >pid
exec sleep 5
END
chmod +x "$dir/clang"
rm -rf "$BYWAY_CACHE"
export BYWAY_CLANG=$dir/clang
kill_capture "$ends leave" # waits for the compiler, too
for _ in $(seq 500); do
    [ -n "$(ls -A "$BYWAY_CACHE")" ] || break
    sleep 0.02
done
[ -z "$(ls -A "$BYWAY_CACHE")" ]
result $? "no file of a compilation remains"

finish
