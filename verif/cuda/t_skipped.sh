#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_skipped.sh - launches of a kernel that byway cannot run count for --launches, and the exit status
# is 1 with a sentence that names the kernel and the instruction.  Prints TAP; exit status 77 without
# the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
needs_built libcuda.so.1
lib=$(realpath "$B/lib")
export BYWAY_CACHE=$dir/cache
cat >"$dir/launches.c" <<'END'
#include <stdlib.h>
int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static const char text[] = ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
    ".visible .entry nest() { { .param .b32 b; call.uni (b), cudaDeviceSynchronize, (); } ret; }\n"
    ".visible .entry bad() { .reg .b32 %r<2>; frobnicate.u32 %r0, %r1; ret; }\n"
    ".visible .entry good() { .reg .b32 %r<2>; mov.u32 %r0, %tid.x; ret; }\n";
int main(int argc, char **argv) /* one launch for each letter: b, g or n */
{
    void *context, *module, *good, *bad, *nest;
    int device;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) || cuModuleLoadData(&module, text) ||
        cuModuleGetFunction(&good, module, "good") || cuModuleGetFunction(&bad, module, "bad") ||
        cuModuleGetFunction(&nest, module, "nest"))
        return 9;
    for (unsigned i = 0; argv[1][i] != '\0'; i++) /* launch number i + 1 has i + 1 threads */
        cuLaunchKernel(argv[1][i] == 'g' ? good : argv[1][i] == 'n' ? nest : bad, 1, 1, 1, i + 1, 1, 1, 0, NULL, NULL, NULL);
    return argc > 2 ? atoi(argv[2]) : 0;
}
END
${CC:-gcc} -o "$dir/launches" "$dir/launches.c" -L"$lib" -l:libcuda.so.1 -Wl,--allow-shlib-undefined >"$dir/out" 2>&1
result $? "the program compiles"

# LAUNCHES OF THE PROGRAM; OPTIONS; ITS EXIT STATUS; expected: EXIT STATUS; THREADS OF THE TRACED LAUNCHES
while read -r letters options status want threads; do
    echo mine >"$dir/t.bwt"
    # shellcheck disable=SC2086 # words
    by trace capture $(echo "$options" | tr _ ' ') -o t.bwt -- ./launches "$letters" "$status"
    if [ "$threads" = old ]; then
        [ "$(cat "$dir/t.bwt")" = mine ]
    else
        [ "$("$byway" trace info --rows 0 "$dir/t.bwt" | awk '$2 == "good" { sub("x.*", "", $4); printf "%s%s", sep, $4; sep = "," }')" = "$threads" ]
    fi && [ $rc = "$want" ]
    result $? "$letters, $options, exit status $status: exit status $want, launches $threads"
    case $letters in *b*)
        grep -q "kernel bad cannot run: it uses frobnicate.u32" "$dir/err" && ! grep -q "though the trace is complete" "$dir/err"
        result $? "$letters, $options: the kernel and the instruction are named"
        ;;
    *n*)
        grep -q "kernel nest cannot run: it waits for kernels that it has launched (cudaDeviceSynchronize), which CUDA 12 removed" "$dir/err"
        result $? "$letters, $options: the wait for kernels is named"
        ;;
    esac
done <<'END'
ggg --launches_2 0 0 2
bggg --launches_1-2 0 1 2
bggg --launches_2 0 1 2
gbbg --launches_2-4 0 1 4
gbbg --launches_2-3 0 1 old
bgg --kernels_good 0 1 2,3
bgg --kernels_good 1 1 2,3
gg --launches_1- 1 0 1,2
gng --launches_1- 0 1 1,3
bb --launches_1- 0 1 old
bb --launches_1- 1 1 old
END
finish
