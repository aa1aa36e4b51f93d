/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, two launches per level: bfs_visit marks the unvisited neighbours of the
 * frontier, bfs_advance makes them the next frontier.  Marks are bytes.  Several work-items
 * may mark one neighbour; they all write the same values.
 */
__kernel void bfs_visit(__global const int *first, __global const int *degree,
                        __global const int *target, __global char *frontier, __global char *updated,
                        __global const char *visited, __global int *cost, int nodes)
{
    int v = get_global_id(0);
    if (v >= nodes || !frontier[v])
        return;
    frontier[v] = 0;
    for (int edge = first[v]; edge < first[v] + degree[v]; edge++) {
        int to = target[edge];
        if (!visited[to]) {
            cost[to] = cost[v] + 1;
            updated[to] = 1;
        }
    }
}

__kernel void bfs_advance(__global char *frontier, __global char *updated, __global char *visited,
                          __global int *again, int nodes)
{
    int v = get_global_id(0);
    if (v >= nodes || !updated[v])
        return;
    frontier[v] = 1;
    visited[v] = 1;
    *again = 1;
    updated[v] = 0;
}
