/* SPDX-License-Identifier: Apache-2.0
 *
 * Pathfinder: cheapest way down a grid, one cell straight or diagonally per row.
 *
 * A group of 256 takes a strip of columns, overlapping its neighbours by `steps` columns on each
 * side, and descends `steps` rows in local memory.  Weights are read once.
 */
#define GROUP 256

__kernel void pathfinder_rows(int steps, __global const int *wall, __global const int *from,
                              __global int *to, int columns, int first_row)
{
    __local int above[GROUP];
    __local int below[GROUP];
    int t = get_local_id(0);
    int left = (int)get_group_id(0) * (GROUP - 2 * steps) - steps;
    int x = left + t;
    bool inside = x >= 0 && x < columns;
    int low = left < 0 ? -left : 0;
    int high = left + GROUP > columns ? columns - 1 - left : GROUP - 1;
    int west = max(t - 1, low), east = min(t + 1, high);

    if (inside)
        above[t] = from[x];
    barrier(CLK_LOCAL_MEM_FENCE);

    bool done = false;
    for (int step = 0; step < steps; step++) {
        done = t > step && t < GROUP - 1 - step && inside;
        if (done) {
            int best = min(above[t], min(above[west], above[east]));
            below[t] = best + wall[columns * (first_row + step) + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == steps - 1)
            break;
        if (done)
            above[t] = below[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (done)
        to[x] = below[t];
}
