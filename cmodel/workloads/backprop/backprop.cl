/* SPDX-License-Identifier: Apache-2.0
 *
 * One training step of a two-layer perceptron: n inputs, 16 hidden units.
 *
 * weight[(i + 0) * 17 ...]: rows are inputs (row 0 the bias), columns hidden units (column 0
 * unused), so rows of 17 floats start at every alignment.  Groups of 16 x 16 work-items, group g
 * along y covers inputs 16 g + 1 .. 16 g + 16.
 */
#define SIDE 16

/* Partial sums of input x weight over each group's 16 inputs, by a tree in local memory. */
__kernel void backprop_forward(__global const float *input, __global const float *weight,
                               __global float *partial, int hidden)
{
    __local float node[SIDE];
    __local float product[SIDE][SIDE];
    int tx = get_local_id(0), ty = get_local_id(1), by = get_group_id(1);
    int row = SIDE * by + ty + 1;
    int at = row * (hidden + 1) + tx + 1;

    if (tx == 0)
        node[ty] = input[row];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[ty][tx] = weight[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[ty][tx] *= node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int stride = 1; stride < SIDE; stride *= 2) {
        if (ty % (2 * stride) == 0)
            product[ty][tx] += product[ty + stride][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tx == 0)
        partial[by * hidden + ty] = product[0][ty];
}

/* Gradient step with momentum on every weight, the bias row by the first group. */
__kernel void backprop_adjust(__global const float *delta, int hidden, __global const float *input,
                              __global float *weight, __global float *previous, float rate,
                              float momentum)
{
    int tx = get_local_id(0), ty = get_local_id(1), by = get_group_id(1);
    int row = SIDE * by + ty + 1, column = tx + 1;
    int at = row * (hidden + 1) + column;

    weight[at] += rate * delta[column] * input[row] + momentum * previous[at];
    previous[at] = rate * delta[column] * input[row] + momentum * previous[at];
    if (ty == 0 && by == 0) {
        weight[column] += rate * delta[column] + momentum * previous[column];
        previous[column] = rate * delta[column] + momentum * previous[column];
    }
}
