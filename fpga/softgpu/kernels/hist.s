# SPDX-License-Identifier: Apache-2.0
# hist - counts the bytes of data by their low bits, and assigns a ticket to each: ticket[old total] = 1.
# Parameters: n, data, mask, bins, total, tickets.
    .reg n r1
    .reg data r2
    .reg mask r3
    .reg bins r4
    .reg total r5
    .reg tickets r6
    .reg i r7
    .reg step r8
    .reg x r9
    .reg one r10
    .reg go r11
    .reg old r12
    param n, 0
    param data, 1
    param mask, 2
    param bins, 3
    param total, 4
    param tickets, 5
    id i, thread
    id step, threads
    li one, 1
    loop
        slt go, i, n
        while go
        add x, data, i
        lbu x, 0(x)
        and x, x, mask
        shli x, x, 2
        add x, x, bins
        amoadd r0, one, (x)
        amoadd old, one, (total)
        add old, old, tickets
        sb one, 0(old)
        add i, i, step
    end
    fence
    exit
