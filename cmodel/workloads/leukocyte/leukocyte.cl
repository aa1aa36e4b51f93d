/* SPDX-License-Identifier: Apache-2.0
 *
 * Leukocyte detection and tracking: gradient inverse coefficient of variation (GICOV) along
 * circles, grey dilation of its image, and a vector-flow relaxation (IMGVF) around each cell.
 *
 * The first two read their images through the constant path, as the original does through
 * textures: neither passes the L1 data cache.
 */
#define CIRCLES 7
#define POINTS 150
#define MARGIN 22
#define STREL 12
#define FIELD_ROWS 41
#define FIELD_COLUMNS 41
#define FIELD_GROUP 320

/* One work-item per pixel, a group per row part: along each of seven circles around the pixel,
 * 150 samples of the gradient's outward part; the best circle's squared mean over variance. */
__kernel void leuk_gicov(__constant float *grad_x, __constant float *grad_y,
                         __global float *gicov, __constant float *sine, __constant float *cosine,
                         __constant int *circle_x, __constant int *circle_y, int columns, int rows)
{
    int x = get_global_id(0) + MARGIN, y = get_global_id(1) + MARGIN;
    if (x >= columns - MARGIN || y >= rows - MARGIN)
        return;
    float best = 0.0f;
    for (int c = 0; c < CIRCLES; c++) {
        float sum = 0.0f, square = 0.0f;
        for (int p = 0; p < POINTS; p++) {
            int at = (y + circle_y[c * POINTS + p]) * columns + x + circle_x[c * POINTS + p];
            float outward = grad_x[at] * cosine[p] + grad_y[at] * sine[p];
            sum += outward;
            square += outward * outward;
        }
        float mean = sum / (float)POINTS;
        float variance = (square - sum * mean) / (float)(POINTS - 1);
        best = fmax(best, mean * mean / variance);
    }
    gicov[y * columns + x] = best;
}

/* Largest value under a disk-shaped element, flat groups of 176. */
__kernel void leuk_dilate(__constant float *image, __global float *out, __constant int *element,
                          int columns, int rows)
{
    int i = get_global_id(0);
    if (i >= rows * columns)
        return;
    int x = i % columns, y = i / columns;
    float best = 0.0f;
    for (int dy = 0; dy < STREL; dy++) {
        int row = y + dy - STREL / 2;
        if (row < 0 || row >= rows)
            continue;
        for (int dx = 0; dx < STREL; dx++) {
            int column = x + dx - STREL / 2;
            if (column >= 0 && column < columns && element[dy * STREL + dx])
                best = fmax(best, image[row * columns + column]);
        }
    }
    out[i] = best;
}

static float rises(float difference) /* a smooth step: the permitted direction of the flow */
{
    return 0.5f + 0.5f * difference / (0.1f + fabs(difference));
}

/* One group of 320 relaxes one cell's field in local memory for `iterations` sweeps. */
__kernel void leuk_imgvf(__global const float *edge, __global float *field, int iterations)
{
    __local float now[FIELD_ROWS * FIELD_COLUMNS];
    __local float next[FIELD_ROWS * FIELD_COLUMNS];
    const int cells = FIELD_ROWS * FIELD_COLUMNS;
    int t = get_local_id(0), base = (int)get_group_id(0) * FIELD_ROWS * FIELD_COLUMNS;
    for (int i = t; i < cells; i += FIELD_GROUP)
        now[i] = edge[base + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int sweep = 0; sweep < iterations; sweep++) {
        for (int i = t; i < cells; i += FIELD_GROUP) {
            int row = i / FIELD_COLUMNS, column = i % FIELD_COLUMNS;
            float here = now[i], flow = 0.0f;
            for (int dy = -1; dy <= 1; dy++) {
                int y = clamp(row + dy, 0, FIELD_ROWS - 1);
                for (int dx = -1; dx <= 1; dx++) {
                    int x = clamp(column + dx, 0, FIELD_COLUMNS - 1);
                    float difference = now[y * FIELD_COLUMNS + x] - here;
                    flow += rises(difference) * difference;
                }
            }
            float start = edge[base + i];
            next[i] = here + 0.0625f * flow - 0.125f * start * (here - start);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = t; i < cells; i += FIELD_GROUP)
            now[i] = next[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = t; i < cells; i += FIELD_GROUP)
        field[base + i] = now[i];
}
