/* SPDX-License-Identifier: Apache-2.0
 *
 * Hotspot: temperature of a chip's grid, explicit steps of the heat equation.
 *
 * A block of 16 x 16 threads loads a 16 x 16 block of temperature and power, overlapping its
 * neighbours by `steps` cells on each side (a pyramid), and does `steps` time steps in shared
 * memory; the valid part shrinks by one ring each step.  Cells outside the grid repeat its edge.
 */
#define BLOCK 16

extern "C" __global__ void hotspot_step(int steps, const float *power, const float *from, float *to,
                                        int columns, int rows, float capacity, float conductance_x,
                                        float conductance_y, float conductance_z, float ambient)
{
    __shared__ float before[BLOCK][BLOCK];
    __shared__ float heat[BLOCK][BLOCK];
    __shared__ float after[BLOCK][BLOCK];

    int tx = threadIdx.x, ty = threadIdx.y;
    int inner = BLOCK - 2 * steps;
    int top = inner * (int)blockIdx.y - steps;
    int left = inner * (int)blockIdx.x - steps;
    int y = top + ty, x = left + tx;
    int at = columns * y + x;

    bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
    if (inside) {
        before[ty][tx] = from[at];
        heat[ty][tx] = power[at];
    }
    __syncthreads();

    int y_low = top < 0 ? -top : 0, x_low = left < 0 ? -left : 0;
    int y_high = top + BLOCK > rows ? rows - 1 - top : BLOCK - 1;
    int x_high = left + BLOCK > columns ? columns - 1 - left : BLOCK - 1;
    int north = max(ty - 1, y_low), south = min(ty + 1, y_high);
    int west = max(tx - 1, x_low), east = min(tx + 1, x_high);

    bool done = false;
    for (int step = 0; step < steps; step++) {
        done = tx > step && tx < BLOCK - 1 - step && ty > step && ty < BLOCK - 1 - step && inside;
        if (done) {
            float t = before[ty][tx];
            after[ty][tx] =
                t + capacity * (heat[ty][tx] +
                                (before[south][tx] + before[north][tx] - 2.0f * t) * conductance_y +
                                (before[ty][east] + before[ty][west] - 2.0f * t) * conductance_x +
                                (ambient - t) * conductance_z);
        }
        __syncthreads();
        if (step == steps - 1)
            break;
        if (done)
            before[ty][tx] = after[ty][tx];
        __syncthreads();
    }
    if (done)
        to[at] = after[ty][tx];
}
