# SPDX-License-Identifier: Apache-2.0
# gather - out[i] = table[index[i]], or -1 where index[i] is negative.  Parameters: n, index, table, out.
    .reg n r1
    .reg index r2
    .reg table r3
    .reg out r4
    .reg i r5
    .reg step r6
    .reg at r7
    .reg x r8
    .reg go r9
    param n, 0
    param index, 1
    param table, 2
    param out, 3
    id i, thread
    id step, threads
    loop
        slt go, i, n
        while go
        shli at, i, 2
        add x, index, at
        lw.stream x, 0(x)
        slti go, x, 0
        if go
            li x, -1
        else
            shli x, x, 2
            add x, x, table
            lw x, 0(x)
        end
        add at, at, out
        sw x, 0(at)
        add i, i, step
    end
    fence
    exit
