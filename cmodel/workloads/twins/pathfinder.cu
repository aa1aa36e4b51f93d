/* SPDX-License-Identifier: Apache-2.0
 *
 * Pathfinder: cheapest way down a grid, one cell straight or diagonally per row.
 *
 * A block of 256 takes a strip of columns, overlapping its neighbours by `steps` columns on each
 * side, and descends `steps` rows in shared memory.  Weights are read once.
 */
#define GROUP 256

extern "C" __global__ void pathfinder_rows(int steps, const int *wall, const int *from, int *to,
                                           int columns, int first_row)
{
    __shared__ int above[GROUP];
    __shared__ int below[GROUP];
    int t = threadIdx.x;
    int left = (int)blockIdx.x * (GROUP - 2 * steps) - steps;
    int x = left + t;
    bool inside = x >= 0 && x < columns;
    int low = left < 0 ? -left : 0;
    int high = left + GROUP > columns ? columns - 1 - left : GROUP - 1;
    int west = max(t - 1, low), east = min(t + 1, high);

    if (inside)
        above[t] = from[x];
    __syncthreads();

    bool done = false;
    for (int step = 0; step < steps; step++) {
        done = t > step && t < GROUP - 1 - step && inside;
        if (done) {
            int best = min(above[t], min(above[west], above[east]));
            below[t] = best + wall[columns * (first_row + step) + x];
        }
        __syncthreads();
        if (step == steps - 1)
            break;
        if (done)
            above[t] = below[t];
        __syncthreads();
    }
    if (done)
        to[x] = below[t];
}
