/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, two launches per level: bfs_visit marks the unvisited neighbours of the
 * frontier, bfs_advance makes them the next frontier.  Marks are bytes.  Several threads
 * may mark one neighbour; they all write the same values.
 */
extern "C" __global__ void bfs_visit(const int *first, const int *degree, const int *target,
                                     char *frontier, char *updated, const char *visited, int *cost,
                                     int nodes)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
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

extern "C" __global__ void bfs_advance(char *frontier, char *updated, char *visited, int *again,
                                       int nodes)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || !updated[v])
        return;
    frontier[v] = 1;
    visited[v] = 1;
    *again = 1;
    updated[v] = 0;
}
