#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# llvm_stubs.sh LIBRARY OBJECT... - prints assembly (x86-64) of a function for each function of
# LLVM's C interface that the objects call. At the first call it jumps to byw_cl_llvm_find
# (byw_cl_llvm.c), which finds the function in LIBRARY; later calls go to the function itself.
# If a library were linked against libLLVM and loaded with RTLD_GLOBAL, LLVM's symbols would become
# global, and programs with another LLVM (PyTorch with Triton) would crash.
set -eu
library=$1
shift
nm -u "$@" | awk '$1 == "U" && $2 ~ /^LLVM/ { print $2 }' | LC_ALL=C sort -u | awk -v library="$library" '
    BEGIN {
        print "/* SPDX-License-Identifier: Apache-2.0 */"
        print "/* Written by cmodel/capture/llvm_stubs.sh. */"
        print "    .text"
    }
    {
        name[n] = $0
        printf "    .globl %s\n    .hidden %s\n    .type %s, @function\n", $0, $0, $0
        printf "%s:\n    jmp *slots+%d(%%rip)\n", $0, 8 * n
        printf "first_%d:\n    push $%d\n    jmp resolve\n    .size %s, . - %s\n", n, n, $0, $0
        n++
    }
    END {
        # Entered with the number on the stack; the arguments of the call are preserved.
        print "resolve:"
        print "    push %rbp\n    mov %rsp, %rbp"
        print "    push %rdi\n    push %rsi\n    push %rdx\n    push %rcx\n    push %r8\n    push %r9"
        print "    sub $128, %rsp\n    and $-16, %rsp"
        for (i = 0; i < 8; i++)
            printf "    movups %%xmm%d, %d(%%rsp)\n", i, 16 * i
        print "    mov 8(%rbp), %edi\n    lea slots(%rip), %rsi\n    call byw_cl_llvm_find"
        print "    mov %rax, 8(%rbp)"
        for (i = 0; i < 8; i++)
            printf "    movups %d(%%rsp), %%xmm%d\n", 16 * i, i
        print "    lea -48(%rbp), %rsp"
        print "    pop %r9\n    pop %r8\n    pop %rcx\n    pop %rdx\n    pop %rsi\n    pop %rdi"
        print "    pop %rbp\n    ret" # to the function: its address has replaced the number
        print "    .data\n    .balign 8\nslots:"
        for (i = 0; i < n; i++)
            printf "    .quad first_%d\n", i
        print "    .section .data.rel.ro, \"aw\"\n    .balign 8"
        print "    .globl byw_cl_llvm_names\n    .hidden byw_cl_llvm_names\nbyw_cl_llvm_names:"
        for (i = 0; i < n; i++)
            printf "    .quad name_%d\n", i
        print "    .section .rodata\n    .globl byw_cl_llvm_library\n    .hidden byw_cl_llvm_library"
        printf "byw_cl_llvm_library:\n    .asciz \"%s\"\n", library
        for (i = 0; i < n; i++)
            printf "name_%d:\n    .asciz \"%s\"\n", i, name[i]
        print "    .section .note.GNU-stack, \"\", @progbits"
    }'
