#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_static.sh - programs and libraries that contain the CUDA runtime, nvcc's default, get byway's
# when they are captured, and so do those that look for CUDA's libraries elsewhere.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
B=${B:-build}
. verif/common/tap.sh
needs_built libbyway-audit.so
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")

# capture PROGRAM ARGUMENTS: its output is in `out`
capture() {
    "$root/$B/byway" trace capture -o "$work/t.bwt" -- "$@" >"$work/out" 2>"$work/err"
}

"${CC:-cc}" -O1 -fno-inline -o "$work/static" verif/cuda/cu_static.c
"$work/static" | grep -qx "999 none 42"
result $? "the program fails by itself"
capture "$work/static"
grep -qx "0 memory 42" "$work/out"
result $? "a static runtime's functions are byway's, the program's own stay"

printf 'int cudaMalloc(void **m, unsigned long n);\nint cudaMalloc(void **m, unsigned long n)\n{\n    *m = 0;\n    return n > 0 ? 999 : 998;\n}\n' >"$work/library.c"
"${CC:-cc}" -shared -fPIC -O1 -o "$work/library.so" "$work/library.c"
strip -o "$work/stripped" "$work/static"
capture "$work/stripped" "$work/library.so"
grep -qx "0 memory 42" "$work/out"
result $? "so are those of a library that is loaded later"
capture "$work/stripped"
grep -qx "999 none 42" "$work/out"
result $? "without a symbol table they stay"

# The archive of a runtime's version: the program's object. Its main is in .text at -O1.
archive() { # FLAGS: $work/libcudart_static.a
    rm -f "$work/libcudart_static.a"
    # shellcheck disable=SC2086 # words
    "${CC:-cc}" -O1 -fno-inline $1 -c -o "$work/runtime.o" verif/cuda/cu_static.c &&
        ar rc "$work/libcudart_static.a" "$work/runtime.o"
}
archive ""
BYWAY_CUDART_STATIC=$work/none.a:$work/libcudart_static.a capture "$work/stripped"
grep -qx "0 memory 42" "$work/out"
result $? "with NVIDIA's archive they are found by their code"
archive -DFAILS=998
BYWAY_CUDART_STATIC=$work/libcudart_static.a capture "$work/stripped"
grep -qx "999 none 42" "$work/out"
result $? "not with the archive of another version"
archive ""
mkdir -p "$work/site/package/bin" "$work/site/nvidia/cu13/lib"
cp "$work/stripped" "$work/site/package/bin/program"
cp "$work/libcudart_static.a" "$work/site/nvidia/cu13/lib"
capture "$work/site/package/bin/program"
grep -qx "0 memory 42" "$work/out"
result $? "the archive of a Python package beside the library's is found"

# Hostile archives: cut anywhere, or with a byte of the headers set; never a crash.
size=$(stat -c %s "$work/libcudart_static.a")
bad=0
for i in $(seq 1 40); do
    cp "$work/libcudart_static.a" "$work/hostile.a"
    if [ $((i % 2)) = 0 ]; then
        truncate -s $((size * i / 41)) "$work/hostile.a"
    else
        printf '\xff\xff\xff\x7f' |
            dd of="$work/hostile.a" bs=1 seek=$((i * 7919 % size)) conv=notrunc status=none
    fi
    BYWAY_CUDART_STATIC=$work/hostile.a capture "$work/stripped"
    grep -Eqx "999 none 42|0 memory 42" "$work/out" || bad=$((bad + 1))
done
[ "$bad" = 0 ]
result $? "a damaged archive does no harm (40 of them)"

# A program with an LLVM of its own, as PyTorch with Triton, must not get byway's.
cat >"$work/global.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), *context, *module;
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(cuda, "cuInit");
    int (*retain)(void **, int) = (int (*)(void **, int))dlsym(cuda, "cuDevicePrimaryCtxRetain");
    int (*current)(void *) = (int (*)(void *))dlsym(cuda, "cuCtxSetCurrent");
    int (*load)(void **, const char *) = (int (*)(void **, const char *))dlsym(cuda, "cuModuleLoad");
    int bad = init(0) || retain(&context, 0) || current(context) || load(&module, argv[argc - 1]);
    printf("%d %s\n", bad, dlsym(RTLD_DEFAULT, "LLVMContextCreate") ? "global" : "hidden");
}
END
"${CC:-cc}" -o "$work/global" "$work/global.c" -ldl
capture "$work/global" verif/cuda/corpus/saxpy.ptx
grep -qx "0 hidden" "$work/out"
result $? "a program that makes byway's driver global compiles kernels and sees no LLVM"

