# SPDX-License-Identifier: Apache-2.0
#
# program.S - fills 64 words with random numbers, sorts them, checks them, and flushes the cache.  Two other arrays of
# the same sets are read in between, so that dirty lines are evicted.
# Ends with code 1; with 2 to 9 where a check failed.  fpga/soc/program.sh makes program.hex.

    .equ array, 0x400
    .equ other, 0x1400          # the same sets of the cache
    .equ third, 0x2400
    .equ count, 64

    lui   s0, 0x80000           # end of the program; 4(s0): FLUSH
    # ---- instructions: each check leaves its number in a0
    li    a0, 2                 # bytes and halves
    li    t0, 0x200
    li    t1, 0x8091a2b3
    sw    t1, 0(t0)
    lb    t2, 3(t0)
    li    t3, -128
    bne   t2, t3, fail
    lbu   t2, 1(t0)
    li    t3, 0xa2
    bne   t2, t3, fail
    lh    t2, 2(t0)
    li    t3, 0xffff8091
    bne   t2, t3, fail
    lhu   t2, 0(t0)
    li    t3, 0xa2b3
    bne   t2, t3, fail
    li    t3, 0x5c
    sb    t3, 2(t0)
    sh    t3, 0(t0)
    lw    t2, 0(t0)
    li    t3, 0x805c005c
    bne   t2, t3, fail
    li    a0, 3                 # signs and shifts
    li    t1, -8
    srai  t2, t1, 1
    li    t3, -4
    bne   t2, t3, fail
    srli  t2, t1, 28
    li    t3, 15
    bne   t2, t3, fail
    slti  t2, t1, 1
    sltiu t3, t1, 1
    sub   t2, t2, t3
    li    t3, 1
    bne   t2, t3, fail
    li    t2, 3
    sll   t3, t2, t2
    sra   t3, t3, t2
    xor   t3, t3, t2
    bnez  t3, fail
    bltu  t1, t2, fail
    blt   t2, t1, fail
    bge   t1, t2, fail
    bgeu  t2, t1, fail
    li    a0, 4                 # jumps
    auipc t1, 0
    jal   t2, 1f
1:  sub   t2, t2, t1
    li    t3, 8
    bne   t2, t3, fail
    jalr  t2, 28(t1)            # past the jump that follows
    j     fail
    # ---- fill
    li    t0, array
    li    t1, count
    li    t2, 0x2545f491
fill:
    slli  t3, t2, 13
    xor   t2, t2, t3
    srli  t3, t2, 17
    xor   t2, t2, t3
    slli  t3, t2, 5
    xor   t2, t2, t3
    lw    t4, 0(t0)             # a load fetches the line, so that the store makes it dirty
    sw    t2, 0(t0)
    addi  t0, t0, 4
    addi  t1, t1, -1
    bnez  t1, fill
    # ---- insertion sort, unsigned
    li    s1, array
    addi  s2, s1, 4             # next to insert
    li    s3, array + 4 * count
    lui   s4, %hi(other)
    addi  s4, s4, %lo(other)
    lui   s5, %hi(third)
    addi  s5, s5, %lo(third)
sort:
    lw    t0, 0(s2)
    mv    t1, s2
    j     2f
1:  sw    t2, 0(t1)
    addi  t1, t1, -4
2:  beq   t1, s1, 3f
    lw    t2, -4(t1)
    bltu  t0, t2, 1b
3:  sw    t0, 0(t1)
    lw    t4, 0(s4)
    lw    t4, 0(s5)
    addi  s4, s4, 4
    addi  s5, s5, 4
    addi  s2, s2, 4
    bne   s2, s3, sort
    # ---- check the order
    li    a0, 5
    addi  s2, s1, 4
1:  lw    t0, -4(s2)
    lw    t1, 0(s2)
    bltu  t1, t0, fail
    addi  s2, s2, 4
    bne   s2, s3, 1b
    sw    zero, 4(s0)           # FLUSH
    li    a0, 1
fail:
    sw    a0, 0(s0)
    ebreak
