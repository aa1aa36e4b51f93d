#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_list.sh - byway trace machine: the machine code of PTX and of a cubin, and messages.  Prints TAP;
# the lists are skipped without ptxas or libelf.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
[ "${BYWAY_PTXAS:-}" != off ] || unset BYWAY_PTXAS # run.sh keeps it out of other tests
B=${B:-build}
byway=$B/byway
tap_folder out err
says() { # says STATUS TEXT: the last command's exit status and a part of its message
    [ "$1" = "$status" ] && grep -qF -- "$2" "$dir/err"
}
run() {
    "$byway" trace machine "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}
run
says 2 "expected a .ptx or .cubin file"
result $? "without a file, the message says what is expected"
run "$dir/nowhere.ptx"
says 2 "nowhere.ptx: No such file"
result $? "a file that does not exist is named"
run README.md
says 2 "README.md: line"
result $? "a file that is neither PTX nor a cubin is refused, with its line"
BYWAY_PTXAS=off run verif/cuda/corpus/saxpy.ptx
says 2 "no ptxas"
result $? "without an assembler, the message says how to get one"

run verif/cuda/corpus/saxpy.ptx
if [ $status != 0 ] && grep -q 'no ptxas\|without libelf' "$dir/err"; then
    skip_check "the list of a kernel" "no ptxas or libelf; pip install nvidia-cuda-nvcc, apt-get install libelf-dev"
    finish
fi
# saxpy loads x and y, multiplies, stores: the PTX instruction and the source line of each are known.
for word in 'load .* lsu .* 4 .* 8  ld.global.f32 %f2, \[%rd6\]' 'store .* lsu .* 8  st.global.f32' 'fma .* 8  fma.rn.f32' 'exit .* ret'; do
    grep -q "$word" "$dir/out"
    result $? "the list of saxpy has '$word'"
done
[ "$(grep -c ' load ' "$dir/out")" = 2 ] && ! grep -q unknown "$dir/out"
result $? "it has two loads and no unknown opcode"
# The barrier that the last load sets is the one that the multiply-add waits for.
set=$(sed -n 's/^ *[0-9]* load .* w\([0-5]\) .*/\1/p' "$dir/out" | tail -1)
wait=$(sed -n 's/^ *[0-9]* fma  *fma  *[0-9]* *y*e*s* *\([0-5,]*\) .*/\1/p' "$dir/out")
[ -n "$set" ] && [ "$set" = "$wait" ]
result $? "the multiply-add waits for the barrier of the loads"
run --kernels nothing verif/cuda/corpus/saxpy.ptx
says 2 "no kernel matches nothing"
result $? "a pattern that no kernel matches is an error"
run --arch 80 verif/cuda/corpus/saxpy.ptx
grep -q '^kernel saxpy: sm_80,' "$dir/out"
result $? "--arch 80 assembles for compute capability 8.0"
# The page has the source of the file that .file names, the PTX, and the multiply-add's wait for the load.
printf '%s\n' 1 2 3 4 5 6 7 '    y[i] = a * x[i] <script> y[i];' '}' >"$dir/k.cu"
sed "s|\.file.*1 .*|.file 1 \"$dir/k.cu\"|" verif/cuda/corpus/saxpy.ptx >"$dir/saxpy.ptx"
run --html "$dir/page.html" "$dir/saxpy.ptx"
[ $status = 0 ] && [ ! -s "$dir/out" ] && grep -q 'y\[i\] = a \* x\[i\] \\u003cscript> y\[i\];' "$dir/page.html" &&
    grep -q '"text":"fma.rn.f32 %f4, %f2, %f1, %f3"' "$dir/page.html" && grep -q '"op":"fma","unit":"fma","ptx":18,"source":8,"stall":5,"waits":4' "$dir/page.html"
result $? "--html writes a page with source, PTX and machine code"
run --html "$dir/no/page.html" verif/cuda/corpus/saxpy.ptx
[ $status != 0 ] && grep -q 'no/page.html' "$dir/err"
result $? "a page that cannot be written is an error"
run --operations
# one sum takes one instruction, a 64-bit sum two; a division uses the unit of reciprocals; a 64-bit one is longer
grep -q '^add.rn.f32  *1  *[0-9]*  1 fma$' "$dir/out" && grep -q '^add.s64  *2 ' "$dir/out" &&
    grep -q '^div.rn.f32 .* xu' "$dir/out" &&
    awk '/^div.u32/ { short = $2 } /^div.u64/ { long = $2 } END { exit !(short > 5 && long > 2 * short) }' "$dir/out"
result $? "--operations tells what a sum and a division become"
head -c 3000 /dev/zero | cat <(printf '\177ELF') - >"$dir/zeros.cubin"
run "$dir/zeros.cubin"
says 2 "not a cubin"
result $? "an ELF file that is no cubin is refused"
finish
