# SPDX-License-Identifier: Apache-2.0
# stencil - five-point stencil on an image of bytes: out = (4 x + north + south + west + east) / 8; the border is
# copied.  Parameters: width, height, in, out.  A CTA computes a row, its threads the columns.
    .reg width r1
    .reg height r2
    .reg in r3
    .reg out r4
    .reg x r5
    .reg y r6
    .reg step r7
    .reg go r8
    .reg p r9
    .reg sum r10
    .reg v r11
    .reg edge r12
    .reg q r13
    .reg row r14            # 1 if the row is not a border
    param width, 0
    param height, 1
    param in, 2
    param out, 3
    id y, cta
    id x, warp
    id step, lanes
    mul x, x, step
    id v, lane
    add x, x, v
    id v, warps
    mul step, step, v
    snei row, y, 0
    subi v, height, 1
    sne v, y, v
    and row, row, v
    mul v, y, width
    add in, in, v
    add out, out, v
    loop
        slt go, x, width
        while go
        add p, in, x
        lbu sum, 0(p)
        snei edge, x, 0
        subi v, width, 1
        sne v, x, v
        and edge, edge, v
        and edge, edge, row
        if edge
            shli sum, sum, 2
            lbu v, -1(p)
            add sum, sum, v
            lbu v, 1(p)
            add sum, sum, v
            sub q, p, width
            lbu v, 0(q)
            add sum, sum, v
            add q, p, width
            lbu v, 0(q)
            add sum, sum, v
            shri sum, sum, 3
        end
        add q, out, x
        sb sum, 0(q)
        add x, x, step
    end
    fence
    exit
