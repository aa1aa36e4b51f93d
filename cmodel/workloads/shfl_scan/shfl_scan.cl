/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefix sums of a row and of an image (its integral image), lane by lane within warps of 32,
 * then across the warps of a group.  OpenCL C 1.2 has no exchange between lanes, so values change
 * places through local memory; global accesses are those of a version with lane exchange.
 */
#define WARP 32
#define MOST 1024

/* Inclusive sum over the lanes up to and including one's own in segments of `width` items. */
static int scan_segment(int value, __local int *slot, int t, int width)
{
    for (int step = 1; step < width; step *= 2) {
        slot[t] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t % width >= step)
            value += slot[t - step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return value;
}

/* Inclusive sum over the group, of at most 32 warps. */
static int scan_group(int value, __local int *slot, __local int *warp_sum, int t)
{
    value = scan_segment(value, slot, t, WARP);
    if (t < WARP)
        warp_sum[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t % WARP == WARP - 1)
        warp_sum[t / WARP] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = scan_segment(warp_sum[t % WARP], slot, t, WARP);
    if (t < WARP)
        warp_sum[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    return t < WARP ? value : value + warp_sum[t / WARP - 1];
}

/* Scans each group's part of data in place; the parts' totals go to total. */
__kernel void shfl_scan_part(__global int *data, __global int *total)
{
    __local int slot[MOST], warp_sum[WARP];
    int i = get_global_id(0), t = get_local_id(0);
    int sum = scan_group(data[i], slot, warp_sum, t);
    data[i] = sum;
    if (t == (int)get_local_size(0) - 1)
        total[get_group_id(0)] = sum;
}

/* Adds the scanned totals of all earlier parts; launched for the parts after the first. */
__kernel void shfl_scan_add(__global int *data, __global const int *total)
{
    __local int before;
    int g = get_group_id(0), part = get_local_size(0);
    if (get_local_id(0) == 0)
        before = total[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[(g + 1) * part + (int)get_local_id(0)] += before;
}

/* One group per image row, 16 pixels of a byte per work-item, read as one 16-byte word.  Sums
 * are put in order in `staged` (16 words per work-item), so that lines are written whole. */
__kernel void shfl_scan_rows(__global const uint4 *image, __global int4 *integral,
                             __local int *staged)
{
    __local int slot[MOST], warp_sum[WARP];
    int t = get_local_id(0), items = get_local_size(0), row = get_group_id(0);
    uchar16 pixel = as_uchar16(image[row * items + t]);
    uchar value[16];
    vstore16(pixel, 0, value);
    int total = 0;
    for (int k = 0; k < 16; k++)
        total += value[k];
    int sum = scan_group(total, slot, warp_sum, t) - total;
    for (int k = 0; k < 16; k++) {
        sum += value[k];
        staged[t * 16 + k] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++)
        integral[(row * 4 + k) * items + t] = vload4(k * items + t, staged);
}

/* Down the columns, in place: groups of 32 columns x 8 rows walk down in steps of 8 rows. */
__kernel void shfl_scan_columns(__global int *integral, int width, int height)
{
    __local int cell[8][WARP + 1], slot[8 * WARP];
    int tx = get_local_id(0), ty = get_local_id(1), column = get_global_id(0);
    int t = ty * WARP + tx, above = 0;
    for (int row = ty; row < height; row += 8) {
        cell[ty][tx] = integral[row * width + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = scan_segment(cell[t % 8][t / 8], slot, t, 8);
        cell[t % 8][t / 8] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        integral[row * width + column] = cell[ty][tx] + above;
        above += cell[7][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
