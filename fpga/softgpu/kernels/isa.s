# SPDX-License-Identifier: Apache-2.0
# isa - every arithmetic instruction on a[i] and b[i], and on a[i] and a number: 32 results per thread.  Parameters:
# n, a, b, out.
    .reg n r1
    .reg a r2
    .reg b r3
    .reg out r4
    .reg i r5
    .reg step r6
    .reg go r7
    .reg at r8
    .reg x r9
    .reg y r10
    .reg z r31
    .equ small -7
    .equ bits 0xfff9
    .equ shift 13
    param n, 0
    param a, 1
    param b, 2
    param out, 3
    id i, thread
    id step, threads
    loop
        slt go, i, n
        while go
        shli at, i, 2
        add x, a, at
        lw x, 0(x)
        add y, b, at
        lw y, 0(y)
        shli at, i, 7
        add at, at, out
        add z, x, y
        sw z, 0(at)
        sub z, x, y
        sw z, 4(at)
        and z, x, y
        sw z, 8(at)
        or z, x, y
        sw z, 12(at)
        xor z, x, y
        sw z, 16(at)
        shl z, x, y
        sw z, 20(at)
        shr z, x, y
        sw z, 24(at)
        sar z, x, y
        sw z, 28(at)
        slt z, x, y
        sw z, 32(at)
        sltu z, x, y
        sw z, 36(at)
        seq z, x, y
        sw z, 40(at)
        sne z, x, y
        sw z, 44(at)
        min z, x, y
        sw z, 48(at)
        max z, x, y
        sw z, 52(at)
        mul z, x, y
        sw z, 56(at)
        addi z, x, small
        sw z, 60(at)
        subi z, x, small
        sw z, 64(at)
        andi z, x, bits
        sw z, 68(at)
        ori z, x, bits
        sw z, 72(at)
        xori z, x, bits
        sw z, 76(at)
        shli z, x, shift
        sw z, 80(at)
        shri z, x, shift
        sw z, 84(at)
        sari z, x, shift
        sw z, 88(at)
        slti z, x, small
        sw z, 92(at)
        sltui z, x, small
        sw z, 96(at)
        seqi z, x, small
        sw z, 100(at)
        snei z, x, small
        sw z, 104(at)
        mini z, x, small
        sw z, 108(at)
        maxi z, x, small
        sw z, 112(at)
        muli z, x, small
        sw z, 116(at)
        lui z, bits
        sw z, 120(at)
        add r0, x, y            # r0 stays 0
        sw r0, 124(at)
        add i, i, step
    end
    fence
    exit
