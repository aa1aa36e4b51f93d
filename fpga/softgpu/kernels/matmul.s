# SPDX-License-Identifier: Apache-2.0
# matmul - c = a b for matrices of n by n words.  Parameters: n, a, b, c.  A CTA computes a row, its threads the columns.
    .reg n r1
    .reg a r2
    .reg b r3
    .reg c r4
    .reg row r5
    .reg col r6
    .reg step r7
    .reg wide r8            # bytes per row
    .reg go r9
    .reg k r10
    .reg x r11
    .reg y r12
    .reg sum r13
    .reg pa r14
    .reg pb r15
    param n, 0
    param a, 1
    param b, 2
    param c, 3
    id row, cta
    id col, warp
    id step, lanes
    mul col, col, step
    id x, lane
    add col, col, x
    id x, warps
    mul step, step, x
    shli wide, n, 2
    mul row, row, wide
    add a, a, row
    add c, c, row
    loop
        slt go, col, n
        while go
        mov pa, a
        shli pb, col, 2
        add pb, pb, b
        li sum, 0
        mov k, n
inner:  lw x, 0(pa)
        lw y, 0(pb)
        mul x, x, y
        add sum, sum, x
        addi pa, pa, 4
        add pb, pb, wide
        subi k, k, 1
        bnz k, inner
        shli pb, col, 2
        add pb, pb, c
        sw sum, 0(pb)
        add col, col, step
    end
    fence
    exit