mkdir "$work/theirs"
printf 'int cuInit(unsigned f);\nint cuInit(unsigned f)\n{\n    return 100 + (int)f;\n}\n' >"$work/cuda.c"
"${CC:-cc}" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$work/theirs/libcuda.so.1" "$work/cuda.c"
printf '#include <stdio.h>\nint cuInit(unsigned f);\nint main(void)\n{\n    printf("%%d\\n", cuInit(0));\n}\n' >"$work/user.c"
"${CC:-cc}" -o "$work/user" "$work/user.c" -Wl,--disable-new-dtags,-rpath,"$work/theirs" -L"$work/theirs" -l:libcuda.so.1
"$work/user" | grep -qx 100
result $? "a program finds its own driver by an rpath"
capture "$work/user"
grep -qx 0 "$work/out"
result $? "when it is captured, byway's driver"

printf 'int cuGetExportTable(const void **t, const void *id);\nint cufftCall(void);\nint cufftCall(void)\n{\n    const void *t;\n    return cuGetExportTable(&t, 0);\n}\n' >"$work/fft.c"
"${CC:-cc}" -shared -fPIC -Wl,-soname,libcufft.so.99 -o "$work/libcufft.so.99" "$work/fft.c" -L"$B/lib" -l:libcuda.so.1 -Wl,--allow-shlib-undefined
printf '#include <stdio.h>\nint cufftCall(void);\nint main(void)\n{\n    cufftCall();\n    printf("%%d on\\n", cufftCall());\n}\n' >"$work/user.c"
"${CC:-cc}" -o "$work/user" "$work/user.c" -L"$work" -l:libcufft.so.99 -Wl,-rpath,"$work" -Wl,--allow-shlib-undefined
capture "$work/user"
grep -qx "500 on" "$work/out" && [ "$(grep -c "libcufft.so.99 is not supported" "$work/err")" = 1 ]
result $? "a library whose kernels have no PTX is named once, and the program goes on"

cat >"$work/user.c" <<'END'
#include <stdio.h>
int cuGetExportTable(const void **t, const void *id);
int main(void)
{
    static const unsigned char id[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                         0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
    const void *t;
    printf("%d\n", cuGetExportTable(&t, id));
}
END
"${CC:-cc}" -o "$work/user" "$work/user.c" -L"$B/lib" -l:libcuda.so.1 -Wl,--allow-shlib-undefined
capture "$work/user"
grep -qx 500 "$work/out" && grep -q "user contains the static CUDA runtime.*BYWAY_CUDART_STATIC" "$work/err"
result $? "where no archive fits, a sentence says what to install"

if "$B/byway" nvcc --version >/dev/null 2>&1; then
    nvcc=$(cuda_tool nvcc)
    sed -n '/^```cuda gather.cu$/,/^```$/p' cmodel/doc/cuda.md | sed '/^```/d' >"$work/gather.cu"
    "$nvcc" -O3 -arch=sm_90 -o "$work/gather" "$work/gather.cu" >"$work/out" 2>&1
    ! readelf -d "$work/gather" | grep -q libcudart
    result $? "nvcc by itself links the runtime statically"
    capture "$work/gather"
    grep -qx right "$work/out" && "$B/byway" trace info "$work/t.bwt" | grep -q "^kernels, launches *1, 1"
    result $? "such a program is captured and right"
    strip "$work/gather"
    capture "$work/gather"
    grep -qx right "$work/out" && "$B/byway" trace info "$work/t.bwt" | grep -q "^kernels, launches *1, 1"
    result $? "stripped, it is as well: the toolkit has the archive"
else
    echo "# SKIP programs of nvcc: no nvcc; make deps-cuda"
fi
finish
