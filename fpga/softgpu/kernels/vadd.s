# SPDX-License-Identifier: Apache-2.0
# vadd - c[i] = a[i] + b[i].  Parameters: n, a, b, c.  A thread handles every threads-th element.
    .reg n r1
    .reg a r2
    .reg b r3
    .reg c r4
    .reg i r5
    .reg step r6
    .reg at r7
    .reg x r8
    .reg y r9
    .reg go r10
    param n, 0
    param a, 1
    param b, 2
    param c, 3
    id i, thread
    id step, threads
    loop
        slt go, i, n
        while go
        shli at, i, 2
        add x, a, at
        lw x, 0(x)
        add y, b, at
        lw.stream y, 0(y)
        add x, x, y
        add y, c, at
        sw x, 0(y)
        add i, i, step
    end
    fence
    exit
