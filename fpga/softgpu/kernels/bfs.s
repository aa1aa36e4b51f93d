# SPDX-License-Identifier: Apache-2.0
# bfs - breadth-first search from the vertices whose dist is 0, in one CTA: one level and a barrier at a time, until
# a level finds nothing new.  Edges of vertex v: edge[first[v]] to edge[first[v + 1] - 1].  dist is -1 for unvisited
# vertices.  found[level] becomes 1 if the level finds a vertex.  Parameters: n, first, edge, dist, found.
    .reg n r1
    .reg first r2
    .reg edge r3
    .reg dist r4
    .reg found r5
    .reg v r6
    .reg step r7
    .reg level r8
    .reg go r9
    .reg at r10
    .reg e r11
    .reg last r12
    .reg u r13
    .reg d r14
    .reg next r15
    .reg one r16
    param n, 0
    param first, 1
    param edge, 2
    param dist, 3
    param found, 4
    id step, threads
    li level, 0
    li one, 1
search:
    addi next, level, 1
    id v, thread
    loop
        slt go, v, n
        while go
        shli at, v, 2
        add d, dist, at
        lw d, 0(d)
        seq go, d, level
        if go
            add at, at, first
            lw e, 0(at)
            lw last, 4(at)
            loop
                slt go, e, last
                while go
                shli u, e, 2
                add u, u, edge
                lw u, 0(u)
                shli u, u, 2
                add u, u, dist
                lw d, 0(u)
                slti go, d, 0
                if go
                    sw next, 0(u)
                    shli d, level, 2
                    add d, d, found
                    sw one, 0(d)
                end
                addi e, e, 1
            end
        end
        add v, v, step
    end
    bar
    shli at, level, 2
    add at, at, found
    lw at, 0(at)
    mov level, next
    bnz at, search
    fence
    exit
